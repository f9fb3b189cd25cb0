//! Every backend gives the same answers as the plain one, node by node.
//!
//! Random games from standard, Chess960 and promotion-rich positions; if the folder of test data is there
//! (`CLAVIER_SHARED`, else `../shared` beside the repository), also walks from the rows of the perft suites.

use clavier::board::backend::{self, Backend};
use clavier::board::{Delta, Position, Wanted};
use clavier::types::{Color, Move, MoveList, Square};
use std::path::{Path, PathBuf};

/// Positions to start random games from: usual ones, Chess960, and some where much promotes.
const ROOTS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    // Chess960, the castling rooks anywhere.
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    // Much promotes.
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "r1r1r3/1P1P1P1k/8/8/8/8/K1p1p1p1/3R1R2 w - - 0 1",
    // Captures en passant that uncover the king.
    "8/8/3p4/1Pp4r/1K3p2/6k1/4P1P1/1R6 w - c6 0 3",
];

/// Nodes that one walk visits, one random game after the other.
const NODES: usize = 400;
/// One node in so many is asked about all words that a move can have.
const SAMPLE: usize = 100;
/// Plies of a random game.
const GAME: usize = 120;

/// The generator `SplitMix64`, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((word ^ (word >> 31)) as u128 * bound as u128) >> 64) as usize
    }
}

fn scalar() -> &'static Backend {
    backend::available().find(|backend| backend.name() == "scalar").expect("scalar runs everywhere")
}

fn others() -> Vec<&'static Backend> {
    backend::available().filter(|backend| backend.name() != "scalar").collect()
}

fn sorted(backend: &Backend, position: &Position, wanted: Wanted) -> Vec<Move> {
    let mut moves = MoveList::new();
    backend.generate(position, wanted, &mut moves);
    let mut moves = moves.to_vec();
    moves.sort_unstable();
    moves
}

fn changes(delta: &Delta) -> Vec<String> {
    let mut changes: Vec<_> = delta.changes().map(|change| format!("{change:?}")).collect();
    changes.sort();
    changes
}

/// Compares all answers about one position.
fn compare(twin: &Backend, position: &Position) {
    let (plain, name) = (scalar(), twin.name());
    for wanted in [Wanted::All, Wanted::Noisy, Wanted::Quiet] {
        let (expected, found) = (sorted(plain, position, wanted), sorted(twin, position, wanted));
        assert_eq!(found, expected, "{name} {wanted:?} {position}");
    }
    let moves = sorted(plain, position, Wanted::All);
    assert_eq!(twin.count_moves(position), moves.len(), "{name} {position}");
    assert_eq!(twin.has_legal_move(position), !moves.is_empty(), "{name} {position}");
    for square in Square::all() {
        let mut expected: Vec<_> = plain.attackers_of(position, square).collect();
        let mut found: Vec<_> = twin.attackers_of(position, square).collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{name} {square} {position}");
        for by in Color::BOTH {
            let expected = plain.is_attacked(position, square, by);
            assert_eq!(twin.is_attacked(position, square, by), expected, "{name} {square} {position}");
        }
    }
    for &m in &moves {
        compare_move(twin, position, m);
    }
}

/// Compares all answers about one legal move.
fn compare_move(twin: &Backend, position: &Position, m: Move) {
    let (plain, name) = (scalar(), twin.name());
    let (expected, expected_delta) = plain.make_with_delta(position, m);
    let (found, delta) = twin.make_with_delta(position, m);
    // Checks, pins, roster and keys agree with the plain board's own, computed from scratch.
    assert_eq!(found.validate(), Ok(()), "{name} {position} {m:?}");
    assert_eq!(found.to_string(), expected.to_string(), "{name} {position} {m:?}");
    assert_eq!(found.keys(), expected.keys(), "{name} {position} {m:?}");
    assert!(found.checkers().eq(expected.checkers()), "{name} {position} {m:?}");
    assert_eq!(changes(&delta), changes(&expected_delta), "{name} {position} {m:?}");
    assert!(twin.is_legal(position, m), "{name} {position} {m:?}");
    assert_eq!(twin.gives_check(position, m), expected.in_check(), "{name} {position} {m:?}");
    assert_eq!(twin.see(position, m), plain.see(position, m), "{name} {position} {m:?}");
    for threshold in [-500, -100, 0, 1, 100, 400] {
        let expected = plain.see(position, m) >= threshold;
        assert_eq!(twin.see_reaches(position, m, threshold), expected, "{name} {position} {m:?} {threshold}");
    }
}

/// Compares the legality of all words that a move can have.
fn compare_all_words(twin: &Backend, position: &Position) {
    let legal = sorted(scalar(), position, Wanted::All);
    for m in (0..=u16::MAX).filter_map(Move::from_bits) {
        let expected = legal.binary_search(&m).is_ok();
        assert_eq!(twin.is_legal(position, m), expected, "{} {position} {m:?}", twin.name());
    }
}

/// Random games from one position until so many nodes are compared.
fn walk(root: &Position, nodes: usize, seed: u64) {
    let twins = others();
    let mut random = Random(seed);
    let mut position = *root;
    let mut plies = 0;
    for node in 0..nodes {
        for twin in &twins {
            compare(twin, &position);
            if node % SAMPLE == 0 {
                compare_all_words(twin, &position);
            }
        }
        let moves = sorted(scalar(), &position, Wanted::All);
        plies += 1;
        if moves.is_empty() || plies == GAME {
            (position, plies) = (*root, 0);
            continue;
        }
        position = scalar().make_with_delta(&position, moves[random.below(moves.len())]).0;
    }
}

#[test]
fn all_backends_agree_in_random_games() {
    for (index, fen) in ROOTS.iter().enumerate() {
        walk(&fen.parse().expect("the roots are legal"), NODES, index as u64);
    }
}

#[test]
fn all_backends_count_the_same_leaves() {
    for fen in ROOTS {
        let position: Position = fen.parse().expect("the roots are legal");
        for twin in others() {
            for depth in 1..=3 {
                let expected = scalar().perft(&position, depth);
                assert_eq!(twin.perft(&position, depth), expected, "{} {fen} {depth}", twin.name());
            }
        }
    }
}

/// The folder of perft suites, if the shared folder is there.
fn suites() -> Option<PathBuf> {
    let shared = std::env::var_os("CLAVIER_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")), PathBuf::from);
    let folder = shared.join("data/perft");
    folder.is_dir().then_some(folder)
}

/// Rows of all suites: the position, and counts by depth.
fn rows(folder: &Path) -> Vec<(Position, Vec<(u32, u64)>)> {
    let mut rows = Vec::new();
    for entry in folder.read_dir().expect("the suites can be listed") {
        let path = entry.expect("the suites can be listed").path();
        let text = std::fs::read_to_string(&path).expect("a suite is text");
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut parts = line.split(';');
            // Some suites contain positions that no game can reach, which are refused.
            let Ok(position) = parts.next().unwrap_or_default().trim().parse() else { continue };
            rows.push((position, parts.filter_map(depth_and_leaves).collect()));
        }
    }
    rows
}

/// Reads `D3 8902`.
fn depth_and_leaves(text: &str) -> Option<(u32, u64)> {
    let (depth, leaves) = text.trim().strip_prefix('D')?.split_once(' ')?;
    Some((depth.parse().ok()?, leaves.trim().parse().ok()?))
}

/// Counts, and walks from, the rows of the suites, if they are there: each one with `CLAVIER_TWIN_NODES` nodes
/// in a long check, a few rows otherwise.
#[test]
fn all_backends_agree_from_the_rows_of_the_suites() {
    const MOST_LEAVES: u64 = 20_000;
    const NODES_OF_SHORT_CHECK: usize = 2;
    const ROWS_OF_SHORT_CHECK: usize = 400;
    let Some(folder) = suites() else { return };
    let rows = rows(&folder);
    let long = std::env::var("CLAVIER_TWIN_NODES").ok().and_then(|text| text.parse().ok());
    let stride = if long.is_some() { 1 } else { rows.len().div_ceil(ROWS_OF_SHORT_CHECK).max(1) };
    for (index, (position, counts)) in rows.iter().enumerate().step_by(stride) {
        for &(depth, leaves) in counts.iter().filter(|&&(depth, leaves)| depth > 0 && leaves <= MOST_LEAVES) {
            for backend in backend::available() {
                assert_eq!(backend.perft(position, depth), leaves, "{} {position} {depth}", backend.name());
            }
        }
        walk(position, long.unwrap_or(NODES_OF_SHORT_CHECK), index as u64);
    }
}

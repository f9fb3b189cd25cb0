//! Every backend gives the same answers as the plain one, node by node.
//!
//! Random games from standard, Chess960 and promotion-rich positions; if the folder of test data is there
//! (`CLAVIER_SHARED`, else `../shared` beside the repository), also the trees of the rows of the perft suites.

mod common;

use clavier::board::backend::{self, Backend};
use clavier::board::{Delta, Position, Wanted};
use clavier::types::{Color, Move, MoveList, Square};
use rayon::prelude::*;
use std::path::Path;

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

/// What changed, each change once in any order.
fn same_changes(found: &Delta, expected: &Delta) -> bool {
    found.changes().count() == expected.changes().count()
        && expected.changes().all(|change| found.changes().any(|other| other == change))
}

/// All that can be seen of two positions is the same; pins show in their moves.
fn same_position(found: &Position, expected: &Position) -> bool {
    found.keys() == expected.keys()
        && found.checkers().eq(expected.checkers())
        && Square::all().all(|square| found.piece_on(square) == expected.piece_on(square))
        && found.side_to_move() == expected.side_to_move()
        && found.castling_rights() == expected.castling_rights()
        && found.en_passant() == expected.en_passant()
        && found.halfmoves() == expected.halfmoves()
        && found.fullmove() == expected.fullmove()
}

/// Compares all answers about one position, and returns its moves.
fn compare(twins: &[&Backend], position: &Position) -> Vec<Move> {
    let plain = scalar();
    for wanted in [Wanted::All, Wanted::Noisy, Wanted::Quiet] {
        let expected = sorted(plain, position, wanted);
        for twin in twins {
            assert_eq!(sorted(twin, position, wanted), expected, "{} {wanted:?} {position}", twin.name());
        }
    }
    let moves = sorted(plain, position, Wanted::All);
    for twin in twins {
        assert_eq!(twin.count_moves(position), moves.len(), "{} {position}", twin.name());
        assert_eq!(twin.has_legal_move(position), !moves.is_empty(), "{} {position}", twin.name());
    }
    for square in Square::all() {
        compare_attacks(twins, position, square);
    }
    for &m in &moves {
        compare_move(twins, position, m);
    }
    moves
}

/// Compares all answers about who attacks a square.
fn compare_attacks(twins: &[&Backend], position: &Position, square: Square) {
    let plain = scalar();
    let expected = attackers(plain, position, square);
    for twin in twins {
        assert_eq!(attackers(twin, position, square), expected, "{} {square} {position}", twin.name());
    }
    for by in Color::BOTH {
        let expected = plain.is_attacked(position, square, by);
        for twin in twins {
            let found = twin.is_attacked(position, square, by);
            assert_eq!(found, expected, "{} {square} {by:?} {position}", twin.name());
        }
    }
}

/// The squares of all attackers, as a set.
fn attackers(backend: &Backend, position: &Position, square: Square) -> u64 {
    backend.attackers_of(position, square).fold(0, |set, attacker| set | 1 << attacker.dense())
}

/// Compares all answers about one legal move.
fn compare_move(twins: &[&Backend], position: &Position, m: Move) {
    let plain = scalar();
    let (expected, expected_delta) = plain.make_with_delta(position, m);
    let exchange = plain.see(position, m);
    assert!(position.is_legal(m), "{position} {m:?}");
    assert_eq!(position.gives_check(m), expected.in_check(), "{position} {m:?}");
    for twin in twins {
        let told = || format!("{} {position} {m:?}", twin.name());
        let (found, delta) = twin.make_with_delta(position, m);
        // Checks, pins, roster and keys agree with the plain board's own, computed from scratch.
        assert_eq!(found.validate(), Ok(()), "{}", told());
        assert!(same_position(&found, &expected), "{}: {found}, not {expected}", told());
        assert!(same_changes(&delta, &expected_delta), "{}: {delta:?}, not {expected_delta:?}", told());
        assert_eq!(twin.see(position, m), exchange, "{}", told());
        for threshold in [-500, -100, 0, 1, 100, 400] {
            assert_eq!(
                twin.see_reaches(position, m, threshold),
                exchange >= threshold,
                "{} {threshold}",
                told()
            );
        }
    }
}

/// Compares every node of the tree of a depth: all answers at its inner nodes, the moves to its leaves too.
fn compare_tree(twins: &[&Backend], position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = compare(twins, position);
    let child = |m| compare_tree(twins, &scalar().make_with_delta(position, m).0, depth - 1);
    if depth == 1 { moves.len() as u64 } else { moves.into_iter().map(child).sum() }
}

/// Compares the legality of all words that a move can have with what is generated.
fn compare_all_words(position: &Position) {
    let legal = sorted(scalar(), position, Wanted::All);
    for m in (0..=u16::MAX).filter_map(Move::from_bits) {
        assert_eq!(position.is_legal(m), legal.binary_search(&m).is_ok(), "{position} {m:?}");
    }
}

/// Random games from one position until so many nodes are compared.
fn walk(root: &Position, nodes: usize, seed: u64) {
    let twins = others();
    let mut random = Random(seed);
    let mut position = *root;
    let mut plies = 0;
    for node in 0..nodes {
        let moves = compare(&twins, &position);
        if node % SAMPLE == 0 {
            compare_all_words(&position);
        }
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

/// Every node of the trees of all rows, each to the deepest count of 20,000 leaves at most; one row in
/// twenty unless `CLAVIER_LONG_TESTS` is set.
#[test]
fn all_backends_agree_in_the_trees_of_the_suites() {
    const MOST_LEAVES: u64 = 20_000;
    let Some(folder) = common::shared("perft") else { return };
    let twins = others();
    let stride = if std::env::var_os("CLAVIER_LONG_TESTS").is_some() { 1 } else { 20 };
    let rows: Vec<_> = rows(&folder).into_iter().step_by(stride).collect();
    let compared: u64 = rows
        .par_iter()
        .filter_map(|(position, counts)| {
            let &(depth, leaves) = counts.iter().rfind(|&&(_, leaves)| leaves <= MOST_LEAVES)?;
            for backend in backend::available() {
                assert_eq!(backend.perft(position, depth), leaves, "{} {position} {depth}", backend.name());
            }
            assert_eq!(compare_tree(&twins, position, depth), leaves, "{position} {depth}");
            Some(leaves)
        })
        .sum();
    println!("{compared} leaves of {} rows compared", rows.len());
    assert!(compared > 0);
}

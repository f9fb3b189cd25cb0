//! Random games beside another move generator, cozy-chess: the same moves are legal in every position, and
//! all texts and keys of ours come back.

use clavier::board::{Position, Wanted, fen, notation, san};
use clavier::types::{Move, MoveList};
use cozy_chess::Board;

/// Plies after which a random game is left.
const LONGEST_GAME: usize = 160;

/// Plays random games from each start and compares every position.
fn walk(starts: impl Iterator<Item = Board>, seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    for start in starts {
        let mut theirs = start;
        let (mut ours, repairs) =
            fen::read(&format!("{theirs:#}")).expect("both sides agree on what is legal");
        assert!(repairs.len() <= 1, "{repairs:?}"); // an en passant square that nobody can use may go
        for _ in 0..LONGEST_GAME {
            let moves = compare(&ours, &theirs);
            let Some(&m) = random.choice(moves.iter()) else { break };
            theirs.play_unchecked(in_their_words(&ours, m));
            ours = ours.make(m);
        }
    }
}

/// Compares all that both know of a position; gives the legal moves.
fn compare(ours: &Position, theirs: &Board) -> MoveList {
    let moves = ours.legal_moves();
    let mut our_texts: Vec<String> = moves.iter().map(|&m| in_their_words(ours, m).to_string()).collect();
    let mut their_texts = Vec::new();
    theirs.generate_moves(|set| {
        their_texts.extend(set.into_iter().map(|m| m.to_string()));
        false
    });
    our_texts.sort();
    their_texts.sort();
    assert_eq!(our_texts, their_texts, "{ours}");
    assert_eq!(ours.checkers().count(), theirs.checkers().len() as usize, "{ours}");
    assert_eq!(ours.count_moves(), moves.len(), "{ours}");
    assert_eq!(ours.has_legal_move(), !moves.is_empty(), "{ours}");
    parts_make_the_whole(ours, &moves);
    texts_return(ours, &moves);
    keys_return(ours);
    moves
}

/// Noisy and quiet moves together are all moves, and each is told right.
fn parts_make_the_whole(position: &Position, moves: &MoveList) {
    let mut parts = MoveList::new();
    position.generate(Wanted::Noisy, &mut parts);
    assert!(parts.iter().all(|&m| position.is_noisy(m)), "{position}");
    let noisy = parts.len();
    position.generate(Wanted::Quiet, &mut parts);
    assert!(parts[noisy..].iter().all(|&m| !position.is_noisy(m)), "{position}");
    let order = |list: &[Move]| {
        let mut list = list.to_vec();
        list.sort();
        list
    };
    assert_eq!(order(&parts), order(moves), "{position}");
}

fn texts_return(position: &Position, moves: &MoveList) {
    for &m in moves {
        assert!(position.is_legal(m), "{position} {m:?}");
        assert_eq!(position.gives_check(m), position.make(m).in_check(), "{position} {m:?}");
        for chess960 in [false, true] {
            let text = notation::format_uci(position, m, chess960);
            assert_eq!(notation::parse_uci(position, &text), Ok(m), "{position} {text}");
        }
        let text = san::format(position, m);
        assert_eq!(san::parse(position, &text), Ok(m), "{position} {text}");
    }
}

/// A position read from its own text has the same keys, which reading finds from scratch.
fn keys_return(position: &Position) {
    let (again, repairs) = fen::read(&position.to_string()).expect("our own texts are good");
    assert_eq!((again.keys(), repairs.len()), (position.keys(), 0), "{position}");
}

/// The move as cozy-chess writes it: castling is king takes rook there, too.
fn in_their_words(position: &Position, m: Move) -> cozy_chess::Move {
    notation::format_uci(position, m, true).parse().expect("texts of moves agree")
}

#[test]
fn standard_games_agree() {
    walk((0..40).map(|_| Board::default()), 1);
}

#[test]
fn chess960_games_agree() {
    walk((0..960).step_by(24).map(Board::chess960_startpos), 2);
}

#[test]
fn double_chess960_games_agree() {
    walk((0..40).map(|index| Board::double_chess960_startpos(index * 23, 959 - index * 17)), 3);
}

/// Few men are often in check, pinned, promoted, mated or stalemated.
#[test]
fn endgames_agree() {
    const ENDGAMES: [&str; 6] = [
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1",
        "8/1k4P1/8/3bB3/2nN4/8/1p4K1/8 w - - 0 1",
        "8/5p2/8/K1P1p2r/R2p2k1/8/1P2P3/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    ];
    let boards = ENDGAMES.iter().cycle().take(48).map(|text| text.parse().expect("good positions"));
    walk(boards, 4);
}

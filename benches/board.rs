//! Time of the board's hot operations, per call.

use clavier::board::{Position, Wanted, notation, perft};
use clavier::types::{Move, MoveList};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Positions by name: quiet, busy, an endgame, in check.
const POSITIONS: [(&str, &str); 4] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("in check", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"),
];

fn position(name: &str) -> Position {
    let (_, fen) = POSITIONS.iter().find(|(known, _)| *known == name).expect("a known name");
    fen.parse().expect("a good FEN")
}

/// The names, for `divan`.
const NAMES: [&str; 4] = ["start", "kiwipete", "endgame", "in check"];

#[divan::bench(args = NAMES)]
fn generate_all(bencher: Bencher, name: &str) {
    generate(bencher, name, Wanted::All);
}

#[divan::bench(args = NAMES)]
fn generate_noisy(bencher: Bencher, name: &str) {
    generate(bencher, name, Wanted::Noisy);
}

fn generate(bencher: Bencher, name: &str, wanted: Wanted) {
    let position = position(name);
    let mut moves = MoveList::new();
    bencher.bench_local(|| {
        moves.clear();
        black_box(&position).generate(wanted, &mut moves);
        moves.len()
    });
}

#[divan::bench(args = NAMES)]
fn count_moves(bencher: Bencher, name: &str) {
    let position = position(name);
    bencher.bench_local(|| black_box(&position).count_moves());
}

/// All moves of the position are made in turn: the time is that of all of them together.
#[divan::bench(args = NAMES)]
fn make_every_move(bencher: Bencher, name: &str) {
    let position = position(name);
    let moves = position.legal_moves();
    bencher.counter(moves.len()).bench_local(|| {
        moves.iter().fold(0, |keys, &m| keys ^ black_box(&position).make(black_box(m)).key())
    });
}

#[divan::bench(args = NAMES)]
fn vet_every_move(bencher: Bencher, name: &str) {
    let position = position(name);
    let moves = position.legal_moves();
    bencher
        .counter(moves.len())
        .bench_local(|| moves.iter().filter(|&&m| black_box(&position).is_legal(black_box(m))).count());
}

/// A pile of captures on one square, and a mere pawn that is won.
#[divan::bench(args = ["d3e5", "e2e5"])]
fn exchange(bencher: Bencher, text: &str) {
    let position: Position =
        "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1".parse().expect("a good FEN");
    let m: Move = notation::parse_uci(&position, text).expect("a legal move");
    bencher.bench_local(|| black_box(&position).see(black_box(m)));
}

#[divan::bench(args = NAMES, sample_count = 10)]
fn perft_4(bencher: Bencher, name: &str) {
    let position = position(name);
    let leaves = perft::count(&position, 4);
    bencher.counter(leaves as usize).bench_local(|| perft::count(black_box(&position), 4));
}

//! Time to find the end of a game, beside that of one generation of moves.

use clavier::board::{Position, notation};
use clavier::game::{self, Game};
use clavier::types::MoveList;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

const NAMES: [&str; 4] = ["quiet", "open", "mate", "stalemate"];

fn position(name: &str) -> Position {
    let fen = match name {
        "quiet" => "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 40 30",
        "open" => "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 40 30",
        "mate" => "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4",
        _ => "7k/5Q2/6K1/8/8/8/8/8 b - - 40 60",
    };
    fen.parse().expect("a good FEN")
}

/// Forty plies of moving to and fro, so that the scan for repetitions is as long as the clock allows.
fn game(name: &str) -> Game {
    let mut game = Game::new(position("quiet"));
    for text in ["f1e1", "f8e8", "e1f1", "e8f8"].repeat(10) {
        game.play(notation::parse_uci(game.position(), text).expect("a legal move"));
    }
    if name == "quiet" { game } else { Game::new(position(name)) }
}

#[divan::bench(args = NAMES)]
fn generation(bencher: Bencher, name: &str) {
    let position = position(name);
    let mut moves = MoveList::new();
    bencher.bench_local(|| {
        moves.clear();
        black_box(&position).generate(clavier::board::Wanted::All, &mut moves);
        moves.len()
    });
}

#[divan::bench(args = NAMES)]
fn has_legal_move(bencher: Bencher, name: &str) {
    let position = position(name);
    bencher.bench_local(|| black_box(&position).has_legal_move());
}

/// With forty plies on the clock where the position is quiet.
#[divan::bench(args = NAMES)]
fn outcome(bencher: Bencher, name: &str) {
    let game = game(name);
    bencher.bench_local(|| black_box(&game).outcome());
}

#[divan::bench(args = NAMES)]
fn insufficient_material(bencher: Bencher, name: &str) {
    let position = position(name);
    bencher.bench_local(|| black_box(&position).has_insufficient_material());
}

/// The scan of forty plies for a position that has not occurred.
#[divan::bench]
fn repetitions(bencher: Bencher) {
    let game = game("quiet");
    bencher.bench_local(|| game::repetitions(black_box(1), 40, black_box(game.keys())).count());
}

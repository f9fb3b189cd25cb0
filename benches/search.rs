//! Time of the transposition table's operations, and of searches of a fixed number of nodes.

use clavier::game::Game;
use clavier::search::table::{Entry, Table};
use clavier::search::{Limits, Searcher, Silent};
use clavier::types::{Bound, Move, MoveKind, Score, Square};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Table sizes in MiB: inside the caches, and far beyond them.
const SIZES: [usize; 2] = [1, 256];
/// Keys asked for in one round, spread over the whole table.
const KEYS: u64 = 4096;
/// Nodes of one search.
const NODES: u64 = 20_000;

const FENS: [&str; 3] = [
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

fn keys() -> impl Iterator<Item = u64> {
    (1..=KEYS).map(|number| number.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

fn entry() -> Entry {
    Entry {
        best: Some(Move::new(Square::E2, Square::E4, MoveKind::DoubleStep)),
        score: Score(30),
        bound: Bound::Lower,
        depth: 7,
        eval: Some(Score(12)),
        was_pv: false,
    }
}

#[divan::bench(args = SIZES)]
fn table_store(bencher: Bencher, mb: usize) {
    let table = Table::new(mb).expect("the memory is there");
    bencher
        .counter(ItemsCount::new(KEYS))
        .bench_local(|| keys().for_each(|key| table.store(black_box(key), entry())));
}

#[divan::bench(args = SIZES)]
fn table_probe(bencher: Bencher, mb: usize) {
    let table = Table::new(mb).expect("the memory is there");
    keys().for_each(|key| table.store(key, entry()));
    bencher
        .counter(ItemsCount::new(KEYS))
        .bench_local(|| keys().filter(|&key| table.probe(black_box(key)).is_some()).count());
}

#[divan::bench(args = FENS, sample_count = 20)]
fn search_nodes(bencher: Bencher, fen: &str) {
    let game = Game::new(fen.parse().expect("a good FEN"));
    let mut searcher = Searcher::new(4);
    bencher.counter(ItemsCount::new(NODES)).bench_local(|| {
        searcher.new_game();
        searcher.search(black_box(&game), &Limits::nodes(NODES), &mut Silent).nodes
    });
}

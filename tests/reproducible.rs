//! The same search twice visits the same nodes.

use clavier::board::Position;
use clavier::game::Game;
use clavier::search::{Limits, Report, Searcher, Silent};

const FENS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

fn search(searcher: &mut Searcher, fen: &str, depth: u32) -> Report {
    let position: Position = fen.parse().unwrap();
    searcher.search(&Game::new(position), &Limits::depth(depth), &mut Silent)
}

#[test]
fn a_fresh_searcher_repeats_itself() {
    for fen in FENS {
        let one = search(&mut Searcher::new(2), fen, 9);
        let other = search(&mut Searcher::new(2), fen, 9);
        assert_eq!(
            (one.nodes, one.best, one.lines[0].score),
            (other.nodes, other.best, other.lines[0].score)
        );
    }
}

#[test]
fn a_new_game_forgets_the_one_before() {
    let mut searcher = Searcher::new(2);
    let first = search(&mut searcher, FENS[1], 9);
    search(&mut searcher, FENS[2], 9);
    searcher.new_game();
    assert_eq!(search(&mut searcher, FENS[1], 9).nodes, first.nodes);
}

#[test]
fn a_node_limit_is_kept_to_the_node() {
    let game = Game::new(FENS[1].parse().unwrap());
    let visited = |limits| Searcher::new(2).search(&game, &limits, &mut Silent).nodes;
    // Nothing stops the first iteration; the node after it sees that the limit is reached.
    let first = visited(Limits::depth(1)) + 1;
    for nodes in [2_000, 5_000, 12_345, 40_000] {
        let (found, limit) = (visited(Limits::nodes(nodes)), first.max(nodes));
        assert!(found <= limit && found + 5 >= limit, "{found} of {nodes}");
    }
}

#[test]
fn several_lines_are_different_and_sorted() {
    let game = Game::new(FENS[1].parse().unwrap());
    let mut searcher = Searcher::new(2);
    searcher.settings().multipv = 5;
    let report = searcher.search(&game, &Limits::depth(7), &mut Silent);
    assert_eq!(report.lines.len(), 5);
    assert!(
        report.lines.windows(2).all(|pair| pair[0].score >= pair[1].score && pair[0].pv[0] != pair[1].pv[0])
    );
}

/// Vector code of board and network changes the speed, never what is searched.
#[test]
fn every_kind_of_vector_code_searches_the_same_nodes() {
    let nodes = |backend: &str| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_clavier"))
            .args(["bench", "4", "--json"])
            .env("CLAVIER_BACKEND", backend)
            .output()
            .unwrap();
        // Without these instructions the processor's owner is told so.
        (output.status.code() != Some(2)).then(|| {
            let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            record["nodes"].as_u64().unwrap()
        })
    };
    let usual = nodes("scalar").expect("every processor can do without");
    assert!(["avx2", "avx512"].into_iter().filter_map(nodes).all(|nodes| nodes == usual));
}

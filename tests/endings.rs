//! Won endings without pawns are won, without tables, within the fifty-move rule.

use clavier::game::Game;
use clavier::search::{Limits, Searcher, Silent};

/// Plays both sides with so many nodes a move until the game ends; who is to move first must mate.
fn mates(fen: &str, nodes: u64) {
    let mut game = Game::new(fen.parse().unwrap());
    let mut searcher = Searcher::new(4);
    let mut plies = 0;
    while game.outcome().is_none() {
        let report = searcher.search(&game, &Limits::nodes(nodes), &mut Silent);
        game.play(report.best.expect("the game goes on"));
        plies += 1;
    }
    assert!(game.position().is_checkmate() && plies % 2 == 1, "{:?} after {plies} plies", game.outcome());
}

#[test]
fn a_queen_mates_a_lone_king() {
    mates("8/8/8/3k4/8/8/8/Q3K3 w - - 0 1", 2000);
}

#[test]
fn a_rook_mates_a_lone_king() {
    mates("8/8/8/3k4/8/8/8/R3K3 w - - 0 1", 5000);
    mates("8/8/8/r2k4/8/8/8/4K3 b - - 0 1", 5000);
}

#[test]
fn two_bishops_mate_a_lone_king() {
    mates("8/8/8/3k4/8/8/8/2B1KB2 w - - 0 1", 5000);
}

/// The hardest of the basic mates. It takes some ten million nodes, so a build without optimization plays one game.
#[test]
fn bishop_and_knight_mate_a_lone_king() {
    let all = [
        "8/8/8/4k3/8/8/8/KBN5 w - - 0 1",
        "6k1/8/8/8/8/8/1B6/KN6 w - - 0 1",
        "8/8/3k4/8/8/8/2B5/K1N5 w - - 0 1",
    ];
    let played = if cfg!(debug_assertions) { &all[..1] } else { &all[..] };
    for fen in played {
        mates(fen, if cfg!(debug_assertions) { 20_000 } else { 100_000 });
    }
}

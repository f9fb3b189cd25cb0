//! Draws by rule are known to the search, and the side that needs one finds it.

use clavier::board::Outcome;
use clavier::board::notation::{format_uci, parse_uci};
use clavier::game::Game;
use clavier::search::{Limits, Report, Searcher, Silent};
use clavier::types::Score;

fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(fen.parse().unwrap());
    for text in moves.split_whitespace() {
        game.play(parse_uci(game.position(), text).unwrap());
    }
    game
}

fn search(game: &Game, depth: u32) -> Report {
    Searcher::new(8).search(game, &Limits::depth(depth), &mut Silent)
}

fn best(game: &Game, report: &Report) -> String {
    format_uci(game.position(), report.best.expect("the root has moves"), false)
}

/// White is lost but for checks without end from g5, d8 and f6.
const PERPETUAL: &str = "6k1/5p1p/8/8/5Q2/7P/qrr2PP1/7K w - - 0 1";

#[test]
fn the_side_that_needs_a_perpetual_check_finds_it() {
    let game = game(PERPETUAL, "");
    let report = search(&game, 10);
    assert_eq!(report.lines[0].score, Score::DRAW);
    assert!(["f4g5", "f4b8", "f4g4"].contains(&best(&game, &report).as_str()), "{report:?}");
}

#[test]
fn a_perpetual_check_is_kept_up_until_the_draw() {
    let mut game = game(PERPETUAL, "");
    let mut searcher = Searcher::new(8);
    for _ in 0..40 {
        if game.outcome().is_some() {
            break;
        }
        let report = searcher.search(&game, &Limits::depth(8), &mut Silent);
        game.play(report.best.unwrap());
    }
    assert_eq!(game.outcome().map(Outcome::name), Some("threefold"));
}

#[test]
fn the_better_side_avoids_a_third_repetition() {
    // White is a queen up; going back to h1 a third time would be a draw.
    let game = game("7k/8/8/8/8/Q7/8/7K w - - 0 1", "h1g1 h8g8 g1h1 g8h8 h1g1 h8g8");
    let report = search(&game, 6);
    assert_ne!(best(&game, &report), "g1h1");
    assert!(report.lines[0].score > Score(300));
}

#[test]
fn mate_comes_before_the_fifty_move_draw() {
    let game = game("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "");
    let report = search(&game, 4);
    assert_eq!(report.lines[0].score.moves_to_mate(), Some(1));
}

#[test]
fn a_win_that_comes_after_the_fifty_move_draw_is_none() {
    // Mate takes two moves, the draw comes after one ply.
    let game = game("7k/8/8/8/8/8/R7/1R4K1 w - - 99 80", "");
    let report = search(&game, 8);
    assert_eq!(report.lines[0].score, Score::DRAW);
}

#[test]
fn a_last_pawn_that_is_taken_leaves_a_draw() {
    // The king takes the pawn, and a bishop alone cannot win.
    let game = game("8/8/8/8/4k3/8/6p1/2B1K3 w - - 0 1", "");
    let report = search(&game, 8);
    assert_eq!(report.lines[0].score, Score::DRAW, "{report:?}");
}

#[test]
fn stalemate_saves_the_weaker_side() {
    // Black gives his rook on g1, White has to take it, and Black has no move.
    let game = game("k5r1/2Q5/8/8/8/8/7P/7K b - - 0 1", "");
    let report = search(&game, 10);
    assert_eq!(report.lines[0].score, Score::DRAW, "{report:?}");
}

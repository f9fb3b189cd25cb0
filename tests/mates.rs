//! Forced mates are found, told as mates of the right length, with a complete line.

use clavier::game::Game;
use clavier::search::{Limits, Searcher, Silent};

/// A search to a depth tells mate in so many moves, and its line ends with it.
macro_rules! mates {
    ($($name:ident: $fen:expr, depth $depth:expr => $moves:expr;)*) => {$(
        #[test]
        fn $name() {
            let mut game = Game::new($fen.parse().unwrap());
            let report = Searcher::new(4).search(&game, &Limits::depth($depth), &mut Silent);
            let best = &report.lines[0];
            assert_eq!(best.score.moves_to_mate(), Some($moves), "{best:?}");
            let plies: i32 = if $moves > 0 { 2 * $moves - 1 } else { -2 * $moves };
            assert_eq!(best.pv.len(), plies as usize, "{best:?}");
            for &m in &best.pv {
                assert!(game.position().is_legal(m));
                game.play(m);
            }
            assert!(game.position().is_checkmate());
        }
    )*};
}

mates! {
    a_back_rank_mate: "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", depth 3 => 1;
    a_smothered_mate: "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", depth 3 => 1;
    // Rook and king drive the lone king to the edge.
    two_rooks_mate_in_two: "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", depth 8 => 2;
    // Each rook takes a rank from the king in turn; one has to step aside when he comes too near.
    two_rooks_mate_in_four: "8/4k3/8/8/8/8/R7/1R2K3 w - - 0 1", depth 14 => 4;
    // Philidor's legacy: the queen is given for the knight's mate.
    the_queen_is_given_for_a_smothered_mate: "r6k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1", depth 8 => 2;
}

#[test]
fn being_mated_is_told_with_a_minus() {
    // Black has one move, and after it the rook mates on the back rank.
    let game = Game::new("7k/R7/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap());
    let report = Searcher::new(4).search(&game, &Limits::depth(6), &mut Silent);
    assert_eq!(report.lines[0].score.moves_to_mate(), Some(-1));
    assert_eq!(report.lines[0].pv.len(), 2);
}

#[test]
fn a_finished_root_has_no_move() {
    for fen in ["7k/8/5KQ1/8/8/8/8/8 b - - 0 1", "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"] {
        let game = Game::new(fen.parse().unwrap());
        let report = Searcher::new(1).search(&game, &Limits::depth(4), &mut Silent);
        assert_eq!(report.best, None);
    }
}

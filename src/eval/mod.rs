//! Layer 3: the value of a position without looking ahead, and what a value means.

mod bootstrap;

use crate::board::{Delta, Position};
use crate::types::Score;

/// The evaluation that a search keeps along its line: it hears of every move and may work incrementally.
#[derive(Clone, Debug, Default)]
pub struct Evaluator;

impl Evaluator {
    /// An evaluator that knows no position yet.
    pub fn new() -> Evaluator {
        Evaluator
    }

    /// Starts from a position.
    pub fn reset(&mut self, _: &Position) {}

    /// A move was made that changed so much on the board.
    #[inline]
    pub fn push(&mut self, _: &Delta) {}

    /// The last move was taken back.
    #[inline]
    pub fn pop(&mut self) {}

    /// Value of the position after all moves made, for its side to move: never in the range of proven
    /// results, and fading while the fifty-move draw comes nearer.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        fade(bootstrap::evaluate(position), position).clamp_eval()
    }
}

/// Value of a position, for its side to move.
pub fn evaluate(position: &Position) -> Score {
    let mut evaluator = Evaluator::new();
    evaluator.reset(position);
    evaluator.evaluate(position)
}

/// An advantage that makes no progress is worth less and less.
fn fade(score: Score, position: &Position) -> Score {
    const SPAN: i32 = 200;
    Score(score.0 * (SPAN - position.halfmoves().min(100) as i32) / SPAN)
}

/// The score in centipawns as users read them: +100 means a chance of 50 % to win.
/// Proven results must be told apart before.
pub fn to_centipawns(score: Score, _: &Position) -> i32 {
    score.0
}

/// Chances of win, draw and loss for the side to move, in permill.
pub fn wdl(score: Score, _: &Position) -> [u32; 3] {
    /// Centipawns by which the odds of a win grow e-fold.
    const SLOPE: f64 = 90.0;
    /// Centipawns at which half of the games are won.
    const EVEN: f64 = 100.0;
    let chance = |score: i32| 1000.0 / (1.0 + ((EVEN - f64::from(score)) / SLOPE).exp());
    let (win, loss) = (chance(score.0).round() as u32, chance(-score.0).round() as u32);
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_treated_alike() {
        let white: Position =
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse().unwrap();
        let black: Position =
            "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1".parse().unwrap();
        assert_eq!(evaluate(&white), evaluate(&black));
    }

    #[test]
    fn an_advantage_fades_towards_the_fifty_move_draw() {
        let fresh: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
        let stale: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 90 60".parse().unwrap();
        assert!(evaluate(&fresh) > evaluate(&stale) && evaluate(&stale) > Score(0));
    }

    #[test]
    fn chances_add_up() {
        let start = Position::start();
        for score in [-3000, -100, 0, 37, 100, 3000] {
            assert_eq!(wdl(Score(score), &start).iter().sum::<u32>(), 1000);
        }
    }
}

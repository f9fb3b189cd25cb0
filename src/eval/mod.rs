//! Layer 3: the value of a position without looking ahead, and what a value means.

mod appraisal;
pub mod chances;
mod mop_up;

pub use appraisal::Appraisal;
pub use chances::{from_centipawns, to_centipawns, wdl};

use crate::board::{Delta, Position};
use crate::nnue::{Accumulators, Network};
use crate::types::Score;
use std::sync::Arc;

/// The evaluation that a search keeps along its line: it hears of every move and works incrementally.
pub struct Evaluator {
    accumulators: Accumulators,
}

impl Evaluator {
    /// An evaluator by the embedded network at the initial position.
    pub fn new() -> Evaluator {
        Evaluator { accumulators: Accumulators::new(Network::embedded(), &Position::start()) }
    }

    /// Starts from a position, with a network.
    pub fn reset(&mut self, position: &Position, network: &Arc<Network>) {
        if Arc::ptr_eq(self.accumulators.network(), network) {
            self.accumulators.reset(position);
        } else {
            self.accumulators = Accumulators::new(Arc::clone(network), position);
        }
    }

    /// A move was made that changed so much on the board.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        self.accumulators.push(delta);
    }

    /// The last move was taken back.
    #[inline]
    pub fn pop(&mut self) {
        self.accumulators.pop();
    }

    /// Value of the position after all moves made, for its side to move: never in the range of proven
    /// results, and fading while the fifty-move draw comes nearer.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        mop_up::mop_up(position).unwrap_or_else(|| settle(self.accumulators.evaluate(position), position))
    }
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

/// Value of a position, for its side to move.
pub fn evaluate(position: &Position, network: &Network) -> Score {
    mop_up::mop_up(position).unwrap_or_else(|| settle(network.evaluate(position), position))
}

/// The network's value as an evaluation: out of the range of proven results first, so that fading cannot overflow.
#[inline]
fn settle(value: i32, position: &Position) -> Score {
    fade(Score(value).clamp_eval(), position)
}

/// An advantage that makes no progress is worth less and less.
fn fade(score: Score, position: &Position) -> Score {
    const SPAN: i32 = 200;
    Score(score.0 * (SPAN - position.halfmoves().min(100) as i32) / SPAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Architecture;

    #[test]
    fn an_advantage_fades_towards_the_fifty_move_draw() {
        let network = Network::embedded();
        let fresh: Position = "4k3/p7/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
        let stale: Position = "4k3/p7/8/8/8/8/8/R3K3 w - - 90 60".parse().unwrap();
        assert!(evaluate(&fresh, &network) > evaluate(&stale, &network));
        assert!(evaluate(&stale, &network) > Score(0));
    }

    #[test]
    fn no_network_evaluates_like_a_proven_result() {
        let shape = Architecture { hidden: 32, mirrored: false, buckets: 1 };
        let position: Position = "4k3/p7/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
        for (bias, sign) in [(i32::MAX / 2, 1), (i32::MIN / 2, -1)] {
            let mut weights = Network::random(shape, 1).unwrap().weights();
            weights.output_bias = vec![bias];
            let network = Arc::new(Network::new(shape, 4000, "loud", &weights).unwrap());
            let mut evaluator = Evaluator::new();
            evaluator.reset(&position, &network);
            let score = evaluate(&position, &network);
            assert_eq!(score.0.signum(), sign);
            assert!(!score.is_decided(), "{score:?}");
            assert_eq!(evaluator.evaluate(&position), score);
        }
    }
}

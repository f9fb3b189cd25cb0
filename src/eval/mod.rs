//! Layer 3: the value of a position without looking ahead, and what a value means.

mod appraisal;
pub mod chances;

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
        fade(Score(self.accumulators.evaluate(position)), position).clamp_eval()
    }
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

/// Value of a position, for its side to move.
pub fn evaluate(position: &Position, network: &Network) -> Score {
    fade(Score(network.evaluate(position)), position).clamp_eval()
}

/// An advantage that makes no progress is worth less and less.
fn fade(score: Score, position: &Position) -> Score {
    const SPAN: i32 = 200;
    Score(score.0 * (SPAN - position.halfmoves().min(100) as i32) / SPAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advantage_fades_towards_the_fifty_move_draw() {
        let network = Network::embedded();
        let fresh: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
        let stale: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 90 60".parse().unwrap();
        assert!(evaluate(&fresh, &network) > evaluate(&stale, &network));
        assert!(evaluate(&stale, &network) > Score(0));
    }
}

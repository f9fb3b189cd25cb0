//! Layer 3: the value of a position without looking ahead, and what a value means.

mod bootstrap;
pub mod chances;

pub use chances::{from_centipawns, to_centipawns, wdl};

use crate::board::{Delta, Position};
use crate::nnue::{Accumulators, Network};
use crate::types::Score;
use std::sync::Arc;

/// The evaluation that a search keeps along its line: it hears of every move and works incrementally.
/// Without a network the bootstrap evaluation serves.
#[derive(Default)]
pub struct Evaluator {
    accumulators: Option<Accumulators>,
}

impl Evaluator {
    /// An evaluator that knows no position yet.
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// Starts from a position, with a network.
    pub fn reset(&mut self, position: &Position, network: Option<&Arc<Network>>) {
        self.accumulators = match (self.accumulators.take(), network) {
            (_, None) => None,
            (Some(mut known), Some(network)) if Arc::ptr_eq(known.network(), network) => {
                known.reset(position);
                Some(known)
            }
            (_, Some(network)) => Some(Accumulators::new(Arc::clone(network), position)),
        };
    }

    /// A move was made that changed so much on the board.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.push(delta);
        }
    }

    /// The last move was taken back.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.pop();
        }
    }

    /// Value of the position after all moves made, for its side to move: never in the range of proven
    /// results, and fading while the fifty-move draw comes nearer.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let score = match &mut self.accumulators {
            Some(accumulators) => Score(accumulators.evaluate(position)),
            None => bootstrap::evaluate(position),
        };
        fade(score, position).clamp_eval()
    }
}

/// Value of a position, for its side to move.
pub fn evaluate(position: &Position, network: Option<&Arc<Network>>) -> Score {
    let score =
        network.map_or_else(|| bootstrap::evaluate(position), |network| Score(network.evaluate(position)));
    fade(score, position).clamp_eval()
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
    fn colors_are_treated_alike() {
        let white: Position =
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse().unwrap();
        let black: Position =
            "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1".parse().unwrap();
        assert_eq!(evaluate(&white, None), evaluate(&black, None));
    }

    #[test]
    fn an_advantage_fades_towards_the_fifty_move_draw() {
        let fresh: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
        let stale: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 90 60".parse().unwrap();
        assert!(evaluate(&fresh, None) > evaluate(&stale, None) && evaluate(&stale, None) > Score(0));
    }
}

//! What each man is worth to the network: the value with him less the value without him.

use super::features::men;
use super::network::Network;
use crate::board::Position;
use crate::types::{Color, Piece, PieceKind, Square};

/// What one man adds to the value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contribution {
    /// The man.
    pub piece: Piece,
    /// Where he stands.
    pub square: Square,
    /// By how much White's value sinks when he is taken off, in internal units: negative for most black men.
    pub value: i32,
}

impl Network {
    /// The contribution of each man but the kings, without whom there is no position.
    ///
    /// ```
    /// use clavier::board::Position;
    /// use clavier::nnue::{Architecture, Network};
    /// let shape = Architecture { hidden: 32, mirrored: false, buckets: 1 };
    /// let network = Network::random(shape, 1).unwrap();
    /// assert_eq!(network.contributions(&Position::start()).len(), 30);
    /// ```
    pub fn contributions(&self, position: &Position) -> Vec<Contribution> {
        let whole = self.white_value(position, None);
        men(position)
            .filter(|(piece, _)| piece.kind != PieceKind::King)
            .map(|(piece, square)| Contribution {
                piece,
                square,
                value: whole - self.white_value(position, Some(square)),
            })
            .collect()
    }

    /// White's value of the position with the side to move as it is, perhaps without one man.
    fn white_value(&self, position: &Position, missing: Option<Square>) -> i32 {
        let us = position.side_to_move();
        let [ours, theirs] = [us, !us].map(|color| {
            let view = self.view(position, color);
            let others = men(position).filter(|&(_, square)| Some(square) != missing);
            others.map(|(piece, square)| view.input(piece, square)).collect::<Vec<_>>()
        });
        let value = self.evaluate_inputs(&ours, &theirs);
        if us == Color::White { value } else { -value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Architecture;

    #[test]
    fn a_contribution_is_the_difference_that_taking_the_man_off_makes() {
        let shape = Architecture { hidden: 64, mirrored: true, buckets: 8 };
        let network = Network::random(shape, 9).unwrap();
        // The a-pawn's contribution can be computed from a position without it. Black to move.
        let position: Position = "4k3/2p5/8/8/8/8/P4N2/4K3 b - - 0 1".parse().unwrap();
        let without: Position = "4k3/2p5/8/8/8/8/5N2/4K3 b - - 0 1".parse().unwrap();
        let contributions = network.contributions(&position);
        assert_eq!(contributions.len(), 3);
        let pawn = contributions.iter().find(|found| found.square == Square::A2).unwrap();
        assert_eq!(pawn.value, network.evaluate(&without) - network.evaluate(&position));
    }
}

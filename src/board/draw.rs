//! The ends of a game that one position shows, one function per rule, and their names.
//! Article numbers are those of the FIDE Laws of Chess of 2023. Rules that need the game's history are in
//! [`crate::game`].

use super::{Position, man};
use crate::types::Color;

/// How a game stands, by the first rule that holds in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Outcome {
    /// The side to move is in check without a legal move: it has lost (5.1.1).
    Checkmate,
    /// The side to move has no legal move and is not in check: a draw (5.2.1).
    Stalemate,
    /// Neither side can mate: a draw (5.2.2, in the form that programs use).
    Insufficient,
    /// 75 moves by each side without capture or pawn move: a draw (9.6.2).
    SeventyFive,
    /// The position has occurred five times: a draw (9.6.1).
    Fivefold,
    /// 50 moves by each side without capture or pawn move: a draw may be claimed (9.3).
    Fifty,
    /// The position has occurred three times: a draw may be claimed (9.2).
    Threefold,
}

impl Outcome {
    /// The name used in records.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Checkmate => "checkmate",
            Outcome::Stalemate => "stalemate",
            Outcome::Insufficient => "insufficient",
            Outcome::SeventyFive => "seventyfive",
            Outcome::Fivefold => "fivefold",
            Outcome::Fifty => "fifty",
            Outcome::Threefold => "threefold",
        }
    }
}

/// Plies without capture or pawn move after which a draw may be claimed.
pub const FIFTY_MOVES: u32 = 100;
/// Plies without capture or pawn move after which the game is drawn.
pub const SEVENTY_FIVE_MOVES: u32 = 150;

impl Position {
    /// Checkmate (5.1.1).
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Stalemate (5.2.1).
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_move()
    }

    /// Neither side has material to mate with: lone kings, a single minor piece, or bishops that all run on
    /// squares of one color (5.2.2).
    ///
    /// ```
    /// use clavier::board::Position;
    /// let bishops: Position = "4k3/8/8/2b5/8/4B3/8/4K3 w - - 0 1".parse().unwrap();
    /// assert!(bishops.has_insufficient_material());
    /// ```
    pub fn has_insufficient_material(&self) -> bool {
        let kinds = self.kinds.as_flattened();
        let everything = kinds.iter().fold(0, |all, &kind| all | kind);
        if everything & (man::PAWN | man::ROOK) != 0 {
            return false;
        }
        match self.men_count() {
            ..=3 => true,
            _ => everything & man::KNIGHT == 0 && self.bishops_share_a_color(),
        }
    }

    fn bishops_share_a_color(&self) -> bool {
        let mut bishops = Color::BOTH
            .into_iter()
            .flat_map(|color| self.men(color))
            .filter(|(kind, _)| *kind == crate::types::PieceKind::Bishop)
            .map(|(_, square)| square.is_light());
        let first = bishops.next();
        bishops.all(|is_light| Some(is_light) == first)
    }

    /// A draw may be claimed by the fifty-move rule (9.3), unless it is mate.
    #[inline]
    pub fn is_fifty_moves(&self) -> bool {
        u32::from(self.halfmoves) >= FIFTY_MOVES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insufficient(fen: &str) -> bool {
        fen.parse::<Position>().unwrap().has_insufficient_material()
    }

    #[test]
    fn material_that_cannot_mate_is_known() {
        assert!(insufficient("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
        assert!(insufficient("4k3/8/8/8/8/8/8/4KN2 w - - 0 1"));
        assert!(insufficient("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1"));
        assert!(!insufficient("4k1b1/8/8/8/8/8/8/2B1K3 w - - 0 1")); // f8-c1 share no color with g8
        assert!(!insufficient("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1"));
        assert!(!insufficient("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
    }
}

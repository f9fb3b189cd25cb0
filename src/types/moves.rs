//! Moves in 16 bits.

use super::{PieceKind, Square};
use std::fmt;
use std::num::NonZeroU16;

/// A move as 16 bits: `from << 8 | to`, with the kind of move in the four 0x88 bits that squares never use.
///
/// Castling is "king takes own rook". A move knows neither the piece that moves nor whether it captures;
/// the position does. a1a1 cannot be expressed, so that `Option<Move>` takes two bytes as well.
///
/// ```
/// use clavier::types::{Move, MoveKind, PieceKind, Square};
/// let push = Move::new(Square::E2, Square::E4, MoveKind::DoubleStep);
/// assert_eq!((push.from(), push.to()), (Square::E2, Square::E4));
/// assert_eq!(push.promotion(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

/// What is special about a move. The value is the flag in the move's four 0x88 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum MoveKind {
    /// A plain move or capture.
    Plain = 0,
    /// A pawn's first move of two squares.
    DoubleStep = 0x0008,
    /// A pawn captures the pawn that has just passed it.
    EnPassant = 0x0080,
    /// Castling; the target square is that of the rook.
    Castling = 0x0088,
    /// A pawn becomes a knight.
    PromoteKnight = 0x8000,
    /// A pawn becomes a bishop.
    PromoteBishop = 0x8008,
    /// A pawn becomes a rook.
    PromoteRook = 0x8080,
    /// A pawn becomes a queen.
    PromoteQueen = 0x8088,
}

/// The four bits that squares never use.
const FLAGS: u16 = 0x8888;
/// Set in the flag of all four promotions.
const PROMOTION: u16 = 0x8000;

impl Move {
    /// A move from one square to another one.
    ///
    /// # Panics
    /// If both squares are a1 and the kind is plain.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let bits = (from.to_0x88() as u16) << 8 | to.to_0x88() as u16 | kind as u16;
        Move(NonZeroU16::new(bits).expect("a move leads to another square"))
    }

    /// The move, or none where both squares are a1 and the kind is plain.
    #[inline]
    pub(crate) const fn new_checked(from: Square, to: Square, kind: MoveKind) -> Option<Move> {
        Move::from_bits((from.to_0x88() as u16) << 8 | to.to_0x88() as u16 | kind as u16)
    }

    /// The move with these bits, none for 0. The bits may describe no legal move in any position,
    /// and flags that no move carries read as plain: ask [`crate::board::Position::is_legal`].
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// The 16 bits.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Where the moving piece stands.
    #[inline]
    pub const fn from(self) -> Square {
        Square::known((self.0.get() >> 8 & 0x77) as u8)
    }

    /// Where it goes; in castling the square of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::known((self.0.get() & 0x77) as u8)
    }

    /// The four flag bits.
    #[inline]
    pub(crate) const fn flag(self) -> u16 {
        self.0.get() & FLAGS
    }

    /// What is special about the move.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.flag() {
            0x0008 => MoveKind::DoubleStep,
            0x0080 => MoveKind::EnPassant,
            0x0088 => MoveKind::Castling,
            0x8000 => MoveKind::PromoteKnight,
            0x8008 => MoveKind::PromoteBishop,
            0x8080 => MoveKind::PromoteRook,
            0x8088 => MoveKind::PromoteQueen,
            _ => MoveKind::Plain,
        }
    }

    /// The kind of piece that a promoted pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<PieceKind> {
        match self.kind() {
            MoveKind::PromoteKnight => Some(PieceKind::Knight),
            MoveKind::PromoteBishop => Some(PieceKind::Bishop),
            MoveKind::PromoteRook => Some(PieceKind::Rook),
            MoveKind::PromoteQueen => Some(PieceKind::Queen),
            _ => None,
        }
    }

    /// Does a pawn become a piece?
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() & PROMOTION != 0
    }

    /// Is it castling?
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.flag() == MoveKind::Castling as u16
    }

    /// Is it a capture en passant?
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.flag() == MoveKind::EnPassant as u16
    }

    /// Number of the pair of squares in 0..4096, for tables.
    #[inline]
    pub const fn from_to_index(self) -> usize {
        self.from().dense() << 6 | self.to().dense()
    }
}

impl MoveKind {
    /// The promotion to a kind of piece.
    ///
    /// # Panics
    /// If a pawn cannot become such a piece.
    pub const fn promotion(kind: PieceKind) -> MoveKind {
        match kind {
            PieceKind::Knight => MoveKind::PromoteKnight,
            PieceKind::Bishop => MoveKind::PromoteBishop,
            PieceKind::Rook => MoveKind::PromoteRook,
            PieceKind::Queen => MoveKind::PromoteQueen,
            PieceKind::Pawn | PieceKind::King => panic!("pawns become knights, bishops, rooks or queens"),
        }
    }
}

/// The move as the engine sees it (castling as king takes rook); text for users comes from
/// [`crate::board::notation`].
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(f, "{}", kind.letter()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_survives_beside_the_squares() {
        for kind in [
            MoveKind::Plain,
            MoveKind::DoubleStep,
            MoveKind::EnPassant,
            MoveKind::Castling,
            MoveKind::PromoteKnight,
            MoveKind::PromoteBishop,
            MoveKind::PromoteRook,
            MoveKind::PromoteQueen,
        ] {
            let m = Move::new(Square::H7, Square::H8, kind);
            assert_eq!((m.from(), m.to(), m.kind()), (Square::H7, Square::H8, kind));
        }
    }

    #[test]
    fn an_optional_move_takes_two_bytes() {
        assert_eq!(size_of::<Option<Move>>(), 2);
    }
}

//! Inputs of the network: which man stands where, as each side sees it.
//!
//! A side sees its own men first and its own back rank as the first rank, so that one set of weights serves
//! both colors. In a mirrored architecture it also sees its king on the files a to d: with the king on the
//! other wing all files are swapped.

use crate::board::Position;
use crate::types::{Color, Piece, PieceKind, Square};

/// Number of inputs: 2 sides, 6 kinds, 64 squares.
pub const INPUTS: usize = 2 * KINDS * SQUARES;
/// Most men that stand on a board, and so most inputs that are on.
pub const MAX_MEN: usize = 32;
/// The bits of a dense square number that tell its file.
pub(crate) const FILE_BITS: usize = 7;
/// The bits of a dense square number that tell its rank.
pub(crate) const RANK_BITS: usize = 56;

const KINDS: usize = 6;
const SQUARES: usize = 64;

/// Inputs of one side's men.
const SIDE: u16 = (KINDS * SQUARES) as u16;

/// One side's way of looking at the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    color: Color,
    /// What to apply to a dense square number, or to the square in an input.
    xor: u16,
}

impl View {
    /// The view of a side whose king stands on this square.
    #[inline]
    pub fn new(color: Color, king: Square, mirrored: bool) -> View {
        let rank = if color == Color::Black { RANK_BITS } else { 0 };
        let file = if mirrored && is_mirrored(king) { FILE_BITS } else { 0 };
        View { color, xor: (rank | file) as u16 }
    }

    /// The input that this man on this square turns on, below [`INPUTS`].
    ///
    /// ```
    /// use clavier::nnue::View;
    /// use clavier::types::{Color, Piece, Square};
    /// let white = View::new(Color::White, Square::E1, false);
    /// let black = View::new(Color::Black, Square::E8, false);
    /// let pawn = |letter| Piece::from_letter(letter).unwrap();
    /// assert_eq!(white.input(pawn('P'), Square::E2), black.input(pawn('p'), Square::E7));
    /// ```
    #[inline]
    pub fn input(self, piece: Piece, square: Square) -> u16 {
        self.turn(plain_input(piece, square))
    }

    /// The inputs that a position turns on.
    #[inline]
    pub fn inputs(self, position: &Position) -> impl Iterator<Item = u16> + '_ {
        men(position).map(move |(piece, square)| self.input(piece, square))
    }

    /// This view's input for a plain one.
    #[inline]
    pub(crate) fn turn(self, plain: u16) -> u16 {
        let own = match self.color {
            Color::White => plain,
            Color::Black if plain < SIDE => plain + SIDE,
            Color::Black => plain - SIDE,
        };
        own ^ self.xor
    }
}

/// All men on the board.
#[inline]
pub(crate) fn men(position: &Position) -> impl Iterator<Item = (Piece, Square)> + '_ {
    let side = |color| position.men(color).map(move |(kind, square)| (Piece::new(color, kind), square));
    Color::BOTH.into_iter().flat_map(side)
}

/// The input that a man turns on as White sees him without mirroring; [`View::turn`] makes it any view's.
#[inline]
pub(crate) fn plain_input(piece: Piece, square: Square) -> u16 {
    input(piece.color == Color::Black, piece.kind, square.dense()) as u16
}

/// Does a mirrored architecture swap the files for a king on this square?
#[inline]
pub fn is_mirrored(king: Square) -> bool {
    king.file() >= 4
}

/// The input of an own or enemy man on a dense square, already turned to the side's view.
#[inline]
pub fn input(enemy: bool, kind: PieceKind, square: usize) -> usize {
    (usize::from(enemy) * KINDS + kind as usize) * SQUARES + (square & 63)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_man_on_every_square_has_an_input_of_its_own() {
        let view = View::new(Color::Black, Square::E8, false);
        let mut seen = [false; INPUTS];
        for color in Color::BOTH {
            for kind in PieceKind::ALL {
                for square in Square::all() {
                    let input = view.input(Piece::new(color, kind), square);
                    assert!(!std::mem::replace(&mut seen[usize::from(input)], true));
                }
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
    }

    #[test]
    fn a_mirrored_view_takes_both_wings_for_one() {
        let rook = Piece::from_letter('R').unwrap();
        let short = View::new(Color::White, Square::G1, true);
        let long = View::new(Color::White, Square::B1, true);
        assert_eq!(short.input(rook, Square::H1), long.input(rook, Square::A1));
    }
}

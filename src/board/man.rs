//! The byte in a cell of the board: what stands there, made for single-AND questions.
//!
//! | bits | meaning |
//! |---|---|
//! | `0x01 0x02 0x04 0x08 0x10` | pawn, knight, bishop, rook, king; a queen is bishop and rook |
//! | `0x40`, `0x80` | White's, Black's |
//!
//! An empty cell is 0. These bytes stay inside `board`; everybody else sees [`Piece`].

use crate::types::{Color, Piece, PieceKind};

pub(crate) const PAWN: u8 = 0x01;
pub(crate) const KNIGHT: u8 = 0x02;
pub(crate) const BISHOP: u8 = 0x04;
pub(crate) const ROOK: u8 = 0x08;
pub(crate) const QUEEN: u8 = BISHOP | ROOK;
pub(crate) const KING: u8 = 0x10;

/// The bits that tell the kind.
pub(crate) const KIND: u8 = 0x1F;
/// The bit of each color.
pub(crate) const COLOR: [u8; 2] = [0x40, 0x80];

/// Bits of a kind of piece.
#[inline]
pub(crate) const fn bits_of(kind: PieceKind) -> u8 {
    [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING][kind as usize]
}

/// The kind that these bits (of a kind that exists) stand for.
#[inline]
pub(crate) const fn kind_of(bits: u8) -> PieceKind {
    const KINDS: [PieceKind; 32] = {
        let mut kinds = [PieceKind::Pawn; 32];
        let mut index = 0;
        while index < 6 {
            let kind = PieceKind::ALL[index];
            kinds[bits_of(kind) as usize] = kind;
            index += 1;
        }
        kinds
    };
    KINDS[(bits & KIND) as usize]
}

/// The byte of a piece.
#[inline]
pub(crate) const fn of(piece: Piece) -> u8 {
    bits_of(piece.kind) | COLOR[piece.color as usize]
}

/// Color of a man's byte.
#[inline]
pub(crate) const fn color_of(man: u8) -> Color {
    if man & COLOR[0] != 0 { Color::White } else { Color::Black }
}

/// The piece that a byte stands for, none for an empty cell.
#[inline]
pub(crate) const fn piece(man: u8) -> Option<Piece> {
    if man == 0 { None } else { Some(Piece::new(color_of(man), kind_of(man))) }
}

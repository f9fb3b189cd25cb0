//! Squares of the 0x88 board and the steps between them.

use std::fmt;
use std::str::FromStr;

/// A square of the board as a 0x88 index: rank in the high nibble, file in the low one.
///
/// A `Square` in hand is always on the board; arithmetic that may leave it goes through
/// [`Square::offset`], which asks the 0x88 question.
///
/// ```
/// use clavier::types::{Square, Step};
/// assert_eq!(Square::E4.to_string(), "e4");
/// assert_eq!(Square::E4.offset(Step::NORTH), Some(Square::E5));
/// assert_eq!(Square::H4.offset(Step::EAST), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// The bits that are zero in every square of the board and set in every index beside it.
pub const OFF_BOARD: u8 = 0x88;

macro_rules! squares {
    ($($name:ident)*) => {
        squares!(@consts 0u8; $($name)*);
    };
    (@consts $index:expr; $name:ident $($rest:ident)*) => {
        #[doc = concat!("The square ", stringify!($name), ".")]
        pub const $name: Square = Square::from_dense($index);
        squares!(@consts $index + 1; $($rest)*);
    };
    (@consts $index:expr;) => {};
}

impl Square {
    squares! {
        A1 B1 C1 D1 E1 F1 G1 H1 A2 B2 C2 D2 E2 F2 G2 H2 A3 B3 C3 D3 E3 F3 G3 H3 A4 B4 C4 D4 E4 F4 G4 H4
        A5 B5 C5 D5 E5 F5 G5 H5 A6 B6 C6 D6 E6 F6 G6 H6 A7 B7 C7 D7 E7 F7 G7 H7 A8 B8 C8 D8 E8 F8 G8 H8
    }

    /// The square on a file and a rank, both 0..8.
    ///
    /// # Panics
    /// If file or rank is 8 or more.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Square {
        assert!(file < 8 && rank < 8, "file and rank are below 8");
        Square(rank << 4 | file)
    }

    /// The square of a 0x88 index, or none beside the board.
    #[inline]
    pub const fn from_0x88(index: u8) -> Option<Square> {
        if index & OFF_BOARD == 0 { Some(Square(index)) } else { None }
    }

    /// The square of a 0x88 index known to be on the board.
    #[inline]
    pub(crate) const fn known(index: u8) -> Square {
        debug_assert!(index & OFF_BOARD == 0);
        Square(index & 0x77)
    }

    /// The square numbered 0..64 from a1 along the ranks to h8; higher numbers wrap.
    #[inline]
    pub const fn from_dense(dense: u8) -> Square {
        Square((dense & 0x38) << 1 | dense & 7)
    }

    /// Number of the square in 0..64, a1 = 0, b1 = 1, h8 = 63.
    #[inline]
    pub const fn dense(self) -> usize {
        ((self.0 >> 1 & 0x38) | self.0 & 7) as usize
    }

    /// The 0x88 index, as the compiler can prove below 0x78.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 0x77) as usize
    }

    /// The 0x88 index as a byte.
    #[inline]
    pub const fn to_0x88(self) -> u8 {
        self.0
    }

    /// File, 0 = a.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// Rank, 0 = first rank.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 4
    }

    /// The square one step away, or none beside the board.
    #[inline]
    pub const fn offset(self, step: Step) -> Option<Square> {
        Square::from_0x88(self.0.wrapping_add(step.0))
    }

    /// The same square seen from the other side of the board: e2 and e7.
    #[inline]
    pub const fn flip_rank(self) -> Square {
        Square(self.0 ^ 0x70)
    }

    /// The mirrored square on the other wing: a1 and h1.
    #[inline]
    pub const fn flip_file(self) -> Square {
        Square(self.0 ^ 0x07)
    }

    /// Is the square a light one?
    #[inline]
    pub const fn is_light(self) -> bool {
        (self.file() + self.rank()) % 2 == 1
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square::from_dense)
    }

    /// The squares from here along one direction to the edge, this one excluded.
    pub fn ray(self, step: Step) -> impl Iterator<Item = Square> {
        std::iter::successors(self.offset(step), move |square| square.offset(step))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, (b'1' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text names no square.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a square")]
pub struct SquareError(String);

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Square, SquareError> {
        match text.as_bytes() {
            &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square::new(file - b'a', rank - b'1')),
            _ => Err(SquareError(text.chars().take(20).collect())),
        }
    }
}

/// A wrapping distance between two 0x88 squares.
///
/// Differences of 0x88 squares are unique: `to - from` tells direction and length at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step(pub(crate) u8);

impl Step {
    /// One rank towards the eighth.
    pub const NORTH: Step = Step::new(16);
    /// One file towards h.
    pub const EAST: Step = Step::new(1);
    /// One rank towards the first.
    pub const SOUTH: Step = Step::new(-16);
    /// One file towards a.
    pub const WEST: Step = Step::new(-1);

    /// The eight directions of a queen, clockwise from north: even ones straight, odd ones diagonal.
    /// Direction `d ^ 4` is opposite to direction `d`.
    pub const COMPASS: [Step; 8] = [
        Step::new(16),
        Step::new(17),
        Step::new(1),
        Step::new(-15),
        Step::new(-16),
        Step::new(-17),
        Step::new(-1),
        Step::new(15),
    ];

    /// The eight jumps of a knight, clockwise from north-north-east.
    pub const JUMPS: [Step; 8] = [
        Step::new(33),
        Step::new(18),
        Step::new(-14),
        Step::new(-31),
        Step::new(-33),
        Step::new(-18),
        Step::new(14),
        Step::new(31),
    ];

    /// The step that adds `distance` to a 0x88 index.
    #[inline]
    pub const fn new(distance: i8) -> Step {
        Step(distance as u8)
    }

    /// The direction in which a color's pawns walk.
    #[inline]
    pub const fn forward(color: super::Color) -> Step {
        match color {
            super::Color::White => Step::NORTH,
            super::Color::Black => Step::SOUTH,
        }
    }

    /// The two steps with which a color's pawns capture, towards a and towards h.
    #[inline]
    pub const fn pawn_captures(color: super::Color) -> [Step; 2] {
        match color {
            super::Color::White => [Step::new(15), Step::new(17)],
            super::Color::Black => [Step::new(-17), Step::new(-15)],
        }
    }

    /// The step from one square to another, however far.
    #[inline]
    pub const fn between(from: Square, to: Square) -> Step {
        Step(to.0.wrapping_sub(from.0))
    }

    /// The same distance the other way.
    #[inline]
    pub const fn reversed(self) -> Step {
        Step(self.0.wrapping_neg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_numbers_and_squares_are_one_to_one() {
        for dense in 0..64 {
            assert_eq!(Square::from_dense(dense).dense(), dense as usize);
        }
    }

    #[test]
    fn every_square_reads_back_from_its_name() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        assert!("i1".parse::<Square>().is_err());
        assert!("a9".parse::<Square>().is_err());
        assert!("".parse::<Square>().is_err());
    }

    #[test]
    fn a_ray_ends_at_the_edge() {
        let diagonal: Vec<_> = Square::F6.ray(Step::COMPASS[1]).collect();
        assert_eq!(diagonal, [Square::G7, Square::H8]);
    }
}

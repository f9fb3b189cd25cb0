//! The men's shadow on the board, one bit a square: lines are looked along at once, not step by step.
//!
//! A rank of the 0x88 board is a word of eight cells; its shadow is a byte. From the eight bytes the men of
//! any line come out as one byte more, by a multiplication that moves each square of the line to the place of
//! its file or rank: <https://www.chessprogramming.org/Kindergarten_Bitboards>.

use super::{Position, man};
use crate::types::{Color, Square, Step};

/// A one in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// Gathers the lowest bits of the eight bytes in the highest byte, the first one lowest.
const GATHER: u64 = 0x0102_0408_1020_4080;

/// Where men stand, and where one's own men may land.
#[derive(Clone, Copy)]
pub(super) struct Shadow {
    /// Men of both colors, as bits numbered like [`Square::dense`].
    pub occupied: u64,
    /// All squares but those of one's own men.
    pub landing: u64,
}

impl Position {
    /// The eight cells of a rank, file a in the lowest byte.
    #[inline(always)]
    pub(super) fn row(&self, rank: u8) -> u64 {
        let start = (rank as usize & 7) << 4;
        u64::from_le_bytes(self.cells[start..start + 8].try_into().expect("a rank has eight cells"))
    }
}

/// A one in each byte of a row in which a man of the color stands.
#[inline(always)]
pub(super) const fn men_in(row: u64, color: Color) -> u64 {
    const LOWEST_COLOR_BIT: u32 = man::COLOR[0].trailing_zeros();
    row >> (LOWEST_COLOR_BIT + color as u32) & ONES
}

/// The bytes of a row with their ones gathered as bits.
#[inline(always)]
pub(super) const fn gathered(ones: u64) -> u64 {
    ones.wrapping_mul(GATHER) >> 56
}

/// The sum of the bytes of a word, which must be below 256.
#[inline(always)]
pub(super) const fn sum_of_bytes(word: u64) -> usize {
    (word.wrapping_mul(ONES) >> 56) as usize
}

impl Shadow {
    /// Number of squares on which a rook may land.
    #[inline(always)]
    pub fn straight_landings(&self, from: Square) -> usize {
        let (file, rank) = (from.file() as usize & 7, from.rank() as usize & 7);
        let row = |set: u64| (set >> (rank * 8)) as u8;
        let column = |set: u64| gathered(set >> file & ONES) as u8;
        landings(file, row(self.occupied), row(self.landing))
            + landings(rank, column(self.occupied), column(self.landing))
    }

    /// Number of squares on which a bishop may land.
    #[inline(always)]
    pub fn diagonal_landings(&self, from: Square) -> usize {
        let file = from.file() as usize & 7;
        let diagonals = &DIAGONALS[from.dense() & 63];
        // No two squares of a diagonal share a file, so a sum over the ranks puts each at its file.
        let line = |set: u64, diagonal: u64| ((set & diagonal).wrapping_mul(ONES) >> 56) as u8;
        landings(file, line(self.occupied, diagonals[0]), line(self.landing, diagonals[0]))
            + landings(file, line(self.occupied, diagonals[1]), line(self.landing, diagonals[1]))
    }
}

/// Number of squares of a line on which a slider may land, his place on it given.
#[inline(always)]
fn landings(place: usize, occupied: u8, landing: u8) -> usize {
    COUNT[(REACHED[place & 7][occupied as usize] & landing) as usize] as usize
}

/// The squares between two squares of a line, the two excluded.
#[inline(always)]
pub(super) fn between(from: Square, to: Square, direction: u8) -> u64 {
    let direction = direction as usize & 7;
    RAYS[direction][from.dense() & 63] & RAYS[direction ^ 4][to.dense() & 63]
}

/// Number of ones of each byte: the plain CPU has no instruction for that.
pub(super) static COUNT: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    table
};

/// By a slider's place on a line and the men on it: the places that he reaches, the first men included.
static REACHED: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut men = 0;
        while men < 256 {
            let mut up = place + 1;
            while up < 8 {
                table[place][men] |= 1 << up;
                if men >> up & 1 != 0 {
                    break;
                }
                up += 1;
            }
            let mut down = place;
            while down > 0 {
                down -= 1;
                table[place][men] |= 1 << down;
                if men >> down & 1 != 0 {
                    break;
                }
            }
            men += 1;
        }
        place += 1;
    }
    table
};

/// By direction of [`Step::COMPASS`] and dense square: all squares from there to the edge.
static RAYS: [[u64; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut dense = 0;
        while dense < 64 {
            let mut square = Square::from_dense(dense);
            while let Some(next) = square.offset(Step::COMPASS[direction]) {
                table[direction][dense as usize] |= 1 << next.dense();
                square = next;
            }
            dense += 1;
        }
        direction += 1;
    }
    table
};

/// By dense square: the rising and the falling diagonal through it, itself included.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut table = [[0; 2]; 64];
    let mut dense = 0;
    while dense < 64 {
        let here = 1 << dense;
        table[dense] = [RAYS[1][dense] | RAYS[5][dense] | here, RAYS[3][dense] | RAYS[7][dense] | here];
        dense += 1;
    }
    table
};

//! What one square sees: 64 men gathered by shuffles.
//!
//! A shuffle looks up 16 bytes, two ranks of the board without their ghosts. Each lane asks all four tables;
//! the three that are not meant see an index with the top bit set and answer 0:
//! ```text
//!   lane's square e5 = number 36 = 0x24     table of ranks   1-2    3-4    5-6    7-8
//!   xor with the table's first number                        0x24   0x34   0x04   0x14
//!   add 0x70, at most 0xFF                                   0x94   0xA4   0x74   0x84
//!   shuffle                                                   0      0      man    0      -> or
//! ```
//! The squares of each center's lanes come from a table, [`ROWS`], 0xFF off the board.

use super::super::lanes::{self, Around, View};
use super::super::sets;
use super::{Lanes, Pair};
use crate::board::{Position, man};
use crate::types::{Color, Square};
use std::arch::x86_64::*;

/// The row of a center beside the board, who sees nothing.
pub(super) const NO_CENTER: usize = 64;

/// Distances from the center to its lanes.
pub(super) static OFFSETS: Lanes = Lanes(lanes::OFFSETS);

/// By number of the center, the numbers of the squares in its lanes.
static ROWS: [Lanes; 65] = {
    const NOTHING: u8 = 0xFF;
    let mut rows = [const { Lanes([NOTHING; 64]) }; 65];
    let mut center = 0;
    while center < 64 {
        let mut lane = 0;
        while lane < 64 {
            let index = Square::from_dense(center as u8).to_0x88().wrapping_add(lanes::offset(lane));
            if let Some(square) = Square::from_0x88(index) {
                rows[center].0[lane] = square.dense() as u8;
            }
            lane += 1;
        }
        center += 1;
    }
    rows
};

/// By number of the center, the lanes on the board.
static ON_BOARD: [u64; 65] = {
    let mut table = [0; 65];
    let mut center = 0;
    while center < 64 {
        let mut lane = 0;
        while lane < 64 {
            table[center] |= ((ROWS[center].0[lane] < 64) as u64) << lane;
            lane += 1;
        }
        center += 1;
    }
    table
};

/// Bytes that are 0xFF in some lanes.
const fn bytes_of(lanes: u64) -> Lanes {
    let mut bytes = [0; 64];
    let mut lane = 0;
    while lane < 64 {
        if lanes >> lane & 1 != 0 {
            bytes[lane] = 0xFF;
        }
        lane += 1;
    }
    Lanes(bytes)
}

static STRAIGHT: Lanes = bytes_of(lanes::STRAIGHT);
static DIAGONAL: Lanes = bytes_of(lanes::DIAGONAL);
static JUMPS: Lanes = bytes_of(lanes::JUMPS);

/// By color of the attackers: the kinds that attack the center from each lane.
static THREATS: [Lanes; 2] = [Lanes(lanes::threats(Color::White)), Lanes(lanes::threats(Color::Black))];

/// The board as tables of two ranks each, without ghosts.
#[derive(Clone, Copy)]
pub(super) struct Cells([__m128i; 4]);

impl Cells {
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn of(position: &Position) -> Cells {
        let ranks: *const __m128i = position.cells.as_ptr().cast();
        let two_ranks = |index: usize| {
            // SAFETY: the cells are eight times 16 bytes at the start of a `Position`, aligned to 64, and
            // `index` is below 4.
            let (even, odd) =
                unsafe { (_mm_load_si128(ranks.add(2 * index)), _mm_load_si128(ranks.add(2 * index + 1))) };
            _mm_unpacklo_epi64(even, odd)
        };
        Cells([two_ranks(0), two_ranks(1), two_ranks(2), two_ranks(3)])
    }

    /// The men on all squares in the order of their numbers.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn by_number(&self) -> Pair {
        Pair(_mm256_set_m128i(self.0[1], self.0[0]), _mm256_set_m128i(self.0[3], self.0[2]))
    }

    /// The men on the squares with these numbers.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn gather(&self, numbers: Pair) -> Pair {
        Pair(self.gather_half(numbers.0), self.gather_half(numbers.1))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn gather_half(&self, numbers: __m256i) -> __m256i {
        const TABLE_SIZE: i8 = 16;
        const FAR_TO_TOP_BIT: i8 = 0x70;
        let mut men = _mm256_setzero_si256();
        for (index, table) in (0i8..).zip(self.0) {
            let first = _mm256_set1_epi8(index * TABLE_SIZE);
            let near = _mm256_xor_si256(numbers, first);
            let guarded = _mm256_adds_epu8(near, _mm256_set1_epi8(FAR_TO_TOP_BIT));
            men = _mm256_or_si256(men, _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), guarded));
        }
        men
    }
}

/// The men seen from a center.
#[derive(Clone, Copy)]
pub(super) struct Look {
    men: Pair,
    /// Lanes on the board.
    pub valid: u64,
    /// Lanes with a man.
    pub occupied: u64,
}

/// Looks around from the square with a number.
#[target_feature(enable = "avx2")]
#[inline]
fn look(cells: Cells, center: u32) -> Look {
    let center = center as usize & 63;
    let men = cells.gather(ROWS[center].load());
    Look { men, valid: ON_BOARD[center], occupied: !men.zeros() }
}

/// Looks along the straight rays of one center, the diagonal rays of a second and the jumps of a third; each
/// a number or [`NO_CENTER`].
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn look_from_three(cells: Cells, [straight, diagonal, jumping]: [usize; 3]) -> Look {
    let rows = ROWS[straight].load().and(STRAIGHT.load());
    let rows = rows.or(ROWS[diagonal].load().and(DIAGONAL.load()));
    let men = cells.gather(rows.or(ROWS[jumping].load().and(JUMPS.load())));
    let valid = ON_BOARD[straight] & lanes::STRAIGHT
        | ON_BOARD[diagonal] & lanes::DIAGONAL
        | ON_BOARD[jumping] & lanes::JUMPS;
    Look { men, valid, occupied: !men.zeros() }
}

/// Each lane's center, a 0x88 index: the straight mover's, the diagonal one's, or the knight's.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn centers_of_lanes([straight, diagonal, jumping]: [u8; 3]) -> Pair {
    let in_lanes = |center: u8, lanes: &Lanes| {
        let center = _mm256_set1_epi8(center as i8);
        lanes.load().and(Pair(center, center))
    };
    in_lanes(straight, &STRAIGHT).or(in_lanes(diagonal, &DIAGONAL)).or(in_lanes(jumping, &JUMPS))
}

impl Look {
    /// Lanes with a man of the color.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn of_color(&self, color: usize) -> u64 {
        const { assert!(man::COLOR[0] == 0x40 && man::COLOR[1] == 0x80) };
        if color == 1 {
            self.men.top_bits()
        } else {
            // White's bit, doubled, is the top one.
            Pair(_mm256_add_epi8(self.men.0, self.men.0), _mm256_add_epi8(self.men.1, self.men.1)).top_bits()
        }
    }

    /// Lanes with a man who attacks the center if he is of the color and nothing stands between.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn threats(&self, color: usize) -> u64 {
        !self.men.and(THREATS[color].load()).zeros()
    }

    /// Lanes with a man of these bits.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn with(&self, bits: u8) -> u64 {
        let bits = _mm256_set1_epi8(bits as i8);
        !self.men.and(Pair(bits, bits)).zeros()
    }
}

/// What a side's king sees.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn view<const THEM: usize>(cells: Cells, king: u8) -> View {
    let look = look(cells, sets::dense(king));
    let enemy = look.of_color(THEM);
    View { king, occupied: look.occupied, enemy, hits: look.threats(THEM) & enemy }
}

/// The men around a square.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn around(cells: Cells, center: u8) -> Around {
    let look = look(cells, sets::dense(center));
    let white = look.of_color(0);
    let hits = [look.threats(0) & white, look.threats(1) & !white];
    let [pawn, knight, bishop, rook, king] = lanes::KIND_BITS;
    let bits = [look.with(pawn), look.with(knight), look.with(bishop), look.with(rook), look.with(king)];
    Around::new(look.occupied, hits, bits)
}

//! What one square sees: 64 men gathered by one permute.
//!
//! ```text
//! center e4 = 0x34      OFFSETS    +33 +16 +32 +48 ...  | +18 +17 +34 ...  | ... eight directions
//!   splat + OFFSETS  =  squares    f6  e5  e6  e7  ...  | g5  f5  g6  ...
//!   & 0x88 == 0      =  valid      1   1   1   1        | 1   1   1
//!   permute          =  men        the bytes of the cells on these squares, 0 off the board
//! ```

use super::super::lanes::{self, Around, View};
use super::{Lanes, V};
use crate::board::{Position, man};
use crate::types::{Color, OFF_BOARD};
use std::arch::x86_64::*;

/// Distances from the center to its lanes.
pub(super) static OFFSETS: Lanes = Lanes(lanes::OFFSETS);

/// By color of the attackers: the kinds that attack the center from each lane.
static THREATS: [Lanes; 2] = [Lanes(lanes::threats(Color::White)), Lanes(lanes::threats(Color::Black))];

impl Lanes {
    /// The register.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn load(&self) -> V {
        // SAFETY: `Lanes` is 64 bytes, aligned to 64.
        unsafe { _mm512_load_si512(self.0.as_ptr().cast()) }
    }
}

/// The 128 cells of the board.
#[derive(Clone, Copy)]
pub(super) struct Cells {
    low: V,
    high: V,
}

impl Cells {
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn of(position: &Position) -> Cells {
        let cells = position.cells.as_ptr();
        // SAFETY: `cells` is 128 bytes at the start of a `Position`, which is aligned to 64.
        unsafe {
            Cells { low: _mm512_load_si512(cells.cast()), high: _mm512_load_si512(cells.add(64).cast()) }
        }
    }

    /// A board of the cells in two registers.
    #[inline]
    pub(super) fn new(low: V, high: V) -> Cells {
        Cells { low, high }
    }

    /// The cells at 64 indexes, those whose bit in `valid` is clear as if empty.
    #[target_feature(enable = "avx512f,avx512vbmi")]
    #[inline]
    pub(super) fn gather(self, valid: u64, index: V) -> V {
        _mm512_maskz_permutex2var_epi8(valid, self.low, index, self.high)
    }
}

/// The men seen from a center.
pub(super) struct Look {
    /// The squares of the lanes, some off the board.
    pub squares: V,
    /// Lanes on the board.
    pub valid: u64,
    /// The men's bytes.
    pub men: V,
    /// Lanes with a man.
    pub occupied: u64,
}

/// Looks around from the square in each lane of `center`, mostly the same one in all.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
pub(super) fn look(cells: Cells, center: V) -> Look {
    let squares = _mm512_add_epi8(center, OFFSETS.load());
    let valid = _mm512_testn_epi8_mask(squares, _mm512_set1_epi8(OFF_BOARD as i8));
    let men = cells.gather(valid, squares);
    Look { squares, valid, men, occupied: _mm512_test_epi8_mask(men, men) }
}

/// Looks around from several squares; a center beside the board sees nothing.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
pub(super) fn look_from_list(cells: Cells, center: V) -> Look {
    let squares = _mm512_add_epi8(center, OFFSETS.load());
    let both = _mm512_or_si512(squares, center);
    let valid = _mm512_testn_epi8_mask(both, _mm512_set1_epi8(OFF_BOARD as i8));
    let men = cells.gather(valid, squares);
    Look { squares, valid, men, occupied: _mm512_test_epi8_mask(men, men) }
}

impl Look {
    /// Lanes with a man of these bits.
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    pub(super) fn with(&self, bits: u8) -> u64 {
        _mm512_test_epi8_mask(self.men, _mm512_set1_epi8(bits as i8))
    }

    /// Lanes with a man of the color.
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    pub(super) fn of_color(&self, color: usize) -> u64 {
        self.with(man::COLOR[color])
    }

    /// Lanes with a man who attacks the center if he is of the color and nothing stands between.
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    fn threats(&self, color: usize) -> u64 {
        _mm512_test_epi8_mask(self.men, THREATS[color].load())
    }
}

/// What a side's king sees.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
pub(super) fn view<const THEM: usize>(cells: Cells, king: u8) -> View {
    let look = look(cells, _mm512_set1_epi8(king as i8));
    let enemy = look.of_color(THEM);
    View { king, occupied: look.occupied, enemy, hits: look.threats(THEM) & enemy }
}

/// The men around a square.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
pub(super) fn around(cells: Cells, center: u8) -> Around {
    let look = look(cells, _mm512_set1_epi8(center as i8));
    let white = look.of_color(0);
    let hits = [look.threats(0) & white, look.threats(1) & !white];
    let [pawn, knight, bishop, rook, king] = lanes::KIND_BITS;
    let bits = [look.with(pawn), look.with(knight), look.with(bishop), look.with(rook), look.with(king)];
    Around::new(look.occupied, hits, bits)
}

//! Castling rights.

use super::Color;

/// The side of the board towards which a king castles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wing {
    /// Towards h: the king ends on the g-file, the rook on the f-file.
    Short,
    /// Towards a: the king ends on the c-file, the rook on the d-file.
    Long,
}

impl Wing {
    /// Both wings, short first.
    pub const BOTH: [Wing; 2] = [Wing::Short, Wing::Long];

    /// File on which the king ends, 0 = a.
    #[inline]
    pub const fn king_file(self) -> u8 {
        match self {
            Wing::Short => 6,
            Wing::Long => 2,
        }
    }

    /// File on which the rook ends, 0 = a.
    #[inline]
    pub const fn rook_file(self) -> u8 {
        match self {
            Wing::Short => 5,
            Wing::Long => 3,
        }
    }
}

/// Which castlings are still allowed, as four bits: White short, White long, Black short, Black long.
///
/// ```
/// use clavier::types::{CastlingRights, Color, Wing};
/// let rights = CastlingRights::NONE.with(Color::White, Wing::Short);
/// assert!(rights.has(Color::White, Wing::Short) && !rights.has(Color::Black, Wing::Short));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// No castling at all.
    pub const NONE: CastlingRights = CastlingRights(0);

    /// Number of one right in 0..4.
    #[inline]
    pub const fn slot(color: Color, wing: Wing) -> usize {
        color as usize * 2 + wing as usize
    }

    /// Rights from their four bits.
    #[inline]
    pub const fn from_bits(bits: u8) -> CastlingRights {
        CastlingRights(bits & 15)
    }

    /// The four bits.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Is this castling still allowed?
    #[inline]
    pub const fn has(self, color: Color, wing: Wing) -> bool {
        self.0 >> Self::slot(color, wing) & 1 != 0
    }

    /// Is any castling of the color still allowed?
    #[inline]
    pub const fn any(self, color: Color) -> bool {
        self.0 >> (color as usize * 2) & 3 != 0
    }

    /// The same rights and one more.
    #[inline]
    pub const fn with(self, color: Color, wing: Wing) -> CastlingRights {
        CastlingRights(self.0 | 1 << Self::slot(color, wing))
    }
}

//! Zobrist keys: <https://www.chessprogramming.org/Zobrist_Hashing>.

use super::man;
use crate::types::Color;

/// Random words for everything that a position key depends on.
pub(crate) struct Words {
    /// By color, bits of the kind (row 0, no man, is all zero) and 0x88 square.
    pub men: [[[u64; 128]; 17]; 2],
    /// By the four castling rights.
    pub rights: [u64; 16],
    /// By file of the en passant square; the last ones, for no square, are zero.
    pub en_passant: [u64; 16],
    /// Black is to move.
    pub black_to_move: u64,
}

/// The words of this engine; fixed, so that keys can be compared between runs.
pub(crate) static WORDS: Words = words();

/// The five keys of a position, each kept up to date by `make`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct Keys {
    /// All that matters for the rules: men, side to move, castling rights, a legal en passant.
    pub main: u64,
    /// Pawns of both sides.
    pub pawn: u64,
    /// Kings, knights and bishops of both sides.
    pub minor: u64,
    /// All men but pawns, of each side.
    pub non_pawn: [u64; 2],
}

impl Keys {
    /// Puts a man on a square, or takes him off.
    #[inline]
    pub(crate) fn toggle(&mut self, color: Color, kind_bits: u8, square: usize) {
        let word = WORDS.men[color.index()][(kind_bits & man::KIND) as usize][square & 0x77];
        self.main ^= word;
        if kind_bits & man::PAWN != 0 {
            self.pawn ^= word;
        } else {
            self.non_pawn[color.index()] ^= word;
            if is_minor(kind_bits) {
                self.minor ^= word;
            }
        }
    }
}

/// Does the man count in the minor key: a king, knight or bishop?
#[inline]
const fn is_minor(kind_bits: u8) -> bool {
    kind_bits & (man::ROOK | man::PAWN) == 0
}

/// The generator `SplitMix64` (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut word = *state;
    word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[allow(clippy::large_stack_arrays)] // built by the compiler, never on a stack
const fn words() -> Words {
    const SEED: u64 = 0x0088;
    const KINDS: [u8; 6] = [man::PAWN, man::KNIGHT, man::BISHOP, man::ROOK, man::QUEEN, man::KING];
    let mut state = SEED;
    let mut words =
        Words { men: [[[0; 128]; 17]; 2], rights: [0; 16], en_passant: [0; 16], black_to_move: 0 };
    let mut color = 0;
    while color < 2 {
        let mut row = 0;
        while row < KINDS.len() {
            let mut square = 0;
            while square < 128 {
                if square & 0x88 == 0 {
                    words.men[color][KINDS[row] as usize][square] = split_mix(&mut state);
                }
                square += 1;
            }
            row += 1;
        }
        color += 1;
    }
    let mut right = 1;
    while right < 16 {
        words.rights[right] = split_mix(&mut state);
        right += 1;
    }
    let mut file = 0;
    while file < 8 {
        words.en_passant[file] = split_mix(&mut state);
        file += 1;
    }
    words.black_to_move = split_mix(&mut state);
    words
}

//! AVX2: the same ways as with AVX-512, on registers of half the size and with fewer instructions.
//!
//! | AVX-512 | here |
//! |---|---|
//! | one permute over 128 cells | four shuffles over two ranks each, of which one answers (`look.rs`) |
//! | comparisons give a bit per byte | `movemask` takes the top bit of each byte |
//! | eight words flood into eight directions | four words upwards, four words downwards (`flood.rs`) |
//! | transposed bit matrix of kinds | a shift brings each kind's bit to the top of its byte |
//! | moves compressed into the list | eight at a time, brought to the front by a table of shuffles (`generate.rs`) |

// Intrinsics carry their own prefix and are many.
#![allow(clippy::wildcard_imports)]

mod flood;
mod generate;
mod look;
mod stamped {
    super::super::stamp::stamp!("avx2,bmi1,bmi2,lzcnt,popcnt");
}

use super::Backend;
use std::arch::x86_64::*;

pub(super) static AVX2: Backend = Backend {
    name: "avx2",
    is_supported,
    generate: generate::generate,
    count_moves: stamped::count_moves,
    has_legal_move: stamped::has_legal_move,
    make: stamped::make,
    perft: stamped::perft,
    attackers: stamped::attackers,
    is_attacked: stamped::is_attacked,
    see: stamped::see,
    see_reaches: stamped::see_reaches,
};

/// Has the CPU all the instructions that the functions here are built with?
fn is_supported() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// Two registers of 32 bytes, used as one of 64.
#[derive(Clone, Copy)]
struct Pair(__m256i, __m256i);

/// Sixty-four bytes that a pair can be loaded from at once.
#[repr(C, align(64))]
struct Lanes([u8; 64]);

/// Four words that a register can be loaded from at once.
#[repr(C, align(32))]
struct Words([u64; 4]);

impl Lanes {
    /// The pair of registers.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(&self) -> Pair {
        let bytes: *const __m256i = self.0.as_ptr().cast();
        // SAFETY: `Lanes` is 64 bytes, aligned to 64.
        unsafe { Pair(_mm256_load_si256(bytes), _mm256_load_si256(bytes.add(1))) }
    }
}

impl Words {
    /// The register.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(&self) -> __m256i {
        // SAFETY: `Words` is 32 bytes, aligned to 32.
        unsafe { _mm256_load_si256(self.0.as_ptr().cast()) }
    }
}

impl Pair {
    #[target_feature(enable = "avx2")]
    #[inline]
    fn and(self, other: Pair) -> Pair {
        Pair(_mm256_and_si256(self.0, other.0), _mm256_and_si256(self.1, other.1))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn or(self, other: Pair) -> Pair {
        Pair(_mm256_or_si256(self.0, other.0), _mm256_or_si256(self.1, other.1))
    }

    /// Byte by byte the sum.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn plus(self, other: Pair) -> Pair {
        Pair(_mm256_add_epi8(self.0, other.0), _mm256_add_epi8(self.1, other.1))
    }

    /// The top bit of each byte.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn top_bits(self) -> u64 {
        let low = _mm256_movemask_epi8(self.0).cast_unsigned();
        let high = _mm256_movemask_epi8(self.1).cast_unsigned();
        u64::from(low) | u64::from(high) << 32
    }

    /// The bytes that are 0.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn zeros(self) -> u64 {
        let zero = _mm256_setzero_si256();
        Pair(_mm256_cmpeq_epi8(self.0, zero), _mm256_cmpeq_epi8(self.1, zero)).top_bits()
    }
}

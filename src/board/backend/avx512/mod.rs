//! AVX-512: the whole 0x88 board in two registers.
//!
//! # For readers who have not met AVX-512
//! A register (`V`) holds 64 bytes, or eight 64-bit words. A comparison of bytes gives a plain `u64` with one
//! bit per byte. Four instructions do most of the work here:
//!
//! | intrinsic | does |
//! |---|---|
//! | `permutex2var_epi8` | looks up 64 bytes at once in a table of 128 bytes, which is exactly a 0x88 board |
//! | `test_epi8_mask` | in which bytes do two registers share a bit? |
//! | `ternarylogic_epi64` | any function of three bits, on all bits at once |
//! | `rolv_epi64` | rotates eight words, each by its own distance |
//!
//! # Two views of one board
//! ```text
//! look (look.rs), one square sees 64 lanes:     sets (flood.rs), the squares of one kind in each word:
//!
//!   center  + [jump, 7 steps] x 8 directions      word 0 pawns    1 knights  2 bishops, queens
//!     |  0x88 in an index = off the board              3 rooks, queens       4 kings
//!     v                                           ... and then a register in which word d floods
//!   gather all 64 men in one permute                   into direction d, all sliders of a side at once
//! ```
//! A look serves a single square: checks, pins, attackers, exchanges, and one rook, bishop and knight at a
//! time when moves are listed. Sets serve a whole side: which squares are attacked, how many moves there are.

// Intrinsics carry their own prefix and are many.
#![allow(clippy::wildcard_imports)]

mod flood;
mod generate;
mod look;
mod stamped {
    super::super::stamp::stamp!(
        "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,popcnt,bmi1,bmi2,lzcnt"
    );
}

use super::Backend;
use std::arch::x86_64::__m512i;

/// A register of 64 bytes.
type V = __m512i;

pub(super) static AVX512: Backend = Backend {
    name: "avx512",
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
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("gfni")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// Sixty-four bytes that a register can be loaded from at once.
#[repr(C, align(64))]
struct Lanes([u8; 64]);

/// Eight words that a register can be loaded from at once.
#[repr(C, align(64))]
struct Words([u64; 8]);

//! Sets of squares in one word, bit 0 = a1, bit 63 = h8: the 0x88 board with its ghost half squeezed out.
//! Nothing here is kept in a [`Position`]; the sets are made from its cells when they are needed.

use super::lanes;
use super::limits::Limits;
use crate::types::{Square, Step};

/// A set of squares.
pub type Set = u64;

/// All squares.
pub const ALL: Set = !0;
const FILE_A: Set = 0x0101_0101_0101_0101;
const FILE_H: Set = FILE_A << 7;
const RANK_1: Set = 0xFF;

/// The same squares as bits of 0x88 indexes.
#[inline]
pub fn to_0x88(set: Set) -> u128 {
    let mut left = set;
    let mut squares = 0;
    while left != 0 {
        squares |= 1 << Square::from_dense(left.trailing_zeros() as u8).to_0x88();
        left &= left - 1;
    }
    squares
}

/// The square of a 0x88 index as a set.
#[inline]
pub const fn bit(square: u8) -> Set {
    1 << dense(square)
}

/// Number of a 0x88 square in 0..64.
#[inline]
pub const fn dense(square: u8) -> u32 {
    ((square + (square & 7)) >> 1) as u32
}

/// The squares that a man may enter by this step from somewhere on the board.
pub const fn landing(step: Step) -> Set {
    let mut set = 0;
    let mut square = 0;
    while square < 64 {
        if let Some(to) = Square::from_dense(square).offset(step) {
            set |= bit(to.to_0x88());
        }
        square += 1;
    }
    set
}

/// The distance of a step in numbers of squares.
pub const fn dense_distance(step: Step) -> i8 {
    let distance = step.0 as i8;
    // 16 ranks become 8; what is left is the distance in files.
    let ranks = (distance + 8) >> 4;
    distance - ranks * 8
}

/// The neighbors of a king's square, by its number.
pub static RINGS: [Set; 64] = rings();

const fn rings() -> [Set; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            if let Some(to) = Square::from_dense(square).offset(Step::COMPASS[direction]) {
                table[square as usize] |= bit(to.to_0x88());
            }
            direction += 1;
        }
        square += 1;
    }
    table
}

/// The squares on which a man ends the check from a lane: the checker's own and those between.
///
/// The pattern is the same for every king; only its place on the board differs.
#[inline]
pub fn evasions(king: u8, lane: u32) -> Set {
    let (pattern, first) = PATHS[lane as usize];
    pattern << ((dense(king) as i32 + i32::from(first)) & 63)
}

/// By lane: the path from a king to a checker, moved down so that its lowest square is bit 0, and the
/// distance of that square from the king.
static PATHS: [(Set, i8); 64] = {
    let mut table = [(0, 0); 64];
    let mut lane = 0;
    while lane < 64 {
        let (direction, length) = (lane / 8, lane % 8);
        table[lane] = if length == 0 {
            (1, dense_distance(Step::JUMPS[direction]))
        } else {
            path(dense_distance(Step::COMPASS[direction]), length as i8)
        };
        lane += 1;
    }
    table
};

const fn path(step: i8, length: i8) -> (Set, i8) {
    let mut pattern = 0u64;
    let mut index = 0;
    while index < length {
        // Paths too long for any board run out of the word.
        pattern |= 1u64.wrapping_shl((step.unsigned_abs() as u32) * index as u32);
        index += 1;
    }
    (pattern, if step < 0 { step * length } else { step })
}

/// The square in a lane seen from a king, as a set; none if it is off the board.
#[inline]
pub fn lane_square(king: u8, lane: u32) -> Set {
    let square = king.wrapping_add(lanes::OFFSETS[lane as usize & 63]);
    if square & 0x88 == 0 { bit(square) } else { 0 }
}

/// One rank forward.
#[inline]
pub const fn forward<const US: usize>(set: Set) -> Set {
    if US == 0 { set << 8 } else { set >> 8 }
}

/// One capture of a pawn towards the a-file.
#[inline]
pub const fn capture_west<const US: usize>(set: Set) -> Set {
    let able = set & !FILE_A;
    if US == 0 { able << 7 } else { able >> 9 }
}

/// One capture of a pawn towards the h-file.
#[inline]
pub const fn capture_east<const US: usize>(set: Set) -> Set {
    let able = set & !FILE_H;
    if US == 0 { able << 9 } else { able >> 7 }
}

/// Where pawns arrive with the first of their two steps.
pub const fn third_rank<const US: usize>() -> Set {
    if US == 0 { RANK_1 << 16 } else { RANK_1 << 40 }
}

/// Where pawns stand before they promote.
pub const fn seventh_rank<const US: usize>() -> Set {
    if US == 0 { RANK_1 << 48 } else { RANK_1 << 8 }
}

/// Where pawns promote.
pub const fn last_rank<const US: usize>() -> Set {
    if US == 0 { RANK_1 << 56 } else { RANK_1 }
}

/// The line on which a pawn captures towards the a-file and towards the h-file.
pub const fn capture_lines<const US: usize>() -> [usize; 2] {
    if US == 0 { [3, 1] } else { [1, 3] }
}

/// Where pawns may land, en passant aside.
pub struct PawnTargets {
    /// One step forward.
    pub single: Set,
    /// Two steps.
    pub double: Set,
    /// Captures towards the a-file.
    pub west: Set,
    /// Captures towards the h-file.
    pub east: Set,
}

/// Where the own pawns may land.
#[inline]
pub const fn pawn_targets<const US: usize>(men: &Men, limits: &Limits) -> PawnTargets {
    let [west_line, east_line] = capture_lines::<US>();
    let empty = !(men.own | men.enemy);
    let single = forward::<US>(limits.free(men.own_pawns, 0)) & empty;
    let double = forward::<US>(single & third_rank::<US>()) & empty;
    let captured = men.enemy & limits.target;
    PawnTargets {
        single: single & limits.target,
        double: double & limits.target,
        west: capture_west::<US>(limits.free(men.own_pawns, west_line)) & captured,
        east: capture_east::<US>(limits.free(men.own_pawns, east_line)) & captured,
    }
}

/// Number of moves of the own pawns, en passant aside.
#[inline]
pub fn count_pawn_moves<const US: usize>(men: &Men, limits: &Limits) -> u64 {
    let PawnTargets { single, double, west, east } = pawn_targets::<US>(men, limits);
    let mut count = (single | double).count_ones() + west.count_ones() + east.count_ones();
    if men.own_pawns & seventh_rank::<US>() != 0 {
        let last = last_rank::<US>();
        count += 3 * ((single & last).count_ones() + (west & last).count_ones() + (east & last).count_ones());
    }
    u64::from(count)
}

/// The squares that a side's pawns attack.
#[inline]
pub const fn pawn_attacks<const US: usize>(pawns: Set) -> Set {
    capture_west::<US>(pawns) | capture_east::<US>(pawns)
}

/// The men of both sides.
#[derive(Clone, Copy)]
pub struct Men {
    pub own: Set,
    pub enemy: Set,
    pub own_pawns: Set,
    pub enemy_pawns: Set,
    /// Number of the own king's square.
    pub king: u32,
    /// Number of the enemy king's square.
    pub enemy_king: u32,
}

impl Men {
    /// Number of the king's steps to squares that are not in danger.
    #[inline]
    pub fn count_king_steps(&self, danger: Set) -> u64 {
        u64::from((RINGS[self.king as usize & 63] & !self.own & !danger).count_ones())
    }
}

//! Sets of squares in one word, bit 0 = a1, bit 63 = h8: the 0x88 board with its ghost half squeezed out.
//! Nothing here is kept in a [`Position`]; the sets are made from its cells when they are needed.

use super::lanes;
use crate::board::{NO_SQUARE, Position, man};
use crate::types::{CastlingRights, Color, Square, Step, Wing};

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

/// The own men who are pinned, by the line on which they may still move: 0 file, 1 rising diagonal, 2 rank,
/// 3 falling diagonal.
pub type Pinned = [Set; 4];

/// The line on which a pawn captures towards the a-file and towards the h-file.
pub const fn capture_lines<const US: usize>() -> [usize; 2] {
    if US == 0 { [3, 1] } else { [1, 3] }
}

/// Number of moves of pawns, en passant aside.
#[inline]
pub fn count_pawn_moves<const US: usize>(pawns: Set, own: Set, enemy: Set, limits: &Limits) -> u64 {
    let [west_line, east_line] = capture_lines::<US>();
    let empty = !(own | enemy);
    let single = forward::<US>(limits.free(pawns, 0)) & empty;
    let double = forward::<US>(single & third_rank::<US>()) & empty;
    let west = capture_west::<US>(limits.free(pawns, west_line)) & enemy & limits.target;
    let east = capture_east::<US>(limits.free(pawns, east_line)) & enemy & limits.target;
    let steps = (single | double) & limits.target;
    let mut count = steps.count_ones() + west.count_ones() + east.count_ones();
    if pawns & seventh_rank::<US>() != 0 {
        let last = last_rank::<US>();
        count += 3 * ((steps & last).count_ones() + (west & last).count_ones() + (east & last).count_ones());
    }
    u64::from(count)
}

/// The squares that a side's pawns attack.
#[inline]
pub const fn pawn_attacks<const US: usize>(pawns: Set) -> Set {
    capture_west::<US>(pawns) | capture_east::<US>(pawns)
}

/// What checks and pins leave to the men other than the king.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Where they may land.
    pub target: Set,
    /// All pinned men.
    pub pinned: Set,
    /// The pinned men by line.
    pub lines: Pinned,
}

impl Limits {
    /// Neither check nor pin.
    pub const NONE: Limits = Limits { target: ALL, pinned: 0, lines: [0; 4] };

    /// Those of the men who may move along a line.
    #[inline]
    pub const fn free(&self, men: Set, line: usize) -> Set {
        men & (!self.pinned | self.lines[line])
    }

    /// Takes note of a pinned man.
    #[inline]
    pub fn pin(&mut self, line: usize, man: Set) {
        self.pinned |= man;
        self.lines[line] |= man;
    }

    /// In check from one man the others may take him or step between, pinned ones excepted; from two men
    /// only the king can move.
    #[inline]
    pub fn answer_checks(&mut self, king: u8, checkers: u64) {
        let is_single = checkers.is_power_of_two();
        self.target = if is_single { evasions(king, checkers.trailing_zeros()) } else { 0 };
        self.lines = [0; 4];
    }
}

/// What castling to one wing asks for.
#[derive(Clone, Copy)]
pub struct CastlingPath {
    /// Squares that must be empty; all squares if castling is not allowed, which never holds.
    pub clear: Set,
    /// Squares that the enemy must not attack.
    pub safe: Set,
    /// The rook's square.
    pub rook: Set,
}

impl CastlingPath {
    /// No castling.
    pub const NONE: CastlingPath = CastlingPath { clear: ALL, safe: 0, rook: 0 };

    /// Castling of the color to the wing, check aside.
    pub fn of(position: &Position, color: Color, wing: Wing) -> CastlingPath {
        let rook = position.rooks[CastlingRights::slot(color, wing)];
        if rook == NO_SQUARE {
            return CastlingPath::NONE;
        }
        let king = position.king_square(color).to_0x88();
        let home = color.home_rank() << 4;
        let king_path = span(king, home + wing.king_file());
        let rook_path = span(rook, home + wing.rook_file());
        let clear = (king_path | rook_path) & !bit(king) & !bit(rook);
        CastlingPath { clear, safe: king_path, rook: bit(rook) }
    }

    /// Both wings of the color, short first.
    #[inline]
    pub fn both(position: &Position, color: Color) -> [CastlingPath; 2] {
        if position.rights.any(color) {
            Wing::BOTH.map(|wing| CastlingPath::of(position, color, wing))
        } else {
            [CastlingPath::NONE; 2]
        }
    }

    /// May the king, not in check, castle? A rook that is pinned on the home rank would uncover the king.
    #[inline]
    pub const fn is_open(&self, occupied: Set, danger: Set, pinned: Set) -> bool {
        (self.clear & occupied) | (self.safe & danger) | (self.rook & pinned) == 0
    }
}

/// The squares from one to another one on the same rank, both included.
#[inline]
const fn span(one: u8, other: u8) -> Set {
    let (low, high) = if one < other { (one, other) } else { (other, one) };
    (bit(high) << 1).wrapping_sub(bit(low))
}

/// The own pawns that might capture en passant on a 0x88 square, which a pawn of US reaches.
#[inline]
pub fn en_passant_pawns<const US: usize>(square: u8, pawns: Set) -> Set {
    let target = bit(square);
    // Seen from the target, the capturers stand where the enemy's pawns would capture.
    let from = if US == 0 { pawn_attacks::<1>(target) } else { pawn_attacks::<0>(target) };
    from & pawns
}

/// The squares behind a king on the rays of the sliders that check him: attacked once he leaves.
#[inline]
pub fn shadows(king: u8, checkers: u64, enemy_pawns: Set) -> Set {
    let mut left = checkers & lanes::RAYS;
    let mut behind = 0;
    while left != 0 {
        let lane = left.trailing_zeros();
        left &= left - 1;
        if lane_square(king, lane) & enemy_pawns == 0 {
            let opposite = ((lane / 8) ^ 4) * 8 + 1;
            behind |= lane_square(king, opposite);
        }
    }
    behind
}

/// The men of these bits, from the roster. For a few men only.
#[inline]
pub fn pinned_limits(position: &Position) -> Limits {
    let mut limits = Limits::NONE;
    let us = position.side;
    let king = position.king_square(us).to_0x88();
    let mut slots = position.pinned;
    while slots != 0 {
        let square = position.squares[us.index()][slots.trailing_zeros() as usize & 15];
        slots &= slots - 1;
        limits.pin(lanes::direction_of(king, square) & 3, bit(square));
    }
    limits
}

/// Is the man's byte that of an enemy pawn beside whom a double step has ended? Then en passant may follow.
#[inline]
pub const fn is_pawn(man: u8) -> bool {
    man & man::PAWN != 0
}

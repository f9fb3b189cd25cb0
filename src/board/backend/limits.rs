//! What keeps men from moving: checks, pins, and the paths of castling.

use super::lanes::{self, View};
use super::sets::{self, Set, bit};
use crate::board::{NO_SQUARE, Position};
use crate::types::{CastlingRights, Color, Square, Wing};

/// What checks and pins leave to the men other than the king.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Where they may land.
    pub target: Set,
    /// All pinned men.
    pub pinned: Set,
    /// The pinned men by the line on which they may still move: 0 file, 1 rising diagonal, 2 rank, 3 falling
    /// diagonal.
    pub lines: [Set; 4],
}

impl Limits {
    /// Neither check nor pin.
    pub const NONE: Limits = Limits { target: sets::ALL, pinned: 0, lines: [0; 4] };

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
        self.target = if is_single { sets::evasions(king, checkers.trailing_zeros()) } else { 0 };
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
    pub const NONE: CastlingPath = CastlingPath { clear: sets::ALL, safe: 0, rook: 0 };

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
    let from = if US == 0 { sets::pawn_attacks::<1>(target) } else { sets::pawn_attacks::<0>(target) };
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
        if sets::lane_square(king, lane) & enemy_pawns == 0 {
            let opposite = ((lane / 8) ^ 4) * 8 + 1;
            behind |= sets::lane_square(king, opposite);
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

/// What concerns the king of the side whose moves are counted.
pub struct KingFacts {
    /// Is he in check?
    pub is_checked: bool,
    /// Squares behind him that a checking slider attacks.
    pub shadows: Set,
    /// Both castlings, as far as they are allowed at all.
    pub castling: [CastlingPath; 2],
}

/// Number of legal captures en passant on a square.
#[inline]
pub fn count_en_passant<const US: usize>(view: &View, square: u8, own_pawns: Set) -> u64 {
    let mut count = 0;
    each_en_passant::<US>(view, square, own_pawns, |_| count += 1);
    count
}

/// Tells the squares from which a pawn may capture en passant on a square.
#[inline]
pub fn each_en_passant<const US: usize>(view: &View, square: u8, own_pawns: Set, mut tell: impl FnMut(u8)) {
    let mut capturers = en_passant_pawns::<US>(square, own_pawns);
    while capturers != 0 {
        let from = Square::from_dense(capturers.trailing_zeros() as u8).to_0x88();
        capturers &= capturers - 1;
        if view.allows_en_passant(from, square) {
            tell(from);
        }
    }
}

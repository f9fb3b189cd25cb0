//! Lists of legal moves: officers three at a time in lanes, pawns and the king as sets.
//!
//! A straight mover needs the even rays, a diagonal one the odd rays, a knight the jumps: together they fill
//! the 64 lanes of one look. A queen is among the straight and among the diagonal movers.

use super::super::lanes::{self, visible};
use super::super::limits::{self, CastlingPath, Limits};
use super::super::sets::{self, Men, Set};
use super::flood::{self, Kinds};
use super::look::{self, Cells, NO_CENTER};
use super::stamped;
use crate::board::generate::Wanted;
use crate::board::{NO_SQUARE, Position};
use crate::types::{Color, Move, MoveKind, MoveList, Square};
use std::arch::x86_64::*;

/// Appends the wanted legal moves to a list.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn generate(position: &Position, wanted: Wanted, moves: &mut MoveList) {
    match position.side {
        Color::White => generate_for::<0, 1>(position, wanted, moves),
        Color::Black => generate_for::<1, 0>(position, wanted, moves),
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn generate_for<const US: usize, const THEM: usize>(
    position: &Position,
    wanted: Wanted,
    moves: &mut MoveList,
) {
    let cells = Cells::of(position);
    let kinds = Kinds::of(cells);
    let men = stamped::men::<US, THEM>(position, kinds);
    let mut limits = limits::pinned_limits(position);
    let king = position.squares[US][0];
    let mut danger = flood::attacked::<THEM>(kinds, &men);
    if position.checkers != 0 {
        danger |= limits::shadows(king, position.checkers, men.enemy_pawns);
        limits.answer_checks(king, position.checkers);
    }
    let writer = Writer::<US> { position, cells, wanted, men, limits };
    writer.king_moves(danger, moves);
    if writer.limits.target != 0 {
        writer.officers(kinds, moves);
        writer.pawns(moves);
    }
    if position.en_passant != NO_SQUARE && wanted.noisy() {
        let view = look::view::<THEM>(cells, king);
        limits::each_en_passant::<US>(&view, position.en_passant, men.own_pawns, |from| {
            let to = Square::known(position.en_passant);
            moves.push(Move::new(Square::known(from), to, MoveKind::EnPassant));
        });
    }
}

/// One generation: the board and where the men may go.
struct Writer<'a, const US: usize> {
    position: &'a Position,
    cells: Cells,
    wanted: Wanted,
    men: Men,
    limits: Limits,
}

impl<const US: usize> Writer<'_, US> {
    /// Squares where officers and the king may land, check aside.
    #[inline]
    fn landing(&self) -> Set {
        match self.wanted {
            Wanted::All => !self.men.own,
            Wanted::Noisy => self.men.enemy,
            Wanted::Quiet => !(self.men.own | self.men.enemy),
        }
    }

    /// Steps of the king, and castling.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn king_moves(&self, danger: Set, moves: &mut MoveList) {
        let king = self.position.king_square(self.position.side);
        let mut steps = sets::RINGS[self.men.king as usize & 63] & self.landing() & !danger;
        while steps != 0 {
            moves.push(Move::new(king, first_of(steps), MoveKind::Plain));
            steps &= steps - 1;
        }
        let side = self.position.side;
        if self.wanted.quiet() && self.position.checkers == 0 && self.position.rights.any(side) {
            for path in CastlingPath::both(self.position, side) {
                if path.is_open(self.men.own | self.men.enemy, danger, self.limits.pinned) {
                    moves.push(Move::new(king, first_of(path.rook), MoveKind::Castling));
                }
            }
        }
    }

    /// Moves of the officers: first those who are not pinned, then the others, each along his line.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn officers(&self, kinds: Kinds, moves: &mut MoveList) {
        let free = self.men.own & !self.limits.pinned;
        let (mut straight, mut diagonal) = (kinds.straights() & free, kinds.diagonals() & free);
        let mut knights = kinds.knights() & free;
        while straight | diagonal | knights != 0 {
            let centers = [take(&mut straight), take(&mut diagonal), take(&mut knights)];
            self.look_and_push(centers, !0, moves);
        }
        for (line, men) in self.limits.lines.into_iter().enumerate() {
            let mut sliders = men & if line % 2 == 0 { kinds.straights() } else { kinds.diagonals() };
            while sliders != 0 {
                let center = take(&mut sliders);
                self.look_and_push([center, center, NO_CENTER], lanes::LINES[line], moves);
            }
        }
    }

    /// Moves from three centers to the lanes seen, of those asked for.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn look_and_push(&self, centers: [usize; 3], asked: u64, moves: &mut MoveList) {
        let look = look::look_from_three(self.cells, centers);
        let own = look.of_color(US);
        let landing = match self.wanted {
            Wanted::All => !own,
            Wanted::Noisy => look.occupied & !own,
            Wanted::Quiet => !look.occupied,
        };
        let lanes = visible(look.occupied) & look.valid & landing & asked;
        if self.position.checkers == 0 {
            push_lanes(lanes, centers, moves);
        } else {
            self.push_evasions(lanes, centers, moves);
        }
    }

    /// Appends a move for each of the lanes that ends the check.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn push_evasions(&self, mut lanes: u64, centers: [usize; 3], moves: &mut MoveList) {
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize & 63;
            lanes &= lanes - 1;
            let from = Square::from_dense(centers[lanes::CENTER[lane] as usize] as u8);
            let to = from.to_0x88().wrapping_add(lanes::OFFSETS[lane]) & 0x77;
            if self.limits.target & sets::bit(to) != 0 {
                moves.push(Move::new(from, Square::known(to), MoveKind::Plain));
            }
        }
    }

    /// Moves of all pawns but en passant.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn pawns(&self, moves: &mut MoveList) {
        let targets = sets::pawn_targets::<US>(&self.men, &self.limits);
        let last = sets::last_rank::<US>();
        if self.wanted.quiet() {
            push_pawns::<US>(targets.single & !last, 8, MoveKind::Plain, moves);
            push_pawns::<US>(targets.double, 16, MoveKind::DoubleStep, moves);
        }
        if self.wanted.noisy() {
            let (west, east) = if US == 0 { (7, 9) } else { (9, 7) };
            push_pawns::<US>(targets.west & !last, west, MoveKind::Plain, moves);
            push_pawns::<US>(targets.east & !last, east, MoveKind::Plain, moves);
            if (targets.single | targets.west | targets.east) & last != 0 {
                for kind in [
                    MoveKind::PromoteQueen,
                    MoveKind::PromoteRook,
                    MoveKind::PromoteBishop,
                    MoveKind::PromoteKnight,
                ] {
                    push_pawns::<US>(targets.single & last, 8, kind, moves);
                    push_pawns::<US>(targets.west & last, west, kind, moves);
                    push_pawns::<US>(targets.east & last, east, kind, moves);
                }
            }
        }
    }
}

/// By the lanes wanted of a ray, the shuffle that brings their words to the front. What follows repeats the
/// first word: anything but 0, which is no move.
static TO_THE_FRONT: [Shuffle; 256] = {
    let mut table = [const { Shuffle([0; 16]) }; 256];
    let mut wanted = 0;
    while wanted < 256 {
        let mut front = 0;
        let mut lane = 0;
        while lane < 8 {
            if wanted >> lane & 1 != 0 {
                table[wanted].0[2 * front] = 2 * lane;
                table[wanted].0[2 * front + 1] = 2 * lane + 1;
                front += 1;
            }
            lane += 1;
        }
        while front < 8 {
            table[wanted].0[2 * front + 1] = 1;
            front += 1;
        }
        wanted += 1;
    }
    table
};

/// Sixteen bytes of indexes.
#[repr(C, align(16))]
struct Shuffle([u8; 16]);

/// Appends a move for each of the lanes of three centers.
///
/// A move is the word `from << 8 | to`, so a ray with its jump is eight words, one register.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn push_lanes(lanes: u64, centers: [usize; 3], moves: &mut MoveList) {
    let from = look::centers_of_lanes(centers.map(|center| Square::from_dense(center as u8).to_0x88()));
    let to = from.plus(look::OFFSETS.load());
    for (half, (from, to)) in [(from.0, to.0), (from.1, to.1)].into_iter().enumerate() {
        let (even, odd) = (_mm256_unpacklo_epi8(to, from), _mm256_unpackhi_epi8(to, from));
        let rays = [
            _mm256_castsi256_si128(even),
            _mm256_castsi256_si128(odd),
            _mm256_extracti128_si256::<1>(even),
            _mm256_extracti128_si256::<1>(odd),
        ];
        for (ray, words) in rays.into_iter().enumerate() {
            push_ray((lanes >> (32 * half + 8 * ray)) as u8, words, moves);
        }
    }
}

/// Appends the wanted ones of eight moves.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn push_ray(wanted: u8, words: __m128i, moves: &mut MoveList) {
    let shuffle = &TO_THE_FRONT[wanted as usize];
    // SAFETY: `Shuffle` is 16 bytes, aligned to 16. The list has room for 64 words more than it may hold, and
    // none of these is 0: no lane leads back to its center.
    unsafe {
        let front = _mm_shuffle_epi8(words, _mm_load_si128(shuffle.0.as_ptr().cast()));
        _mm_storeu_si128(moves.end().cast(), front);
    }
    moves.extend_by(wanted.count_ones() as usize);
}

/// Pawn moves to squares, each from so many squares back.
#[inline]
fn push_pawns<const US: usize>(mut targets: Set, distance: u8, kind: MoveKind, moves: &mut MoveList) {
    while targets != 0 {
        let to = targets.trailing_zeros() as u8;
        targets &= targets - 1;
        let from = if US == 0 { to.wrapping_sub(distance) } else { to.wrapping_add(distance) };
        moves.push(Move::new(Square::from_dense(from), Square::from_dense(to), kind));
    }
}

/// The square with the lowest number.
#[inline]
fn first_of(set: Set) -> Square {
    Square::from_dense(set.trailing_zeros() as u8)
}

/// Takes the square with the lowest number out of a set; [`NO_CENTER`] if it is empty.
#[inline]
fn take(set: &mut Set) -> usize {
    // Of an empty set it is the number behind the last square.
    const { assert!(NO_CENTER == Set::BITS as usize) };
    let first = set.trailing_zeros() as usize;
    *set &= set.wrapping_sub(1);
    first.min(NO_CENTER)
}

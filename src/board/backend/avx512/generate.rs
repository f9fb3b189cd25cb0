//! Lists of legal moves: officers three at a time, all pawns at once.
//!
//! # Three officers in one permute
//! A rook needs the even rays, a bishop the odd ones, a knight the jumps: together they fill the 64 lanes of
//! one look. Squares of the movers are compressed into three lists, and the n-th look reads the n-th entry of
//! each. A queen is in two lists. An army takes three looks, rarely more.
//! ```text
//!   lists      bytes 0-15 straight movers | 16-31 diagonal movers | 32-47 knights | rest: no square
//!   pattern    32 0 0 0 0 0 0 0 | 32 16 16 16 16 16 16 16 | 32 0 ...   (+1 for the next look)
//!   center     e1 a1 a1 a1 ...  | e1 c1 c1 c1 ...         | e1 a1 ...
//! ```
//! # All pawns in one permute
//! ```text
//!   lanes 0-15 one step | 16-31 two steps | 32-47 capture west | 48-63 capture east    (lane = slot)
//! ```
//! # From lanes to moves
//! The wanted lanes of "to" and of "from" are compressed to the front and zipped: a move is `from << 8 | to`.

use super::super::lanes::{DIAGONAL, STRAIGHT, direction_of, visible};
use super::super::limits::{self, CastlingPath, Limits};
use super::super::sets::{self, Men, Set};
use super::flood::{self, Kinds};
use super::look::{self, Cells};
use super::{Lanes, V, stamped};
use crate::board::generate::Wanted;
use crate::board::{NO_SQUARE, Position, man};
use crate::types::{Color, Move, MoveKind, MoveList, OFF_BOARD, Square, Step};
use std::arch::x86_64::*;

/// Which list each lane of a look reads.
static PATTERN: Lanes = {
    const STRAIGHT_MOVERS: u8 = 0;
    const DIAGONAL_MOVERS: u8 = 16;
    const KNIGHTS: u8 = 32;
    let mut pattern = [KNIGHTS; 64];
    let mut lane = 0;
    while lane < 64 {
        if STRAIGHT >> lane & 1 != 0 {
            pattern[lane] = STRAIGHT_MOVERS;
        } else if DIAGONAL >> lane & 1 != 0 {
            pattern[lane] = DIAGONAL_MOVERS;
        }
        lane += 1;
    }
    Lanes(pattern)
};

/// By color: a pawn's distances, sixteen lanes of each.
static PAWN_OFFSETS: [Lanes; 2] = [pawn_offsets(Color::White), pawn_offsets(Color::Black)];

const fn pawn_offsets(color: Color) -> Lanes {
    let forward = Step::forward(color).0;
    let [west, east] = Step::pawn_captures(color);
    let distances = [forward, forward.wrapping_mul(2), west.0, east.0];
    let mut table = [0; 64];
    let mut lane = 0;
    while lane < 64 {
        table[lane] = distances[lane / 16];
        lane += 1;
    }
    Lanes(table)
}

/// The square of each number in 0..64.
static SQUARES: Lanes = {
    let mut table = [0; 64];
    let mut number = 0;
    while number < 64 {
        table[number] = Square::from_dense(number as u8).to_0x88();
        number += 1;
    }
    Lanes(table)
};

/// The sixteen lanes of two steps, as 32-bit words of a register.
const TWO_STEP_WORDS: u16 = 0x00F0;
/// The 32 lanes of captures.
const CAPTURE_LANES: u64 = !0 << 32;
/// The rest of a register behind compressed bytes: anything but 0, which is no move.
const FILLER: i8 = 0x11;

/// Appends the wanted legal moves to a list.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,popcnt,bmi1,bmi2,lzcnt"
)]
pub(super) fn generate(position: &Position, wanted: Wanted, moves: &mut MoveList) {
    match (position.side, position.checkers != 0) {
        (Color::White, false) => generate_for::<0, 1, false>(position, wanted, moves),
        (Color::White, true) => generate_for::<0, 1, true>(position, wanted, moves),
        (Color::Black, false) => generate_for::<1, 0, false>(position, wanted, moves),
        (Color::Black, true) => generate_for::<1, 0, true>(position, wanted, moves),
    }
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,popcnt,bmi1,bmi2,lzcnt"
)]
#[inline]
fn generate_for<const US: usize, const THEM: usize, const CHECKED: bool>(
    position: &Position,
    wanted: Wanted,
    moves: &mut MoveList,
) {
    let cells = Cells::of(position);
    let kinds = Kinds::of(cells);
    let men = stamped::men::<US, THEM>(position, kinds);
    let limits = if position.pinned == 0 { Limits::NONE } else { limits::pinned_limits(position) };
    let writer = Writer::<US, CHECKED>::new(position, cells, wanted, &men);
    writer.king_moves(&men, flood::attacked::<THEM>(kinds, &men), &limits, moves);
    let is_double_check = CHECKED && position.checkers & (position.checkers - 1) != 0;
    if !is_double_check {
        writer.officers(moves);
        if !CHECKED && position.pinned != 0 {
            writer.pinned_sliders(moves);
        }
        writer.pawns(moves);
    }
}

/// One generation: the board, the roster, and where the men may go.
struct Writer<'a, const US: usize, const CHECKED: bool> {
    position: &'a Position,
    cells: Cells,
    wanted: Wanted,
    /// Squares and kinds of the own men by slot.
    squares: __m128i,
    kinds: __m128i,
    /// In check: a board with a bit set where a man other than the king may land.
    goal: Cells,
}

impl<'a, const US: usize, const CHECKED: bool> Writer<'a, US, CHECKED> {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
    #[inline]
    fn new(position: &'a Position, cells: Cells, wanted: Wanted, men: &Men) -> Self {
        let goal = if CHECKED { goal(position, men) } else { cells };
        // SAFETY: both rosters are 16 bytes each.
        let (squares, kinds) = unsafe {
            (
                _mm_load_si128(position.squares[US].as_ptr().cast()),
                _mm_load_si128(position.kinds[US].as_ptr().cast()),
            )
        };
        Writer { position, cells, wanted, squares, kinds, goal }
    }

    /// Slots of the own men with one of these bits.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    #[inline]
    fn slots(&self, bits: u8) -> u16 {
        _mm_test_epi8_mask(self.kinds, _mm_set1_epi8(bits as i8))
    }

    /// Steps of the king, and castling.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,popcnt")]
    #[inline]
    fn king_moves(&self, men: &Men, attacked: Set, limits: &Limits, moves: &mut MoveList) {
        let king = self.position.squares[US][0];
        let danger = match self.position.checkers {
            0 => attacked,
            checkers => attacked | limits::shadows(king, checkers, men.enemy_pawns),
        };
        let landing = match self.wanted {
            Wanted::All => !men.own,
            Wanted::Noisy => men.enemy,
            Wanted::Quiet => !(men.own | men.enemy),
        };
        let steps = sets::RINGS[men.king as usize & 63] & landing & !danger;
        push_set(king, steps, moves);
        if !CHECKED && self.wanted.quiet() && self.position.rights.any(self.position.side) {
            for path in CastlingPath::both(self.position, self.position.side) {
                if path.is_open(men.own | men.enemy, danger, limits.pinned) {
                    let rook = Square::from_dense(path.rook.trailing_zeros() as u8);
                    moves.push(Move::new(Square::known(king), rook, MoveKind::Castling));
                }
            }
        }
    }

    /// Moves of the officers who are not pinned.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
    #[inline]
    fn officers(&self, moves: &mut MoveList) {
        let free = !self.position.pinned;
        let straight = self.slots(man::ROOK) & free;
        let diagonal = self.slots(man::BISHOP) & free;
        let knights = self.slots(man::KNIGHT) & free;
        let beside = _mm_set1_epi8(NO_SQUARE as i8);
        let sliders = _mm256_set_m128i(
            _mm_mask_compress_epi8(beside, diagonal, self.squares),
            _mm_mask_compress_epi8(beside, straight, self.squares),
        );
        let lists = _mm512_inserti32x4::<2>(
            _mm512_castsi256_si512(sliders),
            _mm_mask_compress_epi8(beside, knights, self.squares),
        );
        let looks = straight.count_ones().max(diagonal.count_ones()).max(knights.count_ones());
        let mut pattern = PATTERN.load();
        for _ in 0..looks {
            let center = _mm512_permutexvar_epi8(pattern, lists);
            pattern = _mm512_add_epi8(pattern, _mm512_set1_epi8(1));
            self.officer(center, sets::ALL, moves);
        }
    }

    /// Moves of the pinned sliders along their lines.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1")]
    fn pinned_sliders(&self, moves: &mut MoveList) {
        let king = self.position.squares[US][0];
        let mut slots = self.position.pinned & self.slots(man::QUEEN);
        while slots != 0 {
            let slot = slots.trailing_zeros() as usize & 15;
            slots &= slots - 1;
            let square = self.position.squares[US][slot];
            let direction = direction_of(king, square);
            let needed = if direction & 1 == 0 { man::ROOK } else { man::BISHOP };
            if self.position.kinds[US][slot] & needed != 0 {
                let line = 0xFEu64 << (direction * 8) | 0xFE << ((direction ^ 4) * 8);
                self.officer(_mm512_set1_epi8(square as i8), line, moves);
            }
        }
    }

    /// Moves to the lanes seen, of those asked for.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
    #[inline]
    fn officer(&self, center: V, asked: u64, moves: &mut MoveList) {
        let look = look::look_from_list(self.cells, center);
        let own = look.of_color(US);
        let landing = match self.wanted {
            Wanted::All => !own,
            Wanted::Noisy => look.occupied & !own,
            Wanted::Quiet => !look.occupied,
        };
        let mut lanes = visible(look.occupied) & look.valid & landing & asked;
        if CHECKED {
            lanes &= _mm512_movepi8_mask(self.goal.gather(!0, look.squares));
        }
        push_lanes(lanes, center, look.squares, moves);
    }

    /// Moves of all pawns.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
    #[inline]
    fn pawns(&self, moves: &mut MoveList) {
        let from = _mm512_broadcast_i32x4(self.squares);
        let to = _mm512_add_epi8(from, PAWN_OFFSETS[US].load());
        let valid = _mm512_testn_epi8_mask(to, _mm512_set1_epi8(OFF_BOARD as i8));
        let men = self.cells.gather(valid, to);
        let enemy = _mm512_test_epi8_mask(men, _mm512_set1_epi8(man::COLOR[1 - US] as i8));
        let empty = _mm512_testn_epi8_mask(men, men);

        let pawns = self.slots(man::PAWN);
        let [steps, west, east] = self.free_pawns(pawns);
        let one_step = steps & empty as u16;
        let two_steps = one_step & (empty >> 16) as u16 & self.on_rank(if US == 0 { 1 } else { 6 });
        let pushes = u64::from(one_step) | u64::from(two_steps) << 16;
        let captures = enemy & valid & (u64::from(west) << 32 | u64::from(east) << 48);
        let mut lanes = pushes | captures;
        if CHECKED {
            lanes &= _mm512_movepi8_mask(self.goal.gather(valid, to));
        }
        let promoting = lanes & four_times(self.on_rank(if US == 0 { 6 } else { 1 }));
        let plain = lanes
            & !promoting
            & match self.wanted {
                Wanted::All => !0,
                Wanted::Noisy => CAPTURE_LANES,
                Wanted::Quiet => !CAPTURE_LANES,
            };
        let double_step = _mm512_set1_epi8(MoveKind::DoubleStep as i8);
        push_lanes(plain, from, _mm512_mask_or_epi32(to, TWO_STEP_WORDS, to, double_step), moves);
        if self.wanted.noisy() {
            if promoting != 0 {
                push_promotions(promoting, from, to, moves);
            }
            if self.position.en_passant != NO_SQUARE {
                self.en_passant(moves);
            }
        }
    }

    /// The pawns free to step, to capture west, to capture east.
    #[inline]
    fn free_pawns(&self, pawns: u16) -> [u16; 3] {
        let pinned = self.position.pinned & pawns;
        if pinned == 0 {
            return [pawns; 3];
        }
        let free = pawns & !pinned;
        if CHECKED {
            return [free; 3];
        }
        let king = self.position.squares[US][0];
        let mut by_line = [0; 4];
        for slot in (0..16).filter(|slot| pinned >> slot & 1 != 0) {
            by_line[direction_of(king, self.position.squares[US][slot]) & 3] |= 1 << slot;
        }
        let [west, east] = sets::capture_lines::<US>();
        [free | by_line[0], free | by_line[west], free | by_line[east]]
    }

    /// Slots of the men on a rank.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    #[inline]
    fn on_rank(&self, rank: u8) -> u16 {
        let ranks = _mm_and_si128(self.squares, _mm_set1_epi8(0x70));
        _mm_cmpeq_epi8_mask(ranks, _mm_set1_epi8((rank << 4) as i8))
    }

    /// Captures en passant.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi1")]
    fn en_passant(&self, moves: &mut MoveList) {
        let target = self.position.en_passant;
        let view = match US {
            0 => look::view::<1>(self.cells, self.position.squares[US][0]),
            _ => look::view::<0>(self.cells, self.position.squares[US][0]),
        };
        let color = Color::from_index(US as u8);
        for step in Step::pawn_captures(color) {
            let Some(from) = Square::known(target).offset(step.reversed()) else { continue };
            let is_pawn = self.position.cells[from.index()] == man::PAWN | man::COLOR[US];
            if is_pawn && view.allows_en_passant(from.to_0x88(), target) {
                moves.push(Move::new(from, Square::known(target), MoveKind::EnPassant));
            }
        }
    }
}

/// A board with a bit set where a man other than the king may land to end the check.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn goal(position: &Position, men: &Men) -> Cells {
    let king = Square::from_dense(men.king as u8).to_0x88();
    let squares = sets::to_0x88(sets::evasions(king, position.checkers.trailing_zeros()));
    Cells::new(_mm512_movm_epi8(squares as u64), _mm512_movm_epi8((squares >> 64) as u64))
}

/// The same sixteen bits four times.
#[inline]
const fn four_times(slots: u16) -> u64 {
    slots as u64 * 0x0001_0001_0001_0001
}

/// Appends a king's steps, at most eight.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
#[inline]
fn push_set(from: u8, set: Set, moves: &mut MoveList) {
    let filler = _mm512_set1_epi8(FILLER);
    let to = _mm512_castsi512_si128(_mm512_mask_compress_epi8(filler, set, SQUARES.load()));
    let words = _mm_or_si128(_mm_cvtepu8_epi16(to), _mm_set1_epi16(i16::from(from) << 8));
    // SAFETY: the list has room for 64 words more than it may hold, and none of these is 0: where `from` is
    // a1, `to` is another square or filler.
    unsafe { _mm_storeu_si128(moves.end().cast(), words) };
    moves.extend_by(set.count_ones() as usize);
}

/// Appends a move for each of the lanes.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
#[inline]
fn push_lanes(lanes: u64, from: V, to: V, moves: &mut MoveList) {
    /// Words in a register.
    const HALF: u32 = 32;
    let filler = _mm512_set1_epi8(FILLER);
    let to = _mm512_mask_compress_epi8(filler, lanes, to);
    let from = _mm512_mask_compress_epi8(filler, lanes, from);
    let count = lanes.count_ones();
    let end = moves.end();
    // SAFETY: the list has room for 64 words more than it may hold, and none of these is 0: a move has two
    // different squares, and the rest is filler.
    unsafe {
        let first = zip(_mm512_castsi512_si256(from), _mm512_castsi512_si256(to));
        _mm512_storeu_si512(end.cast(), first);
        if count > HALF {
            let second = zip(_mm512_extracti64x4_epi64::<1>(from), _mm512_extracti64x4_epi64::<1>(to));
            _mm512_storeu_si512(end.add(HALF as usize).cast(), second);
        }
    }
    moves.extend_by(count as usize);
}

/// Words of a high and a low byte.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn zip(high: __m256i, low: __m256i) -> V {
    _mm512_or_si512(_mm512_cvtepu8_epi16(low), _mm512_slli_epi16::<8>(_mm512_cvtepu8_epi16(high)))
}

/// Appends the four promotions for each of the lanes.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
fn push_promotions(lanes: u64, from: V, to: V, moves: &mut MoveList) {
    let kinds =
        [MoveKind::PromoteQueen, MoveKind::PromoteRook, MoveKind::PromoteBishop, MoveKind::PromoteKnight];
    for kind in kinds {
        let [low, high] = (kind as u16).to_le_bytes().map(|byte| _mm512_set1_epi8(byte as i8));
        push_lanes(lanes, _mm512_or_si512(from, high), _mm512_or_si512(to, low), moves);
    }
}

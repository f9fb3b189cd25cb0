//! Perft. The last two plies are counted together: the replies to a move are counted without building the
//! position after it.
//!
//! A move changes two squares. In sets that is two bits; in what the other king sees it is at most two lanes,
//! found by the difference of two 0x88 squares.

use super::super::lanes::View;
use super::super::sets::{self, CastlingPath, Limits, Set};
use super::flood::{self, Kinds, KingFacts, Men, Tally};
use super::generate;
use super::look::{self, Cells};
use super::play;
use crate::board::{Position, Wanted, man};
use crate::types::{Color, Move, MoveKind, MoveList};
use std::arch::x86_64::_pext_u32;

/// Number of sequences of legal moves of a length that is at least 1.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,popcnt,bmi1,bmi2,lzcnt"
)]
pub(super) fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return flood::count_moves(position) as u64;
    }
    match position.side {
        Color::White => descend::<0, 1>(position, depth),
        Color::Black => descend::<1, 0>(position, depth),
    }
}

/// Counts at depth 2 or more.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,popcnt,bmi1,bmi2,lzcnt"
)]
fn descend<const US: usize, const THEM: usize>(position: &Position, depth: u32) -> u64 {
    let mut moves = MoveList::new();
    generate::generate(position, Wanted::All, &mut moves);
    if depth == 2 {
        return count_replies::<US, THEM>(position, &moves);
    }
    let mut leaves = 0;
    for &m in &moves {
        let child = play::make(position, m).0;
        leaves += descend::<THEM, US>(&child, depth - 1);
    }
    leaves
}

/// Number of replies to all moves.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,popcnt,bmi1,bmi2,lzcnt"
)]
#[inline]
fn count_replies<const US: usize, const THEM: usize>(position: &Position, moves: &MoveList) -> u64 {
    let frontier = Frontier::new::<US, THEM>(position);
    let mut tally = Tally::new();
    for &m in moves {
        match m.kind() {
            MoveKind::Castling | MoveKind::EnPassant => {
                flood::count_position::<THEM, US>(&play::make(position, m).0, &mut tally);
            }
            _ => frontier.count_replies::<THEM, US>(m, &mut tally),
        }
    }
    tally.total()
}

/// A position whose moves are answered. "Own" are the men who answer.
struct Frontier<'a> {
    position: &'a Position,
    kinds: Kinds,
    men: Men,
    view: View,
    castling: [CastlingPath; 2],
}

impl<'a> Frontier<'a> {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,bmi1,bmi2")]
    #[inline]
    fn new<const US: usize, const THEM: usize>(position: &'a Position) -> Self {
        let cells = Cells::of(position);
        let kinds = Kinds::of(cells);
        Frontier {
            position,
            kinds,
            men: Men::of::<THEM, US>(position, kinds),
            view: look::view::<US>(cells, position.squares[THEM][0]),
            castling: CastlingPath::both(position, !position.side),
        }
    }

    /// Counts the replies of US to a move that is neither castling nor en passant.
    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,popcnt,bmi1,bmi2,lzcnt"
    )]
    #[inline]
    fn count_replies<const US: usize, const THEM: usize>(&self, m: Move, tally: &mut Tally) {
        let arriving = self.arriving(m);
        let (from, to) = (m.from().to_0x88(), m.to().to_0x88());
        let (from_number, to_number) = numbers(m);
        let (left, entered) = (1u64 << from_number, 1u64 << to_number);
        let kinds = self.kinds.after(left | entered, entered, arriving);
        let pawn_entered = if sets::is_pawn(arriving) { entered } else { 0 };
        let men = Men {
            own: self.men.own & !entered,
            enemy: self.men.enemy & !left | entered,
            own_pawns: self.men.own_pawns & !entered,
            enemy_pawns: self.men.enemy_pawns & !left | pawn_entered,
            king: self.men.king,
            enemy_king: if from_number == self.men.enemy_king { to_number } else { self.men.enemy_king },
        };
        let view = self.view.after(from, to, arriving);
        let checkers = view.checkers();
        let pins = view.pins();
        let mut king =
            KingFacts { is_checked: checkers != 0, shadows: 0, castling: self.castling_after(entered) };
        if checkers | pins.pinners == 0 {
            flood::count::<US, THEM, false>(kinds, &men, &Limits::NONE, &king, tally);
        } else {
            let mut limits = Limits::NONE;
            for (line, lane) in pins {
                limits.pin(line, sets::lane_square(view.king, lane));
            }
            if checkers != 0 {
                king.shadows = sets::shadows(view.king, checkers, men.enemy_pawns);
                limits.answer_checks(view.king, checkers);
            }
            flood::count::<US, THEM, true>(kinds, &men, &limits, &king, tally);
        }
        if m.kind() == MoveKind::DoubleStep {
            let passed = m.from().to_0x88().midpoint(to);
            tally.add(flood::count_en_passant::<US>(&view, passed, men.own_pawns));
        }
    }

    /// The byte of the man who arrives.
    #[inline]
    fn arriving(&self, m: Move) -> u8 {
        let mover = self.position.cells[m.from().index()];
        match m.promotion() {
            Some(kind) => mover & !man::KIND | man::bits_of(kind),
            None => mover,
        }
    }

    /// Castling of those who answer, after a move to a square.
    #[inline]
    fn castling_after(&self, entered: Set) -> [CastlingPath; 2] {
        self.castling.map(|path| if path.rook & entered == 0 { path } else { CastlingPath::NONE })
    }
}

/// The numbers in 0..64 of a move's two squares.
#[target_feature(enable = "bmi2")]
#[inline]
fn numbers(m: Move) -> (u32, u32) {
    const SQUARES: u32 = 0x7777;
    let both = _pext_u32(u32::from(m.bits()), SQUARES);
    (both >> 6, both & 63)
}

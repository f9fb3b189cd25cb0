//! Making moves: the men move as on the plain board; checks and pins come from one look.
//!
//! The look is at the cells before the move, with the move's two squares changed in the lanes: bytes just
//! written cannot be read back as a register without waiting until they have reached the cache.

use super::super::lanes::View;
use super::look::{self, Cells};
use crate::board::{Delta, Position};
use crate::types::{Color, Move};

/// The position after a legal move, and what has changed on the board.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,popcnt,bmi1,bmi2,lzcnt"
)]
pub(super) fn make(position: &Position, m: Move) -> (Position, Delta) {
    match position.side {
        Color::White => make_for::<0, 1>(position, m),
        Color::Black => make_for::<1, 0>(position, m),
    }
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,popcnt,bmi1,bmi2,lzcnt"
)]
#[inline]
fn make_for<const US: usize, const THEM: usize>(position: &Position, m: Move) -> (Position, Delta) {
    let mut made = (*position, Delta::EMPTY);
    let (child, delta) = (&mut made.0, &mut made.1);
    *delta = child.play(m);
    let king = position.squares[THEM][0];
    let view = if m.is_castling() || m.is_en_passant() {
        look::view::<US>(Cells::of(child), king)
    } else {
        let before = look::view::<US>(Cells::of(position), king);
        before.after(m.from().to_0x88(), m.to().to_0x88(), child.cells[m.to().index()])
    };
    child.checkers = view.checkers();
    child.pinned = pinned_slots(position, &view);
    made
}

/// Slots of the pinned men, who have not just moved.
#[inline]
fn pinned_slots(position: &Position, view: &View) -> u16 {
    let mut slots = 0;
    for (_, lane) in view.pins() {
        let square = view.square(lane);
        slots |= 1 << (position.cells[(square | 8) as usize & 127] & 15);
    }
    slots
}

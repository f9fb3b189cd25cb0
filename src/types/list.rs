//! A list of moves on the stack.

use super::{Move, MoveKind, Square};
use std::ops::Deref;

/// Room for moves. No position that a game can reach has more than 218; 15 queens and a king
/// on an empty board could not have more than 413.
pub const MAX_MOVES: usize = 416;

/// Slack behind the last move, so that a backend may store whole vector registers.
const SLACK: usize = 64;

/// Moves in a fixed array, so that generating allocates nothing.
///
/// ```
/// use clavier::board::Position;
/// let moves = Position::start().legal_moves();
/// assert_eq!(moves.len(), 20);
/// assert!(moves.iter().all(|m| m.from().rank() < 2));
/// ```
#[derive(Clone)]
pub struct MoveList {
    len: usize,
    moves: [Move; MAX_MOVES + SLACK],
}

impl MoveList {
    /// An empty list.
    #[inline]
    pub const fn new() -> MoveList {
        const FILLER: Move = Move::new(Square::A1, Square::B1, MoveKind::Plain);
        MoveList { len: 0, moves: [FILLER; MAX_MOVES + SLACK] }
    }

    /// Appends a move.
    #[inline]
    pub fn push(&mut self, m: Move) {
        self.moves[self.len] = m;
        self.len += 1;
    }

    /// Forgets all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Keeps the moves that the filter likes, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            let m = self.moves[index];
            if keep(m) {
                self.moves[kept] = m;
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// The moves, to be sorted or searched.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len]
    }

    /// Where the next moves go, for backends that store registers of up to 64 moves at a time;
    /// what they store must be moves (nonzero words), also beyond the ones they count.
    #[inline]
    #[allow(dead_code)]
    pub(crate) fn end(&mut self) -> *mut Move {
        debug_assert!(self.len <= MAX_MOVES);
        self.moves[self.len..].as_mut_ptr()
    }

    /// Counts moves that a backend has stored at [`MoveList::end`].
    #[inline]
    #[allow(dead_code)]
    pub(crate) fn extend_by(&mut self, count: usize) {
        self.len += count;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

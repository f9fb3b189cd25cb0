//! The principal variation of each ply.

use crate::types::Move;
use crate::types::score::MAX_PLY;

/// A line of moves.
#[derive(Clone)]
pub(super) struct PvLine {
    len: usize,
    moves: [Option<Move>; MAX_PLY],
}

impl PvLine {
    pub const EMPTY: PvLine = PvLine { len: 0, moves: [None; MAX_PLY] };

    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Becomes a move and the line that follows it.
    pub fn set(&mut self, first: Move, rest: &PvLine) {
        self.len = (rest.len + 1).min(MAX_PLY);
        self.moves[0] = Some(first);
        self.moves[1..self.len].copy_from_slice(&rest.moves[..self.len - 1]);
    }

    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().flatten().copied()
    }
}

/// All plies' lines; the line of a ply is built from that of the next.
pub(super) struct PvTable(Box<[PvLine]>);

impl PvTable {
    pub fn new() -> PvTable {
        PvTable(vec![PvLine::EMPTY; MAX_PLY + 2].into_boxed_slice())
    }

    pub fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The line from a ply on is this move and the line of the next ply.
    pub fn update(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        upper[ply].set(m, &lower[0]);
    }

    pub fn line(&self, ply: usize) -> &PvLine {
        &self.0[ply]
    }
}

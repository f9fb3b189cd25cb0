//! The moves of the root.

use crate::board::Position;
use crate::types::{Bound, Move, Score};
use std::cmp::Reverse;

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub m: Move,
    /// Its value in this iteration; [`Score::INFINITE`] negated if it was only found to be no better.
    pub score: Score,
    /// Its value in the iteration before.
    pub previous: Score,
    /// What the value says.
    pub bound: Bound,
    pub seldepth: usize,
    /// Nodes that all iterations have spent on it.
    pub nodes: u64,
    /// Its rank by the endgame tables, the higher the better; 0 if they do not know the root.
    pub rank: i32,
    /// What the endgame tables say, if they know the root.
    pub table_score: Option<Score>,
    /// The line it begins.
    pub pv: Vec<Move>,
}

impl RootMove {
    /// The legal moves, or those of them that are asked for, in the order of their bits.
    pub fn all(position: &Position, asked: &[Move]) -> Vec<RootMove> {
        let unknown = -Score::INFINITE;
        position
            .sorted_moves()
            .iter()
            .filter(|m| asked.is_empty() || asked.contains(m))
            .map(|&m| RootMove {
                m,
                score: unknown,
                previous: unknown,
                bound: Bound::Upper,
                seldepth: 0,
                nodes: 0,
                rank: 0,
                table_score: None,
                pv: vec![m],
            })
            .collect()
    }
}

/// Sorts by rank, then by value, best first; moves that are equal keep their order.
pub(super) fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root_move| Reverse((root_move.rank, root_move.score, root_move.previous)));
}

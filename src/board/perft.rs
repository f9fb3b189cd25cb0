//! Counting leaves, the test of every move generator: <https://www.chessprogramming.org/Perft>.

use super::Position;
use crate::types::Move;

/// Number of sequences of legal moves of this length. The last move is counted without being made.
///
/// ```
/// use clavier::board::{Position, perft};
/// assert_eq!(perft::count(&Position::start(), 3), 8902);
/// ```
pub fn count(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves() as u64,
        _ => position.legal_moves().iter().map(|&m| count(&position.make(m), depth - 1)).sum(),
    }
}

/// The count behind each move of the root.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    position.legal_moves().iter().map(|&m| (m, count(&position.make(m), depth.saturating_sub(1)))).collect()
}

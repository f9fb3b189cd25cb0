//! Counting leaves, the test of every move generator: <https://www.chessprogramming.org/Perft>.

pub mod suite;
mod table;

pub use table::Table;

use super::{Position, Wanted, backend};
use crate::types::{Move, MoveList};
use rayon::prelude::*;

/// Number of sequences of legal moves of this length. The last move is counted without being made.
///
/// ```
/// use clavier::board::{Position, perft};
/// assert_eq!(perft::count(&Position::start(), 3), 8902);
/// ```
pub fn count(position: &Position, depth: u32) -> u64 {
    if depth == 0 { 1 } else { backend::chosen().perft(position, depth) }
}

/// The recursion on the plain board; the depth is at least 1.
pub(super) fn count_scalar(position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return position.count_moves_scalar() as u64;
    }
    let mut moves = MoveList::new();
    position.generate_scalar(Wanted::All, &mut moves);
    if depth == 2 {
        return moves.iter().map(|&m| position.count_replies(m) as u64).sum();
    }
    let mut child = *position;
    let count_behind = |&m: &Move| {
        position.make_scalar(m, &mut child);
        count_scalar(&child, depth - 1)
    };
    moves.iter().map(count_behind).sum()
}

/// Like [`count`], remembering counts in a table that is used for this root alone.
pub fn count_with_table(position: &Position, depth: u32, table: &Table) -> u64 {
    if depth < 2 {
        return count(position, depth);
    }
    if let Some(known) = table.get(position.key(), depth) {
        return known;
    }
    let leaves = if depth == 2 {
        count(position, depth)
    } else {
        position.legal_moves().iter().map(|&m| count_with_table(&position.make(m), depth - 1, table)).sum()
    };
    table.put(position.key(), depth, leaves);
    leaves
}

/// The count behind each move of the root, in the order of their generation. Runs on the threads of the
/// rayon pool from which it is called; give it none of the table to count every line.
pub fn divide(position: &Position, depth: u32, table: Option<&Table>) -> Vec<(Move, u64)> {
    let moves = position.legal_moves();
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let jobs = jobs(position, &moves, rest);
    let counts: Vec<(usize, u64)> = jobs
        .par_iter()
        .with_max_len(1)
        .map(|job| {
            let leaves = match table {
                Some(table) => count_with_table(&job.position, job.depth, table),
                None => count(&job.position, job.depth),
            };
            (job.root_move, leaves)
        })
        .collect();
    let mut divided: Vec<(Move, u64)> = moves.iter().map(|&m| (m, 0)).collect();
    for (root_move, leaves) in counts {
        divided[root_move].1 += leaves;
    }
    divided
}

/// One part of a divided count.
struct Job {
    root_move: usize,
    position: Position,
    depth: u32,
}

/// Positions after one ply, or after two where that leaves enough work for each.
fn jobs(position: &Position, moves: &[Move], rest: u32) -> Vec<Job> {
    /// Plies that make a job worth being split off.
    const LARGE: u32 = 3;
    let children = moves.iter().map(|&m| position.make(m)).enumerate();
    if rest <= LARGE {
        return children.map(|(root_move, position)| Job { root_move, position, depth: rest }).collect();
    }
    let mut jobs = Vec::new();
    for (root_move, child) in children {
        for &reply in &child.legal_moves() {
            jobs.push(Job { root_move, position: child.make(reply), depth: rest - 1 });
        }
    }
    jobs
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn a_divided_count_adds_up() {
        let position: Position = KIWIPETE.parse().unwrap();
        for depth in [1, 2, 3, 4] {
            let divided = divide(&position, depth, None);
            assert_eq!(divided.len(), 48);
            assert_eq!(divided.iter().map(|&(_, leaves)| leaves).sum::<u64>(), count(&position, depth));
        }
        assert_eq!(divide(&position, 0, None), []);
    }

    #[test]
    fn a_table_changes_no_count() {
        let position: Position = KIWIPETE.parse().unwrap();
        let table = Table::new(1).unwrap();
        assert_eq!(count_with_table(&position, 4, &table), 4_085_603);
        assert_eq!(divide(&position, 4, Some(&table)), divide(&position, 4, None));
    }
}

//! Layer 7: how many positions a second the engine searches on this machine, with all its cores.

use crate::bench::{self, POSITIONS};
use crate::engine::Engine;
use crate::search::{Limits, TableError};
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// One position of so many in the benchmark is searched, so that all phases of the game have a part.
const STRIDE: usize = 4;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Threads of every search.
    pub threads: usize,
    /// Memory for the transposition table, in MiB.
    pub hash_mb: usize,
    /// Time for all searches together.
    pub time: Duration,
}

/// What was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// Nodes of all searches.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// Time of all searches, in milliseconds.
    pub time_ms: f64,
    /// Threads of every search.
    pub threads: usize,
    /// Memory for the transposition table, in MiB.
    pub hash_mb: usize,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.nps)
    }
}

/// Measures. The share of the work that is done, in 0..=1, and what was measured so far are told after each
/// position.
///
/// # Errors
/// If there is not so much memory.
///
/// # Panics
/// Never: a test reads all positions.
pub fn run(plan: &Plan, mut tell: impl FnMut(f64, &Outcome)) -> Result<Outcome, TableError> {
    let mut engine = Engine::new();
    engine.set_threads(plan.threads);
    engine.set_hash(plan.hash_mb)?;
    let count = POSITIONS.len().div_ceil(STRIDE);
    let limits = Limits { move_time: Some(plan.time / count as u32), ..Limits::default() };
    let mut time = Duration::ZERO;
    let mut outcome = Outcome { threads: plan.threads, hash_mb: plan.hash_mb, ..Outcome::default() };
    for (index, fen) in POSITIONS.iter().step_by(STRIDE).enumerate() {
        let position = fen.parse().expect("the positions of the benchmark are legal");
        let report = bench::search(&mut engine, position, &limits);
        outcome.nodes += report.nodes;
        time += report.time;
        outcome.time_ms = time.as_secs_f64() * 1000.0;
        outcome.nps = (u128::from(outcome.nodes) * 1_000_000 / time.as_micros().max(1)) as u64;
        tell((index + 1) as f64 / count as f64, &outcome);
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_kept_and_all_nodes_are_counted() {
        let plan = Plan { threads: 2, hash_mb: 1, time: Duration::from_millis(200) };
        let mut shares = Vec::new();
        let outcome = run(&plan, |share, _| shares.push(share)).unwrap();
        assert!(outcome.nodes > 0 && outcome.nps > 0);
        assert!(outcome.time_ms < 5000.0, "{}", outcome.time_ms);
        assert!(shares.is_sorted() && shares.last() == Some(&1.0), "{shares:?}");
    }
}

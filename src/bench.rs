//! Layer 7: the benchmark. Fixed positions to a fixed depth: with one thread the number of nodes is the
//! signature of the search, the same on every machine.

use crate::board::Position;
use crate::engine::Engine;
use crate::game::Game;
use crate::search::{Event, Limits, Report, Reporter};
use serde::Serialize;
use std::fmt;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

/// Depth of the benchmark unless another one is asked for, in plies.
pub const DEFAULT_DEPTH: u32 = 11;
/// Memory for the transposition table unless another size is asked for, in MiB.
pub const DEFAULT_HASH_MB: usize = 16;

/// What is searched, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Depth of every search, in plies.
    pub depth: u32,
    /// Memory for the transposition table, in MiB.
    pub hash_mb: usize,
    /// Threads of every search. With more than one the number of nodes varies.
    pub threads: usize,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { depth: DEFAULT_DEPTH, hash_mb: DEFAULT_HASH_MB, threads: 1 }
    }
}

/// Why there is no such benchmark.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bench takes a depth from 1 on, not {0:?}")]
pub struct PlanError(String);

impl Plan {
    /// The plan that the words after `bench` mean: a depth or nothing.
    ///
    /// # Errors
    /// If the first word is no depth.
    pub fn parse(words: &[String]) -> Result<Plan, PlanError> {
        let Some(word) = words.first() else { return Ok(Plan::default()) };
        match word.parse() {
            Ok(depth @ 1..) => Ok(Plan { depth, ..Plan::default() }),
            _ => Err(PlanError(word.chars().take(20).collect())),
        }
    }
}

/// What the benchmark has measured. Its text is the line that OpenBench and fishtest look for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Nodes of all searches.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// Time of all searches, in milliseconds.
    pub time_ms: f64,
    /// Depth of every search, in plies.
    pub depth: u32,
    /// Number of positions searched.
    pub positions: usize,
    /// Memory for the transposition table, in MiB.
    pub hash_mb: usize,
    /// Threads of every search.
    pub threads: usize,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.nps)
    }
}

/// Searches all positions. A line is told after each; the benchmark ends early when the listener answers false.
///
/// # Panics
/// Never: a test reads all positions.
pub fn run(plan: &Plan, mut tell: impl FnMut(&str) -> bool) -> Outcome {
    let mut engine = Engine::new();
    if let Err(error) = engine.set_hash(plan.hash_mb) {
        tell(&error.to_string());
    }
    engine.set_threads(plan.threads);
    let (mut nodes, mut time, mut positions) = (0, Duration::ZERO, 0);
    for (index, fen) in POSITIONS.iter().enumerate() {
        let position: Position = fen.parse().expect("the positions of the benchmark are legal");
        let report = search(&mut engine, position, &Limits::depth(plan.depth));
        nodes += report.nodes;
        time += report.time;
        positions += 1;
        if !tell(&format!("{:>2}/{} {:>10} nodes  {fen}", index + 1, POSITIONS.len(), report.nodes)) {
            break;
        }
    }
    let nps = (u128::from(nodes) * 1_000_000 / time.as_micros().max(1)) as u64;
    let time_ms = time.as_secs_f64() * 1000.0;
    Outcome {
        nodes,
        nps,
        time_ms,
        depth: plan.depth,
        positions,
        hash_mb: plan.hash_mb,
        threads: plan.threads,
    }
}

/// Searches one position, from an empty table.
pub fn search(engine: &mut Engine, position: Position, limits: &Limits) -> Report {
    /// Hands the result of a search over.
    struct Result(Sender<Report>);
    impl Reporter for Result {
        fn report(&mut self, event: Event<'_>) {
            if let Event::Finished(report) = event {
                // The listener waits until the search has ended.
                let _ = self.0.send(report.clone());
            }
        }
    }
    let (sender, reports) = channel();
    engine.new_game();
    engine.set_game(Game::new(position));
    engine.go(limits, Box::new(Result(sender)));
    engine.wait();
    reports.recv().unwrap_or_default()
}

/// Openings, middlegames and endings of all kinds, well known as tests or composed for this list.
#[rustfmt::skip]
pub const POSITIONS: &[&str] = &[
    // Openings.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/pp3ppp/4pn2/2pp4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 5",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP3PPP/R1BQKB1R w KQ - 2 6",
    // Middlegames: the positions of generator tests and of Bratko and Kopec.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1",
    "1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1",
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1",
    "2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - - 0 1",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1",
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1",
    "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1",
    "r2q1rk1/4bppp/p2p4/2pP4/3pP3/3Q4/PP1B1PPP/R3R1K1 w - - 0 1",
    "rnb2r1k/pp2p2p/2pp2p1/q2P1p2/8/1Pb2NP1/PB2PPBP/R2Q1RK1 w - - 0 1",
    "2r3k1/1p2q1pp/2b1pr2/p1pp4/6Q1/1P1PP1R1/P1PN2PP/5RK1 w - - 0 1",
    "r1bqkb1r/4npp1/p1p4p/1p1pP1B1/8/1B6/PPPN1PPP/R2Q1RK1 w kq - 0 1",
    "r2q1rk1/1ppnbppp/p2p1nb1/3Pp3/2P1P1P1/2N2N1P/PPB1QP2/R1B2RK1 b - - 0 1",
    "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1",
    // Attacks on the king, where checks and sacrifices count.
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "r4rk1/pp3ppp/2n1b3/q1pp2B1/8/P1Q2NP1/1PP1PP1P/2KR3R w - - 0 15",
    "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    // Endings: pawns, rooks, minor pieces, queens, fortresses, zugzwang.
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/8/1p1k4/3p1p2/1P1P1P2/3K4/8/8 w - - 0 1",
    "8/5pk1/4p1p1/3pP2p/1r1P1P1P/1P4P1/R4K2/8 w - - 0 40",
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "8/3k1p2/2n3p1/2B1p2p/4P2P/3K1PP1/8/8 w - - 0 45",
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1",
    "8/8/8/4k3/8/8/3QK3/6r1 w - - 0 1",
    "5k2/8/4K3/8/2B5/3N4/8/8 w - - 0 1",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_are_legal_and_differ() {
        for (index, fen) in POSITIONS.iter().enumerate() {
            let position: Position = fen.parse().unwrap();
            assert_eq!(position.to_string(), *fen, "is written as it is read");
            assert!(position.has_legal_move(), "{fen}");
            assert!(!POSITIONS[..index].contains(fen), "{fen}");
        }
    }

    #[test]
    fn the_words_after_bench_are_a_depth_or_nothing() {
        assert_eq!(Plan::parse(&[]), Ok(Plan::default()));
        assert_eq!(Plan::parse(&["3".into()]).unwrap().depth, 3);
        assert!(Plan::parse(&["0".into()]).is_err());
        assert!(Plan::parse(&["deep".into()]).is_err());
    }

    #[test]
    fn the_benchmark_gives_the_same_number_twice() {
        let plan = Plan { depth: 3, ..Plan::default() };
        let [first, second] = [(); 2].map(|()| run(&plan, |_| true));
        assert_eq!((first.nodes, first.positions), (second.nodes, POSITIONS.len()));
        assert!(first.nodes > 1000);
        let early = run(&plan, |_| false);
        assert_eq!(early.positions, 1);
    }
}

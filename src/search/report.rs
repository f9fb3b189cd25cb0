//! What a search tells while it runs. The search prints nothing: UCI, JSON, bench and silence are
//! implementations of [`Reporter`].

use crate::types::{Bound, Move, Score};
use std::time::Duration;

/// One line of play with its value, as found by a finished or interrupted iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Rank among the lines of this iteration, 1 = best.
    pub multipv: usize,
    /// Nominal depth, in plies.
    pub depth: u32,
    /// Deepest ply that was visited.
    pub seldepth: u32,
    /// Value for the side to move, in internal units.
    pub score: Score,
    /// What the score says about the true value.
    pub bound: Bound,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Use of the transposition table, in permill.
    pub hashfull: u32,
    /// Tablebase hits of all threads.
    pub tbhits: u64,
    /// The moves; legal, and starting at the root.
    pub pv: Vec<Move>,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Report {
    /// The move to play; none if the root has no legal move.
    pub best: Option<Move>,
    /// The reply that is expected; legal after the best move.
    pub ponder: Option<Move>,
    /// The last complete lines, best first. Empty if the root has no legal move.
    pub lines: Vec<Line>,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}

/// What happens in a search.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A line was found or refined.
    Line(&'a Line),
    /// The search turns to a root move.
    Root {
        /// The move.
        current: Move,
        /// Its number in the order of search, from 1.
        number: usize,
        /// Depth of the iteration.
        depth: u32,
        /// Time since the search began.
        time: Duration,
    },
    /// The root has no legal move: mate or stalemate by its score.
    NoMove(Score),
    /// Something to be told to a person.
    Note(&'a str),
    /// The search has ended. This is the last event.
    Finished(&'a Report),
}

/// Takes the events of one search.
pub trait Reporter: Send {
    /// Takes an event. Called from the searching thread: return soon.
    fn report(&mut self, event: Event<'_>);
}

/// Tells nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Reporter for Silent {
    fn report(&mut self, _: Event<'_>) {}
}

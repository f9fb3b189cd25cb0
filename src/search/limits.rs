//! When a search has to end.

use crate::types::Move;
use std::time::Duration;

/// A side's clock, as `go` tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left; zero or less came as zero and means "move at once".
    pub remaining: Duration,
    /// Time added after every move.
    pub increment: Duration,
    /// Moves to the next time control; none in sudden death.
    pub moves_to_go: Option<u32>,
}

/// Everything that bounds a search. Without any bound it goes on until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Depth of the last iteration, in plies.
    pub depth: Option<u32>,
    /// Nodes after which the search stops at once.
    pub nodes: Option<u64>,
    /// Nodes after which no new iteration starts.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in so many moves is proven.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Do not end before being stopped, not even with mate found.
    pub infinite: bool,
    /// The opponent's time is running: do not end, and do not look at the clock, before the ponder hit.
    pub ponder: bool,
    /// Root moves to look at; empty = all.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Limits with a depth alone.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Limits with a number of nodes alone.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Will the search end by itself?
    pub fn is_bounded(&self) -> bool {
        !self.infinite
            && !self.ponder
            && (self.depth.is_some()
                || self.nodes.is_some()
                || self.soft_nodes.is_some()
                || self.mate.is_some()
                || self.move_time.is_some()
                || self.clock.is_some())
    }
}

//! Positions inside the tree with what the search found of them, for training (feature `train`).
//!
//! A search visits many quiet positions and self-play keeps the root alone. With a harvest, nodes of some depth
//! are kept too: their value or its bound is as good as a small search of their own. The idea: Veness, Silver,
//! Uther and Blair, "Bootstrapping from Game Tree Search", NIPS 2009 (`TreeStrap`).

use super::node::NodeFacts;
use super::table::Entry;
use super::worker::Worker;
use crate::board::Position;
use crate::types::{Bound, Score};
use std::collections::HashSet;

/// Least depth that was searched below a position.
const LEAST_DEPTH: i32 = 3;

/// A position with what a search found of it.
#[derive(Clone, Copy, Debug)]
pub struct Harvested {
    /// The position: not in check, its best move, if it is known, neither capture nor promotion.
    pub position: Position,
    /// Its value for the side to move, in internal units; no proven result.
    pub score: Score,
    /// Whether the value is exact, or at least or at most that.
    pub bound: Bound,
}

/// Collects positions of searches.
#[derive(Default)]
pub(super) struct Harvest {
    /// Positions of a search that are kept, at most; 0 = nothing is collected.
    per_search: usize,
    /// Of the present search, in the order in which they were finished.
    fresh: Vec<Harvested>,
    /// Of all searches since they were taken last.
    kept: Vec<Harvested>,
    /// Keys of those.
    known: HashSet<u64>,
}

impl Harvest {
    /// Keeps at most so many positions a search from now on.
    pub fn set_per_search(&mut self, count: usize) {
        self.per_search = count;
    }

    /// Ends a search: keeps some of its positions, each once, with what was found of it last. Keys are as good
    /// as chance, so that the smallest ones are a sample.
    pub fn end_search(&mut self) {
        self.fresh.reverse();
        self.fresh.sort_by_key(|item| item.position.key());
        self.fresh.dedup_by_key(|item| item.position.key());
        let known = &mut self.known;
        let new = self.fresh.drain(..).filter(|item| known.insert(item.position.key()));
        self.kept.extend(new.take(self.per_search));
    }

    /// All positions that were kept; the next ones may repeat them.
    pub fn take(&mut self) -> Vec<Harvested> {
        self.known.clear();
        std::mem::take(&mut self.kept)
    }
}

impl Worker {
    /// Collects the position of a node that has been searched, if it is one to learn from.
    pub(super) fn gather(&mut self, facts: &NodeFacts, found: &Entry) {
        if self.harvest.per_search == 0
            || facts.depth < LEAST_DEPTH
            || facts.in_check
            || found.score.is_decided()
        {
            return;
        }
        let position = *self.position(facts.ply);
        if found.best.is_none_or(|m| !position.is_noisy(m)) {
            self.harvest.fresh.push(Harvested { position, score: found.score, bound: found.bound });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Limits, Searcher, Silent};
    use crate::game::Game;

    #[test]
    fn a_search_yields_quiet_positions_once_each() {
        let mut searcher = Searcher::new(1);
        searcher.harvest(8);
        let game =
            Game::new("r1bq1rk1/pp3ppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10".parse().unwrap());
        searcher.search(&game, &Limits::nodes(5000), &mut Silent);
        let first = searcher.take_harvest();
        assert_eq!(first.len(), 8);
        assert!(first.iter().all(|item| !item.position.in_check() && !item.score.is_decided()));
        let keys: std::collections::HashSet<_> = first.iter().map(|item| item.position.key()).collect();
        assert_eq!(keys.len(), 8);
        assert!(searcher.take_harvest().is_empty());
    }

    #[test]
    fn nothing_is_collected_unless_asked_for() {
        let mut searcher = Searcher::new(1);
        searcher.search(&Game::default(), &Limits::nodes(2000), &mut Silent);
        assert!(searcher.take_harvest().is_empty());
    }
}

//! Positions inside the tree with their values, for training (feature `train`).
//!
//! A search visits many quiet positions and self-play keeps the root alone. A harvest keeps some of the others, from
//! one of two [`HarvestSource`]s: nodes of some depth, whose value or its bound is as good as a small search of their
//! own (Veness, Silver, Uther and Blair, "Bootstrapping from Game Tree Search", NIPS 2009, `TreeStrap`), or leaves on
//! whose evaluation the search hung, which get a small search of their own
//! (<https://github.com/nodchip/Stockfish/pull/264>).

use super::node::{NodeFacts, Window};
use super::table::Entry;
use super::worker::Worker;
use super::{Limits, Searcher, Silent};
use crate::board::Position;
use crate::game::Game;
use crate::types::{Bound, Score};
use std::collections::{BTreeMap, HashSet};

/// Least depth that was searched below a position of the tree.
const LEAST_DEPTH: i32 = 3;
/// How far outside the window a leaf's evaluation may be, in internal units: a better one might have changed the line.
const NEAR_WINDOW: i32 = 100;
/// Nodes of a leaf's own search after which no new iteration starts: depth 4 or 5. Many small labels teach more than
/// few large ones.
const LABEL_NODES: u64 = 150;
/// Nodes at which it stops.
const MOST_LABEL_NODES: u64 = 8 * LABEL_NODES;

/// Where a harvest comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HarvestSource {
    /// Nodes of some depth, with what the search found of them, exact or a bound.
    #[default]
    Tree,
    /// Leaves whose evaluation was near the window, with what a small search of their own finds; exact.
    Leaves,
}

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
    source: HarvestSource,
    /// Positions of a search that are kept, at most; 0 = nothing is collected.
    per_search: usize,
    /// Those of the present search with the smallest keys. Keys are as good as chance, so that they are a sample.
    fresh: BTreeMap<u64, Harvested>,
    /// Of all searches since they were taken last.
    kept: Vec<Harvested>,
    /// Keys of those.
    known: HashSet<u64>,
}

impl Harvest {
    /// Is anything to be collected from this source?
    #[inline]
    fn wants(&self, source: HarvestSource) -> bool {
        self.per_search > 0 && self.source == source
    }

    /// Takes a position into the sample of the present search, once, with what was found of it last.
    fn offer(&mut self, item: &Harvested) {
        let key = item.position.key();
        let is_full = self.fresh.len() == self.per_search;
        let is_too_large = is_full && self.fresh.last_key_value().is_some_and(|(&last, _)| key > last);
        if is_too_large || self.known.contains(&key) {
            return;
        }
        self.fresh.insert(key, *item);
        if self.fresh.len() > self.per_search {
            self.fresh.pop_last();
        }
    }

    /// Ends a search: keeps its sample.
    pub fn end_search(&mut self) {
        let fresh = std::mem::take(&mut self.fresh);
        self.known.extend(fresh.keys());
        self.kept.extend(fresh.into_values());
    }

    /// Forgets all positions.
    pub fn clear(&mut self) {
        self.known.clear();
        self.kept.clear();
    }
}

impl Worker {
    /// Collects the position of a node that has been searched, if it is one to learn from.
    pub(super) fn gather_node(&mut self, facts: &NodeFacts, found: &Entry) {
        if !self.harvest.wants(HarvestSource::Tree)
            || facts.depth < LEAST_DEPTH
            || facts.in_check
            || found.score.is_decided()
        {
            return;
        }
        let position = *self.position(facts.ply);
        if found.best.is_none_or(|m| !position.is_noisy(m)) {
            self.harvest.offer(&Harvested { position, score: found.score, bound: found.bound });
        }
    }

    /// Collects the position of a leaf, if its evaluation is near the window.
    pub(super) fn gather_leaf(&mut self, window: Window, ply: usize) {
        if !self.harvest.wants(HarvestSource::Leaves) {
            return;
        }
        let near = window.alpha.0 - NEAR_WINDOW..=window.beta.0 + NEAR_WINDOW;
        if let Some(score) = self.frame(ply).eval.filter(|eval| near.contains(&eval.0)) {
            let position = *self.position(ply);
            self.harvest.offer(&Harvested { position, score, bound: Bound::Exact });
        }
    }
}

impl Searcher {
    /// Keeps at most so many positions of each search from now on, 0 = none.
    pub fn harvest(&mut self, source: HarvestSource, per_search: usize) {
        self.worker.harvest = Harvest { source, per_search, ..Harvest::default() };
    }

    /// The positions kept since they were taken last or a new game began. The next ones may repeat them. Leaves are
    /// searched only now, so that a game goes on as if nobody harvested; begin a new one afterwards.
    pub fn take_harvest(&mut self) -> Vec<Harvested> {
        let Harvest { source, per_search, kept, .. } = std::mem::take(&mut self.worker.harvest);
        // Meanwhile nothing is collected.
        let harvest = match source {
            HarvestSource::Tree => kept,
            HarvestSource::Leaves => kept.iter().filter_map(|leaf| self.label(&leaf.position)).collect(),
        };
        self.harvest(source, per_search);
        harvest
    }

    /// A position with what a small search of its own finds; none if there is nothing to learn from it.
    fn label(&mut self, position: &Position) -> Option<Harvested> {
        let limits =
            Limits { soft_nodes: Some(LABEL_NODES), nodes: Some(MOST_LABEL_NODES), ..Limits::default() };
        let report = self.search(&Game::new(*position), &limits, &mut Silent);
        let (best, score) = (report.best?, report.lines.first()?.score);
        let is_quiet = !position.is_noisy(best) && !score.is_decided();
        is_quiet.then_some(Harvested { position: *position, score, bound: Bound::Exact })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Game {
        Game::new("r1bq1rk1/pp3ppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10".parse().unwrap())
    }

    /// What a search of so many nodes yields, with a searcher to ask for more.
    fn harvest(source: HarvestSource, per_search: usize) -> (Vec<Harvested>, Searcher) {
        let mut searcher = Searcher::new(1);
        searcher.harvest(source, per_search);
        searcher.search(&game(), &Limits::nodes(5000), &mut Silent);
        (searcher.take_harvest(), searcher)
    }

    #[test]
    fn a_search_yields_quiet_positions_once_each() {
        for (source, least) in [(HarvestSource::Tree, 8), (HarvestSource::Leaves, 2)] {
            let (first, mut searcher) = harvest(source, 8);
            assert!((least..=8).contains(&first.len()), "{source:?}: {}", first.len());
            assert!(first.iter().all(|item| !item.position.in_check() && !item.score.is_decided()));
            let keys: HashSet<_> = first.iter().map(|item| item.position.key()).collect();
            assert_eq!(keys.len(), first.len());
            assert!(searcher.take_harvest().is_empty());
        }
    }

    #[test]
    fn leaves_have_the_values_of_searches_of_their_own() {
        let (leaves, mut searcher) = harvest(HarvestSource::Leaves, 30);
        assert!(leaves.len() > 5);
        let network = searcher.settings().network.clone();
        let differs = |item: &&Harvested| item.score != crate::eval::evaluate(&item.position, &network);
        assert!(leaves.iter().filter(differs).count() > leaves.len() / 2);
        assert!(leaves.iter().all(|item| item.bound == Bound::Exact));
    }

    #[test]
    fn a_game_goes_on_as_if_nobody_harvested() {
        let mut plain = Searcher::new(1);
        let mut harvester = Searcher::new(1);
        harvester.harvest(HarvestSource::Leaves, 4);
        for _ in 0..2 {
            for _ in 0..2 {
                let reports = [&mut plain, &mut harvester]
                    .map(|searcher| searcher.search(&game(), &Limits::nodes(3000), &mut Silent));
                assert_eq!((reports[0].nodes, reports[0].best), (reports[1].nodes, reports[1].best));
            }
            assert!(!harvester.take_harvest().is_empty());
            plain.new_game();
            harvester.new_game();
        }
    }

    #[test]
    fn a_new_game_forgets_the_harvest_of_the_one_before() {
        let mut searcher = Searcher::new(1);
        searcher.harvest(HarvestSource::Tree, 8);
        searcher.search(&game(), &Limits::nodes(5000), &mut Silent);
        searcher.new_game();
        assert!(searcher.take_harvest().is_empty());
    }

    #[test]
    fn nothing_is_collected_unless_asked_for() {
        let mut searcher = Searcher::new(1);
        searcher.search(&game(), &Limits::nodes(2000), &mut Silent);
        assert!(searcher.take_harvest().is_empty());
    }
}

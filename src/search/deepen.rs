//! Iterative deepening: one search after the other, each a ply deeper, each ordered by the one before.
//! <https://www.chessprogramming.org/Iterative_Deepening>

use super::heuristics::effort::{Certainty, effort};
use super::heuristics::windows::Aspiration;
use super::level::{Candidate, Level};
use super::node::{NodeFacts, Pv, Window};
use super::report::{Event, Line, Report, Reporter};
use super::root::{self, RootMove};
use super::worker::{Searched, Stopped, Worker};
use super::{Limits, Settings};
use crate::game::Game;
use crate::types::score::MAX_PLY;
use crate::types::{Bound, Move, Score};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The deepest iteration, in plies.
pub const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;
/// The move that is being searched is told after this time.
const TELL_ROOT_MOVES_AFTER: Duration = Duration::from_secs(3);
/// Plies that a search for a mate goes on beyond the mate's length.
const MATE_SLACK: u32 = 10;
/// With a clock and a single legal move, the depth that is enough for a value to show.
const FORCED_MOVE_DEPTH: u32 = 6;

impl Worker {
    /// Searches the game's present position until a limit is reached or the search is stopped. Does not send
    /// [`Event::Finished`].
    pub(crate) fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: &Settings,
        reporter: &mut dyn Reporter,
    ) -> Report {
        self.set_up(game, limits, settings);
        if self.root_moves.is_empty() {
            let score = if game.position().in_check() { Score::mated_in(0) } else { Score::DRAW };
            reporter.report(Event::NoMove(score));
            return Report { time: self.clock.elapsed(), ..Report::default() };
        }
        let mut lines = self.deepen(reporter);
        self.play_down(game, &mut lines, reporter);
        self.tell_continued(game, &mut lines, reporter);
        self.tell_damage(reporter);
        self.publish_nodes();
        let best = lines.first();
        Report {
            best: best.map(|line| line.pv[0]),
            ponder: best.and_then(|line| line.pv.get(1).copied()),
            nodes: self.shared.total_nodes(),
            time: self.clock.elapsed(),
            lines,
        }
    }

    /// The best lines of the deepest iteration; one that was stopped counts as far as it came.
    fn deepen(&mut self, reporter: &mut dyn Reporter) -> Vec<Line> {
        let deepest = self.deepest();
        let mut told = Vec::new();
        for depth in 1..=deepest {
            self.root_depth = depth as i32;
            let outcome = self.iterate(depth, reporter);
            let lines = self.lines(depth);
            if outcome.is_err() {
                // What is told last has to begin with the move that will be played.
                if told.first().map(|line: &Line| &line.pv) != lines.first().map(|line| &line.pv) {
                    tell(self.told(&lines), reporter);
                }
                return lines;
            }
            tell(self.told(&lines), reporter);
            told = lines;
            if self.is_enough(depth) {
                break;
            }
        }
        told
    }

    /// The lines that the user has asked for.
    fn told<'a>(&self, lines: &'a [Line]) -> &'a [Line] {
        &lines[..lines.len().min(self.settings.multipv.max(1))]
    }

    /// Tells lines that end in the endgame tables again, as far as the tables know them.
    fn tell_continued(&self, game: &Game, lines: &mut [Line], reporter: &mut dyn Reporter) {
        let shorter: Vec<usize> = lines.iter().map(|line| line.pv.len()).collect();
        for line in lines.iter_mut() {
            self.continue_line(game, line);
        }
        if lines.iter().map(|line| line.pv.len()).ne(shorter) {
            tell(lines, reporter);
        }
    }

    /// Depth of the last iteration. A search for a mate alone gives up some plies behind the one that proves it,
    /// where pruning may have hidden it; one that waits for stop does not.
    fn deepest(&self) -> u32 {
        let limits = &self.limits;
        let waits = limits.infinite || self.shared.pondering.load(Ordering::Relaxed);
        let mate_depth =
            limits.mate.filter(|_| !waits).map(|moves| moves.saturating_mul(2).saturating_add(MATE_SLACK));
        limits.depth.or(mate_depth).unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
    }

    /// One iteration: the best move, then with several lines the best of the others, and so on.
    fn iterate(&mut self, depth: u32, reporter: &mut dyn Reporter) -> Result<(), Stopped> {
        let best_before = self.root_moves[0].m;
        for root_move in &mut self.root_moves {
            root_move.previous = root_move.score;
        }
        for first in 0..self.line_count() {
            self.seldepth = 0;
            let result = self.aspire(depth, first, reporter);
            root::sort(&mut self.root_moves[first..]);
            result?;
        }
        root::sort(&mut self.root_moves);
        self.note_certainty(best_before);
        Ok(())
    }

    /// What the iteration says about the best move.
    fn note_certainty(&mut self, best_before: Move) {
        let best = &self.root_moves[0];
        let confirmed = if best.m == best_before { self.certainty.confirmed + 1 } else { 0 };
        let node_share = (best.nodes * 100 / self.nodes.max(1)) as i32;
        let fall = if best.previous == -Score::INFINITE { 0 } else { best.previous - best.score };
        self.certainty = Certainty { confirmed, node_share, fall };
    }

    fn line_count(&self) -> usize {
        let lines = self.settings.multipv.max(self.settings.level.map_or(1, Level::lines));
        lines.clamp(1, self.root_moves.len())
    }

    /// With limited strength: nothing but the line that is played, told at last.
    fn play_down(&self, game: &Game, lines: &mut Vec<Line>, reporter: &mut dyn Reporter) {
        let Some(level) = self.settings.level else { return };
        let found: Vec<_> = lines.iter().map(|line| Candidate { m: line.pv[0], score: line.score }).collect();
        let allowed: Vec<Move> = self.root_moves.iter().map(|root_move| root_move.m).collect();
        let chosen = level.choose(game, &found, &allowed, &self.settings.network);
        let mut line = match found.iter().position(|candidate| candidate.m == chosen.m) {
            Some(index) => lines.swap_remove(index),
            None => Line { score: chosen.score, pv: vec![chosen.m], ..lines.swap_remove(0) },
        };
        line.multipv = 1;
        *lines = vec![line];
        tell(lines, reporter);
    }

    /// Searches the root moves from `first` on, with windows that widen until they hold the value.
    fn aspire(&mut self, depth: u32, first: usize, reporter: &mut dyn Reporter) -> Result<(), Stopped> {
        let previous = self.root_moves[first].previous;
        let mut aspiration =
            Aspiration::new(depth as i32, Some(previous).filter(|&score| score != -Score::INFINITE));
        loop {
            let window = aspiration.window();
            let score = self.search_root(window, first, reporter)?;
            if window.bound_of(score) == Bound::Exact {
                return Ok(());
            }
            root::sort(&mut self.root_moves[first..]);
            aspiration.widen(score);
        }
    }

    /// Searches the root moves from `first` on.
    fn search_root(&mut self, mut window: Window, first: usize, reporter: &mut dyn Reporter) -> Searched {
        self.count_node_or_stop()?;
        self.pvs.clear(0);
        let facts = self.root_facts(window);
        self.frame_mut(1).killers = [None; 2];
        let mut best = -Score::INFINITE;
        for index in first..self.end_of_equals(first) {
            let m = self.root_moves[index].m;
            if self.id == 0 && self.clock.elapsed() >= TELL_ROOT_MOVES_AFTER {
                let (number, depth, time) = (index + 1, self.root_depth as u32, self.clock.elapsed());
                reporter.report(Event::Root { current: m, number, depth, time });
            }
            let move_facts = self.move_facts(0, m, (index - first) as i32 + 1);
            let before = self.nodes;
            let score = self.search_move::<Pv>(&facts, &move_facts, window)?;
            self.root_moves[index].nodes += self.nodes - before;
            self.note_root_score(index, score, window, move_facts.number == 1);
            best = best.max(score);
            if score >= window.beta {
                break;
            }
            window.alpha = window.alpha.max(score);
        }
        Ok(best)
    }

    /// Where the root moves end that the endgame tables hold for as good as this one.
    fn end_of_equals(&self, first: usize) -> usize {
        let rank = self.root_moves[first].rank;
        first + self.root_moves[first..].iter().take_while(|root_move| root_move.rank == rank).count()
    }

    /// Keeps a root move's value, if it is more than "not better".
    fn note_root_score(&mut self, index: usize, score: Score, window: Window, is_first: bool) {
        let seldepth = self.seldepth;
        let improves = score > window.alpha;
        let root_move = &mut self.root_moves[index];
        if !improves && !is_first {
            root_move.score = -Score::INFINITE;
            return;
        }
        root_move.score = score;
        root_move.bound = window.bound_of(score);
        root_move.seldepth = seldepth;
        if improves {
            let m = root_move.m;
            root_move.pv.clear();
            root_move.pv.push(m);
            root_move.pv.extend(self.pvs.line(1).moves());
        }
    }

    fn root_facts(&mut self, window: Window) -> NodeFacts {
        let hit = self.probe_table(0);
        NodeFacts { depth: self.root_depth, improving: true, ..self.facts::<Pv>(hit, window, 0) }
    }

    /// The lines as they are to be told.
    fn lines(&self, depth: u32) -> Vec<Line> {
        self.publish_nodes();
        let (nodes, time) = (self.shared.total_nodes(), self.clock.elapsed());
        let hashfull = self.shared.table.fill_permill();
        let line = |(index, root_move): (usize, &RootMove)| {
            let is_fresh = root_move.score != -Score::INFINITE;
            Line {
                multipv: index + 1,
                depth: if is_fresh { depth } else { depth.saturating_sub(1).max(1) },
                seldepth: root_move.seldepth as u32,
                score: root_move.told_score(if is_fresh { root_move.score } else { root_move.previous }),
                bound: if is_fresh && root_move.table_score.is_none() {
                    root_move.bound
                } else {
                    Bound::Exact
                },
                nodes,
                time,
                hashfull,
                tbhits: self.shared.tablebase_hits.load(Ordering::Relaxed),
                pv: root_move.pv.clone(),
            }
        };
        self.root_moves[..self.line_count()].iter().enumerate().map(line).collect()
    }

    /// Is no further iteration needed?
    fn is_enough(&self, depth: u32) -> bool {
        let limits = &self.limits;
        if self.id != 0 || limits.infinite || self.shared.pondering.load(Ordering::Relaxed) {
            return false;
        }
        let score = self.root_moves[0].score;
        let is_mate_found = limits
            .mate
            .is_some_and(|moves| score.moves_to_mate().is_some_and(|found| found.unsigned_abs() <= moves));
        let is_past_nodes = limits.soft_nodes.is_some_and(|limit| self.shared.total_nodes() >= limit);
        is_mate_found || is_past_nodes || (self.clock.is_saving() && self.is_time_better_saved(depth, score))
    }

    /// With a clock running: is it late, is there no choice, or is the mate proven as short as it can be?
    fn is_time_better_saved(&self, depth: u32, score: Score) -> bool {
        let is_forced = self.root_moves.len() == 1 && depth >= FORCED_MOVE_DEPTH;
        let is_shortest_mate = score.moves_to_mate().is_some_and(|moves| 2 * moves.unsigned_abs() <= depth);
        self.clock.is_late(effort(&self.certainty)) || is_forced || is_shortest_mate
    }
}

fn tell(lines: &[Line], reporter: &mut dyn Reporter) {
    for line in lines {
        reporter.report(Event::Line(line));
    }
}

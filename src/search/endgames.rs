//! Endgame tables in the search: they settle nodes below the root, order the moves at the root, and continue
//! lines that end where they know the rest.

use super::heuristics::endgame_tables;
use super::report::{Event, Line, Reporter};
use super::root::{self, RootMove};
use super::worker::Worker;
use crate::board::Position;
use crate::game::Game;
use crate::tablebase::{RankedMove, Tablebase, Wdl};
use crate::types::score::MAX_PLY;
use crate::types::{Bound, Move, Score};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Moves that are appended to a line at most, in plies.
const CONTINUATION: usize = 24;

/// Endgame tables, and when they are asked.
#[derive(Clone)]
pub struct Endgames {
    /// The tables, if there are any.
    pub tables: Option<Arc<Tablebase>>,
    /// Depth from which on the largest tables are asked, in plies.
    pub probe_depth: i32,
    /// Positions with more men are not asked about.
    pub probe_limit: u32,
    /// Is a win lost if it takes more than fifty moves without a capture or pawn move?
    pub fifty_move_rule: bool,
}

impl Default for Endgames {
    fn default() -> Endgames {
        Endgames { tables: None, probe_depth: 1, probe_limit: 7, fifty_move_rule: true }
    }
}

impl Endgames {
    /// Most men of a position that can be asked about; 0 without tables.
    pub(super) fn men_limit(&self) -> u32 {
        self.tables.as_ref().map_or(0, |tables| tables.men_limit().min(self.probe_limit))
    }
}

impl Worker {
    /// What the tables say of the node at a ply. They are asked after captures and pawn moves, when the clock of
    /// the fifty-move rule stands where they think it does.
    #[inline]
    pub(super) fn ask_tables(&self, depth: i32, ply: usize) -> Option<(Score, Bound)> {
        if self.men_in_tables == 0 || self.position(ply).halfmoves() != 0 {
            return None;
        }
        let endgames = &self.settings.endgames;
        let men = self.position(ply).men_count();
        if !endgame_tables::is_worth_asking(men, self.men_in_tables, depth, endgames.probe_depth) {
            return None;
        }
        let wdl = endgames.tables.as_ref()?.probe_wdl(self.position(ply))?;
        self.shared.tablebase_hits.fetch_add(1, Ordering::Relaxed);
        Some(endgame_tables::table_value(wdl, endgames.fifty_move_rule, ply, self.draw_score(ply)))
    }

    /// Leaves only those root moves to the search that the tables hold for the best, and as many more as lines
    /// are wanted. So every win comes nearer with every move, and the search chooses among equals.
    pub(super) fn rank_root_moves(&mut self) {
        let root = *self.position(0);
        let endgames = &self.settings.endgames;
        let ranking = match &endgames.tables {
            Some(tables) if root.men_count() <= self.men_in_tables => {
                tables.rank_root_moves(&root, endgames.fifty_move_rule)
            }
            _ => None,
        };
        let Some(ranking) = ranking else { return };
        for root_move in &mut self.root_moves {
            let ranked = ranking.moves().iter().find(|ranked| ranked.m == root_move.m);
            if let Some(ranked) = ranked {
                root_move.rank = ranked.rank;
                root_move.table_score = Some(root_score(*ranked, self.drawn));
            }
        }
        root::sort(&mut self.root_moves);
        let best = self.root_moves.first().map(|root_move| root_move.rank);
        let equals = self.root_moves.iter().filter(|root_move| Some(root_move.rank) == best).count();
        self.root_moves.truncate(equals.max(self.settings.multipv));
        if self.id == 0 {
            self.shared.tablebase_hits.fetch_add(ranking.moves().len() as u64, Ordering::Relaxed);
        }
    }

    /// Puts the best moves of the tables in a decided line of a game, from the first position on that they know:
    /// they come nearer to the end with every move, which the search's need not. Stops where a position comes
    /// back, which might be a draw.
    pub(super) fn continue_line(&self, game: &Game, line: &mut Line) {
        if self.men_in_tables == 0 || !line.score.is_decided() || line.score.is_mate() {
            return;
        }
        let mut game = game.clone();
        let mut found = Vec::new();
        for &m in &line.pv {
            game.play(m);
            found.push(m);
            if game.position().men_count() <= self.men_in_tables {
                break;
            }
        }
        for _ in 0..CONTINUATION {
            let Some(m) = self.move_of_tables(game.position()) else { break };
            game.play(m);
            if game.occurrences() > 1 {
                break;
            }
            found.push(m);
        }
        if found.len() > line.pv.len() {
            line.pv = found;
        }
    }

    /// The best move in a position that the tables know to be decided, with its distance.
    fn move_of_tables(&self, position: &Position) -> Option<Move> {
        if position.men_count() > self.men_in_tables || position.is_fifty_moves() {
            return None;
        }
        let endgames = &self.settings.endgames;
        let ranking = endgames.tables.as_ref()?.rank_root_moves(position, endgames.fifty_move_rule)?;
        let is_decided = matches!(ranking.wdl(), Wdl::Win | Wdl::Loss);
        (is_decided && ranking.best().dtz.is_some()).then(|| ranking.best().m)
    }

    /// Tells of damage that was met in the tables, once.
    pub(super) fn tell_damage(&self, reporter: &mut dyn Reporter) {
        let tables = self.settings.endgames.tables.as_ref();
        if let Some(fault) = tables.and_then(|tables| tables.take_news_of_fault()) {
            reporter.report(Event::Note(&format!("endgame tables are not asked any more: {fault}")));
        }
    }
}

impl RootMove {
    /// The value to tell: a mate that was found, else what the tables say, else what the search says.
    pub fn told_score(&self, searched: Score) -> Score {
        match self.table_score {
            Some(known) if known.is_decided() && searched.is_mate() => searched,
            Some(known) => known,
            None => searched,
        }
    }
}

/// The value of a root move: wins and losses by plies to the next capture or pawn move.
fn root_score(ranked: RankedMove, drawn: Score) -> Score {
    // Without tables of distances nothing is known but that it is a win.
    const FARTHEST: usize = MAX_PLY;
    let plies = ranked.dtz.map_or(FARTHEST, |plies| plies.unsigned_abs() as usize).min(FARTHEST);
    endgame_tables::table_value(ranked.wdl, true, plies, drawn).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    fn ranked(wdl: Wdl, dtz: Option<i32>) -> RankedMove {
        RankedMove { m: Move::new(Square::E2, Square::E4, MoveKind::Plain), wdl, dtz, rank: 0 }
    }

    #[test]
    fn root_wins_are_told_by_their_distance() {
        assert_eq!(root_score(ranked(Wdl::Win, Some(7)), Score::DRAW), Score(19993));
        assert_eq!(root_score(ranked(Wdl::Loss, Some(-12)), Score::DRAW), Score(-19988));
        assert_eq!(root_score(ranked(Wdl::Draw, Some(0)), Score(-20)), Score(-20));
        assert_eq!(root_score(ranked(Wdl::CursedWin, Some(120)), Score::DRAW), Score(1));
        // However far, it stays a proven win.
        assert!(root_score(ranked(Wdl::Win, Some(900)), Score::DRAW).is_decided());
        assert!(root_score(ranked(Wdl::Loss, None), Score::DRAW).is_decided());
    }
}

//! The search of captures behind the leaves, until the position is quiet enough to be evaluated.
//! <https://www.chessprogramming.org/Quiescence_Search>

use super::heuristics::quiescence;
use super::negamax::{refine, table_cutoff};
use super::node::{Node, Window};
use super::picker::Picker;
use super::table::Entry;
use super::worker::{Searched, Worker};
use crate::board::see;
use crate::types::{Move, Score};

impl Worker {
    /// Value of the position at a ply, for its side to move, when only captures and promotions are played;
    /// in check, every move.
    pub(super) fn quiesce<N: Node>(&mut self, mut window: Window, ply: usize) -> Searched {
        self.enter(ply)?;
        if let Some(score) = self.settled_by_rules(&mut window, ply) {
            return Ok(score);
        }
        let hit = self.probe_table(ply);
        if !N::PV
            && let Some(score) = table_cutoff(hit, window, 0)
        {
            return Ok(score);
        }
        let original = window;
        let standing_pat = self.static_eval(hit, ply).map(|eval| refine(eval, hit));
        #[cfg(feature = "train")]
        self.gather_leaf(window, ply);
        let mut best = standing_pat.unwrap_or(Score::mated_in(ply));
        if best >= window.beta {
            return Ok(best);
        }
        if self.is_overdue() {
            return Ok(standing_pat.unwrap_or_else(|| self.evaluate(ply)));
        }
        window.alpha = window.alpha.max(best);

        let mut best_move = None;
        let mut picker = self.quiescence_picker(hit, ply);
        while let Some(m) = picker.next(self, ply) {
            if best > -Score::WIN_BOUND && self.is_futile_capture(standing_pat, m, window, ply) {
                continue;
            }
            self.make(ply, m);
            let score = -self.quiesce::<N>(window.reversed(), ply + 1)?;
            self.unmake();
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(m);
                    if N::PV {
                        self.pvs.update(ply, m);
                    }
                    if score >= window.beta {
                        picker.finish(self);
                        break;
                    }
                    window.alpha = score;
                }
            }
        }
        let entry = Entry {
            best: best_move,
            score: best,
            bound: original.bound_of(best),
            depth: 0,
            eval: self.frame(ply).raw_eval,
            was_pv: hit.is_some_and(|entry| entry.was_pv),
        };
        self.store_in_table(ply, entry);
        Ok(best)
    }

    /// In check every move, since standing still is no choice; else captures and promotions.
    fn quiescence_picker(&self, hit: Option<Entry>, ply: usize) -> Picker {
        let table_move = hit.and_then(|entry| entry.best);
        if self.position(ply).in_check() {
            Picker::new(self, ply, table_move)
        } else {
            Picker::noisy(self, ply, table_move)
        }
    }

    /// May the capture go unseen: does it lose material, or win too little? In check nothing may.
    fn is_futile_capture(&self, standing_pat: Option<Score>, m: Move, window: Window, ply: usize) -> bool {
        let Some(standing_pat) = standing_pat else { return false };
        let position = self.position(ply);
        let won = position.captured(m).map_or(0, see::value) + m.promotion().map_or(0, see::value);
        quiescence::delta_pruning(standing_pat, won, window.alpha) || !position.see_reaches(m, 0)
    }
}

//! The heart of the search: alpha-beta as a principal variation search.
//! <https://www.chessprogramming.org/Principal_Variation_Search>

use super::heuristics::singular::{self, Verdict};
use super::heuristics::{late_moves, move_pruning, null_move, reverse_futility};
use super::history::Lesson;
use super::node::{MoveFacts, Node, NodeFacts, Pv, Window, Zero};
use super::picker::Picker;
use super::table::Entry;
use super::worker::{Made, Searched, Stopped, Worker};
use crate::types::score::MAX_PLY;
use crate::types::{Bound, Move, Score};

/// Moves tried in vain that a node remembers.
const REMEMBERED: usize = 32;

/// The best of a node's moves so far.
struct Best {
    score: Score,
    m: Option<Move>,
}

/// The moves that a node has tried in vain.
struct Tried {
    moves: [Option<(Move, bool)>; REMEMBERED],
    count: usize,
}

impl Tried {
    fn new() -> Tried {
        Tried { moves: [None; REMEMBERED], count: 0 }
    }

    fn push(&mut self, m: Move, is_quiet: bool) {
        if self.count < REMEMBERED {
            self.moves[self.count] = Some((m, is_quiet));
            self.count += 1;
        }
    }
}

impl Worker {
    /// Value of the position at a ply, for its side to move.
    pub(super) fn negamax<N: Node>(
        &mut self,
        mut window: Window,
        depth: i32,
        ply: usize,
        expect_cut: bool,
    ) -> Searched {
        debug_assert!(window.alpha < window.beta);
        if depth <= 0 {
            return self.quiesce::<N>(window, ply);
        }
        self.enter(ply)?;
        if let Some(score) = self.settled_by_rules(&mut window, ply) {
            return Ok(score);
        }
        let hit = self.probe_table(ply);
        let excluded = self.frame(ply).excluded;
        if !N::PV
            && excluded.is_none()
            && let Some(score) = table_cutoff(hit, window, depth)
        {
            return Ok(score);
        }
        let mut known = Window::OPEN;
        if excluded.is_none()
            && let Some((score, bound)) = self.ask_tables(depth, ply)
        {
            if decides(score, bound, window) {
                self.store_table_value::<N>(ply, (score, bound), depth);
                return Ok(score);
            }
            known = Window::OPEN.narrowed(score, bound);
        }
        let facts = NodeFacts { depth, expect_cut, known, excluded, ..self.facts::<N>(hit, window, ply) };
        if excluded.is_none()
            && let Some(score) = self.prune_before_moves(&facts)?
        {
            return Ok(score);
        }
        self.search_moves::<N>(&facts)
    }

    /// What every node begins with.
    pub(super) fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        self.pvs.clear(ply);
        self.seldepth = self.seldepth.max(ply);
        self.count_node_or_stop()
    }

    /// The value, if the rules or the length of the line settle it. Narrows the window to what a mate at this
    /// distance can still change (<https://www.chessprogramming.org/Mate_Distance_Pruning>).
    pub(super) fn settled_by_rules(&self, window: &mut Window, ply: usize) -> Option<Score> {
        let position = self.position(ply);
        if position.has_insufficient_material() || self.is_repetition(ply) {
            return Some(self.draw_score(ply));
        }
        if position.is_fifty_moves() {
            // Mate on the board comes before the fifty-move draw.
            return Some(if position.is_checkmate() { Score::mated_in(ply) } else { self.draw_score(ply) });
        }
        if ply >= MAX_PLY - 1 {
            return Some(self.draw_score(ply));
        }
        if window.alpha < self.draw_score(ply) && self.can_repeat(ply) {
            window.alpha = self.draw_score(ply);
        }
        window.alpha = window.alpha.max(Score::mated_in(ply));
        window.beta = window.beta.min(Score::mate_in(ply + 1));
        (window.alpha >= window.beta).then_some(window.alpha)
    }

    /// What the table knows of the position at a ply, with mates counted from the root.
    pub(super) fn probe_table(&self, ply: usize) -> Option<Entry> {
        let entry = self.shared.table.probe(self.position(ply).key())?;
        Some(Entry { score: entry.score.from_node_to_root(ply), ..entry })
    }

    /// Tells the table what a node has found.
    pub(super) fn store_in_table(&self, ply: usize, entry: Entry) {
        let entry = Entry { score: entry.score.from_root_to_node(ply), ..entry };
        self.shared.table.store(self.position(ply).key(), entry);
    }

    /// Gathers what the node's heuristics may know, but for what the parent decides.
    pub(super) fn facts<N: Node>(&mut self, hit: Option<Entry>, window: Window, ply: usize) -> NodeFacts {
        let static_eval = self.static_eval(hit, ply);
        let position = self.position(ply);
        NodeFacts {
            depth: 0,
            ply,
            window,
            is_pv: N::PV,
            expect_cut: false,
            in_check: position.in_check(),
            eval: static_eval.map(|eval| refine(eval, hit)),
            improving: self.is_improving(ply),
            has_pieces: position.has_pieces(position.side_to_move()),
            after_null: ply > 0 && self.frame(ply - 1).made.is_none(),
            table_move_is_noisy: hit.and_then(|entry| entry.best).is_some_and(|m| position.is_noisy(m)),
            hit,
            known: Window::OPEN,
            excluded: None,
        }
    }

    /// Static evaluation at a ply, from the table if it is there, corrected by experience; none in check. The
    /// frame keeps it.
    pub(super) fn static_eval(&mut self, hit: Option<Entry>, ply: usize) -> Option<Score> {
        let raw = if self.position(ply).in_check() {
            None
        } else {
            Some(hit.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluate(ply)))
        };
        let eval = raw.map(|raw| self.corrections.apply(raw, &self.likeness(ply)));
        let frame = self.frame_mut(ply);
        (frame.raw_eval, frame.eval) = (raw, eval);
        eval
    }

    /// Is the side to move better off than at its last turn out of check?
    fn is_improving(&self, ply: usize) -> bool {
        let Some(now) = self.frame(ply).eval else { return false };
        [2, 4]
            .into_iter()
            .find_map(|back| self.frame(ply.checked_sub(back)?).eval)
            .is_some_and(|before| now > before)
    }

    /// The value, if the node need not look at its moves.
    fn prune_before_moves(&mut self, facts: &NodeFacts) -> Result<Option<Score>, Stopped> {
        if let Some(score) = reverse_futility::reverse_futility(facts) {
            return Ok(Some(score));
        }
        if facts.ply >= self.no_null_before
            && let Some(depth) = null_move::null_move_depth(facts)
        {
            return self.refute_by_passing(facts, depth);
        }
        Ok(None)
    }

    /// The value, if the opponent reaches nothing even when he may move twice.
    fn refute_by_passing(&mut self, facts: &NodeFacts, depth: i32) -> Result<Option<Score>, Stopped> {
        let (window, ply) = (facts.window.below_beta(), facts.ply);
        self.make_null(ply);
        let reply = self.negamax::<Zero>(window.reversed(), depth, ply + 1, !facts.expect_cut);
        self.unmake();
        let score = -reply?;
        if score < facts.window.beta {
            return Ok(None);
        }
        // A win that needs a pass is not proven.
        let score = if score.is_decided() { facts.window.beta } else { score };
        if !null_move::null_move_needs_proof(facts) {
            return Ok(Some(score));
        }
        self.no_null_before = ply + depth as usize;
        let proof = self.negamax::<Zero>(window, depth, ply, false);
        self.no_null_before = 0;
        Ok((proof? >= facts.window.beta).then_some(score))
    }

    /// Searches the moves one after the other.
    fn search_moves<N: Node>(&mut self, facts: &NodeFacts) -> Searched {
        let ply = facts.ply;
        let mut window = facts.window;
        let mut best = Best { score: facts.known.alpha, m: None };
        window.alpha = window.alpha.max(best.score);
        let mut tried = Tried::new();
        let mut picker = Picker::new(self, ply, facts.hit.and_then(|entry| entry.best));
        let mut number = 0;
        self.frame_mut(ply + 1).killers = [None; 2];
        while let Some(m) = picker.next(self, ply) {
            if facts.excluded == Some(m) {
                continue;
            }
            number += 1;
            let mut move_facts = self.move_facts(ply, m, number);
            if best.score > -Score::WIN_BOUND && self.prune_move(facts, &move_facts, &mut picker) {
                continue;
            }
            match self.ask_whether_singular(facts, m)? {
                Verdict::Extend(plies) => move_facts.extension = plies,
                Verdict::Cut(score) => {
                    picker.finish(self);
                    return Ok(score);
                }
            }
            let score = self.search_move::<N>(facts, &move_facts, window)?;
            if score > best.score {
                best.score = score;
                if score > window.alpha {
                    best.m = Some(m);
                    if N::PV {
                        self.pvs.update(ply, m);
                    }
                    if score >= window.beta {
                        picker.finish(self);
                        self.learn_from_refutation(facts, m, &tried);
                        break;
                    }
                    window.alpha = score;
                }
            }
            tried.push(m, move_facts.is_quiet);
        }
        if number == 0 {
            return Ok(match facts.excluded {
                Some(_) => facts.window.alpha,
                None if facts.in_check => Score::mated_in(ply),
                None => self.draw_score(ply),
            });
        }
        best.score = best.score.min(facts.known.beta);
        if facts.excluded.is_none() {
            self.store_result::<N>(facts, &best);
            self.learn_correction(facts, &best);
            if best.m.is_none() {
                self.praise_unanswered(facts);
            }
        }
        Ok(best.score)
    }

    /// Whether the table's move is the only good one, found by a search without it.
    fn ask_whether_singular(&mut self, facts: &NodeFacts, m: Move) -> Result<Verdict, Stopped> {
        let is_known = facts.hit.is_some_and(|entry| entry.best == Some(m));
        let question = if is_known { singular::question(facts, self.root_depth) } else { None };
        let Some((target, depth)) = question else { return Ok(Verdict::Extend(0)) };
        self.frame_mut(facts.ply).excluded = Some(m);
        let window = Window { alpha: target - 1, beta: target };
        let others = self.negamax::<Zero>(window, depth, facts.ply, facts.expect_cut)?;
        self.frame_mut(facts.ply).excluded = None;
        Ok(singular::verdict(facts, target, others))
    }

    /// The node's value teaches how far off its static evaluation was, unless captures decided it or the
    /// value is only a bound on the wrong side.
    fn learn_correction(&mut self, facts: &NodeFacts, best: &Best) {
        let ply = facts.ply;
        let Some(eval) = self.frame(ply).eval else { return };
        let is_noisy = best.m.is_some_and(|m| self.position(ply).is_noisy(m));
        let says_nothing = match facts.window.bound_of(best.score) {
            Bound::Lower => best.score <= eval,
            Bound::Upper => best.score >= eval,
            Bound::Exact => false,
        };
        if is_noisy || says_nothing || best.score.is_decided() {
            return;
        }
        let likeness = self.likeness(ply);
        self.corrections.learn(&likeness, best.score - eval, facts.depth);
    }

    /// Keeps what the endgame tables say, for longer than a search of this depth would be kept.
    fn store_table_value<N: Node>(&mut self, ply: usize, (score, bound): (Score, Bound), depth: i32) {
        const WORTH: i32 = 6;
        let entry = Entry { best: None, score, bound, depth: depth + WORTH, eval: None, was_pv: N::PV };
        self.store_in_table(ply, entry);
    }

    fn store_result<N: Node>(&mut self, facts: &NodeFacts, best: &Best) {
        let entry = Entry {
            best: best.m,
            score: best.score,
            bound: facts.window.bound_of(best.score),
            depth: facts.depth,
            eval: self.frame(facts.ply).raw_eval,
            was_pv: N::PV || facts.hit.is_some_and(|entry| entry.was_pv),
        };
        #[cfg(feature = "train")]
        self.gather_node(facts, &entry);
        self.store_in_table(facts.ply, entry);
    }

    /// Gathers what a move's heuristics may know.
    pub(super) fn move_facts(&self, ply: usize, m: Move, number: i32) -> MoveFacts {
        let position = self.position(ply);
        let is_quiet = !position.is_noisy(m);
        MoveFacts {
            m,
            is_quiet,
            is_killer: self.frame(ply).killers.contains(&Some(m)),
            number,
            history: if is_quiet { self.quiet_history(ply, m) } else { 0 },
            extension: 0,
        }
    }

    /// May the move go unseen? Tells the picker if all further quiet moves may.
    fn prune_move(&self, facts: &NodeFacts, m: &MoveFacts, picker: &mut Picker) -> bool {
        if move_pruning::late_move_pruning(facts, m) {
            picker.skip_quiets();
            return true;
        }
        let plies_left = late_moves::likely_depth(&self.reductions, facts, m);
        if move_pruning::futility(facts, m, plies_left) && !self.position(facts.ply).gives_check(m.m) {
            return true;
        }
        move_pruning::exchange_threshold(m, plies_left)
            .is_some_and(|threshold| !self.position(facts.ply).see_reaches(m.m, threshold))
    }

    /// Value of a move: the first one with the whole window, the others first with a zero window and perhaps
    /// reduced, and again if they surprise.
    pub(super) fn search_move<N: Node>(
        &mut self,
        facts: &NodeFacts,
        m: &MoveFacts,
        window: Window,
    ) -> Searched {
        let ply = facts.ply;
        self.make(ply, m.m);
        let gives_check = self.position(ply + 1).in_check();
        let depth = facts.depth - 1 + m.extension;
        if N::PV && m.number == 1 {
            return self.search_child::<Pv>(window, depth, ply, false);
        }
        let reduction = late_moves::late_move_reduction(&self.reductions, facts, m, gives_check);
        let zero = window.above_alpha();
        let expect_cut = reduction > 0 || !facts.expect_cut;
        let mut score = self.search_child_and_stay(zero, depth - reduction, ply, expect_cut)?;
        if score > window.alpha && reduction > 0 {
            score = self.search_child_and_stay(zero, depth, ply, !facts.expect_cut)?;
        }
        if N::PV && score > window.alpha {
            return self.search_child::<Pv>(window, depth, ply, false);
        }
        self.unmake();
        Ok(score)
    }

    /// Value of the move just made, which is taken back.
    fn search_child<C: Node>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        expect_cut: bool,
    ) -> Searched {
        let score = -self.negamax::<C>(window.reversed(), depth, ply + 1, expect_cut)?;
        self.unmake();
        Ok(score)
    }

    /// Value of the move just made, which stays.
    fn search_child_and_stay(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        expect_cut: bool,
    ) -> Searched {
        Ok(-self.negamax::<Zero>(window.reversed(), depth, ply + 1, expect_cut)?)
    }

    /// A move has refuted: it earns, and those tried before it lose.
    fn learn_from_refutation(&mut self, facts: &NodeFacts, m: Move, tried: &Tried) {
        let ply = facts.ply;
        let is_quiet = !self.position(ply).is_noisy(m);
        self.learn(ply, m, is_quiet, Lesson::Refuted(facts.depth));
        if is_quiet {
            let killers = &mut self.frame_mut(ply).killers;
            if killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
        }
        for &(other, other_is_quiet) in tried.moves[..tried.count].iter().flatten() {
            // A capture that refutes says nothing against the quiet moves, which come later.
            if is_quiet || !other_is_quiet {
                self.learn(ply, other, other_is_quiet, Lesson::Failed(facts.depth));
            }
        }
    }

    /// No move was good enough, which speaks for the move before, if that was a quiet one.
    fn praise_unanswered(&mut self, facts: &NodeFacts) {
        let Some(before) = facts.ply.checked_sub(1) else { return };
        if let Some(Made { m, .. }) = self.frame(before).made
            && !self.position(before).is_noisy(m)
        {
            self.learn(before, m, true, Lesson::Unanswered(facts.depth));
        }
    }

    fn learn(&mut self, ply: usize, m: Move, is_quiet: bool, lesson: Lesson) {
        if is_quiet {
            let context = self.quiet_context(ply, m);
            self.histories.learn_quiet(&context, lesson);
        } else {
            let taken = self.position(ply).captured(m);
            self.histories.learn_capture(self.piece_to(ply, m), taken, lesson);
        }
    }
}

/// The table's value, if it is deep enough and says enough for this window.
pub(super) fn table_cutoff(hit: Option<Entry>, window: Window, depth: i32) -> Option<Score> {
    let entry = hit?;
    (entry.depth >= depth && decides(entry.score, entry.bound, window)).then_some(entry.score)
}

/// Does a value say enough for this window?
fn decides(score: Score, bound: Bound, window: Window) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    }
}

/// The evaluation, replaced by the table's value where that says more.
pub(super) fn refine(eval: Score, hit: Option<Entry>) -> Score {
    match hit {
        Some(entry) if !entry.score.is_decided() => match entry.bound {
            Bound::Exact => entry.score,
            Bound::Lower => eval.max(entry.score),
            Bound::Upper => eval.min(entry.score),
        },
        _ => eval,
    }
}

//! Hands out a node's moves, the promising ones first and the generating as late as possible.
//! <https://www.chessprogramming.org/Move_Ordering>
//!
//! Its order is total: equal scores are ordered by the bits of the move, so that it does not matter in which
//! order a generator lists them.

use super::heuristics::ordering;
use super::worker::Worker;
use crate::board::Wanted;
use crate::types::Move;

/// A move with its score in one word: the score in the high bits, so that words compare like scores.
type Scored = i64;

fn scored(m: Move, score: i32) -> Scored {
    Scored::from(score) << 16 | Scored::from(m.bits())
}

/// Which moves come next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Stage {
    /// The table's move.
    Table,
    /// Captures and promotions are to be generated.
    GenerateNoisy,
    /// Captures and promotions that lose nothing, or little if they have done well elsewhere.
    GoodNoisy,
    /// Quiet moves that refuted sibling nodes.
    Killers,
    /// Quiet moves are to be generated.
    GenerateQuiet,
    /// Quiet moves.
    Quiet,
    /// The other captures, which lose material.
    BadNoisy,
    /// Nothing is left.
    Done,
}

/// The state of one node's move picking. The moves themselves lie on the worker's stack of moves, from
/// `base` on: first the bad captures put aside, then those yet to be picked.
pub(super) struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    next_killer: usize,
    base: usize,
    bad: usize,
    /// Noisy moves alone: quiescence.
    only_noisy: bool,
    skip_quiets: bool,
}

impl Picker {
    /// All moves of a node. The table's move and the killers need not be legal.
    pub fn new(worker: &Worker, ply: usize, table_move: Option<Move>) -> Picker {
        let killers = worker.frame(ply).killers;
        Picker::with(worker, ply, table_move, killers, false)
    }

    /// The captures and promotions of a node, and its table move if it is one of them.
    pub fn noisy(worker: &Worker, ply: usize, table_move: Option<Move>) -> Picker {
        let table_move = table_move.filter(|&m| worker.position(ply).is_noisy(m));
        Picker::with(worker, ply, table_move, [None; 2], true)
    }

    fn with(
        worker: &Worker,
        ply: usize,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        only_noisy: bool,
    ) -> Picker {
        let table_move = table_move.filter(|&m| worker.position(ply).is_legal(m));
        let base = worker.move_stack.len();
        Picker {
            stage: Stage::Table,
            table_move,
            killers,
            next_killer: 0,
            base,
            bad: 0,
            only_noisy,
            skip_quiets: false,
        }
    }

    /// No more quiet moves, please.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move. When there is none, the worker's stack of moves is as before.
    pub fn next(&mut self, worker: &mut Worker, ply: usize) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::GenerateNoisy;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate(worker, ply, Wanted::Noisy);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.next_good_noisy(worker, ply) {
                    Some(m) => return Some(m),
                    None => self.stage = if self.only_noisy { Stage::BadNoisy } else { Stage::Killers },
                },
                Stage::Killers => match self.next_killer(worker, ply) {
                    Some(m) => return Some(m),
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    if !self.skip_quiets {
                        self.generate(worker, ply, Wanted::Quiet);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.next_quiet(worker) {
                    Some(m) => return Some(m),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => match self.next_bad_noisy(worker) {
                    Some(m) => return Some(m),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => {
                    self.finish(worker);
                    return None;
                }
            }
        }
    }

    /// Gives the moves' place on the stack back. Has to be called when picking ends early.
    pub fn finish(&self, worker: &mut Worker) {
        worker.move_stack.truncate(self.base);
    }

    fn generate(&mut self, worker: &mut Worker, ply: usize, wanted: Wanted) {
        worker.generate(ply, wanted);
        for index in 0..worker.generated.len() {
            let m = worker.generated[index];
            if Some(m) == self.table_move || (wanted == Wanted::Quiet && self.is_killer(m)) {
                continue;
            }
            let score = match wanted {
                Wanted::Quiet => worker.quiet_history(ply, m),
                _ => worker.noisy_worth(ply, m),
            };
            worker.move_stack.push(scored(m, score));
        }
    }

    /// A killer that the quiet stage must not repeat.
    fn is_killer(&self, m: Move) -> bool {
        self.killers.contains(&Some(m))
    }

    /// Takes the best of the moves yet to be picked.
    fn take_best(&self, worker: &mut Worker) -> Option<(Move, i32)> {
        let stack = &mut worker.move_stack;
        let pending = self.base + self.bad;
        let best = (pending..stack.len()).max_by_key(|&index| stack[index])?;
        let scored = stack.swap_remove(best);
        Some((Move::from_bits(scored as u16)?, (scored >> 16) as i32))
    }

    fn next_good_noisy(&mut self, worker: &mut Worker, ply: usize) -> Option<Move> {
        while let Some((m, worth)) = self.take_best(worker) {
            if worker.position(ply).see_reaches(m, ordering::good_capture_threshold(worth)) {
                return Some(m);
            }
            // Put aside: among the bad ones at the base of the stack.
            let aside = self.base + self.bad;
            worker.move_stack.push(scored(m, worth));
            let last = worker.move_stack.len() - 1;
            worker.move_stack.swap(aside, last);
            self.bad += 1;
        }
        None
    }

    fn next_killer(&mut self, worker: &Worker, ply: usize) -> Option<Move> {
        if self.skip_quiets {
            return None;
        }
        while self.next_killer < self.killers.len() {
            let killer = self.killers[self.next_killer];
            self.next_killer += 1;
            let position = worker.position(ply);
            let usable = killer
                .filter(|&m| killer != self.table_move && position.is_legal(m) && !position.is_noisy(m));
            if usable.is_some() {
                return usable;
            }
        }
        None
    }

    fn next_quiet(&mut self, worker: &mut Worker) -> Option<Move> {
        if self.skip_quiets {
            return None;
        }
        self.take_best(worker).map(|(m, _)| m)
    }

    fn next_bad_noisy(&mut self, worker: &mut Worker) -> Option<Move> {
        // Quiet moves that were skipped are still above the bad captures.
        worker.move_stack.truncate(self.base + self.bad);
        self.bad = 0;
        let picked = self.take_best(worker).map(|(m, _)| m);
        self.bad = worker.move_stack.len() - self.base;
        picked
    }
}

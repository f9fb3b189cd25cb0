//! One searching thread: everything that it owns, and what it shares with others.

use super::clock::TimeManager;
use super::correction::{Corrections, Likeness};
use super::heuristics::cycles;
use super::heuristics::effort::Certainty;
use super::heuristics::late_moves::Reductions;
use super::heuristics::ordering;
use super::history::{CONTINUATION_PLIES, Histories, PieceTo, QuietContext};
use super::pv::PvTable;
use super::root::RootMove;
use super::table::Table;
use super::{Limits, Settings};
use crate::board::{Position, Wanted};
use crate::eval::{self, Evaluator};
use crate::game::{self, Game};
use crate::types::score::MAX_PLY;
use crate::types::{Move, MoveList, Score};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Nodes between two looks at the clock and at the others.
const POLL_INTERVAL: u64 = 1024;

/// The search has been told to stop: carried up by `?` from wherever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// What a node returns.
pub(super) type Searched = Result<Score, Stopped>;

/// What all threads of a search share.
pub struct Shared {
    /// The transposition table.
    pub table: Table,
    /// All threads have to stop.
    pub stop: AtomicBool,
    /// The opponent's clock is running.
    pub pondering: AtomicBool,
    /// Microseconds that were spent on the opponent's clock.
    pub pondered_us: AtomicU64,
    /// When the search was asked for: a thread may get to work only later.
    started: Mutex<Instant>,
    /// Nodes visited, by thread; as of its last poll.
    pub nodes: Box<[AtomicU64]>,
    /// Tablebase hits of all threads.
    pub tablebase_hits: AtomicU64,
}

impl Shared {
    /// For so many threads.
    pub fn new(table: Table, threads: usize) -> Shared {
        Shared {
            table,
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(false),
            pondered_us: AtomicU64::new(0),
            started: Mutex::new(Instant::now()),
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            tablebase_hits: AtomicU64::new(0),
        }
    }

    /// Makes ready for a search.
    pub fn begin(&self, limits: &Limits) {
        *self.started.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.stop.store(false, Ordering::Relaxed);
        self.pondering.store(limits.ponder, Ordering::Relaxed);
        self.pondered_us.store(0, Ordering::Relaxed);
        self.tablebase_hits.store(0, Ordering::Relaxed);
        self.nodes.iter().for_each(|nodes| nodes.store(0, Ordering::Relaxed));
        self.table.grow_older();
    }

    /// When the search was asked for.
    pub fn started(&self) -> Instant {
        *self.started.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells all threads to stop.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Have the threads been told to stop?
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Nodes visited by all threads, as of their last polls.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }
}

/// A move of the line that a thread is searching.
#[derive(Clone, Copy)]
pub(super) struct Made {
    pub m: Move,
    /// The piece on its new square.
    pub piece_to: PieceTo,
}

/// What a thread knows of one ply of the line it is searching.
#[derive(Clone)]
pub(super) struct Frame {
    pub position: Position,
    /// Static evaluation as the evaluator gives it; none in check.
    pub raw_eval: Option<Score>,
    /// Static evaluation corrected by experience; none in check.
    pub eval: Option<Score>,
    /// The move that is being searched; none for a pass.
    pub made: Option<Made>,
    /// Quiet moves that refuted other nodes of this ply, the latest first.
    pub killers: [Option<Move>; 2],
    /// The move that the present search of this ply leaves out.
    pub excluded: Option<Move>,
    /// How many of the line's keys lie before the last pass: a repetition across it is none.
    passed_keys: usize,
}

/// A thread's own state.
pub(crate) struct Worker {
    pub(super) shared: Arc<Shared>,
    /// Number of the thread; 0 is the main one, which watches the limits.
    pub(super) id: usize,
    pub(super) settings: Settings,
    pub(super) limits: Limits,
    pub(super) clock: TimeManager,
    /// What a draw counts for the side to move at the root.
    pub(super) drawn: Score,
    /// Most men of a position that the endgame tables know; 0 without tables.
    pub(super) men_in_tables: u32,
    frames: Box<[Frame]>,
    /// Keys of the game's positions and of the line's, up to the one before the present.
    keys: Vec<u64>,
    /// How many of the keys are of positions before the root.
    game_keys: usize,
    evaluator: Evaluator,
    pub(super) histories: Histories,
    pub(super) corrections: Corrections,
    pub(super) reductions: Reductions,
    pub(super) pvs: PvTable,
    pub(super) root_moves: Vec<RootMove>,
    /// Moves that pickers have generated and not yet handed out, deepest node last.
    pub(super) move_stack: Vec<i64>,
    /// Moves as they come from the generator, on their way to that stack.
    pub(super) generated: MoveList,
    pub(super) nodes: u64,
    next_poll: u64,
    pub(super) seldepth: usize,
    /// Depth of the present iteration.
    pub(super) root_depth: i32,
    /// No pass above this ply while a null move is verified.
    pub(super) no_null_before: usize,
    /// What the iterations say about the best move.
    pub(super) certainty: Certainty,
    #[cfg(feature = "train")]
    pub(super) harvest: super::harvest::Harvest,
}

impl Worker {
    pub fn new(shared: Arc<Shared>, id: usize) -> Worker {
        let frame = Frame {
            position: Position::start(),
            raw_eval: None,
            eval: None,
            made: None,
            killers: [None; 2],
            excluded: None,
            passed_keys: 0,
        };
        Worker {
            shared,
            id,
            settings: Settings::default(),
            limits: Limits::default(),
            clock: TimeManager::new(&Limits::default(), Duration::ZERO, Instant::now()),
            drawn: Score::DRAW,
            men_in_tables: 0,
            frames: vec![frame; MAX_PLY + 2].into_boxed_slice(),
            keys: Vec::new(),
            game_keys: 0,
            evaluator: Evaluator::new(),
            histories: Histories::new(),
            corrections: Corrections::new(),
            reductions: Reductions::new(),
            pvs: PvTable::new(),
            root_moves: Vec::new(),
            move_stack: Vec::with_capacity(4096),
            generated: MoveList::new(),
            nodes: 0,
            next_poll: 0,
            seldepth: 0,
            root_depth: 0,
            no_null_before: 0,
            certainty: Certainty::default(),
            #[cfg(feature = "train")]
            harvest: super::harvest::Harvest::default(),
        }
    }

    /// Forgets what it has learned.
    pub fn new_game(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }

    /// Takes part in searches with this shared state from now on.
    pub fn join(&mut self, shared: Arc<Shared>) {
        self.shared = shared;
    }

    /// Makes ready for a search of the game's present position.
    pub(super) fn set_up(&mut self, game: &Game, limits: &Limits, settings: &Settings) {
        self.settings = settings.clone();
        self.limits = limits.clone();
        if let Some(level) = settings.level {
            self.limits.nodes = Some(limits.nodes.map_or(level.nodes, |nodes| nodes.min(level.nodes)));
        }
        self.clock = TimeManager::new(limits, settings.move_overhead, self.shared.started());
        self.drawn = eval::from_centipawns(-settings.contempt);
        if cfg!(feature = "tune") {
            // Without tuning nothing changes them, and logarithms would take 5 % of a search of 500 nodes.
            self.reductions = Reductions::new();
        }
        self.keys.clear();
        self.keys.extend_from_slice(game.keys());
        self.game_keys = self.keys.len();
        for frame in &mut self.frames {
            frame.killers = [None; 2];
            frame.excluded = None;
        }
        self.frames[0].position = *game.position();
        self.frames[0].passed_keys = 0;
        self.evaluator.reset(game.position(), &settings.network);
        self.move_stack.clear();
        self.nodes = 0;
        self.next_poll = 0;
        self.no_null_before = 0;
        self.certainty = Certainty::default();
        self.root_moves = RootMove::all(game.position(), &limits.search_moves);
        self.men_in_tables = settings.endgames.men_limit();
        self.rank_root_moves();
    }

    #[inline]
    pub(super) fn frame(&self, ply: usize) -> &Frame {
        &self.frames[ply]
    }

    #[inline]
    pub(super) fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply]
    }

    /// What a draw counts for the side to move at a ply.
    /// <https://www.chessprogramming.org/Contempt_Factor>
    #[inline]
    pub(super) fn draw_score(&self, ply: usize) -> Score {
        if ply.is_multiple_of(2) { self.drawn } else { -self.drawn }
    }

    #[inline]
    pub(super) fn position(&self, ply: usize) -> &Position {
        &self.frames[ply].position
    }

    /// Generates the wanted moves of a ply.
    #[inline]
    pub(super) fn generate(&mut self, ply: usize, wanted: Wanted) {
        self.generated.clear();
        self.frames[ply].position.generate(wanted, &mut self.generated);
    }

    /// Makes a move at a ply; the next ply has the new position.
    #[inline]
    pub(super) fn make(&mut self, ply: usize, m: Move) {
        self.shared.table.prefetch(self.position(ply).key_after(m));
        let made = Made { m, piece_to: self.piece_to(ply, m) };
        self.keys.push(self.position(ply).key());
        self.frames[ply].made = Some(made);
        self.frames[ply + 1].passed_keys = self.frames[ply].passed_keys;
        let (upper, lower) = self.frames.split_at_mut(ply + 1);
        let delta = upper[ply].position.make_into(m, &mut lower[0].position);
        self.evaluator.push(&delta);
    }

    /// Passes at a ply.
    pub(super) fn make_null(&mut self, ply: usize) {
        let child = self.position(ply).make_null();
        self.shared.table.prefetch(child.key());
        self.keys.push(self.position(ply).key());
        self.frames[ply].made = None;
        self.frames[ply + 1].passed_keys = self.keys.len();
        self.frames[ply + 1].position = child;
        self.evaluator.push(&crate::board::Delta::EMPTY);
    }

    /// Returns from the move made last.
    #[inline]
    pub(super) fn unmake(&mut self) {
        self.keys.pop();
        self.evaluator.pop();
    }

    /// Static evaluation of the position at a ply, which is the one made last.
    #[inline]
    pub(super) fn evaluate(&mut self, ply: usize) -> Score {
        self.evaluator.evaluate(&self.frames[ply].position)
    }

    /// Counts a node; now and then looks whether the search has to end.
    #[inline]
    pub(super) fn count_node_or_stop(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes >= self.next_poll { self.poll() } else { Ok(()) }
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        self.publish_nodes();
        if self.is_out_of_limits() {
            self.shared.stop();
        }
        self.next_poll = self.nodes + POLL_INTERVAL;
        if let Some(limit) = self.limits.nodes {
            let others = self.shared.total_nodes() - self.nodes;
            self.next_poll = self.next_poll.min(limit.saturating_sub(others).max(self.nodes + 1));
        }
        if self.shared.is_stopped() && !self.is_first_iteration() { Err(Stopped) } else { Ok(()) }
    }

    /// Lets the others see how many nodes this thread has visited.
    pub(super) fn publish_nodes(&self) {
        self.shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
    }

    /// Is this the main thread's first iteration? It takes a moment, and without it there is no line to tell:
    /// so nothing stops it.
    fn is_first_iteration(&self) -> bool {
        self.id == 0 && self.root_depth <= 1
    }

    /// Has quiescence taken so long in the first iteration, which nothing stops, that it has to come to an end? It
    /// explodes where both sides have a dozen queens.
    pub(super) fn is_overdue(&self) -> bool {
        const MANY_NODES: u64 = 20_000;
        self.nodes > MANY_NODES && self.is_first_iteration()
    }

    /// Is a limit reached that stops a search at once?
    fn is_out_of_limits(&self) -> bool {
        if self.is_first_iteration() {
            return false;
        }
        // Every thread counts nodes, but the main one watches the clock.
        let out_of_nodes = self.limits.nodes.is_some_and(|limit| self.shared.total_nodes() >= limit);
        let is_pondering = self.shared.pondering.load(Ordering::Relaxed);
        out_of_nodes
            || (self.id == 0 && !is_pondering && !self.limits.infinite && self.clock.is_over(self.waited()))
    }

    /// Time that was spent on the opponent's clock.
    fn waited(&self) -> Duration {
        Duration::from_micros(self.shared.pondered_us.load(Ordering::Relaxed))
    }

    /// The moving man on his new square.
    #[inline]
    pub(super) fn piece_to(&self, ply: usize, m: Move) -> PieceTo {
        let piece = self.position(ply).piece_on(m.from()).expect("a legal move has a man to move");
        PieceTo::new(piece, m.to())
    }

    /// The piece moved so many plies before a ply, on its new square.
    #[inline]
    fn piece_made(&self, ply: usize, back: usize) -> Option<PieceTo> {
        let made = self.frames[ply.checked_sub(back)?].made?;
        Some(made.piece_to)
    }

    /// A quiet move as the histories see it.
    #[inline]
    pub(super) fn quiet_context(&self, ply: usize, m: Move) -> QuietContext {
        QuietContext {
            side: self.position(ply).side_to_move(),
            m,
            mover: self.piece_to(ply, m),
            pawns: self.position(ply).keys().pawn,
            earlier: CONTINUATION_PLIES.map(|back| self.piece_made(ply, back)),
        }
    }

    /// The position at a ply as the corrections see it.
    #[inline]
    pub(super) fn likeness(&self, ply: usize) -> Likeness {
        let position = self.position(ply);
        Likeness {
            side: position.side_to_move(),
            keys: *position.keys(),
            moves: self.piece_made(ply, 2).zip(self.piece_made(ply, 1)).map(|(before, last)| [before, last]),
        }
    }

    /// How a quiet move has done elsewhere.
    #[inline]
    pub(super) fn quiet_history(&self, ply: usize, m: Move) -> i32 {
        self.histories.quiet(&self.quiet_context(ply, m))
    }

    /// Worth of a capture or promotion for ordering.
    #[inline]
    pub(super) fn noisy_worth(&self, ply: usize, m: Move) -> i32 {
        let taken = self.position(ply).captured(m);
        let history = self.histories.capture(self.piece_to(ply, m), taken);
        ordering::noisy_worth(taken, m.promotion(), history)
    }

    /// Plies back to the last capture, pawn move or pass.
    fn reversible_plies(&self, ply: usize) -> u32 {
        let since_pass = self.keys.len() - self.frames[ply].passed_keys;
        self.position(ply).halfmoves().min(since_pass as u32)
    }

    /// Can the side to move repeat a position of this line with its next move?
    pub(super) fn can_repeat(&self, ply: usize) -> bool {
        let position = self.position(ply);
        let oldest =
            self.keys.len() - (self.reversible_plies(ply) as usize).min(self.keys.len() - self.game_keys);
        cycles::within_reach(oldest, self.keys.len()).any(|index| position.can_return_to(self.keys[index]))
    }

    /// Is the position at a ply a draw by repetition? One earlier occurrence below the root is enough: what
    /// was possible once will be again. Before the root it takes two.
    pub(super) fn is_repetition(&self, ply: usize) -> bool {
        let position = self.position(ply);
        let mut before_root = 0;
        for index in game::repetitions(position.key(), self.reversible_plies(ply), &self.keys) {
            if index >= self.game_keys {
                return true;
            }
            before_root += 1;
            if before_root == 2 {
                return true;
            }
        }
        false
    }
}

//! The search of one position.

use super::{Interrupt, ItemError, Lines, Plan, Value};
use crate::board::{Outcome, Position};
use crate::engine::Engine;
use crate::game::Game;
use crate::search::{Event, Limits, Report, Reporter, Searcher, Silent, Table};
use crate::tablebase::{Ranking, Wdl};
use crate::types::Move;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How often a search on several threads looks whether it is to end.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// What was found about a position.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The position.
    pub position: Position,
    /// What the search told; empty if the game has ended.
    pub report: Report,
    /// How the game stands by the rules.
    pub outcome: Option<Outcome>,
    /// What endgame tables know.
    pub tables: Option<TableFacts>,
}

/// What endgame tables know about a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableFacts {
    /// The value with the clock as it stands.
    pub wdl: Wdl,
    /// Plies to the next capture or pawn move with best play.
    pub dtz: Option<i32>,
}

impl Analysis {
    /// The value of the best line, in the view of the side to move; none if the game has ended.
    pub fn value(&self) -> Option<Value> {
        self.report.lines.first().map(|line| Value::of(line.score))
    }

    /// Nodes and whole seconds of the search.
    pub(super) fn nodes_and_seconds(&self) -> (u64, u64) {
        (self.report.nodes, self.report.time.as_secs())
    }
}

/// Searches one position after the other, each as if it were the first.
pub struct Analyst {
    plan: Plan,
    hands: Hands,
}

enum Hands {
    One(Box<Searcher>),
    Many(Box<Engine>),
}

impl Analyst {
    /// An analyst for a plan, with a table of its own.
    ///
    /// # Panics
    /// If there is no memory even for a small table.
    pub fn new(plan: &Plan) -> Analyst {
        let hands = if plan.threads > 1 {
            let mut engine = Engine::new();
            // Where there is not so much memory the engine keeps its small table.
            let _ = engine.set_hash(plan.table_bytes().div_ceil(1 << 20));
            engine.set_threads(plan.threads);
            Hands::Many(Box::new(engine))
        } else {
            let table = Table::with_bytes(plan.table_bytes()).or_else(|_| Table::new(1));
            Hands::One(Box::new(Searcher::with_table(table.expect("1 MiB of memory is left"))))
        };
        Analyst { plan: plan.clone(), hands }
    }

    /// The same analyst, whose searches an interrupt stops.
    #[must_use]
    pub fn heeding(self, interrupt: &Interrupt) -> Analyst {
        if let Hands::One(searcher) = &self.hands {
            interrupt.watch(searcher.shared());
        }
        self
    }

    /// Searches the game's present position. None if the interrupt came first.
    ///
    /// # Errors
    /// If none of the moves that the plan allows is legal.
    pub fn analyze(&mut self, game: &Game, interrupt: &Interrupt) -> Option<Result<Analysis, ItemError>> {
        self.analyze_aloud(game, interrupt, &mut Silent)
    }

    /// The same, and a search on one thread tells how it goes on.
    ///
    /// # Errors
    /// If none of the moves that the plan allows is legal.
    pub fn analyze_aloud(
        &mut self,
        game: &Game,
        interrupt: &Interrupt,
        reporter: &mut dyn Reporter,
    ) -> Option<Result<Analysis, ItemError>> {
        let position = *game.position();
        let outcome = game.outcome();
        if outcome.is_some_and(ends_the_game) {
            let report = Report::default();
            return Some(Ok(Analysis { position, report, outcome, tables: None }));
        }
        let ranking = self.plan.tables.as_ref().and_then(|tables| tables.rank_root_moves(&position, true));
        let limits = match self.limits(&position, ranking.as_ref()) {
            Ok(limits) => limits,
            Err(error) => return Some(Err(error)),
        };
        let report = self.search(game, &limits, interrupt, reporter);
        let tables = ranking.map(|ranking| TableFacts { wdl: ranking.wdl(), dtz: ranking.best().dtz });
        (!interrupt.is_raised()).then_some(Ok(Analysis { position, report, outcome, tables }))
    }

    /// The plan's limits for a position. Where tables know the position, the best move is one of theirs,
    /// unless somebody wants to see certain moves or several.
    fn limits(&self, position: &Position, ranking: Option<&Ranking>) -> Result<Limits, ItemError> {
        let mut search_moves = self.plan.root_moves(position)?;
        if let (Some(ranking), true, Lines::Best(1)) = (ranking, search_moves.is_empty(), self.plan.lines) {
            search_moves = ranking.keeping(true).map(|ranked| ranked.m).collect::<Vec<Move>>();
        }
        Ok(Limits { search_moves, ..self.plan.limits.clone() })
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        interrupt: &Interrupt,
        reporter: &mut dyn Reporter,
    ) -> Report {
        let multipv = match self.plan.lines {
            Lines::Best(count) => count,
            Lines::All => usize::MAX,
        };
        match &mut self.hands {
            Hands::One(searcher) => {
                *searcher.settings() = self.plan.settings.clone();
                searcher.settings().multipv = multipv;
                searcher.new_game();
                searcher.search(game, limits, reporter)
            }
            Hands::Many(engine) => {
                *engine.settings() = self.plan.settings.clone();
                engine.settings().multipv = multipv;
                engine.new_game();
                engine.set_game(game.clone());
                run(engine, limits, interrupt)
            }
        }
    }
}

impl Plan {
    /// Will there be an analysis of the game's present position, be it over or open?
    pub(super) fn accepts(&self, game: &Game) -> bool {
        game.outcome().is_some_and(ends_the_game) || self.root_moves(game.position()).is_ok()
    }
}

/// Does the rule end the game by itself, without a claim?
fn ends_the_game(outcome: Outcome) -> bool {
    !matches!(outcome, Outcome::Fifty | Outcome::Threefold)
}

/// Searches on several threads and waits for the end.
fn run(engine: &mut Engine, limits: &Limits, interrupt: &Interrupt) -> Report {
    struct Last(Sender<Report>);
    impl Reporter for Last {
        fn report(&mut self, event: Event<'_>) {
            if let Event::Finished(report) = event {
                // The receiver waits until this comes.
                let _ = self.0.send(report.clone());
            }
        }
    }
    let (sender, receiver) = channel();
    engine.go(limits, Box::new(Last(sender)));
    loop {
        match receiver.recv_timeout(POLL_INTERVAL) {
            Ok(report) => return report,
            Err(RecvTimeoutError::Timeout) if !interrupt.is_raised() => {}
            Err(RecvTimeoutError::Timeout) => engine.stop(),
            Err(RecvTimeoutError::Disconnected) => return Report::default(),
        }
    }
}

/// Searches the game's present position by a plan.
///
/// # Errors
/// If none of the moves that the plan allows is legal.
///
/// # Panics
/// Never: nobody can interrupt.
pub fn analyze(game: &Game, plan: &Plan) -> Result<Analysis, ItemError> {
    Analyst::new(plan).analyze(game, &Interrupt::default()).expect("nobody interrupts")
}

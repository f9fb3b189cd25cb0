//! Layer 4: the search.
//!
//! Iterative deepening ([`deepen`]) calls a principal variation search ([`negamax`]) with a search of
//! captures behind its leaves ([`quiesce`]). What it may leave out and what it looks at first is decided by
//! the [`heuristics`], one function each. It prints nothing: whoever started it hears [`Event`]s.

mod clock;
mod correction;
mod deepen;
mod endgames;
#[cfg(feature = "train")]
mod harvest;
mod heuristics;
mod history;
pub mod level;
pub mod limits;
mod negamax;
mod node;
mod picker;
mod pv;
mod quiesce;
pub mod report;
mod root;
pub mod table;
pub mod tunables;
mod worker;

pub use deepen::MAX_DEPTH;
pub use endgames::Endgames;
#[cfg(feature = "train")]
pub use harvest::{HarvestSource, Harvested};
pub use level::Level;
pub use limits::{Clock, Limits};
pub use report::{Event, Line, Report, Reporter, Silent};
pub use table::{Table, TableError};
pub use worker::Shared;
pub(crate) use worker::Worker;

use crate::game::Game;
use crate::nnue::Network;
use std::sync::Arc;
use std::time::Duration;

/// What a user may choose about a search, beside its limits.
#[derive(Clone)]
pub struct Settings {
    /// How many lines to search and tell.
    pub multipv: usize,
    /// Time that is lost on the way to the user on every move.
    pub move_overhead: Duration,
    /// How much worse than its true value a draw counts for the side to move at the root, in centipawns.
    pub contempt: i32,
    /// Endgame tables, and when they are asked.
    pub endgames: Endgames,
    /// How strong to play; none = as well as it can.
    pub level: Option<Level>,
    /// The network that evaluates.
    pub network: Arc<Network>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            multipv: 1,
            move_overhead: Duration::from_millis(20),
            contempt: 0,
            endgames: Endgames::default(),
            level: None,
            network: Network::embedded(),
        }
    }
}

/// One thread with a table of its own: for analysis of many positions at once, self-play and tests.
///
/// ```
/// use clavier::game::Game;
/// use clavier::search::{Limits, Searcher, Silent};
/// // White mates in two.
/// let game = Game::new("6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1".parse().unwrap());
/// let report = Searcher::new(1).search(&game, &Limits::depth(6), &mut Silent);
/// assert_eq!(report.lines[0].score.moves_to_mate(), Some(1));
/// ```
pub struct Searcher {
    shared: Arc<Shared>,
    worker: Worker,
    settings: Settings,
}

impl Searcher {
    /// A searcher with a table of a size in MiB, or of the smallest size if there is not so much memory.
    ///
    /// # Panics
    /// If there is not even 1 MiB.
    pub fn new(hash_mb: usize) -> Searcher {
        let table = Table::new(hash_mb).or_else(|_| Table::new(1)).expect("1 MiB of memory is left");
        Searcher::with_table(table)
    }

    /// A searcher with this table.
    pub fn with_table(table: Table) -> Searcher {
        let shared = Arc::new(Shared::new(table, 1));
        let worker = Worker::new(Arc::clone(&shared), 0);
        Searcher { shared, worker, settings: Settings::default() }
    }

    /// What may be chosen.
    pub fn settings(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// What the searches share with whoever wants to stop them.
    pub fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Forgets everything about the game before.
    pub fn new_game(&mut self) {
        self.shared.table.clear(1);
        self.worker.new_game();
        #[cfg(feature = "train")]
        self.worker.harvest.clear();
    }

    /// Searches the game's present position until a limit is reached.
    pub fn search(&mut self, game: &Game, limits: &Limits, reporter: &mut dyn Reporter) -> Report {
        self.shared.begin(limits);
        let report = self.worker.search(game, limits, &self.settings, reporter);
        #[cfg(feature = "train")]
        self.worker.harvest.end_search();
        reporter.report(Event::Finished(&report));
        report
    }
}

//! Layer 5: the facade that clients use: a game, its settings and a search that runs in the background.
//!
//! ```
//! use clavier::engine::Engine;
//! use clavier::search::{Limits, Silent};
//! let mut engine = Engine::new();
//! engine.go(&Limits::depth(3), Box::new(Silent));
//! engine.wait();
//! assert!(!engine.is_searching());
//! ```

mod pool;
mod vote;

use crate::eval::Appraisal;
use crate::game::Game;
use crate::nnue::Network;
use crate::search::{Limits, Reporter, Settings, Shared, Table, TableError};
use pool::Pool;
use std::sync::Arc;

/// Size of the table when nobody asks for another one, in MiB.
pub const DEFAULT_HASH_MB: usize = 16;

/// A game, settings and searching threads. One search at a time; what would disturb it waits for its end.
///
/// ```
/// use clavier::engine::Engine;
/// use clavier::game::Game;
/// use clavier::search::{Event, Limits, Reporter};
/// use std::sync::mpsc::{Sender, channel};
///
/// /// Sends the best move when the search has ended.
/// struct Answer(Sender<String>);
/// impl Reporter for Answer {
///     fn report(&mut self, event: Event<'_>) {
///         if let Event::Finished(report) = event {
///             let best = report.best.map(|m| format!("{}{}", m.from(), m.to()));
///             self.0.send(best.unwrap_or_default()).unwrap();
///         }
///     }
/// }
///
/// let mut engine = Engine::new();
/// engine.set_threads(2);
/// engine.set_game(Game::new("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap()));
/// let (sender, answers) = channel();
/// engine.go(&Limits::depth(4), Box::new(Answer(sender)));
/// assert_eq!(answers.recv().unwrap(), "a1a8");
/// ```
pub struct Engine {
    game: Game,
    settings: Settings,
    shared: Arc<Shared>,
    pool: Pool,
    /// Is nothing in the table? Emptying a large one again would cost seconds, and memory that is not needed yet.
    is_table_empty: bool,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// One thread, a table of [`DEFAULT_HASH_MB`], the initial position.
    ///
    /// # Panics
    /// If there is not even 1 MiB of memory for the table.
    pub fn new() -> Engine {
        let table = Table::new(DEFAULT_HASH_MB).or_else(|_| Table::new(1)).expect("1 MiB of memory is left");
        let shared = Arc::new(Shared::new(table, 1));
        let pool = Pool::new(&shared);
        Engine { game: Game::default(), settings: Settings::default(), shared, pool, is_table_empty: true }
    }

    /// What may be chosen; waits for the search's end.
    pub fn settings(&mut self) -> &mut Settings {
        self.wait();
        &mut self.settings
    }

    /// Evaluates by another network from now on, and empties the table, which holds the values of the old one; waits
    /// for the search's end.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.wait();
        if !Arc::ptr_eq(&self.settings.network, &network) {
            self.settings.network = network;
            self.clear_hash();
        }
    }

    /// Gives the table a size in MiB, and empties it; waits for the search's end.
    ///
    /// # Errors
    /// If there is not so much memory; the old table stays.
    pub fn set_hash(&mut self, mb: usize) -> Result<(), TableError> {
        self.wait();
        let table = Table::new(mb)?;
        self.share(Shared::new(table, self.threads()));
        Ok(())
    }

    /// Gives the search so many threads, and empties the table; waits for the search's end.
    pub fn set_threads(&mut self, threads: usize) {
        self.wait();
        let mb = self.shared.table.size_mb();
        if threads.max(1) != self.threads()
            && let Ok(table) = Table::new(mb)
        {
            self.share(Shared::new(table, threads.max(1)));
        }
    }

    fn share(&mut self, shared: Shared) {
        self.is_table_empty = true;
        self.shared = Arc::new(shared);
        self.pool.join(&self.shared);
    }

    /// Number of searching threads.
    pub fn threads(&self) -> usize {
        self.shared.nodes.len()
    }

    /// Size of the table in MiB.
    pub fn hash_mb(&self) -> usize {
        self.shared.table.size_mb()
    }

    /// Empties the table; waits for the search's end.
    pub fn clear_hash(&mut self) {
        self.wait();
        if !self.is_table_empty {
            self.shared.table.clear(self.threads());
            self.is_table_empty = true;
        }
    }

    /// Forgets everything about the game before; waits for the search's end.
    pub fn new_game(&mut self) {
        self.clear_hash();
        self.pool.new_game();
    }

    /// Takes a game, whose present position is to be searched; waits for the search's end.
    pub fn set_game(&mut self, game: Game) {
        self.wait();
        self.game = game;
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The value of the present position without a search, with the contribution of each man.
    pub fn appraise(&self) -> Appraisal {
        Appraisal::new(self.game.position(), &self.settings.network)
    }

    /// Starts a search and returns at once. Waits for the end of the search before, if there is one.
    /// With `infinite` or `ponder` it does not end before [`Engine::stop`] or [`Engine::ponder_hit`].
    pub fn go(&mut self, limits: &Limits, reporter: Box<dyn Reporter>) {
        self.wait();
        self.shared.begin(limits);
        self.is_table_empty = false;
        self.pool.go(&self.game, limits, &self.settings, reporter);
    }

    /// Tells the search to end.
    pub fn stop(&self) {
        self.pool.stop(&self.shared);
    }

    /// The opponent has played the expected move: from now on the clock counts.
    pub fn ponder_hit(&self) {
        self.pool.ponder_hit(&self.shared);
    }

    /// Is a search running?
    pub fn is_searching(&self) -> bool {
        self.pool.is_searching()
    }

    /// Waits until the search has ended.
    pub fn wait(&mut self) {
        self.pool.wait();
    }
}

//! What options act on: the engine, and how it talks.

use super::console::Console;
use super::options::DEFAULT_ELO;
use super::own_book::OwnBook;
use crate::engine::Engine;
use crate::search::Level;
use crate::tablebase::Tablebase;
use std::sync::Arc;

/// The engine of a session with its manners.
pub struct Player {
    /// The engine.
    pub engine: Engine,
    /// How it writes moves and values.
    pub style: Style,
    /// Where it talks.
    pub console: Console,
    /// Is it asked for the truth, not for a game?
    pub is_analyzing: bool,
    /// How much worse than its true value a draw counts for the engine, in centipawns.
    pub contempt: i32,
    /// Its opening book.
    pub book: OwnBook,
    /// Is it to play no better than its rating allows?
    pub is_limited: bool,
    /// The rating to play at, if it is limited, in Elo.
    pub elo: u32,
    /// What is to be told about options that were set.
    pub notes: Vec<String>,
}

/// How moves and values are written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Is castling written as king takes rook in every position?
    pub chess960: bool,
    /// Are chances of win, draw and loss told with every value?
    pub shows_wdl: bool,
}

impl Default for Player {
    fn default() -> Player {
        Player {
            engine: Engine::default(),
            style: Style::default(),
            console: Console::default(),
            is_analyzing: false,
            contempt: 0,
            book: OwnBook::default(),
            is_limited: false,
            elo: DEFAULT_ELO,
            notes: Vec::new(),
        }
    }
}

impl Player {
    /// Opens the endgame tables in some folders, joined as on the platform; none for an empty text.
    pub fn open_tables(&mut self, paths: &str) {
        let mut tables = None;
        if !paths.is_empty() {
            let (opened, inventory) = Tablebase::open(paths.as_ref());
            self.notes.push(format!("SyzygyPath: {inventory}"));
            tables = (opened.men_limit() > 0).then(|| Arc::new(opened));
        }
        self.engine.settings().endgames.tables = tables;
    }

    /// Tells the search what of a game's manners is in force: in analysis none.
    pub fn settle_manners(&mut self) {
        let is_playing = !self.is_analyzing;
        let level = (self.is_limited && is_playing).then(|| Level::new(self.elo));
        let contempt = if is_playing { self.contempt } else { 0 };
        let settings = self.engine.settings();
        settings.level = level;
        settings.contempt = contempt;
    }
}

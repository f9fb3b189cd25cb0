//! One position to be analyzed, or what is wrong with it.

use super::epd::Opcode;
use crate::board::FenError;
use crate::board::notation::MoveError;
use crate::game::Game;
use serde_json::Value;

/// A position with the game that led to it, and all that its record repeats.
#[derive(Clone, Debug)]
pub struct Item {
    /// The id that the input gives, else the number of the item.
    pub id: Value,
    /// Number of its line in the input, from 1; for games the number of the game.
    pub line: u64,
    /// The game up to the position.
    pub game: Game,
    /// Does the input ask for castling as king takes rook?
    pub chess960: bool,
    /// What an EPD line says about the position.
    pub opcodes: Vec<Opcode>,
    /// Where in a collection of games the position stands.
    pub place: Option<Place>,
}

/// A place in a collection of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Number of the game, from 1.
    pub game: u64,
    /// Moves of either side before the position.
    pub ply: usize,
}

/// An item that cannot be analyzed.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// As for an [`Item`].
    pub id: Value,
    /// As for an [`Item`].
    pub line: u64,
    /// The position as it was given, or as far as it came.
    pub fen: String,
    /// What is wrong.
    pub error: ItemError,
}

/// Why an item cannot be analyzed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ItemError {
    /// The line looks like JSON and is not the JSON that is wanted.
    #[error("the line is not a JSON object with a \"fen\": {0}")]
    Json(String),
    /// The position cannot be read.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move of the list cannot be played.
    #[error("{source}: number {number} of the moves, in {fen}")]
    Move {
        /// Its number in the list, from 1.
        number: usize,
        /// The position before it.
        fen: String,
        /// What is wrong with it.
        source: MoveError,
    },
    /// None of the moves that the search is to look at is legal.
    #[error("none of the moves to be searched is legal here")]
    NoMoveLeft,
    /// A test position that asks for nothing.
    #[error("there is nothing to be found: no bm, am, dm or points in c0 or c8 and c9")]
    NoGoal,
    /// A test position's opcode holds something else than it should.
    #[error("opcode {name} {operands}: {fault}")]
    Opcode {
        /// The opcode.
        name: String,
        /// Its operands.
        operands: String,
        /// What is wrong.
        fault: String,
    },
    /// The line has no end.
    #[error("the line is longer than {0} bytes")]
    TooLong(usize),
    /// The game cannot be read on.
    #[error("game {game}: {fault}")]
    Game {
        /// Its number, from 1.
        game: u64,
        /// What is wrong.
        fault: String,
    },
}

impl ItemError {
    /// One word for programs.
    pub const fn kind(&self) -> &'static str {
        match self {
            ItemError::Json(_) => "json",
            ItemError::Fen(_) => "fen",
            ItemError::Move { .. } | ItemError::NoMoveLeft => "move",
            ItemError::NoGoal | ItemError::Opcode { .. } => "epd",
            ItemError::TooLong(_) => "line",
            ItemError::Game { .. } => "pgn",
        }
    }
}

/// An id as plain text.
pub fn plain(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

//! What options act on: the engine, and how it talks.

use crate::engine::Engine;

/// The engine of a session with its manners.
#[derive(Default)]
pub struct Player {
    /// The engine.
    pub engine: Engine,
    /// Is castling written as king takes rook in every position?
    pub chess960: bool,
}

//! What a run of self-play notes about itself beside its files of games.

use super::selfplay::Adjudication;
use serde::{Deserialize, Serialize};

/// One run's part of a file of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Version of this record.
    pub v: u32,
    /// When the run began, in UTC.
    pub date: String,
    /// Name and version of the engine.
    pub engine: String,
    /// What evaluated the positions.
    pub net: String,
    /// What was kept from inside the searches, as in `harvest 4`; nothing in the records of older versions.
    #[serde(default)]
    pub inside: Option<String>,
    /// Seed of the run, in decimal; JSON numbers have too few bits.
    pub seed: String,
    /// Seed of this thread's openings.
    pub thread_seed: String,
    /// Number of games that were in the file before.
    pub first_game: u64,
    /// Nodes after which no new iteration starts.
    pub soft_nodes: Option<u64>,
    /// Nodes after which a search stops.
    pub hard_nodes: Option<u64>,
    /// Depth of the last iteration.
    pub depth: Option<u32>,
    /// Where the openings come from, with the number of plies by chance.
    pub openings: String,
    /// Openings with a larger score are dropped, in internal units.
    pub opening_limit: i32,
    /// When games end before the rules end them.
    pub adjudication: Adjudication,
}

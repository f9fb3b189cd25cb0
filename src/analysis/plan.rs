//! What a search is to do with each position.

use super::{ENGINE, ItemError};
use crate::board::{Position, notation, san};
use crate::search::{Limits, Settings};
use crate::tablebase::Tablebase;
use crate::types::Move;
use serde_json::{Map, json};
use std::sync::Arc;
use std::time::Duration;

/// Nodes of a search to which nobody has given another limit.
const DEFAULT_NODES: u64 = 1_000_000;
/// The smallest table, in bytes.
const SMALLEST_TABLE: usize = 64 << 10;
/// Bytes of table that a node is worth: four entries.
const BYTES_PER_NODE: u64 = 64;
/// Depth from which on a search may need a table of any size, in plies.
const DEPTH_OF_ANY_SIZE: u32 = 20;

/// How many lines a search tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lines {
    /// So many of the best.
    Best(usize),
    /// One for every move.
    All,
}

/// What a search is to do with each position.
#[derive(Clone)]
pub struct Plan {
    /// What ends the search.
    pub limits: Limits,
    /// How many lines to tell.
    pub lines: Lines,
    /// Look at these moves only, as UCI text or SAN; moves that are illegal in a position do not count there.
    pub only: Vec<String>,
    /// Do not look at these moves.
    pub without: Vec<String>,
    /// Threads for each position. With more than one, records are not reproducible.
    pub threads: usize,
    /// The largest table, in MiB.
    pub hash_mb: usize,
    /// The network.
    pub settings: Settings,
    /// Endgame tables.
    pub tables: Option<Arc<Tablebase>>,
}

impl Default for Plan {
    /// A million nodes, one line.
    fn default() -> Plan {
        Plan {
            limits: Limits::nodes(DEFAULT_NODES),
            lines: Lines::Best(1),
            only: Vec::new(),
            without: Vec::new(),
            threads: 1,
            hash_mb: 16,
            settings: Settings { move_overhead: Duration::ZERO, ..Settings::default() },
            tables: None,
        }
    }
}

impl Plan {
    /// Bytes of table that these searches can use. It depends on the limits alone, never on the position, so
    /// that records do not.
    pub(super) fn table_bytes(&self) -> usize {
        let most = self.hash_mb.max(1) << 20;
        let by_nodes = self.limits.nodes.map_or(most, |nodes| {
            let bytes = usize::try_from(nodes.saturating_mul(BYTES_PER_NODE)).ok();
            bytes.and_then(usize::checked_next_power_of_two).unwrap_or(most)
        });
        let by_depth = match self.limits.depth {
            Some(depth) if depth < DEPTH_OF_ANY_SIZE => SMALLEST_TABLE << depth,
            _ => most,
        };
        most.min(by_nodes).min(by_depth).max(SMALLEST_TABLE)
    }

    /// The root moves to look at; empty = all.
    ///
    /// # Errors
    /// If none of those asked for is legal.
    pub(super) fn root_moves(&self, position: &Position) -> Result<Vec<Move>, ItemError> {
        if self.only.is_empty() && self.without.is_empty() {
            return Ok(Vec::new());
        }
        let read = |texts: &[String]| -> Vec<Move> {
            texts.iter().filter_map(|text| read_move(position, text).ok()).collect()
        };
        let (only, without) = (read(&self.only), read(&self.without));
        let mut moves = position.legal_moves().to_vec();
        moves.retain(|m| (self.only.is_empty() || only.contains(m)) && !without.contains(m));
        if moves.is_empty() { Err(ItemError::NoMoveLeft) } else { Ok(moves) }
    }

    /// Name of the network that evaluates.
    pub fn network_name(&self) -> &str {
        self.settings.network.name()
    }

    /// All that bounds and shapes a search, for records.
    pub fn limit(&self) -> Map<String, serde_json::Value> {
        let mut limit = Map::new();
        let mut note = |name: &str, value: Option<serde_json::Value>| {
            if let Some(value) = value {
                limit.insert(name.to_owned(), value);
            }
        };
        let limits = &self.limits;
        note("depth", limits.depth.map(|depth| json!(depth)));
        note("nodes", limits.nodes.map(|nodes| json!(nodes)));
        note("movetime_ms", limits.move_time.map(|time| json!(time.as_millis() as u64)));
        note("mate", limits.mate.map(|moves| json!(moves)));
        note(
            "multipv",
            match self.lines {
                Lines::Best(1) => None,
                Lines::Best(count) => Some(json!(count)),
                Lines::All => Some(json!("all")),
            },
        );
        note("searchmoves", (!self.only.is_empty()).then(|| json!(self.only)));
        note("exclude", (!self.without.is_empty()).then(|| json!(self.without)));
        note("threads", (self.threads > 1).then(|| json!(self.threads)));
        note("hash_mb", Some(json!(self.hash_mb)));
        limit
    }

    /// What must be equal for two runs to write the same records.
    pub fn fingerprint(&self) -> serde_json::Value {
        json!({"engine": ENGINE, "net": self.network_name(), "limit": self.limit()})
    }
}

/// Reads a move as UCI text or SAN.
pub(super) fn read_move(position: &Position, text: &str) -> Result<Move, crate::board::notation::MoveError> {
    notation::parse_uci(position, text).or_else(|fault| san::parse(position, text).map_err(|_| fault))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_searches_get_small_tables() {
        let bytes = |limits: Limits| Plan { limits, ..Plan::default() }.table_bytes();
        assert_eq!(bytes(Limits::nodes(1)), SMALLEST_TABLE);
        assert_eq!(bytes(Limits::nodes(100_000)), 8 << 20);
        assert_eq!(bytes(Limits::nodes(u64::MAX)), 16 << 20);
        assert_eq!(bytes(Limits::depth(3)), 512 << 10);
        assert_eq!(bytes(Limits::depth(200)), 16 << 20);
    }

    #[test]
    fn moves_are_chosen_by_either_notation() {
        let start = Position::start();
        let chosen = |only: &[&str], without: &[&str]| {
            let own = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
            let plan = Plan { only: own(only), without: own(without), ..Plan::default() };
            plan.root_moves(&start).map(|moves| moves.len())
        };
        assert_eq!(chosen(&["e2e4", "Nf3", "e7e5"], &[]), Ok(2));
        assert_eq!(chosen(&[], &["e4", "Nf3"]), Ok(18));
        assert_eq!(chosen(&["e4"], &["e2e4"]), Err(ItemError::NoMoveLeft));
    }
}

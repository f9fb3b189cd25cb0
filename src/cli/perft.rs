//! `clavier perft`.

use super::fault::{Fault, open, position, print};
use crate::board::perft::suite::{self, Verdict};
use crate::board::perft::{self, Table};
use crate::board::{backend, fen, notation};
use anyhow::Context;
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Depth unless another one is asked for, in plies.
const DEFAULT_DEPTH: u32 = 6;

/// Count the leaves of the tree of legal moves, or check known counts
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: clavier perft 5 --divide --fen \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\""
)]
pub struct Arguments {
    /// Depth in plies
    #[arg(default_value_t = DEFAULT_DEPTH)]
    depth: u32,
    /// Position to start from
    #[arg(long, default_value = fen::START, hide_default_value = true)]
    fen: String,
    /// Write castling as king takes rook
    #[arg(long)]
    chess960: bool,
    /// Tell the count behind each move
    #[arg(long)]
    divide: bool,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Memory for counts already known, in MiB; 0 = count every line
    #[arg(long, value_name = "MB", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1_048_576))]
    hash: u32,
    /// One line of JSON
    #[arg(long)]
    json: bool,
    /// Check the counts in a file of lines like `FEN ;D1 20 ;D2 400`, - = standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "fen", "divide", "hash", "json"])]
    suite: Option<PathBuf>,
    /// Leave out counts above this number
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true, requires = "suite")]
    max_nodes: u64,
}

/// The record of `--json`.
#[derive(Serialize)]
struct Record {
    fen: String,
    depth: u32,
    nodes: u64,
    time_ms: f64,
    nps: u64,
    threads: u32,
    hash_mb: u32,
    backend: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Map<String, Value>>,
}

/// Counts, or checks a suite.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads as usize)
        .build()
        .context("no threads can be started")?;
    match &arguments.suite {
        Some(file) => pool.install(|| check_suite(file, arguments.max_nodes)),
        None => pool.install(|| count(arguments)),
    }
}

fn count(arguments: &Arguments) -> anyhow::Result<()> {
    let root = position(&arguments.fen)?;
    let depth = arguments.depth;
    let table = match arguments.hash {
        0 => None,
        mb => Some(Table::new(mb as usize).map_err(|error| Fault::Usage(error.to_string()))?),
    };
    let start = Instant::now();
    let divided = perft::divide(&root, depth, table.as_ref());
    let time = start.elapsed();
    let nodes = if depth == 0 { 1 } else { divided.iter().map(|&(_, leaves)| leaves).sum() };
    let moves =
        divided.iter().map(|&(m, leaves)| (notation::format_uci(&root, m, arguments.chess960), leaves));
    if arguments.json {
        let divide =
            arguments.divide.then(|| moves.map(|(name, leaves)| (name, Value::from(leaves))).collect());
        let record = Record {
            fen: root.to_string(),
            depth,
            nodes,
            time_ms: time.as_secs_f64() * 1000.0,
            nps: nodes_per_second(nodes, time),
            threads: arguments.threads,
            hash_mb: arguments.hash,
            backend: backend::chosen().name(),
            divide,
        };
        print(serde_json::to_string(&record)?)?;
        return Ok(());
    }
    if arguments.divide {
        for (name, leaves) in moves {
            print(format_args!("{name}: {leaves}"))?;
        }
    }
    print(format_args!("{nodes} nodes, {:.3} s, {} nps", time.as_secs_f64(), nodes_per_second(nodes, time)))?;
    Ok(())
}

fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000 / time.as_micros().max(1)) as u64
}

fn check_suite(file: &Path, max_nodes: u64) -> anyhow::Result<()> {
    let mut text = Vec::new();
    open(file)?
        .read_to_end(&mut text)
        .map_err(|source| Fault::Input { name: file.display().to_string(), source })?;
    let text = String::from_utf8_lossy(&text);
    let checked = suite::check(&text, max_nodes);
    for row in checked.iter().filter(|row| row.verdict.is_failure()) {
        print(format_args!("line {}: {}: {}", row.number, row.verdict, row.line))?;
    }
    let failed = checked.iter().filter(|row| row.verdict.is_failure()).count();
    let too_large = checked.iter().filter(|row| row.verdict == Verdict::TooLarge).count();
    if too_large > 0 {
        print(format_args!("{too_large} rows left out: every count is above {max_nodes}"))?;
    }
    print(format_args!("{} passed, {failed} failed", checked.len() - failed - too_large))?;
    if failed > 0 { Err(Fault::SomeFailed.into()) } else { Ok(()) }
}

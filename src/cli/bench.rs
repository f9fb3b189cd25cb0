//! `clavier bench`.

use super::fault::print;
use crate::bench::{self, DEFAULT_DEPTH, DEFAULT_HASH_MB, Plan};
use std::io::IsTerminal;

/// Search fixed positions; the number of nodes is the signature of the search
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier bench 10")]
pub struct Arguments {
    /// Depth of every search, in plies
    #[arg(default_value_t = DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Memory for the transposition table, in MiB
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_HASH_MB as u32,
        value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Threads; with more than one the number of nodes varies
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Tell the nodes of each position on the standard error, as is done on a terminal
    #[arg(long)]
    verbose: bool,
    /// One line of JSON
    #[arg(long)]
    json: bool,
}

/// Runs the benchmark; progress goes to the standard error.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let plan = Plan {
        depth: arguments.depth,
        hash_mb: arguments.hash as usize,
        threads: arguments.threads as usize,
    };
    let is_told = arguments.verbose || std::io::stderr().is_terminal();
    let outcome = bench::run(&plan, |line| {
        if is_told {
            eprintln!("{line}");
        }
        true
    });
    let told = if arguments.json { serde_json::to_string(&outcome)? } else { outcome.to_string() };
    Ok(print(told)?)
}

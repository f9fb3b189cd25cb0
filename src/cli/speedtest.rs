//! `clavier speedtest`.

use super::fault::{Fault, print};
use super::progress::Progress;
use crate::speedtest::{self, Plan};
use std::time::Duration;

/// Memory for the table for each thread unless another size is asked for, in MiB.
const HASH_MB_PER_THREAD: u32 = 32;

/// Measure nodes per second with all cores
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier speedtest --threads 4 --seconds 30")]
pub struct Arguments {
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Memory for the transposition table, in MiB [default: 32 for each thread]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: Option<u32>,
    /// Time for all searches together
    #[arg(long, value_name = "S", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
    /// One line of JSON
    #[arg(long)]
    json: bool,
}

/// Measures and tells.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    let threads = arguments.threads.unwrap_or(cores);
    let plan = Plan {
        threads: threads as usize,
        hash_mb: arguments.hash.unwrap_or(threads * HASH_MB_PER_THREAD) as usize,
        time: Duration::from_secs(arguments.seconds.into()),
    };
    eprintln!("{} threads, {} MiB hash, {} s", plan.threads, plan.hash_mb, arguments.seconds);
    let mut progress = Progress::new();
    let outcome = speedtest::run(&plan, |share, outcome| progress.show(share, outcome))
        .map_err(|error| Fault::Usage(error.to_string()))?;
    drop(progress);
    let told = if arguments.json { serde_json::to_string(&outcome)? } else { outcome.to_string() };
    Ok(print(told)?)
}

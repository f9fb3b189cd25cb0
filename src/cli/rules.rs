//! `clavier rules`.

use super::analysis_flags::unreadable;
use super::fault::{Fault, open};
use crate::rules::{self, RulesError};
use std::io;
use std::path::PathBuf;

/// Say whether games are won, drawn or open, and by which rule
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A line of input is `FEN [moves MOVE ...]` or JSON: {\"id\", \"fen\", \"moves\": [...]}.

Example: echo \"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\" | clavier rules --json")]
pub struct Arguments {
    /// File to read, - = standard input
    #[arg(default_value = "-")]
    file: PathBuf,
    /// One line of JSON for each line of input
    #[arg(long)]
    json: bool,
}

/// Answers line by line.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let input = open(&arguments.file)?;
    let name = arguments.file.display().to_string();
    let failures =
        rules::run(&name, input, io::stdout().lock(), arguments.json).map_err(|error| match error {
            RulesError::Source(error) => unreadable(error),
            RulesError::Output(error) => Fault::Output(error),
        })?;
    if failures > 0 { Err(Fault::SomeFailed.into()) } else { Ok(()) }
}

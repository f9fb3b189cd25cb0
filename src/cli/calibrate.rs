//! `clavier calibrate`: what values mean, from self-play.

use super::fault::{Fault, print};
use crate::eval::chances::Model;
use crate::train::calibrate::Counts;
use crate::train::games::{GameRecord, encoded_length};
use crate::train::loader::find_files;
use rayon::prelude::*;
use std::fmt::Write;
use std::io;
use std::path::PathBuf;

/// Games that one thread counts at a time.
const BATCH: usize = 1024;

/// Fit the chances of win, draw and loss to self-play games
///
/// Prints the model as it stands in `src/eval/chances.rs`, and how well it foretells the games.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier calibrate games")]
pub struct Arguments {
    /// Files of games, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Reads the games, fits and prints the model.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut counts = Counts::default();
    let files = find_files(&arguments.files).map_err(|error| Fault::Input {
        name: "a folder of games".to_owned(),
        source: io::Error::other(error),
    })?;
    for path in &files {
        let name = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|source| Fault::Input { name, source })?;
        counts = counts.merged_with(&count(&bytes));
    }
    let model = counts.fit();
    print(format_args!("fitted to {} positions", counts.positions()))?;
    print(format_args!("Model {{ even: {:.1?}, spread: {:.1?} }}", model.even, model.spread))?;
    print(format_args!("100 centipawns are {:.0} units\n", model.unit()))?;
    print(comparison(&counts, &model).trim_end())?;
    Ok(())
}

/// Counts the games of a file; a torn or damaged one ends the count of its batch.
fn count(bytes: &[u8]) -> Counts {
    let mut starts = Vec::new();
    let mut at = 0;
    while let Some(length) = encoded_length(&bytes[at..]) {
        starts.push(at);
        at += length;
    }
    starts
        .par_chunks(BATCH)
        .map(|batch| {
            let mut part = Counts::default();
            let games = batch.iter().map_while(|&at| GameRecord::decode(&bytes[at..]).ok());
            games.for_each(|(game, _)| part.add(&game));
            part
        })
        .reduce(Counts::default, |sum, part| sum.merged_with(&part))
}

/// A table of what the model says and what was seen.
fn comparison(counts: &Counts, model: &Model) -> String {
    let mut table = String::from("move   value   wins seen/model %   draws seen/model %   positions\n");
    for fullmove in [12, 20, 32, 50, 70] {
        for share in [-1.0, -0.5, 0.0, 0.5, 1.0, 1.5] {
            let value = share * model.unit();
            let (wins, draws, positions) = counts.seen(fullmove, value as i32);
            let (win, loss) = model.chances(value, fullmove as u32);
            let [wins, win, draws, draw] = [wins, win, draws, 1.0 - win - loss].map(|share| 100.0 * share);
            let _ = writeln!(
                table,
                "{fullmove:4} {value:7.0}   {wins:8.1} {win:8.1}    {draws:8.1} {draw:8.1}   {positions:9}"
            );
        }
    }
    table
}

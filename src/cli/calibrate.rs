//! `clavier calibrate`: what values mean, from self-play.

use super::fault::{Fault, print};
use super::game_files::GameFiles;
use crate::eval::chances::Model;
use crate::train::calibrate::Counts;
use std::fmt::Write;

/// Fit the chances of win, draw and loss to self-play games
///
/// Prints the model as it stands in `src/eval/chances.rs`, and how well it foretells the games.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier calibrate games")]
pub struct Arguments {
    #[command(flatten)]
    games: GameFiles,
}

/// Reads the games, fits and prints the model.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut counts = Counts::default();
    for file in arguments.games.read()? {
        let (_, bytes) = file?;
        counts = counts.merged_with(&Counts::of_file(&bytes));
    }
    if counts.positions() == 0 {
        return Err(Fault::Input {
            name: "games".to_owned(),
            source: std::io::Error::other("no positions to fit to"),
        }
        .into());
    }
    let model = counts.fit();
    print(format_args!("fitted to {} positions", counts.positions()))?;
    print(format_args!("Model {{ even: {:.1?}, spread: {:.1?} }}", model.even, model.spread))?;
    print(format_args!("100 centipawns are {:.0} units\n", model.unit()))?;
    print(comparison(&counts, &model).trim_end())?;
    Ok(())
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

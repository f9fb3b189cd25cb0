//! `clavier stats`: what is in files of self-play games.

use super::fault::{Fault, print};
use super::game_files::{GameFiles, read};
use crate::train::harvest;
use crate::train::stats::{BAR_WIDTH, BARS_A_SIDE, Stats, percent};
use std::fmt::Write;
use std::path::Path;

/// Damaged games or blocks of a file that are told one by one.
const DAMAGE_SHOWN: usize = 10;
/// Columns of the longest bar of the histogram.
const BAR_COLUMNS: u64 = 50;

/// Check files of self-play games and tell what is in them
///
/// Every move of every game is replayed by the rules of chess, and the positions that lie beside the games,
/// from inside their searches, are checked. Exit code 1 if a game is damaged, or a block of positions.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier stats games")]
pub struct Arguments {
    #[command(flatten)]
    games: GameFiles,
}

/// Reads the files and prints what is in all of them together.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut all = Stats::default();
    for games in arguments.games.paths()? {
        all = all.merged_with(told(&games, Stats::of_file)?);
        let inside = harvest::beside(&games);
        if inside.exists() {
            all = all.merged_with(told(&inside, Stats::of_harvest)?);
        }
    }
    let duplicates = all.duplicates();
    print(summary(&all, duplicates))?;
    print(histogram(&all))?;
    if all.damage.is_empty() { Ok(()) } else { Err(Fault::SomeFailed.into()) }
}

/// What is in a file, once its damage is told.
fn told(path: &Path, of: fn(&[u8]) -> Stats) -> Result<Stats, Fault> {
    let (name, bytes) = read(path)?;
    let stats = of(&bytes);
    for damage in stats.damage.iter().take(DAMAGE_SHOWN) {
        eprintln!("{name}: {damage}");
    }
    Ok(stats)
}

fn summary(stats: &Stats, duplicates: u64) -> String {
    let tally = &stats.tally;
    let (games, plies, kept) = (tally.games, tally.plies, tally.kept);
    let [white, drawn, black] = tally.results;
    let row =
        |name: &str, count: u64, of: u64| format!("{name:<22}{count:>12}  {:>5.1} %\n", percent(count, of));
    let mean = |sum: u64| sum as f64 / games.max(1) as f64;
    [
        format!("{:<22}{games:>12}\n", "games"),
        format!("{:<22}{:>12}\n", "damaged", stats.damage.len()),
        row("white wins", white, games),
        row("draws", drawn, games),
        row("black wins", black, games),
        row("score against result", stats.contradictions, games),
        format!("{:<22}{:>12.1}, {} at most\n", "plies a game", mean(plies), stats.longest),
        format!("{:<22}{:>12.2}\n", "bytes a ply", stats.bytes as f64 / plies.max(1) as f64),
        format!("{:<22}{plies:>12}\n", "positions"),
        row("in check", stats.checks, plies),
        row("capture or promotion", stats.noisy, plies),
        row("decided", stats.decided, plies),
        row("kept", kept, plies),
        row("duplicates of kept", duplicates, kept),
        format!("{:<22}{:>12}\n", "inside the searches", stats.inside),
    ]
    .concat()
}

/// The kept positions by their score for White.
fn histogram(stats: &Stats) -> String {
    let most = stats.histogram.iter().copied().max().unwrap_or(0).max(1);
    let mut text = String::from("kept positions by score for White\n");
    for (bar, &count) in stats.histogram.iter().enumerate() {
        let least = (bar as i32 - BARS_A_SIDE as i32) * BAR_WIDTH;
        let label = match bar {
            0 => format!("below {}", least + BAR_WIDTH),
            _ => format!("{least}.."),
        };
        let columns = "#".repeat((count * BAR_COLUMNS / most) as usize);
        let _ = writeln!(text, "{label:>12} {count:>10} {columns}");
    }
    text
}

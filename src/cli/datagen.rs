//! `clavier datagen`: self-play games for training.

use super::analysis_flags::load_network;
use super::fault::{Fault, print};
use super::{interrupt, progress};
use crate::nnue::Network;
use crate::search::{HarvestSource, Limits, Searcher};
use crate::train::files::FileError;
use crate::train::generate::{self, Goal, Plan, Progress};
use crate::train::openings::{Source, read_book};
use crate::train::selfplay::Adjudication;
use crate::train::stats::percent;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The hard limit of nodes a move, in soft limits.
const HARD_FACTOR: u64 = 8;
/// Nodes spent on the question whether an opening gives both sides a game.
const OPENING_NODES: u64 = 2_000;

/// Play games against itself, as data for training
///
/// Games are written in viriformat, one file a thread, each flushed as it ends. A run that is started again
/// goes on: the goals count what is in the folder already. Ctrl-C finishes the games under way first.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier datagen --positions 8000000 --nodes 1000 --out games")]
pub struct Arguments {
    /// Folder of the games [default: games in the folder `CLAVIER_DATA`, or in the user's data folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Threads, each with games of its own [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Nodes a move after which no new iteration starts
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Nodes a move after which the search stops [default: 8 times as many]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    hard_nodes: Option<u64>,
    /// Memory for the transposition table of each thread, in MiB
    #[arg(long, value_name = "MB", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Positions from inside each search that are kept too, at most; they go into files beside the games
    #[arg(long, value_name = "N", default_value_t = 0)]
    harvest: usize,
    /// Leaves of each search with an evaluation near the window that are kept likewise, at most, each with the value of a
    /// small search of its own
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "harvest")]
    sample: usize,
    /// Evaluate by this network file instead of the embedded one
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Seed of the openings [default: by chance]
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    goal: GoalArguments,
    #[command(flatten)]
    openings: OpeningArguments,
    /// A game is won at this score, seen by both sides for 4 plies
    #[arg(long, value_name = "UNITS", default_value_t = Adjudication::default().win_score)]
    win_score: i32,
    /// A game is drawn at scores this small for 12 plies after ply 80
    #[arg(long, value_name = "UNITS", default_value_t = Adjudication::default().draw_score)]
    draw_score: i32,
}

/// When to end; the first goal that is reached ends the run, without one it goes on until Ctrl-C.
#[derive(Debug, clap::Args)]
struct GoalArguments {
    /// End with so many games in the folder
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// End with so many positions in the folder that are fit to learn from
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// End after this time
    #[arg(long, value_name = "H")]
    hours: Option<f64>,
}

/// Where games start.
#[derive(Debug, clap::Args)]
struct OpeningArguments {
    /// Openings from a file of FEN or EPD lines
    #[arg(long, value_name = "FILE", conflicts_with_all = ["chess960", "double_chess960"])]
    book: Option<PathBuf>,
    /// Openings from Chess960
    #[arg(long, conflicts_with = "double_chess960")]
    chess960: bool,
    /// Openings from Chess960 with an arrangement for each side
    #[arg(long)]
    double_chess960: bool,
    /// Plies by chance at the start of a game, at least and at most
    /// [default: 8 9; after a book 0 4]
    #[arg(long, num_args = 2, value_names = ["LEAST", "MOST"], value_parser = clap::value_parser!(u32).range(..=400))]
    random_plies: Option<Vec<u32>>,
    /// Openings with a larger score are dropped
    #[arg(long, value_name = "UNITS", default_value_t = 600)]
    opening_limit: i32,
}

/// Plays until a goal is reached or somebody interrupts.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let network = arguments.net.as_deref().map_or_else(|| Ok(Network::embedded()), load_network)?;
    let net = network.name().to_owned();
    let plan = Plan { net, ..plan(arguments)? };
    let stop = interrupt::flag("finishing the games under way")?;
    eprintln!("games go to {}, seed {}", plan.folder.display(), plan.seed);
    let hash_mb = arguments.hash as usize;
    let new_player = || {
        let mut searcher = Searcher::new(hash_mb);
        searcher.settings().network.clone_from(&network);
        match arguments.sample {
            0 => searcher.harvest(HarvestSource::Tree, arguments.harvest),
            count => searcher.harvest(HarvestSource::Leaves, count),
        }
        searcher
    };
    let mut display = progress::Progress::new();
    let mut watch =
        |progress: &Progress| display.show(progress.share(&plan.goal), describe(progress, &plan.goal));
    let progress = generate::run(&plan, new_player, &stop, &mut watch).map_err(|error| match error {
        FileError::Damaged { .. } => Fault::Usage(error.to_string()),
        FileError::Io { .. } | FileError::InUse(_) => Fault::Output(std::io::Error::other(error)),
    })?;
    drop(display);
    if progress.torn > 0 {
        eprintln!("a game was torn when the run before ended: {} bytes cut", progress.torn);
    }
    print(describe(&progress, &plan.goal))?;
    if stop.load(Ordering::Relaxed) { Err(Fault::Interrupted.into()) } else { Ok(()) }
}

fn plan(arguments: &Arguments) -> Result<Plan, Fault> {
    let source = arguments.openings.source()?;
    let random_plies = match arguments.openings.random_plies.as_deref() {
        Some(&[least, most]) if least <= most => least..=most,
        Some(_) => {
            return Err(Fault::Usage("--random-plies needs two numbers, the larger one last".to_owned()));
        }
        None => source.usual_plies(),
    };
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let time = match arguments.goal.hours.map(|hours| Duration::try_from_secs_f64(hours * 3600.0)) {
        Some(Err(_)) => return Err(Fault::Usage("--hours is no time".to_owned())),
        Some(Ok(time)) => Some(time),
        None => None,
    };
    Ok(Plan {
        folder: folder(arguments)?,
        threads: arguments.threads.map_or_else(cores, |threads| threads as usize),
        limits: node_limits(arguments.nodes, arguments.hard_nodes),
        source,
        random_plies,
        opening_limit: arguments.openings.opening_limit,
        opening_limits: node_limits(OPENING_NODES, None),
        adjudication: Adjudication {
            win_score: arguments.win_score,
            draw_score: arguments.draw_score,
            ..Adjudication::default()
        },
        seed: arguments.seed.unwrap_or_else(|| fastrand::u64(..)),
        goal: Goal { games: arguments.goal.games, positions: arguments.goal.positions, time },
        net: String::new(),
        inside: match (arguments.harvest, arguments.sample) {
            (0, 0) => None,
            (count, 0) => Some(format!("harvest {count}")),
            (_, count) => Some(format!("sample {count}")),
        },
    })
}

fn node_limits(soft: u64, hard: Option<u64>) -> Limits {
    let hard = hard.unwrap_or(soft.saturating_mul(HARD_FACTOR));
    Limits { soft_nodes: Some(soft), nodes: Some(hard), ..Limits::default() }
}

fn folder(arguments: &Arguments) -> Result<PathBuf, Fault> {
    match (&arguments.out, crate::train::data_folder()) {
        (Some(folder), _) => Ok(folder.clone()),
        (None, Some(data)) => Ok(data.join("games")),
        (None, None) => Err(Fault::Usage("this user has no data folder: give one with --out".to_owned())),
    }
}

impl OpeningArguments {
    fn source(&self) -> Result<Source, Fault> {
        let Some(path) = &self.book else {
            return Ok(match (self.chess960, self.double_chess960) {
                (true, _) => Source::Chess960,
                (_, true) => Source::DoubleChess960,
                _ => Source::Standard,
            });
        };
        let unreadable = |source| Fault::Input { name: path.display().to_string(), source };
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        read_book(&text).map(Source::Book).map_err(|error| unreadable(std::io::Error::other(error)))
    }
}

/// The progress in one line.
fn describe(progress: &Progress, goal: &Goal) -> String {
    let tally = &progress.tally;
    let seconds = progress.elapsed.as_secs_f64().max(f64::EPSILON);
    let [white, drawn, black] = tally.results.map(|count| percent(count, tally.games));
    let left = progress.time_left(goal).map_or(String::new(), |left| format!(", {} left", clock(left)));
    format!(
        "{}: {} games ({:.2}/s), {} positions kept ({:.0}/s), +{white:.0} ={drawn:.0} -{black:.0} %, {:.0} plies{left}",
        clock(progress.elapsed),
        progress.games(),
        tally.games as f64 / seconds,
        progress.positions(),
        tally.kept as f64 / seconds,
        tally.plies as f64 / tally.games.max(1) as f64,
    )
}

/// A time as hours, minutes and seconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::generate::Tally;

    #[test]
    fn a_line_of_progress_tells_rates_results_and_time_left() {
        let tally =
            Tally { games: 100, plies: 9_000, kept: 6_000, results: [40, 35, 25], dropped_openings: 9 };
        let before = Tally { games: 100, kept: 5_000, ..Tally::default() };
        let progress = Progress { tally, before, torn: 0, elapsed: Duration::from_secs(50) };
        let goal = Goal { games: Some(500), ..Goal::default() };
        assert_eq!(
            describe(&progress, &goal),
            "0:00:50: 200 games (2.00/s), 11000 positions kept (120/s), +40 =35 -25 %, 90 plies, 0:02:30 left"
        );
    }
}

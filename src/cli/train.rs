//! `clavier train`: a network from self-play games.

use super::analysis_flags::load_network;
use super::fault::{Fault, print};
use super::interrupt;
use crate::nnue::{Architecture, Network};
use crate::train::benchmark;
use crate::train::fit::fit_scale;
use crate::train::loader::{Data, LoadError, Selection, find_files, load};
use crate::train::optimizer::Range;
use crate::train::plot::EpochRow;
use crate::train::trainer::{Plan, TrainError, Trainer, Watcher};
use crate::types::Color;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Train a network on self-play games
///
/// Writes checkpoint, loss.csv, loss.svg and net.nnue into a folder after each epoch. The same command again
/// goes on from the last checkpoint.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier train games --out run1 --hidden 256 --epochs 40")]
pub struct Arguments {
    /// Files of games, or folders of them
    #[arg(required_unless_present = "bench")]
    games: Vec<PathBuf>,
    /// Folder for what is made
    #[arg(long, value_name = "FOLDER", required_unless_present = "bench")]
    out: Option<PathBuf>,
    /// Forget the folder's checkpoint and start anew
    #[arg(long)]
    restart: bool,
    /// Only measure how fast training runs here
    #[arg(long)]
    bench: bool,
    /// Threads to train with [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Name to put into the network's file [default: name of the folder]
    #[arg(long)]
    name: Option<String>,
    /// Start from this network, in its shape and units, instead of from random weights
    #[arg(long, value_name = "NET", conflicts_with_all = ["bench", "hidden", "mirrored", "buckets"])]
    from: Option<PathBuf>,
    #[command(flatten)]
    shape: ShapeArguments,
    #[command(flatten)]
    schedule: ScheduleArguments,
    #[command(flatten)]
    selection: SelectionArguments,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Shape")]
struct ShapeArguments {
    /// Hidden neurons of each half, a multiple of 32
    #[arg(long, value_name = "N", default_value_t = 256)]
    hidden: usize,
    /// Swap files so that each side sees its king on the files a to d
    #[arg(long)]
    mirrored: bool,
    /// Sets of output weights, by the number of men
    #[arg(long, value_name = "N", default_value_t = 1)]
    buckets: usize,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Schedule")]
struct ScheduleArguments {
    /// Times that every position is seen
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..))]
    epochs: u64,
    /// Positions a step
    #[arg(long, value_name = "N", default_value_t = 16_384)]
    batch: usize,
    /// Rate of learning at the start
    #[arg(long, value_name = "RATE", default_value_t = 1e-3)]
    rate: f32,
    /// Rate of learning at the end
    #[arg(long, value_name = "RATE", default_value_t = 1e-5)]
    rate_end: f32,
    /// Share of the game's result in the target at the start; the rest is the searched value
    #[arg(long, value_name = "SHARE", default_value_t = 0.2)]
    lambda: f32,
    /// The same share at the end
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    lambda_end: f32,
    /// Units that make a chance of winning of 73 % [default: that of --from, else fitted to the games]
    #[arg(long, value_name = "UNITS")]
    scale: Option<f32>,
    /// Seed of first weights, order and swapped files
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Selection")]
struct SelectionArguments {
    /// Plies from the start of a game that are passed over
    #[arg(long, value_name = "PLIES", default_value_t = Selection::default().min_ply)]
    min_ply: u32,
    /// Largest value of a position
    #[arg(long, value_name = "UNITS", default_value_t = Selection::default().max_score)]
    max_score: i16,
    /// Games that are held out to judge the network by, in permill
    #[arg(long, value_name = "PERMILL", default_value_t = Selection::default().held_out_permill)]
    held_out: u64,
    /// Take the positions from inside the searches as well (`datagen --harvest` or `--sample`)
    #[arg(long)]
    harvest: bool,
}

/// Trains, or measures how fast that goes.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let threads = arguments.threads.map_or(0, |threads| threads as usize);
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()?
        .install(|| if arguments.bench { print_speed(shape(&arguments.shape)) } else { train(arguments) })
}

fn shape(arguments: &ShapeArguments) -> Architecture {
    Architecture { hidden: arguments.hidden, mirrored: arguments.mirrored, buckets: arguments.buckets }
}

fn print_speed(shape: Architecture) -> anyhow::Result<()> {
    let speed = benchmark::measure(shape).map_err(|error| Fault::Usage(error.to_string()))?;
    let per_cpu_second = speed.per_cpu_second.map_or("unknown".to_owned(), |speed| format!("{speed:.0}"));
    Ok(print(format!(
        "{shape}: {per_cpu_second} positions per CPU second, {:.0} per second with {} threads",
        speed.per_second, speed.threads
    ))?)
}

fn train(arguments: &Arguments) -> anyhow::Result<()> {
    let folder = arguments.out.as_deref().expect("the parser requires it without --bench");
    std::fs::create_dir_all(folder).map_err(Fault::Output)?;
    let start = arguments.from.as_deref().map(load_network).transpose()?;
    let data = load_games(arguments)?;
    let plan = plan(arguments, start.as_deref(), folder, &data);
    let mut trainer = Trainer::new(&plan, &data).map_err(fault)?;
    if let Some(network) = &start {
        trainer = trainer.starting_from(network).map_err(fault)?;
    }
    if arguments.restart {
        let _ = std::fs::remove_file(folder.join("checkpoint"));
    }
    match trainer.resume(folder).map_err(fault)? {
        0 => {}
        done => eprintln!("going on after epoch {done}"),
    }
    eprintln!("training {} for {} epochs of {} steps", plan.shape, plan.epochs, trainer.steps_per_epoch());
    let mut display = Display::new(&plan, &trainer)?;
    let outcome = trainer.run(folder, &mut display).map_err(fault)?;
    display.bar.finish_and_clear();
    if display.is_stopped() {
        return Err(Fault::Interrupted.into());
    }
    eprintln!("{}", outcome.error);
    print(format!("{} {:?}", folder.join("net.nnue").display(), outcome.network))?;
    Ok(())
}

fn load_games(arguments: &Arguments) -> anyhow::Result<Data> {
    let SelectionArguments { min_ply, max_score, held_out, harvest } = arguments.selection;
    let held_out_permill = held_out;
    let selection = Selection { min_ply, max_score, held_out_permill, harvest, ..Selection::default() };
    let data = find_files(&arguments.games)
        .and_then(|files| load(&files, &selection))
        .map_err(|error| unreadable(&error))?;
    for path in &data.torn {
        eprintln!("{}: the last game breaks off and is left out", path.display());
    }
    let (learnt, judged) = (data.samples.len() - data.harvested as usize, data.held_out.len());
    eprintln!(
        "{} games, {} positions: {learnt} to learn from, {judged} held out ({:.0} % kept)",
        data.games,
        data.positions,
        100.0 * (learnt + judged) as f64 / data.positions.max(1) as f64
    );
    if data.harvested > 0 {
        eprintln!("{} positions from inside the searches", data.harvested);
    }
    for side in Color::BOTH {
        if let Some(share) = data.agreement(side) {
            eprintln!("{side} to move: {:.1} % of clear values agree with the result", 100.0 * share);
        }
    }
    Ok(data)
}

fn plan(arguments: &Arguments, start: Option<&Network>, folder: &Path, data: &Data) -> Plan {
    let schedule = &arguments.schedule;
    let fitted = fit_scale(&data.samples);
    eprintln!("values foretell results best at a scale of {fitted:.0} units");
    let folder_name = folder.file_name().unwrap_or_default().to_string_lossy();
    Plan {
        shape: start.map_or_else(|| shape(&arguments.shape), Network::architecture),
        epochs: schedule.epochs,
        batch: schedule.batch,
        rate: Range { from: schedule.rate, to: schedule.rate_end },
        lambda: Range { from: schedule.lambda, to: schedule.lambda_end },
        scale: schedule.scale.unwrap_or_else(|| start.map_or(fitted, |network| network.scale() as f32)),
        seed: schedule.seed,
        name: arguments.name.clone().unwrap_or_else(|| folder_name.into_owned()),
    }
}

fn unreadable(error: &LoadError) -> anyhow::Error {
    let source = std::io::Error::other(error.to_string());
    Fault::Input { name: "games".to_owned(), source }.into()
}

fn fault(error: TrainError) -> anyhow::Error {
    match error {
        TrainError::Write { error, path } => {
            anyhow::Error::from(Fault::Output(error)).context(path.display().to_string())
        }
        TrainError::Diverged(_) => error.into(),
        other => Fault::Usage(other.to_string()).into(),
    }
}

/// Shows progress on the standard error, and stops at an interrupt.
struct Display {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
    epochs: u64,
}

impl Display {
    fn new(plan: &Plan, trainer: &Trainer<'_>) -> anyhow::Result<Display> {
        let stop = interrupt::flag("stopping after the last checkpoint")?;
        let steps = trainer.steps_per_epoch() as u64 * plan.batch as u64;
        // The bar hides itself where there is no terminal.
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
        let template = "epoch {msg} {bar:30} {percent} % {per_sec} positions, {eta} left";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is right"));
        bar.set_message(format!("{}", trainer.epochs_done() + 1));
        Ok(Display { bar, stop, epochs: plan.epochs })
    }
}

impl Watcher for Display {
    fn step(&mut self, samples: usize) {
        self.bar.inc(samples as u64);
    }

    fn epoch(&mut self, row: &EpochRow) {
        self.bar.reset();
        self.bar.set_message(format!("{}", row.epoch + 1));
        let EpochRow { epoch, loss, held_out_loss, rate, speed, .. } = row;
        let line = format!(
            "epoch {epoch}/{}: loss {loss:.6}, held out {held_out_loss:.6}, rate {rate:.1e}, {:.2} M positions/s",
            self.epochs,
            speed / 1e6
        );
        self.bar.suspend(|| eprintln!("{line}"));
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

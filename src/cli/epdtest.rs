//! `clavier epdtest`.

use super::analysis_flags::{InputFlags, JobFlags, LimitFlags, inputs, unreadable};
use super::fault::{Fault, print};
use crate::analysis::defaults::Key;
use crate::analysis::parallel::{self, Crew};
use crate::analysis::source::{Raw, Source, SourceError};
use crate::analysis::suite::{Outcome, test};
use crate::analysis::{Analyst, Interrupt, Refusal, plain};
use crate::board::{notation, san};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Solve a suite of test positions: bm, am, dm and the points of STS
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier epdtest wac.epd --nodes 200000 --require 290")]
pub struct Arguments {
    /// File of EPD lines, - = standard input
    suite: PathBuf,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    jobs: JobFlags,
    /// One line of JSON for each position, and a last one with the sums
    #[arg(long)]
    json: bool,
    /// Exit with 1 if fewer positions are solved
    #[arg(long, value_name = "N")]
    require: Option<u64>,
}

/// The sums of a suite.
#[derive(Default)]
struct Sums {
    positions: u64,
    solved: u64,
    failed: u64,
    points: u64,
    most_points: u64,
    nodes: u64,
    time_ms: u64,
}

/// What comes out of the work on one position.
enum Done {
    Tested(Box<Outcome>),
    Refused(Box<Refusal>),
    Unreadable(SourceError),
    Interrupted,
}

/// Tests all positions.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let usual = arguments.jobs.usual()?;
    let plan = arguments.jobs.plan(arguments.limits.limits(&usual.defaults, Key::Nodes), &usual, None)?;
    let (inputs, _) = inputs(&InputFlags::files([arguments.suite.clone()]))?;
    let interrupt = super::interrupt::of_batch();
    let start = || Analyst::new(&plan).heeding(&interrupt);
    let mut sums = Sums::default();
    let mut fault = None;
    let sink = |done| match sums.take(done, arguments.json) {
        Ok(flow) => flow,
        Err(error) => {
            fault = Some(error);
            ControlFlow::Break(())
        }
    };
    let crew = Crew { jobs: arguments.jobs.count(&usual), in_order: true };
    let items = Source::new(inputs).take_while(|_| !interrupt.is_raised());
    parallel::run(crew, items, start, |analyst, raw| work(analyst, raw, &interrupt), sink)?;
    if let Some(fault) = fault {
        return Err(fault.into());
    }
    sums.tell(arguments.json)?;
    if interrupt.is_raised() {
        return Err(Fault::Interrupted.into());
    }
    let is_enough = arguments.require.is_none_or(|least| sums.solved >= least);
    if sums.failed > 0 || !is_enough { Err(Fault::SomeFailed.into()) } else { Ok(()) }
}

fn work(analyst: &mut Analyst, raw: Result<Raw, SourceError>, interrupt: &Interrupt) -> Done {
    let item = match raw.map(Raw::parse) {
        Ok(Ok(item)) => item,
        Ok(Err(refusal)) => return Done::Refused(refusal),
        Err(error) => return Done::Unreadable(error),
    };
    match test(analyst, item, interrupt) {
        Some(Ok(outcome)) => Done::Tested(Box::new(outcome)),
        Some(Err(refusal)) => Done::Refused(refusal),
        None => Done::Interrupted,
    }
}

impl Sums {
    fn take(&mut self, done: Done, json: bool) -> Result<ControlFlow<()>, Fault> {
        match done {
            Done::Tested(outcome) => {
                self.positions += 1;
                self.solved += u64::from(outcome.is_solved);
                let (points, most) = outcome.points.unwrap_or_default();
                self.points += u64::from(points);
                self.most_points += u64::from(most);
                self.nodes += outcome.nodes;
                self.time_ms += outcome.time.as_millis() as u64;
                if json { print(as_json(&outcome)) } else { print(as_text(&outcome)) }?;
            }
            Done::Refused(refusal) => {
                self.failed += 1;
                eprintln!("clavier: line {}: {}", refusal.line, refusal.error);
            }
            Done::Unreadable(error) => return Err(unreadable(error)),
            Done::Interrupted => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn tell(&self, json: bool) -> Result<(), Fault> {
        let Sums { positions, solved, failed, points, most_points, nodes, time_ms } = self;
        if json {
            return print(json!({"summary": {
                "positions": positions, "solved": solved, "errors": failed, "points": points,
                "max_points": most_points, "nodes": nodes, "time_ms": time_ms,
            }}));
        }
        let points =
            if *most_points > 0 { format!(", {points} of {most_points} points") } else { String::new() };
        print(format_args!("{solved} of {positions} solved{points}, {nodes} nodes, {time_ms} ms"))
    }
}

fn as_json(outcome: &Outcome) -> Value {
    let position = outcome.item.game.position();
    json!({
        "id": outcome.item.id,
        "fen": position.to_string(),
        "solved": outcome.is_solved,
        "points": outcome.points.map(|(points, _)| points),
        "bestmove": outcome.best.map(|best| notation::format_uci(position, best, false)),
        "nodes_to_solution": outcome.found_after.map(|(nodes, _)| nodes),
        "time_ms_to_solution": outcome.found_after.map(|(_, time)| time.as_millis() as u64),
    })
}

fn as_text(outcome: &Outcome) -> String {
    let position = outcome.item.game.position();
    let id = plain(&outcome.item.id);
    let mark = if outcome.is_solved { "solved" } else { "-" };
    let best = outcome.best.map_or_else(|| "none".to_owned(), |best| san::format(position, best));
    let points = outcome.points.map_or_else(String::new, |(points, _)| format!("{points:>5} points"));
    let found = outcome
        .found_after
        .map_or_else(String::new, |(nodes, time)| format!("{nodes:>12} nodes {:>8} ms", time.as_millis()));
    format!("{id:<28} {mark:<6} {best:<8}{points}{found}").trim_end().to_owned()
}

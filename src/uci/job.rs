//! What runs while the loop goes on listening: a search, a count of leaves, the benchmark.

use super::Input;
use super::console::Console;
use crate::bench;
use crate::board::{Position, notation, perft};
use crate::search::Limits;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;

/// Something that runs.
pub enum Job {
    /// A search of the engine within limits.
    Search(Limits),
    /// Anything else.
    Other(Work),
}

/// Work on a thread of its own.
pub struct Work {
    is_stopped: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Work {
    /// Tells the work to end early.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Waits until the result has been told.
    pub fn wait(self) {
        // Whatever became of the work, it has ended.
        let _ = self.thread.join();
    }
}

impl Job {
    /// Does it end by itself?
    pub fn is_bounded(&self) -> bool {
        match self {
            Job::Search(limits) => limits.is_bounded(),
            Job::Other(_) => true,
        }
    }
}

/// Starts work on a thread of its own, which gives the lines to end with. The loop hears of the end first, so that
/// what a GUI sends after those lines finds the work ended.
fn start<T: Display>(
    ended: Sender<Input>,
    console: Console,
    work: impl FnOnce(&Console, &AtomicBool) -> T + Send + 'static,
) -> std::io::Result<Job> {
    let is_stopped = Arc::new(AtomicBool::new(false));
    let switch = Arc::clone(&is_stopped);
    let thread = std::thread::Builder::new().name("job".to_owned()).spawn(move || {
        let result = work(&console, &switch);
        // The loop is gone only if the process is about to end.
        let _ = ended.send(Input::Ended);
        console.say(result);
    })?;
    Ok(Job::Other(Work { is_stopped, thread }))
}

/// Counts leaves and tells them move by move.
///
/// # Errors
/// If no thread can be started.
pub fn start_perft(
    ended: Sender<Input>,
    console: Console,
    position: Position,
    depth: u32,
    chess960: bool,
) -> std::io::Result<Job> {
    start(ended, console, move |console, stopped| {
        let moves = if depth == 0 { Vec::new() } else { position.legal_moves().to_vec() };
        let mut total = u64::from(depth == 0);
        for m in moves {
            let Some(nodes) = count(&position.make(m), depth - 1, stopped) else {
                console.note("stopped, the count is not complete");
                break;
            };
            total += nodes;
            console.say(format_args!("{}: {nodes}", notation::format_uci(&position, m, chess960)));
        }
        format!("\nNodes searched: {total}\n")
    })
}

/// Leaves below a position, or none if the count was stopped.
fn count(position: &Position, depth: u32, stopped: &AtomicBool) -> Option<u64> {
    /// Depth that takes too short a time to be worth a look at the switch, in plies.
    const SHALLOW: u32 = 4;
    if stopped.load(Ordering::Relaxed) {
        None
    } else if depth <= SHALLOW {
        Some(perft::count(position, depth))
    } else {
        position.legal_moves().iter().map(|&m| count(&position.make(m), depth - 1, stopped)).sum()
    }
}

/// Runs the benchmark.
///
/// # Errors
/// If no thread can be started.
pub fn start_bench(ended: Sender<Input>, console: Console, plan: bench::Plan) -> std::io::Result<Job> {
    start(ended, console, move |console, stopped| {
        bench::run(&plan, |line| {
            console.note(line);
            !stopped.load(Ordering::Relaxed)
        })
    })
}

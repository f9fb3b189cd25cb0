//! Layer 7: the UCI loop.
//!
//! One thread reads lines, the engine searches on its own, and the loop hears of both through one channel, so that
//! waiting costs nothing. Protocol: <https://www.chessprogramming.org/UCI>.

pub mod command;
mod console;
mod extras;
mod format;
pub mod go;
mod job;
mod log;
pub mod options;
mod own_book;
mod player;
mod session;

pub use console::Console;
pub use format::nodes_per_second;
pub use player::{Player, Style};

use crate::config::Setting;
use session::Session;
use std::io::BufRead;
use std::sync::mpsc::{Sender, channel};

/// What the loop hears.
#[derive(Debug)]
pub enum Input {
    /// A line, with or without its end.
    Line(Vec<u8>),
    /// There are no more lines.
    Closed,
    /// What was running has ended and is about to tell its result.
    Ended,
}

/// How a session begins.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The user's settings. What is wrong with them becomes a note.
    pub settings: Vec<Setting>,
    /// Names and values of options, which win over the settings.
    pub options: Vec<(String, String)>,
    /// Notes for the user, told before the first answer.
    pub notes: Vec<String>,
}

/// Speaks UCI on the standard input and output until `quit` or the end of the input.
///
/// # Errors
/// If the thread that reads cannot be started.
pub fn run(opening: Opening) -> anyhow::Result<()> {
    let (sender, inputs) = channel();
    let mut session = Session::new(sender.clone(), opening);
    std::thread::Builder::new().name("input".to_owned()).spawn(move || read_lines(&sender))?;
    for input in inputs {
        match input {
            Input::Line(line) => session.hear(&line),
            Input::Closed => session.close(),
            Input::Ended => session.end_job(),
        }
        if session.is_over() {
            break;
        }
    }
    Ok(())
}

/// Sends the lines of the standard input, and then that there are no more.
fn read_lines(sender: &Sender<Input>) {
    let mut input = std::io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let message = match input.read_until(b'\n', &mut line) {
            Ok(1..) => Input::Line(line),
            Ok(0) | Err(_) => Input::Closed,
        };
        let is_last = matches!(message, Input::Closed);
        if sender.send(message).is_err() || is_last {
            return;
        }
    }
}

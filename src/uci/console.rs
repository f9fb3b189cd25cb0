//! Where lines go. Nothing else writes to the standard output while the UCI loop runs.

use super::log::{Direction, Log};
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Exit code when the output cannot be written, though somebody listens.
const NOT_WRITABLE: i32 = 4;

/// Writes lines to the standard output, each at once and whole, and to a log if there is one. Clones share the
/// log.
#[derive(Clone, Debug, Default)]
pub struct Console {
    log: Arc<Mutex<Option<Log>>>,
}

impl Console {
    /// Writes one line, or several in one text, without anything of another thread between them.
    ///
    /// If nobody listens any more, the process ends: a GUI that has died must leave no engine behind.
    pub fn say(&self, text: impl Display) {
        let text = text.to_string();
        // First the log: an answer of the GUI may come before the next instruction here.
        self.keep(Direction::Out, &text);
        write(&text);
    }

    /// Tells something to a person, as `info string`, one for each line of the text. What it repeats of the input may
    /// hold characters that would end the line for some GUIs.
    pub fn note(&self, text: impl Display) {
        for line in text.to_string().lines() {
            self.say(format_args!("info string {}", line.replace(char::is_control, "?")));
        }
    }

    /// A line has come in.
    pub fn hear(&self, line: &[u8]) {
        self.keep(Direction::In, &String::from_utf8_lossy(line));
    }

    /// Writes to this log from now on, or to none.
    pub fn set_log(&self, log: Option<Log>) {
        *self.log.lock().unwrap_or_else(PoisonError::into_inner) = log;
    }

    /// Writes a text to the log. When that fails the log is given up, which is told once.
    fn keep(&self, direction: Direction, text: &str) {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let fault = log.as_mut().and_then(|log| log.write(direction, text).err());
        if let Some(fault) = fault {
            *log = None;
            write(&format!("info string Debug Log File cannot be written and is closed: {fault}"));
        }
    }
}

fn write(text: &str) {
    let line = format!("{text}\n");
    let mut output = std::io::stdout().lock();
    if let Err(error) = output.write_all(line.as_bytes()).and_then(|()| output.flush()) {
        std::process::exit(if error.kind() == ErrorKind::BrokenPipe { 0 } else { NOT_WRITABLE });
    }
}

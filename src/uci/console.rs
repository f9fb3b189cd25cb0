//! Where lines go. Nothing else writes to the standard output while the UCI loop runs.

use std::fmt::Display;
use std::io::Write;

/// Writes lines to the standard output, each at once and whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct Console;

impl Console {
    /// Writes one line, or several in one text, without anything of another thread between them.
    ///
    /// If nobody listens any more, the process ends: a GUI that has died must leave no engine behind.
    pub fn say(self, text: impl Display) {
        let line = format!("{text}\n");
        let mut output = std::io::stdout().lock();
        if output.write_all(line.as_bytes()).and_then(|()| output.flush()).is_err() {
            std::process::exit(0);
        }
    }

    /// Tells something to a person, as `info string`, one for each line of the text.
    pub fn note(self, text: impl Display) {
        for line in text.to_string().lines() {
            self.say(format_args!("info string {line}"));
        }
    }
}

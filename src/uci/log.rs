//! The log of a session: every line in and out, with the time.

use crate::calendar;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Where a line goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the GUI to the engine.
    In,
    /// From the engine to the GUI.
    Out,
}

/// A file that lines are added to.
#[derive(Debug)]
pub struct Log {
    file: File,
}

impl Log {
    /// Opens a file, to write after what is in it.
    ///
    /// # Errors
    /// If the file cannot be opened or created, or if it is a pipe from which nobody reads.
    pub fn open(path: &Path) -> io::Result<Log> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            // A reader of a pipe who is not there, or is too slow, must not hold up the game.
            options.custom_flags(libc::O_NONBLOCK);
        }
        Ok(Log { file: options.open(path)? })
    }

    /// Adds each line of a text, such as `2026-11-30T12:00:00.000Z > uci`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, direction: Direction, text: &str) -> io::Result<()> {
        let now = stamp(SystemTime::now());
        let mark = if direction == Direction::In { '>' } else { '<' };
        let lines: Vec<String> = text.lines().map(|line| format!("{now} {mark} {line}\n")).collect();
        // One write, so that lines of engines that share a file stay whole.
        self.file.write_all(lines.concat().as_bytes())
    }
}

/// A moment to the millisecond, as in ISO 8601.
fn stamp(time: SystemTime) -> String {
    let milli = time.duration_since(UNIX_EPOCH).unwrap_or_default().subsec_millis();
    format!("{}.{milli:03}Z", calendar::utc(time))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn moments_are_written_as_dates() {
        let text = |seconds: u64| stamp(UNIX_EPOCH + Duration::from_millis(seconds * 1000 + 7));
        assert_eq!(text(0), "1970-01-01T00:00:00.007Z");
        assert_eq!(text(951_782_399), "2000-02-28T23:59:59.007Z");
        assert_eq!(text(951_782_400), "2000-02-29T00:00:00.007Z");
        assert_eq!(text(1_767_225_599), "2025-12-31T23:59:59.007Z");
        assert_eq!(text(4_107_542_400), "2100-03-01T00:00:00.007Z");
    }
}

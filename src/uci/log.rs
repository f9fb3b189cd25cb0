//! The log of a session: every line in and out, with the time.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

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
    /// If the file cannot be opened or created.
    pub fn open(path: &Path) -> io::Result<Log> {
        Ok(Log { file: OpenOptions::new().append(true).create(true).open(path)? })
    }

    /// Adds each line of a text, such as `2026-11-30T12:00:00.000Z > uci`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, direction: Direction, text: &str) -> io::Result<()> {
        let now = Stamp::now();
        let mark = if direction == Direction::In { '>' } else { '<' };
        let lines: Vec<String> = text.lines().map(|line| format!("{now} {mark} {line}\n")).collect();
        // One write, so that lines of engines that share a file stay whole.
        self.file.write_all(lines.concat().as_bytes())
    }
}

/// A moment, as time since the year 1970 began in Greenwich.
struct Stamp(Duration);

impl Stamp {
    fn now() -> Stamp {
        Stamp(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
    }
}

/// Date and time as in ISO 8601.
impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DAY: u64 = 86_400;
        let (days, second) = (self.0.as_secs() / DAY, self.0.as_secs() % DAY);
        let (year, month, day) = date(days);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let milli = self.0.subsec_millis();
        write!(f, "{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
    }
}

/// Year, month and day of a day, counted from the first of January 1970.
fn date(mut days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_dates() {
        let text = |seconds: u64| Stamp(Duration::from_millis(seconds * 1000 + 7)).to_string();
        assert_eq!(text(0), "1970-01-01T00:00:00.007Z");
        assert_eq!(text(951_782_399), "2000-02-28T23:59:59.007Z");
        assert_eq!(text(951_782_400), "2000-02-29T00:00:00.007Z");
        assert_eq!(text(1_767_225_599), "2025-12-31T23:59:59.007Z");
        assert_eq!(text(4_107_542_400), "2100-03-01T00:00:00.007Z");
    }
}

//! Suites of known counts: lines like `FEN ;D1 20 ;D2 400`, all checked at once on all threads.

use super::count;
use crate::board::fen::{self, FenError};
use rayon::prelude::*;
use std::fmt;

/// A position and its known counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The position as it was written.
    pub fen: String,
    /// Depths with their numbers of leaves, as they were written.
    pub entries: Vec<Entry>,
}

/// A known count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Length of the lines in plies.
    pub depth: u32,
    /// Number of lines.
    pub leaves: u64,
}

/// Why a line is no row of a suite.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RowError {
    /// Nothing is known of the position.
    #[error("no entry like \";D1 20\" follows the position")]
    NoEntries,
    /// Something else stands where a depth and a count should.
    #[error("{0:?} is not an entry like \"D1 20\"")]
    Entry(String),
}

impl std::str::FromStr for Row {
    type Err = RowError;

    fn from_str(line: &str) -> Result<Row, RowError> {
        let mut parts = line.split(';').map(str::trim);
        let fen = parts.next().unwrap_or_default().to_owned();
        let entries: Vec<Entry> =
            parts.filter(|part| !part.is_empty()).map(parse_entry).collect::<Result<_, _>>()?;
        if entries.is_empty() { Err(RowError::NoEntries) } else { Ok(Row { fen, entries }) }
    }
}

fn parse_entry(text: &str) -> Result<Entry, RowError> {
    let mut words = text.split_ascii_whitespace();
    let depth = words.next().and_then(|word| word.strip_prefix(['D', 'd'])?.parse().ok());
    let leaves = words.next().and_then(|word| word.parse().ok());
    match (depth, leaves, words.next()) {
        (Some(depth), Some(leaves), None) => Ok(Entry { depth, leaves }),
        _ => Err(RowError::Entry(text.chars().take(20).collect())),
    }
}

/// What the check of one row found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The count is right.
    Passed,
    /// All entries of the row have more leaves than may be counted.
    TooLarge,
    /// The count is wrong.
    Wrong {
        /// The entry that was checked.
        entry: Entry,
        /// What was counted.
        found: u64,
    },
    /// The line is not a row.
    BadRow(RowError),
    /// The position is not legal.
    BadFen(FenError),
}

impl Verdict {
    /// Does the row count as failed?
    pub fn is_failure(&self) -> bool {
        !matches!(self, Verdict::Passed | Verdict::TooLarge)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Passed => f.write_str("passed"),
            Verdict::TooLarge => f.write_str("too large to be counted"),
            Verdict::Wrong { entry: Entry { depth, leaves }, found } => {
                write!(f, "{found} at depth {depth}, expected {leaves}")
            }
            Verdict::BadRow(error) => error.fmt(f),
            Verdict::BadFen(error) => error.fmt(f),
        }
    }
}

/// A line of a suite with its number, from 1, and what its check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked<'a> {
    /// Number of the line in the text, from 1.
    pub number: usize,
    /// The line.
    pub line: &'a str,
    /// The finding.
    pub verdict: Verdict,
}

/// Checks the deepest entry of at most `max_leaves` of every line, blank ones and `#` comments aside, on the
/// threads of the rayon pool from which it is called. The order is that of the lines.
///
/// ```
/// use clavier::board::perft::suite::{Verdict, check};
/// let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D9 2439530234167";
/// assert_eq!(check(text, 1000)[0].verdict, Verdict::Passed);
/// ```
pub fn check(text: &str, max_leaves: u64) -> Vec<Checked<'_>> {
    let lines: Vec<(usize, &str)> = text
        .lines()
        .map(str::trim)
        .enumerate()
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .collect();
    lines
        .into_par_iter()
        .with_max_len(1)
        .map(|(index, line)| Checked { number: index + 1, line, verdict: check_line(line, max_leaves) })
        .collect()
}

fn check_line(line: &str, max_leaves: u64) -> Verdict {
    let row: Row = match line.parse() {
        Ok(row) => row,
        Err(error) => return Verdict::BadRow(error),
    };
    let position = match fen::read(&row.fen) {
        Ok((position, _)) => position,
        Err(error) => return Verdict::BadFen(error),
    };
    let affordable = row.entries.iter().filter(|entry| entry.leaves <= max_leaves);
    let Some(&entry) = affordable.max_by_key(|entry| entry.depth) else { return Verdict::TooLarge };
    let found = count(&position, entry.depth);
    if found == entry.leaves { Verdict::Passed } else { Verdict::Wrong { entry, found } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(line: &str) -> Verdict {
        check(line, 1000)[0].verdict.clone()
    }

    #[test]
    fn rows_are_read_with_all_their_entries() {
        let row: Row = "8/8/8/8/8/8/8/8 w - - 0 1 ;D1 20 ; D32 1;".parse().unwrap();
        assert_eq!(row.fen, "8/8/8/8/8/8/8/8 w - - 0 1");
        assert_eq!(row.entries, [Entry { depth: 1, leaves: 20 }, Entry { depth: 32, leaves: 1 }]);
        assert_eq!("8 w".parse::<Row>(), Err(RowError::NoEntries));
        assert_eq!("8 w ;E1 20".parse::<Row>(), Err(RowError::Entry("E1 20".into())));
    }

    #[test]
    fn the_deepest_affordable_entry_is_checked() {
        let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        // The wrong entry of depth 1 is not looked at.
        assert_eq!(verdict(&format!("{kings} ;D1 4 ;D2 25 ;D5 9999")), Verdict::Passed);
        let entry = Entry { depth: 2, leaves: 24 };
        assert_eq!(verdict(&format!("{kings} ;D2 24 ;D1 5")), Verdict::Wrong { entry, found: 25 });
        assert_eq!(verdict(&format!("{kings} ;D5 9999")), Verdict::TooLarge);
    }

    #[test]
    fn bad_lines_are_failures_of_their_own() {
        let text =
            "# a comment\n\n8/8/8/8/8/8/8/8 w - - 0 1 ;D1 0\nnonsense\n4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 4";
        let checked = check(text, 1000);
        let numbers: Vec<usize> = checked.iter().map(|checked| checked.number).collect();
        assert_eq!(numbers, [3, 4, 5]);
        assert!(matches!(checked[0].verdict, Verdict::BadFen(_)));
        assert!(matches!(checked[1].verdict, Verdict::BadRow(_)));
        assert!(matches!(checked[2].verdict, Verdict::Wrong { found: 5, .. }));
        assert!(checked.iter().all(|checked| checked.verdict.is_failure()));
    }
}

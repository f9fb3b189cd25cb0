//! Going on with annotated games where they were cut off.

use super::super::Plan;
use super::super::resume::{ResumeError, check_notes, create, cut, is_missing_or_empty, open};
use super::Manner;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// What an output holds.
pub struct Kept {
    /// The file, cut behind its last whole game and ready to be written on.
    pub file: File,
    /// Whole games.
    pub games: u64,
}

/// Everything that two runs must have in common.
fn marks(plan: &Plan, manner: &Manner) -> Value {
    let mut marks = plan.fingerprint();
    marks["manner"] = json!(format!("{manner:?}"));
    marks
}

/// Begins an output.
///
/// # Errors
/// If it cannot be written.
pub fn begin(output: &Path, plan: &Plan, manner: &Manner) -> Result<File, ResumeError> {
    create(output, Some(&marks(plan, manner)))
}

/// Cuts a torn game off an output and makes it ready to be written on.
///
/// # Errors
/// If the file was made otherwise.
pub fn reopen(output: &Path, plan: &Plan, manner: &Manner) -> Result<Kept, ResumeError> {
    if is_missing_or_empty(output) {
        return begin(output, plan, manner).map(|file| Kept { file, games: 0 });
    }
    let mut file = open(output)?;
    check_notes(output, &marks(plan, manner))?;
    let (games, length) =
        scan(&file).map_err(|source| ResumeError::File { path: output.to_owned(), source })?;
    cut(output, &mut file, length)?;
    Ok(Kept { file, games })
}

/// Number of whole games and the bytes up to their end: a blank line stands behind the tags of a game, and
/// another one behind its moves.
fn scan(file: &File) -> std::io::Result<(u64, u64)> {
    let mut reader = BufReader::new(file);
    let (mut blank_lines, mut offset, mut kept) = (0, 0, 0);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        offset += reader.read_until(b'\n', &mut bytes)? as u64;
        if bytes.last() != Some(&b'\n') {
            return Ok((blank_lines / 2, kept));
        }
        if bytes == b"\n" {
            blank_lines += 1;
            if blank_lines % 2 == 0 {
                kept = offset;
            }
        }
    }
}

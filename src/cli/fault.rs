//! What can go wrong on the command line, with exit codes, and the doors to the outside.

use crate::board::{FenError, Position};
use crate::config::ConfigError;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

/// A fault that has an exit code of its own.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Some records failed, or a check did; told already.
    #[error("some records failed")]
    SomeFailed,
    /// The arguments make no sense.
    #[error("{0}")]
    Usage(String),
    /// The position among the arguments is wrong.
    #[error("{fen:?} is not a position")]
    Fen {
        /// The text.
        fen: String,
        /// What is wrong with it.
        source: FenError,
    },
    /// The input cannot be read.
    #[error("{name} cannot be read")]
    Input {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// The output cannot be written.
    #[error("the output cannot be written")]
    Output(#[source] io::Error),
    /// A file cannot be written.
    #[error("{name} cannot be written")]
    OutputFile {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// A network or endgame tables cannot be loaded.
    #[error("{0}")]
    NotLoadable(String),
    /// Somebody interrupted; everything is written.
    #[error("interrupted")]
    Interrupted,
}

impl Fault {
    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Fault::SomeFailed => super::SOME_FAILED,
            Fault::Usage(_) | Fault::Fen { .. } => 2,
            Fault::Input { .. } => 3,
            Fault::Output(_) | Fault::OutputFile { .. } => 4,
            Fault::NotLoadable(_) => 5,
            Fault::Interrupted => 130,
        }
    }
}

impl From<ConfigError> for Fault {
    fn from(error: ConfigError) -> Fault {
        match error {
            ConfigError::Unreadable { path, source } => {
                Fault::Input { name: path.display().to_string(), source }
            }
            wrong => Fault::Usage(wrong.to_string()),
        }
    }
}

/// Name of the standard input among files.
const STANDARD_INPUT: &str = "-";

/// Opens a file to read; `-` is the standard input.
pub fn open(path: &Path) -> Result<Box<dyn BufRead + Send>, Fault> {
    if path == Path::new(STANDARD_INPUT) {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let name = path.display().to_string();
    // A folder can be opened, but not read.
    let is_folder = path.is_dir();
    match File::open(path) {
        Ok(_) if is_folder => Err(Fault::Input { name, source: io::ErrorKind::IsADirectory.into() }),
        Ok(file) => Ok(Box::new(BufReader::new(file))),
        Err(source) => Err(Fault::Input { name, source }),
    }
}

/// The lines of a file that are not blank, with their numbers from 1. Bytes that are no text are replaced.
pub fn lines(path: &Path) -> Result<impl Iterator<Item = Result<(usize, String), Fault>>, Fault> {
    let name = path.display().to_string();
    let lines = open(path)?.split(b'\n').zip(1..);
    Ok(lines
        .map(move |(line, number)| match line {
            Ok(line) => Ok((number, String::from_utf8_lossy(&line).trim().to_owned())),
            Err(source) => Err(Fault::Input { name: name.clone(), source }),
        })
        .filter(|line| !matches!(line, Ok((_, text)) if text.is_empty())))
}

/// Reads a position given as an argument.
pub fn position(fen: &str) -> Result<Position, Fault> {
    fen.parse().map_err(|source| Fault::Fen { fen: fen.to_owned(), source })
}

/// Writes a line to the standard output.
pub fn print(line: impl std::fmt::Display) -> Result<(), Fault> {
    let mut output = io::stdout().lock();
    writeln!(output, "{line}").and_then(|()| output.flush()).map_err(Fault::Output)
}

//! `clavier genfens`.

use super::fault::{Fault, open, print};
use crate::book::openings::{Source, read_book};
use crate::genfens::Supply;
use std::io::Read;
use std::path::PathBuf;

/// Draw openings for engine tests: legal, balanced, all different
#[derive(Debug, clap::Args, PartialEq)]
#[command(after_help = "Example: clavier genfens 100 --seed 42 --book openings.epd\n\n\
    OpenBench's form: clavier \"genfens 100 seed 42 book None\" quit")]
pub struct Arguments {
    /// How many
    count: u32,
    /// Number that decides which openings come
    #[arg(long, value_name = "S")]
    seed: u64,
    /// File of FEN or EPD lines to start from instead of the initial position, - = standard input
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
}

/// The word by which OpenBench says that there is no book.
const NO_BOOK: &str = "None";

impl Arguments {
    /// The command in OpenBench's form, where the first argument of the process holds all words. None if it is
    /// something else.
    pub fn from_openbench(argument: &str) -> Option<Result<Arguments, Fault>> {
        let words = argument.strip_prefix("genfens ")?;
        let wrong = || {
            Fault::Usage(format!(
                "{argument:?} is not of the form \"genfens N seed S book FILE\", FILE being {NO_BOOK} for none"
            ))
        };
        Some(Arguments::from_words(words).ok_or_else(wrong))
    }

    fn from_words(words: &str) -> Option<Arguments> {
        let mut words = words.split_ascii_whitespace();
        let mut arguments = Arguments { count: words.next()?.parse().ok()?, seed: 0, book: None };
        // Words of later versions of the form are skipped.
        while let Some(word) = words.next() {
            match word {
                "seed" => arguments.seed = words.next()?.parse().ok()?,
                "book" => arguments.book = words.next().filter(|&name| name != NO_BOOK).map(PathBuf::from),
                _ => {}
            }
        }
        Some(arguments)
    }
}

/// Draws the openings and prints each as soon as it is there.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut supply = Supply::new(source(arguments)?, arguments.seed);
    for _ in 0..arguments.count {
        match supply.draw() {
            Ok(opening) => print(format_args!("info string genfens {opening}"))?,
            Err(exhausted) => {
                eprintln!("clavier: {exhausted}");
                return Err(Fault::SomeFailed.into());
            }
        }
    }
    Ok(())
}

fn source(arguments: &Arguments) -> Result<Source, Fault> {
    let Some(path) = &arguments.book else { return Ok(Source::Standard) };
    let unreadable = |source| Fault::Input { name: path.display().to_string(), source };
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(unreadable)?;
    let positions = read_book(&String::from_utf8_lossy(&bytes))
        .map_err(|error| unreadable(std::io::Error::new(std::io::ErrorKind::InvalidData, error)))?;
    Ok(Source::Book(positions))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(argument: &str) -> Arguments {
        Arguments::from_openbench(argument).unwrap().unwrap()
    }

    #[test]
    fn the_form_of_openbench_is_read() {
        let arguments = Arguments { count: 10, seed: u64::MAX, book: None };
        assert_eq!(read("genfens 10 seed 18446744073709551615 book None"), arguments);
        let arguments = Arguments { count: 1, seed: 7, book: Some("Books/a.epd".into()) };
        assert_eq!(read("genfens 1 seed 7 book Books/a.epd dfrc true"), arguments);
    }

    #[test]
    fn what_is_not_of_the_form_is_told() {
        assert!(Arguments::from_openbench("genfens").is_none(), "clap tells what is missing");
        assert!(Arguments::from_openbench("bench").is_none());
        for argument in ["genfens ", "genfens many seed 1 book None", "genfens 1 seed", "genfens 1 seed -1"] {
            assert!(Arguments::from_openbench(argument).unwrap().is_err(), "{argument}");
        }
    }
}

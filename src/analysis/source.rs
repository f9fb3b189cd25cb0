//! Items, one after the other, from files and streams.

use super::item::{Item, ItemError, Refusal};
use super::{lines, pgn};
use serde_json::Value;
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

/// Longer lines are refused: a position and a long game need less.
const LONGEST_LINE: usize = 1 << 20;

/// An input with its name.
pub struct Input {
    /// The name, for messages.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// Its bytes.
    pub bytes: Box<dyn BufRead + Send>,
}

/// What an input holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// FEN, EPD or JSON, line by line.
    Lines,
    /// Games.
    Games,
}

/// An input that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{name} cannot be read")]
pub struct SourceError {
    /// Its name.
    pub name: String,
    /// Why.
    pub source: io::Error,
}

/// An item as it is taken from its input. Lines are parsed later, by the thread that works on them.
pub enum Raw {
    /// A line with its numbers among the items and in the file.
    Line {
        /// The line.
        text: String,
        /// Number among the items.
        number: u64,
        /// Number in the file.
        line: u64,
    },
    /// An item of a game, or what is wrong with the game.
    Parsed(Result<Box<Item>, Box<Refusal>>),
}

impl Raw {
    /// The item.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(self) -> Result<Item, Box<Refusal>> {
        match self {
            Raw::Parsed(result) => result.map(|item| *item),
            Raw::Line { text, number, line } if text.len() > LONGEST_LINE => {
                let fen = text.chars().take(80).collect();
                let error = ItemError::TooLong(LONGEST_LINE);
                Err(Box::new(Refusal { id: number.into(), line, fen, error }))
            }
            Raw::Line { text, number, line } => lines::read(&text, number, line),
        }
    }
}

/// All items of some inputs.
pub struct Source {
    inputs: VecDeque<Input>,
    open: Option<Open>,
    items: u64,
}

enum Open {
    Lines { name: String, bytes: Box<dyn BufRead + Send>, line: u64 },
    Games { name: String, reader: pgn::Games, ready: VecDeque<Result<Item, Box<Refusal>>> },
}

impl Source {
    /// The items of these inputs, in this order.
    pub fn new(inputs: Vec<Input>) -> Source {
        Source { inputs: inputs.into(), open: None, items: 0 }
    }

    fn open_next(&mut self) -> bool {
        self.open = self.inputs.pop_front().map(|Input { name, kind, bytes }| match kind {
            Kind::Lines => Open::Lines { name, bytes, line: 0 },
            Kind::Games => Open::Games { name, reader: pgn::Games::new(bytes), ready: VecDeque::new() },
        });
        self.open.is_some()
    }
}

impl Iterator for Source {
    type Item = Result<Raw, SourceError>;

    fn next(&mut self) -> Option<Result<Raw, SourceError>> {
        loop {
            let taken = match &mut self.open {
                None => Ok(None),
                Some(Open::Lines { name, bytes, line }) => next_line(bytes, line)
                    .map(|text| text.map(|text| Raw::Line { text, number: self.items + 1, line: *line }))
                    .map_err(|source| SourceError { name: name.clone(), source }),
                Some(Open::Games { name, reader, ready }) => next_of_game(reader, ready, self.items + 1)
                    .map(|item| item.map(|item| Raw::Parsed(item.map(Box::new))))
                    .map_err(|source| SourceError { name: name.clone(), source }),
            };
            match taken {
                Ok(Some(raw)) => {
                    self.items += 1;
                    return Some(Ok(raw));
                }
                Ok(None) if self.open_next() => {}
                Ok(None) => return None,
                Err(error) => {
                    self.inputs.clear();
                    self.open = None;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// The next line that holds more than blanks or a comment. Bytes that are no text are replaced.
fn next_line(bytes: &mut dyn BufRead, line: &mut u64) -> io::Result<Option<String>> {
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        if (&mut *bytes).take(LONGEST_LINE as u64 + 2).read_until(b'\n', &mut buffer)? == 0 {
            return Ok(None);
        }
        *line += 1;
        if buffer.len() > LONGEST_LINE && buffer.last() != Some(&b'\n') {
            skip_line(bytes)?;
            return Ok(Some(String::from_utf8_lossy(&buffer).into_owned()));
        }
        let text = String::from_utf8_lossy(&buffer);
        let text = text.trim_start_matches('\u{feff}').trim();
        if !text.is_empty() && !text.starts_with('#') {
            return Ok(Some(text.to_owned()));
        }
    }
}

fn skip_line(bytes: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let known = bytes.fill_buf()?;
        let (is_over, length) = match known.iter().position(|&byte| byte == b'\n') {
            Some(end) => (true, end + 1),
            None => (known.is_empty(), known.len()),
        };
        bytes.consume(length);
        if is_over {
            return Ok(());
        }
    }
}

fn next_of_game(
    games: &mut pgn::Games,
    ready: &mut VecDeque<Result<Item, Box<Refusal>>>,
    number: u64,
) -> io::Result<Option<Result<Item, Box<Refusal>>>> {
    while ready.is_empty() {
        let Some(game) = games.read()? else { return Ok(None) };
        ready.extend(game.items());
    }
    let with_id = |id: &mut Value| *id = number.into();
    Ok(ready.pop_front().map(|mut item| {
        match &mut item {
            Ok(item) => with_id(&mut item.id),
            Err(refusal) => with_id(&mut refusal.id),
        }
        item
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(text: &'static str) -> Vec<(u64, u64)> {
        let bytes = Box::new(text.as_bytes());
        let input = Input { name: "test".to_owned(), kind: Kind::Lines, bytes };
        Source::new(vec![input])
            .map(|raw| match raw.unwrap() {
                Raw::Line { number, line, .. } => (number, line),
                Raw::Parsed(_) => unreachable!(),
            })
            .collect()
    }

    #[test]
    fn blank_lines_and_comments_are_no_items() {
        assert_eq!(lines_of("\u{feff}a\r\n\n# b\n  \nc"), [(1, 1), (2, 5)]);
    }

    #[test]
    fn a_line_without_end_takes_no_memory_and_the_next_is_read() {
        let long = "x".repeat(3 * LONGEST_LINE) + "\nnext\n";
        let input = Input {
            name: "test".to_owned(),
            kind: Kind::Lines,
            bytes: Box::new(io::Cursor::new(long.into_bytes())),
        };
        let mut source = Source::new(vec![input]);
        let error = source.next().unwrap().unwrap().parse().unwrap_err().error;
        assert_eq!(error, ItemError::TooLong(LONGEST_LINE));
        assert!(matches!(source.next(), Some(Ok(Raw::Line { text, line: 2, .. })) if text == "next"));
    }
}

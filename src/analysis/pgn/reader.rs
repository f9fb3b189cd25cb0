//! Where games begin and end.

use super::tokens::Tokenizer;
use super::{Text, Token};
use std::io::{self, BufRead, BufReader, Read};

/// Longer lines are cut, so that a file without ends of lines takes no memory.
const LONGEST_LINE: u64 = 16 << 20;

/// Games of a stream.
pub struct Games {
    bytes: BufReader<Newlines>,
    /// A line that belongs to the next game.
    ahead: Option<String>,
    count: u64,
}

impl Games {
    /// The games of these bytes.
    pub fn new(bytes: Box<dyn BufRead + Send>) -> Games {
        Games { bytes: BufReader::new(Newlines { bytes, after_return: false }), ahead: None, count: 0 }
    }

    /// The next game; none after the last. A game ends with its result, or where the tags of another begin.
    ///
    /// # Errors
    /// If the stream cannot be read. Damage of the text is told in the game.
    pub fn read(&mut self) -> io::Result<Option<Text>> {
        let mut text = Text::default();
        let mut tokenizer = Tokenizer::default();
        let (mut has_moves, mut is_behind_tags) = (false, false);
        while let Some(line) = self.next_line()? {
            let is_tag = looks_like_tag(&line);
            // A blank line may stand among the tags of a game, but no name stands there twice.
            let tag = (is_tag && !has_moves).then(|| read_tag(line.trim()));
            if let Some(tag) = tag.filter(|(name, _)| !is_behind_tags || text.tag(name).is_none()) {
                text.tags.push(tag);
            } else if is_tag && (!tokenizer.is_in_comment() || line.starts_with("[Event ")) {
                self.ahead = Some(line);
                break;
            } else if line.trim().is_empty() {
                is_behind_tags |= !text.tags.is_empty();
            } else {
                tokenizer.feed(&line);
                has_moves |= !tokenizer.tokens.is_empty() || tokenizer.is_in_comment();
                if tokenizer.is_over && !tokenizer.is_in_comment() {
                    break;
                }
            }
        }
        if tokenizer.is_in_comment() {
            text.damage = Some("a comment has no end".to_owned());
            tokenizer.close_comment();
        }
        text.tokens = tokenizer.tokens;
        let is_game = |token: &Token| matches!(token, Token::Move(_) | Token::Result(_));
        if text.tags.is_empty() && !text.tokens.iter().any(is_game) {
            // Remarks between two games are no game.
            return if self.ahead.is_some() { self.read() } else { Ok(None) };
        }
        self.count += 1;
        text.number = self.count;
        Ok(Some(text))
    }

    fn next_line(&mut self) -> io::Result<Option<String>> {
        if self.ahead.is_some() {
            return Ok(self.ahead.take());
        }
        let mut bytes = Vec::new();
        let count = (&mut self.bytes).take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        Ok((count > 0).then(|| decode(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes))))
    }
}

/// Turns all ends of lines into line feeds.
struct Newlines {
    bytes: Box<dyn BufRead + Send>,
    after_return: bool,
}

impl Read for Newlines {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        loop {
            let known = self.bytes.fill_buf()?;
            let (taken, is_over) = (known.len().min(target.len()), known.is_empty());
            let mut written = 0;
            for &byte in &known[..taken] {
                let is_second = self.after_return && byte == b'\n';
                self.after_return = byte == b'\r';
                if !is_second {
                    target[written] = if byte == b'\r' { b'\n' } else { byte };
                    written += 1;
                }
            }
            self.bytes.consume(taken);
            if written > 0 || is_over || target.is_empty() {
                return Ok(written);
            }
        }
    }
}

/// Text in UTF-8, else in Latin-1, as older programs write it.
fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| byte as char).collect(),
    }
}

/// Is the line `[Name "value"]`, or would like to be?
fn looks_like_tag(line: &str) -> bool {
    let Some(inner) = line.trim().strip_prefix('[') else { return false };
    let name = inner.trim_start().split(['"', ' ', '\t']).next().unwrap_or_default();
    !name.is_empty()
        && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        && inner.contains('"')
}

/// Name and value of a tag. Quotes within the value should be escaped, and often are not.
fn read_tag(line: &str) -> (String, String) {
    let inner = line.trim_start_matches('[').trim_end_matches(']');
    let (name, value) = inner.split_once('"').unwrap_or((inner, ""));
    let value = value.rsplit_once('"').map_or(value, |(value, _)| value);
    (name.trim().to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\"))
}

//! What a line of input means.
//!
//! Lines are bytes and may hold anything. Words before the first known command are skipped, as the UCI
//! specification asks. The crate `vampirc-uci` reads the commands without free text, handed to it in canonical form;
//! `go`, `position` and `setoption` are read here, because GUIs write them in more ways than its grammar allows.

use super::go::GoCommand;
use vampirc_uci::{UciMessage, parse_one};

/// Longest piece of an offending text that is repeated in a message, in characters.
const QUOTE_LENGTH: usize = 40;

/// A command of the UCI protocol or one of the extensions that people type.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// A command without free text: `uci`, `debug`, `isready`, `register`, `ucinewgame`, `stop`, `ponderhit`, `quit`.
    Plain(UciMessage),
    /// `setoption`.
    SetOption(SetOption),
    /// `position`.
    Position(PositionText),
    /// `go`.
    Go(GoCommand),
    /// `bench`, with its parameters.
    Bench(Vec<String>),
    /// `d`: show the board.
    Display,
    /// `eval`: show the static evaluation.
    Evaluate,
    /// `flip`: swap the colors.
    Flip,
    /// `help`.
    Help,
    /// `wait`: read on when the search has ended.
    Wait,
}

/// The text of a `setoption` command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetOption {
    /// Name of the option, its words separated by single blanks.
    pub name: String,
    /// The value as it was written, without blanks around it; none without the word `value`.
    pub value: Option<String>,
}

/// The text of a `position` command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionText {
    /// The FEN, or whatever stood in its place; none = the initial position.
    pub fen: Option<String>,
    /// The moves, not yet checked.
    pub moves: Vec<String>,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum CommandError {
    #[error("unknown command: {0}")]
    Unknown(String),
    #[error("{command} needs {wanted}")]
    Incomplete { command: &'static str, wanted: &'static str },
}

/// All first words that are understood.
const COMMANDS: [&str; 18] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "bench",
    "d",
    "eval",
    "flip",
    "help",
    "wait",
    "#",
];

/// The command in a line; none in a blank line or a comment.
///
/// ```
/// use clavier::uci::command::{Command, parse};
/// assert_eq!(parse(b"  joho  D \r\n"), Ok(Some(Command::Display)));
/// assert_eq!(parse(b"# a remark"), Ok(None));
/// assert!(parse(b"xyzzy").is_err());
/// ```
///
/// # Errors
/// A [`CommandError`] if no word of the line is a command, or if the command lacks what it needs.
pub fn parse(line: &[u8]) -> Result<Option<Command>, CommandError> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('#') {
        return Ok(None);
    }
    let mut words = Words::new(text);
    let mut is_blank = true;
    while let Some(word) = words.next() {
        is_blank = false;
        if let Some(command) = COMMANDS.into_iter().find(|command| command.eq_ignore_ascii_case(word)) {
            return read(command, words);
        }
    }
    if is_blank { Ok(None) } else { Err(CommandError::Unknown(quote(text.trim()))) }
}

/// The command that a known word and the words after it mean.
fn read(command: &'static str, mut words: Words<'_>) -> Result<Option<Command>, CommandError> {
    let command = match command {
        "#" => return Ok(None),
        "setoption" => Command::SetOption(read_set_option(words)?),
        "position" => Command::Position(read_position(words)),
        "go" => Command::Go(GoCommand::parse(words)),
        "bench" => Command::Bench(words.map(str::to_owned).collect()),
        "d" => Command::Display,
        "eval" => Command::Evaluate,
        "flip" => Command::Flip,
        "help" => Command::Help,
        "wait" => Command::Wait,
        // Registration is never asked for, so every form of it means the same.
        "register" => Command::Plain(parse_one("register later")),
        "debug" => match words.next().map(str::to_ascii_lowercase).as_deref() {
            Some("on") => Command::Plain(parse_one("debug on")),
            Some("off") => Command::Plain(parse_one("debug off")),
            _ => return Err(CommandError::Incomplete { command, wanted: "on or off" }),
        },
        plain => Command::Plain(parse_one(plain)),
    };
    Ok(Some(command))
}

/// Name and value are told apart by the first word `value`; the value is kept as it was written.
fn read_set_option(mut words: Words<'_>) -> Result<SetOption, CommandError> {
    let incomplete = CommandError::Incomplete { command: "setoption", wanted: "name NAME [value VALUE]" };
    if !words.next().is_some_and(|word| word.eq_ignore_ascii_case("name")) {
        return Err(incomplete);
    }
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word.eq_ignore_ascii_case("value") {
            value = Some(words.rest().trim().to_owned());
            break;
        }
        name.push(word);
    }
    if name.is_empty() { Err(incomplete) } else { Ok(SetOption { name: name.join(" "), value }) }
}

/// Everything before `moves` is `startpos` or a FEN, with or without the word `fen`.
fn read_position(mut words: Words<'_>) -> PositionText {
    let setup: Vec<&str> = words.by_ref().take_while(|word| !word.eq_ignore_ascii_case("moves")).collect();
    let fen = match setup.as_slice() {
        [word] if word.eq_ignore_ascii_case("startpos") => None,
        [word, rest @ ..] if word.eq_ignore_ascii_case("fen") => Some(rest.join(" ")),
        all => Some(all.join(" ")),
    };
    PositionText { fen, moves: words.map(str::to_owned).collect() }
}

/// The beginning of an offending text, fit to be shown in one line.
pub fn quote(text: &str) -> String {
    let mut short: String =
        text.chars().map(|c| if c.is_control() { '?' } else { c }).take(QUOTE_LENGTH).collect();
    if text.chars().nth(QUOTE_LENGTH).is_some() {
        short.push('…');
    }
    short
}

/// The words of a line, and what is left of it.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// The words of a text, separated by ASCII white space.
    pub fn new(text: &'a str) -> Words<'a> {
        Words { rest: text }
    }

    /// The text after the last word that was taken.
    pub fn rest(&self) -> &'a str {
        self.rest
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
        let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        parse(line.as_bytes()).unwrap().unwrap()
    }

    fn option(line: &str) -> (String, Option<String>) {
        match command(line) {
            Command::SetOption(SetOption { name, value }) => (name, value),
            other => panic!("{other:?}"),
        }
    }

    fn position(line: &str) -> (Option<String>, Vec<String>) {
        match command(line) {
            Command::Position(PositionText { fen, moves }) => (fen, moves),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn plain_commands_are_known_in_any_case_and_spacing() {
        for (line, message) in [
            ("uci", UciMessage::Uci),
            ("\t isready \r\n", UciMessage::IsReady),
            ("UCINewGame", UciMessage::UciNewGame),
            ("STOP", UciMessage::Stop),
            ("ponderhit now", UciMessage::PonderHit),
            ("quit", UciMessage::Quit),
            ("joho \t debug\t  ON ", UciMessage::Debug(true)),
            ("debug off", UciMessage::Debug(false)),
            ("register", UciMessage::register_later()),
            ("register name A code 1", UciMessage::register_later()),
            ("\u{feff}uci", UciMessage::Uci),
        ] {
            assert_eq!(command(line), Command::Plain(message), "{line:?}");
        }
    }

    #[test]
    fn lines_without_a_command_are_told_in_short() {
        assert_eq!(parse(b"isreadyx"), Err(CommandError::Unknown("isreadyx".into())));
        let long = parse(&vec![b'x'; 1 << 20]).unwrap_err().to_string();
        assert!(long.len() < 100, "{long}");
        assert!(parse(b"\xff\xfe\xe9").is_err());
        assert!(parse(b"debug maybe").is_err());
        for nothing in [&b""[..], b"  \t\r\n", b"# go", b"  #x"] {
            assert_eq!(parse(nothing), Ok(None));
        }
    }

    #[test]
    fn option_values_keep_their_blanks_and_the_word_value() {
        let own = |name: &str, value: &str| (name.to_owned(), Some(value.to_owned()));
        assert_eq!(option("setoption name Hash value 32  "), own("Hash", "32"));
        assert_eq!(option("setoption NAME Move   Overhead VALUE 5"), own("Move Overhead", "5"));
        assert_eq!(option("setoption name P value /a value  b/value"), own("P", "/a value  b/value"));
        assert_eq!(option("setoption name P value"), own("P", ""));
        assert_eq!(option("setoption name Clear Hash\r\n"), ("Clear Hash".into(), None));
        for bad in ["setoption", "setoption Hash 3", "setoption name", "setoption name value 3"] {
            assert!(parse(bad.as_bytes()).is_err(), "{bad}");
        }
    }

    #[test]
    fn positions_are_read_with_any_blanks() {
        assert_eq!(position("position startpos"), (None, vec![]));
        assert_eq!(position("position  STARTPOS\tmoves  e2e4  e7e5 ").1, ["e2e4", "e7e5"]);
        let (fen, moves) = position("position fen  8/8/8/8/8/3k4/8/3K4  w - -   moves");
        assert_eq!((fen.as_deref(), moves.len()), (Some("8/8/8/8/8/3k4/8/3K4 w - -"), 0));
        // What is neither startpos nor a FEN is kept, so that it is refused as a FEN.
        assert_eq!(position("position").0.as_deref(), Some(""));
        assert_eq!(position("position startpos e2e4").0.as_deref(), Some("startpos e2e4"));
    }
}

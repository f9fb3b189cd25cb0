//! Layer 6: how positions and games stand by the rules, one record per line of input.
//!
//! A line is `FEN [moves MOVE…]` or a JSON object `{"id", "fen", "moves": [MOVE…]}`. Whatever is wrong with a
//! line becomes its record; the others go on.

use crate::board::Outcome;
use crate::board::fen::{self, FenError};
use crate::board::notation::{self, MoveError};
use crate::game::Game;
use crate::types::Color;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{self, BufRead, Write};

/// One line of input as JSON.
#[derive(Deserialize)]
struct Query {
    id: Option<Value>,
    fen: String,
    #[serde(default)]
    moves: Vec<String>,
}

/// How a game stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Is the side to move in check?
    pub in_check: bool,
    /// Number of legal moves.
    pub legal_count: usize,
    /// Name of the first rule that holds, or `none`.
    pub outcome: &'static str,
    /// `white` or `black`, if the game is won.
    pub winner: Option<String>,
    /// Names of all rules that hold.
    pub all: Vec<&'static str>,
}

impl Standing {
    /// How a game stands now.
    pub fn of(game: &Game) -> Standing {
        let outcomes = game.outcomes();
        let position = game.position();
        Standing {
            in_check: position.in_check(),
            legal_count: position.count_moves(),
            outcome: outcomes.first().map_or("none", |outcome| outcome.name()),
            winner: game.winner().as_ref().map(Color::to_string),
            all: outcomes.into_iter().map(Outcome::name).collect(),
        }
    }
}

/// Why a line has no standing.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// The line looks like JSON and is not the JSON that is wanted.
    #[error("the line is not a JSON object with a \"fen\": {0}")]
    Json(#[from] serde_json::Error),
    /// The position cannot be read.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// A move cannot be played.
    #[error("{source}: number {number} of the moves, in {fen}")]
    Move {
        /// Its number in the list, from 1.
        number: usize,
        /// The position before it.
        fen: String,
        /// What is wrong with it.
        source: MoveError,
    },
}

impl RulesError {
    /// One word for programs: `json`, `fen` or `move`.
    pub const fn kind(&self) -> &'static str {
        match self {
            RulesError::Json(_) => "json",
            RulesError::Fen(_) => "fen",
            RulesError::Move { .. } => "move",
        }
    }
}

/// Answers every line of the input that is not blank, as JSON or as text. Gives the number of lines that had
/// no answer but an error.
///
/// # Errors
/// If the input cannot be read or the output not be written.
pub fn run(mut input: impl BufRead, mut output: impl Write, json: bool) -> io::Result<usize> {
    let mut failures = 0;
    let mut bytes = Vec::new();
    let mut number = 0;
    while input.read_until(b'\n', &mut bytes)? > 0 {
        number += 1;
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim();
        if !line.is_empty() {
            let (id, result) = answer(line);
            failures += usize::from(result.is_err());
            let id = id.unwrap_or_else(|| Value::from(number));
            if json {
                writeln!(output, "{}", to_json(id, result))?;
            } else {
                writeln!(output, "{}", to_text(&id, result))?;
            }
            output.flush()?;
        }
        bytes.clear();
    }
    Ok(failures)
}

/// The id that the line gives, and how its game stands.
fn answer(line: &str) -> (Option<Value>, Result<Standing, RulesError>) {
    if !line.starts_with('{') {
        let (fen, moves) = line.split_once(" moves").unwrap_or((line, ""));
        return (None, standing(fen, moves.split_ascii_whitespace()));
    }
    match serde_json::from_str::<Query>(line) {
        Ok(query) => (query.id, standing(&query.fen, query.moves.iter().map(String::as_str))),
        Err(error) => {
            let id = serde_json::from_str::<Value>(line).ok().and_then(|value| value.get("id").cloned());
            (id, Err(error.into()))
        }
    }
}

fn standing<'a>(fen: &str, moves: impl Iterator<Item = &'a str>) -> Result<Standing, RulesError> {
    let mut game = Game::new(fen::read(fen)?.0);
    for (index, text) in moves.enumerate() {
        let m = notation::parse_uci(game.position(), text).map_err(|source| RulesError::Move {
            number: index + 1,
            fen: game.position().to_string(),
            source,
        })?;
        game.play(m);
    }
    Ok(Standing::of(&game))
}

fn to_json(id: Value, result: Result<Standing, RulesError>) -> String {
    #[derive(Serialize)]
    struct Told {
        kind: &'static str,
        message: String,
    }
    #[derive(Serialize)]
    struct Record {
        id: Value,
        #[serde(flatten)]
        standing: Option<Standing>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<Told>,
    }
    let (standing, error) = match result {
        Ok(standing) => (Some(standing), None),
        Err(error) => (None, Some(Told { kind: error.kind(), message: error.to_string() })),
    };
    serde_json::to_string(&Record { id, standing, error }).expect("records hold plain data only")
}

fn to_text(id: &Value, result: Result<Standing, RulesError>) -> String {
    let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    let standing = match result {
        Ok(standing) => standing,
        Err(error) => return format!("{id}: error: {error}"),
    };
    let moves = if standing.legal_count == 1 { "move" } else { "moves" };
    let mut text = format!("{id}: {}, {} legal {moves}", standing.outcome, standing.legal_count);
    if standing.in_check {
        text += ", in check";
    }
    if let Some(winner) = &standing.winner {
        text = format!("{text}, {winner} has won");
    }
    if standing.all.len() > 1 {
        text = format!("{text}, all: {}", standing.all.join(" "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(input: &str, json: bool) -> (String, usize) {
        let mut output = Vec::new();
        let failures = run(input.as_bytes(), &mut output, json).unwrap();
        (String::from_utf8(output).unwrap(), failures)
    }

    #[test]
    fn a_mate_is_told_with_its_winner() {
        let fools_mate = r#"{"id":"fool","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","moves":["f2f3","e7e5","g2g4","d8h4"],"chess960":false}"#;
        let expected = r#"{"id":"fool","in_check":true,"legal_count":0,"outcome":"checkmate","winner":"black","all":["checkmate"]}"#;
        assert_eq!(answers(fools_mate, true), (format!("{expected}\n"), 0));
        assert_eq!(answers(fools_mate, false).0, "fool: checkmate, 0 legal moves, in check, black has won\n");
    }

    #[test]
    fn bad_lines_are_told_and_the_others_go_on() {
        let input = "8/8 w\n\n4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1 e8e7\n\
                     4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e3\n{\"id\":7}\n";
        let (output, failures) = answers(input, true);
        let records: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let ids: Vec<String> = records.iter().map(|record| record["id"].to_string()).collect();
        assert_eq!(ids, ["1", "3", "4", "7"]);
        let kind = |record: &Value| record["error"]["kind"].as_str().map(str::to_owned);
        assert_eq!(kind(&records[0]).as_deref(), Some("fen"));
        assert_eq!(kind(&records[1]), None);
        assert_eq!(kind(&records[2]).as_deref(), Some("move"));
        assert_eq!(kind(&records[3]).as_deref(), Some("json"));
        assert_eq!(records[1]["outcome"], "none");
        assert_eq!(failures, 3);
    }

    #[test]
    fn invalid_utf8_is_an_error_record() {
        let mut output = Vec::new();
        assert_eq!(run(&b"\xff\xfe\n"[..], &mut output, true).unwrap(), 1);
    }
}

//! Layer 7: how positions and games stand by the rules, one record per line of input.
//!
//! A line is `FEN [moves MOVE…]` or a JSON object `{"id", "fen", "moves": [MOVE…]}`. Whatever is wrong with a
//! line becomes its record; the others go on.

use crate::analysis::source::{Input, Kind, Raw, Source, SourceError};
use crate::analysis::{Item, Refusal, plain};
use crate::board::Outcome;
use crate::game::Game;
use crate::types::Color;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, BufRead, Write};

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

/// Why the work ends before its time.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum RulesError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("the output cannot be written")]
    Output(#[from] io::Error),
}

/// Answers every line of an input that is neither blank nor a comment, as JSON or as text. Gives the number of
/// lines that had no answer but an error.
///
/// # Errors
/// If the input cannot be read or the output not be written.
pub fn run(
    name: &str,
    bytes: Box<dyn BufRead + Send>,
    mut output: impl Write,
    json: bool,
) -> Result<usize, RulesError> {
    let mut failures = 0;
    for raw in Source::new(vec![Input { name: name.to_owned(), kind: Kind::Lines, bytes }]) {
        let result = with_number_of_line(raw?).parse();
        failures += usize::from(result.is_err());
        let answer = if json { to_json(result) } else { to_text(result) };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(failures)
}

/// The line with its number in the file in the place of that among the items.
fn with_number_of_line(raw: Raw) -> Raw {
    match raw {
        Raw::Line { text, line, .. } => Raw::Line { text, number: line, line },
        parsed @ Raw::Parsed(_) => parsed,
    }
}

fn to_json(result: Result<Item, Box<Refusal>>) -> String {
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
    let record = match result {
        Ok(item) => Record { id: item.id, standing: Some(Standing::of(&item.game)), error: None },
        Err(refusal) => {
            let error = Told { kind: refusal.error.kind(), message: refusal.error.to_string() };
            Record { id: refusal.id, standing: None, error: Some(error) }
        }
    };
    serde_json::to_string(&record).expect("records hold plain data only")
}

fn to_text(result: Result<Item, Box<Refusal>>) -> String {
    let (id, standing) = match result {
        Ok(item) => (plain(&item.id), Standing::of(&item.game)),
        Err(refusal) => return format!("{}: error: {}", plain(&refusal.id), refusal.error),
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

    fn answers(input: &'static str, json: bool) -> (String, usize) {
        let mut output = Vec::new();
        let failures = run("test", Box::new(input.as_bytes()), &mut output, json).unwrap();
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
        assert_eq!(run("test", Box::new(&b"\xff\xfe\n"[..]), &mut output, true).unwrap(), 1);
    }
}

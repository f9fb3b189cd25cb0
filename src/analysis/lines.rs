//! One line of input: FEN, EPD or JSON.

use super::epd;
use super::item::{Item, ItemError, Refusal};
use super::plan::read_move;
use crate::board::fen::{self, Setup};
use crate::game::Game;
use serde::Deserialize;
use serde_json::Value;

/// A line of JSON.
#[derive(Deserialize)]
struct Query {
    id: Option<Value>,
    fen: String,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    chess960: bool,
}

/// What a line gives apart from its place.
struct Parsed {
    id: Option<Value>,
    game: Game,
    chess960: bool,
    opcodes: Vec<epd::Opcode>,
}

/// A fault, with as much as could be read.
struct Broken {
    id: Option<Value>,
    fen: String,
    error: ItemError,
}

/// Reads a line, which has a number among the items and one among the lines of its file.
pub(super) fn read(text: &str, number: u64, line: u64) -> Result<Item, Box<Refusal>> {
    let parsed = if text.starts_with('{') { read_json(text) } else { read_fen_or_epd(text) };
    let number = || Value::from(number);
    match parsed {
        Ok(Parsed { id, game, chess960, opcodes }) => {
            Ok(Item { id: id.unwrap_or_else(number), line, game, chess960, opcodes, place: None })
        }
        Err(broken) => {
            let Broken { id, fen, error } = *broken;
            Err(Box::new(Refusal { id: id.unwrap_or_else(number), line, fen, error }))
        }
    }
}

fn read_json(text: &str) -> Result<Parsed, Box<Broken>> {
    match serde_json::from_str::<Query>(text) {
        Ok(Query { id, fen, moves, chess960 }) => match play(&fen, moves.iter().map(String::as_str)) {
            Ok(game) => Ok(Parsed { id, game, chess960, opcodes: Vec::new() }),
            Err(error) => Err(Box::new(Broken { id, fen, error })),
        },
        Err(error) => {
            let value = serde_json::from_str::<Value>(text).unwrap_or_default();
            let fen = value.get("fen").and_then(Value::as_str).unwrap_or_default().to_owned();
            let id = value.get("id").cloned();
            Err(Box::new(Broken { id, fen, error: ItemError::Json(error.to_string()) }))
        }
    }
}

fn read_fen_or_epd(text: &str) -> Result<Parsed, Box<Broken>> {
    let (fen, opcodes) = epd::split(text);
    let opcode = |name: &str| opcodes.iter().find(|opcode| opcode.name == name);
    let id = opcode("id").map(|opcode| Value::from(opcode.text().replace(r#"\""#, "\"")));
    let counter = |name: &str| opcode(name).and_then(|opcode| opcode.text().parse::<u32>().ok());
    let (halfmoves, fullmove) = (counter("hmvc"), counter("fmvn"));
    let game = if halfmoves.is_some() || fullmove.is_some() {
        with_counters(fen, halfmoves, fullmove)
    } else {
        let (fen, moves) = fen.split_once(" moves").unwrap_or((fen, ""));
        play(fen, moves.split_ascii_whitespace())
    };
    match game {
        Ok(game) => Ok(Parsed { id, game, chess960: false, opcodes }),
        Err(error) => Err(Box::new(Broken { id, fen: fen.trim().to_owned(), error })),
    }
}

/// The position with the counters that opcodes give.
fn with_counters(fen: &str, halfmoves: Option<u32>, fullmove: Option<u32>) -> Result<Game, ItemError> {
    let mut setup: Setup = fen.parse()?;
    if let Some(halfmoves) = halfmoves {
        setup.halfmoves = u16::try_from(halfmoves).unwrap_or(u16::MAX).min(9_999);
    }
    if let Some(fullmove) = fullmove {
        setup.fullmove = fullmove.clamp(1, 99_999);
    }
    Ok(Game::new(setup.into_position()?.0))
}

/// The game from a position on.
fn play<'a>(fen: &str, moves: impl Iterator<Item = &'a str>) -> Result<Game, ItemError> {
    let mut game = Game::new(fen::read(fen)?.0);
    for (index, text) in moves.enumerate() {
        let m = read_move(game.position(), text).map_err(|source| ItemError::Move {
            number: index + 1,
            fen: game.position().to_string(),
            source,
        })?;
        game.play(m);
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_is_read() {
        let fen_of = |text: &str| read(text, 7, 9).unwrap().game.position().to_string();
        let bare = "4k3/8/8/8/8/8/8/4K2R w K -";
        assert_eq!(fen_of(bare), format!("{bare} 0 1"));
        assert_eq!(fen_of(&format!("{bare} hmvc 5; fmvn 40;")), format!("{bare} 5 40"));
        assert_eq!(fen_of(&format!("{bare} 3 9 moves O-O e8e7")), "8/4k3/8/8/8/8/8/5RK1 w - - 5 10");
        let json =
            r#"{"id":{"a":1},"fen":"4k3/8/8/8/8/8/8/4K2R w K - 0 1","moves":["e1g1"],"chess960":true}"#;
        let item = read(json, 7, 9).unwrap();
        assert_eq!((item.id.to_string().as_str(), item.chess960, item.line), (r#"{"a":1}"#, true, 9));
        assert_eq!(read(bare, 7, 9).unwrap().id, 7);
        assert_eq!(read(&format!("{bare} id \"x\";"), 7, 9).unwrap().id, "x");
    }

    #[test]
    fn faults_keep_what_could_be_read() {
        let kind = |text: &str| {
            let refusal = read(text, 7, 9).unwrap_err();
            (super::super::item::plain(&refusal.id), refusal.error.kind())
        };
        assert_eq!(kind("{\"id\":\"a\"}"), ("a".to_owned(), "json"));
        assert_eq!(kind("{\"id\":"), ("7".to_owned(), "json"));
        assert_eq!(kind("8/8 w - - bm e4; id \"b\";"), ("b".to_owned(), "fen"));
        assert_eq!(kind("4k3/8/8/8/8/8/8/4K2R w K - 3 9 moves e1e3"), ("7".to_owned(), "move"));
    }
}

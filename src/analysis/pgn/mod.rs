//! Games in Portable Game Notation, in all the dialects that programs and people write. Readers for clean files
//! lose what they do not know, such as `a8Q`, figurines or UCI moves, and then call the next move illegal.
//! <https://www.chessprogramming.org/Portable_Game_Notation>

mod reader;
mod tokens;
mod tree;

pub use reader::Games;
pub use tree::{Line, Ply, Tree, write_as_read};

use super::item::{Item, ItemError, Place, Refusal};
use crate::board::notation;
use crate::board::{FenError, Position, fen, san};
use crate::game::Game;
use crate::types::Move;
use serde_json::Value;

/// Names of the variants whose rules are those of chess.
const CHESS_VARIANTS: &[&str] = &[
    "",
    "standard",
    "chess",
    "normal",
    "from position",
    "chess960",
    "chess 960",
    "fischerandom",
    "fischerrandom",
    "fischer random",
    "freestyle",
];

/// A part of a game's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// A move in SAN, as written.
    Move(String),
    /// A mark of a move, such as 2 for `?`.
    Nag(u8),
    /// A comment, without braces.
    Comment(String),
    /// A variation begins.
    Open,
    /// A variation ends.
    Close,
    /// The result.
    Result(String),
}

/// A game as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Text {
    /// Number in its file, from 1.
    pub number: u64,
    /// Names and values of the tags.
    pub tags: Vec<(String, String)>,
    /// The moves and all that stands among them.
    pub tokens: Vec<Token>,
    /// Where the text itself is damaged.
    pub damage: Option<String>,
}

/// A main line, as far as it can be followed.
#[derive(Clone, Debug)]
pub struct MainLine {
    /// The game before each move, and after the last.
    pub games: Vec<Game>,
    /// What stops the line before its end.
    pub fault: Option<String>,
}

impl Text {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The position from which the game starts.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn start(&self) -> Result<Position, String> {
        let variant = self.tag("Variant").unwrap_or_default();
        if !CHESS_VARIANTS.contains(&variant.to_ascii_lowercase().as_str()) {
            return Err(format!("variant {variant:?} is not chess"));
        }
        match self.tag("FEN") {
            None => Ok(Position::start()),
            Some(text) => fen::read(text)
                .map(|(position, _)| position)
                .map_err(|fault: FenError| format!("{fault}, in tag FEN")),
        }
    }

    /// The game before each move of the main line, and after the last.
    ///
    /// # Errors
    /// If the position at the start is none, in words.
    pub fn main_line(&self) -> Result<MainLine, String> {
        let mut line = MainLine { games: vec![Game::new(self.start()?)], fault: self.damage.clone() };
        let mut depth = 0_usize;
        for token in &self.tokens {
            match token {
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                Token::Move(text) if depth == 0 => match follow(line.last(), text) {
                    Ok((_, game)) => line.games.push(game),
                    Err(fault) => {
                        line.fault = Some(fault);
                        break;
                    }
                },
                _ => {}
            }
        }
        Ok(line)
    }

    /// All positions of the main line; behind them what stops it before its end. Ids are left open.
    pub fn items(&self) -> Vec<Result<Item, Box<Refusal>>> {
        let refuse = |fen: String, fault: String| {
            let error = ItemError::Game { game: self.number, fault };
            Err(Box::new(Refusal { id: Value::Null, line: self.number, fen, error }))
        };
        let line = match self.main_line() {
            Ok(line) => line,
            Err(fault) => return vec![refuse(self.tag("FEN").unwrap_or_default().to_owned(), fault)],
        };
        let last = line.last().position().to_string();
        let item = |(ply, game)| {
            Ok(Item {
                id: Value::Null,
                line: self.number,
                game,
                chess960: false,
                opcodes: Vec::new(),
                place: Some(Place { game: self.number, ply }),
            })
        };
        let mut items: Vec<_> = line.games.into_iter().enumerate().map(item).collect();
        items.extend(line.fault.map(|fault| refuse(last, fault)));
        items
    }
}

impl MainLine {
    /// The game as far as it can be followed.
    ///
    /// # Panics
    /// Never: there is the start at least.
    pub fn last(&self) -> &Game {
        self.games.last().expect("there is the start at least")
    }
}

/// The move that a text means, none for a pass, and the game after it.
fn follow(game: &Game, text: &str) -> Result<(Option<Move>, Game), String> {
    let position = game.position();
    if is_null(text) {
        let game = pass(position).ok_or_else(|| format!("nobody can pass in check: {position}"))?;
        return Ok((None, game));
    }
    let m = san::parse(position, text)
        .or_else(|fault| notation::parse_uci(position, text).map_err(|_| fault))
        .map_err(|fault| format!("{fault}: {position}"))?;
    let mut game = game.clone();
    game.play(m);
    Ok((Some(m), game))
}

/// Does the text mean that a side passes?
pub(super) fn is_null(text: &str) -> bool {
    matches!(text, "--" | "Z0" | "0000" | "null" | "@@@@")
}

/// The game after a pass. What was before does not count for repetitions.
fn pass(position: &Position) -> Option<Game> {
    let text = position.to_string();
    let fields: Vec<&str> = text.split(' ').collect();
    let (side, step) = if fields[1] == "w" { ("b", 0) } else { ("w", 1) };
    let text = format!(
        "{} {side} {} - {} {}",
        fields[0],
        fields[2],
        position.halfmoves() + 1,
        position.fullmove() + step
    );
    if position.in_check() { None } else { fen::read(&text).ok().map(|(position, _)| Game::new(position)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &'static str) -> Vec<Text> {
        let mut games = Games::new(Box::new(text.as_bytes()));
        std::iter::from_fn(|| games.read().unwrap()).collect()
    }

    #[test]
    fn a_game_is_read_with_all_that_stands_in_it() {
        let game = &games("[White \"A\"]\r\n\r\n1. e4 $1 {good} (1. d4 d5) e5?? 1-0\r\n")[0];
        assert_eq!(game.tag("white"), Some("A"));
        let text = |san: &str| Token::Move(san.to_owned());
        let expected = [
            text("e4"),
            Token::Nag(1),
            Token::Comment("good".to_owned()),
            Token::Open,
            text("d4"),
            text("d5"),
            Token::Close,
            text("e5"),
            Token::Nag(4),
            Token::Result("1-0".to_owned()),
        ];
        assert_eq!(game.tokens, expected);
        assert_eq!(game.main_line().unwrap().games.len(), 3);
    }

    #[test]
    fn a_blank_line_within_the_moves_ends_no_game() {
        let found = games("[White \"A\"]\n\n1. e4\n\n1... e5 *\n\n1. d4 *\n[White \"B\"]\n\n1. c4 *\n");
        let plies: Vec<_> = found.iter().map(|game| game.main_line().unwrap().games.len() - 1).collect();
        assert_eq!(plies, [2, 1, 1]);
        assert_eq!(found.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn dialects_are_understood() {
        let plies = |text| {
            let line = games(text)[0].main_line().unwrap();
            (line.games.len() - 1, line.fault)
        };
        assert_eq!(
            plies("1.♘f3 d7-d5 2 Ng1-h3?! 0000 3. e2e4 dxe4 e.p. +- *").0,
            2,
            "the knight has left g1"
        );
        assert_eq!(plies("1.♘f3 d7-d5 2 Nb1-c3?! 0000 3. e2e4 dxe4 e.p. +- *"), (6, None));
        assert_eq!(plies("g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1 e8g8 1/2-1/2"), (8, None));
        assert_eq!(plies("[FEN \"8/P6k/8/8/8/8/p6K/8 w - - 0 1\"]\n\n1. a8Q a1R 2. Qxa1 *"), (3, None));
        assert_eq!(plies("1. e4 ; to the end )\n% nothing\ne5 ( bad ( worse ) ) 2. d4 ) exd4"), (4, None));
    }

    #[test]
    fn tags_without_moves_are_a_game() {
        let found = games(
            "[White \"The \\\"King\\\"\"]\n\n[White \"The \"King\"\"]\n1. e4 {open\n[Event \"C\"]\n\n*",
        );
        let names: Vec<_> = found.iter().map(|game| game.tags[0].1.as_str()).collect();
        assert_eq!(names, ["The \"King\"", "The \"King\"", "C"]);
        assert_eq!(found[1].damage.as_deref(), Some("a comment has no end"));
    }

    #[test]
    fn a_game_ends_where_it_cannot_be_followed() {
        let items = games("1. e4 e5 2. Ke3 Nc6 *")[0].items();
        assert_eq!(items.len(), 4);
        assert_eq!(items[3].as_ref().unwrap_err().error.kind(), "pgn");
        let broken = games("[FEN \"nonsense\"]\n\n1. e4 *")[0].items();
        assert!(broken.len() == 1 && broken[0].is_err());
        assert!(games("[Variant \"Atomic\"]\n\n1. e4 *")[0].items()[0].is_err());
    }

    #[test]
    fn nobody_moves_in_a_null_move() {
        let line = games("1. e4 -- 2. d4 *")[0].main_line().unwrap();
        assert_eq!(
            line.last().position().to_string(),
            "rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2"
        );
    }
}

//! A game as a tree: the moves, what is written about them, and the lines beside them.

use super::{Text, Token, follow};
use crate::board::san;
use crate::game::Game;
use crate::types::{Color, Move};
use std::fmt;

/// Variations within variations that are read; what lies deeper is kept as a comment.
const DEEPEST: usize = 32;
/// Columns of a line of text, if no comment is longer.
const COLUMNS: usize = 80;
/// Ends of games, as they are written.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// A line of play.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<Ply>,
}

/// A move with all that is written about it.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The game before the move.
    pub game: Game,
    /// The move; none if the side passes.
    pub m: Option<Move>,
    /// Marks, such as 2 for `?`.
    pub nags: Vec<u8>,
    /// Comments behind the move.
    pub comments: Vec<String>,
    /// What could have been played instead.
    pub variations: Vec<Line>,
}

/// A game.
///
/// ```
/// use clavier::analysis::pgn::{Games, Tree};
/// let text = Games::new(Box::new(&b"1.e4 e5?! {open} (c5 2.Nf3) 2 Ng1-f3 *"[..])).read().unwrap().unwrap();
/// let tree = Tree::read(&text).unwrap();
/// assert_eq!(tree.line.moves[1].variations[0].moves.len(), 2);
/// assert_eq!(tree.to_string(), "1. e4 e5 $6 {open} (1... c5 2. Nf3) 2. Nf3 *\n\n");
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    /// Number in its file, from 1.
    pub number: u64,
    /// Names and values of the tags.
    pub tags: Vec<(String, String)>,
    /// The main line.
    pub line: Line,
    /// The game after the last move that can be followed.
    pub end: Game,
    /// How it ended, as written.
    pub result: String,
    /// What stops the main line before its end.
    pub fault: Option<String>,
}

impl Line {
    /// The line of these moves, played from a game on.
    pub fn of(game: &Game, moves: &[Move]) -> Line {
        let mut game = game.clone();
        let mut line = Line::default();
        for &m in moves {
            line.moves.push(Ply::new(game.clone(), Some(m)));
            game.play(m);
        }
        line
    }
}

impl Ply {
    fn new(game: Game, m: Option<Move>) -> Ply {
        Ply { game, m, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }

    /// The move in SAN.
    pub fn san(&self) -> String {
        self.m.map_or_else(|| "--".to_owned(), |m| san::format(self.game.position(), m))
    }

    /// Whose move it is.
    pub fn side(&self) -> Color {
        self.game.position().side_to_move()
    }

    /// The number of the move with dots, `12.` or `12...`.
    pub fn number(&self) -> String {
        let dots = if self.side() == Color::White { "." } else { "..." };
        format!("{}{dots}", self.game.position().fullmove())
    }
}

impl Tree {
    /// The tree of a text, with every variation as far as it can be followed; the rest stays as a comment.
    ///
    /// # Errors
    /// If the position at the start is none, in words.
    pub fn read(text: &Text) -> Result<Tree, String> {
        let mut branches = vec![Branch::new(Game::new(text.start()?))];
        let mut result = None;
        for token in &text.tokens {
            let depth = branches.len();
            let Some(branch) = branches.last_mut() else { break };
            match token {
                Token::Result(text) if depth == 1 => result = Some(text.clone()),
                Token::Close if !branch.is_skipping_inside() => {
                    if depth > 1 {
                        close(&mut branches);
                    }
                }
                _ if branch.is_skipping() => branch.skip(token),
                Token::Open if depth > DEEPEST => branch.skip(token),
                Token::Open => {
                    let start = branch.line.moves.last().map_or(&branch.game, |ply| &ply.game).clone();
                    branches.push(Branch::new(start));
                }
                other => branch.take(other),
            }
        }
        while branches.len() > 1 {
            close(&mut branches);
        }
        let (line, end, fault) = branches.swap_remove(0).finish();
        let is_result = |text: &&str| RESULTS.contains(text);
        let result = result.as_deref().or(text.tag("Result")).filter(is_result).unwrap_or("*").to_owned();
        let fault = text.damage.clone().or(fault);
        Ok(Tree { number: text.number, tags: text.tags.clone(), line, end, result, fault })
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Gives a tag a value, in its place if it is there, else behind the others.
    pub fn set_tag(&mut self, name: &str, value: String) {
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// The games before each move of the main line, and after the last.
    pub fn games(&self) -> impl Iterator<Item = &Game> {
        self.line.moves.iter().map(|ply| &ply.game).chain([&self.end])
    }
}

/// A line that is being read.
struct Branch {
    line: Line,
    /// The game after the last move.
    game: Game,
    /// Marks and lines that stand before the first move.
    early: (Vec<u8>, Vec<Line>),
    /// Text that cannot be read.
    skipped: String,
    /// Lines within that text that are open.
    skipped_depth: usize,
    fault: Option<String>,
}

impl Branch {
    fn new(game: Game) -> Branch {
        let (line, early) = (Line::default(), (Vec::new(), Vec::new()));
        Branch { line, game, early, skipped: String::new(), skipped_depth: 0, fault: None }
    }

    fn is_skipping_inside(&self) -> bool {
        self.skipped_depth > 0
    }

    fn is_skipping(&self) -> bool {
        self.is_skipping_inside() || self.fault.is_some()
    }

    fn take(&mut self, token: &Token) {
        match (token, self.line.moves.last_mut()) {
            (Token::Move(text), _) => match follow(&self.game, text) {
                Ok((m, game)) => {
                    let before = std::mem::replace(&mut self.game, game);
                    let (nags, variations) = std::mem::take(&mut self.early);
                    self.line.moves.push(Ply { nags, variations, ..Ply::new(before, m) });
                }
                Err(fault) => {
                    self.fault = Some(fault);
                    self.skip(token);
                }
            },
            (Token::Nag(nag), Some(last)) => last.nags.push(*nag),
            (Token::Nag(nag), None) => self.early.0.push(*nag),
            (Token::Comment(text), Some(last)) => last.comments.push(text.clone()),
            (Token::Comment(text), None) => self.line.comments.push(text.clone()),
            (Token::Result(_) | Token::Open | Token::Close, _) => {}
        }
    }

    fn skip(&mut self, token: &Token) {
        match token {
            Token::Open => self.skipped_depth += 1,
            Token::Close => self.skipped_depth -= 1,
            _ => {}
        }
        self.skipped.push(' ');
        self.skipped.push_str(&raw(token));
        if !self.is_skipping() {
            self.keep_skipped();
        }
    }

    /// What could not be read becomes a comment.
    fn keep_skipped(&mut self) {
        let text = std::mem::take(&mut self.skipped).trim().to_owned();
        if !text.is_empty() {
            self.line.moves.last_mut().map_or(&mut self.line.comments, |ply| &mut ply.comments).push(text);
        }
    }

    fn add(&mut self, variation: Line) {
        self.line.moves.last_mut().map_or(&mut self.early.1, |ply| &mut ply.variations).push(variation);
    }

    fn finish(mut self) -> (Line, Game, Option<String>) {
        self.keep_skipped();
        (self.line, self.game, self.fault)
    }
}

/// Ends the innermost line.
fn close(branches: &mut Vec<Branch>) {
    if let (Some(branch), Some(parent)) = (branches.pop(), branches.last_mut()) {
        let (line, ..) = branch.finish();
        parent.add(line);
    }
}

/// A token as it stands in a file.
pub(super) fn raw(token: &Token) -> String {
    match token {
        Token::Move(text) | Token::Result(text) => text.clone(),
        Token::Nag(nag) => format!("${nag}"),
        Token::Comment(text) => comment(text),
        Token::Open => "(".to_owned(),
        Token::Close => ")".to_owned(),
    }
}

/// A comment in braces, of which it can hold none that closes.
fn comment(text: &str) -> String {
    format!("{{{}}}", text.replace('}', ")"))
}

/// A tag as it stands in a file.
pub(super) fn tag((name, value): &(String, String)) -> String {
    let value = value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

/// The tags, the moves, and a blank line behind each, as the export format has it.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for pair in &self.tags {
            f.write_str(&tag(pair))?;
        }
        if !self.tags.is_empty() {
            f.write_str("\n")?;
        }
        let mut words = Vec::new();
        write_line(&self.line, &mut words);
        words.push(self.result.clone());
        f.write_str(&wrap(&words))?;
        f.write_str("\n\n")
    }
}

/// The moves with all that is written about them, on one line.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        write_line(self, &mut words);
        f.write_str(&words.join(" "))
    }
}

/// The words of a line.
fn write_line(line: &Line, words: &mut Vec<String>) {
    words.extend(line.comments.iter().map(|text| comment(text)));
    let mut needs_number = true;
    for ply in &line.moves {
        if needs_number || ply.side() == Color::White {
            words.push(ply.number());
        }
        words.push(ply.san());
        words.extend(ply.nags.iter().map(|nag| format!("${nag}")));
        words.extend(ply.comments.iter().map(|text| comment(text)));
        for variation in &ply.variations {
            let first = words.len();
            write_line(variation, words);
            if let Some(word) = words.get_mut(first) {
                word.insert(0, '(');
                words.last_mut().into_iter().for_each(|word| word.push(')'));
            }
        }
        needs_number = !ply.comments.is_empty() || !ply.variations.is_empty();
    }
}

/// The words in lines.
pub(super) fn wrap(words: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        let width = word.chars().count();
        if column > 0 {
            let is_full = column + 1 + width > COLUMNS;
            text.push(if is_full { '\n' } else { ' ' });
            column = if is_full { 0 } else { column + 1 };
        }
        text.push_str(word);
        column += width;
    }
    text
}

/// A text as it was read, with a comment before the moves.
pub fn write_as_read(text: &Text, remark: &str) -> String {
    let tags: String = text.tags.iter().map(tag).collect();
    let mut words = vec![comment(remark)];
    words.extend(text.tokens.iter().map(raw));
    if !text.tokens.iter().any(|token| matches!(token, Token::Result(_))) {
        words.push("*".to_owned());
    }
    format!("{tags}\n{}\n\n", wrap(&words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::pgn::Games;

    fn tree(text: &str) -> Tree {
        let bytes = Box::new(std::io::Cursor::new(text.as_bytes().to_vec()));
        Tree::read(&Games::new(bytes).read().unwrap().unwrap()).unwrap()
    }

    fn rewritten(text: &str) -> String {
        tree(text).to_string().replace('\n', " ").trim_end().to_owned()
    }

    #[test]
    fn all_that_is_written_stays() {
        let text = "[White \"A \\\"B\\\"\"]\n\n{first} 1. e4 $1 $14 {good} ({or} 1. d4 {this} 1... d5 (1... Nf6) 2. c4) \
                    (1. c4) 1... e5 {[%clk 0:01:00]} {two} 2. Nf3 -- 3. Nc3 1-0";
        assert_eq!(rewritten(text), text.replace('\n', " "));
    }

    #[test]
    fn what_cannot_be_played_stays_as_a_comment() {
        let broken = tree("1. e4 (1. Ke5 e5 (1... d5) 2. d4) e5 2. Ke3 $4 Nc6 {why} 0-1");
        assert!(broken.fault.is_some());
        assert_eq!(
            broken.to_string().replace('\n', " ").trim(),
            "1. e4 ({Ke5 e5 ( d5 ) d4}) 1... e5 {Ke3 $4 Nc6 {why)} 0-1"
        );
        assert!(tree("1. e4 (1. Ke5) e5 *").fault.is_none(), "the main line is whole");
    }

    #[test]
    fn no_depth_of_variations_is_too_deep() {
        let text = format!("1. e4 {} 1-0", "(1. d4 ".repeat(100_000));
        assert_eq!(tree(&rewritten(&text)).line.moves.len(), 1);
    }

    #[test]
    fn a_game_may_begin_with_black_or_with_a_variation() {
        let text = "[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 9\"]\n\n9... Kd7 10. O-O *";
        assert_eq!(rewritten(text), text.replace('\n', " "));
        assert_eq!(rewritten("$5 (1. d4) 1. e4 *"), "1. e4 $5 (1. d4) *");
    }
}

//! Annotated games as one page that needs nothing else: a board, the moves, a graph, both players' accuracy.

use super::super::pgn::{Line, Tree};
use super::super::{Analysis, ENGINE, Value};
use super::review::Remark;
use super::{Mark, Review, Standing, Summary};
use crate::board::{Position, notation};
use crate::types::Color;
use serde::Serialize;

/// The page, with a place for the games.
const TEMPLATE: &str = include_str!("page.html");
/// That place.
const PLACE: &str = "@DATA@";
/// Marks that are shown behind a move, by their numbers from 1.
const GLYPHS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// A page in the making.
#[derive(Serialize)]
pub struct Page {
    made: String,
    games: Vec<GameData>,
}

#[derive(Serialize)]
struct GameData {
    names: [String; 2],
    result: String,
    about: String,
    players: [Option<PlayerData>; 2],
    /// The position at the start, and the moves.
    moves: Vec<MoveData>,
}

#[derive(Serialize)]
struct PlayerData {
    accuracy: f64,
    average_loss: f64,
    marks: [u32; 3],
}

#[derive(Serialize)]
struct MoveData {
    number: String,
    san: String,
    /// The men after the move.
    fen: String,
    squares: Option<[String; 2]>,
    /// White's, in pawns or moves to mate.
    value: Option<String>,
    depth: Option<u32>,
    /// White's chances in -1..1.
    chance: Option<f64>,
    mark: Option<u8>,
    /// Marks that stood there.
    glyphs: String,
    better: Option<BetterData>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct BetterData {
    squares: [String; 2],
    line: String,
}

impl Page {
    /// A page without games, analyzed to some limit.
    pub fn new(limit: &str) -> Page {
        Page { made: format!("{ENGINE}, {limit}"), games: Vec::new() }
    }

    /// Adds a game, as it is before the review is written into it.
    pub fn add(&mut self, tree: &Tree, review: &Review) {
        let name = |name: &str| match tree.tag(name) {
            None | Some("" | "?") => name.to_owned(),
            Some(value) => value.to_owned(),
        };
        let about = ["Event", "Site", "Date", "Round"].map(|name| tree.tag(name)).into_iter().flatten();
        let known = about.filter(|value| !value.is_empty() && !value.starts_with('?'));
        let mut moves = vec![MoveData::start(tree, review)];
        moves.extend((0..tree.line.moves.len()).map(|index| MoveData::new(tree, review, index)));
        self.games.push(GameData {
            names: ["White", "Black"].map(name),
            result: tree.result.clone(),
            about: known.map(|value| value.trim_end_matches(".??")).collect::<Vec<_>>().join(", "),
            players: review.players.map(|summary| summary.map(PlayerData::new)),
            moves,
        });
    }

    /// The page.
    ///
    /// # Panics
    /// Never: it is plain data.
    pub fn finish(&self) -> String {
        let data = serde_json::to_string(self).expect("a page is plain data");
        // A name like </script> must not end the script that holds it.
        TEMPLATE.replacen(PLACE, &data.replace('<', "\\u003c"), 1)
    }
}

impl PlayerData {
    fn new(summary: Summary) -> PlayerData {
        let Summary { accuracy, average_loss, marks, .. } = summary;
        PlayerData { accuracy, average_loss, marks }
    }
}

impl MoveData {
    fn start(tree: &Tree, review: &Review) -> MoveData {
        let first = tree.games().next().map_or_else(Position::start, |game| *game.position());
        MoveData {
            notes: tree.line.comments.iter().filter_map(|comment| without_commands(comment)).collect(),
            ..MoveData::at(&first, review.analyses.first().and_then(Option::as_ref))
        }
    }

    fn new(tree: &Tree, review: &Review, index: usize) -> MoveData {
        let ply = &tree.line.moves[index];
        let before = ply.game.position();
        let after = tree.line.moves.get(index + 1).map_or(&tree.end, |next| &next.game).position();
        let remark = review.remarks[index].as_ref();
        let glyphs = ply.nags.iter().filter_map(|&nag| GLYPHS.get(usize::from(nag).checked_sub(1)?).copied());
        let comments = ply.comments.iter().filter_map(|comment| without_commands(comment));
        MoveData {
            number: ply.number(),
            san: ply.san(),
            squares: ply.m.map(|m| squares(&notation::format_uci(before, m, false))),
            mark: remark.and_then(|remark| remark.mark).map(Mark::nag),
            glyphs: glyphs.collect(),
            better: remark.and_then(|remark| BetterData::new(tree, index, remark)),
            notes: comments.chain(ply.variations.iter().map(Line::to_string)).collect(),
            ..MoveData::at(after, review.analyses[index + 1].as_ref())
        }
    }

    /// What is known of a position without its move.
    fn at(position: &Position, analysis: Option<&Analysis>) -> MoveData {
        let is_black = position.side_to_move() == Color::Black;
        let standing = analysis.map(Standing::of);
        let first = analysis.and_then(|analysis| analysis.report.lines.first());
        let turned = |value: Value| if is_black { -value } else { value };
        MoveData {
            number: String::new(),
            san: String::new(),
            fen: position.to_string().split(' ').next().unwrap_or_default().to_owned(),
            squares: None,
            value: standing.and_then(|standing| standing.value).map(|value| turned(value).to_string()),
            depth: first.filter(|line| line.score.moves_to_mate().is_none()).map(|line| line.depth),
            chance: standing.map(|standing| {
                let chance = if is_black { -standing.chance } else { standing.chance };
                (chance * 1000.0).round() / 1000.0
            }),
            mark: None,
            glyphs: String::new(),
            better: None,
            notes: Vec::new(),
        }
    }
}

impl BetterData {
    fn new(tree: &Tree, index: usize, remark: &Remark) -> Option<BetterData> {
        let game = &tree.line.moves[index].game;
        let first = *remark.better.first()?;
        Some(BetterData {
            squares: squares(&notation::format_uci(game.position(), first, false)),
            line: Line::of(game, &remark.better).to_string(),
        })
    }
}

/// The two squares of a move in UCI text.
fn squares(uci: &str) -> [String; 2] {
    [uci[..2].to_owned(), uci[2..4].to_owned()]
}

/// A comment without its commands, such as `[%clk 0:01:00]`; none if nothing is left.
fn without_commands(comment: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = comment;
    while let Some((before, command)) = rest.split_once("[%") {
        text.push_str(before);
        rest = command.split_once(']').map_or("", |(_, rest)| rest);
    }
    text.push_str(rest);
    let text = text.trim().to_owned();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::annotate::Manner;
    use crate::analysis::pgn::Games;

    #[test]
    fn a_name_cannot_break_out_of_its_script() {
        let text =
            &b"[White \"</script><script>alert(1)</script>\"]\n[Black \"<!--\"]\n\n1. e4 {[%clk 1:00] <b>} *"
                [..];
        let text = Games::new(Box::new(text)).read().unwrap().unwrap();
        let tree = Tree::read(&text).unwrap();
        let mut page = Page::new("1 node");
        page.add(&tree, &Review::new(&tree, Vec::new(), &Manner::default()));
        let html = page.finish();
        assert_eq!(html.matches("</script>").count(), TEMPLATE.matches("</script>").count());
        assert!(html.contains("\\u003c/script>\\u003cscript>alert(1)") && !html.contains("<!--"));
        assert!(html.contains("\"notes\":[\"\\u003cb>\"]"), "commands are not shown");
    }

    #[test]
    fn the_page_asks_the_network_for_nothing() {
        let links: Vec<_> = TEMPLATE.match_indices("http").map(|(at, _)| &TEMPLATE[at..at + 20]).collect();
        assert!(
            links
                .iter()
                .all(|link| link.starts_with("http-equiv") || link.starts_with("http://www.w3.org/20"))
        );
        assert_eq!(TEMPLATE.matches(PLACE).count(), 1);
    }
}

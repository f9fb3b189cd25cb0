//! Extended Position Description: a position and opcodes with operands.
//! <https://www.chessprogramming.org/Extended_Position_Description>

use super::format::{Style, Told};
use super::item::plain;
use super::value::Value;
use crate::board::{Position, san};
use crate::search::Line;
use std::fmt;

/// An opcode with its operands, as read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opcode {
    /// The opcode.
    pub name: String,
    /// The operands, quotes included.
    pub operands: String,
}

impl Opcode {
    /// An opcode with operands.
    pub fn new(name: &str, operands: impl Into<String>) -> Opcode {
        Opcode { name: name.to_owned(), operands: operands.into() }
    }

    /// The operands as a text without quotes.
    pub fn text(&self) -> &str {
        let inside = self.operands.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        inside.unwrap_or_else(|| self.operands.trim_matches('"'))
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.operands.as_str() {
            "" => write!(f, "{};", self.name),
            operands => write!(f, "{} {operands};", self.name),
        }
    }
}

/// Opcodes that are known even without a semicolon behind them.
const KNOWN: &[&str] = &["am", "bm", "ce", "dm", "eco", "fmvn", "hmvc", "id", "pm", "pv", "sm"];

/// Splits a line into the text of the position and the opcodes behind it.
///
/// ```
/// use clavier::analysis::epd::split;
/// let (fen, opcodes) = split("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"a; b\";");
/// assert_eq!(fen, "4k3/8/8/8/8/8/8/4K2R w K -");
/// assert_eq!((opcodes[0].name.as_str(), opcodes[1].text()), ("bm", "a; b"));
/// // The counters of a FEN are no opcodes.
/// assert_eq!(split("4k3/8/8/8/8/8/8/4K2R w K - 3 9").1, []);
/// ```
pub fn split(line: &str) -> (&str, Vec<Opcode>) {
    const FIELDS: usize = 4;
    let mut words = line.split_ascii_whitespace();
    let end_of = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize + word.len();
    let Some(mut end) = words.by_ref().take(FIELDS).last().map(end_of) else { return (line, Vec::new()) };
    for word in words.take(2) {
        if word.parse::<i64>().is_err() {
            break;
        }
        end = end_of(word);
    }
    let rest = line[end..].trim();
    let first = rest.split([' ', ';']).next().unwrap_or_default();
    if rest.contains(';') || KNOWN.contains(&first) {
        (&line[..end], opcodes(rest))
    } else {
        (line, Vec::new())
    }
}

/// The opcodes of a text. A semicolon within quotes ends none. A backslash there takes the next letter's meaning.
fn opcodes(text: &str) -> Vec<Opcode> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    text.split(|letter: char| {
        is_quoted ^= letter == '"' && !is_escaped;
        is_escaped = is_quoted && letter == '\\' && !is_escaped;
        letter == ';' && !is_quoted
    })
    .map(str::trim)
    .filter(|operation| !operation.is_empty())
    .map(|operation| {
        let (name, operands) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        Opcode::new(name, operands.trim())
    })
    .collect()
}

/// The first four fields of a FEN.
pub fn fields(position: &Position) -> String {
    position.to_string().split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// The line of an analyzed position. Opcodes that were read stay; those that tell of a search are replaced.
pub(super) fn write(told: &Told<'_>, _: Style) -> String {
    let position = told.item.game.position();
    let mut opcodes = told.item.opcodes.clone();
    let mut offer = |name: &str, operands: String| {
        if !opcodes.iter().any(|opcode| opcode.name == name) {
            opcodes.push(Opcode::new(name, operands));
        }
    };
    if !told.item.id.is_number() {
        offer("id", format!("\"{}\"", plain(&told.item.id).replace(['"', '\n', '\r'], "'")));
    }
    if (position.halfmoves(), position.fullmove()) != (0, 1) {
        offer("hmvc", position.halfmoves().to_string());
        offer("fmvn", position.fullmove().to_string());
    }
    let report = &told.analysis.report;
    if let Some(line) = report.lines.first() {
        if let Some(best) = report.best {
            offer("bm", san::format(position, best));
        }
        if let Value::Mate(moves) = Value::of(line.score) {
            offer("dm", moves.to_string());
        }
        for (name, operands) in search_opcodes(position, line, told.analysis.nodes_and_seconds()) {
            opcodes.retain(|opcode| opcode.name != name);
            opcodes.push(Opcode::new(name, operands));
        }
    }
    let mut text = fields(position);
    for opcode in opcodes {
        text = format!("{text} {opcode}");
    }
    text
}

/// Depth, nodes, seconds, value and line of a search.
fn search_opcodes(
    position: &Position,
    line: &Line,
    (nodes, seconds): (u64, u64),
) -> [(&'static str, String); 5] {
    // A mate has no value in centipawns; by custom it is told as one beyond all others.
    let centipawns = match Value::of(line.score) {
        Value::Centipawns(centipawns) => centipawns,
        Value::Mate(moves) if moves > 0 => 32_767 - moves,
        Value::Mate(moves) => -32_767 - moves,
    };
    [
        ("acd", line.depth.to_string()),
        ("acn", nodes.to_string()),
        ("acs", seconds.to_string()),
        ("ce", centipawns.to_string()),
        ("pv", super::format::san_line(position, &line.pv).join(" ")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_of_all_habits_are_split() {
        let (fen, codes) = split("4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66");
        assert_eq!((fen, codes.len()), ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 2));
        assert_eq!(codes[1], Opcode::new("D2", "66"));
        // No semicolon at the end.
        assert_eq!(split("4k3/8/8/8/8/8/8/4K2R w K - bm O-O").1, [Opcode::new("bm", "O-O")]);
        // A wrong counter is left to be told.
        assert_eq!(split("4k3/8/8/8/8/8/8/4K2R w K - x 1").0, "4k3/8/8/8/8/8/8/4K2R w K - x 1");
        assert_eq!(split(""), ("", Vec::new()));
        // A quote within quotes, as python-chess writes it.
        let (_, codes) = split(r#"4k3/8/8/8/8/8/8/4K2R w K - id "a; \"b\""; ce 3;"#);
        assert_eq!((codes.len(), codes[0].text()), (2, r#"a; \"b\""#));
    }
}

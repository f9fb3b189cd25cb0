//! The `go` command: every sub-command, in any order.

use super::command::{Words, quote};
use crate::board::{Position, notation};
use crate::search::{Clock, Limits};
use crate::types::{Color, Move};
use std::time::Duration;

/// What a `go` line asks for. Numbers too long for their type are cut to its range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoCommand {
    /// `wtime` and `btime`, in milliseconds; may be negative.
    pub time_ms: [Option<i64>; 2],
    /// `winc` and `binc`, in milliseconds.
    pub increment_ms: [Option<i64>; 2],
    /// `movestogo`.
    pub moves_to_go: Option<i64>,
    /// `depth`, in plies.
    pub depth: Option<i64>,
    /// `nodes`.
    pub nodes: Option<i64>,
    /// `mate`, in moves.
    pub mate: Option<i64>,
    /// `movetime`, in milliseconds.
    pub move_time_ms: Option<i64>,
    /// `infinite`.
    pub infinite: bool,
    /// `ponder`.
    pub ponder: bool,
    /// `searchmoves`, not yet checked.
    pub search_moves: Vec<String>,
    /// `perft`, in plies.
    pub perft: Option<i64>,
    /// What was not understood.
    pub notes: Vec<String>,
}

/// The sub-commands, which end a list of `searchmoves`.
const SUB_COMMANDS: [&str; 13] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

impl GoCommand {
    /// Reads the words after `go`. What is not understood becomes a note.
    pub fn parse(mut words: Words<'_>) -> GoCommand {
        let mut go = GoCommand::default();
        while let Some(word) = words.next() {
            let sub_command = word.to_ascii_lowercase();
            match sub_command.as_str() {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => go.read_search_moves(&mut words),
                _ => match go.number_slot(&sub_command) {
                    Some(slot) => match next_number(&mut words) {
                        Some(number) => *slot = Some(number),
                        None => go.notes.push(format!("go {sub_command} needs a number")),
                    },
                    None => go.notes.push(format!("go: {:?} skipped", quote(word))),
                },
            }
        }
        go
    }

    /// Where the number after a sub-command goes.
    fn number_slot(&mut self, sub_command: &str) -> Option<&mut Option<i64>> {
        Some(match sub_command {
            "wtime" => &mut self.time_ms[Color::White.index()],
            "btime" => &mut self.time_ms[Color::Black.index()],
            "winc" => &mut self.increment_ms[Color::White.index()],
            "binc" => &mut self.increment_ms[Color::Black.index()],
            "movestogo" => &mut self.moves_to_go,
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "mate" => &mut self.mate,
            "movetime" => &mut self.move_time_ms,
            "perft" => &mut self.perft,
            _ => return None,
        })
    }

    fn read_search_moves(&mut self, words: &mut Words<'_>) {
        loop {
            let before = words.clone();
            match words.next() {
                Some(word) if !is_sub_command(word) => self.search_moves.push(word.to_owned()),
                _ => {
                    *words = before;
                    return;
                }
            }
        }
    }

    /// The limits of the search in a position, and notes about moves that are not legal there.
    pub fn limits(&self, position: &Position) -> (Limits, Vec<String>) {
        let mut notes = Vec::new();
        let search_moves = self.legal_search_moves(position, &mut notes);
        let limits = Limits {
            depth: self.depth.map(|depth| depth.clamp(1, i64::from(u32::MAX)) as u32),
            nodes: self.nodes.map(|nodes| nodes.max(1) as u64),
            soft_nodes: None,
            mate: self.mate.map(|moves| moves.unsigned_abs().clamp(1, u64::from(u32::MAX)) as u32),
            move_time: self.move_time_ms.map(duration),
            clock: self.clock(position.side_to_move()),
            infinite: self.infinite,
            ponder: self.ponder,
            search_moves,
        };
        (limits, notes)
    }

    /// The clock of the side to move. If only the other side's is told, both are taken to be alike.
    fn clock(&self, us: Color) -> Option<Clock> {
        let time = self.time_ms[us.index()].or(self.time_ms[(!us).index()]);
        let increment = self.increment_ms[us.index()].or(self.increment_ms[(!us).index()]);
        if time.is_none() && increment.is_none() {
            return None;
        }
        Some(Clock {
            remaining: duration(time.unwrap_or(0)),
            increment: duration(increment.unwrap_or(0)),
            moves_to_go: self
                .moves_to_go
                .filter(|&moves| moves > 0)
                .map(|moves| moves.min(i64::from(u32::MAX)) as u32),
        })
    }

    fn legal_search_moves(&self, position: &Position, notes: &mut Vec<String>) -> Vec<Move> {
        let mut legal = Vec::new();
        for text in &self.search_moves {
            match notation::parse_uci(position, text) {
                Ok(m) => legal.push(m),
                Err(_) => notes.push(format!("searchmoves: {} is not legal here, dropped", quote(text))),
            }
        }
        if legal.is_empty() && !self.search_moves.is_empty() {
            notes.push("searchmoves: no legal move is left, all moves are searched".to_owned());
        }
        legal
    }
}

/// Takes the next word if it is a number.
fn next_number(words: &mut Words<'_>) -> Option<i64> {
    let before = words.clone();
    let number = words.next().and_then(parse_number);
    if number.is_none() {
        *words = before;
    }
    number
}

/// A whole number; digits after a point are ignored, and a number too long is cut to the range.
fn parse_number(word: &str) -> Option<i64> {
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    let digits = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if digits.is_empty() || !is_number(digits) || !is_number(fraction) {
        return None;
    }
    // Only a number that is too long fails to parse now.
    Some(whole.parse().unwrap_or(if whole.starts_with('-') { i64::MIN } else { i64::MAX }))
}

/// Time from milliseconds; less than nothing is nothing.
fn duration(milliseconds: i64) -> Duration {
    Duration::from_millis(milliseconds.max(0) as u64)
}

fn is_sub_command(word: &str) -> bool {
    SUB_COMMANDS.into_iter().any(|sub_command| sub_command.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> GoCommand {
        GoCommand::parse(Words::new(line))
    }

    fn limits(line: &str) -> Limits {
        go(line).limits(&Position::start()).0
    }

    #[test]
    fn sub_commands_come_in_any_order() {
        let text = "searchmoves a2a3 h2h3 depth 4 winc 5 PONDER movestogo 7 wtime 100 nodes 9 btime 1";
        let limits = limits(text);
        assert_eq!(limits.search_moves.len(), 2);
        assert_eq!((limits.depth, limits.nodes, limits.ponder), (Some(4), Some(9), true));
        let clock = limits.clock.unwrap();
        assert_eq!((clock.remaining.as_millis(), clock.increment.as_millis()), (100, 5));
        assert_eq!(clock.moves_to_go, Some(7));
    }

    #[test]
    fn numbers_beyond_their_type_are_cut() {
        assert_eq!(limits("depth 99999999999999999999").depth, Some(u32::MAX));
        assert_eq!(limits("nodes 18446744073709551615").nodes, Some(i64::MAX as u64));
        assert_eq!(limits("wtime -99999999999999999999").clock.unwrap().remaining, Duration::ZERO);
        assert_eq!(limits("depth 0").depth, Some(1));
        assert_eq!(limits("wtime 1500.75").clock.unwrap().remaining.as_millis(), 1500);
    }

    #[test]
    fn missing_and_negative_times_mean_move_at_once() {
        assert_eq!(limits("movetime -1").move_time, Some(Duration::ZERO));
        assert_eq!(limits("winc 50").clock.unwrap().remaining, Duration::ZERO);
        // White to move, but only Black's clock is told.
        assert_eq!(limits("btime 70").clock.unwrap().remaining.as_millis(), 70);
        assert_eq!(limits("wtime 5 movestogo 0").clock.unwrap().moves_to_go, None);
        assert_eq!(limits("movestogo 5").clock, None);
    }

    #[test]
    fn what_is_not_understood_is_noted_and_skipped() {
        let command = go("foo depth 3 bar");
        assert_eq!((command.depth, command.notes.len()), (Some(3), 2));
        let command = go("depth infinite");
        assert!(command.infinite && command.depth.is_none());
        assert_eq!(command.notes, ["go depth needs a number"]);
        assert_eq!(go("").notes, Vec::<String>::new());
    }

    #[test]
    fn illegal_search_moves_are_dropped() {
        let (limits, notes) = go("searchmoves e2e5 e2e4 depth 2").limits(&Position::start());
        assert_eq!((limits.search_moves.len(), notes.len()), (1, 1));
        let (limits, notes) = go("searchmoves e2e5 ponder").limits(&Position::start());
        assert_eq!((limits.search_moves.len(), notes.len(), limits.ponder), (0, 2, true));
    }
}

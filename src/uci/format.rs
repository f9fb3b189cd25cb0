//! What a search tells, as lines of UCI.

use super::Input;
use super::console::Console;
use super::player::Style;
use crate::board::{Position, notation};
use crate::eval;
use crate::search::{Event, Line, Report, Reporter};
use crate::types::{Bound, Move, Score};
use std::fmt::Write;
use std::sync::mpsc::Sender;
use std::time::Duration;
use vampirc_uci::{UciMessage, UciMove, UciPiece, UciSquare};

/// Time after which the root moves are told one by one.
const TELL_ROOT_MOVES_AFTER: Duration = Duration::from_secs(3);

/// Tells a search to a GUI.
pub struct UciReporter {
    /// Where the lines go.
    pub console: Console,
    /// The position that is searched.
    pub root: Position,
    /// How moves and values are written.
    pub style: Style,
    /// Who has to know that the search has ended, before the GUI does.
    pub ended: Sender<Input>,
}

impl Reporter for UciReporter {
    fn report(&mut self, event: Event<'_>) {
        match event {
            Event::Line(line) => self.console.say(info(&self.root, line, self.style)),
            Event::Root { current, number, depth, time } => {
                if time >= TELL_ROOT_MOVES_AFTER {
                    let current = notation::format_uci(&self.root, current, self.style.chess960);
                    self.console
                        .say(format_args!("info depth {depth} currmove {current} currmovenumber {number}"));
                }
            }
            Event::NoMove(value) => {
                self.console.say(format_args!(
                    "info depth 0 score {}{}",
                    score(value),
                    self.style.chances(value, &self.root)
                ));
            }
            Event::Note(text) => self.console.note(text),
            Event::Finished(report) => {
                // First the loop: what a GUI sends after the move finds the search ended. The loop is gone only if
                // the process is about to end.
                let _ = self.ended.send(Input::Ended);
                self.console.say(best_move(&self.root, report, self.style.chess960));
            }
        }
    }
}

/// The `info` line of a line of play.
pub fn info(root: &Position, line: &Line, style: Style) -> String {
    let Line { multipv, depth, seldepth, nodes, hashfull, tbhits, .. } = line;
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let (score, chances) = (score(line.score), style.chances(line.score, root));
    let time_ms = line.time.as_millis();
    let nps = nodes_per_second(line.nodes, line.time);
    let mut text = format!(
        "info depth {depth} seldepth {seldepth} multipv {multipv} score {score}{bound}{chances} nodes {nodes} \
         nps {nps} hashfull {hashfull} tbhits {tbhits} time {time_ms}"
    );
    if !line.pv.is_empty() {
        text.push_str(" pv");
        let mut position = *root;
        for &m in &line.pv {
            // Writing into a string cannot fail.
            let _ = write!(text, " {}", notation::format_uci(&position, m, style.chess960));
            position = position.make(m);
        }
    }
    text
}

impl Style {
    /// Chances of win, draw and loss for the side to move, if they are told.
    fn chances(self, score: Score, root: &Position) -> String {
        if !self.shows_wdl {
            return String::new();
        }
        let [win, draw, loss] = eval::wdl(score, root);
        format!(" wdl {win} {draw} {loss}")
    }
}

/// `cp` or `mate` with the value for the side to move.
fn score(score: Score) -> String {
    match score.moves_to_mate() {
        Some(moves) => format!("mate {moves}"),
        None if score.is_decided() => format!("cp {}", score.0),
        None => format!("cp {}", eval::to_centipawns(score)),
    }
}

/// Nodes per second; a time too short to be measured counts as a microsecond.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000 / time.as_micros().max(1)) as u64
}

/// The `bestmove` line.
pub fn best_move(root: &Position, report: &Report, chess960: bool) -> String {
    let Some(best) = report.best else { return "bestmove (none)".to_owned() };
    let ponder = report.ponder.map(|reply| to_uci_move(&root.make(best), reply, chess960));
    UciMessage::BestMove { best_move: to_uci_move(root, best, chess960), ponder }.to_string()
}

/// The move in the types of the crate that writes the message.
fn to_uci_move(position: &Position, m: Move, chess960: bool) -> UciMove {
    let text = notation::format_uci(position, m, chess960);
    let square = |name: &[u8]| UciSquare::from(name[0] as char, name[1] - b'0');
    let promotion = text.get(4..).and_then(|letter| letter.parse::<UciPiece>().ok());
    UciMove { from: square(&text.as_bytes()[..2]), to: square(&text.as_bytes()[2..4]), promotion }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    #[test]
    fn an_info_line_has_all_its_fields_in_order() {
        let line = Line {
            multipv: 2,
            depth: 7,
            seldepth: 11,
            score: Score::mate_in(3),
            bound: Bound::Lower,
            nodes: 5000,
            time: Duration::from_millis(20),
            hashfull: 3,
            tbhits: 0,
            pv: vec![Move::new(Square::E2, Square::E4, MoveKind::DoubleStep)],
        };
        assert_eq!(
            info(&Position::start(), &line, Style::default()),
            "info depth 7 seldepth 11 multipv 2 score mate 2 lowerbound nodes 5000 nps 250000 hashfull 3 tbhits 0 \
             time 20 pv e2e4"
        );
        let style = Style { shows_wdl: true, ..Style::default() };
        assert!(info(&Position::start(), &line, style).contains(" mate 2 lowerbound wdl 1000 0 0 nodes "));
        let mated = Line { score: Score::mated_in(0), ..line.clone() };
        assert!(info(&Position::start(), &mated, style).contains(" wdl 0 0 1000 "));
        let even = Line { score: Score::DRAW, ..line };
        let text = info(&Position::start(), &even, style);
        let chances: Vec<u32> = text
            .split(' ')
            .skip_while(|word| *word != "wdl")
            .skip(1)
            .take(3)
            .map(|word| word.parse().unwrap())
            .collect();
        assert_eq!(chances.iter().sum::<u32>(), 1000, "{text}");
    }

    #[test]
    fn best_moves_are_written_as_the_position_asks() {
        let root: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
        let castling = Move::new(Square::E1, Square::H1, MoveKind::Castling);
        let report = Report { best: Some(castling), ..Report::default() };
        assert_eq!(best_move(&root, &report, false), "bestmove e1g1");
        assert_eq!(best_move(&root, &report, true), "bestmove e1h1");
        assert_eq!(best_move(&root, &Report::default(), false), "bestmove (none)");
        let root: Position = "8/4P3/8/6k1/8/8/8/4K3 w - - 0 1".parse().unwrap();
        let knight = notation::parse_uci(&root, "e7e8n").unwrap();
        let reply = notation::parse_uci(&root.make(knight), "g5g4").unwrap();
        let report = Report { best: Some(knight), ponder: Some(reply), ..Report::default() };
        assert_eq!(best_move(&root, &report, false), "bestmove e7e8n ponder g5g4");
    }
}

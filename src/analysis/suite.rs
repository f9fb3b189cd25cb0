//! Suites of test positions: what is to be found in each, and whether a search finds it.
//! Best moves, moves to avoid, mates, and the points of the Strategic Test Suite
//! (<https://www.chessprogramming.org/Strategic_Test_Suite>).

use super::epd::Opcode;
use super::plan::read_move;
use super::{Analyst, Interrupt, Item, ItemError, Refusal, Value};
use crate::board::Position;
use crate::search::{Event, Reporter};
use crate::types::{Move, Score};
use std::time::Duration;

/// What is to be found in a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Goal {
    /// One of these moves; empty = any.
    best: Vec<Move>,
    /// None of these.
    avoid: Vec<Move>,
    /// A mate in so many moves or fewer; negative = being mated.
    mate: Option<i32>,
    /// What moves are worth.
    points: Vec<(Move, u32)>,
}

/// How a test ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The position.
    pub item: Item,
    /// The move that was found.
    pub best: Option<Move>,
    /// Is it what was wanted?
    pub is_solved: bool,
    /// Points, and the most that could be had, where moves are worth some.
    pub points: Option<(u32, u32)>,
    /// Nodes and time from which on the solution stood.
    pub found_after: Option<(u64, Duration)>,
    /// Nodes of the search.
    pub nodes: u64,
    /// Its time.
    pub time: Duration,
}

impl Goal {
    /// What the opcodes of a position ask for.
    ///
    /// # Errors
    /// If they ask for nothing, or for what cannot be.
    pub fn read(position: &Position, opcodes: &[Opcode]) -> Result<Goal, ItemError> {
        let mut goal = Goal::default();
        let with = |name: &str| opcodes.iter().find(|opcode| opcode.name == name);
        if let Some(opcode) = with("bm") {
            goal.best = moves(position, opcode)?;
        }
        if let Some(opcode) = with("am") {
            goal.avoid = moves(position, opcode)?;
        }
        if let Some(opcode) = with("dm") {
            let number = opcode.text().trim_start_matches('+').parse().ok().filter(|&moves| moves != 0);
            goal.mate = Some(number.ok_or_else(|| wrong(opcode, "this is no number of moves"))?);
        }
        goal.points = match (with("c0"), with("c8"), with("c9")) {
            (_, Some(values), Some(names)) => paired_points(position, values, names)?,
            (Some(opcode), ..) => listed_points(position, opcode)?,
            _ => Vec::new(),
        };
        if goal == Goal::default() { Err(ItemError::NoGoal) } else { Ok(goal) }
    }

    /// Points of a move.
    fn points_of(&self, m: Move) -> u32 {
        self.points.iter().find(|(known, _)| *known == m).map_or(0, |&(_, points)| points)
    }

    /// The most that a move is worth.
    fn most_points(&self) -> u32 {
        self.points.iter().map(|&(_, points)| points).max().unwrap_or_default()
    }

    /// Are a move and its value what is wanted?
    fn is_met(&self, m: Move, value: Value) -> bool {
        let has_only_points = self.best.is_empty() && self.avoid.is_empty() && self.mate.is_none();
        let is_mate_met = self.mate.is_none_or(|wanted| match value {
            Value::Mate(found) => found.signum() == wanted.signum() && found.abs() <= wanted.abs(),
            Value::Centipawns(_) => false,
        });
        (self.best.is_empty() || self.best.contains(&m))
            && !self.avoid.contains(&m)
            && is_mate_met
            && (!has_only_points || self.points_of(m) == self.most_points())
    }
}

fn wrong(opcode: &Opcode, fault: &str) -> ItemError {
    ItemError::Opcode {
        name: opcode.name.clone(),
        operands: opcode.operands.clone(),
        fault: fault.to_owned(),
    }
}

fn moves(position: &Position, opcode: &Opcode) -> Result<Vec<Move>, ItemError> {
    opcode
        .text()
        .split([' ', ','])
        .filter(|text| !text.is_empty())
        .map(|text| read_move(position, text).map_err(|fault| wrong(opcode, &fault.to_string())))
        .collect()
}

/// Points in the form `f5=100, Bf2=46`. Another comment may stand there instead.
fn listed_points(position: &Position, opcode: &Opcode) -> Result<Vec<(Move, u32)>, ItemError> {
    let pairs: Option<Vec<(&str, u32)>> = opcode
        .text()
        .split(',')
        .map(|pair| {
            let (name, points) = pair.rsplit_once('=')?;
            Some((name.trim(), points.trim().parse().ok()?))
        })
        .collect();
    let read = |(name, points)| {
        read_move(position, name).map(|m| (m, points)).map_err(|fault| wrong(opcode, &fault.to_string()))
    };
    pairs.unwrap_or_default().into_iter().map(read).collect()
}

/// Points in one opcode, the moves in another.
fn paired_points(
    position: &Position,
    values: &Opcode,
    names: &Opcode,
) -> Result<Vec<(Move, u32)>, ItemError> {
    let points: Result<Vec<u32>, _> = values.text().split_ascii_whitespace().map(str::parse).collect();
    let points = points.map_err(|_| wrong(values, "these are no points"))?;
    let moves = moves(position, names)?;
    if moves.len() == points.len() {
        Ok(moves.into_iter().zip(points).collect())
    } else {
        Err(wrong(names, "there are not as many moves as points"))
    }
}

/// Notes since when a search has had the solution.
struct Watch<'a> {
    goal: &'a Goal,
    since: Option<(u64, Duration)>,
    /// The value that was told last.
    told: Option<Score>,
}

impl Watch<'_> {
    fn note(&mut self, m: Move, score: Score, (nodes, time): (u64, Duration)) -> bool {
        let is_met = self.goal.is_met(m, Value::of(score));
        self.since = if is_met { self.since.or(Some((nodes, time))) } else { None };
        is_met
    }
}

impl Reporter for Watch<'_> {
    fn report(&mut self, event: Event<'_>) {
        if let Event::Line(line) = event
            && line.multipv == 1
        {
            self.told = Some(line.score);
            self.note(line.pv[0], line.score, (line.nodes, line.time));
        }
    }
}

/// Tests one position. None if the interrupt came first.
///
/// # Errors
/// If the position asks for nothing that can be found.
pub fn test(
    analyst: &mut Analyst,
    item: Item,
    interrupt: &Interrupt,
) -> Option<Result<Outcome, Box<Refusal>>> {
    let position = *item.game.position();
    let refuse = |item: &Item, error| {
        let (id, line, fen) = (item.id.clone(), item.line, position.to_string());
        Some(Err(Box::new(Refusal { id, line, fen, error })))
    };
    let goal = match Goal::read(&position, &item.opcodes) {
        Ok(goal) => goal,
        Err(error) => return refuse(&item, error),
    };
    let mut watch = Watch { goal: &goal, since: None, told: None };
    let analysis = match analyst.analyze_aloud(&item.game, interrupt, &mut watch)? {
        Ok(analysis) => analysis,
        Err(error) => return refuse(&item, error),
    };
    let report = analysis.report;
    let end = (report.nodes, report.time);
    let is_solved = match (report.best, report.lines.first()) {
        // What an iteration found that was stopped counts only if it was told, as it does in any GUI.
        (Some(best), Some(line)) => watch.note(best, watch.told.unwrap_or(line.score), end),
        _ => false,
    };
    let points = (!goal.points.is_empty())
        .then(|| (report.best.map_or(0, |best| goal.points_of(best)), goal.most_points()));
    let found_after = watch.since;
    let (best, nodes, time) = (report.best, report.nodes, report.time);
    Some(Ok(Outcome { item, best, is_solved, points, found_after, nodes, time }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::epd::split;

    fn goal(line: &str) -> (Position, Result<Goal, ItemError>) {
        let (fen, opcodes) = split(line);
        let position: Position = fen.parse().unwrap();
        (position, Goal::read(&position, &opcodes))
    }

    #[test]
    fn points_are_read_in_both_forms() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let (position, listed) = goal(&format!("{start} bm e4; c0 \"e4=10, Nf3=7\";"));
        let (_, paired) = goal(&format!("{start} bm e4; c8 \"10 7\"; c9 \"e2e4 g1f3\";"));
        let listed = listed.unwrap();
        assert_eq!(Ok(&listed), paired.as_ref());
        assert_eq!(listed.points_of(read_move(&position, "g1f3").unwrap()), 7);
        assert_eq!(listed.most_points(), 10);
    }

    #[test]
    fn mates_count_in_both_directions() {
        let (position, mated) = goal("Q7/8/5pp1/6k1/6p1/6K1/8/8 b - - dm -3;");
        let (m, mated) = (position.legal_moves().first().copied().unwrap(), mated.unwrap());
        assert!(mated.is_met(m, Value::Mate(-3)) && mated.is_met(m, Value::Mate(-1)));
        assert!(!mated.is_met(m, Value::Mate(1)) && !mated.is_met(m, Value::Mate(-4)));
    }

    #[test]
    fn what_cannot_be_found_is_told() {
        let fault = |line: &str| goal(line).1.unwrap_err().to_string();
        assert!(fault("4k3/8/8/8/8/8/8/4K3 w - - id \"x\";").starts_with("there is nothing to be found"));
        assert!(fault("4k3/8/8/8/8/8/8/4K3 w - - bm Qh5;").starts_with("opcode bm Qh5: "));
    }
}

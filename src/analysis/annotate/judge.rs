//! What a move has cost: chances, marks, accuracy.

use super::super::{Analysis, Value};
use crate::board::Outcome;
use crate::types::{Bound, Color};

/// Centipawns beyond which more makes no difference to the average loss, as for a mate.
const MOST_CENTIPAWNS: i32 = 1000;
/// How fast chances grow with centipawns, fitted to games of people.
/// <https://lichess.org/page/accuracy>
const CHANCE_SLOPE: f64 = 0.003_682_08;

/// From which loss of winning chances on -1..1 a move gets which mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// `?!`
    pub inaccuracy: f64,
    /// `?`
    pub mistake: f64,
    /// `??`
    pub blunder: f64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds { inaccuracy: 0.1, mistake: 0.2, blunder: 0.3 }
    }
}

/// How bad a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Mark {
    /// Its number in PGN.
    pub const fn nag(self) -> u8 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }
}

impl Thresholds {
    /// The mark of a move that loses so much.
    pub fn mark(self, loss: f64) -> Option<Mark> {
        /// A chance that is told as 0.3 may be 0.2999999 here.
        const TOLERANCE: f64 = 1e-9;
        let reaches = |threshold: f64| loss + TOLERANCE >= threshold;
        [(self.blunder, Mark::Blunder), (self.mistake, Mark::Mistake), (self.inaccuracy, Mark::Inaccuracy)]
            .into_iter()
            .find(|&(threshold, _)| reaches(threshold))
            .map(|(_, mark)| mark)
    }
}

/// How a position stands, in the view of its side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// What the search says; none if the game is over by mate.
    pub value: Option<Value>,
    /// Chance of winning less chance of losing.
    pub chance: f64,
    /// Centipawns, within the range that makes a difference.
    pub centipawns: i32,
}

impl Standing {
    /// The standing of an analyzed position, over or not.
    pub fn of(analysis: &Analysis) -> Standing {
        match (analysis.value(), analysis.outcome) {
            (None, Some(Outcome::Checkmate)) => {
                Standing { value: None, chance: -1.0, centipawns: -MOST_CENTIPAWNS }
            }
            (value, _) => Standing::with(value.unwrap_or(Value::Centipawns(0))),
        }
    }

    fn with(value: Value) -> Standing {
        let (chance, centipawns) = match value {
            Value::Mate(moves) => (f64::from(moves.signum()), moves.signum() * MOST_CENTIPAWNS),
            Value::Centipawns(centipawns) => {
                (chance(centipawns), centipawns.clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS))
            }
        };
        Standing { value: Some(value), chance, centipawns }
    }
}

/// Chance of winning less chance of losing, in -1..1, of a side with so many centipawns.
///
/// ```
/// use clavier::analysis::annotate::chance;
/// assert_eq!(chance(0), 0.0);
/// assert!(chance(300) > 0.5 && chance(-300) < -0.5);
/// ```
pub fn chance(centipawns: i32) -> f64 {
    2.0 / (1.0 + (-CHANCE_SLOPE * f64::from(centipawns)).exp()) - 1.0
}

/// What a move costs the side that plays it.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Cost {
    /// Winning chances, on -1..1.
    pub chance: f64,
    /// Centipawns.
    pub centipawns: i32,
}

impl Cost {
    /// The cost of a move between two positions, each in the view of its own side to move.
    pub fn between(before: Standing, after: Standing) -> Cost {
        Cost {
            chance: (before.chance + after.chance).max(0.0),
            centipawns: (before.centipawns + after.centipawns).max(0),
        }
    }

    /// How well the move was played, in percent. <https://lichess.org/page/accuracy>
    pub fn accuracy(self) -> f64 {
        let lost_percent = self.chance * 50.0;
        (103.1668 * (-0.043_54 * lost_percent).exp() - 3.1669).clamp(0.0, 100.0)
    }
}

/// A player's moves together.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Summary {
    /// Moves that were judged.
    pub moves: u32,
    /// Their mean accuracy, in percent.
    pub accuracy: f64,
    /// Their mean loss, in centipawns.
    pub average_loss: f64,
    /// Inaccuracies, mistakes, blunders.
    pub marks: [u32; 3],
}

impl Summary {
    /// The summary of moves with these costs and marks.
    pub fn of(moves: impl Iterator<Item = (Cost, Option<Mark>)>) -> Summary {
        let mut summary = Summary::default();
        for (cost, mark) in moves {
            summary.moves += 1;
            summary.accuracy += cost.accuracy();
            summary.average_loss += f64::from(cost.centipawns);
            if let Some(mark) = mark {
                summary.marks[mark as usize] += 1;
            }
        }
        let count = f64::from(summary.moves.max(1));
        Summary { accuracy: summary.accuracy / count, average_loss: summary.average_loss / count, ..summary }
    }
}

/// The value of an analyzed position as `[%eval …]` tells it, from White's view; none if mate is on the board.
pub fn eval_comment(analysis: &Analysis) -> Option<String> {
    let value = Standing::of(analysis).value?;
    let value = if analysis.position.side_to_move() == Color::White { value } else { -value };
    let depth =
        analysis.report.lines.first().filter(|line| line.bound == Bound::Exact).map(|line| line.depth);
    Some(match (value, depth) {
        (Value::Mate(moves), _) => format!("[%eval #{moves}]"),
        (Value::Centipawns(centipawns), depth) => {
            let sign = if centipawns < 0 { "-" } else { "" };
            let (pawns, rest) = (centipawns.abs() / 100, centipawns.abs() % 100);
            let depth = depth.map_or_else(String::new, |depth| format!(",{depth}"));
            format!("[%eval {sign}{pawns}.{rest:02}{depth}]")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_begin_at_their_thresholds() {
        use Mark::{Blunder, Inaccuracy, Mistake};
        let marks = [0.0, 0.0999, 0.1, 0.2, 0.3, 2.0].map(|loss| Thresholds::default().mark(loss));
        assert_eq!(marks, [None, None, Some(Inaccuracy), Some(Mistake), Some(Blunder), Some(Blunder)]);
    }

    #[test]
    fn a_move_costs_what_it_gives_away_and_never_wins_anything() {
        let at = |centipawns| Standing::with(Value::Centipawns(centipawns));
        assert_eq!(Cost::between(at(50), at(-50)), Cost::default());
        assert_eq!(Cost::between(at(50), at(-80)).centipawns, 0);
        assert_eq!(Cost::between(at(50), at(150)).centipawns, 200);
        // A mate thrown away, into a mate.
        let thrown = Cost::between(Standing::with(Value::Mate(3)), Standing::with(Value::Mate(1)));
        assert_eq!((thrown.chance, thrown.centipawns), (2.0, 2000));
        assert!(thrown.accuracy() < 1e-9 && Cost::default().accuracy() > 99.99);
    }
}

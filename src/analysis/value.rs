//! Values of positions as people and programs read them.

use crate::eval;
use crate::types::Score;
use std::fmt;
use std::ops::Neg;

/// A value in centipawns, or moves to mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Centipawns; a tablebase win in so many plies is 20000 less them.
    Centipawns(i32),
    /// Moves to mate, negative if the side in whose view the value is told is mated.
    Mate(i32),
}

impl Value {
    /// A score of a position, in the view of its side to move.
    pub fn of(score: Score) -> Value {
        match score.moves_to_mate() {
            Some(moves) => Value::Mate(moves),
            None if score.is_decided() => Value::Centipawns(score.0),
            None => Value::Centipawns(eval::to_centipawns(score)),
        }
    }

    /// The centipawns, if it is no mate.
    pub fn centipawns(self) -> Option<i32> {
        match self {
            Value::Centipawns(centipawns) => Some(centipawns),
            Value::Mate(_) => None,
        }
    }

    /// The moves to mate, if it is one.
    pub fn mate(self) -> Option<i32> {
        match self {
            Value::Centipawns(_) => None,
            Value::Mate(moves) => Some(moves),
        }
    }
}

/// The other side's view.
impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        match self {
            Value::Centipawns(centipawns) => Value::Centipawns(-centipawns),
            Value::Mate(moves) => Value::Mate(-moves),
        }
    }
}

/// Pawns with two decimals, or `#` and moves.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Centipawns(centipawns) => write!(f, "{:+.2}", f64::from(*centipawns) / 100.0),
            Value::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

//! Values of positions.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// How good a position is for the side to move, in the engine's internal units.
///
/// | range | meaning |
/// |---|---|
/// | up to [`Score::MAX_EVAL`] | an evaluation; the reporting layers normalize it to centipawns |
/// | 20000 minus plies | a win by the endgame tablebases, so many plies from the root |
/// | 32000 minus plies | mate, so many plies from the root |
///
/// Negative scores are the same for the other side.
///
/// ```
/// use clavier::types::Score;
/// assert!(Score::mate_in(3) > Score::mate_in(5));
/// assert_eq!(Score::mated_in(4).moves_to_mate(), Some(-2));
/// assert_eq!(-Score(30) + 10, Score(-20));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(pub i32);

/// The longest line that a search can follow, in plies.
pub const MAX_PLY: usize = 246;

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);
    /// Above every score.
    pub const INFINITE: Score = Score(32001);
    /// Mate on the board, seen by the winner.
    pub const MATE: Score = Score(32000);
    /// Every score from here up is a forced mate.
    pub const MATE_BOUND: Score = Score(32000 - MAX_PLY as i32);
    /// A tablebase win at the root.
    pub const TABLEBASE_WIN: Score = Score(20000);
    /// Every score from here up is a tablebase win or a mate.
    pub const WIN_BOUND: Score = Score(20000 - MAX_PLY as i32);
    /// The best evaluation that is not a proven win.
    pub const MAX_EVAL: Score = Score(Self::WIN_BOUND.0 - 1);

    /// Mate for the side to move, in so many plies from the root.
    #[inline]
    pub const fn mate_in(plies: usize) -> Score {
        Score(Self::MATE.0 - plies as i32)
    }

    /// The side to move is mated in so many plies from the root.
    #[inline]
    pub const fn mated_in(plies: usize) -> Score {
        Score(plies as i32 - Self::MATE.0)
    }

    /// Moves to mate, negative when the side to move is mated; none when no mate is proven.
    pub const fn moves_to_mate(self) -> Option<i32> {
        if self.0 >= Self::MATE_BOUND.0 {
            Some((Self::MATE.0 - self.0 + 1) / 2)
        } else if self.0 <= -Self::MATE_BOUND.0 {
            Some(-(Self::MATE.0 + self.0) / 2)
        } else {
            None
        }
    }

    /// Is it a proven mate for either side?
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0 >= Self::MATE_BOUND.0 || self.0 <= -Self::MATE_BOUND.0
    }

    /// Is it a proven win or loss, by mate or tablebase?
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.0 >= Self::WIN_BOUND.0 || self.0 <= -Self::WIN_BOUND.0
    }

    /// Plies from the root become plies from a node `ply` below it, so that the transposition
    /// table's scores hold wherever the node is met.
    #[inline]
    pub const fn from_root_to_node(self, ply: usize) -> Score {
        if self.0 >= Self::WIN_BOUND.0 {
            Score(self.0 + ply as i32)
        } else if self.0 <= -Self::WIN_BOUND.0 {
            Score(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// The reverse of [`Score::from_root_to_node`].
    #[inline]
    pub const fn from_node_to_root(self, ply: usize) -> Score {
        if self.0 >= Self::WIN_BOUND.0 {
            Score(self.0 - ply as i32)
        } else if self.0 <= -Self::WIN_BOUND.0 {
            Score(self.0 + ply as i32)
        } else {
            self
        }
    }

    /// The score as an evaluation: kept out of the range of proven results.
    #[inline]
    pub fn clamp_eval(self) -> Score {
        self.clamp(-Self::MAX_EVAL, Self::MAX_EVAL)
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    #[inline]
    fn add(self, units: i32) -> Score {
        Score(self.0 + units)
    }
}

impl AddAssign<i32> for Score {
    #[inline]
    fn add_assign(&mut self, units: i32) {
        self.0 += units;
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    #[inline]
    fn sub(self, units: i32) -> Score {
        Score(self.0 - units)
    }
}

impl Sub<Score> for Score {
    type Output = i32;

    #[inline]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

impl Mul<i32> for Score {
    type Output = Score;

    #[inline]
    fn mul(self, factor: i32) -> Score {
        Score(self.0 * factor)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moves_to_mate() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "{}", self.0),
        }
    }
}

/// What a score says about the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true value is at most the score: every move failed low.
    Upper,
    /// The true value is at least the score: a move failed high.
    Lower,
    /// The score is the value.
    Exact,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_moves_not_plies() {
        assert_eq!(Score::mate_in(1).moves_to_mate(), Some(1));
        assert_eq!(Score::mate_in(3).moves_to_mate(), Some(2));
        assert_eq!(Score::mated_in(0).moves_to_mate(), Some(0));
        assert_eq!(Score::mated_in(2).moves_to_mate(), Some(-1));
        assert_eq!(Score(19000).moves_to_mate(), None);
    }

    #[test]
    fn proven_scores_travel_through_the_table_unharmed() {
        for score in [Score::mate_in(7), Score::mated_in(8), Score(19990), Score(-19990), Score(123)] {
            assert_eq!(score.from_root_to_node(5).from_node_to_root(5), score);
        }
    }
}

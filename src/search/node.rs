//! What a node of the tree is and what its heuristics may know of it.
//!
//! Alpha-beta expects three kinds of nodes. On the principal variation (`Pv`) the window is open and the value
//! will be exact. All others have a zero window (`Zero`): at those expected to *cut*, one good move refutes
//! the move before; at the others, *all* moves have to be tried and none is good enough.
//! <https://www.chessprogramming.org/Node_Types>

use super::table::Entry;
use crate::types::{Bound, Move, Score};

/// A kind of node, known at compile time.
pub(super) trait Node {
    /// Is it on the principal variation, with an open window?
    const PV: bool;
}

/// A node of the principal variation.
pub(super) struct Pv;
/// A node with a zero window.
pub(super) struct Zero;

impl Node for Pv {
    const PV: bool = true;
}

impl Node for Zero {
    const PV: bool = false;
}

/// The range in which a value matters: at `alpha` and below the side to move has something better elsewhere,
/// at `beta` and above the opponent has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Lower end: a value up to it is as good as it.
    pub alpha: Score,
    /// Upper end: a value from it on is as good as it.
    pub beta: Score,
}

impl Window {
    /// Everything matters.
    pub const OPEN: Window = Window { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// The window that only asks whether a value is above alpha.
    #[inline]
    pub fn above_alpha(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha + 1 }
    }

    /// The window that only asks whether a value reaches beta.
    #[inline]
    pub fn below_beta(self) -> Window {
        Window { alpha: self.beta - 1, beta: self.beta }
    }

    /// What is left of the window when this much is known of the value.
    #[must_use]
    pub fn narrowed(self, score: Score, bound: Bound) -> Window {
        Window {
            alpha: if bound == Bound::Upper { self.alpha } else { self.alpha.max(score) },
            beta: if bound == Bound::Lower { self.beta } else { self.beta.min(score) },
        }
    }

    /// The same window seen by the opponent.
    #[inline]
    pub fn reversed(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// What a value says, found with this window.
    #[inline]
    pub fn bound_of(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// What is known of a node before its moves are searched; what its pruning rules decide by.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are facts, independent of each other")]
pub struct NodeFacts {
    /// Plies left to search.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    /// The window.
    pub window: Window,
    /// Is the node on the principal variation?
    pub is_pv: bool,
    /// Is it expected that one move refutes?
    pub expect_cut: bool,
    /// Is the side to move in check?
    pub in_check: bool,
    /// Static evaluation, refined by the table; none in check, where it would mean nothing.
    pub eval: Option<Score>,
    /// Is the side to move better off than at its last turn?
    pub improving: bool,
    /// Has the side to move more than king and pawns?
    pub has_pieces: bool,
    /// Was the move before a pass?
    pub after_null: bool,
    /// What the table knows.
    pub hit: Option<Entry>,
    /// Is the table's move a capture or promotion?
    pub table_move_is_noisy: bool,
    /// The range in which the value lies by the endgame tables; the widest if they know nothing.
    pub known: Window,
    /// The move that is left out, to see whether it is the only good one.
    pub excluded: Option<Move>,
}

/// What is known of a move before it is made.
#[derive(Clone, Copy, Debug)]
pub struct MoveFacts {
    /// The move.
    pub m: Move,
    /// Is it neither capture nor promotion?
    pub is_quiet: bool,
    /// Is it a quiet move that has refuted a sibling node?
    pub is_killer: bool,
    /// Its number in the order of search, from 1.
    pub number: i32,
    /// How well it has done elsewhere, in history units.
    pub history: i32,
    /// Plies by which it is searched deeper, or less deep if negative, than the others.
    pub extension: i32,
}

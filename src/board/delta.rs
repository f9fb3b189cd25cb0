//! What a move changes on the board, for whoever keeps sums over its men.

use crate::types::{Piece, Square};

/// One man that moved, appeared or vanished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The man.
    pub piece: Piece,
    /// Where he stood; none if he appeared.
    pub from: Option<Square>,
    /// Where he stands now; none if he vanished.
    pub to: Option<Square>,
}

/// The changes of one move, at most three: the mover, a captured man, and a promoted piece or castling rook.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Delta {
    changes: [Option<Change>; 3],
}

impl Delta {
    /// No change, as after a null move.
    pub const EMPTY: Delta = Delta { changes: [None; 3] };

    /// The changes, in no particular order.
    #[inline]
    pub fn changes(&self) -> impl Iterator<Item = Change> + '_ {
        self.changes.iter().map_while(|&change| change)
    }

    /// Adds a change.
    #[inline]
    pub(crate) fn push(&mut self, piece: Piece, from: Option<Square>, to: Option<Square>) {
        let change = Some(Change { piece, from, to });
        match self.changes {
            [None, ..] => self.changes[0] = change,
            [_, None, _] => self.changes[1] = change,
            _ => self.changes[2] = change,
        }
    }
}

//! What endgame tables say of a node. <https://www.chessprogramming.org/Syzygy_Bases>

use crate::tablebase::Wdl;
use crate::types::{Bound, Score};

/// The value of a node that the tables know, and what it says: a win is at least a win, since a mate may be
/// nearer than the next capture; a draw is a draw. A win or loss that the fifty-move rule turns into a draw
/// is a little better or worse than another one, since the opponent may err.
///
/// `ply` counts from the root, `drawn` is what a draw counts for the side to move.
pub fn table_value(wdl: Wdl, fifty_move_rule: bool, ply: usize, drawn: Score) -> (Score, Bound) {
    let win = Score::TABLEBASE_WIN - ply as i32;
    match (wdl, fifty_move_rule) {
        (Wdl::Win, _) | (Wdl::CursedWin, false) => (win, Bound::Lower),
        (Wdl::Loss, _) | (Wdl::BlessedLoss, false) => (-win, Bound::Upper),
        (Wdl::Draw, _) => (drawn, Bound::Exact),
        (Wdl::CursedWin, true) => (drawn + 1, Bound::Exact),
        (Wdl::BlessedLoss, true) => (drawn - 1, Bound::Exact),
    }
}

/// Are the tables worth asking at a node with so many men? They are slow, and slowest the largest ones: those are
/// asked only from some depth on, in plies.
pub fn is_worth_asking(men: u32, limit: u32, depth: i32, probe_depth: i32) -> bool {
    men < limit || (men == limit && depth >= probe_depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_nearer_the_better_and_open_to_mates() {
        let (near, bound) = table_value(Wdl::Win, true, 3, Score::DRAW);
        assert_eq!((near, bound), (Score(19997), Bound::Lower));
        assert!(near > table_value(Wdl::Win, true, 5, Score::DRAW).0);
        assert_eq!(table_value(Wdl::Loss, true, 3, Score::DRAW), (Score(-19997), Bound::Upper));
    }

    #[test]
    fn curses_count_only_under_the_fifty_move_rule() {
        let value = |wdl, rule| table_value(wdl, rule, 4, Score(-20));
        assert_eq!(value(Wdl::CursedWin, true), (Score(-19), Bound::Exact));
        assert_eq!(value(Wdl::BlessedLoss, true), (Score(-21), Bound::Exact));
        assert_eq!(value(Wdl::Draw, true), (Score(-20), Bound::Exact));
        assert_eq!(value(Wdl::CursedWin, false), value(Wdl::Win, true));
        assert_eq!(value(Wdl::BlessedLoss, false), value(Wdl::Loss, true));
    }

    #[test]
    fn the_largest_tables_are_asked_far_from_the_leaves_only() {
        assert!(is_worth_asking(4, 5, 1, 6) && is_worth_asking(5, 5, 6, 6));
        assert!(!is_worth_asking(5, 5, 5, 6) && !is_worth_asking(6, 5, 20, 1));
    }
}

//! Null-move pruning.

use crate::search::node::NodeFacts;
use crate::search::tunables::tunables;

tunables! {
    /// Null move: on or off.
    null_enabled: 1 in 0..=1 step 1;
    /// Null move: least plies of remaining depth.
    null_min_depth: 3 in 1..=6 step 1;
    /// Null move: reduction of every search behind a pass, in plies.
    null_base: 4 in 2..=6 step 1;
    /// Null move: plies of remaining depth for one more ply of reduction.
    null_depth_divisor: 4 in 2..=8 step 1;
    /// Null move: internal units above beta for one more ply of reduction.
    null_eval_divisor: 120 in 80..=400 step 20;
    /// Null move: most plies of reduction for the evaluation.
    null_eval_most: 3 in 0..=6 step 1;
    /// Null move: from this depth on a refutation by a pass is verified without passing, in plies.
    null_verify_depth: 12 in 6..=30 step 2;
}

/// The depth of the search behind a pass, if passing is worth a try: a side that may move twice in a row and
/// still reaches nothing has been refuted. Not without pieces (zugzwang), not twice in a row.
/// <https://www.chessprogramming.org/Null_Move_Pruning>
pub fn null_move_depth(node: &NodeFacts) -> Option<i32> {
    let eval = node.eval?;
    let beta = node.window.beta;
    let is_worth_a_try = null_enabled() != 0
        && !node.is_pv
        && node.depth >= null_min_depth()
        && eval >= beta
        && node.has_pieces
        && !node.after_null
        && !beta.is_decided();
    let reduction = null_base()
        + node.depth / null_depth_divisor()
        + ((eval - beta) / null_eval_divisor()).min(null_eval_most());
    is_worth_a_try.then_some(node.depth - reduction)
}

/// Must the refutation by a pass be verified by a search without passing? Deep nodes are worth it: a zugzwang
/// overlooked there costs most. <https://www.chessprogramming.org/Null_Move_Pruning>
pub fn null_move_needs_proof(node: &NodeFacts) -> bool {
    node.depth >= null_verify_depth()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::heuristics::testing::{in_check, node};

    #[test]
    fn passing_is_tried_only_where_it_can_refute() {
        assert!(null_move_depth(&node(6, 50)).is_some_and(|depth| depth < 6));
        assert_eq!(null_move_depth(&node(6, -50)), None);
        assert_eq!(null_move_depth(&node(1, 50)), None);
        assert_eq!(null_move_depth(&in_check(node(6, 50))), None);
    }

    #[test]
    fn passing_is_not_tried_in_pawn_endings_or_twice() {
        assert_eq!(null_move_depth(&NodeFacts { has_pieces: false, ..node(6, 50) }), None);
        assert_eq!(null_move_depth(&NodeFacts { after_null: true, ..node(6, 50) }), None);
    }

    #[test]
    fn deep_refutations_need_a_proof() {
        assert!(!null_move_needs_proof(&node(6, 50)));
        assert!(null_move_needs_proof(&node(20, 50)));
    }
}

//! Reverse futility pruning.

use crate::search::node::NodeFacts;
use crate::search::tunables::tunables;
use crate::types::Score;

tunables! {
    /// Reverse futility pruning: margin per ply of remaining depth, in internal units.
    rfp_margin: 75 in 30..=160 step 8;
    /// Reverse futility pruning: most plies of remaining depth.
    rfp_max_depth: 8 in 3..=14 step 1;
}

/// The value of a node that is so far above beta that no quiet reply should matter.
/// Not in check, not on the principal variation. <https://www.chessprogramming.org/Reverse_Futility_Pruning>
pub fn reverse_futility(node: &NodeFacts) -> Option<Score> {
    let eval = node.eval?;
    let margin = rfp_margin() * (node.depth - i32::from(node.improving));
    let is_far_above = eval - margin >= node.window.beta;
    (!node.is_pv && node.depth <= rfp_max_depth() && is_far_above && !eval.is_decided()).then_some(eval)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::heuristics::testing::{in_check, node};

    #[test]
    fn a_node_far_above_beta_is_cut_and_one_near_it_is_not() {
        assert_eq!(reverse_futility(&node(2, 500)), Some(Score(500)));
        assert_eq!(reverse_futility(&node(2, 20)), None);
        assert_eq!(reverse_futility(&node(40, 500)), None);
        assert_eq!(reverse_futility(&in_check(node(2, 500))), None);
    }
}

//! Reverse futility pruning.

use crate::search::node::NodeFacts;
use crate::search::tunables::tunables;
use crate::types::Score;

tunables! {
    /// Reverse futility pruning: on or off.
    rfp_enabled: 1 in 0..=1 step 1;
    /// Reverse futility pruning: margin per ply of remaining depth, in internal units.
    rfp_margin: 40 in 20..=120 step 6;
    /// Reverse futility pruning: most plies of remaining depth.
    rfp_max_depth: 8 in 3..=14 step 1;
}

/// The value of a node that is so far above beta that no quiet reply should matter.
/// Not in check, not on the principal variation. <https://www.chessprogramming.org/Reverse_Futility_Pruning>
pub fn reverse_futility(node: &NodeFacts) -> Option<Score> {
    let eval = node.eval?;
    let margin = rfp_margin() * (node.depth - i32::from(node.improving));
    let is_far_above = eval - margin >= node.window.beta;
    (rfp_enabled() != 0 && !node.is_pv && node.depth <= rfp_max_depth() && is_far_above && !eval.is_decided())
        .then(|| middle(eval, node.window.beta))
}

/// Less than the evaluation promises, for it is a promise only.
fn middle(eval: Score, beta: Score) -> Score {
    if beta.is_decided() { eval } else { Score(i32::midpoint(eval.0, beta.0)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::heuristics::testing::{in_check, node};

    #[test]
    fn a_node_far_above_beta_is_cut_and_one_near_it_is_not() {
        assert_eq!(reverse_futility(&node(2, 500)), Some(Score(250)));
        assert_eq!(reverse_futility(&node(2, 20)), None);
        assert_eq!(reverse_futility(&node(40, 500)), None);
        assert_eq!(reverse_futility(&in_check(node(2, 500))), None);
    }
}

//! Extensions: lines that deserve a look beyond their depth.

use crate::search::node::NodeFacts;
use crate::search::tunables::tunables;

tunables! {
    /// Check extension: plies.
    check_extension: 1 in 0..=1 step 1;
}

/// Plies added after a move that gives check. A check leaves few replies, so one more ply costs little.
/// Far beyond the nominal depth, none: a series of checks must end.
/// <https://www.chessprogramming.org/Check_Extensions>
pub fn check(node: &NodeFacts, gives_check: bool, root_depth: i32) -> i32 {
    if gives_check && !is_far_down(node, root_depth) { check_extension() } else { 0 }
}

/// Is the node so far beyond the nominal depth that nothing is extended any more? Every line must end.
pub fn is_far_down(node: &NodeFacts, root_depth: i32) -> bool {
    node.ply as i32 >= 2 * root_depth
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::heuristics::testing::node;

    #[test]
    fn checks_are_extended_but_not_for_ever() {
        assert_eq!(check(&node(4, 0), true, 10), 1);
        assert_eq!(check(&node(4, 0), false, 10), 0);
        assert_eq!(check(&NodeFacts { ply: 50, ..node(4, 0) }, true, 10), 0);
    }
}

//! Pruning of single moves at small depth.

use crate::search::node::{MoveFacts, NodeFacts};
use crate::search::tunables::tunables;

tunables! {
    /// Late-move pruning: on or off.
    lmp_enabled: 1 in 0..=1 step 1;
    /// Late-move pruning: quiet moves that are always tried.
    lmp_base: 3 in 1..=8 step 1;
    /// Late-move pruning: most plies of remaining depth.
    lmp_max_depth: 8 in 3..=14 step 1;
    /// Futility pruning: on or off.
    futility_enabled: 1 in 0..=1 step 1;
    /// Futility pruning: margin that depends on nothing, in internal units.
    futility_base: 60 in 30..=200 step 10;
    /// Futility pruning: margin per ply left for the move, in internal units.
    futility_margin: 65 in 30..=200 step 10;
    /// Futility pruning: most plies left for the move.
    futility_max_depth: 7 in 2..=12 step 1;
    /// Exchange pruning: on or off.
    see_enabled: 1 in 0..=1 step 1;
    /// Exchange pruning: material that a quiet move may give up per ply left for it, in centipawns.
    see_quiet_margin: 75 in 20..=140 step 10;
    /// Exchange pruning: material that a capture may give up per ply left for it, in centipawns.
    see_noisy_margin: 100 in 40..=200 step 10;
    /// Exchange pruning: most plies left for the move.
    see_max_depth: 8 in 3..=12 step 1;
}

/// Have enough quiet moves been tried at this depth that the rest may go unseen?
/// <https://www.chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning>
pub fn late_move_pruning(node: &NodeFacts, m: &MoveFacts) -> bool {
    let tried = (lmp_base() + node.depth * node.depth) / if node.improving { 1 } else { 2 };
    lmp_enabled() != 0 && !node.is_pv && node.depth <= lmp_max_depth() && m.is_quiet && m.number > tried
}

/// Is the node so far below alpha that a quiet move cannot lift it in the plies left for it? A check might: ask
/// before.
/// <https://www.chessprogramming.org/Futility_Pruning>
pub fn futility(node: &NodeFacts, m: &MoveFacts, plies_left: i32) -> bool {
    let Some(eval) = node.eval else { return false };
    let margin = futility_base() + futility_margin() * plies_left;
    futility_enabled() != 0
        && !node.is_pv
        && plies_left <= futility_max_depth()
        && m.is_quiet
        && eval + margin <= node.window.alpha
}

/// The least that a move must win, or the most it may lose, in an exchange on its target square to be worth
/// the plies left for it, in centipawns; none where the exchange does not decide.
/// <https://www.chessprogramming.org/Static_Exchange_Evaluation>
pub fn exchange_threshold(m: &MoveFacts, plies_left: i32) -> Option<i32> {
    let margin = if m.is_quiet { see_quiet_margin() } else { see_noisy_margin() };
    (see_enabled() != 0 && plies_left <= see_max_depth()).then_some(-margin * plies_left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::heuristics::testing::{in_check, node, quiet};

    #[test]
    fn the_last_of_many_quiet_moves_are_skipped_at_small_depth() {
        assert!(late_move_pruning(&node(2, 0), &quiet(20)));
        assert!(!late_move_pruning(&node(2, 0), &quiet(2)));
        assert!(!late_move_pruning(&node(12, 0), &quiet(60)));
        assert!(!late_move_pruning(&node(2, 0), &MoveFacts { is_quiet: false, ..quiet(20) }));
    }

    #[test]
    fn a_hopeless_node_tries_no_quiet_moves() {
        assert!(futility(&node(1, -900), &quiet(5), 1));
        assert!(!futility(&node(30, -900), &quiet(5), 30));
        assert!(!futility(&node(1, -50), &quiet(5), 1));
        assert!(!futility(&in_check(node(1, -900)), &quiet(5), 1));
    }

    #[test]
    fn the_more_plies_are_left_the_more_a_move_may_give_up() {
        let threshold = |plies_left| exchange_threshold(&quiet(5), plies_left);
        assert!(threshold(1) > threshold(4));
        assert_eq!(threshold(30), None);
    }
}

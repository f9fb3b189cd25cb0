//! Singular extensions.

use crate::search::node::{NodeFacts, Window};
use crate::search::tunables::tunables;
use crate::types::{Bound, Score};

tunables! {
    /// Singular extensions: on or off.
    singular_enabled: 1 in 0..=1 step 1;
    /// Singular extensions: least plies of remaining depth.
    singular_min_depth: 6 in 4..=12 step 1;
    /// Singular extensions: plies by which the table's entry may be shallower than the node.
    singular_entry_gap: 3 in 1..=6 step 1;
    /// Singular extensions: margin below the table's value per ply of remaining depth, in 1/16 internal units.
    singular_margin: 22 in 8..=64 step 4;
    /// Singular extensions: how far below that all other moves must be for a second ply, in internal units.
    singular_double_margin: 20 in 5..=60 step 5;
}

/// What the search of all other moves says about the table's move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Search the move so many plies deeper.
    Extend(i32),
    /// Several moves refute: the node's value is at least this.
    Cut(Score),
}

/// The question whether the table's move is the only good one: a value clearly below its own, and the depth
/// with which the other moves are asked whether they reach it. None where it is not worth asking.
/// <https://www.chessprogramming.org/Singular_Extensions>
pub fn question(node: &NodeFacts, root_depth: i32) -> Option<(Score, i32)> {
    let entry = node.hit?;
    let is_worth_asking = singular_enabled() != 0
        && node.excluded.is_none()
        && node.depth >= singular_min_depth()
        && entry.best.is_some()
        && entry.depth >= node.depth - singular_entry_gap()
        && entry.bound != Bound::Upper
        && !entry.score.is_decided()
        && !is_far_down(node, root_depth);
    let target = entry.score - singular_margin() * node.depth / 16;
    is_worth_asking.then_some((target, (node.depth - 1) / 2))
}

/// Is the node so far beyond the nominal depth that nothing is extended any more? Every line must end.
fn is_far_down(node: &NodeFacts, root_depth: i32) -> bool {
    node.ply as i32 >= 2 * root_depth
}

/// The verdict: the move is singular if no other move reaches the target, and very much so if they stay far
/// below. If others reach even beta, the node is refuted anyway (multi-cut,
/// <https://www.chessprogramming.org/Multi-Cut>).
pub fn verdict(node: &NodeFacts, target: Score, others: Score) -> Verdict {
    let Window { beta, .. } = node.window;
    if others < target {
        let is_very_singular = !node.is_pv && others < target - singular_double_margin();
        return Verdict::Extend(1 + i32::from(is_very_singular));
    }
    if target >= beta && !node.is_pv {
        return Verdict::Cut(target);
    }
    // Others are as good, and the table expects a refutation: this one needs no great depth.
    let expects_refutation = node.hit.is_some_and(|entry| entry.score >= beta);
    Verdict::Extend(-i32::from(expects_refutation))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::heuristics::testing::{node, quiet};
    use crate::search::table::Entry;

    fn known(depth: i32, score: i32) -> NodeFacts {
        let entry = Entry {
            best: Some(quiet(1).m),
            score: Score(score),
            bound: Bound::Lower,
            depth: depth - 1,
            eval: None,
            was_pv: false,
        };
        NodeFacts { hit: Some(entry), ..node(depth, 0) }
    }

    #[test]
    fn only_deep_nodes_with_a_trusted_move_are_asked() {
        assert!(question(&known(10, 50), 10).is_some_and(|(target, depth)| target < Score(50) && depth < 10));
        assert_eq!(question(&known(3, 50), 10), None);
        assert_eq!(question(&node(10, 0), 10), None);
        assert_eq!(question(&NodeFacts { ply: 20, ..known(10, 50) }, 10), None);
    }

    #[test]
    fn the_only_good_move_is_extended() {
        assert_eq!(verdict(&known(10, 50), Score(35), Score(30)), Verdict::Extend(1));
        assert_eq!(verdict(&known(10, 50), Score(35), Score(-90)), Verdict::Extend(2));
    }

    #[test]
    fn several_good_moves_cut_or_need_less_depth() {
        assert_eq!(verdict(&known(10, 50), Score(35), Score(60)), Verdict::Cut(Score(35)));
        assert_eq!(verdict(&known(10, 10), Score(-5), Score(0)), Verdict::Extend(-1));
    }
}

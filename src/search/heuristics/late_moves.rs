//! Late-move reductions, and the depth that a move may expect of them.

use crate::search::node::{MoveFacts, NodeFacts};
use crate::search::tunables::tunables;

tunables! {
    /// Late-move reductions: on or off.
    lmr_enabled: 1 in 0..=1 step 1;
    /// Late-move reductions: part that depends on nothing, in 1/100 plies.
    lmr_base: 80 in 0..=150 step 10;
    /// Late-move reductions: divisor of the product of the logarithms of depth and number, in 1/100.
    lmr_divisor: 195 in 150..=350 step 10;
    /// Late-move reductions: least plies of remaining depth.
    lmr_min_depth: 3 in 2..=5 step 1;
    /// Late-move reductions: moves that are searched unreduced.
    lmr_full_moves: 2 in 1..=6 step 1;
    /// Late-move reductions: plies more where a refutation is expected.
    lmr_cut_node: 1 in 0..=2 step 1;
    /// Late-move reductions: plies less where a principal variation once ran.
    lmr_was_pv: 1 in 0..=2 step 1;
    /// Late-move reductions: plies more where the table's move is a capture, which quiet
    /// moves will hardly beat.
    lmr_table_capture: 1 in 0..=2 step 1;
    /// Late-move reductions: history units for one ply less.
    lmr_history_divisor: 7000 in 4000..=24000 step 1000;
    /// Pruning by the likely depth: history units for one ply more.
    likely_history_divisor: 8000 in 4000..=24000 step 1000;
}

/// Depths and move numbers beyond this are treated alike.
const MOST: usize = 64;

/// The part of the reduction that depends on depth and number of the move, in plies, precomputed.
pub struct Reductions(Box<[[i32; MOST]; MOST]>);

impl Reductions {
    /// The table for the present parameters.
    pub fn new() -> Reductions {
        let mut table = Box::new([[0; MOST]; MOST]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (number as f64).ln();
                let plies = f64::from(lmr_base()) / 100.0 + product * 100.0 / f64::from(lmr_divisor());
                *reduction = plies as i32;
            }
        }
        Reductions(table)
    }

    #[inline]
    fn get(&self, depth: i32, number: i32) -> i32 {
        let clamp = |value: i32| value.clamp(0, MOST as i32 - 1) as usize;
        self.0[clamp(depth)][clamp(number)]
    }
}

/// Plies by which a late move is searched less deep at first. The later a move comes in the order, the less
/// is expected of it; if it surprises, it is searched again at full depth.
/// <https://www.chessprogramming.org/Late_Move_Reductions>
pub fn late_move_reduction(table: &Reductions, node: &NodeFacts, m: &MoveFacts, gives_check: bool) -> i32 {
    if lmr_enabled() == 0 || node.depth < lmr_min_depth() || m.number <= lmr_full_moves() || !m.is_quiet {
        return 0;
    }
    let mut reduction = table.get(node.depth, m.number);
    reduction += lmr_table_capture() * i32::from(node.table_move_is_noisy);
    reduction -= i32::from(node.is_pv);
    reduction -= i32::from(m.is_killer || gives_check);
    reduction += i32::from(!node.improving);
    reduction += lmr_cut_node() * i32::from(node.expect_cut);
    reduction -= lmr_was_pv() * i32::from(node.hit.is_some_and(|entry| entry.was_pv));
    reduction -= m.history / lmr_history_divisor();
    reduction.clamp(0, node.depth - 2)
}

/// A guess of the plies that will be left for a move once it is reduced, from depth, number, history and trend alone:
/// what it is to be judged by before it is made. The first moves count as reduced too.
/// <https://www.chessprogramming.org/Late_Move_Reductions>
pub fn likely_depth(table: &Reductions, node: &NodeFacts, m: &MoveFacts) -> i32 {
    if node.is_pv || !m.is_quiet {
        return node.depth;
    }
    let reduction = table.get(node.depth, m.number) + i32::from(!node.improving);
    (node.depth - reduction + m.history / likely_history_divisor()).clamp(1, node.depth + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::heuristics::testing::{node, quiet};

    #[test]
    fn late_quiet_moves_are_reduced_and_early_or_noisy_ones_are_not() {
        let table = Reductions::new();
        let node = node(10, 0);
        assert_eq!(late_move_reduction(&table, &node, &quiet(1), false), 0);
        assert!(late_move_reduction(&table, &node, &quiet(20), false) >= 2);
        assert_eq!(late_move_reduction(&table, &node, &MoveFacts { is_quiet: false, ..quiet(20) }, false), 0);
    }

    #[test]
    fn what_is_known_of_node_and_move_changes_the_reduction() {
        let table = Reductions::new();
        let common = node(10, 0);
        let reduction = |node: &NodeFacts, m: &MoveFacts, check| late_move_reduction(&table, node, m, check);
        let usual = reduction(&common, &quiet(20), false);
        assert_eq!(reduction(&NodeFacts { expect_cut: false, ..common }, &quiet(20), false), usual - 1);
        assert_eq!(
            reduction(&NodeFacts { table_move_is_noisy: true, ..common }, &quiet(20), false),
            usual + 1
        );
        assert_eq!(reduction(&NodeFacts { improving: true, ..common }, &quiet(20), false), usual - 1);
        assert_eq!(reduction(&NodeFacts { is_pv: true, ..common }, &quiet(20), false), usual - 1);
        assert_eq!(reduction(&common, &MoveFacts { is_killer: true, ..quiet(20) }, false), usual - 1);
        assert_eq!(reduction(&common, &quiet(20), true), usual - 1);
    }

    #[test]
    fn late_quiet_moves_without_merit_have_the_fewest_plies_left() {
        let table = Reductions::new();
        let left = |m: &MoveFacts| likely_depth(&table, &node(8, 0), m);
        assert!(left(&quiet(20)) < left(&quiet(3)));
        assert!(left(&MoveFacts { history: -20_000, ..quiet(20) }) < left(&quiet(20)));
        assert_eq!(left(&MoveFacts { history: -60_000, ..quiet(20) }), 1);
        assert_eq!(left(&MoveFacts { is_quiet: false, ..quiet(20) }), 8);
    }

    #[test]
    fn a_good_history_saves_plies() {
        let table = Reductions::new();
        let good = MoveFacts { history: 20_000, ..quiet(20) };
        assert!(
            late_move_reduction(&table, &node(10, 0), &good, false)
                < late_move_reduction(&table, &node(10, 0), &quiet(20), false)
        );
    }
}

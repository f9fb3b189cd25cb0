//! How much of its time a move deserves.

use crate::search::tunables::tunables;

tunables! {
    /// Time: by the certainty of the best move, on or off.
    effort_enabled: 1 in 0..=1 step 1;
    /// Time: share of the plan for a best move that has just changed, in percent.
    effort_unstable: 140 in 100..=200 step 10;
    /// Time: percent less for every iteration that confirms the best move.
    effort_confirmed: 10 in 2..=20 step 2;
    /// Time: iterations that count as confirmation at most.
    effort_most_confirmed: 7 in 3..=12 step 1;
    /// Time: percent of the plan for a best move that took no nodes at all.
    effort_contested: 180 in 120..=240 step 10;
    /// Time: percent less for a best move that took all nodes.
    effort_node_share: 120 in 60..=200 step 10;
    /// Time: percent more for a score that has fallen by 100 internal units.
    effort_falling: 100 in 20..=200 step 10;
}

/// What the iterations so far say about the best move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Certainty {
    /// Iterations that have confirmed it.
    pub confirmed: i32,
    /// Share of all nodes that were spent on it, in percent.
    pub node_share: i32,
    /// How far its score has fallen since the iteration before, in internal units.
    pub fall: i32,
}

/// Share of the planned time that the move deserves, in percent: a best move that keeps changing, that has
/// rivals, or that looks worse and worse deserves more. <https://www.chessprogramming.org/Time_Management>
pub fn effort(certainty: &Certainty) -> u32 {
    /// However clear or unclear the move: never less, never more.
    const RANGE: std::ops::RangeInclusive<i32> = 30..=250;
    if effort_enabled() == 0 {
        return 100;
    }
    let stability = effort_unstable() - effort_confirmed() * certainty.confirmed.min(effort_most_confirmed());
    let contest = effort_contested() - effort_node_share() * certainty.node_share / 100;
    let fall = 100 + effort_falling() * certainty.fall.clamp(-30, 60) / 100;
    let share = stability * contest / 100 * fall / 100;
    share.clamp(*RANGE.start(), *RANGE.end()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_move_takes_less_time_than_a_doubtful_one() {
        let clear = Certainty { confirmed: 8, node_share: 95, fall: 0 };
        let doubtful = Certainty { confirmed: 0, node_share: 30, fall: 40 };
        assert!(effort(&clear) < 70);
        assert!(effort(&doubtful) > 150);
    }
}

//! Which thread's result is played.

use crate::search::{Line, Report};
use crate::types::{Move, Score};

/// What even the worst result weighs per ply of its depth, in internal units.
const LEAST_WEIGHT: i32 = 15;

/// The number of the report whose move is to be played. Each thread votes for its move, and its vote weighs the more
/// the deeper it has searched and the better its value is; a proven win needs no votes.
/// <https://www.chessprogramming.org/Lazy_SMP>
///
/// # Panics
/// If there is no report.
pub(super) fn elected(reports: &[Report]) -> usize {
    let lines =
        || reports.iter().enumerate().filter_map(|(index, report)| Some((index, report.lines.first()?)));
    let Some(worst) = lines().map(|(_, line)| line.score).min() else { return 0 };
    let votes = |m: Move| -> i64 {
        lines().filter(|(_, line)| line.pv[0] == m).map(|(_, line)| weight(line, worst)).sum()
    };
    let rank = |line: &Line| {
        let won = if line.score.is_decided() { line.score.max(Score::DRAW) } else { Score::DRAW };
        (won, votes(line.pv[0]), line.depth, line.score)
    };
    // Of equals the first: the main thread's line has been told already.
    lines().rev().max_by_key(|(_, line)| rank(line)).map_or(0, |(index, _)| index)
}

fn weight(line: &Line, worst: Score) -> i64 {
    i64::from(line.score - worst + LEAST_WEIGHT) * i64::from(line.depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Bound, MoveKind, Square};
    use std::time::Duration;

    fn report(to: Square, score: Score, depth: u32) -> Report {
        let m = Move::new(Square::G1, to, MoveKind::Plain);
        let line = Line {
            multipv: 1,
            depth,
            seldepth: depth,
            score,
            bound: Bound::Exact,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            tbhits: 0,
            pv: vec![m],
        };
        Report { best: Some(m), lines: vec![line], ..Report::default() }
    }

    #[test]
    fn the_main_thread_wins_a_draw() {
        assert_eq!(elected(&[report(Square::F3, Score(20), 9), report(Square::H3, Score(20), 9)]), 0);
    }

    #[test]
    fn depth_and_value_weigh() {
        assert_eq!(elected(&[report(Square::F3, Score(20), 9), report(Square::H3, Score(20), 10)]), 1);
        assert_eq!(elected(&[report(Square::F3, Score(20), 9), report(Square::H3, Score(60), 9)]), 1);
        assert_eq!(elected(&[report(Square::F3, Score(60), 9), report(Square::H3, Score(20), 10)]), 0);
    }

    #[test]
    fn two_voices_outweigh_one_that_is_a_little_better() {
        let [quiet, bold] = [Square::F3, Square::H3];
        let reports = [report(bold, Score(30), 9), report(quiet, Score(20), 9), report(quiet, Score(22), 10)];
        assert_eq!(elected(&reports), 2, "the deeper of the two");
    }

    #[test]
    fn a_proven_win_needs_no_votes() {
        let [quiet, mating] = [Square::F3, Square::H3];
        let reports = [
            report(quiet, Score(900), 30),
            report(quiet, Score(900), 30),
            report(mating, Score::mate_in(5), 8),
        ];
        assert_eq!(elected(&reports), 2);
    }

    #[test]
    fn a_root_without_moves_has_nothing_to_elect() {
        assert_eq!(elected(&[Report::default(), Report::default()]), 0);
    }
}

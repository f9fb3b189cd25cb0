//! How much time a move may take. <https://www.chessprogramming.org/Time_Management>

use super::limits::{Clock, Limits};
use std::time::{Duration, Instant};

/// Moves that a game is expected to go on, in sudden death.
const EXPECTED_MOVES: u32 = 25;
/// Share of the increment that is spent at once, in percent.
const INCREMENT_SHARE: u32 = 75;
/// Time for a move that turns out to be hard, in percent of the plan.
const HARD_MOVE: u32 = 400;
/// Never spend more than this share of the clock on one move, in percent.
const MOST_OF_CLOCK: u32 = 60;
/// A new iteration costs more than all before: start none after this share of the plan, in percent.
const NEW_ITERATION: u32 = 65;

/// The time limits of one search, from its start.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeManager {
    start: Instant,
    /// After so much no new iteration starts.
    soft: Option<Duration>,
    /// After so much the search stops at once.
    hard: Option<Duration>,
}

impl TimeManager {
    /// Plans a search that was asked for at this moment.
    pub fn new(limits: &Limits, overhead: Duration, start: Instant) -> TimeManager {
        let mut manager = TimeManager { start, soft: None, hard: None };
        if let Some(clock) = limits.clock {
            let (soft, hard) = plan(clock, overhead);
            (manager.soft, manager.hard) = (Some(soft), Some(hard));
        }
        if let Some(time) = limits.move_time {
            let time = time.saturating_sub(overhead.min(time / 2));
            manager.hard = Some(manager.hard.map_or(time, |hard| hard.min(time)));
        }
        manager
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Is the time for this move used up? `waited` is the time spent on the opponent's clock.
    pub fn is_over(&self, waited: Duration) -> bool {
        self.hard.is_some_and(|hard| self.elapsed().saturating_sub(waited) >= hard)
    }

    /// Is it too late to begin another iteration, if the move deserves so many percent of the plan? Time spent
    /// on the opponent's clock counts: it has been used for this move.
    pub fn is_late(&self, effort: u32) -> bool {
        self.soft.is_some_and(|soft| self.elapsed() >= percent(soft, effort))
    }

    /// Does a clock run, so that time saved now is of use later?
    pub fn is_saving(&self) -> bool {
        self.soft.is_some()
    }
}

/// Time after which no new iteration starts, and after which the search stops.
fn plan(clock: Clock, overhead: Duration) -> (Duration, Duration) {
    let usable = clock.remaining.saturating_sub(overhead);
    let moves = clock.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, EXPECTED_MOVES * 2);
    let planned = usable / moves + percent(clock.increment, INCREMENT_SHARE);
    let ceiling = if moves == 1 { usable } else { percent(usable, MOST_OF_CLOCK) };
    let hard = percent(planned, HARD_MOVE).min(ceiling);
    (percent(planned, NEW_ITERATION).min(hard), hard)
}

fn percent(time: Duration, share: u32) -> Duration {
    time.saturating_mul(share) / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(20);

    fn planned(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> (Duration, Duration) {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        plan(clock, OVERHEAD)
    }

    #[test]
    fn a_move_never_takes_more_than_the_clock_holds() {
        for remaining in [0, 1, 20, 21, 50, 1000, 60_000] {
            for increment in [0, 10, 1000, 100_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(1000)] {
                    let (soft, hard) = planned(remaining, increment, moves);
                    let usable = Duration::from_millis(remaining).saturating_sub(OVERHEAD);
                    assert!(soft <= hard && hard <= usable, "{remaining} {increment} {moves:?}");
                }
            }
        }
    }

    #[test]
    fn with_twenty_milliseconds_left_it_moves_at_once() {
        assert_eq!(planned(20, 0, None).1, Duration::ZERO);
    }
}

//! Upcoming repetitions.

use crate::search::tunables::tunables;

tunables! {
    /// Upcoming repetition: seen or not.
    cycles_enabled: 1 in 0..=1 step 1;
}

/// Plies back to the latest position that a move can bring about again: the opponent has moved a man, the side to
/// move has moved one and moves it back, and the opponent's has come back as well.
const FIRST_RETURN: usize = 3;

/// Which of the positions so far, `oldest..count`, the side to move may be able to reach with its next move, the
/// latest first: those with the opponent to move that came from reversible moves alone. If it can, the node is worth
/// a draw at least, without searching it.
/// <https://www.chessprogramming.org/Repetitions>; the look at the board is [`crate::board::Position::can_return_to`].
pub fn within_reach(oldest: usize, count: usize) -> impl Iterator<Item = usize> {
    let end = if cycles_enabled() != 0 { (count + 1).saturating_sub(FIRST_RETURN) } else { 0 };
    (oldest..end).rev().step_by(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_with_the_opponent_to_move_are_within_reach() {
        // Ten positions lie before the present one, which would be number ten.
        let within: Vec<_> = within_reach(2, 10).collect();
        assert_eq!(within, [7, 5, 3]);
    }

    #[test]
    fn too_short_a_line_reaches_nothing() {
        assert_eq!(within_reach(0, 2).count(), 0);
        assert_eq!(within_reach(10, 10).count(), 0);
    }
}

//! Pruning in the search of captures behind the leaves.

use crate::search::tunables::tunables;
use crate::types::Score;

tunables! {
    /// Quiescence: pruning of captures that win too little, on or off.
    delta_enabled: 1 in 0..=1 step 1;
    /// Quiescence: what a capture may fall short of alpha by, beside the man it wins, in internal units.
    delta_margin: 300 in 60..=500 step 10;
}

/// Even with the man it takes and a margin on top, does a capture leave the side below alpha?
/// <https://www.chessprogramming.org/Delta_Pruning>
pub fn delta_pruning(standing_pat: Score, won_cp: i32, alpha: Score) -> bool {
    delta_enabled() != 0 && standing_pat + won_cp + delta_margin() <= alpha
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pawn_does_not_help_a_side_that_is_a_rook_down() {
        assert!(delta_pruning(Score(-500), 100, Score(0)));
        assert!(!delta_pruning(Score(-500), 900, Score(0)));
    }
}

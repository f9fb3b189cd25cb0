//! How much the static evaluation is corrected by experience, see [`crate::search::correction`].
//! <https://www.chessprogramming.org/Static_Evaluation_Correction_History>

use crate::search::tunables::tunables;
use crate::types::Score;

tunables! {
    /// Correction: on or off.
    correction_enabled: 1 in 0..=1 step 1;
    /// Correction: weight of the sum of all learned corrections, in 1/1024 internal units.
    correction_weight: 36 in 8..=96 step 4;
}

/// The evaluation with the sum of the learned corrections.
pub fn corrected(eval: Score, sum: i32) -> Score {
    eval + sum * correction_enabled() * correction_weight() / 1024
}

/// What an error of so many internal units teaches, found by a search of a depth: deeper ones teach more.
pub fn correction_lesson(error: i32, depth: i32) -> i32 {
    error * depth / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_have_the_sign_of_the_error() {
        assert!(correction_lesson(50, 4) > 0 && correction_lesson(-50, 4) < 0);
        assert!(corrected(Score(0), 400) > Score(0));
    }
}

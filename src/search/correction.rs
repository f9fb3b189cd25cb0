//! Corrections of the static evaluation, learned from what searches of similar positions found.
//! <https://www.chessprogramming.org/Static_Evaluation_Correction_History>

use super::heuristics::correction::{corrected, correction_lesson};
use crate::board::Keys;
use crate::types::{Color, Score};

/// Entries for each side and each kind of key.
const SIZE: usize = 16_384;
/// Kinds of keys: pawns, minor pieces, White's pieces, Black's pieces.
const KINDS: usize = 4;
/// Largest absolute value of an entry.
const LIMIT: i32 = 1024;

/// What was learned about positions with the same pawns, the same minor pieces, the same pieces of a side.
pub(super) struct Corrections(Box<[i16]>);

impl Corrections {
    pub fn new() -> Corrections {
        Corrections(vec![0; 2 * KINDS * SIZE].into_boxed_slice())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The evaluation as experience corrects it.
    #[inline]
    pub fn apply(&self, eval: Score, side: Color, keys: &Keys) -> Score {
        let sum = indexes(side, keys).into_iter().map(|index| i32::from(self.0[index])).sum();
        corrected(eval, sum).clamp_eval()
    }

    /// A search to this depth has found that the evaluation was off by so much.
    pub fn learn(&mut self, side: Color, keys: &Keys, error: i32, depth: i32) {
        let lesson = correction_lesson(error, depth).clamp(-LIMIT / 4, LIMIT / 4);
        for index in indexes(side, keys) {
            let entry = i32::from(self.0[index]);
            self.0[index] = (entry + lesson - entry * lesson.abs() / LIMIT) as i16;
        }
    }
}

#[inline]
fn indexes(side: Color, keys: &Keys) -> [usize; KINDS] {
    let keys = [keys.pawn, keys.minor, keys.non_pawn[0], keys.non_pawn[1]];
    std::array::from_fn(|kind| (side.index() * KINDS + kind) * SIZE + keys[kind] as usize % SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn an_evaluation_that_was_too_low_is_raised() {
        let mut corrections = Corrections::new();
        let start = Position::start();
        for _ in 0..50 {
            let error = Score(90) - corrections.apply(Score(10), Color::White, start.keys());
            corrections.learn(Color::White, start.keys(), error, 6);
        }
        let raised = corrections.apply(Score(10), Color::White, start.keys());
        assert!(raised > Score(60) && raised < Score(100), "{raised:?}");
        assert_eq!(corrections.apply(Score(10), Color::Black, start.keys()), Score(10));
    }
}

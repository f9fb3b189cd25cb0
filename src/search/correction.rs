//! Corrections of the static evaluation, learned from what searches of similar positions found.
//! <https://www.chessprogramming.org/Static_Evaluation_Correction_History>

use super::heuristics::correction::{corrected, correction_lesson};
use super::history::{PIECE_SQUARES, PieceTo, continuation_index};
use crate::board::Keys;
use crate::types::{Color, Score};

/// Entries for each side and each kind of key.
const SIZE: usize = 16_384;
/// Kinds of keys: pawns, minor pieces, White's pieces, Black's pieces.
const KINDS: usize = 4;
/// Entries found by keys; those found by moves follow.
const BY_KEYS: usize = 2 * KINDS * SIZE;
/// Largest absolute value of an entry.
const LIMIT: i32 = 1024;

/// What was learned about positions with the same pawns, the same minor pieces, the same pieces of a side, and about
/// those after the same two moves.
pub(super) struct Corrections(Box<[i16]>);

/// What the corrections of a position depend on.
pub(super) struct Likeness {
    pub side: Color,
    pub keys: Keys,
    /// The two moves that led to it, the earlier first, if they were moves.
    pub moves: Option<[PieceTo; 2]>,
}

impl Corrections {
    pub fn new() -> Corrections {
        Corrections(vec![0; BY_KEYS + PIECE_SQUARES * PIECE_SQUARES].into_boxed_slice())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The evaluation as experience corrects it.
    #[inline]
    pub fn apply(&self, eval: Score, likeness: &Likeness) -> Score {
        let entry = |index: usize| i32::from(self.0[index]);
        let sum = by_keys(likeness).into_iter().map(entry).sum::<i32>() + by_moves(likeness).map_or(0, entry);
        corrected(eval, sum).clamp_eval()
    }

    /// A search to this depth has found that the evaluation was off by so much.
    pub fn learn(&mut self, likeness: &Likeness, error: i32, depth: i32) {
        let lesson = correction_lesson(error, depth).clamp(-LIMIT / 4, LIMIT / 4);
        for index in by_keys(likeness).into_iter().chain(by_moves(likeness)) {
            let entry = i32::from(self.0[index]);
            self.0[index] = (entry + lesson - entry * lesson.abs() / LIMIT) as i16;
        }
    }
}

/// The entries of the keys.
#[inline]
fn by_keys(likeness: &Likeness) -> [usize; KINDS] {
    let Likeness { side, keys, .. } = likeness;
    let keys = [keys.pawn, keys.minor, keys.non_pawn[0], keys.non_pawn[1]];
    std::array::from_fn(|kind| (side.index() * KINDS + kind) * SIZE + keys[kind] as usize % SIZE)
}

/// The entry of the moves.
#[inline]
fn by_moves(likeness: &Likeness) -> Option<usize> {
    likeness.moves.map(|[before, last]| BY_KEYS + continuation_index(before, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::types::{Piece, PieceKind, Square};

    #[test]
    fn an_evaluation_that_was_too_low_is_raised() {
        let mut corrections = Corrections::new();
        let start = Position::start();
        let start = |side| Likeness { side, keys: *start.keys(), moves: None };
        for _ in 0..50 {
            let error = Score(90) - corrections.apply(Score(10), &start(Color::White));
            corrections.learn(&start(Color::White), error, 6);
        }
        let raised = corrections.apply(Score(10), &start(Color::White));
        assert!(raised > Score(60) && raised < Score(100), "{raised:?}");
        assert_eq!(corrections.apply(Score(10), &start(Color::Black)), Score(10));
    }

    #[test]
    fn what_followed_the_same_two_moves_is_remembered() {
        let mut corrections = Corrections::new();
        let knight = |side, to| PieceTo::new(Piece::new(side, PieceKind::Knight), to);
        let moves = Some([knight(Color::White, Square::F3), knight(Color::Black, Square::C6)]);
        let [one, other]: [Position; 2] =
            ["4k3/8/2n5/8/8/5N2/8/4K3 w - - 0 1", "3r2k1/p7/2n5/8/8/5N2/7P/R5K1 w - - 0 1"]
                .map(|fen| fen.parse().unwrap());
        corrections.learn(&Likeness { side: Color::White, keys: *one.keys(), moves }, 100, 8);
        let elsewhere = |moves| Likeness { side: Color::White, keys: *other.keys(), moves };
        assert!(corrections.apply(Score(0), &elsewhere(moves)) > Score(0));
        assert_eq!(corrections.apply(Score(0), &elsewhere(None)), Score(0));
    }
}

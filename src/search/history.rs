//! What moves have done elsewhere in the tree, to try the promising ones first.
//! <https://www.chessprogramming.org/History_Heuristic>

use super::heuristics::ordering::{history_bonus, history_malus, unanswered_bonus};
use crate::types::{Color, Move, Piece, PieceKind, Square};

/// Largest absolute value of an entry.
pub(super) const LIMIT: i32 = 16_384;

/// Pawn structures that are told apart.
const PAWN_STRUCTURES: usize = 512;

/// Pairs of a piece and a square.
pub(super) const PIECE_SQUARES: usize = 12 * 64;

/// A piece that has moved to a square, as an index into continuation tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    #[inline]
    pub fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece.index() * 64 + to.dense()) as u16)
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize % PIECE_SQUARES
    }
}

/// Entries that are cleared together, if one of them has changed. A search of a few nodes changes little of a
/// large table, and clearing all of it would take longer than the search.
const BLOCK: usize = 1024;

/// One table of entries that are pulled towards +-[`LIMIT`], the harder the further they are away.
struct Table {
    entries: Box<[i16]>,
    /// Blocks in which something has changed.
    touched: Box<[bool]>,
}

impl Table {
    fn new(size: usize) -> Table {
        let touched = vec![false; size.div_ceil(BLOCK)].into_boxed_slice();
        Table { entries: vec![0; size].into_boxed_slice(), touched }
    }

    fn clear(&mut self) {
        for (block, touched) in self.entries.chunks_mut(BLOCK).zip(&mut self.touched) {
            if std::mem::take(touched) {
                block.fill(0);
            }
        }
    }

    #[inline]
    fn get(&self, index: usize) -> i32 {
        i32::from(self.entries[index])
    }

    /// Adds a bonus with decay, so that no entry leaves the range and recent facts weigh most.
    #[inline]
    fn add(&mut self, index: usize, bonus: i32) {
        self.touched[index / BLOCK] = true;
        let entry = &mut self.entries[index];
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        *entry = (i32::from(*entry) + bonus - i32::from(*entry) * bonus.abs() / LIMIT) as i16;
    }
}

/// All histories of one thread.
pub(super) struct Histories {
    /// Quiet moves by color, from and to.
    quiet: Table,
    /// Captures by moving piece, square and kind taken.
    capture: Table,
    /// Moves by the piece and square of an earlier move, and their own.
    continuation: Table,
    /// Quiet moves by pawn structure, piece and square.
    pawns: Table,
}

/// How many plies back the continuation tables look.
pub(super) const CONTINUATION_PLIES: [usize; 2] = [1, 2];

/// A quiet move with all that its histories depend on.
pub(super) struct QuietContext {
    pub side: Color,
    pub m: Move,
    /// The moving man on his new square.
    pub mover: PieceTo,
    /// Key of the pawns on the board.
    pub pawns: u64,
    /// The moves so many plies before, if they were moves.
    pub earlier: [Option<PieceTo>; CONTINUATION_PLIES.len()],
}

impl Histories {
    pub fn new() -> Histories {
        Histories {
            quiet: Table::new(2 * 4096),
            capture: Table::new(PIECE_SQUARES * 6),
            continuation: Table::new(PIECE_SQUARES * PIECE_SQUARES),
            pawns: Table::new(PAWN_STRUCTURES * PIECE_SQUARES),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for table in [&mut self.quiet, &mut self.capture, &mut self.continuation, &mut self.pawns] {
            table.clear();
        }
    }

    /// How a quiet move has done, in history units, summed over the tables.
    #[inline]
    pub fn quiet(&self, quiet: &QuietContext) -> i32 {
        let plain = self.quiet.get(quiet_index(quiet)) + self.pawns.get(pawns_index(quiet));
        quiet
            .earlier
            .iter()
            .flatten()
            .fold(plain, |sum, before| sum + self.continuation.get(continuation_index(*before, quiet.mover)))
    }

    /// How a capture has done, in history units.
    #[inline]
    pub fn capture(&self, mover: PieceTo, taken: Option<PieceKind>) -> i32 {
        self.capture.get(capture_index(mover, taken))
    }

    /// A quiet move refuted at this depth, or did not.
    pub fn learn_quiet(&mut self, quiet: &QuietContext, lesson: Lesson) {
        let bonus = lesson.bonus();
        self.quiet.add(quiet_index(quiet), bonus);
        self.pawns.add(pawns_index(quiet), bonus);
        for before in quiet.earlier.iter().flatten() {
            self.continuation.add(continuation_index(*before, quiet.mover), bonus);
        }
    }

    /// A capture refuted at this depth, or did not.
    pub fn learn_capture(&mut self, mover: PieceTo, taken: Option<PieceKind>, lesson: Lesson) {
        self.capture.add(capture_index(mover, taken), lesson.bonus());
    }
}

/// What a node teaches about one of its moves.
#[derive(Clone, Copy)]
pub(super) enum Lesson {
    /// It refuted, with so many plies left.
    Refuted(i32),
    /// No reply to it was good, with so many plies left behind it.
    Unanswered(i32),
    /// It was tried before the move that refuted, in vain.
    Failed(i32),
}

impl Lesson {
    fn bonus(self) -> i32 {
        match self {
            Lesson::Refuted(depth) => history_bonus(depth),
            Lesson::Unanswered(depth) => unanswered_bonus(depth),
            Lesson::Failed(depth) => -history_malus(depth),
        }
    }
}

#[inline]
fn pawns_index(quiet: &QuietContext) -> usize {
    quiet.pawns as usize % PAWN_STRUCTURES * PIECE_SQUARES + quiet.mover.index()
}

#[inline]
fn quiet_index(quiet: &QuietContext) -> usize {
    quiet.side.index() << 12 | quiet.m.from_to_index()
}

#[inline]
fn capture_index(mover: PieceTo, taken: Option<PieceKind>) -> usize {
    // A promotion without capture shares its row with captures of a king, which do not exist.
    mover.index() * 6 + taken.map_or(PieceKind::King.index(), PieceKind::index)
}

#[inline]
pub(super) fn continuation_index(before: PieceTo, mover: PieceTo) -> usize {
    before.index() * PIECE_SQUARES + mover.index()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::MoveKind;

    #[test]
    fn entries_stay_in_range_however_often_they_are_praised() {
        let mut table = Table::new(1);
        for _ in 0..1000 {
            table.add(0, 3000);
        }
        assert!(table.get(0) > LIMIT / 2 && table.get(0) <= LIMIT);
        for _ in 0..1000 {
            table.add(0, -3000);
        }
        assert!(table.get(0) < -LIMIT / 2 && table.get(0) >= -LIMIT);
    }

    #[test]
    fn a_quiet_move_is_known_best_among_the_pawns_where_it_refuted() {
        let m = Move::new(Square::G1, Square::F3, MoveKind::Plain);
        let knight = Piece::new(Color::White, PieceKind::Knight);
        let among = |pawns| QuietContext {
            side: Color::White,
            m,
            mover: PieceTo::new(knight, m.to()),
            pawns,
            earlier: [None; CONTINUATION_PLIES.len()],
        };
        let mut histories = Histories::new();
        histories.learn_quiet(&among(1), Lesson::Refuted(5));
        assert!(histories.quiet(&among(1)) > histories.quiet(&among(2)));
        assert!(histories.quiet(&among(2)) > 0);
        histories.clear();
        assert_eq!(histories.quiet(&among(1)), 0);
    }

    #[test]
    fn a_cleared_table_holds_nothing() {
        let mut table = Table::new(3 * BLOCK + 7);
        for round in 0..2 {
            for index in [0, BLOCK - 1, BLOCK + round, 3 * BLOCK + 6] {
                table.add(index, 900);
            }
            table.clear();
            assert!(table.entries.iter().all(|&entry| entry == 0), "round {round}");
        }
    }
}

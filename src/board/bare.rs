//! Making a move bare of everything that only later moves would ask for, in order to count the replies.

use super::{KING_SLOT, NO_SQUARE, Position, man};
use crate::types::{CastlingRights, Move, MoveKind, Square, Wing};

impl Position {
    /// Number of legal moves after a legal move.
    #[inline]
    pub(super) fn count_replies(&self, m: Move) -> usize {
        let mut child = *self;
        child.play_bare(m);
        child.count_afresh()
    }

    /// Moves the men and what their replies depend on: no keys, clocks, checks or pins. An en passant square
    /// is set after every double step, whether anybody can capture or not.
    #[inline(always)]
    fn play_bare(&mut self, m: Move) {
        let (us, them) = (self.side.index(), (!self.side).index());
        let (from, to) = (m.from().index(), m.to().index());
        self.en_passant = NO_SQUARE;
        self.side = !self.side;
        let slot = self.cells[from | 8] & 15;
        if self.rights != CastlingRights::NONE {
            self.drop_rights(us, slot as usize, m);
        }
        if m.is_castling() {
            return self.castle_bare(us, m);
        }
        let mover = std::mem::take(&mut self.cells[from]);
        if self.cells[to] != 0 {
            self.kinds[them][(self.cells[to | 8] & 15) as usize] = 0;
        }
        self.cells[to] = mover;
        self.cells[to | 8] = (us as u8) << 4 | slot;
        self.squares[us][slot as usize] = to as u8;
        match m.kind() {
            MoveKind::Plain | MoveKind::Castling => {}
            MoveKind::DoubleStep => self.en_passant = (from as u8).midpoint(to as u8),
            MoveKind::EnPassant => {
                let victim = to ^ 0x10;
                self.cells[victim] = 0;
                self.kinds[them][(self.cells[victim | 8] & 15) as usize] = 0;
            }
            _ => {
                let kind = m.promotion().map_or(man::QUEEN, man::bits_of);
                self.cells[to] = kind | man::COLOR[us];
                self.kinds[us][slot as usize] = kind;
            }
        }
    }

    #[cold]
    fn castle_bare(&mut self, us: usize, m: Move) {
        let (king_from, rook_from) = (m.from(), m.to());
        let wing = if rook_from > king_from { Wing::Short } else { Wing::Long };
        let rook_slot = self.cells[rook_from.index() | 8] & 15;
        self.cells[king_from.index()] = 0;
        self.cells[rook_from.index()] = 0;
        for (file, kind, slot) in
            [(wing.king_file(), man::KING, KING_SLOT as u8), (wing.rook_file(), man::ROOK, rook_slot)]
        {
            let to = Square::new(file, king_from.rank());
            self.cells[to.index()] = kind | man::COLOR[us];
            self.cells[to.index() | 8] = (us as u8) << 4 | slot;
            self.squares[us][slot as usize] = to.to_0x88();
        }
    }

    /// A king's move ends his side's rights, a move from or to a castling rook's square that rook's.
    #[inline(always)]
    fn drop_rights(&mut self, us: usize, slot: usize, m: Move) {
        let mut left = self.rights.bits();
        if slot == KING_SLOT {
            left &= !(3 << (2 * us));
        }
        for (right, &rook) in self.rooks.iter().enumerate() {
            if rook == m.from().to_0x88() || rook == m.to().to_0x88() {
                left &= !(1 << right);
            }
        }
        if left != self.rights.bits() {
            self.rights = CastlingRights::from_bits(left);
            for right in 0..4 {
                if left >> right & 1 == 0 {
                    self.rooks[right] = NO_SQUARE;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_counted_as_they_are_written() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/8/3p4/1Pp4r/1K3p2/6k1/4P1P1/1R6 w - c6 0 3",
        ] {
            let root: Position = fen.parse().unwrap();
            for &m in &root.legal_moves() {
                let position = root.make(m);
                for &reply in &position.legal_moves() {
                    let expected = position.make(reply).legal_moves().len();
                    assert_eq!(position.count_replies(reply), expected, "{position} {reply:?}");
                }
            }
        }
    }
}

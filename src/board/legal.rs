//! Legality of a single move, without generating: for moves from the table and from outside.

use super::check::lane_square;
use super::{Position, difference, man};
use crate::types::{CastlingRights, Color, Move, MoveKind, Square, Step, Wing};

impl Position {
    /// Is the move legal here? Any move may be asked, whatever its bits.
    pub fn is_legal(&self, m: Move) -> bool {
        let us = self.side;
        let own = man::COLOR[us.index()];
        let mover = self.cells[m.from().index()];
        if mover & own == 0 || Move::new_checked(m.from(), m.to(), m.kind()) != Some(m) {
            return false;
        }
        if m.is_castling() {
            return mover & man::KING != 0 && self.castling_wing(m).is_some_and(|wing| self.can_castle(wing));
        }
        if self.cells[m.to().index()] & own != 0 {
            return false;
        }
        if mover & man::KING != 0 {
            return m.kind() == MoveKind::Plain
                && difference::could_attack(mover, Step::between(m.from(), m.to()).0)
                && !self.is_attacked_through(m.to(), !us, [m.from().to_0x88(), super::NO_SQUARE]);
        }
        if mover & man::PAWN != 0 {
            if !self.is_pawn_move(m) {
                return false;
            }
        } else if m.kind() != MoveKind::Plain || !self.attacks(m.from(), m.to()) {
            return false;
        }
        if m.is_en_passant() { self.en_passant_is_safe(m.from(), m.to()) } else { self.keeps_king_safe(m) }
    }

    /// The wing of a castling move, if the move leads the king to a rook that may castle.
    pub(super) fn castling_wing(&self, m: Move) -> Option<Wing> {
        Wing::BOTH
            .into_iter()
            .find(|&wing| self.rooks[CastlingRights::slot(self.side, wing)] == m.to().to_0x88())
            .filter(|_| m.from() == self.king_square(self.side))
    }

    /// Does a pawn move so, his king's safety aside?
    fn is_pawn_move(&self, m: Move) -> bool {
        let us = self.side;
        let forward = Step::forward(us);
        let distance = Step::between(m.from(), m.to());
        let last_rank = 7 - us.home_rank();
        if m.is_promotion() != (m.to().rank() == last_rank) {
            return false;
        }
        let target = self.cells[m.to().index()];
        match m.kind() {
            MoveKind::DoubleStep => {
                let start_rank = if us == Color::White { 1 } else { 6 };
                let passed = m.from().to_0x88().wrapping_add(forward.0);
                m.from().rank() == start_rank
                    && distance == Step(forward.0.wrapping_mul(2))
                    && target == 0
                    && self.cells[(passed & 0x77) as usize] == 0
            }
            MoveKind::EnPassant => {
                m.to().to_0x88() == self.en_passant && Step::pawn_captures(us).contains(&distance)
            }
            MoveKind::Castling => false,
            _ if distance == forward => target == 0,
            _ => target != 0 && Step::pawn_captures(us).contains(&distance),
        }
    }

    /// Is the king safe after the move of another man, which may be neither castling nor en passant?
    fn keeps_king_safe(&self, m: Move) -> bool {
        let king = self.king_square(self.side);
        if self.checkers != 0 {
            if self.checkers & (self.checkers - 1) != 0 {
                return false;
            }
            let checker = lane_square(king, self.checkers.trailing_zeros());
            let blocks = difference::line_step(king, checker).is_some()
                && difference::line_step(king, m.to()) == difference::line_step(king, checker)
                && difference::line_step(m.to(), checker) == difference::line_step(king, checker);
            if m.to() != checker && !blocks {
                return false;
            }
        }
        let slot = self.cells[m.from().index() | 8] & 15;
        if self.pinned >> slot & 1 == 0 {
            return true;
        }
        let line = difference::DIRECTION[Step::between(king, m.from()).0 as usize];
        let on_line = difference::line_step(king, m.to()).is_some();
        self.checkers == 0 && on_line && difference::DIRECTION[Step::between(king, m.to()).0 as usize] == line
    }

    /// Does the legal move give check?
    #[inline]
    pub fn gives_check(&self, m: Move) -> bool {
        if m.kind() != MoveKind::Plain && m.kind() != MoveKind::DoubleStep {
            return self.make(m).in_check();
        }
        let their_king = self.king_square(!self.side);
        let mover = self.cells[m.from().index()];
        // The mover himself. He cannot have hidden this check from his own square.
        if difference::could_attack(mover, Step::between(m.to(), their_king).0)
            && self.is_open(m.to(), their_king)
        {
            return true;
        }
        // A man behind him.
        let line = difference::line_step(their_king, m.from());
        line.is_some_and(|step| self.uncovers_check(m, their_king, step))
    }

    /// Does a man who leaves his square let one behind him attack a king? The step leads from the king to the square.
    fn uncovers_check(&self, m: Move, king: Square, step: Step) -> bool {
        if difference::line_step(king, m.to()) == Some(step) || !self.is_open(m.from(), king) {
            return false;
        }
        m.from()
            .ray(step)
            .map(|square| (square, self.cells[square.index()]))
            .find(|&(_, man)| man != 0)
            .is_some_and(|(square, man)| {
                man & man::COLOR[self.side.index()] != 0
                    && man & man::QUEEN != 0
                    && difference::could_attack(man, Step::between(square, king).0)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions with every special move, checks and pins.
    const FENS: [&str; 6] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "8/8/3p4/1Pp4r/1K3p2/6k1/4P1P1/1R6 w - c6 0 3",
    ];

    #[test]
    fn of_all_words_exactly_the_generated_moves_are_legal() {
        for fen in FENS {
            let position: Position = fen.parse().unwrap();
            let moves = position.legal_moves();
            for m in (0..=u16::MAX).filter_map(Move::from_bits) {
                assert_eq!(position.is_legal(m), moves.contains(&m), "{fen} {m:?} {:?}", m.kind());
            }
        }
    }

    #[test]
    fn a_move_gives_check_exactly_if_the_other_side_is_in_check_after_it() {
        for fen in FENS {
            let position: Position = fen.parse().unwrap();
            for &m in &position.legal_moves() {
                let after = position.make(m);
                assert_eq!(position.gives_check(m), after.in_check(), "{fen} {m:?}");
                for &reply in &after.legal_moves() {
                    assert_eq!(after.gives_check(reply), after.make(reply).in_check(), "{after} {reply:?}");
                }
            }
        }
    }

    #[test]
    fn a_discovered_check_is_seen() {
        let position: Position = "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1".parse().unwrap();
        let m = Move::new(Square::E4, Square::C3, MoveKind::Plain);
        assert!(position.gives_check(m));
    }
}

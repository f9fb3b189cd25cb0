//! Making moves: a new position each time, the old one untouched.

use super::zobrist::{Keys, WORDS};
use super::{Delta, KING_SLOT, NO_SQUARE, Position, man};
use crate::types::{CastlingRights, Color, Move, MoveKind, Piece, PieceKind, Square, Step};

impl Position {
    /// The position after a legal move, and what has changed on the board.
    pub(super) fn make_scalar(&self, m: Move, child: &mut Position) -> Delta {
        *child = *self;
        let delta = child.play(m);
        child.finish_turn();
        delta
    }

    /// The position after passing, which only a search may do. The side to move must not be in check.
    pub fn make_null(&self) -> Position {
        debug_assert!(!self.in_check());
        let mut child = *self;
        child.keys.main ^= en_passant_word(child.en_passant);
        child.en_passant = NO_SQUARE;
        child.halfmoves = child.halfmoves.saturating_add(1);
        child.pass_turn();
        child.finish_turn();
        child
    }

    /// The key after a legal plain move, perhaps without a change of castling rights or en passant: good
    /// enough to fetch a table entry early.
    #[inline]
    pub fn key_after(&self, m: Move) -> u64 {
        let (from, to) = (m.from().index(), m.to().index());
        let (mover, taken) = (self.cells[from], self.cells[to]);
        let men = &WORDS.men;
        let (us, them) = (self.side.index(), (!self.side).index());
        let mover_kind = (mover & man::KIND) as usize % 17;
        self.keys.main
            ^ WORDS.black_to_move
            ^ en_passant_word(self.en_passant)
            ^ men[us][mover_kind][from]
            ^ men[us][mover_kind][to]
            ^ men[them][(taken & man::KIND) as usize % 17][to]
    }

    /// Moves the men, with everything that follows but checks and pins.
    #[inline]
    pub(super) fn play(&mut self, m: Move) -> Delta {
        let us = self.side;
        let (from, to) = (m.from(), m.to());
        let mut delta = Delta::EMPTY;
        self.keys.main ^= en_passant_word(self.en_passant);
        self.en_passant = NO_SQUARE;
        self.halfmoves = self.halfmoves.saturating_add(1);
        if m.is_castling() {
            self.play_castling(m, &mut delta);
            self.pass_turn();
            return delta;
        }

        let mover = self.cells[from.index()];
        let victim_square = if m.is_en_passant() { Square::known(to.to_0x88() ^ 0x10) } else { to };
        if self.cells[victim_square.index()] != 0 {
            self.remove(victim_square, &mut delta);
            self.halfmoves = 0;
        }
        if mover & man::PAWN != 0 {
            self.halfmoves = 0;
        }
        let slot = self.lift(from);
        let arriving = match m.promotion() {
            Some(kind) => man::bits_of(kind),
            None => mover & man::KIND,
        };
        self.put(us, slot, arriving, to);
        let kind = man::kind_of(mover);
        if m.is_promotion() {
            delta.push(Piece::new(us, PieceKind::Pawn), Some(from), None);
            delta.push(Piece::new(us, man::kind_of(arriving)), None, Some(to));
        } else {
            delta.push(Piece::new(us, kind), Some(from), Some(to));
        }
        self.lose_rights(slot, from, to);
        self.pass_turn();
        if m.kind() == MoveKind::DoubleStep {
            self.offer_en_passant(from, to);
        }
        delta
    }

    /// King and rook leave both squares before either arrives: in Chess960 they may swap.
    fn play_castling(&mut self, m: Move, delta: &mut Delta) {
        let us = self.side;
        let (king_from, rook_from) = (m.from(), m.to());
        let wing = self.castling_wing(m).expect("a legal castling has a rook with rights");
        let king_to = Square::new(wing.king_file(), us.home_rank());
        let rook_to = Square::new(wing.rook_file(), us.home_rank());
        self.lift(king_from);
        let rook_slot = self.lift(rook_from);
        self.put(us, KING_SLOT, man::KING, king_to);
        self.put(us, rook_slot, man::ROOK, rook_to);
        delta.push(Piece::new(us, PieceKind::King), Some(king_from), Some(king_to));
        delta.push(Piece::new(us, PieceKind::Rook), Some(rook_from), Some(rook_to));
        self.lose_rights(KING_SLOT, king_from, king_from);
    }

    /// Takes a man off his square, not off the roster; gives his slot.
    #[inline]
    fn lift(&mut self, square: Square) -> usize {
        let man = std::mem::take(&mut self.cells[square.index()]);
        self.keys.toggle(man::color_of(man), man, square.index());
        (self.cells[square.index() | 8] & 15) as usize
    }

    /// Puts the man of a slot on an empty square.
    #[inline]
    fn put(&mut self, color: Color, slot: usize, kind: u8, square: Square) {
        self.cells[square.index()] = kind | man::COLOR[color.index()];
        self.cells[square.index() | 8] = (color as u8) << 4 | slot as u8;
        self.squares[color.index()][slot & 15] = square.to_0x88();
        self.kinds[color.index()][slot & 15] = kind;
        self.keys.toggle(color, kind, square.index());
    }

    /// Removes an enemy man from board and roster.
    #[inline]
    fn remove(&mut self, square: Square, delta: &mut Delta) {
        let man = self.cells[square.index()];
        let slot = self.lift(square);
        let color = man::color_of(man);
        self.kinds[color.index()][slot] = 0;
        delta.push(Piece::new(color, man::kind_of(man)), Some(square), None);
    }

    /// A king's move ends his side's rights, a move from or to a castling rook's square that rook's.
    #[inline]
    pub(super) fn lose_rights(&mut self, slot: usize, from: Square, to: Square) {
        if self.rights == CastlingRights::NONE {
            return;
        }
        let mut lost = if slot == KING_SLOT { 3 << (2 * self.side.index()) } else { 0 };
        for (right, &rook) in self.rooks.iter().enumerate() {
            if rook == from.to_0x88() || rook == to.to_0x88() {
                lost |= 1 << right;
            }
        }
        let left = CastlingRights::from_bits(self.rights.bits() & !lost);
        if left != self.rights {
            self.keys.main ^= WORDS.rights[self.rights.bits() as usize] ^ WORDS.rights[left.bits() as usize];
            self.rights = left;
            for right in 0..4 {
                if left.bits() >> right & 1 == 0 {
                    self.rooks[right] = NO_SQUARE;
                }
            }
        }
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.fullmove = self.fullmove.saturating_add(self.side as u32);
        self.side = !self.side;
        self.keys.main ^= WORDS.black_to_move;
    }

    /// After a double step: the square behind the pawn is kept only if an enemy pawn beside it may
    /// legally capture there, so that equal keys mean equal positions (FIDE 9.2.3).
    pub(super) fn offer_en_passant(&mut self, from: Square, to: Square) {
        let behind = Square::known(from.to_0x88().midpoint(to.to_0x88()));
        if self.can_capture_en_passant(behind) {
            self.en_passant = behind.to_0x88();
            self.keys.main ^= en_passant_word(self.en_passant);
        }
    }

    /// May a pawn of the side to move legally capture on this square, behind a pawn that has just
    /// made a double step?
    pub(super) fn can_capture_en_passant(&self, behind: Square) -> bool {
        let own_pawn = man::PAWN | man::COLOR[self.side.index()];
        Step::pawn_captures(!self.side).into_iter().any(|step| {
            behind.offset(step).is_some_and(|capturer| {
                self.cells[capturer.index()] == own_pawn && self.en_passant_is_safe(capturer, behind)
            })
        })
    }

    /// Finds checks and pins for the side whose turn has come.
    #[inline]
    pub(super) fn finish_turn(&mut self) {
        let survey = self.survey_king(self.side);
        self.checkers = survey.checkers;
        self.pinned = survey.pinned;
    }

    /// The keys from scratch.
    pub(super) fn keys_from_scratch(&self) -> Keys {
        let mut keys = Keys::default();
        for color in Color::BOTH {
            for (kind, square) in self.men(color) {
                keys.toggle(color, man::bits_of(kind), square.index());
            }
        }
        keys.main ^= WORDS.rights[self.rights.bits() as usize] ^ en_passant_word(self.en_passant);
        if self.side == Color::Black {
            keys.main ^= WORDS.black_to_move;
        }
        keys
    }
}

/// The word of an en passant square's file, 0 for no square.
#[inline]
fn en_passant_word(square: u8) -> u64 {
    // A square beside the board has bit 3 set, where the table holds zeros.
    WORDS.en_passant[(square & 15) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation;

    fn after(fen: &str, moves: &str) -> Position {
        let mut position: Position = fen.parse().unwrap();
        for text in moves.split_whitespace() {
            position = position.make(notation::parse_uci(&position, text).unwrap());
        }
        position
    }

    #[test]
    fn two_ways_to_one_position_give_one_key() {
        let start = crate::board::fen::START;
        let one = after(start, "g1f3 g8f6 b1c3 b8c6");
        let other = after(start, "b1c3 b8c6 g1f3 g8f6");
        assert_eq!(one.keys(), other.keys());
    }

    #[test]
    fn en_passant_is_kept_only_if_it_is_legal() {
        let start = crate::board::fen::START;
        assert_eq!(after(start, "e2e4").en_passant(), None);
        assert_eq!(after(start, "e2e4 a7a6 e4e5 d7d5").en_passant(), Some(Square::D6));
        // The capture would uncover the rook on the fifth rank.
        assert_eq!(after("8/3p4/8/KP5r/8/8/8/4k3 b - - 0 1", "d7d5").en_passant(), None);
        assert_eq!(after("8/2p5/8/KP5r/8/8/8/4k3 b - - 0 1", "c7c5").en_passant(), None);
    }

    #[test]
    fn castling_moves_both_men_and_ends_the_rights() {
        let castled = after("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1 e8c8");
        assert_eq!(castled.to_string(), "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
    }

    #[test]
    fn capturing_a_rook_ends_its_castling() {
        let position = after("r3k2r/8/8/8/8/8/6B1/R3K2R w KQkq - 0 1", "g2a8");
        assert_eq!(position.to_string(), "B3k2r/8/8/8/8/8/8/R3K2R b KQk - 0 1");
    }

    #[test]
    fn passing_twice_returns_to_the_same_position_but_for_the_clock() {
        let start = Position::start();
        assert_eq!(start.make_null().make_null().keys(), start.keys());
    }
}

//! Castling: whether the way is free and safe, in standard chess and Chess960 alike.

use super::shadow::{gathered, men_in};
use super::{NO_SQUARE, Position};
use crate::types::{CastlingRights, Square, Wing};

impl Position {
    /// May the king castle to the wing now?
    pub(super) fn can_castle(&self, wing: Wing) -> bool {
        if self.checkers != 0 {
            return false;
        }
        let Some(mut path) = self.castling_path(wing) else { return false };
        let king = self.king_square(self.side).to_0x88();
        let rook = self.rooks[CastlingRights::slot(self.side, wing)];
        while path != 0 {
            let square = Square::new(path.trailing_zeros() as u8, self.side.home_rank());
            if self.is_attacked_through(square, !self.side, [king, rook]) {
                return false;
            }
            path &= path - 1;
        }
        true
    }

    /// Files of the squares of the home rank, as bits, that the enemy must not attack if the king is to castle;
    /// none if he has no right or if men are in the way.
    ///
    /// Where the king stands is known, but where he lands is asked even if he stays: the rook that leaves may
    /// have shielded him.
    #[inline]
    pub(super) fn castling_path(&self, wing: Wing) -> Option<u8> {
        let us = self.side;
        let rook = self.rooks[CastlingRights::slot(us, wing)];
        if rook == NO_SQUARE {
            return None;
        }
        let (king_from, rook_from) = (self.king_square(us).file(), rook & 7);
        let king_path = span(king_from, wing.king_file());
        let rook_path = span(rook_from, wing.rook_file());
        let row = self.row(us.home_rank());
        let men = gathered(men_in(row, us) | men_in(row, !us)) as u8;
        let others = men & !(1 << king_from | 1 << rook_from);
        (others & (king_path | rook_path) == 0)
            .then_some(king_path & !(1 << king_from) | 1 << wing.king_file())
    }
}

/// The files from one to another, both included, as bits.
#[inline(always)]
const fn span(from: u8, to: u8) -> u8 {
    let (low, high) = if from < to { (from, to) } else { (to, from) };
    0xFF << low & 0xFF >> (7 - high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_both_its_ends() {
        assert_eq!((span(4, 6), span(6, 4), span(2, 2)), (0x70, 0x70, 0x04));
    }

    #[test]
    fn an_attack_on_the_rook_or_on_b1_does_not_hinder() {
        let position: Position = "4k3/8/8/8/8/3n4/8/R3K2R w KQ - 0 1".parse().unwrap();
        assert!(!position.can_castle(Wing::Short) && !position.can_castle(Wing::Long)); // in check
        let position: Position = "1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse().unwrap();
        assert!(position.can_castle(Wing::Short) && position.can_castle(Wing::Long));
        let position: Position = "3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse().unwrap();
        assert!(position.can_castle(Wing::Short) && !position.can_castle(Wing::Long));
    }
}

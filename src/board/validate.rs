//! Consistency of a position's parts: what `make` must keep. Runs after every move in debug builds.

use super::{KING_SLOT, NO_SQUARE, Position, man};
use crate::types::{CastlingRights, Color, Piece, PieceKind, Square, Wing};

impl Position {
    /// Checks that board, roster, keys, checks, pins and rights agree, for tests.
    ///
    /// # Errors
    /// The first disagreement.
    pub fn validate(&self) -> Result<(), &'static str> {
        let checks: [(bool, &str); 6] = [
            (self.roster_matches_board(), "roster and board disagree"),
            (self.kings_are_in_their_slots(), "a king is not in slot 0"),
            (self.keys == self.keys_from_scratch(), "keys are stale"),
            (self.rights_match_rooks(), "castling rights and rooks disagree"),
            (self.check_info_is_fresh(), "checks or pins are stale"),
            (
                !self.is_attacked(self.king_square(!self.side), self.side),
                "the side that moved has left its king in check",
            ),
        ];
        checks.into_iter().find(|&(holds, _)| !holds).map_or(Ok(()), |(_, fault)| Err(fault))
    }

    fn roster_matches_board(&self) -> bool {
        let on_board = Square::all().filter(|square| self.cells[square.index()] != 0).count();
        let mut on_roster = 0;
        for color in Color::BOTH {
            for slot in 0..16 {
                let kind = self.kinds[color.index()][slot];
                if kind == 0 {
                    continue;
                }
                on_roster += 1;
                let square = self.squares[color.index()][slot] as usize;
                if self.cells[square] != kind | man::COLOR[color.index()]
                    || self.cells[square | 8] as usize != color.index() << 4 | slot
                {
                    return false;
                }
            }
        }
        on_board == on_roster
    }

    fn kings_are_in_their_slots(&self) -> bool {
        Color::BOTH.into_iter().all(|color| self.kinds[color.index()][KING_SLOT] == man::KING)
    }

    fn rights_match_rooks(&self) -> bool {
        Color::BOTH.into_iter().all(|color| {
            Wing::BOTH.into_iter().all(|wing| {
                let rook = self.rooks[CastlingRights::slot(color, wing)];
                if !self.rights.has(color, wing) {
                    return rook == NO_SQUARE;
                }
                let king = self.king_square(color);
                king.rank() == color.home_rank()
                    && rook >> 4 == color.home_rank()
                    && Square::from_0x88(rook).and_then(|square| self.piece_on(square))
                        == Some(Piece::new(color, PieceKind::Rook))
                    && (rook > king.to_0x88()) == (wing == Wing::Short)
            })
        })
    }

    fn check_info_is_fresh(&self) -> bool {
        let survey = self.survey_king(self.side);
        (self.checkers, self.pinned) == (survey.checkers, survey.pinned)
    }
}

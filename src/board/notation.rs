//! Moves as UCI text.

use super::{Position, man};
use crate::types::{Color, Move, MoveKind, PieceKind, Square, Wing};

/// Why a text is no legal move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum MoveError {
    #[error("{0:?} is not a move")]
    NotAMove(String),
    #[error("move {0} is not legal here")]
    Illegal(String),
    #[error("move {0} fits several pieces")]
    Ambiguous(String),
}

/// Reads a move in UCI text: `e2e4`, `e7e8q`; castling as the king's step of two or as king takes rook.
/// A king's step to the next square is always just that.
///
/// # Errors
/// A [`MoveError`] if the text is no move or the move not legal.
///
/// ```
/// use clavier::board::{Position, notation};
/// assert!(notation::parse_uci(&Position::start(), "g1f3").is_ok());
/// assert!(notation::parse_uci(&Position::start(), "g1f4").is_err());
/// ```
pub fn parse_uci(position: &Position, text: &str) -> Result<Move, MoveError> {
    let (from, to, promotion) =
        split_uci(text).ok_or_else(|| MoveError::NotAMove(text.chars().take(20).collect()))?;
    let m = infer(position, from, to, promotion);
    m.filter(|&m| position.is_legal(m)).ok_or_else(|| MoveError::Illegal(text.to_owned()))
}

/// The move in UCI text. Castling is written as king takes rook if `chess960` is set or if king or rook do
/// not stand as in standard chess.
pub fn format_uci(position: &Position, m: Move, chess960: bool) -> String {
    let mut to = m.to();
    if m.is_castling() {
        let is_standard = m.from().file() == 4 && matches!(to.file(), 0 | 7);
        if is_standard && !chess960 {
            let wing = if to > m.from() { Wing::Short } else { Wing::Long };
            to = Square::new(wing.king_file(), position.side_to_move().home_rank());
        }
    }
    match m.promotion() {
        Some(kind) => format!("{}{to}{}", m.from(), kind.letter()),
        None => format!("{}{to}", m.from()),
    }
}

fn split_uci(text: &str) -> Option<(Square, Square, Option<PieceKind>)> {
    if !text.is_ascii() || !(4..=5).contains(&text.len()) {
        return None;
    }
    let promotion = match text[4..].chars().next() {
        None => None,
        Some(letter) => Some(
            PieceKind::from_letter(letter)
                .filter(|kind| !matches!(kind, PieceKind::Pawn | PieceKind::King))?,
        ),
    };
    Some((text[..2].parse().ok()?, text[2..4].parse().ok()?, promotion))
}

/// The move that leads from square to square here, its kind found from the men; it may not be legal.
fn infer(position: &Position, from: Square, to: Square, promotion: Option<PieceKind>) -> Option<Move> {
    if from == to {
        return None;
    }
    let us = position.side_to_move();
    let mover = position.cells[from.index()];
    let kind = match promotion {
        Some(kind) => MoveKind::promotion(kind),
        None if mover & man::PAWN != 0 => {
            if position.en_passant() == Some(to) && from.file() != to.file() {
                MoveKind::EnPassant
            } else if from.rank().abs_diff(to.rank()) == 2 {
                MoveKind::DoubleStep
            } else {
                MoveKind::Plain
            }
        }
        None => MoveKind::Plain,
    };
    if mover & man::KING != 0
        && kind == MoveKind::Plain
        && let Some(rook) = castling_target(position, from, to, us)
    {
        return Some(Move::new(from, rook, MoveKind::Castling));
    }
    Some(Move::new(from, to, kind))
}

/// The castling rook, if the king's move from square to square means castling.
fn castling_target(position: &Position, from: Square, to: Square, us: Color) -> Option<Square> {
    Wing::BOTH.into_iter().find_map(|wing| {
        let rook = position.castling_rook(us, wing)?;
        let king_lands = Square::new(wing.king_file(), us.home_rank());
        let steps_far = from.file().abs_diff(to.file()) > 1;
        (to == rook || (to == king_lands && steps_far)).then_some(rook)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    #[test]
    fn both_ways_to_write_castling_are_read() {
        let position: Position = CASTLING.parse().unwrap();
        let castling = Move::new(Square::E1, Square::H1, MoveKind::Castling);
        assert_eq!(parse_uci(&position, "e1g1"), Ok(castling));
        assert_eq!(parse_uci(&position, "e1h1"), Ok(castling));
        assert_eq!(format_uci(&position, castling, false), "e1g1");
        assert_eq!(format_uci(&position, castling, true), "e1h1");
    }

    #[test]
    fn a_king_step_to_the_next_square_is_a_king_step() {
        // The king on f1 could castle short to g1 as well; f1g1 is the step.
        let position: Position = "4k3/8/8/8/8/8/8/5K1R w H - 0 1".parse().unwrap();
        assert_eq!(parse_uci(&position, "f1g1").unwrap().kind(), MoveKind::Plain);
        assert_eq!(parse_uci(&position, "f1h1").unwrap().kind(), MoveKind::Castling);
    }

    #[test]
    fn nonsense_is_refused() {
        let position = Position::start();
        for text in ["", "e2", "e2e4e5", "e9e4", "0000", "e2e2", "e2e4k", "ööö", "e7e8q"] {
            assert!(parse_uci(&position, text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_promotion_letter_may_be_upper_case() {
        let position: Position = "8/4P3/8/6k1/8/8/8/4K3 w - - 0 1".parse().unwrap();
        assert_eq!(parse_uci(&position, "e7e8Q"), parse_uci(&position, "e7e8q"));
        assert!(parse_uci(&position, "e7e8").is_err());
    }
}

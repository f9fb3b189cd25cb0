//! Our positions as those of shakmaty, without a way through text.

use crate::board::Position;
use crate::types::{Color, PieceKind, Square};
use shakmaty::{CastlingMode, Chess, FromSetup, PositionError, Setup};

/// The position for the tables; none if shakmaty does not take it. There is no castling in it.
pub fn to_shakmaty(position: &Position) -> Option<Chess> {
    let mut setup = Setup::empty();
    for color in Color::BOTH {
        for (kind, square) in position.men(color) {
            setup.board.set_piece_at(
                square_of(square),
                shakmaty::Piece { color: color_of(color), role: role_of(kind) },
            );
        }
    }
    setup.turn = color_of(position.side_to_move());
    setup.ep_square = position.en_passant().map(square_of);
    setup.halfmoves = position.halfmoves();
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}

fn square_of(square: Square) -> shakmaty::Square {
    shakmaty::Square::new(square.dense() as u32)
}

fn color_of(color: Color) -> shakmaty::Color {
    match color {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    }
}

fn role_of(kind: PieceKind) -> shakmaty::Role {
    match kind {
        PieceKind::Pawn => shakmaty::Role::Pawn,
        PieceKind::Knight => shakmaty::Role::Knight,
        PieceKind::Bishop => shakmaty::Role::Bishop,
        PieceKind::Rook => shakmaty::Role::Rook,
        PieceKind::Queen => shakmaty::Role::Queen,
        PieceKind::King => shakmaty::Role::King,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{EnPassantMode, fen::Fen};

    #[test]
    fn positions_arrive_unchanged() {
        for fen in [
            "4k3/8/8/8/8/8/8/4K2R b - - 7 1",
            "8/8/8/8/4Pp2/8/8/4K2k b - e3 0 1",
            "8/8/2k5/8/8/3Q4/2n5/K7 w - - 99 1",
        ] {
            let chess = to_shakmaty(&fen.parse().unwrap()).unwrap();
            assert_eq!(Fen::from_position(&chess, EnPassantMode::Legal).to_string(), fen);
        }
    }
}

//! The way to mate a lone king. Self-play is adjudicated long before, so the network has never seen it.
//! <https://www.chessprogramming.org/Mop-up_Evaluation>

use crate::board::{Position, see};
use crate::types::{Color, PieceKind, Score, Square};

/// A lone king facing men who can mate him, in internal units.
const LONE_KING: i32 = 500;
/// Each step of the lone king away from the middle, in internal units.
const TO_EDGE: i32 = 20;
/// Each step of the lone king towards the corner where bishop and knight mate, in internal units.
const TO_CORNER: i32 = 150;
/// Each step that the kings are nearer to each other, in internal units.
const KINGS_NEAR: i32 = 10;

/// The value, for the side to move, where a side has nothing but its king and the other can mate him; the network is
/// not asked then. Bishop and knight mate in a corner of the bishop's color, all others at any edge. The value does not
/// fade towards the fifty-move draw: that would reward short lines more than driving the king.
#[inline]
pub fn mop_up(position: &Position) -> Option<Score> {
    let us = position.side_to_move();
    match (position.is_lone_king(us), position.is_lone_king(!us)) {
        (false, false) | (true, true) => None,
        (true, false) => drive(position, !us).map(|score| -score),
        (false, true) => drive(position, us),
    }
}

/// The value for the side that has to mate, if it can.
#[cold]
fn drive(position: &Position, winner: Color) -> Option<Score> {
    let count = |kind| position.count(winner, kind);
    let (bishops, knights) = (count(PieceKind::Bishop), count(PieceKind::Knight));
    let is_heavy = count(PieceKind::Queen) + count(PieceKind::Rook) > 0;
    if !is_heavy && bishops < 2 && (bishops == 0 || knights == 0) {
        return None;
    }
    let king = position.king_square(!winner);
    let driven = if is_heavy || bishops > 1 {
        TO_EDGE * steps_to_center(king)
    } else {
        let bishop = position.men(winner).find(|&(kind, _)| kind == PieceKind::Bishop);
        bishop.map_or(0, |(_, square)| TO_CORNER * (7 - steps_to_corner(king, square.is_light())))
    };
    let near = 14 - steps(king, position.king_square(winner));
    let material: i32 = position.men(winner).skip(1).map(|(kind, _)| see::value(kind)).sum();
    Some(Score(LONE_KING + material + driven + KINGS_NEAR * near).clamp_eval())
}

/// Steps by file and rank from one square to another.
fn steps(one: Square, other: Square) -> i32 {
    i32::from(one.file().abs_diff(other.file()) + one.rank().abs_diff(other.rank()))
}

/// Steps by file and rank to the four squares in the middle.
fn steps_to_center(square: Square) -> i32 {
    let outward = |line: u8| i32::from(line.abs_diff(3).min(line.abs_diff(4)));
    outward(square.file()) + outward(square.rank())
}

/// Steps by file and rank to the nearer corner of a color.
fn steps_to_corner(square: Square, light: bool) -> i32 {
    let corners = if light { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] };
    corners.into_iter().map(|corner| steps(square, corner)).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(fen: &str) -> i32 {
        mop_up(&fen.parse().unwrap()).unwrap().0
    }

    #[test]
    fn the_edge_is_better_than_the_middle_and_near_kings_than_far_ones() {
        assert!(value("k7/8/8/8/8/8/8/K6R w - - 0 1") > value("8/8/8/3k4/8/8/8/K6R w - - 0 1"));
        assert!(value("k7/8/1K6/8/8/8/8/7R w - - 0 1") > value("k7/8/8/8/8/8/8/K6R w - - 0 1"));
    }

    #[test]
    fn bishop_and_knight_want_the_bishops_corner() {
        // A bishop on c1 goes on dark squares: a1 and h8.
        let in_corner = |corner: &str| value(&format!("{corner} w - - 0 1"));
        assert!(in_corner("7k/8/5K2/8/8/8/8/1NB5") > in_corner("k7/8/2K5/8/8/8/8/1NB5"));
    }

    #[test]
    fn the_value_is_that_of_the_side_to_move() {
        let [white, black] = ["w", "b"].map(|side| value(&format!("8/8/8/3k4/8/8/8/K6R {side} - - 0 1")));
        assert!(white > 0 && black == -white);
    }

    #[test]
    fn where_nobody_can_mate_or_defend_the_network_knows_better() {
        for fen in [
            "8/8/8/3k4/8/8/8/KNN5 w - - 0 1",
            "8/8/8/3k4/8/8/P7/K7 w - - 0 1",
            "8/3p4/8/3k4/8/8/8/K6R w - - 0 1",
            "8/8/8/3k4/8/8/8/K7 w - - 0 1",
        ] {
            assert_eq!(mop_up(&fen.parse().unwrap()), None, "{fen}");
        }
    }
}

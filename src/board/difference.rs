//! Tables over the difference of two 0x88 squares, the classic strength of the 0x88 board: one look-up
//! by `to - from` answers whether a man could attack there on an empty board, and along which step.

use super::man;
use crate::types::{Color, Square, Step};

/// Set in [`REACH`] where a white pawn attacks.
const WHITE_PAWN: u8 = man::COLOR[0];
/// Set in [`REACH`] where a black pawn attacks.
const BLACK_PAWN: u8 = man::COLOR[1];

/// For every difference `to - from`: the kinds that attack that far on an empty board, as bits of a man's
/// byte. The two color bits stand for the pawns of that color.
pub(crate) static REACH: [u8; 256] = reach();

/// For every difference `to - from` on a common line: the step that leads there; 0 off the lines.
pub(crate) static STEP: [u8; 256] = steps();

/// For every difference `to - from` on a common line: number of its direction in [`Step::COMPASS`].
pub(crate) static DIRECTION: [u8; 256] = directions();

/// Set in [`AIM`]: the king himself is in reach.
pub(crate) const AIM_KING: u16 = 0x100;

/// For every color, bits of a kind of man and difference `man - king`: which of the king's eight neighbors,
/// as bits numbered like [`Step::COMPASS`], the man attacks on an empty board; [`AIM_KING`] for the king.
pub(crate) static AIM: [[[u16; 256]; 32]; 2] = [aim(Color::White), aim(Color::Black)];

/// [`AIM`] of pawns, knights and kings, who jump over nothing; zero for sliders and for nobody.
pub(crate) static LEAPS: [[[u16; 256]; 32]; 2] = [leaps(Color::White), leaps(Color::Black)];

/// Could this man attack at this distance if nothing stood between?
#[inline]
pub(crate) fn could_attack(man: u8, distance: u8) -> bool {
    let wanted = if man & man::PAWN != 0 { WHITE_PAWN | BLACK_PAWN } else { man::KIND & !man::PAWN };
    man & wanted & REACH[distance as usize] != 0
}

/// The step along the common line of two squares, none off the lines.
#[inline]
pub(crate) fn line_step(from: Square, to: Square) -> Option<Step> {
    match STEP[Step::between(from, to).0 as usize] {
        0 => None,
        step => Some(Step(step)),
    }
}

const fn reach() -> [u8; 256] {
    let mut table = [0; 256];
    let mut direction = 0;
    while direction < 8 {
        let step = Step::COMPASS[direction].0;
        let slider = if direction % 2 == 0 { man::ROOK } else { man::BISHOP };
        let mut length = 1;
        while length < 8 {
            table[step.wrapping_mul(length) as usize] |= slider;
            length += 1;
        }
        table[step as usize] |= man::KING;
        table[Step::JUMPS[direction].0 as usize] |= man::KNIGHT;
        direction += 1;
    }
    let mut side = 0;
    while side < 2 {
        table[Step::pawn_captures(Color::White)[side].0 as usize] |= WHITE_PAWN;
        table[Step::pawn_captures(Color::Black)[side].0 as usize] |= BLACK_PAWN;
        side += 1;
    }
    table
}

const fn steps() -> [u8; 256] {
    let mut table = [0; 256];
    let mut direction = 0;
    while direction < 8 {
        let step = Step::COMPASS[direction].0;
        let mut length = 1;
        while length < 8 {
            table[step.wrapping_mul(length) as usize] = step;
            length += 1;
        }
        direction += 1;
    }
    table
}

const fn directions() -> [u8; 256] {
    let mut table = [0; 256];
    let mut direction = 0;
    while direction < 8 {
        let mut length = 1;
        while length < 8 {
            table[Step::COMPASS[direction].0.wrapping_mul(length) as usize] = direction as u8;
            length += 1;
        }
        direction += 1;
    }
    table
}

const fn leaps(color: Color) -> [[u16; 256]; 32] {
    let mut table = aim(color);
    let mut kind = 0;
    while kind < 32 {
        if kind as u8 & man::QUEEN != 0 {
            table[kind] = [0; 256];
        }
        kind += 1;
    }
    table
}

const fn aim(color: Color) -> [[u16; 256]; 32] {
    let reach = reach();
    let mut table = [[0; 256]; 32];
    let rows = [
        (man::PAWN as usize, if matches!(color, Color::White) { WHITE_PAWN } else { BLACK_PAWN }),
        (man::KNIGHT as usize, man::KNIGHT),
        (man::BISHOP as usize, man::BISHOP),
        (man::ROOK as usize, man::ROOK),
        (man::QUEEN as usize, man::QUEEN),
        (man::KING as usize, man::KING),
    ];
    let mut row = 0;
    while row < rows.len() {
        let (index, bits) = rows[row];
        let mut difference = 0;
        while difference < 256 {
            let man_to_king = (difference as u8).wrapping_neg();
            let mut aimed = 0;
            if reach[man_to_king as usize] & bits != 0 {
                aimed |= AIM_KING;
            }
            let mut direction = 0;
            while direction < 8 {
                let to_neighbor = man_to_king.wrapping_add(Step::COMPASS[direction].0);
                if reach[to_neighbor as usize] & bits != 0 {
                    aimed |= 1 << direction;
                }
                direction += 1;
            }
            table[index][difference] = aimed;
            difference += 1;
        }
        row += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queen_reaches_along_lines_only() {
        let queen = man::QUEEN | man::COLOR[0];
        assert!(could_attack(queen, Step::between(Square::A1, Square::H8).0));
        assert!(!could_attack(queen, Step::between(Square::A1, Square::B3).0));
    }

    #[test]
    fn pawns_attack_forward_only() {
        let white = man::PAWN | man::COLOR[0];
        assert!(could_attack(white, Step::between(Square::E4, Square::D5).0));
        assert!(!could_attack(white, Step::between(Square::E4, Square::D3).0));
        assert!(!could_attack(white, Step::between(Square::E4, Square::E5).0));
    }

    #[test]
    fn the_step_between_two_squares_of_a_line_is_found() {
        assert_eq!(line_step(Square::A1, Square::H8), Some(Step::COMPASS[1]));
        assert_eq!(line_step(Square::H3, Square::B3), Some(Step::WEST));
        assert_eq!(line_step(Square::A1, Square::B3), None);
    }
}

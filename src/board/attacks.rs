//! Who attacks a square.

use super::{Position, difference, man};
use crate::types::{Color, Square, Step};

impl Position {
    /// Does a man of the color attack the square?
    pub(super) fn is_attacked_scalar(&self, square: Square, by: Color) -> bool {
        self.is_attacked_through(square, by, NOTHING)
    }

    /// Squares of the men of both colors that attack the square, as 0x88 bits.
    pub(super) fn attackers_scalar(&self, square: Square) -> u128 {
        Color::BOTH
            .into_iter()
            .flat_map(|color| self.men(color))
            .filter(|&(_, from)| self.attacks(from, square))
            .fold(0, |found, (_, from)| found | 1 << from.to_0x88())
    }

    /// Does the man on `from` attack `to`?
    pub fn attacks(&self, from: Square, to: Square) -> bool {
        let distance = Step::between(from, to);
        difference::could_attack(self.cells[from.index()], distance.0) && self.is_open(from, to)
    }

    /// Are the squares between two squares of a line empty? True for knights' jumps and neighbors.
    #[inline]
    pub(super) fn is_open(&self, from: Square, to: Square) -> bool {
        let Some(step) = difference::line_step(from, to) else { return true };
        let mut square = from.to_0x88().wrapping_add(step.0);
        while square != to.to_0x88() {
            if self.cells[(square & 0x77) as usize] != 0 {
                return false;
            }
            square = square.wrapping_add(step.0);
        }
        true
    }

    /// Does a man of the color attack the square, if the listed squares were empty?
    pub(super) fn is_attacked_through(&self, square: Square, by: Color, empty: [u8; 2]) -> bool {
        let aims = &difference::AIM[by.index()];
        let (kinds, squares) = (&self.kinds[by.index()], &self.squares[by.index()]);
        kinds.iter().zip(squares).any(|(&kind, &from)| {
            let distance = from.wrapping_sub(square.to_0x88());
            aims[(kind & man::KIND) as usize][distance as usize] & difference::AIM_KING != 0
                && !empty.contains(&from)
                && self.is_open_through(from, square, empty)
        })
    }

    /// Like [`Position::is_open`], with two squares taken as empty.
    fn is_open_through(&self, from: u8, to: Square, empty: [u8; 2]) -> bool {
        let step = difference::STEP[to.to_0x88().wrapping_sub(from) as usize];
        if step == 0 {
            return true;
        }
        let mut square = from.wrapping_add(step);
        while square != to.to_0x88() {
            if self.cells[(square & 0x77) as usize] != 0 && !empty.contains(&square) {
                return false;
            }
            square = square.wrapping_add(step);
        }
        true
    }
}

/// No squares to look through.
const NOTHING: [u8; 2] = [super::NO_SQUARE; 2];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slider_attacks_up_to_the_first_man() {
        let position: Position = "3k4/8/8/8/1p2R3/8/8/4K3 w - - 0 1".parse().unwrap();
        assert!(position.is_attacked(Square::B4, Color::White));
        assert!(!position.is_attacked(Square::A4, Color::White));
        assert!(position.is_attacked(Square::A3, Color::Black));
    }

    #[test]
    fn attackers_of_both_colors_are_found() {
        let position: Position = "4k3/8/2n5/8/3P4/4B3/8/4K3 w - - 0 1".parse().unwrap();
        let mut attackers: Vec<_> = position.attackers_of(Square::D4).collect();
        attackers.sort();
        assert_eq!(attackers, [Square::E3, Square::C6]);
    }
}

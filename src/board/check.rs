//! What the enemy's men mean for a king: checks, pins and the neighbor squares he must not enter.

use super::{Position, difference, man};
use crate::types::{Color, Square, Step};

/// All of a king's neighbors.
pub(super) const WHOLE_RING: u16 = 0xFF;

/// The square of a lane seen from a king: lane `8 * d` is the knight's jump `d`, lane `8 * d + n` the
/// n-th square in direction `d`.
#[inline]
pub(super) fn lane_square(king: Square, lane: u32) -> Square {
    let (direction, length) = ((lane / 8) as usize, (lane % 8) as u8);
    let distance =
        if length == 0 { Step::JUMPS[direction].0 } else { Step::COMPASS[direction].0.wrapping_mul(length) };
    Square::known(king.to_0x88().wrapping_add(distance))
}

/// The lane in which a square is seen from a king, if it is.
#[inline]
pub(super) fn lane_of(king: Square, square: u8) -> u32 {
    let distance = square.wrapping_sub(king.to_0x88());
    LANE[distance as usize] as u32
}

/// Lane of every difference `square - king`; 255 where there is none.
static LANE: [u8; 256] = {
    let mut table = [255; 256];
    let mut direction = 0;
    while direction < 8 {
        table[Step::JUMPS[direction].0 as usize] = direction as u8 * 8;
        let mut length = 1u8;
        while length < 8 {
            table[Step::COMPASS[direction].0.wrapping_mul(length) as usize] = direction as u8 * 8 + length;
            length += 1;
        }
        direction += 1;
    }
    table
};

/// What a look at all enemy men from the king's square finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Survey {
    /// Lanes of the men that give check.
    pub checkers: u64,
    /// Slots of own men that are pinned.
    pub pinned: u16,
    /// The king's neighbors that the enemy attacks, of those that were asked for, as bits numbered like
    /// [`Step::COMPASS`]. The king hides nothing behind him.
    pub danger: u8,
}

impl Position {
    /// Checks and pins against the color's king.
    pub(super) fn survey_king(&self, color: Color) -> Survey {
        self.survey(color, difference::AIM_KING)
    }

    /// Checks and pins against the color's king if `asked` contains [`difference::AIM_KING`], and which of the
    /// asked neighbors the enemy attacks.
    #[inline]
    pub(super) fn survey(&self, color: Color, asked: u16) -> Survey {
        let king = self.king_square(color);
        let enemy = !color;
        let mut survey = Survey::default();
        for (&kind, &from) in self.kinds[enemy.index()].iter().zip(&self.squares[enemy.index()]) {
            let distance = from.wrapping_sub(king.to_0x88());
            let aimed =
                difference::AIM[enemy.index()][(kind & man::KIND) as usize][distance as usize] & asked;
            if aimed == 0 {
                continue;
            }
            if kind & man::QUEEN == 0 {
                survey.danger |= aimed as u8;
                if aimed & difference::AIM_KING != 0 {
                    survey.checkers |= 1 << lane_of(king, from);
                }
            } else {
                self.survey_slider(color, from, aimed, &mut survey);
            }
        }
        survey
    }

    /// A slider's share of the survey: his lines to the aimed squares may be blocked.
    fn survey_slider(&self, color: Color, from: u8, aimed: u16, survey: &mut Survey) {
        let king = self.king_square(color);
        if aimed & difference::AIM_KING != 0 {
            match self.blockers_towards(from, king.to_0x88()) {
                Blockers::None => survey.checkers |= 1 << lane_of(king, from),
                Blockers::One(square) if self.cells[square as usize] & man::COLOR[color.index()] != 0 => {
                    survey.pinned |= 1 << (self.cells[(square | 8) as usize] & 15);
                }
                _ => {}
            }
        }
        let mut ring = aimed as u8 & !survey.danger;
        while ring != 0 {
            let direction = ring.trailing_zeros() as usize;
            let target = king.to_0x88().wrapping_add(Step::COMPASS[direction].0);
            if self.is_open_but_for(from, target, king) {
                survey.danger |= 1 << direction;
            }
            ring &= ring - 1;
        }
    }

    /// The first men between two squares of a line.
    fn blockers_towards(&self, from: u8, to: u8) -> Blockers {
        let step = difference::STEP[to.wrapping_sub(from) as usize];
        let mut found = Blockers::None;
        let mut square = from.wrapping_add(step);
        while square != to {
            if self.cells[(square & 0x77) as usize] != 0 {
                match found {
                    Blockers::None => found = Blockers::One(square & 0x77),
                    _ => return Blockers::Many,
                }
            }
            square = square.wrapping_add(step);
        }
        found
    }

    /// Are the squares between two squares of a line empty, but for a king who is about to step aside?
    #[inline]
    fn is_open_but_for(&self, from: u8, to: u8, king: Square) -> bool {
        let step = difference::STEP[to.wrapping_sub(from) as usize];
        let mut square = from.wrapping_add(step);
        while square != to {
            if self.cells[(square & 0x77) as usize] != 0 && square != king.to_0x88() {
                return false;
            }
            square = square.wrapping_add(step);
        }
        true
    }
}

/// How many men stand between two squares.
enum Blockers {
    None,
    One(u8),
    Many,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey(fen: &str) -> Survey {
        let position: Position = fen.parse().unwrap();
        position.survey(position.side_to_move(), difference::AIM_KING | WHOLE_RING)
    }

    #[test]
    fn a_rook_checks_and_guards_both_sides_of_the_king() {
        let survey = survey("4k3/8/8/8/4K2r/8/8/8 w - - 0 1");
        assert_eq!(survey.checkers, 1 << (2 * 8 + 3)); // three squares to the east
        assert_eq!(survey.danger, 1 << 2 | 1 << 6); // f4 and, behind the king, d4
    }

    #[test]
    fn one_own_man_between_is_pinned_and_two_are_not() {
        assert_eq!(survey("4k3/8/8/8/2K1N2r/8/8/8 w - - 0 1").pinned.count_ones(), 1);
        assert_eq!(survey("4k3/8/8/8/2KNN2r/8/8/8 w - - 0 1").pinned, 0);
        assert_eq!(survey("4k3/8/8/8/2K1n2r/8/8/8 w - - 0 1").pinned, 0);
    }

    #[test]
    fn lanes_and_squares_are_one_to_one() {
        for lane in 0..64 {
            let king = Square::D4;
            let (direction, length) = (lane / 8, lane % 8);
            if length <= 3 && direction != 1 {
                assert_eq!(lane_of(king, lane_square(king, lane).to_0x88()), lane);
            }
        }
    }
}

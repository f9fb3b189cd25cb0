//! Moves that return to an earlier position, recognized by the difference of two keys.
//!
//! Marcel van Kervinck, "The design and implementation of the Rookie 2.0 chess playing program" (2019),
//! section on cycles: the key before and after a reversible move differ by two words of the man and the word
//! of the side to move. A cuckoo table of all such differences finds the move in two look-ups.

use super::zobrist::WORDS;
use super::{Position, difference, man};
use crate::types::{Color, Square};
use std::sync::LazyLock;

/// Places of the table; with two for each of the 3668 reversible moves hardly any chains are long.
const SIZE: usize = 8192;

/// For every place the difference of keys and the two squares of the move.
struct Cuckoo(Box<[Option<(u64, Square, Square)>]>);

static CUCKOO: LazyLock<Cuckoo> = LazyLock::new(Cuckoo::new);

/// The two places where a difference may lie.
fn places(difference: u64) -> [usize; 2] {
    [difference as usize % SIZE, (difference >> 16) as usize % SIZE]
}

impl Cuckoo {
    fn new() -> Cuckoo {
        let mut cuckoo = Cuckoo(vec![None; SIZE].into_boxed_slice());
        for color in Color::BOTH {
            for kind in [man::KNIGHT, man::BISHOP, man::ROOK, man::QUEEN, man::KING] {
                for from in Square::all() {
                    for to in Square::all().filter(|&to| to > from) {
                        let distance = to.to_0x88().wrapping_sub(from.to_0x88());
                        if difference::could_attack(kind | man::COLOR[color.index()], distance) {
                            let men = &WORDS.men[color.index()][kind as usize];
                            let key = men[from.index()] ^ men[to.index()] ^ WORDS.black_to_move;
                            cuckoo.insert((key, from, to));
                        }
                    }
                }
            }
        }
        cuckoo
    }

    /// Puts a move into its first place; whoever was there moves to his other one, and so on.
    fn insert(&mut self, mut entry: (u64, Square, Square)) {
        let mut place = places(entry.0)[0];
        while let Some(evicted) = self.0[place].replace(entry) {
            entry = evicted;
            let [first, second] = places(entry.0);
            place = if place == first { second } else { first };
        }
    }

    fn find(&self, difference: u64) -> Option<(Square, Square)> {
        places(difference).into_iter().find_map(|place| {
            self.0[place].filter(|&(key, ..)| key == difference).map(|(_, from, to)| (from, to))
        })
    }
}

impl Position {
    /// Can the side to move go back, with one move of a man but a pawn, to the position with this key?
    /// The key has to be one from an odd number of plies ago, with no irreversible move since.
    pub fn can_return_to(&self, earlier: u64) -> bool {
        CUCKOO.find(self.key() ^ earlier).is_some_and(|(one, other)| {
            let occupied = if self.cells[one.index()] != 0 { one } else { other };
            man::color_of(self.cells[occupied.index()]) == self.side && self.is_open(one, other)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::parse_uci;

    #[test]
    fn all_reversible_moves_find_a_place() {
        assert_eq!(CUCKOO.0.iter().flatten().count(), 3668);
    }

    #[test]
    fn a_knight_can_go_back_home() {
        let start = Position::start();
        let mut position = start;
        for text in ["g1f3", "g8f6", "f3g1"] {
            position = position.make(parse_uci(&position, text).unwrap());
        }
        assert!(position.can_return_to(start.key()));
        assert!(!position.make(parse_uci(&position, "b8c6").unwrap()).can_return_to(start.key()));
    }
}

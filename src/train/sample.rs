//! One position to learn from, in 32 bytes, seen by the side to move.

use super::games::GameResult;
use crate::board::Position;
use crate::nnue::{Architecture, MAX_MEN, input};
use crate::types::{Bound, Color, PieceKind};

/// Bits of a dense square number that tell its file and its rank.
const FILE_BITS: u8 = 7;
const RANK_BITS: u8 = 56;
/// Bit of a man's nibble that tells an enemy.
const ENEMY: u8 = 8;
/// Neither side may castle, so that files may be swapped.
const CASTLING_FREE: u8 = 1;
/// Black is to move.
const BLACK: u8 = 2;
/// The game is held out.
const HELD_OUT: u8 = 4;
/// The true value is at least, or at most, the one told.
const LOWER: u8 = 8;
const UPPER: u8 = 16;

/// A position with its searched value and the result of its game.
///
/// Everything is turned to the side to move: its back rank comes first, its men are the own ones, its
/// value and its result are positive when good for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Sample {
    /// Occupied squares.
    occupied: u64,
    /// A nibble for each man in the order of squares: his kind, and [`ENEMY`].
    men: [u8; MAX_MEN / 2],
    /// The searched value, in internal units.
    score: i16,
    /// Twice the points: 0, 1 or 2.
    result: u8,
    /// What holds of it: [`CASTLING_FREE`] and the following.
    flags: u8,
    /// Own and enemy king, as the side to move sees the board.
    kings: [u8; 2],
    /// Nothing yet.
    spare: [u8; 2],
}

const _: () = assert!(size_of::<Sample>() == 32);

/// The inputs that a position turns on, as both sides see them.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    ours: [u16; MAX_MEN],
    theirs: [u16; MAX_MEN],
    count: usize,
}

impl Inputs {
    /// No inputs.
    pub const NONE: Inputs = Inputs { ours: [0; MAX_MEN], theirs: [0; MAX_MEN], count: 0 };

    /// As the side to move sees them.
    #[inline(always)]
    pub fn ours(&self) -> &[u16] {
        &self.ours[..self.count]
    }

    /// As the other side sees them.
    #[inline(always)]
    pub fn theirs(&self) -> &[u16] {
        &self.theirs[..self.count]
    }
}

impl Sample {
    /// The sample of a position, with its value and its result for White.
    pub fn new(position: &Position, white_score: i16, result: GameResult) -> Sample {
        let us = position.side_to_move();
        let black = us == Color::Black;
        let turn = if black { RANK_BITS } else { 0 };
        let turned = |square: crate::types::Square| square.dense() as u8 ^ turn;
        let mut cells = [None; 64];
        for color in Color::BOTH {
            let enemy = if color == us { 0 } else { ENEMY };
            for (kind, square) in position.men(color) {
                cells[usize::from(turned(square))] = Some(kind as u8 | enemy);
            }
        }
        let mut sample = Sample {
            occupied: 0,
            men: [0; MAX_MEN / 2],
            score: if black { white_score.saturating_neg() } else { white_score },
            result: if black { 2 - result as u8 } else { result as u8 },
            flags: if position.castling_rights().bits() == 0 { CASTLING_FREE } else { 0 }
                | if black { BLACK } else { 0 },
            kings: [turned(position.king_square(us)), turned(position.king_square(!us))],
            spare: [0; 2],
        };
        let men = cells.into_iter().enumerate().filter_map(|(square, man)| Some((square, man?)));
        for (number, (square, man)) in men.enumerate() {
            sample.occupied |= 1 << square;
            sample.men[number / 2] |= man << (number % 2 * 4);
        }
        sample
    }

    /// The same sample, marked as one of a game that is held out or not.
    pub fn with_held_out(self, held_out: bool) -> Sample {
        self.with(HELD_OUT, held_out)
    }

    /// The same sample, whose value is a bound of the true one for White.
    pub fn with_white_bound(self, bound: Bound) -> Sample {
        let black = self.flags & BLACK != 0;
        self.with(LOWER, bound == if black { Bound::Upper } else { Bound::Lower })
            .with(UPPER, bound == if black { Bound::Lower } else { Bound::Upper })
    }

    fn with(self, flag: u8, on: bool) -> Sample {
        let flags = if on { self.flags | flag } else { self.flags & !flag };
        Sample { flags, ..self }
    }

    /// What the value is of the true one, for the side to move.
    #[inline]
    pub fn bound(&self) -> Bound {
        match self.flags & (LOWER | UPPER) {
            LOWER => Bound::Lower,
            UPPER => Bound::Upper,
            _ => Bound::Exact,
        }
    }

    /// Is its game held out?
    pub fn is_held_out(&self) -> bool {
        self.flags & HELD_OUT != 0
    }

    /// The searched value for the side to move, in internal units.
    #[inline]
    pub fn score(&self) -> f32 {
        f32::from(self.score)
    }

    /// Points that the side to move got: 0, 0.5 or 1.
    #[inline]
    pub fn points(&self) -> f32 {
        f32::from(self.result) / 2.0
    }

    /// Did anybody win?
    pub fn is_decisive(&self) -> bool {
        self.result != GameResult::Draw as u8
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        Color::from_index(u8::from(self.flags & BLACK != 0))
    }

    /// Can neither side castle?
    #[inline]
    pub fn is_castling_free(&self) -> bool {
        self.flags & CASTLING_FREE != 0
    }

    /// Number of men.
    #[inline]
    pub fn men_count(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// The inputs that the sample turns on in a network of this shape, the files perhaps swapped.
    #[inline(always)]
    pub fn inputs(&self, shape: Architecture, swap_files: bool, into: &mut Inputs) {
        let swap = if swap_files { FILE_BITS } else { 0 };
        let [our_king, their_king] = self.kings.map(|king| king ^ swap);
        let mirror = |king: u8| if shape.mirrored && king & FILE_BITS >= 4 { FILE_BITS } else { 0 };
        let our_turn = usize::from(swap ^ mirror(our_king));
        let their_turn = usize::from(swap ^ mirror(their_king) ^ RANK_BITS);
        let mut occupied = self.occupied;
        let mut count = 0;
        while occupied != 0 && count < MAX_MEN {
            let square = occupied.trailing_zeros() as usize;
            occupied &= occupied - 1;
            let man = self.men[count / 2] >> (count % 2 * 4);
            let kind = PieceKind::ALL[usize::from(man & 7).min(5)];
            let enemy = man & ENEMY != 0;
            into.ours[count] = input(enemy, kind, square ^ our_turn) as u16;
            into.theirs[count] = input(!enemy, kind, square ^ their_turn) as u16;
            count += 1;
        }
        into.count = count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Network;

    const FENS: [&str; 4] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "1k6/ppp5/8/8/5q2/8/PPP5/1K2R3 b - - 0 1",
    ];

    #[test]
    fn a_sample_turns_on_the_inputs_of_its_position() {
        for shape in [
            Architecture { hidden: 32, mirrored: false, buckets: 1 },
            Architecture { hidden: 32, mirrored: true, buckets: 8 },
        ] {
            let network = Network::random(shape, 2).unwrap();
            for fen in FENS {
                let position: Position = fen.parse().unwrap();
                let mut inputs = Inputs::NONE;
                Sample::new(&position, 0, GameResult::Draw).inputs(shape, false, &mut inputs);
                assert_eq!(
                    network.evaluate_inputs(inputs.ours(), inputs.theirs()),
                    network.evaluate(&position),
                    "{fen}"
                );
            }
        }
    }

    #[test]
    fn swapping_files_gives_the_inputs_of_the_mirrored_position() {
        let shape = Architecture { hidden: 32, mirrored: false, buckets: 1 };
        let network = Network::random(shape, 2).unwrap();
        let position: Position = "6k1/5ppp/8/8/2q5/8/5PPP/3R2K1 b - - 0 1".parse().unwrap();
        let mirrored: Position = "1k6/ppp5/8/8/5q2/8/PPP5/1K2R3 b - - 0 1".parse().unwrap();
        let mut inputs = Inputs::NONE;
        Sample::new(&position, 0, GameResult::Draw).inputs(shape, true, &mut inputs);
        assert_eq!(network.evaluate_inputs(inputs.ours(), inputs.theirs()), network.evaluate(&mirrored));
    }

    #[test]
    fn labels_turn_with_the_side_to_move() {
        let white: Position = FENS[0].parse().unwrap();
        let black: Position = FENS[1].parse().unwrap();
        let sample = Sample::new(&white, 120, GameResult::WhiteWins);
        assert_eq!((sample.score(), sample.points()), (120.0, 1.0));
        let sample = Sample::new(&black, 120, GameResult::WhiteWins);
        assert_eq!((sample.score(), sample.points()), (-120.0, 0.0));
    }
}

//! What a value means: the chances of win, draw and loss in self-play, and centipawns made of them.
//!
//! At move `m` a position with value `v` is won with the chance `1 / (1 + exp((a - v) / b))`, and lost with that
//! of `-v`; `a` is the value at which half of the games are won, `b` says how fast chances grow, both are cubic
//! polynomials of `m`. `clavier calibrate` (feature `train`) fits them to the games of `clavier datagen`.
//! The form of the model: <https://github.com/official-stockfish/WDL_model>.

use crate::board::Position;
use crate::types::Score;

/// Moves at which the polynomials are 1 in their variable.
const UNIT: f64 = 32.0;
/// Moves between which the model was fitted; outside it stays as at the nearer end.
const FIRST: u32 = 8;
const LAST: u32 = 100;

/// The chances of win, draw and loss as they depend on value and move number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// Value at which half of the games are won: coefficients of 1, x, x² and x³, with x = move / 32.
    pub even: [f64; 4],
    /// Value by which the odds of a win grow e-fold, likewise.
    pub spread: [f64; 4],
}

/// Fitted by `clavier calibrate` to 79,000 games that the network gen2-256 played with 500 nodes a move.
pub const MODEL: Model = Model { even: [60.7, 28.3, 14.2, 2.6], spread: [180.0, -10.6, -52.4, 17.2] };

impl Model {
    /// Half-way value and spread at a move, at least 1.
    pub fn at(&self, fullmove: u32) -> (f64, f64) {
        let x = Model::variable(fullmove);
        let value = |c: &[f64; 4]| (((c[3] * x + c[2]) * x + c[1]) * x + c[0]).max(1.0);
        (value(&self.even), value(&self.spread))
    }

    /// The polynomials' variable at a move.
    pub fn variable(fullmove: u32) -> f64 {
        f64::from(fullmove.clamp(FIRST, LAST)) / UNIT
    }

    /// The chances of win and loss with a value at a move.
    pub fn chances(&self, value: f64, fullmove: u32) -> (f64, f64) {
        let (even, spread) = self.at(fullmove);
        let chance = |value: f64| 1.0 / (1.0 + ((even - value) / spread).exp());
        (chance(value), chance(-value))
    }

    /// Value that counts as 100 centipawns: half of the games are won with it at move 32.
    pub fn unit(&self) -> f64 {
        self.at(UNIT as u32).0
    }
}

/// The score in centipawns as users read them: +100 means a chance of 50 % to win at move 32.
/// Proven results must be told apart before.
pub fn to_centipawns(score: Score) -> i32 {
    (f64::from(score.0) * 100.0 / MODEL.unit()).round() as i32
}

/// The score that users read as so many centipawns.
pub fn from_centipawns(centipawns: i32) -> Score {
    Score((f64::from(centipawns) * MODEL.unit() / 100.0).round() as i32)
}

/// Chances of win, draw and loss for the side to move, in permill.
pub fn wdl(score: Score, position: &Position) -> [u32; 3] {
    let (win, loss) = MODEL.chances(f64::from(score.0), position.fullmove());
    let (win, loss) = ((1000.0 * win).round() as u32, (1000.0 * loss).round() as u32);
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up() {
        let start = Position::start();
        for score in [-3000, -100, 0, 37, 100, 3000] {
            assert_eq!(wdl(Score(score), &start).iter().sum::<u32>(), 1000);
        }
    }

    #[test]
    fn a_hundred_centipawns_win_every_other_game_at_move_32() {
        let position: Position = "r3k3/8/8/8/8/8/8/R3K2R w - - 0 32".parse().unwrap();
        let score = Score(MODEL.unit().round() as i32);
        assert_eq!(to_centipawns(score), 100);
        assert_eq!(from_centipawns(100), score);
        assert!(wdl(score, &position)[0].abs_diff(500) <= 2);
    }
}

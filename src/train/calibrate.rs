//! What values mean: the [`Model`] of chances fitted to self-play.

use super::games::{GameRecord, GameResult};
use super::loader::game_starts;
use crate::eval::chances::Model;
use crate::types::Color;
use rayon::prelude::*;

/// Games that one thread counts at a time.
const BATCH: usize = 1024;
/// Width of a cell, in internal units of value.
const CELL: i32 = 16;
/// Cells on each side of zero; larger values are left out, they tell nothing.
const CELLS_A_SIDE: i32 = 125;
const CELLS: usize = 2 * CELLS_A_SIDE as usize;
/// Moves counted apart; later ones are left out.
const MOVES: usize = 121;
/// Steps of the fit, and the first step's size in parts of [`SIZES`].
const STEPS: u32 = 2000;
const FIRST_RATE: f64 = 0.03;
/// Where the fit starts, in internal units.
const EVEN_AT_FIRST: f64 = 250.0;
const SPREAD_AT_FIRST: f64 = 90.0;
/// Coefficients of the model.
const COEFFICIENTS: usize = 8;

/// How positions with a value at a move ended, seen by the side to move.
#[derive(Clone, Copy, Default, Debug)]
struct Outcomes {
    wins: u32,
    draws: u32,
    losses: u32,
}

/// Positions of games, counted by move and value.
#[derive(Clone, Debug)]
pub struct Counts {
    cells: Vec<Outcomes>,
}

impl Default for Counts {
    fn default() -> Counts {
        Counts { cells: vec![Outcomes::default(); MOVES * CELLS] }
    }
}

impl Counts {
    /// Counts a file of games given as its bytes, on all cores; a damaged one ends the count of its batch.
    pub fn of_file(bytes: &[u8]) -> Counts {
        let starts = game_starts(bytes);
        starts[..starts.len() - 1]
            .par_chunks(BATCH)
            .map(|batch| {
                let mut part = Counts::default();
                let games = batch.iter().map_while(|&at| GameRecord::decode(&bytes[at..]).ok());
                games.for_each(|(game, _)| part.add(&game));
                part
            })
            .reduce(Counts::default, |sum, part| sum.merged_with(&part))
    }

    /// Counts the positions of a game.
    pub fn add(&mut self, game: &GameRecord) {
        for (position, scored) in game.positions() {
            let white = i32::from(scored.score);
            let score = if position.side_to_move() == Color::White { white } else { -white };
            let cell = score.div_euclid(CELL) + CELLS_A_SIDE;
            let fullmove = position.fullmove() as usize;
            if fullmove >= MOVES || !(0..CELLS as i32).contains(&cell) {
                continue;
            }
            let outcomes = &mut self.cells[fullmove * CELLS + cell as usize];
            if game.result == GameResult::Draw {
                outcomes.draws += 1;
            } else if game.result == GameResult::win_of(position.side_to_move()) {
                outcomes.wins += 1;
            } else {
                outcomes.losses += 1;
            }
        }
    }

    /// Both together.
    #[must_use]
    pub fn merged_with(mut self, other: &Counts) -> Counts {
        for (mine, more) in self.cells.iter_mut().zip(&other.cells) {
            mine.wins += more.wins;
            mine.draws += more.draws;
            mine.losses += more.losses;
        }
        self
    }

    /// Positions counted.
    pub fn positions(&self) -> u64 {
        self.cells
            .iter()
            .map(|cell| u64::from(cell.wins) + u64::from(cell.draws) + u64::from(cell.losses))
            .sum()
    }

    /// The model with the largest likelihood.
    pub fn fit(&self) -> Model {
        let mut model =
            Model { even: [EVEN_AT_FIRST, 0.0, 0.0, 0.0], spread: [SPREAD_AT_FIRST, 0.0, 0.0, 0.0] };
        let mut momentum = [0.0; COEFFICIENTS];
        let mut square = [0.0; COEFFICIENTS];
        for step in 1..=STEPS {
            // Adam, whose rate sinks to nothing: <https://arxiv.org/abs/1412.6980>.
            let gradient = self.gradient(&model);
            let rate = FIRST_RATE * EVEN_AT_FIRST * (1.0 - f64::from(step - 1) / f64::from(STEPS));
            let coefficients = model.even.iter_mut().chain(&mut model.spread);
            for (index, coefficient) in coefficients.enumerate() {
                momentum[index] = 0.9 * momentum[index] + 0.1 * gradient[index];
                square[index] = 0.99 * square[index] + 0.01 * gradient[index].powi(2);
                let mean = momentum[index] / (1.0 - 0.9_f64.powi(step as i32));
                let size = (square[index] / (1.0 - 0.99_f64.powi(step as i32))).sqrt();
                *coefficient += rate * mean / (size + 1e-30);
            }
        }
        model
    }

    /// By how much the mean logarithm of the likelihood grows with each coefficient.
    fn gradient(&self, model: &Model) -> [f64; COEFFICIENTS] {
        let add = |mut sum: [f64; COEFFICIENTS], part: [f64; COEFFICIENTS]| {
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
            sum
        };
        (1..MOVES)
            .into_par_iter()
            .map(|fullmove| self.gradient_at(model, fullmove))
            .reduce(|| [0.0; COEFFICIENTS], add)
    }

    fn gradient_at(&self, model: &Model, fullmove: usize) -> [f64; COEFFICIENTS] {
        let (even, spread) = model.at(fullmove as u32);
        let (mut by_even, mut by_spread) = (0.0, 0.0);
        for (index, cell) in self.cells[fullmove * CELLS..][..CELLS].iter().enumerate() {
            if cell.wins + cell.draws + cell.losses == 0 {
                continue;
            }
            let value = f64::from((index as i32 - CELLS_A_SIDE) * CELL + CELL / 2);
            let (win, loss) = model.chances(value, fullmove as u32);
            let draw = (1.0 - win - loss).max(1e-9);
            let (win_slope, loss_slope) = (win * (1.0 - win) / spread, loss * (1.0 - loss) / spread);
            let [wins, draws, losses] = [cell.wins, cell.draws, cell.losses].map(f64::from);
            // How the logarithm grows with the chance of a win, and with that of a loss.
            let (by_win, by_loss) =
                (wins / win.max(1e-9) - draws / draw, losses / loss.max(1e-9) - draws / draw);
            by_even -= by_win * win_slope + by_loss * loss_slope;
            by_spread -= by_win * win_slope * (value - even) / spread
                + by_loss * loss_slope * (-value - even) / spread;
        }
        let x = Model::variable(fullmove as u32);
        let powers = [1.0, x, x * x, x * x * x];
        std::array::from_fn(|index| powers[index % 4] * if index < 4 { by_even } else { by_spread })
    }

    /// Share of wins and draws among the positions at a move whose value lies within a cell of `value`, with
    /// their number.
    pub fn seen(&self, fullmove: usize, value: i32) -> (f64, f64, u32) {
        let middle = value.div_euclid(CELL) + CELLS_A_SIDE;
        let (mut wins, mut draws, mut all) = (0, 0, 0);
        for fullmove in fullmove.saturating_sub(2)..=(fullmove + 2).min(MOVES - 1) {
            for index in (middle - 1).max(0)..=(middle + 1).min(CELLS as i32 - 1) {
                let cell = self.cells[fullmove * CELLS + index as usize];
                wins += cell.wins;
                draws += cell.draws;
                all += cell.wins + cell.draws + cell.losses;
            }
        }
        let share = |count: u32| f64::from(count) / f64::from(all.max(1));
        (share(wins), share(draws), all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games' results drawn from a model, and counted.
    fn drawn_from(model: &Model) -> Counts {
        let mut random = fastrand::Rng::with_seed(3);
        let mut counts = Counts::default();
        for fullmove in 8..100 {
            for cell in 0..CELLS {
                let value = f64::from((cell as i32 - CELLS_A_SIDE) * CELL + CELL / 2);
                let (win, loss) = model.chances(value, fullmove);
                for _ in 0..40 {
                    let outcomes = &mut counts.cells[fullmove as usize * CELLS + cell];
                    match random.f64() {
                        chance if chance < win => outcomes.wins += 1,
                        chance if chance < win + loss => outcomes.losses += 1,
                        _ => outcomes.draws += 1,
                    }
                }
            }
        }
        counts
    }

    #[test]
    fn the_model_behind_results_is_found() {
        let model = Model { even: [320.0, -90.0, 30.0, -4.0], spread: [60.0, 20.0, 10.0, -2.0] };
        let found = drawn_from(&model).fit();
        for fullmove in [10, 32, 64, 95] {
            let (even, spread) = model.at(fullmove);
            let (found_even, found_spread) = found.at(fullmove);
            assert!((even - found_even).abs() < 8.0, "move {fullmove}: {found_even}, not {even}");
            assert!((spread - found_spread).abs() < 8.0, "move {fullmove}: {found_spread}, not {spread}");
        }
    }
}

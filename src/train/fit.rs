//! The scale of values: how many units make a chance of winning.

use super::sample::Sample;
use crate::types::Bound;
use rayon::prelude::*;

/// Samples that a fit looks at, at most.
const LOOKED_AT: usize = 1_000_000;
/// Scales between which the best one is sought.
const SMALLEST: f32 = 30.0;
const LARGEST: f32 = 3000.0;
/// Steps of the search; each narrows the range to 62 %.
const STEPS: usize = 24;

/// The scale with which `sigmoid(score / scale)` foretells the results best, by squared error.
pub fn fit_scale(samples: &[Sample]) -> f32 {
    let stride = samples.len().div_ceil(LOOKED_AT).max(1);
    let looked_at: Vec<_> = samples
        .iter()
        .filter(|sample| sample.bound() == Bound::Exact)
        .step_by(stride)
        .map(|sample| (sample.score(), sample.points()))
        .collect();
    let loss = |logarithm: f32| -> f64 {
        let scale = logarithm.exp();
        looked_at
            .par_iter()
            .map(|&(score, points)| f64::from(super::model::sigmoid(score / scale) - points).powi(2))
            .sum()
    };
    golden_section(SMALLEST.ln(), LARGEST.ln(), loss).exp()
}

/// The lowest point of a function with one valley: <https://en.wikipedia.org/wiki/Golden-section_search>.
fn golden_section(mut low: f32, mut high: f32, function: impl Fn(f32) -> f64) -> f32 {
    const GOLDEN: f32 = 0.618_034;
    for _ in 0..STEPS {
        let width = GOLDEN * (high - low);
        let (left, right) = (high - width, low + width);
        if function(left) < function(right) {
            high = right;
        } else {
            low = left;
        }
    }
    low.midpoint(high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::train::games::GameResult;

    #[test]
    fn the_scale_of_results_drawn_by_chance_is_found() {
        let mut random = fastrand::Rng::with_seed(1);
        let start = Position::start();
        let samples: Vec<_> = (0..200_000)
            .map(|_| {
                let score = random.i16(-1000..1000);
                let wins = random.f32() < super::super::model::sigmoid(f32::from(score) / 250.0);
                let result = if wins { GameResult::WhiteWins } else { GameResult::BlackWins };
                Sample::new(&start, score, result)
            })
            .collect();
        let scale = fit_scale(&samples);
        assert!((scale - 250.0).abs() < 8.0, "{scale}");
    }
}

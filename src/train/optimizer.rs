//! `AdamW` and the schedules of its rate: Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019,
//! <https://arxiv.org/abs/1711.05101>.

use crate::nnue::{Level, Task, vectorized};
use rayon::prelude::*;

/// How fast the mean of gradients forgets.
const MEAN_DECAY: f32 = 0.9;
/// How fast the mean of their squares forgets.
const SQUARE_DECAY: f32 = 0.999;
/// Keeps the step finite where gradients vanish.
const EPSILON: f32 = 1e-8;
/// Share of a parameter that a step at rate 1 would take away.
const WEIGHT_DECAY: f32 = 0.01;
/// Largest size of a parameter: what quantization leaves below 127 in the output layer.
pub const LARGEST: f32 = 1.98;
/// Parameters that a thread takes at a time.
const PART: usize = 4096;

/// A way from one value to another over the training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Range {
    /// The first value.
    pub from: f32,
    /// The last value.
    pub to: f32,
}

impl Range {
    /// The value after a share of the way, along half a cosine wave:
    /// Loshchilov and Hutter, "SGDR", 2017, <https://arxiv.org/abs/1608.03983>.
    pub fn cosine(self, share: f32) -> f32 {
        self.to + (self.from - self.to) * 0.5 * (1.0 + (std::f32::consts::PI * share.clamp(0.0, 1.0)).cos())
    }

    /// The value after a share of the way, along a straight line.
    pub fn linear(self, share: f32) -> f32 {
        self.from + (self.to - self.from) * share.clamp(0.0, 1.0)
    }
}

/// The parameters with the memory of their gradients.
#[derive(Clone, PartialEq, Debug)]
pub struct Optimizer {
    /// The parameters.
    pub parameters: Vec<f32>,
    /// Mean of past gradients.
    pub means: Vec<f32>,
    /// Mean of their squares.
    pub squares: Vec<f32>,
    /// Steps made.
    pub steps: u64,
}

impl Optimizer {
    /// An optimizer that has made no step.
    pub fn new(parameters: Vec<f32>) -> Optimizer {
        let zeros = vec![0.0; parameters.len()];
        Optimizer { parameters, means: zeros.clone(), squares: zeros, steps: 0 }
    }

    /// Makes a step against the sum of the gradients, each of which is a sum over its part of the batch.
    pub fn step(&mut self, gradients: &[Vec<f32>], batch: usize, rate: f32, level: Level) {
        self.steps += 1;
        let steps = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let step = Step {
            rate,
            share: 1.0 / batch as f32,
            mean_scale: 1.0 / (1.0 - MEAN_DECAY.powi(steps)),
            square_scale: 1.0 / (1.0 - SQUARE_DECAY.powi(steps)),
        };
        let parts = self
            .parameters
            .par_chunks_mut(PART)
            .zip(self.means.par_chunks_mut(PART))
            .zip(self.squares.par_chunks_mut(PART))
            .enumerate();
        parts.for_each(|(index, ((parameters, means), squares))| {
            let count = parameters.len();
            let sum = &mut [0.0; PART][..count];
            let gradients = gradients.iter().map(|gradient| &gradient[index * PART..][..count]);
            vectorized(level, AdamPart { step, gradients, sum, parameters, means, squares });
        });
    }
}

/// Numbers that all parameters of a step share.
#[derive(Clone, Copy)]
struct Step {
    rate: f32,
    share: f32,
    mean_scale: f32,
    square_scale: f32,
}

/// A step of some parameters.
struct AdamPart<'a, Gradients> {
    step: Step,
    gradients: Gradients,
    sum: &'a mut [f32],
    parameters: &'a mut [f32],
    means: &'a mut [f32],
    squares: &'a mut [f32],
}

impl<'a, Gradients: Iterator<Item = &'a [f32]>> Task for AdamPart<'a, Gradients> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for gradient in self.gradients {
            for (sum, part) in self.sum.iter_mut().zip(gradient) {
                *sum += part;
            }
        }
        let Step { rate, share, mean_scale, square_scale } = self.step;
        let memory = self.means.iter_mut().zip(self.squares);
        for ((parameter, gradient), (mean, square)) in self.parameters.iter_mut().zip(&*self.sum).zip(memory)
        {
            let gradient = gradient * share;
            *mean += (1.0 - MEAN_DECAY) * (gradient - *mean);
            *square += (1.0 - SQUARE_DECAY) * (gradient * gradient - *square);
            let direction = *mean * mean_scale / ((*square * square_scale).sqrt() + EPSILON);
            let moved = *parameter - rate * (direction + WEIGHT_DECAY * *parameter);
            *parameter = moved.clamp(-LARGEST, LARGEST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bowl_is_walked_down_to_its_ground() {
        let ground = [0.5f32, -1.5, 0.0];
        let mut optimizer = Optimizer::new(vec![0.0; 3]);
        let rates = Range { from: 0.05, to: 1e-4 };
        for step in 0..500 {
            let slopes = optimizer.parameters.iter().zip(ground).map(|(at, ground)| 2.0 * (at - ground));
            let gradients = [slopes.collect()];
            optimizer.step(&gradients, 1, rates.cosine(step as f32 / 500.0), Level::Portable);
        }
        for (found, ground) in optimizer.parameters.iter().zip(ground) {
            assert!((found - ground).abs() < 0.02, "{found} {ground}");
        }
    }

    #[test]
    fn no_parameter_grows_beyond_what_quantization_can_hold() {
        let mut optimizer = Optimizer::new(vec![0.0]);
        for _ in 0..100 {
            optimizer.step(&[vec![-1.0]], 1, 0.1, Level::Portable);
        }
        assert_eq!(optimizer.parameters, [LARGEST]);
    }

    #[test]
    fn schedules_start_and_end_where_they_are_told() {
        let rates = Range { from: 1e-3, to: 1e-5 };
        assert!((rates.cosine(0.0) - 1e-3).abs() < 1e-9 && (rates.cosine(1.0) - 1e-5).abs() < 1e-9);
        assert!((Range { from: 0.2, to: 0.4 }.linear(0.5) - 0.3).abs() < 1e-6);
    }
}

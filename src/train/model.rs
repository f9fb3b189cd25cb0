//! The network in floating point: its value of a sample, and how that changes with each parameter.
//!
//! The first layer is sparse: at most 32 of 768 inputs are on, so that forward and backward passes touch only
//! their rows. All sums are kept in registers over tiles of neurons.

use super::sample::{Inputs, Sample};
use crate::nnue::{Architecture, INPUTS, Task};
use crate::types::Bound;

/// Neurons whose sums stay in registers, if the layer divides so.
const TILE: usize = 64;
/// Neurons that every layer divides into.
const SMALL_TILE: usize = 32;
/// Partial sums of a dot product, so that it does not depend on the width of registers.
const LANES: usize = 16;
/// Spread of the first input weights. About 20 inputs are on; neurons shall start within the activation's range.
const INPUT_DEVIATION: f32 = 0.06;

/// Where the parameters of a shape lie in one long list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The shape.
    pub shape: Architecture,
}

impl Layout {
    /// Where biases of the hidden layer start; the rows of the inputs come first.
    pub fn bias(self) -> usize {
        INPUTS * self.shape.hidden
    }

    /// Where output weights start.
    pub fn output(self) -> usize {
        self.bias() + self.shape.hidden
    }

    /// Where the output biases start.
    pub fn output_bias(self) -> usize {
        self.output() + self.shape.buckets * 2 * self.shape.hidden
    }

    /// Number of parameters.
    pub fn count(self) -> usize {
        self.output_bias() + self.shape.buckets
    }

    /// Random parameters to start from.
    pub fn random_parameters(self, seed: u64) -> Vec<f32> {
        let mut random = fastrand::Rng::with_seed(seed);
        let output_deviation = (1.0 / self.shape.hidden as f32).sqrt();
        (0..self.count())
            .map(|index| match index {
                _ if index < self.bias() => INPUT_DEVIATION * bell(&mut random),
                _ if index < self.output() || index >= self.output_bias() => 0.0,
                _ => output_deviation * bell(&mut random),
            })
            .collect()
    }
}

/// A number from nearly a normal distribution: the sum of twelve from a uniform one.
fn bell(random: &mut fastrand::Rng) -> f32 {
    (0..12).map(|_| random.f32()).sum::<f32>() - 6.0
}

/// A sample picked for a batch.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    /// The sample.
    pub sample: Sample,
    /// Are its files swapped?
    pub swap_files: bool,
    /// The expected points to learn.
    pub target: f32,
}

impl Pick {
    /// By how much an expectation misses the target. What is known to be at least the target misses it only
    /// from below, what is at most the target only from above.
    #[inline(always)]
    pub fn error(&self, expected: f32) -> f32 {
        let error = expected - self.target;
        match self.sample.bound() {
            Bound::Exact => error,
            Bound::Lower => error.min(0.0),
            Bound::Upper => error.max(0.0),
        }
    }
}

/// Memory for the passes of one thread.
#[derive(Clone, Debug)]
pub struct Scratch {
    inputs: Inputs,
    halves: [Vec<f32>; 2],
}

impl Scratch {
    /// Memory for a shape.
    pub fn new(shape: Architecture) -> Scratch {
        Scratch { inputs: Inputs::NONE, halves: [vec![0.0; shape.hidden], vec![0.0; shape.hidden]] }
    }
}

/// Expected points of a network's output.
#[inline(always)]
pub fn sigmoid(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// Forward and backward passes over picks; yields the sum of their losses.
pub struct Learn<'a> {
    /// Where parameters lie.
    pub layout: Layout,
    /// The parameters.
    pub parameters: &'a [f32],
    /// Takes the gradient of the sum of losses, added to what is there.
    pub gradient: &'a mut [f32],
    /// The picks.
    pub picks: &'a [Pick],
    /// Rooms to work in.
    pub scratch: &'a mut Scratch,
}

impl Task for Learn<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let Learn { layout, parameters, gradient, picks, scratch } = self;
        let mut loss = 0.0;
        for pick in picks {
            let bucket = layout.shape.bucket(pick.sample.men_count());
            pick.sample.inputs(layout.shape, pick.swap_files, &mut scratch.inputs);
            let expected = sigmoid(forward(layout, parameters, bucket, scratch));
            let error = pick.error(expected);
            loss += f64::from(error * error);
            let slope = 2.0 * error * expected * (1.0 - expected);
            backward(layout, parameters, gradient, Backward { bucket, slope }, scratch);
        }
        loss
    }
}

/// Forward passes alone; pushes the network's output of each pick.
pub struct Judge<'a> {
    /// Where parameters lie.
    pub layout: Layout,
    /// The parameters.
    pub parameters: &'a [f32],
    /// The picks.
    pub picks: &'a [Pick],
    /// Rooms to work in.
    pub scratch: &'a mut Scratch,
    /// Takes the outputs; times the scale they are values in internal units.
    pub outputs: &'a mut Vec<f32>,
}

impl Task for Judge<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for pick in self.picks {
            let bucket = self.layout.shape.bucket(pick.sample.men_count());
            pick.sample.inputs(self.layout.shape, pick.swap_files, &mut self.scratch.inputs);
            self.outputs.push(forward(self.layout, self.parameters, bucket, self.scratch));
        }
    }
}

/// The output for the inputs in the scratch, whose halves then hold the hidden layer's sums.
#[inline(always)]
fn forward(layout: Layout, parameters: &[f32], bucket: usize, scratch: &mut Scratch) -> f32 {
    let hidden = layout.shape.hidden;
    let (rows, rest) = parameters.split_at(layout.bias());
    let bias = &rest[..hidden];
    let Scratch { inputs, halves: [ours, theirs] } = scratch;
    sum_rows(ours, bias, rows, &inputs.ours[..inputs.count]);
    sum_rows(theirs, bias, rows, &inputs.theirs[..inputs.count]);
    let weights = &parameters[layout.output() + bucket * 2 * hidden..][..2 * hidden];
    let (our_weights, their_weights) = weights.split_at(hidden);
    parameters[layout.output_bias() + bucket]
        + squared_dot(ours, our_weights)
        + squared_dot(theirs, their_weights)
}

/// What the backward pass starts from.
#[derive(Clone, Copy)]
struct Backward {
    bucket: usize,
    /// Change of the loss with the output.
    slope: f32,
}

/// Adds the gradient for the inputs and sums in the scratch.
#[inline(always)]
fn backward(layout: Layout, parameters: &[f32], gradient: &mut [f32], from: Backward, scratch: &mut Scratch) {
    let hidden = layout.shape.hidden;
    let Backward { bucket, slope } = from;
    let (row_gradient, rest) = gradient.split_at_mut(layout.bias());
    let (bias_gradient, output_gradient) = rest.split_at_mut(hidden);
    output_gradient[layout.output_bias() - layout.output() + bucket] += slope;
    let weights = &parameters[layout.output() + bucket * 2 * hidden..][..2 * hidden];
    let weight_gradient = &mut output_gradient[bucket * 2 * hidden..][..2 * hidden];
    let Scratch { inputs, halves } = scratch;
    for (side, half) in halves.iter_mut().enumerate() {
        let weights = &weights[side * hidden..][..hidden];
        let weight_gradient = &mut weight_gradient[side * hidden..][..hidden];
        through_activation(half, weights, weight_gradient, bias_gradient, slope);
        let inputs = if side == 0 { &inputs.ours } else { &inputs.theirs }[..inputs.count].iter();
        for &input in inputs {
            let row = &mut row_gradient[usize::from(input) * hidden..][..hidden];
            for (sum, part) in row.iter_mut().zip(half.iter()) {
                *sum += part;
            }
        }
    }
}

/// The bias and the rows of the inputs added up.
#[inline(always)]
fn sum_rows(into: &mut [f32], bias: &[f32], rows: &[f32], inputs: &[u16]) {
    if into.len().is_multiple_of(TILE) {
        sum_tiles::<TILE>(into, bias, rows, inputs);
    } else {
        sum_tiles::<SMALL_TILE>(into, bias, rows, inputs);
    }
}

#[inline(always)]
fn sum_tiles<const WIDTH: usize>(into: &mut [f32], bias: &[f32], rows: &[f32], inputs: &[u16]) {
    let hidden = into.len();
    let tiles = into.as_chunks_mut::<WIDTH>().0.iter_mut().zip(bias.as_chunks::<WIDTH>().0);
    for (tile, (into, bias)) in tiles.enumerate() {
        let mut sums = *bias;
        for &input in inputs {
            let row = &rows[usize::from(input) * hidden + tile * WIDTH..][..WIDTH];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        *into = sums;
    }
}

/// Sum of squared clamped neurons times their weights.
#[inline(always)]
fn squared_dot(neurons: &[f32], weights: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    for (neurons, weights) in neurons.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            let value = neurons[lane].clamp(0.0, 1.0);
            sums[lane] += value * value * weights[lane];
        }
    }
    sums.into_iter().sum()
}

/// Turns neurons into the change of the loss with each, and adds to the gradients of weights and biases.
#[inline(always)]
fn through_activation(
    neurons: &mut [f32],
    weights: &[f32],
    weight_gradient: &mut [f32],
    bias_gradient: &mut [f32],
    slope: f32,
) {
    let gradients = weight_gradient.iter_mut().zip(bias_gradient);
    for ((neuron, weight), (weight_sum, bias_sum)) in neurons.iter_mut().zip(weights).zip(gradients) {
        let value = neuron.clamp(0.0, 1.0);
        *weight_sum += slope * value * value;
        // Clamping changes nothing exactly where the slope of the clamp is not 0.
        let inside = if (*neuron - value).abs() > 0.0 { 0.0 } else { 2.0 * slope };
        let change = inside * value * weight;
        *bias_sum += change;
        *neuron = change;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::nnue::{Level, vectorized};
    use crate::train::games::GameResult;

    const FENS: [&str; 3] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        "6k1/5ppp/8/8/2q5/8/5PPP/3R2K1 w - - 0 1",
    ];

    fn picks() -> Vec<Pick> {
        FENS.into_iter()
            .zip([0.9, 0.3, 0.1])
            .map(|(fen, target)| {
                let position: Position = fen.parse().unwrap();
                Pick { sample: Sample::new(&position, 0, GameResult::Draw), swap_files: target < 0.2, target }
            })
            .collect()
    }

    fn learn(layout: Layout, parameters: &[f32], level: Level) -> (f64, Vec<f32>) {
        let mut gradient = vec![0.0; layout.count()];
        let mut scratch = Scratch::new(layout.shape);
        let picks = picks();
        let task =
            Learn { layout, parameters, gradient: &mut gradient, picks: &picks, scratch: &mut scratch };
        (vectorized(level, task), gradient)
    }

    const SHAPES: [Architecture; 2] = [
        Architecture { hidden: 32, mirrored: false, buckets: 1 },
        Architecture { hidden: 64, mirrored: true, buckets: 8 },
    ];

    #[test]
    fn the_gradient_is_what_finite_differences_say() {
        for shape in SHAPES {
            let layout = Layout { shape };
            let parameters = layout.random_parameters(3);
            let (_, gradient) = learn(layout, &parameters, Level::Portable);
            let mut random = fastrand::Rng::with_seed(8);
            let live: Vec<_> = (0..layout.count()).filter(|&index| gradient[index].abs() > 1e-4).collect();
            let later = live.iter().copied().filter(|&index| index >= layout.bias()).take(100);
            let early = (0..100).map(|_| live[random.usize(..live.len())]);
            for index in later.chain(early) {
                const STEP: f32 = 2e-3;
                let loss_at = |step: f32| {
                    let mut moved = parameters.clone();
                    moved[index] += step;
                    learn(layout, &moved, Level::Portable).0
                };
                let slope = (loss_at(STEP) - loss_at(-STEP)) / f64::from(2.0 * STEP);
                let error = (slope - f64::from(gradient[index])).abs();
                assert!(error < 2e-4 + 0.02 * slope.abs(), "{index}: {slope} {}", gradient[index]);
            }
        }
    }

    #[test]
    fn every_level_learns_the_same() {
        let layout = Layout { shape: SHAPES[1] };
        let parameters = layout.random_parameters(3);
        let results: Vec<_> = Level::available().map(|level| learn(layout, &parameters, level)).collect();
        assert!(results.iter().all(|result| *result == results[0]));
    }
}

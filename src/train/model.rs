//! The network in floating point: its value of a sample, and how that changes with each parameter.
//!
//! The first layer is sparse: at most 32 of 768 inputs are on, so that forward and backward passes touch only
//! their rows. Many samples pass through a tile of neurons before the next tile's turn, so that its rows stay
//! in the cache of the first level.

use super::sample::{Inputs, Sample};
use crate::nnue::{Architecture, INPUTS, Task};
use crate::types::Bound;

/// Neurons of a tile: as many as the widest registers hold. Its rows of all inputs take 48 KiB.
const TILE: usize = 16;
/// Samples that pass through a tile, one after the other.
const AT_ONCE: usize = 128;
/// Numbers of a tile: neurons, or one weight of each.
type Tile = [f32; TILE];
/// Spread of the first input weights. About 20 inputs are on; neurons shall start within the activation's range.
const INPUT_DEVIATION: f32 = 0.06;

/// Where the parameters of a shape lie in one long list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The shape.
    pub shape: Architecture,
}

impl Layout {
    /// Input weights, the neurons of the first input before those of the next. Where they lie, each tile's
    /// weights for all inputs come before those of the next tile.
    pub fn input_weights(self, parameters: &[f32]) -> Vec<f32> {
        transposed(&parameters[..self.bias()], INPUTS)
    }

    /// The other way round: input weights, the neurons of the first input before those of the next, as they lie
    /// in a list of parameters.
    pub fn tiled(self, input_weights: &[f32]) -> Vec<f32> {
        transposed(input_weights, self.tiles())
    }

    /// Where biases of the hidden layer start; the input weights come first.
    pub fn bias(self) -> usize {
        INPUTS * self.shape.hidden
    }

    /// Number of tiles.
    fn tiles(self) -> usize {
        self.shape.hidden / TILE
    }

    /// Which tile of the output weights belongs to a tile of the hidden layer, as a side sees the board.
    #[inline(always)]
    fn output_tile(self, bucket: usize, side: usize, tile: usize) -> usize {
        (bucket * 2 + side) * self.tiles() + tile
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

/// Takes the numbers as a matrix of tiles with so many columns, and puts its columns one after the other.
fn transposed(numbers: &[f32], columns: usize) -> Vec<f32> {
    let tiles = numbers.as_chunks::<TILE>().0;
    (0..columns).flat_map(|column| tiles.iter().skip(column).step_by(columns).flatten().copied()).collect()
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

/// A sample on its way through the tiles.
#[derive(Clone, Copy, Debug)]
struct Passing {
    inputs: Inputs,
    bucket: usize,
    /// What each place of the tiles has given to the output.
    output: Tile,
    /// Change of the loss with the output.
    slope: f32,
}

/// Memory for the passes of one thread.
#[derive(Clone, Debug)]
pub struct Scratch {
    passing: Vec<Passing>,
    /// The hidden layer's sums for each tile and sample: as the side to move sees the board, as the other does.
    sums: Vec<[Tile; 2]>,
}

impl Scratch {
    /// Memory for a shape.
    pub fn new(shape: Architecture) -> Scratch {
        let sums = vec![[[0.0; TILE]; 2]; shape.hidden / TILE * AT_ONCE];
        Scratch { passing: Vec::with_capacity(AT_ONCE), sums }
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
        for picks in picks.chunks(AT_ONCE) {
            forward(layout, parameters, picks, scratch);
            for (pick, passing) in picks.iter().zip(&mut scratch.passing) {
                let expected = sigmoid(output(layout, parameters, passing));
                let error = pick.error(expected);
                loss += f64::from(error * error);
                passing.slope = 2.0 * error * expected * (1.0 - expected);
            }
            backward(layout, parameters, gradient, scratch);
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
        let Judge { layout, parameters, picks, scratch, outputs } = self;
        for picks in picks.chunks(AT_ONCE) {
            forward(layout, parameters, picks, scratch);
            outputs.extend(scratch.passing.iter().map(|passing| output(layout, parameters, passing)));
        }
    }
}

/// Sends samples through the tiles: the scratch then holds the hidden layer's sums and what they give to outputs.
#[inline(always)]
fn forward(layout: Layout, parameters: &[f32], picks: &[Pick], scratch: &mut Scratch) {
    let Scratch { passing, sums } = scratch;
    passing.clear();
    for pick in picks {
        let bucket = layout.shape.bucket(pick.sample.men_count());
        let mut entering = Passing { inputs: Inputs::NONE, bucket, output: [0.0; TILE], slope: 0.0 };
        pick.sample.inputs(layout.shape, pick.swap_files, &mut entering.inputs);
        passing.push(entering);
    }
    let (rows, rest) = parameters.split_at(layout.bias());
    let biases = &rest.as_chunks::<TILE>().0[..layout.tiles()];
    let weights = parameters[layout.output()..layout.output_bias()].as_chunks::<TILE>().0;
    let tiles = rows.as_chunks::<TILE>().0.chunks_exact(INPUTS).zip(biases);
    for (tile, ((rows, bias), sums)) in tiles.zip(sums.chunks_exact_mut(AT_ONCE)).enumerate() {
        for (sample, sums) in passing.iter_mut().zip(sums) {
            *sums = sum_rows(bias, rows, &sample.inputs);
            for (side, sums) in sums.iter().enumerate() {
                let weights = &weights[layout.output_tile(sample.bucket, side, tile)];
                add(&mut sample.output, &squared_product(sums, weights));
            }
        }
    }
}

/// The network's output for a sample that went through all tiles.
#[inline(always)]
fn output(layout: Layout, parameters: &[f32], sample: &Passing) -> f32 {
    parameters[layout.output_bias() + sample.bucket] + sample.output.iter().sum::<f32>()
}

/// Adds the gradients of the samples in the scratch.
#[inline(always)]
fn backward(layout: Layout, parameters: &[f32], gradient: &mut [f32], scratch: &Scratch) {
    let Scratch { passing, sums } = scratch;
    let weights = parameters[layout.output()..layout.output_bias()].as_chunks::<TILE>().0;
    let (row_gradients, rest) = gradient.split_at_mut(layout.bias());
    let (bias_gradients, rest) = rest.split_at_mut(layout.shape.hidden);
    let (weight_gradients, output_bias_gradients) = rest.split_at_mut(layout.output_bias() - layout.output());
    for sample in passing {
        output_bias_gradients[sample.bucket] += sample.slope;
    }
    let weight_gradients = weight_gradients.as_chunks_mut::<TILE>().0;
    let tiles = row_gradients.as_chunks_mut::<TILE>().0.chunks_exact_mut(INPUTS);
    let tiles = tiles.zip(bias_gradients.as_chunks_mut::<TILE>().0).zip(sums.chunks_exact(AT_ONCE));
    for (tile, ((row_gradients, bias_gradient), sums)) in tiles.enumerate() {
        for (sample, sums) in passing.iter().zip(sums) {
            for (side, inputs) in [sample.inputs.ours(), sample.inputs.theirs()].into_iter().enumerate() {
                let place = layout.output_tile(sample.bucket, side, tile);
                let (weight_change, change) = through_activation(&sums[side], &weights[place], sample.slope);
                add(&mut weight_gradients[place], &weight_change);
                add(bias_gradient, &change);
                for &input in inputs {
                    add(&mut row_gradients[usize::from(input)], &change);
                }
            }
        }
    }
}

/// The bias and the rows of the inputs added up, as the side to move sees the board and as the other does.
#[inline(always)]
fn sum_rows(bias: &Tile, rows: &[Tile], inputs: &Inputs) -> [Tile; 2] {
    let mut sums = [*bias; 2];
    for (&ours, &theirs) in inputs.ours().iter().zip(inputs.theirs()) {
        add(&mut sums[0], &rows[usize::from(ours)]);
        add(&mut sums[1], &rows[usize::from(theirs)]);
    }
    sums
}

#[inline(always)]
fn add(sums: &mut Tile, parts: &Tile) {
    for (sum, part) in sums.iter_mut().zip(parts) {
        *sum += part;
    }
}

/// Squared clamped neurons times their weights.
#[inline(always)]
fn squared_product(sums: &Tile, weights: &Tile) -> Tile {
    let mut products = [0.0; TILE];
    for lane in 0..TILE {
        let value = sums[lane].clamp(0.0, 1.0);
        products[lane] = value * value * weights[lane];
    }
    products
}

/// Change of the loss with each output weight, and with each neuron.
#[inline(always)]
fn through_activation(sums: &Tile, weights: &Tile, slope: f32) -> (Tile, Tile) {
    let (mut weight_change, mut change) = ([0.0; TILE], [0.0; TILE]);
    for lane in 0..TILE {
        let value = sums[lane].clamp(0.0, 1.0);
        weight_change[lane] = slope * value * value;
        // Below 0 the value is 0 anyway, above 1 it does not change with the sum.
        let live = if sums[lane] > 1.0 { 0.0 } else { value };
        change[lane] = 2.0 * slope * live * weights[lane];
    }
    (weight_change, change)
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

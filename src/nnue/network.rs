//! A network: its shape, its weights, and the value of a position.

use super::features::{INPUTS, MAX_MEN, View};
use super::simd::{Block, Kernels, LANES, Level, MAX_OUTPUT_WEIGHT, ONE};
use crate::board::Position;
use crate::types::Color;

/// Finest fixed point of the output weights. Sums of trained networks stay far within 32 bits by it; others wrap, alike
/// on all levels.
const MAX_OUTPUT_ONE: i32 = 1024;
/// Largest hidden layer.
pub(crate) const MAX_HIDDEN: usize = 2048;
/// Most output buckets.
pub(crate) const MAX_BUCKETS: usize = 16;
/// Largest scale.
pub(crate) const MAX_SCALE: i32 = 4000;

/// Bits behind the point of [`Network::unit`], so that no product leaves 64 bits.
const UNIT_BITS: u32 = 24;
/// No value is larger, whatever the weights; those of trained networks are far smaller.
const MOST: i64 = 1 << 30;

/// The shape of a network.
///
/// ```
/// use clavier::nnue::Architecture;
/// let plain = Architecture { hidden: 256, mirrored: false, buckets: 1 };
/// assert_eq!(plain.to_string(), "768->256x2->1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    /// Neurons that each side's half of the hidden layer has, a multiple of 32.
    pub hidden: usize,
    /// Are files swapped so that a side sees its king on the files a to d?
    pub mirrored: bool,
    /// Sets of output weights, chosen by the number of men.
    pub buckets: usize,
}

/// Why there is no network of such a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ArchitectureError {
    /// Width of the hidden layer.
    #[error("a hidden layer of {0} neurons is no multiple of 32 up to 2048")]
    Hidden(usize),
    /// Number of output buckets.
    #[error("{0} output buckets are not between 1 and 16")]
    Buckets(usize),
    /// Scale of the output.
    #[error("scale {0} is not between 1 and 4000")]
    Scale(i32),
    /// Not as many weights as the shape has.
    #[error("{found} {name} do not fit the shape, which has {expected}")]
    Count {
        /// Which weights.
        name: &'static str,
        /// How many the shape has.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Fixed point of the output weights.
    #[error("fixed point {0} of output weights is not between 1 and 1024")]
    OutputOne(i32),
    /// An output weight for which the kernels' 16-bit products would overflow.
    #[error("output weight {0} is not between -128 and 128")]
    OutputWeight(i16),
}

impl Architecture {
    /// The same shape, if there can be a network of it.
    ///
    /// # Errors
    /// An [`ArchitectureError`] that names the measure.
    pub fn checked(self) -> Result<Architecture, ArchitectureError> {
        if self.hidden == 0 || !self.hidden.is_multiple_of(LANES) || self.hidden > MAX_HIDDEN {
            Err(ArchitectureError::Hidden(self.hidden))
        } else if self.buckets == 0 || self.buckets > MAX_BUCKETS {
            Err(ArchitectureError::Buckets(self.buckets))
        } else {
            Ok(self)
        }
    }

    /// The output bucket for a number of men on the board.
    #[inline]
    pub fn bucket(self, men: u32) -> usize {
        let most = MAX_MEN as u32;
        (men.clamp(2, most) - 2) as usize * self.buckets / (MAX_MEN - 1)
    }
}

impl std::fmt::Display for Architecture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mirrored = if self.mirrored { "m" } else { "" };
        write!(f, "{INPUTS}{mirrored}->{}x2->{}", self.hidden, self.buckets)
    }
}

/// The numbers of a network, in fixed point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// Input by input, its weight to each hidden neuron; 255 is 1.0.
    pub features: Vec<i16>,
    /// Of each hidden neuron; 255 is 1.0.
    pub bias: Vec<i16>,
    /// Bucket by bucket the weights of the mover's half and of the other half.
    pub output: Vec<i16>,
    /// Of each bucket; 255 times [`Weights::output_one`] is 1.0.
    pub output_bias: Vec<i32>,
    /// What is 1.0 among the output weights.
    pub output_one: i32,
}

/// A network ready to evaluate. It never changes; share it in an `Arc`.
pub struct Network {
    architecture: Architecture,
    scale: i32,
    name: String,
    kernels: Kernels,
    features: Vec<Block>,
    bias: Vec<Block>,
    output: Vec<Block>,
    output_bias: Vec<i32>,
    output_one: i32,
    /// What one unit of the output is worth in internal units, in fixed point: a division for all evaluations.
    unit: i64,
}

impl Network {
    /// A network of these weights. `scale` is the value of an output of 1.0.
    ///
    /// # Errors
    /// An [`ArchitectureError`] if the parts do not fit together.
    pub fn new(
        architecture: Architecture,
        scale: i32,
        name: &str,
        weights: &Weights,
    ) -> Result<Network, ArchitectureError> {
        let Architecture { hidden, buckets, .. } = architecture.checked()?;
        let counts = [
            ("input weights", INPUTS * hidden, weights.features.len()),
            ("biases", hidden, weights.bias.len()),
            ("output weights", buckets * 2 * hidden, weights.output.len()),
            ("output biases", buckets, weights.output_bias.len()),
        ];
        if let Some(&(name, expected, found)) = counts.iter().find(|(_, expected, found)| expected != found) {
            return Err(ArchitectureError::Count { name, expected, found });
        }
        if !(1..=MAX_SCALE).contains(&scale) {
            return Err(ArchitectureError::Scale(scale));
        }
        if !(1..=MAX_OUTPUT_ONE).contains(&weights.output_one) {
            return Err(ArchitectureError::OutputOne(weights.output_one));
        }
        let sizes = -MAX_OUTPUT_WEIGHT..=MAX_OUTPUT_WEIGHT;
        if let Some(&weight) = weights.output.iter().find(|weight| !sizes.contains(weight)) {
            return Err(ArchitectureError::OutputWeight(weight));
        }
        Ok(Network {
            architecture,
            scale,
            name: name.to_owned(),
            kernels: Kernels::new(Level::best()),
            features: blocks(&weights.features),
            bias: blocks(&weights.bias),
            output: blocks(&weights.output),
            output_bias: weights.output_bias.clone(),
            output_one: weights.output_one,
            unit: (i64::from(scale) << UNIT_BITS) / i64::from(i32::from(ONE) * weights.output_one),
        })
    }

    /// The same network on the vector instructions of a level, or of the best one below that runs here.
    pub fn with_level(mut self, level: Level) -> Network {
        self.kernels = Kernels::new(level);
        self
    }

    /// The vector instructions in use.
    pub fn level(&self) -> Level {
        self.kernels.level()
    }

    /// The shape.
    #[inline]
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// Value of an output of 1.0, in internal units.
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// What its maker called it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The weights, as given to [`Network::new`].
    pub fn weights(&self) -> Weights {
        let flat = |blocks: &[Block]| blocks.iter().flat_map(|block| block.0).collect();
        Weights {
            features: flat(&self.features),
            bias: flat(&self.bias),
            output: flat(&self.output),
            output_bias: self.output_bias.clone(),
            output_one: self.output_one,
        }
    }

    /// Value of the position for the side to move, in internal units, computed from nothing.
    pub fn evaluate(&self, position: &Position) -> i32 {
        let us = position.side_to_move();
        let [ours, theirs] =
            [us, !us].map(|color| self.view(position, color).inputs(position).collect::<Vec<_>>());
        self.evaluate_inputs(&ours, &theirs)
    }

    /// Value for the side that sees the first inputs, in internal units.
    pub fn evaluate_inputs(&self, ours: &[u16], theirs: &[u16]) -> i32 {
        let [ours, theirs] = [ours, theirs].map(|inputs| {
            let mut half = vec![Block::ZERO; self.blocks()];
            self.refresh(&mut half, inputs);
            (half, inputs.len())
        });
        self.finish(&ours.0, &theirs.0, ours.1 as u32)
    }

    /// How a side looks at a position.
    #[inline]
    pub(crate) fn view(&self, position: &Position, color: Color) -> View {
        View::new(color, position.king_square(color), self.architecture.mirrored)
    }

    /// Lines of one half of the hidden layer.
    #[inline]
    pub(crate) fn blocks(&self) -> usize {
        self.architecture.hidden / LANES
    }

    #[inline]
    pub(crate) fn kernels(&self) -> &Kernels {
        &self.kernels
    }

    /// The weights of all inputs, one row after the other.
    #[inline]
    pub(crate) fn rows(&self) -> &[Block] {
        &self.features
    }

    /// Sums of one half of the hidden layer, from nothing.
    #[inline]
    pub(crate) fn refresh(&self, half: &mut [Block], inputs: &[u16]) {
        self.kernels.refresh(half, &self.bias, &self.features, inputs);
    }

    /// The value from both halves' sums.
    #[inline]
    pub(crate) fn finish(&self, ours: &[Block], theirs: &[Block], men: u32) -> i32 {
        let bucket = self.architecture.bucket(men);
        let blocks = 2 * self.blocks();
        let sum = self.kernels.output(ours, theirs, &self.output[bucket * blocks..][..blocks]);
        // The sum carries the activation's fixed point twice.
        let output = i64::from(sum / i32::from(ONE)) + i64::from(self.output_bias[bucket]);
        ((output * self.unit) >> UNIT_BITS).clamp(-MOST, MOST) as i32
    }

    /// A network of small random weights, for tests and benchmarks.
    ///
    /// # Errors
    /// An [`ArchitectureError`] if there can be no such shape.
    pub fn random(architecture: Architecture, seed: u64) -> Result<Network, ArchitectureError> {
        let Architecture { hidden, buckets, .. } = architecture.checked()?;
        let mut random = fastrand::Rng::with_seed(seed);
        let mut numbers = |count: usize, size: i16| (0..count).map(|_| random.i16(-size..=size)).collect();
        let weights = Weights {
            features: numbers(INPUTS * hidden, 60),
            bias: numbers(hidden, 120),
            output: numbers(buckets * 2 * hidden, 60),
            output_bias: (0..buckets as i32).map(|bucket| 100 * bucket).collect(),
            output_one: 64,
        };
        Network::new(architecture, 400, "random", &weights)
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.name, self.architecture)
    }
}

fn blocks(numbers: &[i16]) -> Vec<Block> {
    let (chunks, rest) = numbers.as_chunks::<LANES>();
    debug_assert!(rest.is_empty());
    chunks.iter().map(|&chunk| Block(chunk)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Architecture = Architecture { hidden: 64, mirrored: false, buckets: 1 };

    #[test]
    fn a_position_and_its_color_flip_are_worth_the_same() {
        let network = Network::random(Architecture { buckets: 8, ..PLAIN }, 1).unwrap();
        let position: Position =
            "r3k2r/p1p1qpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1".parse().unwrap();
        let flipped: Position =
            "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1P1QPB1/R3K2R b - - 0 1".parse().unwrap();
        assert_eq!(network.evaluate(&position), network.evaluate(&flipped));
    }

    #[test]
    fn a_mirrored_network_values_mirrored_positions_alike() {
        let network = Network::random(Architecture { mirrored: true, ..PLAIN }, 1).unwrap();
        let position: Position = "6k1/5ppp/8/8/2q5/8/5PPP/3R2K1 w - - 0 1".parse().unwrap();
        let mirrored: Position = "1k6/ppp5/8/8/5q2/8/PPP5/1K2R3 w - - 0 1".parse().unwrap();
        assert_eq!(network.evaluate(&position), network.evaluate(&mirrored));
    }

    #[test]
    fn buckets_cover_all_numbers_of_men() {
        let shape = Architecture { buckets: 8, ..PLAIN };
        assert_eq!((shape.bucket(2), shape.bucket(17), shape.bucket(32)), (0, 3, 7));
        assert!((2..=32).all(|men| PLAIN.bucket(men) == 0));
    }

    #[test]
    fn shapes_that_cannot_be_are_refused() {
        assert_eq!(Architecture { hidden: 48, ..PLAIN }.checked(), Err(ArchitectureError::Hidden(48)));
        assert_eq!(Architecture { hidden: 0, ..PLAIN }.checked(), Err(ArchitectureError::Hidden(0)));
        assert_eq!(Architecture { buckets: 0, ..PLAIN }.checked(), Err(ArchitectureError::Buckets(0)));
    }

    #[test]
    fn an_output_weight_that_overflows_the_kernels_is_refused() {
        let network = Network::random(PLAIN, 1).unwrap();
        let mut weights = network.weights();
        weights.output[5] = 129;
        let refusal = Network::new(PLAIN, 400, "", &weights).err();
        assert_eq!(refusal, Some(ArchitectureError::OutputWeight(129)));
    }
}

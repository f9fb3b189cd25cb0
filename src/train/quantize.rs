//! From floating point to the integers of play and back, and what is lost on the way.

use super::model::{Judge, Layout, Pick, Scratch};
use super::sample::Inputs;
use crate::nnue::{ArchitectureError, Level, Network, Weights, vectorized};

/// 1.0 of inputs, biases and activations.
const INPUT_ONE: f32 = 255.0;
/// Finest and coarsest 1.0 of output weights.
const FINEST: f32 = 512.0;
const COARSEST: f32 = 64.0;
/// Largest output weight in integers, so that 16 bits hold its product with an activation.
const LARGEST_WEIGHT: f32 = 127.0;

/// How far the integers are from the floating-point values, in internal units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QuantizationError {
    /// Positions compared.
    pub positions: usize,
    /// Mean of the errors' sizes.
    pub mean: f32,
    /// The size that one in a hundred errors exceeds.
    pub percentile99: f32,
    /// The largest error.
    pub largest: f32,
}

/// The network of these parameters in integers.
///
/// # Errors
/// If the shape or the scale cannot be.
pub fn quantize(
    layout: Layout,
    parameters: &[f32],
    scale: i32,
    name: &str,
) -> Result<Network, ArchitectureError> {
    let short = |numbers: &[f32], one: f32| numbers.iter().map(|x| (x * one).round() as i16).collect();
    let output = &parameters[layout.output()..layout.output_bias()];
    let output_one = finest_one(output);
    let weights = Weights {
        features: short(&layout.input_weights(parameters), INPUT_ONE),
        bias: short(&parameters[layout.bias()..layout.output()], INPUT_ONE),
        output: short(output, output_one),
        output_bias: parameters[layout.output_bias()..]
            .iter()
            .map(|x| (x * INPUT_ONE * output_one).round() as i32)
            .collect(),
        output_one: output_one as i32,
    };
    Network::new(layout.shape, scale, name, &weights)
}

/// The parameters that a network's integers stand for.
pub fn parameters_of(network: &Network) -> Vec<f32> {
    let layout = Layout { shape: network.architecture() };
    let Weights { features, bias, output, output_bias, output_one } = network.weights();
    let output_one = output_one as f32;
    let floats = |numbers: &[i16], one: f32| numbers.iter().map(|&x| f32::from(x) / one).collect::<Vec<_>>();
    let mut parameters = layout.tiled(&floats(&features, INPUT_ONE));
    parameters.extend(floats(&bias, INPUT_ONE));
    parameters.extend(floats(&output, output_one));
    parameters.extend(output_bias.iter().map(|&x| x as f32 / (INPUT_ONE * output_one)));
    parameters
}

/// The finest fixed point for which the largest of these weights still fits.
fn finest_one(weights: &[f32]) -> f32 {
    let largest = weights.iter().fold(f32::MIN_POSITIVE, |largest, weight| largest.max(weight.abs()));
    (LARGEST_WEIGHT / largest).floor().clamp(COARSEST, FINEST)
}

/// Compares a network with the parameters that it was made from.
pub fn compare(layout: Layout, parameters: &[f32], network: &Network, picks: &[Pick]) -> QuantizationError {
    let mut outputs = Vec::with_capacity(picks.len());
    let mut scratch = Scratch::new(layout.shape);
    let task = Judge { layout, parameters, picks, scratch: &mut scratch, outputs: &mut outputs };
    vectorized(Level::best(), task);
    let mut inputs = Inputs::NONE;
    let mut errors: Vec<f32> = picks
        .iter()
        .zip(outputs)
        .map(|(pick, output)| {
            pick.sample.inputs(layout.shape, pick.swap_files, &mut inputs);
            (network.evaluate_inputs(inputs.ours(), inputs.theirs()) as f32 - output * network.scale() as f32)
                .abs()
        })
        .collect();
    errors.sort_by(f32::total_cmp);
    let count = errors.len().max(1);
    QuantizationError {
        positions: errors.len(),
        mean: errors.iter().sum::<f32>() / count as f32,
        percentile99: errors.get(count * 99 / 100).copied().unwrap_or_default(),
        largest: errors.last().copied().unwrap_or_default(),
    }
}

impl std::fmt::Display for QuantizationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "quantization error over {} positions: mean {:.2}, 99 % below {:.2}, largest {:.2} units",
            self.positions, self.mean, self.percentile99, self.largest
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Architecture;

    #[test]
    fn a_networks_parameters_make_it_again() {
        for shape in [
            Architecture { hidden: 32, mirrored: false, buckets: 1 },
            Architecture { hidden: 96, mirrored: true, buckets: 8 },
        ] {
            let network = Network::random(shape, 7).unwrap();
            let mut weights = network.weights();
            // What the largest output weight makes the finest fixed point.
            weights.output[0] = 127;
            let network = Network::new(shape, 400, "again", &weights).unwrap();
            let again = quantize(Layout { shape }, &parameters_of(&network), 400, "again").unwrap();
            assert_eq!(again.weights(), weights);
        }
    }
}

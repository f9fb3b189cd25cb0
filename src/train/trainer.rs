//! The training: epochs over shuffled samples, a checkpoint and a network after each.

use super::checkpoint::{Checkpoint, CheckpointError, replace};
use super::loader::Data;
use super::model::{Judge, Layout, Learn, Pick, Scratch, sigmoid};
use super::optimizer::{Optimizer, Range};
use super::plot::{EpochRow, from_csv, to_csv, to_svg};
use super::quantize::{QuantizationError, compare, parameters_of, quantize};
use super::sample::Sample;
use super::shuffle::{Shuffle, mix};
use crate::nnue::{Architecture, ArchitectureError, Level, Network, vectorized};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Samples that a thread gathers before it learns from them: enough for their loads to overlap, few
/// enough to stay in cache.
const GATHERED: usize = 256;
/// Positions of held-out games on which quantization is judged.
const COMPARED: usize = 20_000;

/// What to train, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Shape of the network.
    pub shape: Architecture,
    /// Times that every sample is seen.
    pub epochs: u64,
    /// Samples of a step.
    pub batch: usize,
    /// Rate of learning, along a cosine.
    pub rate: Range,
    /// Share of the result in the target, along a line.
    pub lambda: Range,
    /// Units of a value that make a chance of winning of 73 %. The network's values come in the same units.
    pub scale: f32,
    /// Seed of first weights, order and swapped files.
    pub seed: u64,
    /// Name put into the network's file.
    pub name: String,
}

/// Why training ended early.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum TrainError {
    #[error(transparent)]
    Shape(#[from] ArchitectureError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("{path}: {error}")]
    Write { path: PathBuf, error: std::io::Error },
    #[error("the loss is no number any more in epoch {0}: lower the rate")]
    Diverged(u64),
    #[error("{samples} positions are fewer than a batch of {batch}: play more, or lower --batch")]
    TooFew { samples: usize, batch: usize },
    #[error("{found} to start from is not the shape to train, {expected}")]
    OtherShape { expected: Architecture, found: Architecture },
}

/// What a training came to.
#[derive(Debug)]
pub struct Outcome {
    /// The network.
    pub network: Network,
    /// What each epoch came to.
    pub rows: Vec<EpochRow>,
    /// What the integers cost.
    pub error: QuantizationError,
}

/// Told of each epoch, and asked before each step whether to go on.
pub trait Watcher {
    /// A step of so many samples is done.
    fn step(&mut self, samples: usize);
    /// An epoch is done.
    fn epoch(&mut self, row: &EpochRow);
    /// Shall training end after the last checkpoint?
    fn is_stopped(&self) -> bool {
        false
    }
}

/// A training under way.
pub struct Trainer<'a> {
    plan: &'a Plan,
    data: &'a Data,
    layout: Layout,
    level: Level,
    /// Name of the network that training starts from; none for random weights.
    origin: Option<String>,
    optimizer: Optimizer,
    gradients: Vec<Vec<f32>>,
    epochs: u64,
    rows: Vec<EpochRow>,
}

impl<'a> Trainer<'a> {
    /// A training that starts from random weights.
    ///
    /// # Errors
    /// If the shape cannot be or there is too little data.
    pub fn new(plan: &'a Plan, data: &'a Data) -> Result<Trainer<'a>, TrainError> {
        let layout = Layout { shape: plan.shape.checked()? };
        let (samples, batch) = (data.samples.len(), plan.batch);
        if samples < batch || batch == 0 {
            return Err(TrainError::TooFew { samples, batch });
        }
        Ok(Trainer {
            plan,
            data,
            layout,
            level: Level::best(),
            origin: None,
            optimizer: Optimizer::new(layout.random_parameters(plan.seed)),
            gradients: vec![vec![0.0; layout.count()]; rayon::current_num_threads()],
            epochs: 0,
            rows: Vec::new(),
        })
    }

    /// The same training, but from this network's weights instead of random ones.
    ///
    /// # Errors
    /// If the network has another shape.
    pub fn starting_from(mut self, network: &Network) -> Result<Trainer<'a>, TrainError> {
        let (expected, found) = (self.layout.shape, network.architecture());
        if found != expected {
            return Err(TrainError::OtherShape { expected, found });
        }
        self.origin = Some(network.name().to_owned());
        self.optimizer = Optimizer::new(parameters_of(network));
        Ok(self)
    }

    /// What is trained on what, in words.
    fn identity(&self) -> String {
        let Plan { shape, epochs, batch, rate, lambda, scale, seed, .. } = self.plan;
        let (samples, held_out) = (self.data.samples.len(), self.data.held_out.len());
        let origin = self.origin.as_ref().map_or_else(String::new, |name| format!(" from {name}"));
        format!(
            "{shape}{origin}, {epochs} epochs, batch {batch}, rate {} to {}, lambda {} to {}, \
             scale {scale:.1}, seed {seed}, {samples} + {held_out} positions",
            rate.from, rate.to, lambda.from, lambda.to
        )
    }

    /// Goes on from the folder's checkpoint, if there is one; yields the epochs that are done.
    ///
    /// # Errors
    /// If the checkpoint is damaged or another training's.
    pub fn resume(&mut self, folder: &Path) -> Result<u64, TrainError> {
        if let Some(found) = Checkpoint::load(&folder.join("checkpoint"), &self.identity())? {
            self.epochs = found.epochs;
            self.optimizer = found.optimizer;
            self.rows = from_csv(&std::fs::read_to_string(folder.join("loss.csv")).unwrap_or_default());
            self.rows.retain(|row| row.epoch <= self.epochs);
        }
        Ok(self.epochs)
    }

    /// Epochs done.
    pub fn epochs_done(&self) -> u64 {
        self.epochs
    }

    /// Steps of an epoch. Samples that fill no batch wait for another epoch's order.
    pub fn steps_per_epoch(&self) -> usize {
        self.data.samples.len() / self.plan.batch
    }

    /// Trains to the end, or until the watcher stops it.
    ///
    /// # Errors
    /// If files cannot be written or the training diverges.
    pub fn run(mut self, folder: &Path, watcher: &mut dyn Watcher) -> Result<Outcome, TrainError> {
        while self.epochs < self.plan.epochs && !watcher.is_stopped() {
            let Some(row) = self.epoch(watcher) else { break };
            if !row.loss.is_finite() {
                return Err(TrainError::Diverged(row.epoch));
            }
            self.epochs = row.epoch;
            self.rows.push(row);
            self.save(folder)?;
            watcher.epoch(&row);
        }
        let network = self.network()?;
        let picks: Vec<_> =
            self.judged().iter().take(COMPARED).map(|&sample| self.plain_pick(sample)).collect();
        let error = compare(self.layout, &self.optimizer.parameters, &network, &picks);
        Ok(Outcome { network, rows: self.rows, error })
    }

    fn network(&self) -> Result<Network, TrainError> {
        let Plan { scale, name, .. } = self.plan;
        Ok(quantize(self.layout, &self.optimizer.parameters, scale.round() as i32, name)?)
    }

    fn save(&self, folder: &Path) -> Result<(), TrainError> {
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            replace(&path, bytes).map_err(|error| TrainError::Write { path, error })
        };
        write("loss.csv", to_csv(&self.rows).as_bytes())?;
        write("loss.svg", to_svg(&self.rows, &self.plan.name).as_bytes())?;
        write("net.nnue", &self.network()?.to_bytes())?;
        let checkpoint =
            Checkpoint { identity: self.identity(), epochs: self.epochs, optimizer: self.optimizer.clone() };
        Ok(checkpoint.save(&folder.join("checkpoint"))?)
    }

    /// Share of all steps that are done.
    fn progress(&self) -> f32 {
        let all = self.plan.epochs * self.steps_per_epoch() as u64;
        self.optimizer.steps as f32 / all.max(1) as f32
    }

    /// One time over all samples; none if stopped on the way.
    fn epoch(&mut self, watcher: &mut dyn Watcher) -> Option<EpochRow> {
        let began = Instant::now();
        let order = Shuffle::new(self.data.samples.len(), mix(self.plan.seed) ^ self.epochs);
        let mut loss = 0.0;
        for step in 0..self.steps_per_epoch() {
            if watcher.is_stopped() {
                return None;
            }
            loss += self.step(&order, step);
            watcher.step(self.plan.batch);
        }
        let learnt = self.steps_per_epoch() * self.plan.batch;
        let speed = learnt as f64 / began.elapsed().as_secs_f64();
        Some(EpochRow {
            epoch: self.epochs + 1,
            loss: loss / learnt as f64,
            held_out_loss: self.held_out_loss(),
            rate: self.plan.rate.cosine(self.progress()),
            lambda: self.plan.lambda.linear(self.progress()),
            speed,
        })
    }

    /// One step of the optimizer; yields the sum of losses.
    pub fn step(&mut self, order: &Shuffle, step: usize) -> f64 {
        let batch = self.plan.batch;
        let rate = self.plan.rate.cosine(self.progress());
        let lambda = self.plan.lambda.linear(self.progress());
        let mut gradients = std::mem::take(&mut self.gradients);
        let part = batch.div_ceil(gradients.len());
        let this = &*self;
        let loss: f64 = gradients
            .par_iter_mut()
            .enumerate()
            .map(|(thread, gradient)| {
                gradient.fill(0.0);
                let places = (thread * part).min(batch)..((thread + 1) * part).min(batch);
                let places = step * batch + places.start..step * batch + places.end;
                this.learn_part(order, places, lambda, gradient)
            })
            .sum();
        self.optimizer.step(&gradients, batch, rate, self.level);
        self.gradients = gradients;
        loss
    }

    /// Adds up the gradient over some places of the order.
    fn learn_part(
        &self,
        order: &Shuffle,
        places: std::ops::Range<usize>,
        lambda: f32,
        gradient: &mut [f32],
    ) -> f64 {
        let mut scratch = Scratch::new(self.layout.shape);
        let mut picks = Vec::with_capacity(GATHERED);
        let mut loss = 0.0;
        for start in places.clone().step_by(GATHERED) {
            picks.clear();
            picks.extend((start..(start + GATHERED).min(places.end)).map(|place| {
                let index = order.at(place);
                self.pick(
                    self.data.samples[index],
                    lambda,
                    mix(self.plan.seed ^ mix(index as u64) ^ self.epochs),
                )
            }));
            let task = Learn {
                layout: self.layout,
                parameters: &self.optimizer.parameters,
                gradient,
                picks: &picks,
                scratch: &mut scratch,
            };
            loss += vectorized(self.level, task);
        }
        loss
    }

    #[inline]
    fn pick(&self, sample: Sample, lambda: f32, chance: u64) -> Pick {
        let foretold = sigmoid(sample.score() / self.plan.scale);
        let target = foretold + lambda * (sample.points() - foretold);
        Pick { sample, swap_files: sample.is_castling_free() && chance & 1 != 0, target }
    }

    /// A pick with the last target and the files as they are.
    fn plain_pick(&self, sample: Sample) -> Pick {
        self.pick(sample, self.plan.lambda.to, 0)
    }

    /// Samples to judge by: held-out ones, or without them those to learn from.
    fn judged(&self) -> &[Sample] {
        if self.data.held_out.is_empty() { &self.data.samples } else { &self.data.held_out }
    }

    fn held_out_loss(&self) -> f64 {
        let parameters = &self.optimizer.parameters;
        let loss: f64 = self
            .data
            .held_out
            .par_chunks(GATHERED)
            .map(|samples| {
                let picks: Vec<_> = samples.iter().map(|&sample| self.plain_pick(sample)).collect();
                let (mut scratch, mut outputs) = (Scratch::new(self.layout.shape), Vec::new());
                let (layout, scratch) = (self.layout, &mut scratch);
                vectorized(
                    self.level,
                    Judge { layout, parameters, picks: &picks, scratch, outputs: &mut outputs },
                );
                let errors = picks.iter().zip(&outputs).map(|(pick, output)| sigmoid(*output) - pick.target);
                errors.map(|error| f64::from(error * error)).sum::<f64>()
            })
            .sum();
        loss / self.data.held_out.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::synthetic::random_samples;

    /// Stops after some epochs, as a kill between two of them would.
    struct Killer {
        epochs_left: u64,
    }

    impl Watcher for Killer {
        fn step(&mut self, _: usize) {}

        fn epoch(&mut self, _: &EpochRow) {
            self.epochs_left -= 1;
        }

        fn is_stopped(&self) -> bool {
            self.epochs_left == 0
        }
    }

    fn plan() -> Plan {
        Plan {
            shape: Architecture { hidden: 32, mirrored: false, buckets: 1 },
            epochs: 8,
            batch: 256,
            rate: Range { from: 5e-3, to: 1e-4 },
            lambda: Range { from: 0.0, to: 0.1 },
            scale: 400.0,
            seed: 5,
            name: "material".into(),
        }
    }

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("clavier-trainer-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn a_network_learns_to_count_material() {
        let folder = folder("material");
        let data = Data {
            samples: random_samples(40_000, 1),
            held_out: random_samples(2_000, 2),
            ..Data::default()
        };
        let plan = plan();
        let outcome =
            Trainer::new(&plan, &data).unwrap().run(&folder, &mut Killer { epochs_left: 99 }).unwrap();
        let (first, last) = (outcome.rows[0], *outcome.rows.last().unwrap());
        assert!(last.held_out_loss < 0.006 && last.held_out_loss < first.held_out_loss, "{last:?}");
        assert!(outcome.error.mean < 12.0 && outcome.error.largest < 50.0, "{}", outcome.error);
        // White is a queen up.
        let ahead = "rnb1kbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3".parse().unwrap();
        let value = outcome.network.evaluate(&ahead);
        assert!((500..1600).contains(&value), "{value}");
        let written = Network::from_bytes(&std::fs::read(folder.join("net.nnue")).unwrap()).unwrap();
        assert_eq!(written.weights(), outcome.network.weights());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_training_that_was_killed_goes_on_as_if_nothing_had_been() {
        let data = Data { samples: random_samples(3_000, 1), ..Data::default() };
        let plan = plan();
        let whole = folder("whole");
        Trainer::new(&plan, &data).unwrap().run(&whole, &mut Killer { epochs_left: 99 }).unwrap();
        let killed = folder("killed");
        Trainer::new(&plan, &data).unwrap().run(&killed, &mut Killer { epochs_left: 3 }).unwrap();
        let mut again = Trainer::new(&plan, &data).unwrap();
        assert_eq!(again.resume(&killed).unwrap(), 3);
        let outcome = again.run(&killed, &mut Killer { epochs_left: 99 }).unwrap();
        assert_eq!(outcome.rows.len(), 8);
        let bytes = |folder: &Path| std::fs::read(folder.join("checkpoint")).unwrap();
        assert!(bytes(&whole) == bytes(&killed), "the checkpoints differ");
        std::fs::remove_dir_all(&whole).unwrap();
        std::fs::remove_dir_all(&killed).unwrap();
    }

    #[test]
    fn a_training_from_a_network_starts_where_that_one_ended() {
        let data = Data {
            samples: random_samples(20_000, 1),
            held_out: random_samples(2_000, 2),
            ..Data::default()
        };
        let first = folder("first");
        let plan = plan();
        let learnt =
            Trainer::new(&plan, &data).unwrap().run(&first, &mut Killer { epochs_left: 99 }).unwrap();
        let gentle = Plan { epochs: 1, rate: Range { from: 1e-4, to: 1e-5 }, ..plan.clone() };
        let second = folder("second");
        let trainer = Trainer::new(&gentle, &data).unwrap().starting_from(&learnt.network).unwrap();
        let more = trainer.run(&second, &mut Killer { epochs_left: 99 }).unwrap();
        let (before, after) = (learnt.rows.last().unwrap(), more.rows[0]);
        assert!(after.held_out_loss < 1.1 * before.held_out_loss, "{before:?} {after:?}");
        // Without the network the same plan is another training.
        let refusal = Trainer::new(&gentle, &data).unwrap().resume(&second).err();
        assert!(matches!(refusal, Some(TrainError::Checkpoint(_))));
        std::fs::remove_dir_all(&first).unwrap();
        std::fs::remove_dir_all(&second).unwrap();
    }

    #[test]
    fn a_network_of_another_shape_is_no_start() {
        let data = Data { samples: random_samples(1_000, 1), ..Data::default() };
        let plan = plan();
        let wide = Network::random(Architecture { hidden: 64, ..plan.shape }, 1).unwrap();
        let refusal = Trainer::new(&plan, &data).unwrap().starting_from(&wide).err();
        assert!(matches!(refusal, Some(TrainError::OtherShape { .. })));
    }

    #[test]
    fn too_few_samples_for_a_batch_are_refused() {
        let data = Data { samples: random_samples(100, 1), ..Data::default() };
        let plan = plan();
        let refusal = Trainer::new(&plan, &data).err();
        assert!(matches!(refusal, Some(TrainError::TooFew { samples: 100, batch: 256 })));
    }
}

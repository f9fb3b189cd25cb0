//! How fast the trainer learns on this machine.

use super::loader::Data;
use super::optimizer::Range;
use super::shuffle::Shuffle;
use super::synthetic::random_samples;
use super::trainer::{Plan, TrainError, Trainer};
use crate::nnue::Architecture;
use std::time::Instant;

/// Samples to learn from.
const SAMPLES: usize = 400_000;
/// Samples of a step, as in real trainings.
const BATCH: usize = 16_384;
/// Shortest time to measure over, in seconds.
const SHORTEST: f64 = 3.0;

/// How fast a training ran.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Speed {
    /// Positions per second of all threads.
    pub per_second: f64,
    /// Positions per second of processor time; none where the system does not tell it.
    pub per_cpu_second: Option<f64>,
    /// Threads used.
    pub threads: usize,
}

/// Trains a network of this shape for some seconds on games by chance.
///
/// # Errors
/// If there can be no such network.
pub fn measure(shape: Architecture) -> Result<Speed, TrainError> {
    let plan = Plan {
        shape,
        epochs: 1000,
        batch: BATCH,
        rate: Range { from: 1e-3, to: 1e-5 },
        lambda: Range { from: 0.3, to: 0.3 },
        scale: 400.0,
        seed: 1,
        name: "benchmark".into(),
    };
    let data = Data { samples: random_samples(SAMPLES, 1), ..Data::default() };
    let mut trainer = Trainer::new(&plan, &data)?;
    let order = Shuffle::new(SAMPLES, 1);
    trainer.step(&order, 0);
    let (began, cpu_began) = (Instant::now(), cpu_seconds());
    let mut learnt = 0;
    while began.elapsed().as_secs_f64() < SHORTEST {
        trainer.step(&order, learnt / BATCH % trainer.steps_per_epoch());
        learnt += BATCH;
    }
    let per_cpu_second =
        cpu_seconds().zip(cpu_began).map(|(now, then)| learnt as f64 / (now - then).max(f64::MIN_POSITIVE));
    let per_second = learnt as f64 / began.elapsed().as_secs_f64();
    Ok(Speed { per_second, per_cpu_second, threads: rayon::current_num_threads() })
}

/// Processor time of this process, as Linux tells it.
fn cpu_seconds() -> Option<f64> {
    /// Unit of the times, the same on all of Linux's common platforms.
    const TICKS_PER_SECOND: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in brackets may hold blanks; user and system time are fields 14 and 15 of all.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS_PER_SECOND)
}

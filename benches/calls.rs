//! Nanoseconds of each board operation on each backend: `cargo bench --bench calls [-- WORD]`, with a word only
//! of those whose name contains it.
//!
//! Calls go as the search's do, through the backend's function pointers where it has them, over the positions of a few
//! random games. The backends take turns; the least of many rounds counts, since a busy machine only ever adds.

use clavier::board::backend::{self, Backend};
use clavier::board::{Position, Wanted};
use clavier::types::{Color, Move, MoveList, Square};
use std::hint::black_box;
use std::time::Instant;

/// Positions asked in one pass.
const POSITIONS: usize = 256;
/// Passes in one measurement.
const PASSES: usize = 8;
/// Measurements of each figure.
const ROUNDS: usize = 60;

/// Asks a backend about all samples and tells in how many calls.
type Ask = fn(&Backend, &[Sample]) -> usize;

/// A position and its legal moves.
struct Sample {
    position: Position,
    moves: MoveList,
}

/// What is measured, under which name.
const OPERATIONS: [(&str, Ask); 10] = [
    ("generate all", |backend, samples| generate(backend, samples, Wanted::All)),
    ("generate noisy", |backend, samples| generate(backend, samples, Wanted::Noisy)),
    ("generate quiet", |backend, samples| generate(backend, samples, Wanted::Quiet)),
    ("count moves", |backend, samples| each(samples, |sample, _| backend.count_moves(&sample.position))),
    ("make", |backend, samples| {
        let mut child = Position::start();
        each_move(samples, |position, m| {
            backend.make_into(position, m, &mut child);
            black_box(&child);
        })
    }),
    ("attackers of a square", |backend, samples| {
        each(samples, |sample, square| backend.attackers_of(&sample.position, square).count())
    }),
    ("is a square attacked", |backend, samples| {
        each(samples, |sample, square| backend.is_attacked(&sample.position, square, Color::White))
    }),
    ("is a move legal", |_, samples| each_move(samples, Position::is_legal)),
    ("gives a move check", |_, samples| each_move(samples, Position::gives_check)),
    ("exchange of a capture", |backend, samples| {
        let mut calls = 0;
        for sample in samples {
            for &m in sample.moves.iter().filter(|&&m| sample.position.is_capture(m)) {
                black_box(backend.see(&sample.position, m));
                calls += 1;
            }
        }
        calls
    }),
];

fn generate(backend: &Backend, samples: &[Sample], wanted: Wanted) -> usize {
    let mut moves = MoveList::new();
    for sample in samples {
        moves.clear();
        backend.generate(&sample.position, wanted, &mut moves);
        black_box(&moves);
    }
    samples.len()
}

/// Asks once about each sample, giving a square to ask about.
fn each<T>(samples: &[Sample], ask: impl Fn(&Sample, Square) -> T) -> usize {
    for (index, sample) in samples.iter().enumerate() {
        black_box(ask(sample, Square::from_dense((index % 64) as u8)));
    }
    samples.len()
}

/// Asks about each move of each sample.
fn each_move<T>(samples: &[Sample], mut ask: impl FnMut(&Position, Move) -> T) -> usize {
    let mut calls = 0;
    for sample in samples {
        for &m in &sample.moves {
            black_box(ask(&sample.position, m));
        }
        calls += sample.moves.len();
    }
    calls
}

/// Positions of random games.
fn samples() -> Vec<Sample> {
    /// Plies without a capture after which a new game starts.
    const DULL: u32 = 30;
    let mut random = fastrand::Rng::with_seed(0x88);
    let mut samples = Vec::new();
    let mut position = Position::start();
    while samples.len() < POSITIONS {
        let mut moves = position.legal_moves();
        moves.as_mut_slice().sort_unstable();
        if moves.is_empty() || position.halfmoves() > DULL {
            position = Position::start();
            continue;
        }
        let next = position.make(moves[random.usize(..moves.len())]);
        samples.push(Sample { position, moves });
        position = next;
    }
    samples
}

fn measure(backend: &Backend, ask: Ask, samples: &[Sample]) -> f64 {
    let start = Instant::now();
    let calls: usize = (0..PASSES).map(|_| ask(backend, samples)).sum();
    start.elapsed().as_nanos() as f64 / calls as f64
}

fn main() {
    let word = std::env::args().skip(1).find(|word| !word.starts_with("--")).unwrap_or_default();
    let samples = samples();
    let backends: Vec<_> = backend::available().collect();
    print!("| ns a call |");
    for backend in &backends {
        print!(" {} |", backend.name());
    }
    println!("\n|---|{}", "--:|".repeat(backends.len()));
    for (name, ask) in OPERATIONS.into_iter().filter(|(name, _)| name.contains(&word)) {
        let mut least = vec![f64::INFINITY; backends.len()];
        for _ in 0..ROUNDS {
            for (backend, least) in backends.iter().zip(&mut least) {
                *least = least.min(measure(backend, ask, &samples));
            }
        }
        print!("| {name} |");
        for least in least {
            print!(" {least:.1} |");
        }
        println!();
    }
}

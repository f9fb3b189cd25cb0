//! Nanoseconds that the network takes for a node, on each level of vector instructions: `cargo bench --bench network`.
//!
//! A node is what a search does at one: push a move's delta, bring both halves up to date, evaluate, pop. The levels
//! take turns; the least of many rounds counts, since a busy machine only ever adds.

use clavier::board::{Delta, Position};
use clavier::nnue::{Accumulators, Architecture, Level, Network};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Positions whose moves are tried in one pass.
const POSITIONS: usize = 40;
/// Measurements of each figure.
const ROUNDS: usize = 60;
/// Widths of the hidden layer.
const WIDTHS: [usize; 4] = [128, 256, 512, 1024];

/// A position with the positions after its moves.
struct Parent {
    position: Position,
    children: Vec<(Position, Delta)>,
}

fn main() {
    let parents = parents();
    println!("{:<10} {:>6} {:>10} {:>10} {:>10}", "level", "hidden", "node", "refresh", "output");
    for hidden in WIDTHS {
        let shape = Architecture { hidden, mirrored: false, buckets: 1 };
        let levels: Vec<Level> = Level::available().collect();
        let mut stacks: Vec<Accumulators> = levels.iter().map(|&level| stack(shape, level)).collect();
        let mut least = vec![[f64::INFINITY; 3]; levels.len()];
        for _ in 0..ROUNDS {
            for (stack, least) in stacks.iter_mut().zip(&mut least) {
                for (kind, measure) in [nodes, refreshes, outputs].into_iter().enumerate() {
                    let (count, time) = measure(stack, &parents);
                    least[kind] = least[kind].min(time.as_secs_f64() * 1e9 / count as f64);
                }
            }
        }
        for (level, [node, refresh, output]) in levels.iter().zip(least) {
            println!("{level:<10} {hidden:>6} {node:>7.1} ns {refresh:>7.1} ns {output:>7.1} ns");
        }
    }
}

fn stack(shape: Architecture, level: Level) -> Accumulators {
    let network = Network::random(shape, 1).expect("the shape is right").with_level(level);
    Accumulators::new(Arc::new(network), &Position::start())
}

/// Positions of random games, as full as those of real ones.
fn parents() -> Vec<Parent> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut parents = Vec::new();
    let mut position = Position::start();
    while parents.len() < POSITIONS {
        let moves = position.legal_moves();
        match random.choice(moves.iter()) {
            Some(&m) if position.men_count() > 12 => position = position.make(m),
            _ => position = Position::start(),
        }
        if random.u8(..4) == 0 && !position.legal_moves().is_empty() {
            let children = position.legal_moves().iter().map(|&m| position.make_with_delta(m)).collect();
            parents.push(Parent { position, children });
        }
    }
    parents
}

/// Updates and evaluates each child: how many there are, and the time for all. The parents' sums are there before.
fn nodes(stack: &mut Accumulators, parents: &[Parent]) -> (usize, Duration) {
    let mut time = Duration::ZERO;
    for parent in parents {
        stack.reset(&parent.position);
        let began = Instant::now();
        for (child, delta) in &parent.children {
            stack.push(delta);
            black_box(stack.evaluate(child));
            stack.pop();
        }
        time += began.elapsed();
    }
    (parents.iter().map(|parent| parent.children.len()).sum(), time)
}

/// Computes both halves from nothing.
fn refreshes(stack: &mut Accumulators, parents: &[Parent]) -> (usize, Duration) {
    let began = Instant::now();
    for parent in parents {
        stack.reset(black_box(&parent.position));
    }
    (parents.len(), began.elapsed())
}

/// Evaluates positions whose halves are known.
fn outputs(stack: &mut Accumulators, parents: &[Parent]) -> (usize, Duration) {
    const TIMES: usize = 20;
    let mut time = Duration::ZERO;
    for parent in parents {
        stack.reset(&parent.position);
        let began = Instant::now();
        for _ in 0..TIMES {
            black_box(stack.evaluate(black_box(&parent.position)));
        }
        time += began.elapsed();
    }
    (parents.len() * TIMES, time)
}

//! The hidden layer's sums along a line of play, brought up to date only when a value is asked for.

use super::features::{MAX_MEN, View, is_mirrored, plain_input};
use super::network::Network;
use super::simd::{Block, Switched};
use crate::board::{Delta, Position};
use crate::types::score::MAX_PLY;
use crate::types::{Color, PieceKind};
use std::sync::Arc;

/// A stack of accumulators: push with every move of a line, pop when it is taken back.
///
/// Pushing costs next to nothing: a position that is never evaluated never has its sums computed.
///
/// ```
/// use clavier::board::{Position, notation};
/// use clavier::nnue::{Accumulators, Architecture, Network};
/// use std::sync::Arc;
/// let shape = Architecture { hidden: 32, mirrored: false, buckets: 1 };
/// let network = Arc::new(Network::random(shape, 1).unwrap());
/// let start = Position::start();
/// let mut stack = Accumulators::new(network.clone(), &start);
/// let (after, delta) = start.make_with_delta(notation::parse_uci(&start, "e2e4").unwrap());
/// stack.push(&delta);
/// assert_eq!(stack.evaluate(&after), network.evaluate(&after));
/// stack.pop();
/// assert_eq!(stack.evaluate(&start), network.evaluate(&start));
/// ```
#[derive(Clone)]
pub struct Accumulators {
    network: Arc<Network>,
    /// What led to each position, the first one's entry holding no meaning.
    steps: Vec<Step>,
    /// Sums, position by position White's half and Black's.
    sums: Vec<Block>,
    /// Index of the present position.
    top: usize,
}

/// How a position came from the one before.
#[derive(Clone, Copy, Default)]
struct Step {
    /// Plain inputs that the move turned on and off.
    added: Few,
    removed: Few,
    /// Do the sums hold?
    known: bool,
    /// Has a king gone to the other wing, so that in a mirrored architecture the sums have to be computed anew?
    turned: bool,
}

impl Accumulators {
    /// A stack that holds one position.
    pub fn new(network: Arc<Network>, position: &Position) -> Accumulators {
        let room = MAX_PLY + 2;
        let sums = vec![Block::ZERO; room * 2 * network.blocks()];
        let mut stack = Accumulators { network, steps: vec![Step::default(); room], sums, top: 0 };
        stack.reset(position);
        stack
    }

    /// The network in use.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Forgets the line and starts a new one.
    pub fn reset(&mut self, position: &Position) {
        self.top = 0;
        self.refresh(position);
    }

    /// Goes on to the position after a move. A null move's delta is empty.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        self.top += 1;
        if self.top == self.steps.len() {
            self.grow();
        }
        let mut step = Step::default();
        for change in delta.changes() {
            if let Some(square) = change.to {
                step.added.push(plain_input(change.piece, square));
            }
            if let Some(square) = change.from {
                step.removed.push(plain_input(change.piece, square));
            }
            if change.piece.kind == PieceKind::King {
                let sides = [change.from, change.to].map(|square| square.is_some_and(is_mirrored));
                step.turned |= sides[0] != sides[1];
            }
        }
        self.steps[self.top] = step;
    }

    /// Takes the last move back.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.top > 0, "no move to take back");
        self.top -= 1;
    }

    /// Value for the side to move, in internal units. The position must be the one that the pushed
    /// moves led to.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        if !self.steps[self.top].known {
            self.bring_up(position);
        }
        let us = position.side_to_move();
        let men = if self.network.architecture().buckets > 1 { position.men_count() } else { 2 };
        let value = self.network.finish(self.half(self.top, us), self.half(self.top, !us), men);
        debug_assert_eq!(value, self.network.evaluate(position), "{position}");
        value
    }

    /// Computes the present sums from the last ones that are known.
    fn bring_up(&mut self, position: &Position) {
        let mut known = self.top;
        while !self.steps[known].known {
            if self.network.architecture().mirrored && self.steps[known].turned {
                self.refresh(position);
                return;
            }
            known -= 1;
        }
        let views = Color::BOTH.map(|color| self.network.view(position, color));
        for step in known + 1..=self.top {
            self.advance(step, views);
        }
    }

    /// Computes the sums of a position from those of the one before.
    #[inline]
    fn advance(&mut self, step: usize, views: [View; 2]) {
        let size = 2 * self.network.blocks();
        let (before, after) = self.sums.split_at_mut(step * size);
        let (from, into) = (&before[(step - 1) * size..], &mut after[..size]);
        let step = &mut self.steps[step];
        step.known = true;
        let (kernels, rows) = (self.network.kernels(), self.network.rows());
        match (step.added.as_slice(), step.removed.as_slice()) {
            (&[to], &[old]) => kernels.move_one(into, from, rows, switched(views, [to], [old])),
            (&[to], &[old, taken]) => kernels.capture(into, from, rows, switched(views, [to], [old, taken])),
            ([], []) => into.copy_from_slice(from),
            (&[one, other], &[old, left]) => {
                kernels.castle(into, from, rows, switched(views, [one, other], [old, left]));
            }
            (added, removed) => unreachable!("a move adds {added:?} and removes {removed:?}"),
        }
    }

    /// Computes the present sums from nothing.
    fn refresh(&mut self, position: &Position) {
        let blocks = self.network.blocks();
        let halves = self.sums[2 * self.top * blocks..].chunks_exact_mut(blocks);
        for (color, half) in Color::BOTH.into_iter().zip(halves) {
            let view = self.network.view(position, color);
            let mut inputs = [0; MAX_MEN];
            let mut count = 0;
            view.inputs(position).for_each(|input| {
                inputs[count] = input;
                count += 1;
            });
            self.network.refresh(half, &inputs[..count]);
        }
        self.steps[self.top].known = true;
    }

    #[inline]
    fn half(&self, index: usize, color: Color) -> &[Block] {
        let blocks = self.network.blocks();
        &self.sums[(2 * index + color.index()) * blocks..][..blocks]
    }

    /// Makes room for a line longer than a search's.
    #[cold]
    fn grow(&mut self) {
        let room = 2 * self.steps.len();
        self.steps.resize(room, Step::default());
        self.sums.resize(room * 2 * self.network.blocks(), Block::ZERO);
    }
}

/// Plain inputs turned on and off, as White and Black see them.
#[inline]
fn switched<const ADDED: usize, const REMOVED: usize>(
    views: [View; 2],
    added: [u16; ADDED],
    removed: [u16; REMOVED],
) -> Switched<ADDED, REMOVED> {
    Switched {
        added: views.map(|view| added.map(|input| view.turn(input))),
        removed: views.map(|view| removed.map(|input| view.turn(input))),
    }
}

/// Up to two inputs.
#[derive(Clone, Copy, Default)]
struct Few {
    inputs: [u16; 2],
    count: u8,
}

impl Few {
    #[inline]
    fn push(&mut self, input: u16) {
        self.inputs[usize::from(self.count)] = input;
        self.count += 1;
    }

    #[inline]
    fn as_slice(&self) -> &[u16] {
        &self.inputs[..usize::from(self.count)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::{Architecture, Level};
    use crate::types::Move;

    /// Standard chess, Chess960 with castling close at hand, promotions and en passant.
    const FENS: [&str; 5] = [
        crate::board::fen::START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p1p3/3p4/KP1P1P1r/1R1p1p1k/8/2P1P1P1/8 w - - 0 1",
    ];

    const SHAPES: [Architecture; 3] = [
        Architecture { hidden: 32, mirrored: false, buckets: 1 },
        Architecture { hidden: 96, mirrored: true, buckets: 8 },
        Architecture { hidden: 64, mirrored: true, buckets: 1 },
    ];

    /// Walks random moves forth and back. Evaluates only now and then, so that updates pile up.
    fn walk(stack: &mut Accumulators, position: &Position, depth: u32, random: &mut fastrand::Rng) {
        if random.u8(0..3) > 0 {
            assert_eq!(stack.evaluate(position), stack.network().evaluate(position), "{position}");
        }
        if depth == 0 {
            return;
        }
        let moves = position.legal_moves();
        for _ in 0..2 {
            if !position.in_check() && random.u8(0..8) == 0 {
                stack.push(&Delta::EMPTY);
                walk(stack, &position.make_null(), depth - 1, random);
                stack.pop();
            }
            let Some(&m) = random.choice(moves.iter()) else { return };
            let (after, delta) = position.make_with_delta(m);
            stack.push(&delta);
            walk(stack, &after, depth - 1, random);
            stack.pop();
            assert_eq!(stack.evaluate(position), stack.network().evaluate(position), "{position}");
        }
    }

    #[test]
    fn updated_sums_equal_fresh_ones_all_over_random_trees() {
        let mut random = fastrand::Rng::with_seed(11);
        for shape in SHAPES {
            for level in Level::available() {
                let network = Arc::new(Network::random(shape, 3).unwrap().with_level(level));
                for fen in FENS {
                    let position: Position = fen.parse().unwrap();
                    let mut stack = Accumulators::new(network.clone(), &position);
                    walk(&mut stack, &position, 7, &mut random);
                }
            }
        }
    }

    #[test]
    fn updated_sums_equal_fresh_ones_at_every_node_of_random_games() {
        let mut random = fastrand::Rng::with_seed(12);
        for shape in SHAPES {
            let network = Arc::new(Network::random(shape, 3).unwrap());
            for fen in FENS {
                let mut position: Position = fen.parse().unwrap();
                let mut stack = Accumulators::new(network.clone(), &position);
                // Longer than a search's line: the stack has to grow.
                for _ in 0..400 {
                    let moves = position.legal_moves();
                    let Some(&m) = random.choice(moves.iter()) else { break };
                    let (after, delta) = position.make_with_delta(m);
                    stack.push(&delta);
                    position = after;
                    assert_eq!(stack.evaluate(&position), network.evaluate(&position), "{position}");
                }
            }
        }
    }

    #[test]
    fn all_special_moves_occur_in_the_walks() {
        let has = |test: fn(Move) -> bool| {
            let mut random = fastrand::Rng::with_seed(12);
            (0..200).any(|_| {
                FENS.into_iter().any(|fen| {
                    let mut position: Position = fen.parse().unwrap();
                    (0..12).any(|_| {
                        let moves = position.legal_moves();
                        let Some(&m) = random.choice(moves.iter()) else { return false };
                        position = position.make(m);
                        test(m)
                    })
                })
            })
        };
        assert!(has(Move::is_castling) && has(Move::is_promotion) && has(Move::is_en_passant));
    }
}

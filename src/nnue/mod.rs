//! Layer 2: the network that evaluates positions, in integers.
//!
//! 768 inputs (a man on a square) feed a hidden layer of N neurons twice, once as each side sees the board;
//! both halves, squared and clamped, feed one output. The hidden layer's sums before the activation are the
//! *accumulators*: a move changes two to four inputs, so that they are updated rather than computed anew.
//!
//! The idea of such networks: <https://www.chessprogramming.org/NNUE>; the activation, a clamped value squared:
//! <https://www.chessprogramming.org/NNUE#Activation>. The weights come from this engine's own games.
//!
//! ```no_run
//! use clavier::board::Position;
//! use clavier::nnue::{Accumulators, Network};
//! use std::sync::Arc;
//! let bytes = std::fs::read("some.nnue").unwrap();
//! let network = Arc::new(Network::from_bytes(&bytes).unwrap());
//! let start = Position::start();
//! println!("{}", Accumulators::new(network, &start).evaluate(&start));
//! ```

mod accumulator;
mod contribution;
mod features;
mod file;
mod network;
mod seal;
mod simd;

pub use accumulator::Accumulators;
pub use contribution::Contribution;
pub use features::{INPUTS, MAX_MEN, View, input, is_mirrored};
pub use file::NetworkError;
pub use network::{Architecture, ArchitectureError, Network, Weights};
pub use simd::{Level, Task, vectorized};

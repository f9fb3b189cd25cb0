//! Self-play and training, with cargo feature `train`: games of the engine against itself become a network.
//!
//! [`openings`] starts a game, [`selfplay`] plays it, [`games`] is its form in a file, [`files`] the files that
//! survive a kill, [`runs`] what is noted beside them,
//! [`generate`] the threads that fill them, [`stats`] what is in them.

pub mod files;
pub mod games;
pub mod generate;
pub mod openings;
pub mod runs;
pub mod selfplay;
pub mod stats;

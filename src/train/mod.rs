//! Self-play and training, with cargo feature `train`: games of the engine against itself become a network.
//!
//! [`openings`] starts a game, [`selfplay`] plays it, [`games`] is its form in a file, [`files`] the files that
//! survive a kill, [`generate`] the threads that fill them, [`stats`] what is in them.

pub mod games;
pub mod openings;
pub mod selfplay;

//! Self-play and training, with cargo feature `train`: games of the engine against itself become a network.
//!
//! [`openings`] starts a game, [`selfplay`] plays it, [`games`] is its form in a file, [`files`] the files that
//! survive a kill, [`runs`] what is noted beside them,
//! [`generate`] the threads that fill them, [`stats`] what is in them.
//!
//! [`loader`] reads games into [`sample`]s, [`trainer`] shows them in the order of [`shuffle`] to the [`model`], whose
//! gradients move the [`optimizer`]; [`checkpoint`] and [`plot`] keep what is reached, [`quantize`] makes it a
//! network for play. [`fit`] finds the scale of values, [`benchmark`] times it all on [`synthetic`] games.

pub mod benchmark;
pub mod checkpoint;
pub mod files;
pub mod fit;
pub mod games;
pub mod generate;
pub mod loader;
pub mod model;
pub mod openings;
pub mod optimizer;
pub mod plot;
pub mod quantize;
pub mod runs;
pub mod sample;
pub mod selfplay;
pub mod shuffle;
pub mod stats;
pub mod synthetic;
pub mod trainer;

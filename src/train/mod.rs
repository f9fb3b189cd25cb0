//! Self-play and training, with cargo feature `train`: games of the engine against itself become a network.
//!
//! [`openings`] starts a game, [`selfplay`] plays it, [`games`] is its form in a file, [`files`] the files that
//! survive a kill, [`runs`] what is noted beside them, [`harvest`] the positions from inside the searches,
//! [`generate`] the threads that fill them, [`stats`] what is in them.
//!
//! [`loader`] reads games into [`sample`]s, [`trainer`] shows them in the order of [`shuffle`] to the [`model`], whose
//! gradients move the [`optimizer`]; [`checkpoint`] and [`plot`] keep what is reached, [`quantize`] makes it a
//! network for play. [`fit`] finds the scale of values, [`benchmark`] times it all on [`synthetic`] games.
//! [`calibrate`] tells users what the values mean.

pub mod benchmark;
pub mod calibrate;
pub mod checkpoint;
pub mod files;
pub mod fit;
pub mod games;
pub mod generate;
pub mod harvest;
pub mod loader;
pub mod model;
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

pub use crate::book::openings;

use std::path::PathBuf;

/// The folder of games and checkpoints: `$CLAVIER_DATA`, else the user's data folder; none if there is no such.
pub fn data_folder() -> Option<PathBuf> {
    match std::env::var_os("CLAVIER_DATA").filter(|folder| !folder.is_empty()) {
        Some(folder) => Some(PathBuf::from(folder)),
        None => directories::ProjectDirs::from("", "", "clavier").map(|dirs| dirs.data_dir().to_owned()),
    }
}

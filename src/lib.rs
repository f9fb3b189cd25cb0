//! Clavier: a UCI chess engine on a 0x88 board, with headless analysis built in.
//!
//! The crate is layered; a module imports only from the layers above it in this table:
//!
//! | layer | modules |
//! |---|---|
//! | 0 | [`types`], [`calendar`], [`regular_file`] |
//! | 1 | [`board`] |
//! | 2 | [`game`], [`nnue`], [`book`], [`tablebase`] |
//! | 3 | [`eval`] |
//! | 4 | [`search`] |
//! | 5 | [`engine`] |
//! | 6 | [`config`] |
//! | 7 | [`uci`], [`analysis`], [`rules`], [`bench`](mod@bench), [`doctor`], [`genfens`], [`speedtest`], `train` (feature) |
//! | 8 | [`cli`] |
//!
//! # Short words
//! Names in this code are words. The few short forms are those of the field:
//!
//! | short | means |
//! |---|---|
//! | `pv` | principal variation, the line that the search expects |
//! | `tt` | transposition table |
//! | `see` | static exchange evaluation, what a series of captures on one square wins |
//! | `ply` | half a move: one side's turn, counted from the root |
//! | `lmr` | late-move reductions |

pub mod analysis;
pub mod bench;
pub mod board;
pub mod book;
pub mod calendar;
pub mod cli;
pub mod config;
pub mod doctor;
pub mod engine;
pub mod eval;
pub mod game;
pub mod genfens;
pub mod nnue;
pub mod regular_file;
pub mod rules;
pub mod search;
pub mod speedtest;
pub mod tablebase;
#[cfg(feature = "train")]
pub mod train;
pub mod types;
pub mod uci;

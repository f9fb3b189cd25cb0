//! Layer 2: opening books, and openings by chance.

pub mod openings;
pub mod polyglot;
mod random;

pub use polyglot::{Book, BookError};

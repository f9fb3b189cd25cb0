//! Layer 2: opening books.

pub mod polyglot;
mod random;

pub use polyglot::{Book, BookError};

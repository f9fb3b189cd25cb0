//! Games with an analysis written into them: values, marks, better lines, accuracy.
//!
//! A game is read into a [`Tree`](super::pgn::Tree), its positions are analyzed, a [`Review`] says what the
//! analyses mean for the moves, and is written into the tree.

mod batch;
mod html;
mod judge;
pub mod resume;
mod review;

pub use batch::{Annotation, AnnotationError, Audience, Progress};
pub use html::Page;
pub use judge::{Cost, Mark, Standing, Summary, Thresholds, chance};
pub use review::{Manner, Remark, Review};

//! Layer 4: the search.

pub mod limits;
pub mod report;

pub use limits::{Clock, Limits};
pub use report::{Event, Line, Report, Reporter, Silent};

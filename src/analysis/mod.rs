//! Layer 7: headless analysis. Positions and games go in, one record for each position comes out.
//!
//! [`source`] reads files item by item, [`parallel`] works on several items at once and keeps their order, an
//! [`Analyst`] searches one position, and a [`Format`] writes what it found. A program that has its positions
//! at hand needs only [`analyze`]:
//!
//! ```
//! use clavier::analysis::{Plan, Value, analyze};
//! use clavier::game::Game;
//! use clavier::search::Limits;
//! // White mates at once.
//! let game = Game::new("6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1".parse().unwrap());
//! let analysis = analyze(&game, &Plan { limits: Limits::depth(4), ..Plan::default() }).unwrap();
//! assert_eq!(analysis.value(), Some(Value::Mate(1)));
//! ```

mod analyst;
pub mod annotate;
pub mod batch;
mod csv;
pub mod defaults;
pub mod epd;
mod format;
mod interrupt;
mod item;
mod json;
mod lines;
pub mod mate;
pub mod parallel;
pub mod pgn;
mod plan;
pub mod resume;
pub mod source;
pub mod suite;
mod text;
mod value;

pub use analyst::{Analysis, Analyst, TableFacts, analyze};
pub use format::{Format, Style, View, name_moves, san_line};
pub use interrupt::Interrupt;
pub use item::{Item, ItemError, Place, Refusal, plain};
pub use plan::{Lines, Plan};
pub use value::Value;

/// The engine's name in records.
pub const ENGINE: &str = concat!("Clavier ", env!("CARGO_PKG_VERSION"));

//! Layer 0: the vocabulary of chess, as small `Copy` types without behavior beyond themselves.

pub mod castling;
pub mod list;
pub mod moves;
pub mod piece;
pub mod score;
pub mod square;

pub use castling::{CastlingRights, Wing};
pub use list::{MAX_MOVES, MoveList};
pub use moves::{Move, MoveKind};
pub use piece::{Color, Piece, PieceKind};
pub use score::{Bound, Score};
pub use square::{OFF_BOARD, Square, Step};

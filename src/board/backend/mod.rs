//! The board's hot operations in several forms, of which the best that the CPU can run is chosen once.
//!
//! | backend | needs | where |
//! |---|---|---|
//! | `avx512` | AVX-512 with byte permutes and GFNI (Ice Lake, Zen 4 and later) | `avx512/` |
//! | `avx2` | AVX2 and BMI (Haswell, Zen and later) | `avx2/` |
//! | `scalar` | nothing | the files of `board` itself |
//!
//! All work on the same [`Position`] and give the same answers; only the order of generated moves is each
//! backend's own. The scalar one is the oracle for the others, see `tests/simd_twins.rs`.
//!
//! `CLAVIER_BACKEND=scalar|avx2|avx512` forces one, see [`select`].
//!
//! ```
//! use clavier::board::{Position, backend};
//! let start = Position::start();
//! for backend in backend::available() {
//!     assert_eq!(backend.count_moves(&start), 20, "{}", backend.name());
//! }
//! ```

#[cfg(clavier_x86)]
mod avx2;
#[cfg(clavier_x86)]
mod avx512;
#[cfg(clavier_x86)]
mod exchange;
#[cfg(clavier_x86)]
mod lanes;
#[cfg(clavier_x86)]
mod limits;
#[cfg(clavier_x86)]
mod sets;
#[cfg(clavier_x86)]
mod stamp;
#[cfg(clavier_x86)]
mod turn;

use super::{Delta, Position, Wanted, perft};
use crate::types::{Color, Move, MoveList, Square};
use std::sync::OnceLock;

/// Environment variable that forces a backend.
pub const VARIABLE: &str = "CLAVIER_BACKEND";

/// Why the backend that was asked for cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// The word names no backend.
    #[error("{VARIABLE}: {0:?} is no backend; there are scalar, avx2 and avx512")]
    Unknown(String),
    /// The backend needs instructions that this CPU lacks.
    #[error("{VARIABLE}: this CPU cannot run the backend {0}")]
    Unsupported(&'static str),
}

/// One form of the operations, as pointers to whole functions.
///
/// A `Backend` in hand can run on this CPU: [`available`] and [`select`] give out no other.
pub struct Backend {
    name: &'static str,
    is_supported: fn() -> bool,
    generate: unsafe fn(&Position, Wanted, &mut MoveList),
    count_moves: unsafe fn(&Position) -> usize,
    has_legal_move: unsafe fn(&Position) -> bool,
    make: unsafe fn(&Position, Move, &mut Position) -> Delta,
    perft: unsafe fn(&Position, u32) -> u64,
    attackers: unsafe fn(&Position, Square) -> u128,
    is_attacked: unsafe fn(&Position, Square, Color) -> bool,
    see: unsafe fn(&Position, Move) -> i32,
    see_reaches: unsafe fn(&Position, Move, i32) -> bool,
}

static SCALAR: Backend = Backend {
    name: "scalar",
    is_supported: || true,
    generate: Position::generate_scalar,
    count_moves: Position::count_moves_scalar,
    has_legal_move: Position::has_legal_move_scalar,
    make: Position::make_scalar,
    perft: perft::count_scalar,
    attackers: Position::attackers_scalar,
    is_attacked: Position::is_attacked_scalar,
    see: Position::see_scalar,
    see_reaches: Position::see_reaches_scalar,
};

/// All backends of this build, the best first.
static ALL: &[&Backend] = &[
    #[cfg(clavier_x86)]
    &avx512::AVX512,
    #[cfg(clavier_x86)]
    &avx2::AVX2,
    &SCALAR,
];

/// The one that is used, once it is known.
static CHOSEN: OnceLock<&'static Backend> = OnceLock::new();

/// The backends that this CPU can run, the best first.
pub fn available() -> impl Iterator<Item = &'static Backend> {
    ALL.iter().copied().filter(|backend| (backend.is_supported)())
}

/// Chooses the backend that all positions use from now on: the one that `CLAVIER_BACKEND` names, else the
/// best. A program calls this before it does anything else; without the call the first use chooses the best,
/// or the named one if it can be had. The choice holds for the life of the process.
///
/// # Errors
/// If the variable names no backend, or one that this CPU cannot run.
pub fn select() -> Result<&'static Backend, BackendError> {
    let wanted = match std::env::var_os(VARIABLE) {
        Some(word) if !word.is_empty() => named(&word.to_string_lossy())?,
        _ => best(),
    };
    Ok(CHOSEN.get_or_init(|| wanted))
}

/// The backend in use.
#[inline]
pub fn chosen() -> &'static Backend {
    CHOSEN.get_or_init(|| select_quietly().unwrap_or_else(best))
}

fn select_quietly() -> Option<&'static Backend> {
    named(&std::env::var(VARIABLE).ok()?).ok()
}

fn best() -> &'static Backend {
    available().next().unwrap_or(&SCALAR)
}

fn named(word: &str) -> Result<&'static Backend, BackendError> {
    let known = ["avx512", "avx2", "scalar"].into_iter().find(|&name| name == word);
    let name = known.ok_or_else(|| BackendError::Unknown(word.to_owned()))?;
    available().find(|backend| backend.name == name).ok_or(BackendError::Unsupported(name))
}

impl Backend {
    /// `scalar`, `avx2` or `avx512`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Appends the wanted legal moves to a list, in an order of the backend's own.
    #[inline]
    pub fn generate(&self, position: &Position, wanted: Wanted, moves: &mut MoveList) {
        // SAFETY: the CPU can run this backend, see `Backend`.
        unsafe { (self.generate)(position, wanted, moves) }
    }

    /// Number of legal moves.
    #[inline]
    pub fn count_moves(&self, position: &Position) -> usize {
        // SAFETY: the CPU can run this backend, see `Backend`.
        unsafe { (self.count_moves)(position) }
    }

    /// Is there a legal move?
    #[inline]
    pub fn has_legal_move(&self, position: &Position) -> bool {
        // SAFETY: the CPU can run this backend, see `Backend`.
        unsafe { (self.has_legal_move)(position) }
    }

    /// The position after a legal move, and what has changed on the board.
    #[inline]
    pub fn make_with_delta(&self, position: &Position, m: Move) -> (Position, Delta) {
        let mut child = *position;
        let delta = self.make_into(position, m, &mut child);
        (child, delta)
    }

    /// Writes the position after a legal move, and tells what has changed on the board.
    #[inline]
    pub fn make_into(&self, position: &Position, m: Move, child: &mut Position) -> Delta {
        // SAFETY: the CPU can run this backend, see `Backend`.
        unsafe { (self.make)(position, m, child) }
    }

    /// Number of sequences of legal moves of a length that is at least 1.
    ///
    /// # Panics
    /// If the depth is 0.
    pub fn perft(&self, position: &Position, depth: u32) -> u64 {
        assert!(depth > 0, "a backend counts moves, and depth 0 has none");
        // SAFETY: the CPU can run this backend, see `Backend`.
        unsafe { (self.perft)(position, depth) }
    }

    /// Squares of the men of both colors that attack the square.
    pub fn attackers_of(&self, position: &Position, square: Square) -> impl Iterator<Item = Square> + use<> {
        // SAFETY: the CPU can run this backend, see `Backend`.
        let mut left = unsafe { (self.attackers)(position, square) };
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let next = left.trailing_zeros() as u8;
                left &= left - 1;
                Square::known(next)
            })
        })
    }

    /// Does a man of the color attack the square?
    #[inline]
    pub fn is_attacked(&self, position: &Position, square: Square, by: Color) -> bool {
        // SAFETY: the CPU can run this backend, see `Backend`.
        unsafe { (self.is_attacked)(position, square, by) }
    }

    /// What the legal move wins at least, see [`Position::see`].
    #[inline]
    pub fn see(&self, position: &Position, m: Move) -> i32 {
        // SAFETY: the CPU can run this backend, see `Backend`.
        unsafe { (self.see)(position, m) }
    }

    /// Does the legal move win at least so much, in centipawns?
    #[inline]
    pub fn see_reaches(&self, position: &Position, m: Move, threshold: i32) -> bool {
        // SAFETY: the CPU can run this backend, see `Backend`.
        unsafe { (self.see_reaches)(position, m, threshold) }
    }
}

/// What the chosen backend does.
impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(Wanted::All, &mut moves);
        moves
    }

    /// All legal moves in the order of their bits, whichever backend generates them.
    pub fn sorted_moves(&self) -> MoveList {
        let mut moves = self.legal_moves();
        moves.as_mut_slice().sort_unstable();
        moves
    }

    /// Appends the wanted legal moves to a list, in an order that depends on the backend.
    #[inline]
    pub fn generate(&self, wanted: Wanted, moves: &mut MoveList) {
        chosen().generate(self, wanted, moves);
    }

    /// Number of legal moves.
    #[inline]
    pub fn count_moves(&self) -> usize {
        chosen().count_moves(self)
    }

    /// Is there a legal move? If not, it is mate or stalemate.
    #[inline]
    pub fn has_legal_move(&self) -> bool {
        chosen().has_legal_move(self)
    }

    /// The position after a legal move.
    #[inline]
    pub fn make(&self, m: Move) -> Position {
        self.make_with_delta(m).0
    }

    /// The position after a legal move, and what has changed on the board.
    #[inline]
    pub fn make_with_delta(&self, m: Move) -> (Position, Delta) {
        let mut child = *self;
        let delta = self.make_into(m, &mut child);
        (child, delta)
    }

    /// Writes the position after a legal move into its place, which is quicker than moving it there, and tells
    /// what has changed on the board.
    #[inline]
    pub fn make_into(&self, m: Move, child: &mut Position) -> Delta {
        let delta = chosen().make_into(self, m, child);
        debug_assert!(child.validate().is_ok(), "{self} {m:?}: {:?}", child.validate());
        delta
    }

    /// Squares of the men of both colors that attack the square.
    pub fn attackers_of(&self, square: Square) -> impl Iterator<Item = Square> + use<> {
        chosen().attackers_of(self, square)
    }

    /// Does a man of the color attack the square?
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        chosen().is_attacked(self, square, by)
    }

    /// What the legal move wins at least for the side to move, if both sides may go on or stop capturing on
    /// the target square, in centipawns. Pins are not seen; castling wins nothing.
    #[inline]
    pub fn see(&self, m: Move) -> i32 {
        chosen().see(self, m)
    }

    /// Does the legal move win at least so much, in centipawns?
    #[inline]
    pub fn see_reaches(&self, m: Move, threshold: i32) -> bool {
        chosen().see_reaches(self, m, threshold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_names_no_backend_is_refused() {
        assert_eq!(named("sse9").err(), Some(BackendError::Unknown("sse9".into())));
    }

    #[test]
    fn every_available_backend_is_found_by_its_name() {
        for backend in available() {
            assert_eq!(named(backend.name()).map(Backend::name), Ok(backend.name()));
        }
    }
}

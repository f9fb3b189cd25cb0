//! Layer 2: Syzygy endgame tables, read by shakmaty-syzygy.
//!
//! The tables know for every position with few men whether it is won, also under the fifty-move rule, and
//! how many plies the next capture or pawn move is away. <https://www.chessprogramming.org/Syzygy_Bases>

pub mod check;
mod convert;
pub mod inventory;
pub mod ranking;

pub use inventory::Inventory;
pub use ranking::{RankedMove, Ranking};

use crate::board::Position;
use crate::types::CastlingRights;
use shakmaty::Chess;
use shakmaty_syzygy::{MaybeRounded, SyzygyError};
use std::ffi::OsStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a position is worth for the side to move, the clock of the fifty-move rule being at zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, but drawn by the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but drawn by the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

impl Wdl {
    /// The name used in records.
    pub const fn name(self) -> &'static str {
        match self {
            Wdl::Loss => "loss",
            Wdl::BlessedLoss => "blessed-loss",
            Wdl::Draw => "draw",
            Wdl::CursedWin => "cursed-win",
            Wdl::Win => "win",
        }
    }

    /// The result by the rules in force: without the fifty-move rule curses and blessings fall away.
    #[must_use]
    pub fn under(self, fifty_move_rule: bool) -> Wdl {
        match (self, fifty_move_rule) {
            (Wdl::CursedWin | Wdl::BlessedLoss, true) => Wdl::Draw,
            (Wdl::CursedWin, false) => Wdl::Win,
            (Wdl::BlessedLoss, false) => Wdl::Loss,
            (other, _) => other,
        }
    }
}

impl std::ops::Neg for Wdl {
    type Output = Wdl;

    fn neg(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin => Wdl::BlessedLoss,
            Wdl::Win => Wdl::Loss,
        }
    }
}

/// Distance to the next capture or pawn move with best play, in plies: positive if the side to move wins,
/// negative if it loses, beyond 100 if the fifty-move rule saves the loser, 0 in a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dtz {
    /// The distance.
    pub plies: i32,
    /// Tables that store full moves may tell one ply too little.
    pub is_rounded: bool,
}

/// A collection of endgame tables. Shared by all threads; probing never fails loudly.
#[derive(Debug)]
pub struct Tablebase {
    tables: shakmaty_syzygy::Tablebase<Chess>,
    /// The first damage that a probe met. From then on no probe is answered.
    fault: OnceLock<String>,
    /// Has the damage been told?
    is_fault_told: AtomicBool,
}

impl Tablebase {
    /// Opens the tables in some folders, joined as in the platform's `PATH`, and tells what is there.
    ///
    /// Files are mapped into memory when they are first probed, so this is quick for large collections.
    pub fn open(paths: &OsStr) -> (Tablebase, Inventory) {
        Tablebase::fill(mapped_tables(), paths)
    }

    /// The same by system calls instead of memory maps: several times slower, but a file that another
    /// program cuts off, or a disk that fails, is a fault that is told and not the end of the process.
    pub fn open_unmapped(paths: &OsStr) -> (Tablebase, Inventory) {
        Tablebase::fill(shakmaty_syzygy::Tablebase::new(), paths)
    }

    fn fill(mut tables: shakmaty_syzygy::Tablebase<Chess>, paths: &OsStr) -> (Tablebase, Inventory) {
        let mut inventory = Inventory::scan(paths);
        inventory.keep(|path| tables.add_file(path));
        (Tablebase { tables, fault: OnceLock::new(), is_fault_told: AtomicBool::new(false) }, inventory)
    }

    /// Men of the largest table, kings included; 0 without tables.
    #[inline]
    pub fn men_limit(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// Could the tables know the position: few men and no castling?
    #[inline]
    pub fn covers(&self, position: &Position) -> bool {
        position.castling_rights() == CastlingRights::NONE && position.men_count() <= self.men_limit()
    }

    /// The worth of a position for the side to move, as if a capture or pawn move had just been made: the
    /// search asks after those. None if the tables do not know it.
    pub fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        let chess = self.accept(position)?;
        self.answer(self.tables.probe_wdl_after_zeroing(&chess)).map(|wdl| match wdl {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        })
    }

    /// The distance to the next capture or pawn move; none if the tables do not know it.
    pub fn probe_dtz(&self, position: &Position) -> Option<Dtz> {
        let chess = self.accept(position)?;
        self.answer(self.tables.probe_dtz(&chess)).map(|dtz| match dtz {
            MaybeRounded::Rounded(dtz) => Dtz { plies: dtz.0, is_rounded: true },
            MaybeRounded::Precise(dtz) => Dtz { plies: dtz.0, is_rounded: false },
        })
    }

    /// All legal moves of a position, the best first; none if the tables do not know the position or one of
    /// its successors, or if it has no legal move.
    ///
    /// Playing the first move every time wins what can be won under the fifty-move rule, with the clock as
    /// it stands, and draws what can be drawn.
    pub fn rank_root_moves(&self, position: &Position, fifty_move_rule: bool) -> Option<Ranking> {
        if !self.covers(position) {
            return None;
        }
        Ranking::new(self, position, fifty_move_rule)
    }

    /// The damage that a probe has met in a table, for people. Since then nothing is answered, as the rest
    /// of that collection cannot be trusted either.
    pub fn fault(&self) -> Option<&str> {
        self.fault.get().map(String::as_str)
    }

    /// The damage, if there is any that this has not returned before.
    pub fn take_news_of_fault(&self) -> Option<&str> {
        let fault = self.fault()?;
        (!self.is_fault_told.swap(true, Ordering::Relaxed)).then_some(fault)
    }

    #[inline]
    fn accept(&self, position: &Position) -> Option<Chess> {
        if !self.covers(position) || self.fault.get().is_some() {
            return None;
        }
        convert::to_shakmaty(position)
    }

    /// The value, if there is one. A missing table is no fault; one that cannot be read is.
    #[inline]
    fn answer<T>(&self, probed: Result<T, SyzygyError>) -> Option<T> {
        probed
            .map_err(|error| {
                if let SyzygyError::ProbeFailed { metric, material, error } = error {
                    self.fault.get_or_init(|| describe(&format!("{metric} table {material}"), &error));
                }
            })
            .ok()
    }
}

/// The damage in words; the crate's own text holds a backtrace.
fn describe(table: &str, error: &shakmaty_syzygy::ProbeError) -> String {
    use shakmaty_syzygy::ProbeError;
    match error {
        ProbeError::Read { error } => format!("{table} cannot be read: {error}"),
        ProbeError::Magic { .. } => format!("{table} is no table: its first bytes are wrong"),
        ProbeError::CorruptedTable { .. } => format!("{table} is damaged"),
    }
}

#[cfg(target_pointer_width = "64")]
fn mapped_tables() -> shakmaty_syzygy::Tablebase<Chess> {
    // SAFETY: the maps are read-only and bounds are checked on every access. What remains is that another
    // program cuts a table off while it is in use, or that its disk fails; either ends the process with a
    // signal. Tables are downloaded once and never written again. `open_unmapped` is the safe twin.
    unsafe { shakmaty_syzygy::Tablebase::with_mmap_filesystem() }
}

#[cfg(not(target_pointer_width = "64"))]
fn mapped_tables() -> shakmaty_syzygy::Tablebase<Chess> {
    shakmaty_syzygy::Tablebase::new()
}

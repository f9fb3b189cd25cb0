//! The root moves of a position that the tables know, in the order in which they should be played.

use super::{Dtz, Tablebase, Wdl};
use crate::board::{Position, draw};
use crate::types::Move;

/// The fifty-move rule, in plies.
const FIFTY_MOVES: i32 = draw::FIFTY_MOVES as i32;
/// Ranks of sure wins start here, minus the distance to the next zeroing move.
const SURE: i32 = 30_000;
/// Ranks of wins that the fifty-move rule spoils, if the defender plays on correctly.
const SPOILED: i32 = 10_000;

/// A legal move with its value for the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub m: Move,
    /// The value with the clock as it stands: a win that comes too late under the fifty-move rule is a
    /// [`Wdl::CursedWin`]. Without that rule only win, draw and loss.
    pub wdl: Wdl,
    /// Plies to the next capture or pawn move with best play, this move included: positive in a win,
    /// negative in a loss, 0 in a draw. None without DTZ tables.
    pub dtz: Option<i32>,
    /// The higher, the better. Among wins the quickest way to a zeroing move, among losses the longest.
    pub rank: i32,
}

/// All legal moves of a position, the best first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    moves: Vec<RankedMove>,
}

impl Ranking {
    /// Ranks all legal moves by distance, or by win, draw and loss alone where DTZ tables are missing.
    pub(super) fn new(tables: &Tablebase, position: &Position, fifty_move_rule: bool) -> Option<Ranking> {
        let ranker = Ranker { tables, clock: position.halfmoves() as i32, fifty_move_rule };
        let legal = position.legal_moves();
        let rank_all = |rank: &dyn Fn(Move, &Position) -> Option<RankedMove>| {
            legal.iter().map(|&m| rank(m, &position.make(m))).collect::<Option<Vec<_>>>()
        };
        let mut moves = rank_all(&|m, after| ranker.by_distance(m, after))
            .or_else(|| rank_all(&|m, after| ranker.by_result(m, after)))?;
        moves.sort_by_key(|ranked| (std::cmp::Reverse(ranked.rank), ranked.m.bits()));
        (!moves.is_empty()).then_some(Ranking { moves })
    }

    /// All moves, the best first.
    pub fn moves(&self) -> &[RankedMove] {
        &self.moves
    }

    /// The best move.
    pub fn best(&self) -> RankedMove {
        self.moves[0]
    }

    /// The value of the position with the clock as it stands.
    pub fn wdl(&self) -> Wdl {
        self.best().wdl
    }

    /// Moves that keep the value of the position; the search may choose among them by its own lights.
    ///
    /// A win can be kept for ever without coming nearer, so with `strictly` only those are left that are as
    /// near to the next zeroing move as can be: ask for that when a position has occurred before, or always.
    pub fn keeping(&self, strictly: bool) -> impl Iterator<Item = RankedMove> + '_ {
        let best = self.best();
        self.moves
            .iter()
            .copied()
            .filter(move |ranked| if strictly { ranked.rank == best.rank } else { ranked.wdl == best.wdl })
    }
}

/// What the value of a move depends on.
struct Ranker<'a> {
    tables: &'a Tablebase,
    /// Plies since the last capture or pawn move.
    clock: i32,
    fifty_move_rule: bool,
}

impl Ranker<'_> {
    fn by_distance(&self, m: Move, after: &Position) -> Option<RankedMove> {
        let is_mate = after.is_checkmate();
        let is_zeroing = after.halfmoves() == 0;
        let (wdl, plies) = if is_mate {
            (Wdl::Win, 1)
        } else if is_zeroing {
            let wdl = -self.tables.probe_wdl(after)?;
            (wdl, distance_of_zeroing(wdl))
        } else {
            let dtz = self.tables.probe_dtz(after)?;
            let plies = -(dtz.plies + dtz.plies.signum());
            (self.result(plies, dtz), plies)
        };
        let wdl = self.in_force(wdl);
        Some(RankedMove { m, wdl, dtz: Some(plies), rank: rank(wdl, plies) })
    }

    fn by_result(&self, m: Move, after: &Position) -> Option<RankedMove> {
        let wdl = if after.is_checkmate() { Wdl::Win } else { -self.tables.probe_wdl(after)? };
        let wdl = self.in_force(wdl);
        Some(RankedMove { m, wdl, dtz: None, rank: rank(wdl, 0) })
    }

    /// The value of a quiet move after which the zeroing move comes in so many plies, this one included.
    ///
    /// It is in time if it comes before the clock stands at 100, so at ply `100 - clock` from here at the
    /// latest. A rounded distance may hide one ply: the side that has to hurry counts it.
    fn result(&self, plies: i32, dtz: Dtz) -> Wdl {
        let hidden = i32::from(dtz.is_rounded);
        let in_time = |plies: i32| plies + self.clock <= FIFTY_MOVES;
        match plies {
            0 => Wdl::Draw,
            1.. if in_time(plies + hidden) => Wdl::Win,
            1.. => Wdl::CursedWin,
            _ if in_time(-plies) => Wdl::Loss,
            _ => Wdl::BlessedLoss,
        }
    }

    fn in_force(&self, wdl: Wdl) -> Wdl {
        if self.fifty_move_rule { wdl } else { wdl.under(false) }
    }
}

/// The distance that the tables give a move that zeroes the clock itself.
fn distance_of_zeroing(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Loss => -1,
        Wdl::BlessedLoss => -1 - FIFTY_MOVES,
        Wdl::Draw => 0,
        Wdl::CursedWin => 1 + FIFTY_MOVES,
        Wdl::Win => 1,
    }
}

fn rank(wdl: Wdl, plies: i32) -> i32 {
    match wdl {
        Wdl::Win => SURE - plies,
        Wdl::CursedWin => SPOILED - plies,
        Wdl::Draw => 0,
        Wdl::BlessedLoss => -SPOILED - plies,
        Wdl::Loss => -SURE - plies,
    }
}

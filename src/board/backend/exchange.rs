//! Static exchange evaluation from one look at the target square.
//!
//! Who stands behind whom is already in the lanes: a man leaves by clearing his bit, and whoever he hid is
//! then seen. All men of a kind are one word of lanes, so the least attacker is the first word that is not 0.

use super::lanes::{Around, lane_of, visible};
use crate::board::Position;
use crate::board::see::{VALUES, value};
use crate::types::{Color, Move, PieceKind};

/// What a move wins and puts at stake before anybody answers, in centipawns.
#[derive(Clone, Copy)]
pub struct Opening {
    /// Won at once.
    pub first: i32,
    /// Worth of the man who then stands on the target.
    pub standing: i32,
}

impl Opening {
    /// The opening of a move other than castling.
    #[inline]
    pub fn of(position: &Position, m: Move) -> Opening {
        let promoted = m.promotion().map_or(0, |kind| value(kind) - value(PieceKind::Pawn));
        let mover = position.piece_on(m.from()).map_or(0, |piece| value(piece.kind));
        Opening { first: position.captured(m).map_or(0, value) + promoted, standing: mover + promoted }
    }

    /// Whether the move wins at least so much, where that is clear from what it wins and puts at stake.
    #[inline]
    pub const fn settles(self, threshold: i32) -> Option<bool> {
        if self.first < threshold {
            Some(false)
        } else if self.first - self.standing >= threshold {
            Some(true)
        } else {
            None
        }
    }
}

/// The lanes around the target.
pub struct Exchange {
    /// Lanes with a man who has not yet captured.
    occupied: u64,
    around: Around,
    side: Color,
}

impl Exchange {
    /// The exchange that a move begins, from a look at its target.
    #[inline]
    pub fn new(position: &Position, m: Move, around: Around) -> Exchange {
        let target = m.to().to_0x88();
        let mut gone = lane_of(target, m.from().to_0x88());
        if m.is_en_passant() {
            gone |= lane_of(target, target ^ 0x10);
        }
        Exchange { occupied: around.occupied & !gone, around, side: !position.side }
    }

    /// Plays the exchange to its end; both sides may stop. Gives what the move wins.
    #[inline]
    pub fn play(mut self, opening: Opening) -> i32 {
        /// Captures that two sides of sixteen men could make at most.
        const LONGEST: usize = 33;
        let mut gains = [0; LONGEST];
        gains[0] = opening.first;
        let mut standing = opening.standing;
        let mut depth = 0;
        loop {
            let attackers = self.attackers(self.side);
            if attackers == 0 {
                break;
            }
            let kind = self.least(attackers);
            let lanes = attackers & self.around.kinds[kind];
            self.occupied &= !(lanes & lanes.wrapping_neg());
            self.side = !self.side;
            // A king may take only what is no longer protected.
            if kind == PieceKind::King.index() && self.attackers(self.side) != 0 {
                break;
            }
            depth += 1;
            gains[depth] = standing - gains[depth - 1];
            standing = VALUES[kind];
        }
        for earlier in (0..depth).rev() {
            gains[earlier] = gains[earlier].min(-gains[earlier + 1]);
        }
        gains[0]
    }

    /// Lanes of a side's men who may capture now.
    #[inline]
    fn attackers(&self, side: Color) -> u64 {
        visible(self.occupied) & self.occupied & self.around.hits[side.index()]
    }

    /// The least kind among the attackers.
    #[inline]
    fn least(&self, attackers: u64) -> usize {
        let others = PieceKind::King.index();
        (0..others).find(|&kind| attackers & self.around.kinds[kind] != 0).unwrap_or(others)
    }
}

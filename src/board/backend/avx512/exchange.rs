//! Static exchange evaluation from one look at the target square.
//!
//! Who stands behind whom is already in the lanes: a man leaves by clearing his bit, and whoever he hid is
//! then seen. All men of a kind are one word of lanes, so the least attacker is the first word that is not 0.

use super::super::lanes::{lane_of, visible};
use super::look::{Cells, Look, look};
use crate::board::see::{VALUES, value};
use crate::board::{Position, man};
use crate::types::{Color, Move, PieceKind};
use std::arch::x86_64::*;

/// What the legal move wins, see [`Position::see`].
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2,lzcnt")]
pub(super) fn see(position: &Position, m: Move) -> i32 {
    if m.is_castling() {
        return 0;
    }
    let promoted = m.promotion().map_or(0, |kind| value(kind) - value(PieceKind::Pawn));
    let first = position.captured(m).map_or(0, value) + promoted;
    let mover = position.piece_on(m.from()).map_or(0, |piece| value(piece.kind));
    Exchange::new(position, m).play(first, mover + promoted)
}

/// Does the legal move win at least so much, in centipawns?
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2,lzcnt")]
pub(super) fn see_reaches(position: &Position, m: Move, threshold: i32) -> bool {
    if m.is_castling() {
        return threshold <= 0;
    }
    let promoted = m.promotion().map_or(0, |kind| value(kind) - value(PieceKind::Pawn));
    let first = position.captured(m).map_or(0, value) + promoted;
    if first < threshold {
        return false;
    }
    // Most questions are answered by the first capture and the answer to it.
    let mover = position.piece_on(m.from()).map_or(0, |piece| value(piece.kind));
    let standing = mover + promoted;
    first - standing >= threshold || Exchange::new(position, m).play(first, standing) >= threshold
}

/// The lanes around the target.
struct Exchange {
    /// Lanes with a man who has not yet captured.
    occupied: u64,
    /// By color: lanes with a man who attacks the target if nothing stands between.
    hits: [u64; 2],
    /// By kind, pawn to king.
    kinds: [u64; 6],
    side: Color,
}

impl Exchange {
    /// The exchange that a move begins.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    #[inline]
    fn new(position: &Position, m: Move) -> Exchange {
        let target = m.to().to_0x88();
        let look = look(Cells::of(position), _mm512_set1_epi8(target as i8));
        let mut gone = lane_of(target, m.from().to_0x88());
        if m.is_en_passant() {
            gone |= lane_of(target, target ^ 0x10);
        }
        let white = look.of_color(0);
        let (diagonal, straight) = (look.with(man::BISHOP), look.with(man::ROOK));
        let kinds = [
            look.with(man::PAWN),
            look.with(man::KNIGHT),
            diagonal & !straight,
            straight & !diagonal,
            straight & diagonal,
            look.with(man::KING),
        ];
        let hits = [look.threats(0) & white, look.threats(1) & !white];
        Exchange { occupied: look.occupied & !gone, hits, kinds, side: !position.side }
    }

    /// Plays the exchange to its end, the move itself having won `first` and put at stake `standing`; both
    /// sides may stop. Gives what the move wins.
    #[inline]
    fn play(mut self, first: i32, mut standing: i32) -> i32 {
        /// More captures than there are lanes on a square's lines and jumps that men can hold.
        const LONGEST: usize = 33;
        let mut gains = [0; LONGEST];
        gains[0] = first;
        let mut depth = 0;
        loop {
            let attackers = self.attackers(self.side);
            if attackers == 0 {
                break;
            }
            let kind = self.least(attackers);
            let lanes = attackers & self.kinds[kind];
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
        visible(self.occupied) & self.occupied & self.hits[side.index()]
    }

    /// The least kind among the attackers.
    #[inline]
    fn least(&self, attackers: u64) -> usize {
        let others = PieceKind::King.index();
        (0..others).find(|&kind| attackers & self.kinds[kind] != 0).unwrap_or(others)
    }
}

impl Look {
    /// Lanes with a man of these bits.
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    fn with(&self, bits: u8) -> u64 {
        _mm512_test_epi8_mask(self.men, _mm512_set1_epi8(bits as i8))
    }
}

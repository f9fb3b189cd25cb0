//! Static exchange evaluation: what a series of captures on one square wins.
//! <https://www.chessprogramming.org/Static_Exchange_Evaluation>

use super::{Position, difference, man};
use crate::types::{Color, Move, PieceKind, Square, Step};

/// Worth of a kind of man in exchanges, in centipawns, by [`PieceKind::index`].
pub const VALUES: [i32; 6] = [100, 320, 330, 500, 900, 20_000];

/// Worth of a kind in exchanges, in centipawns.
#[inline]
pub const fn value(kind: PieceKind) -> i32 {
    VALUES[kind as usize]
}

impl Position {
    /// What the legal move wins, see [`Position::see`].
    pub(super) fn see_scalar(&self, m: Move) -> i32 {
        if m.is_castling() {
            return 0;
        }
        let mut gains = [0; 33];
        gains[0] = self.captured(m).map_or(0, value);
        let mut standing = self.piece_on(m.from()).map_or(0, |piece| value(piece.kind));
        if let Some(kind) = m.promotion() {
            standing = value(kind);
            gains[0] += value(kind) - value(PieceKind::Pawn);
        }
        let mut exchange = Exchange::new(self, m);
        let mut side = !self.side;
        let mut depth = 0;
        while let Some(kind) = exchange.take_with_least(side) {
            // A king may take only what is no longer protected.
            if kind == PieceKind::King && exchange.has_attacker(!side) {
                break;
            }
            depth += 1;
            gains[depth] = standing - gains[depth - 1];
            standing = value(kind);
            side = !side;
        }
        for earlier in (0..depth).rev() {
            gains[earlier] = gains[earlier].min(-gains[earlier + 1]);
        }
        gains[0]
    }

    /// Does the legal move win at least so much, in centipawns?
    pub(super) fn see_reaches_scalar(&self, m: Move, threshold: i32) -> bool {
        // Most questions are answered by the first capture alone.
        if m.is_castling() {
            return threshold <= 0;
        }
        let promoted = m.promotion().map_or(0, |kind| value(kind) - value(PieceKind::Pawn));
        let first = self.captured(m).map_or(0, value) + promoted;
        if first < threshold {
            return false;
        }
        let mover = self.piece_on(m.from()).map_or(0, |piece| value(piece.kind));
        if first - mover - promoted >= threshold {
            return true;
        }
        self.see_scalar(m) >= threshold
    }
}

/// The men around the square of an exchange: along each line those who may join in one after the other.
struct Exchange<'a> {
    position: &'a Position,
    target: Square,
    /// Nearest man along each of the eight directions, 0x88 index; off the board if there is none.
    nearest: [u8; 8],
    /// Knights that attack the square, as bits numbered like [`Step::JUMPS`].
    knights: u8,
    /// Squares that the first move has emptied: its own, and that of a pawn taken en passant.
    vacated: [u8; 2],
}

impl<'a> Exchange<'a> {
    fn new(position: &'a Position, m: Move) -> Self {
        let target = m.to();
        let victim = if m.is_en_passant() { target.to_0x88() ^ 0x10 } else { super::NO_SQUARE };
        let mut exchange = Exchange {
            position,
            target,
            nearest: [target.to_0x88(); 8],
            knights: 0,
            vacated: [m.from().to_0x88(), victim],
        };
        for direction in 0..8 {
            exchange.advance(direction);
            if let Some(square) = target.offset(Step::JUMPS[direction]) {
                let is_knight = position.cells[square.index()] & man::KNIGHT != 0;
                let is_there = !exchange.vacated.contains(&square.to_0x88());
                exchange.knights |= u8::from(is_knight && is_there) << direction;
            }
        }
        exchange
    }

    /// Moves on to the next man along a direction.
    fn advance(&mut self, direction: usize) {
        let step = Step::COMPASS[direction].0;
        let mut square = self.nearest[direction];
        loop {
            square = square.wrapping_add(step);
            let is_blocked = square & 0x88 != 0
                || (self.position.cells[(square & 0x77) as usize] != 0 && !self.vacated.contains(&square));
            if is_blocked {
                break;
            }
        }
        self.nearest[direction] = square;
    }

    /// The color's least attacker: his kind, and his direction or jump.
    fn least(&self, color: Color) -> Option<(PieceKind, usize)> {
        let own = man::COLOR[color.index()];
        let jumps = (0..8).filter(|jump| self.knights >> jump & 1 != 0).filter_map(|jump| {
            let square = self.target.offset(Step::JUMPS[jump])?;
            (self.position.cells[square.index()] & own != 0).then_some((PieceKind::Knight, jump))
        });
        let lines = (0..8).filter_map(|direction| {
            let square = self.nearest[direction];
            if square & 0x88 != 0 {
                return None;
            }
            let man = self.position.cells[(square & 0x77) as usize];
            let distance = self.target.to_0x88().wrapping_sub(square);
            (man & own != 0 && difference::could_attack(man, distance))
                .then(|| (man::kind_of(man), direction))
        });
        jumps.chain(lines).min_by_key(|&(kind, _)| kind)
    }

    fn has_attacker(&self, color: Color) -> bool {
        self.least(color).is_some()
    }

    /// Takes the color's least attacker off the board and tells his kind.
    fn take_with_least(&mut self, color: Color) -> Option<PieceKind> {
        let (kind, index) = self.least(color)?;
        if kind == PieceKind::Knight {
            self.knights &= !(1 << index);
        } else {
            self.advance(index);
        }
        Some(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::parse_uci;

    macro_rules! exchange_tests {
        ($($name:ident: $fen:expr, $m:expr => $worth:expr;)*) => {$(
            #[test]
            fn $name() {
                let position: Position = $fen.parse().unwrap();
                let m = parse_uci(&position, $m).unwrap();
                assert_eq!(position.see(m), $worth);
                assert!(position.see_reaches(m, $worth));
                assert!(!position.see_reaches(m, $worth + 1));
            }
        )*};
    }

    exchange_tests! {
        a_free_pawn_is_won: "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5" => 100;
        // Knight, bishop and rooks pile up; the first capture loses a knight for a pawn.
        a_protected_pawn_costs_a_knight:
            "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5" => -220;
        a_quiet_move_to_a_guarded_square_loses_the_piece:
            "4k3/8/3p4/8/8/5N2/8/4K3 w - - 0 1", "f3e5" => -320;
        en_passant_wins_a_pawn: "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6" => 100;
        a_safe_promotion_wins_a_queen_for_a_pawn: "8/4P3/8/1k6/8/8/8/4K3 w - - 0 1", "e7e8q" => 800;
        // The king may not retake a protected man.
        a_king_cannot_retake_a_protected_rook: "4k3/4p3/8/8/8/8/4R3/K3R3 w - - 0 1", "e2e7" => 100;
        an_unprotected_rook_is_lost_to_the_king: "4k3/4p3/8/8/8/8/4R3/K7 w - - 0 1", "e2e7" => -400;
        // The rook behind the rook joins in through it.
        a_battery_counts: "3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5" => -400;
    }
}

//! Counting legal moves without writing them: what the last ply of perft does, and nothing else.
//!
//! Everything that needs no single move is done in bulk and without branches: checks, pins and the king's
//! ring in one pass over the enemy's roster, all pawns rank by rank, sliders by their lines.
#![allow(clippy::similar_names)] // king and kind are the words

use super::check::{Survey, lane_of};
use super::generate::count_men;
use super::shadow::{COUNT, Shadow, between, gathered, men_in, sum_of_bytes};
use super::{NO_SQUARE, Position, difference, man};
use crate::types::{CastlingRights, Color, Square, Step, Wing};

impl Position {
    /// Number of legal moves; checks and pins are looked for, whatever the position says of them.
    pub(super) fn count_afresh(&mut self) -> usize {
        let us = self.side;
        let king = self.king_square(us);
        let open = self.open_ring(king);
        let (shadow, pawn_moves) = self.cast_shadow();
        let survey = self.survey_by_shadow(open, &shadow);
        let steps = COUNT[(open & !survey.danger) as usize] as usize;
        (self.checkers, self.pinned) = (survey.checkers, survey.pinned);
        if survey.checkers != 0 {
            let is_double = survey.checkers & (survey.checkers - 1) != 0;
            return steps + if is_double { 0 } else { count_men(self, 0xFFFE) };
        }
        let mut moves = steps + pawn_moves + self.count_officers(&shadow);
        if self.en_passant != NO_SQUARE {
            moves += self.take_en_passant();
        }
        if survey.pinned != 0 {
            moves = moves + count_men(self, survey.pinned) - self.count_as_if_free(&shadow);
        }
        if self.rights.any(us) {
            let may_castle = |&wing: &Wing| self.may_castle(wing, open & !survey.danger, &shadow);
            moves += Wing::BOTH.into_iter().filter(may_castle).count();
        }
        moves
    }

    /// The king's neighbors that hold no man of his own, as bits numbered like [`Step::COMPASS`].
    #[inline(always)]
    fn open_ring(&self, king: Square) -> u8 {
        let own = man::COLOR[self.side.index()];
        Step::COMPASS.into_iter().enumerate().fold(0, |open, (direction, step)| {
            let to = king.to_0x88().wrapping_add(step.0);
            let is_open = to & 0x88 == 0 && self.cells[(to & 0x77) as usize] & own == 0;
            open | u8::from(is_open) << direction
        })
    }

    /// The shadow of all men, and the number of pawn moves as if none were pinned, en passant aside: both come
    /// from the same look at the eight ranks.
    #[inline(always)]
    fn cast_shadow(&self) -> (Shadow, usize) {
        const PROMOTIONS: u64 = 4;
        let us = self.side;
        // Ranks as the side to move counts them.
        let mirror = if us == Color::White { 0 } else { 7 };
        let mut shadow = Shadow { occupied: 0, landing: 0 };
        let (mut pawns, mut singles, mut sum) = (0, 0, 0);
        for rank in 0..8 {
            let row = self.row(rank ^ mirror);
            let (own, enemy) = (men_in(row, us), men_in(row, !us));
            let occupied = own | enemy;
            shadow.occupied |= gathered(occupied) << ((rank ^ mirror) * 8);
            shadow.landing |= gathered(own) << ((rank ^ mirror) * 8);
            // `pawns` stand one rank behind.
            let steps = pawns & !occupied;
            let doubles = if rank == 3 { singles & !occupied } else { 0 };
            let captures = (pawns << 8 & enemy) + (pawns >> 8 & enemy);
            sum += if rank == 7 { PROMOTIONS * (steps + captures) } else { steps + captures + doubles };
            singles = steps;
            pawns = row & own;
        }
        shadow.landing = !shadow.landing;
        (shadow, sum_of_bytes(sum))
    }

    /// Checks, pins and the danger to the open neighbors of the king.
    #[inline(always)]
    fn survey_by_shadow(&self, open: u8, shadow: &Shadow) -> Survey {
        let us = self.side;
        let king = self.king_square(us);
        let asked = u16::from(open) | difference::AIM_KING;
        let aims = &difference::AIM[(!us).index()];
        let (kinds, squares) = (&self.kinds[(!us).index()], &self.squares[(!us).index()]);
        let jumps = &difference::LEAPS[(!us).index()];
        let mut leaps = 0;
        for (&kind, &from) in kinds.iter().zip(squares) {
            let distance = from.wrapping_sub(king.to_0x88());
            leaps |= jumps[(kind & man::KIND) as usize][distance as usize];
        }
        let mut survey = Survey { danger: leaps as u8 & open, ..Survey::default() };
        if leaps & difference::AIM_KING != 0 {
            survey.checkers = self.leaping_checkers();
        }
        for half in [0, 8] {
            let kinds_word = half_roster(kinds, half);
            for slot in ones(kinds_word >> ROOK_BIT | kinds_word >> BISHOP_BIT) {
                let slot = (half + slot) & 15;
                let distance = squares[slot].wrapping_sub(king.to_0x88());
                let aimed = aims[(kinds[slot] & man::KIND) as usize][distance as usize] & asked;
                if aimed != 0 {
                    self.survey_line(Square::known(squares[slot]), aimed, shadow, &mut survey);
                }
            }
        }
        survey
    }

    /// Lanes of the pawns and knights that give check.
    #[cold]
    fn leaping_checkers(&self) -> u64 {
        let king = self.king_square(self.side);
        let enemy = (!self.side).index();
        (0..16).fold(0, |lanes, slot| {
            let (kind, from) = (self.kinds[enemy][slot], self.squares[enemy][slot]);
            let distance = from.wrapping_sub(king.to_0x88());
            let aimed = difference::AIM[enemy][(kind & man::KIND) as usize][distance as usize];
            let checks = kind & man::QUEEN == 0 && aimed & difference::AIM_KING != 0;
            if checks { lanes | 1 << lane_of(king, from) } else { lanes }
        })
    }

    /// A slider's share of the survey.
    #[inline(always)]
    fn survey_line(&self, from: Square, aimed: u16, shadow: &Shadow, survey: &mut Survey) {
        let king = self.king_square(self.side);
        if aimed & difference::AIM_KING != 0 {
            let direction = difference::DIRECTION[Step::between(from, king).0 as usize];
            let men = between(from, king, direction) & shadow.occupied;
            if men == 0 {
                survey.checkers |= 1 << lane_of(king, from.to_0x88());
            } else if men.is_power_of_two() && men & shadow.landing == 0 {
                let pinned = Square::from_dense(men.trailing_zeros() as u8);
                survey.pinned |= 1 << (self.cells[pinned.index() | 8] & 15);
            }
        }
        let without_king = shadow.occupied & !(1 << king.dense());
        let mut ring = aimed as u8 & !survey.danger;
        while ring != 0 {
            let step = Step::COMPASS[ring.trailing_zeros() as usize & 7];
            let target = Square::known(king.to_0x88().wrapping_add(step.0));
            let direction = difference::DIRECTION[Step::between(from, target).0 as usize];
            let is_open = between(from, target, direction) & without_king == 0;
            survey.danger |= if is_open { ring & ring.wrapping_neg() } else { 0 };
            ring &= ring - 1;
        }
    }

    /// Moves of knights and sliders as if none were pinned.
    #[inline(always)]
    fn count_officers(&self, shadow: &Shadow) -> usize {
        let us = self.side.index();
        let squares = &self.squares[us];
        let mut moves = 0;
        for half in [0, 8] {
            let kinds = half_roster(&self.kinds[us], half);
            for slot in ones(kinds >> KNIGHT_BIT) {
                moves += self.count_jumps(squares[(half + slot) & 15]);
            }
            for slot in ones(kinds >> ROOK_BIT) {
                moves += shadow.straight_landings(Square::known(squares[(half + slot) & 15]));
            }
            for slot in ones(kinds >> BISHOP_BIT) {
                moves += shadow.diagonal_landings(Square::known(squares[(half + slot) & 15]));
            }
        }
        moves
    }

    #[inline(always)]
    fn count_jumps(&self, from: u8) -> usize {
        let own = man::COLOR[self.side.index()];
        let targets = &JUMP_TARGETS[(from & 0x77) as usize];
        targets.iter().map(|&to| usize::from(self.cells[(to & 0x77) as usize] & own == 0)).sum()
    }

    /// What the bulk counts have given to the pinned men.
    #[cold]
    fn count_as_if_free(&mut self, shadow: &Shadow) -> usize {
        let us = self.side.index();
        let pinned = std::mem::take(&mut self.pinned);
        let moves = (0..16)
            .filter(|slot| pinned >> slot & 1 != 0)
            .map(|slot| {
                let from = Square::known(self.squares[us][slot]);
                let kind = self.kinds[us][slot];
                let straight = if kind & man::ROOK != 0 { shadow.straight_landings(from) } else { 0 };
                let diagonal = if kind & man::BISHOP != 0 { shadow.diagonal_landings(from) } else { 0 };
                match kind {
                    man::KNIGHT => self.count_jumps(from.to_0x88()),
                    man::PAWN => count_men(self, 1 << slot),
                    _ => straight + diagonal,
                }
            })
            .sum();
        self.pinned = pinned;
        moves
    }
    /// Number of captures en passant; they are not counted again.
    fn take_en_passant(&mut self) -> usize {
        let target = Square::known(std::mem::replace(&mut self.en_passant, NO_SQUARE));
        let own_pawn = man::PAWN | man::COLOR[self.side.index()];
        Step::pawn_captures(!self.side)
            .into_iter()
            .filter_map(|step| target.offset(step))
            .filter(|from| self.cells[from.index()] == own_pawn && self.en_passant_is_safe(*from, target))
            .count()
    }

    /// May the king castle, when not in check? `safe` are the neighbors to which he could go.
    fn may_castle(&self, wing: Wing, safe: u8, shadow: &Shadow) -> bool {
        const TO_THE_ROOK: [u8; 2] = [1 << 2, 1 << 6];
        let Some(mut path) = self.castling_path(wing) else { return false };
        let (king, home) = (self.king_square(self.side), self.side.home_rank());
        let rook = Square::known(self.rooks[CastlingRights::slot(self.side, wing)]);
        let occupied = shadow.occupied & !(1 << king.dense() | 1 << rook.dense());
        // The first step is known from the ring, the last one is asked in any case.
        if safe & TO_THE_ROOK[wing as usize] != 0 {
            path &= !file_beside(king.file(), wing) | 1 << wing.king_file();
        }
        while path != 0 {
            let square = Square::new(path.trailing_zeros() as u8, home);
            if self.is_attacked_by_shadow(square, occupied) {
                return false;
            }
            path &= path - 1;
        }
        true
    }

    /// Does the enemy attack the square, with these men on the board?
    fn is_attacked_by_shadow(&self, target: Square, occupied: u64) -> bool {
        let enemy = (!self.side).index();
        self.kinds[enemy].iter().zip(&self.squares[enemy]).any(|(&kind, &from)| {
            let distance = from.wrapping_sub(target.to_0x88());
            if difference::AIM[enemy][(kind & man::KIND) as usize][distance as usize] & difference::AIM_KING
                == 0
            {
                return false;
            }
            let from = Square::known(from);
            let direction = difference::DIRECTION[Step::between(from, target).0 as usize];
            kind & man::QUEEN == 0 || between(from, target, direction) & occupied == 0
        })
    }
}

/// The file beside the king on the way to a wing, as a bit.
#[inline(always)]
const fn file_beside(king_file: u8, wing: Wing) -> u8 {
    match wing {
        Wing::Short => 2 << king_file,
        Wing::Long => (1 << king_file) >> 1,
    }
}

const KNIGHT_BIT: u32 = man::KNIGHT.trailing_zeros();
const BISHOP_BIT: u32 = man::BISHOP.trailing_zeros();
const ROOK_BIT: u32 = man::ROOK.trailing_zeros();

/// Eight kinds of a roster, from the given slot on, as the bytes of a word.
#[inline(always)]
fn half_roster(kinds: &[u8; 16], start: usize) -> u64 {
    u64::from_le_bytes(kinds[start..start + 8].try_into().expect("half a roster is eight men"))
}

/// Numbers of the bytes whose lowest bit is set.
#[inline(always)]
fn ones(word: u64) -> impl Iterator<Item = usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let mut left = word & ONES;
    std::iter::from_fn(move || {
        (left != 0).then(|| {
            let slot = (left.trailing_zeros() / 8) as usize;
            left &= left - 1;
            slot
        })
    })
}

/// Where a knight may jump, from every 0x88 square; filled up with his own square, where he cannot land.
static JUMP_TARGETS: [[u8; 8]; 128] = {
    let mut table = [[0; 8]; 128];
    let mut from = 0;
    while from < 128 {
        let mut jump = 0;
        while jump < 8 {
            let to = (from as u8).wrapping_add(Step::JUMPS[jump].0);
            table[from][jump] = if to & 0x88 == 0 { to } else { from as u8 };
            jump += 1;
        }
        from += 1;
    }
    table
};

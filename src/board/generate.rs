//! Legal moves on the plain 0x88 board, legal by construction: checks, pins and the squares that the king
//! must avoid are known before the first move is written.

use super::check::{WHOLE_RING, lane_square};
use super::{KING_SLOT, Position, difference, man};
use crate::types::{CastlingRights, Color, Move, MoveKind, MoveList, Square, Step, Wing};

/// Which moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// All legal moves.
    All,
    /// Captures and promotions, whether they capture or not.
    Noisy,
    /// The others.
    Quiet,
}

impl Wanted {
    #[inline]
    pub(super) const fn noisy(self) -> bool {
        !matches!(self, Wanted::Quiet)
    }

    #[inline]
    pub(super) const fn quiet(self) -> bool {
        !matches!(self, Wanted::Noisy)
    }
}

/// What takes the moves: a list, a counter, or one who wants to know whether there is any.
pub(super) trait Sink {
    /// Takes a move.
    fn put(&mut self, m: Move);

    /// Takes the four promotions of one pawn move.
    #[inline]
    fn put_promotions(&mut self, from: Square, to: Square) {
        for kind in
            [MoveKind::PromoteQueen, MoveKind::PromoteRook, MoveKind::PromoteBishop, MoveKind::PromoteKnight]
        {
            self.put(Move::new(from, to, kind));
        }
    }

    /// May the generator stop?
    #[inline]
    fn is_content(&self) -> bool {
        false
    }
}

impl Sink for MoveList {
    #[inline]
    fn put(&mut self, m: Move) {
        self.push(m);
    }
}

/// Counts moves.
struct Counter(usize);

impl Sink for Counter {
    #[inline]
    fn put(&mut self, _: Move) {
        self.0 += 1;
    }

    #[inline]
    fn put_promotions(&mut self, _: Square, _: Square) {
        self.0 += 4;
    }
}

/// Is content with one move.
struct AnyMove(bool);

impl Sink for AnyMove {
    #[inline]
    fn put(&mut self, _: Move) {
        self.0 = true;
    }

    #[inline]
    fn is_content(&self) -> bool {
        self.0
    }
}

impl Position {
    /// Appends the wanted legal moves to a list.
    pub(super) fn generate_scalar(&self, wanted: Wanted, moves: &mut MoveList) {
        Generator::new(self, wanted, moves).run();
    }

    /// Number of legal moves.
    pub(super) fn count_moves_scalar(&self) -> usize {
        let mut copy = *self;
        copy.count_afresh()
    }

    /// Is there a legal move?
    pub(super) fn has_legal_move_scalar(&self) -> bool {
        let mut any = AnyMove(false);
        Generator::new(self, Wanted::All, &mut any).run();
        any.0
    }

    /// Is the capture en passant by the pawn on `from`, on the given square, safe for his king? Two men leave
    /// one line at once, so pins do not tell.
    pub(super) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let us = man::color_of(self.cells[from.index()]);
        let victim = to.to_0x88() ^ 0x10;
        let mut after = *self;
        let capturer = after.cells[from.index()];
        after.cells[from.index()] = 0;
        after.cells[to.index()] = capturer;
        after.cells[victim as usize] = 0;
        let victim_slot = self.cells[(victim | 8) as usize] & 15;
        after.kinds[(!us).index()][victim_slot as usize] = 0;
        !after.is_attacked(self.king_square(us), !us)
    }
}

/// One generation: the position, who takes the moves, and where they may go.
struct Generator<'a, S> {
    position: &'a Position,
    sink: &'a mut S,
    wanted: Wanted,
    us: Color,
    king: Square,
    /// Where a man but the king may land: in check only on the checker or between; else anywhere.
    goal: u128,
}

impl<'a, S: Sink> Generator<'a, S> {
    #[inline]
    fn new(position: &'a Position, wanted: Wanted, sink: &'a mut S) -> Self {
        let us = position.side;
        Generator { position, sink, wanted, us, king: position.king_square(us), goal: u128::MAX }
    }

    /// Steps of the king last, so that the question for any move is mostly answered before.
    fn run(mut self) {
        let checkers = self.position.checkers;
        if checkers & checkers.wrapping_sub(1) == 0 {
            self.aim_at_checker();
            self.men(ALL_SLOTS);
            if self.sink.is_content() {
                return;
            }
            if checkers == 0 && self.wanted.quiet() && self.position.rights.any(self.us) {
                self.castling();
            }
        }
        self.king_steps();
    }

    /// With one checker, men may only land where they end the check.
    fn aim_at_checker(&mut self) {
        if self.position.checkers != 0 {
            self.goal = evasion_goal(self.king, self.position.checkers.trailing_zeros());
        }
    }

    /// Moves of the men in these slots, the king aside.
    #[inline]
    fn men(&mut self, slots: u16) {
        let (kinds, squares) =
            (&self.position.kinds[self.us.index()], &self.position.squares[self.us.index()]);
        for slot in KING_SLOT + 1..16 {
            let kind = kinds[slot];
            if kind == 0 || slots >> slot & 1 == 0 {
                continue;
            }
            let from = Square::known(squares[slot]);
            let is_pinned = self.position.pinned >> slot & 1 != 0;
            // A pinned man may move along the line to his king; bit d stands for direction d.
            let mut lines = 0xFF;
            if is_pinned {
                if self.position.checkers != 0 {
                    continue;
                }
                let direction = difference::DIRECTION[Step::between(self.king, from).0 as usize];
                lines = 1 << direction | 1 << (direction ^ 4);
            }
            match kind {
                man::PAWN => self.pawn(from, lines),
                _ if self.position.checkers != 0 => self.evade(kind, from),
                man::KNIGHT if is_pinned => {}
                man::KNIGHT => self.leaper(from),
                _ => self.slider(kind, from, lines),
            }
            if self.sink.is_content() {
                return;
            }
        }
    }

    #[inline]
    fn is_goal(&self, square: u8) -> bool {
        self.goal >> square & 1 != 0
    }

    /// Puts a move of an officer who lands on a square with that man, possibly none, on it.
    #[inline]
    fn land(&mut self, from: Square, to: u8, man: u8) {
        let is_wanted = if man == 0 {
            self.wanted.quiet()
        } else {
            self.wanted.noisy() && man & man::COLOR[self.us.index()] == 0
        };
        if is_wanted && self.is_goal(to) {
            self.sink.put(Move::new(from, Square::known(to), MoveKind::Plain));
        }
    }

    /// Moves of an officer that end a check: the few squares are asked whether he reaches them.
    fn evade(&mut self, kind: u8, from: Square) {
        let mut left = self.goal;
        while left != 0 {
            let to = Square::known(left.trailing_zeros() as u8);
            left &= left - 1;
            let distance = Step::between(from, to);
            if difference::could_attack(kind, distance.0) && self.position.is_open(from, to) {
                self.land(from, to.to_0x88(), self.position.cells[to.index()]);
            }
        }
    }

    #[inline]
    fn leaper(&mut self, from: Square) {
        for jump in Step::JUMPS {
            if let Some(to) = from.offset(jump) {
                self.land(from, to.to_0x88(), self.position.cells[to.index()]);
            }
        }
    }

    #[inline]
    fn slider(&mut self, kind: u8, from: Square, lines: u8) {
        const STRAIGHT: u8 = 0x55;
        let mut directions = lines
            & match kind {
                man::ROOK => STRAIGHT,
                man::BISHOP => !STRAIGHT,
                _ => 0xFF,
            };
        while directions != 0 {
            let step = Step::COMPASS[directions.trailing_zeros() as usize];
            directions &= directions - 1;
            let mut to = from.to_0x88().wrapping_add(step.0);
            while to & 0x88 == 0 {
                let man = self.position.cells[(to & 0x77) as usize];
                self.land(from, to, man);
                if man != 0 {
                    break;
                }
                to = to.wrapping_add(step.0);
            }
        }
    }

    #[inline]
    fn pawn(&mut self, from: Square, lines: u8) {
        let forward = Step::forward(self.us);
        let (start_rank, last_rank) = match self.us {
            Color::White => (1, 6),
            Color::Black => (6, 1),
        };
        let promotes = from.rank() == last_rank;
        let is_allowed = |step: Step| lines >> difference::DIRECTION[step.0 as usize] & 1 != 0;
        if is_allowed(forward) {
            let to = from.to_0x88().wrapping_add(forward.0);
            if self.position.cells[(to & 0x77) as usize] == 0 {
                if self.is_goal(to) {
                    self.advance(from, Square::known(to), promotes);
                }
                let far = to.wrapping_add(forward.0);
                if from.rank() == start_rank
                    && self.wanted.quiet()
                    && self.position.cells[(far & 0x77) as usize] == 0
                    && self.is_goal(far)
                {
                    self.sink.put(Move::new(from, Square::known(far), MoveKind::DoubleStep));
                }
            }
        }
        if self.wanted.noisy() {
            for step in Step::pawn_captures(self.us) {
                if is_allowed(step) {
                    self.pawn_capture(from, from.to_0x88().wrapping_add(step.0), promotes);
                }
            }
        }
    }

    /// A single step of a pawn.
    #[inline]
    fn advance(&mut self, from: Square, to: Square, promotes: bool) {
        if promotes {
            if self.wanted.noisy() {
                self.sink.put_promotions(from, to);
            }
        } else if self.wanted.quiet() {
            self.sink.put(Move::new(from, to, MoveKind::Plain));
        }
    }

    #[inline]
    fn pawn_capture(&mut self, from: Square, to: u8, promotes: bool) {
        if to & 0x88 != 0 {
            return;
        }
        if self.position.cells[(to & 0x77) as usize] & man::COLOR[(!self.us).index()] != 0 {
            if self.is_goal(to) {
                if promotes {
                    self.sink.put_promotions(from, Square::known(to));
                } else {
                    self.sink.put(Move::new(from, Square::known(to), MoveKind::Plain));
                }
            }
        } else if to == self.position.en_passant && self.position.en_passant_is_safe(from, Square::known(to))
        {
            self.sink.put(Move::new(from, Square::known(to), MoveKind::EnPassant));
        }
    }

    fn castling(&mut self) {
        for wing in Wing::BOTH {
            if self.position.can_castle(wing) {
                let rook = self.position.rooks[CastlingRights::slot(self.us, wing)];
                self.sink.put(Move::new(self.king, Square::known(rook), MoveKind::Castling));
            }
        }
    }

    fn king_steps(&mut self) {
        let mut open = 0u16;
        for (direction, step) in Step::COMPASS.into_iter().enumerate() {
            let to = self.king.to_0x88().wrapping_add(step.0);
            if to & 0x88 != 0 {
                continue;
            }
            let man = self.position.cells[(to & 0x77) as usize];
            let is_wanted = if man == 0 {
                self.wanted.quiet()
            } else {
                self.wanted.noisy() && man & man::COLOR[self.us.index()] == 0
            };
            open |= u16::from(is_wanted) << direction;
        }
        if open == 0 {
            return;
        }
        debug_assert!(open <= WHOLE_RING);
        let mut safe = open as u8 & !self.position.survey(self.us, open).danger;
        while safe != 0 {
            let step = Step::COMPASS[safe.trailing_zeros() as usize];
            let to = self.king.to_0x88().wrapping_add(step.0);
            self.sink.put(Move::new(self.king, Square::known(to), MoveKind::Plain));
            safe &= safe - 1;
        }
    }
}

/// Slots of all men.
const ALL_SLOTS: u16 = 0xFFFF;

/// Number of legal moves of the men in some slots, the king aside, if there is at most one checker.
pub(super) fn count_men(position: &Position, slots: u16) -> usize {
    let mut counter = Counter(0);
    let mut generator = Generator::new(position, Wanted::All, &mut counter);
    generator.aim_at_checker();
    generator.men(slots);
    counter.0
}

/// The squares on which a man ends the check of one checker: his own and those between, as 0x88 bits.
fn evasion_goal(king: Square, lane: u32) -> u128 {
    let checker = lane_square(king, lane);
    let mut goal = 1 << checker.to_0x88();
    if let Some(step) = difference::line_step(king, checker) {
        let mut square = king.to_0x88().wrapping_add(step.0);
        while square != checker.to_0x88() {
            goal |= 1 << square;
            square = square.wrapping_add(step.0);
        }
    }
    goal
}

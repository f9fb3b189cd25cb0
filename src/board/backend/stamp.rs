//! What the vector backends have in common, stamped once for each.
//!
//! A function built for some instructions can be part of another one only if both are built for them, so the
//! recursion of perft and what it calls must carry the backend's list of instructions. Traits cannot (the
//! attribute is refused on their methods), hence this macro. It expects beside it the modules `look`, `flood`
//! and `generate` of the backend.
//!
//! # The frontier
//! Perft counts the last two plies together: the replies to a move are counted without building the position
//! after it. A move changes two squares. In sets that is two bits; in what the other king sees it is at most
//! two lanes, found by the difference of two 0x88 squares.
//!
//! # Making moves
//! The men move as on the plain board; checks and pins come from one look at the cells before the move, with
//! the move's two squares changed in the lanes: bytes just written cannot be read back as a register without
//! waiting until they have reached the cache.

/// Stamps the functions for one list of instructions.
macro_rules! stamp {
    ($features:literal) => {
        use super::super::exchange::{Exchange, Opening};
        use super::super::lanes::{self, View};
        use super::super::limits::{self, CastlingPath, KingFacts, Limits};
        use super::super::sets::{self, Men, Set};
        use super::super::turn::turn;
        use super::flood::{self, Kinds, Tally};
        use super::generate::generate;
        use super::look::{self, Cells};
        use crate::board::{Delta, NO_SQUARE, Position, Wanted, man};
        use crate::types::{Color, Move, MoveKind, MoveList, Square};
        use std::arch::x86_64::_pext_u32;

        /// Number of legal moves.
        #[target_feature(enable = $features)]
        pub(in super::super) fn count_moves(position: &Position) -> usize {
            let mut tally = Tally::new();
            match position.side {
                Color::White => count_position::<0, 1>(position, &mut tally),
                Color::Black => count_position::<1, 0>(position, &mut tally),
            }
            tally.total() as usize
        }

        /// Is there a legal move?
        #[target_feature(enable = $features)]
        pub(in super::super) fn has_legal_move(position: &Position) -> bool {
            count_moves(position) != 0
        }

        /// Counts the legal moves of a position.
        #[target_feature(enable = $features)]
        #[inline]
        fn count_position<const US: usize, const THEM: usize>(position: &Position, tally: &mut Tally) {
            let cells = Cells::of(position);
            let kinds = Kinds::of(cells);
            let men = men::<US, THEM>(position, kinds);
            let mut limits = limits::pinned_limits(position);
            let mut king = KingFacts {
                is_checked: position.checkers != 0,
                shadows: 0,
                castling: CastlingPath::both(position, position.side),
            };
            let square = position.squares[US][0];
            if position.checkers != 0 {
                king.shadows = limits::shadows(square, position.checkers, men.enemy_pawns);
                limits.answer_checks(square, position.checkers);
            }
            flood::count::<US, THEM, true>(kinds, &men, &limits, &king, tally);
            if position.en_passant != NO_SQUARE {
                let view = look::view::<THEM>(cells, square);
                tally.add(limits::count_en_passant::<US>(&view, position.en_passant, men.own_pawns));
            }
        }

        /// The men of both sides.
        #[target_feature(enable = $features)]
        #[inline]
        pub(super) fn men<const US: usize, const THEM: usize>(position: &Position, kinds: Kinds) -> Men {
            let (own, enemy, pawns) = (kinds.color::<US>(), kinds.color::<THEM>(), kinds.pawns());
            Men {
                own,
                enemy,
                own_pawns: pawns & own,
                enemy_pawns: pawns & enemy,
                king: sets::dense(position.squares[US][0]),
                enemy_king: sets::dense(position.squares[THEM][0]),
            }
        }

        /// Number of sequences of legal moves of a length that is at least 1.
        #[target_feature(enable = $features)]
        pub(in super::super) fn perft(position: &Position, depth: u32) -> u64 {
            match (depth, position.side) {
                (1, _) => count_moves(position) as u64,
                (_, Color::White) => descend::<0, 1>(position, depth),
                (_, Color::Black) => descend::<1, 0>(position, depth),
            }
        }

        /// Counts at depth 2 or more.
        #[target_feature(enable = $features)]
        fn descend<const US: usize, const THEM: usize>(position: &Position, depth: u32) -> u64 {
            let mut moves = MoveList::new();
            generate(position, Wanted::All, &mut moves);
            if depth == 2 {
                return count_replies::<US, THEM>(position, &moves);
            }
            let mut leaves = 0;
            let mut child = *position;
            for &m in &moves {
                make_for::<US, THEM>(position, m, &mut child);
                leaves += descend::<THEM, US>(&child, depth - 1);
            }
            leaves
        }

        /// Number of replies to all moves.
        #[target_feature(enable = $features)]
        #[inline]
        fn count_replies<const US: usize, const THEM: usize>(position: &Position, moves: &MoveList) -> u64 {
            let frontier = Frontier::new::<US, THEM>(position);
            let mut tally = Tally::new();
            for &m in moves {
                match m.kind() {
                    MoveKind::Castling | MoveKind::EnPassant => {
                        let mut child = *position;
                        make(position, m, &mut child);
                        count_position::<THEM, US>(&child, &mut tally);
                    }
                    _ => frontier.count_replies::<THEM, US>(m, &mut tally),
                }
            }
            tally.total()
        }

        /// A position whose moves are answered. "Own" are the men who answer.
        struct Frontier<'a> {
            position: &'a Position,
            kinds: Kinds,
            men: Men,
            view: View,
            castling: [CastlingPath; 2],
        }

        impl<'a> Frontier<'a> {
            #[target_feature(enable = $features)]
            #[inline]
            fn new<const US: usize, const THEM: usize>(position: &'a Position) -> Self {
                let cells = Cells::of(position);
                let kinds = Kinds::of(cells);
                Frontier {
                    position,
                    kinds,
                    men: men::<THEM, US>(position, kinds),
                    view: look::view::<US>(cells, position.squares[THEM][0]),
                    castling: CastlingPath::both(position, !position.side),
                }
            }

            /// Counts the replies of US to a move that is neither castling nor en passant.
            #[target_feature(enable = $features)]
            #[inline]
            fn count_replies<const US: usize, const THEM: usize>(&self, m: Move, tally: &mut Tally) {
                let arriving = self.arriving(m);
                let (left, entered) = squares(m);
                let kinds = self.kinds.after(left | entered, entered, arriving);
                let men = self.men_after(left, entered, arriving);
                let view = self.view.after(m.from().to_0x88(), m.to().to_0x88(), arriving);
                let (checkers, pins) = (view.checkers(), view.pins());
                let castling = self.castling_after(entered);
                let mut king = KingFacts { is_checked: checkers != 0, shadows: 0, castling };
                if checkers | pins.pinners == 0 {
                    flood::count::<US, THEM, false>(kinds, &men, &Limits::NONE, &king, tally);
                } else {
                    let mut limits = Limits::NONE;
                    for (line, lane) in pins {
                        limits.pin(line, sets::lane_square(view.king, lane));
                    }
                    if checkers != 0 {
                        king.shadows = limits::shadows(view.king, checkers, men.enemy_pawns);
                        limits.answer_checks(view.king, checkers);
                    }
                    flood::count::<US, THEM, true>(kinds, &men, &limits, &king, tally);
                }
                if m.kind() == MoveKind::DoubleStep {
                    let passed = m.from().to_0x88().midpoint(m.to().to_0x88());
                    tally.add(limits::count_en_passant::<US>(&view, passed, men.own_pawns));
                }
            }

            /// The byte of the man who arrives.
            #[inline]
            fn arriving(&self, m: Move) -> u8 {
                let mover = self.position.cells[m.from().index()];
                match m.promotion() {
                    Some(kind) => mover & !man::KIND | man::bits_of(kind),
                    None => mover,
                }
            }

            #[inline]
            fn men_after(&self, left: Set, entered: Set, arriving: u8) -> Men {
                let pawn_entered = if arriving & man::PAWN != 0 { entered } else { 0 };
                let king_entered = arriving & man::KING != 0;
                Men {
                    own: self.men.own & !entered,
                    enemy: self.men.enemy & !left | entered,
                    own_pawns: self.men.own_pawns & !entered,
                    enemy_pawns: self.men.enemy_pawns & !left | pawn_entered,
                    king: self.men.king,
                    enemy_king: if king_entered { entered.trailing_zeros() } else { self.men.enemy_king },
                }
            }

            /// Castling of those who answer, after a move to a square.
            #[inline]
            fn castling_after(&self, entered: Set) -> [CastlingPath; 2] {
                self.castling.map(|path| if path.rook & entered == 0 { path } else { CastlingPath::NONE })
            }
        }

        /// A move's two squares.
        #[target_feature(enable = $features)]
        #[inline]
        fn squares(m: Move) -> (Set, Set) {
            const SQUARES: u32 = 0x7777;
            let numbers = _pext_u32(u32::from(m.bits()), SQUARES);
            (1 << (numbers >> 6), 1 << (numbers & 63))
        }

        /// The position after a legal move, and what has changed on the board.
        #[target_feature(enable = $features)]
        pub(in super::super) fn make(position: &Position, m: Move, child: &mut Position) -> Delta {
            match position.side {
                Color::White => make_for::<0, 1>(position, m, child),
                Color::Black => make_for::<1, 0>(position, m, child),
            }
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn make_for<const US: usize, const THEM: usize>(
            position: &Position,
            m: Move,
            child: &mut Position,
        ) -> Delta {
            let delta = turn::<US, THEM>(position, m, child);
            let king = position.squares[THEM][0];
            let view = if m.is_castling() || m.is_en_passant() {
                look::view::<US>(Cells::of(child), king)
            } else {
                let before = look::view::<US>(Cells::of(position), king);
                before.after(m.from().to_0x88(), m.to().to_0x88(), child.cells[m.to().index()])
            };
            child.checkers = view.checkers();
            // The pinned men have not just moved.
            child.pinned = view.pins().fold(0, |slots, (_, lane)| {
                slots | 1 << (position.cells[(view.square(lane) | 8) as usize & 127] & 15)
            });
            delta
        }

        /// What the legal move wins, see [`Position::see`].
        #[target_feature(enable = $features)]
        pub(in super::super) fn see(position: &Position, m: Move) -> i32 {
            if m.is_castling() { 0 } else { exchange(position, m, Opening::of(position, m)) }
        }

        /// Does the legal move win at least so much, in centipawns?
        #[target_feature(enable = $features)]
        pub(in super::super) fn see_reaches(position: &Position, m: Move, threshold: i32) -> bool {
            if m.is_castling() {
                return threshold <= 0;
            }
            let opening = Opening::of(position, m);
            opening.settles(threshold).unwrap_or_else(|| exchange(position, m, opening) >= threshold)
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn exchange(position: &Position, m: Move, opening: Opening) -> i32 {
            let around = look::around(Cells::of(position), m.to().to_0x88());
            Exchange::new(position, m, around).play(opening)
        }

        /// Squares of the men of both colors that attack the square, as 0x88 bits.
        #[target_feature(enable = $features)]
        pub(in super::super) fn attackers(position: &Position, square: Square) -> u128 {
            let around = look::around(Cells::of(position), square.to_0x88());
            lanes::squares(square.to_0x88(), around.attackers())
        }

        /// Does a man of the color attack the square?
        #[target_feature(enable = $features)]
        pub(in super::super) fn is_attacked(position: &Position, square: Square, by: Color) -> bool {
            let cells = Cells::of(position);
            let view = match by {
                Color::White => look::view::<0>(cells, square.to_0x88()),
                Color::Black => look::view::<1>(cells, square.to_0x88()),
            };
            view.checkers() != 0
        }
    };
}

pub(super) use stamp;

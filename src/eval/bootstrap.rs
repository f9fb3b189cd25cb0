//! The evaluation that the first self-play starts from: material, squares, mobility, king safety and passed
//! pawns, between middlegame and endgame. The network learns from its games and replaces it.
//! <https://www.chessprogramming.org/Tapered_Eval>

use crate::board::Position;
use crate::types::{Color, PieceKind, Score, Square, Step};
use std::ops::{Add, AddAssign, Mul, Sub};

/// A value in the middlegame and one in the endgame, in internal units.
#[derive(Clone, Copy, Default)]
struct Tapered(i32, i32);

impl Add for Tapered {
    type Output = Tapered;
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0, self.1 + other.1)
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0, self.1 - other.1)
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    fn mul(self, factor: i32) -> Tapered {
        Tapered(self.0 * factor, self.1 * factor)
    }
}

const MATERIAL: [Tapered; 6] = [
    Tapered(82, 105),
    Tapered(335, 300),
    Tapered(350, 320),
    Tapered(480, 540),
    Tapered(1000, 980),
    Tapered(0, 0),
];
/// How much a kind of man belongs to the middlegame.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// Sum of the phases of all men at the start.
const FULL_PHASE: i32 = 24;
/// Worth of a square that a man may move to.
const MOBILITY: [Tapered; 6] =
    [Tapered(0, 0), Tapered(5, 4), Tapered(5, 4), Tapered(3, 5), Tapered(2, 3), Tapered(0, 0)];
/// Squares that a man reaches on average: mobility counts from there.
const USUAL_MOBILITY: [i32; 6] = [0, 4, 6, 6, 12, 0];
/// Weight of a man who reaches the enemy king's neighborhood.
const KING_ATTACK: [i32; 6] = [0, 10, 9, 14, 22, 0];
/// Worth of a passed pawn by the ranks it has advanced.
const PASSED: [Tapered; 8] = [
    Tapered(0, 0),
    Tapered(0, 8),
    Tapered(2, 14),
    Tapered(10, 32),
    Tapered(24, 60),
    Tapered(50, 105),
    Tapered(90, 165),
    Tapered(0, 0),
];
const BISHOP_PAIR: Tapered = Tapered(28, 45);
const ISOLATED_PAWN: Tapered = Tapered(-12, -12);
const DOUBLED_PAWN: Tapered = Tapered(-8, -18);
const OPEN_FILE_ROOK: Tapered = Tapered(24, 8);
const SHIELD_PAWN: Tapered = Tapered(14, 0);
const TEMPO: i32 = 12;

/// Worth of the square itself, by kind and [`Square::dense`], White's view.
static SQUARES: [[Tapered; 64]; 6] = squares();

const fn squares() -> [[Tapered; 64]; 6] {
    const PAWN_RANK: [Tapered; 8] = [
        Tapered(0, 0),
        Tapered(0, 0),
        Tapered(2, 2),
        Tapered(8, 8),
        Tapered(16, 20),
        Tapered(30, 42),
        Tapered(50, 70),
        Tapered(0, 0),
    ];
    const KING_FILE: [i32; 8] = [22, 34, 8, -12, -6, -10, 36, 26];
    let mut table = [[Tapered(0, 0); 64]; 6];
    let mut dense = 0;
    while dense < 64 {
        let (file, rank) = ((dense % 8) as i32, (dense / 8) as i32);
        let file_center = if file < 4 { file } else { 7 - file };
        let rank_center = if rank < 4 { rank } else { 7 - rank };
        let center = file_center + rank_center;
        let pawn = PAWN_RANK[rank as usize];
        let pawn_center = if file_center >= 2 && rank >= 2 && rank <= 4 { 4 * file_center } else { 0 };
        table[0][dense] = Tapered(pawn.0 + pawn_center, pawn.1);
        table[1][dense] = Tapered(center * 11 - 40 + rank * 2, center * 8 - 30);
        table[2][dense] = Tapered(center * 5 - 16, center * 4 - 12);
        table[3][dense] =
            Tapered(file_center * 4 - 6 + if rank == 6 { 16 } else { 0 }, if rank == 6 { 14 } else { 0 });
        table[4][dense] = Tapered(center * 2 - 8 - if rank > 3 { 4 } else { 0 }, center * 6 - 20);
        table[5][dense] = Tapered(KING_FILE[file as usize] - 24 * rank, center * 11 - 38);
        dense += 1;
    }
    table
}

/// Value of a position, for its side to move.
pub(super) fn evaluate(position: &Position) -> Score {
    let pawns = [Pawns::of(position, Color::White), Pawns::of(position, Color::Black)];
    let side = |color: Color| Side { position, us: color, pawns: &pawns }.value();
    let us = position.side_to_move();
    let value = side(us) - side(!us);
    let phase = phase(position).min(FULL_PHASE);
    Score((value.0 * phase + value.1 * (FULL_PHASE - phase)) / FULL_PHASE + TEMPO)
}

fn phase(position: &Position) -> i32 {
    Color::BOTH.into_iter().flat_map(|color| position.men(color)).map(|(kind, _)| PHASE[kind.index()]).sum()
}

/// A side's pawns by file, with an empty file beside each edge.
struct Pawns {
    count: [u8; 10],
    /// Ranks, from the side's view, of its rearmost pawn on each file; 7 if there is none.
    rearmost: [u8; 10],
}

impl Pawns {
    fn of(position: &Position, color: Color) -> Pawns {
        let mut pawns = Pawns { count: [0; 10], rearmost: [7; 10] };
        for (kind, square) in position.men(color) {
            if kind == PieceKind::Pawn {
                let file = square.file() as usize + 1;
                pawns.count[file] += 1;
                pawns.rearmost[file] = pawns.rearmost[file].min(advance(color, square));
            }
        }
        pawns
    }
}

/// Ranks that a square lies ahead of a side's first one.
fn advance(color: Color, square: Square) -> u8 {
    square.rank() ^ color.home_rank()
}

/// One side's part of the value.
struct Side<'a> {
    position: &'a Position,
    us: Color,
    pawns: &'a [Pawns; 2],
}

impl Side<'_> {
    fn value(&self) -> Tapered {
        let mut value = Tapered::default();
        let (mut bishops, mut attack, mut attackers) = (0, 0, 0);
        let enemy_king = self.position.king_square(!self.us);
        for (kind, square) in self.position.men(self.us) {
            let seen_by_white = if self.us == Color::White { square } else { square.flip_rank() };
            value += MATERIAL[kind.index()] + SQUARES[kind.index()][seen_by_white.dense()];
            match kind {
                PieceKind::Pawn => value += self.pawn(square),
                PieceKind::King => value += self.shield(square),
                _ => {
                    let (reached, near_king) = self.reach(kind, square, enemy_king);
                    value += MOBILITY[kind.index()] * (reached - USUAL_MOBILITY[kind.index()]);
                    attack += KING_ATTACK[kind.index()] * near_king.min(2);
                    attackers += i32::from(near_king > 0);
                }
            }
            bishops += i32::from(kind == PieceKind::Bishop);
            if kind == PieceKind::Rook && self.pawns[self.us.index()].count[square.file() as usize + 1] == 0 {
                value += OPEN_FILE_ROOK;
            }
        }
        if bishops >= 2 {
            value += BISHOP_PAIR;
        }
        // One attacker alone is no attack.
        if attackers >= 2 {
            value += Tapered(attack * (attackers + 1) / 4, 0);
        }
        value
    }

    fn pawn(&self, square: Square) -> Tapered {
        let file = square.file() as usize + 1;
        let (own, other) = (&self.pawns[self.us.index()], &self.pawns[(!self.us).index()]);
        let rank = advance(self.us, square);
        let mut value = Tapered::default();
        if own.count[file - 1] + own.count[file + 1] == 0 {
            value += ISOLATED_PAWN;
        }
        if own.count[file] > 1 && own.rearmost[file] < rank {
            value += DOUBLED_PAWN;
        }
        // An enemy pawn stops ours if it stands ahead: its rank counts from the other side.
        let is_passed =
            (file - 1..=file + 1).all(|near| other.count[near] == 0 || 7 - other.rearmost[near] <= rank);
        if is_passed {
            value += PASSED[rank as usize];
        }
        value
    }

    /// Pawns right in front of a king on his first two ranks.
    fn shield(&self, king: Square) -> Tapered {
        let forward = Step::forward(self.us);
        let pawns = (-1..=1)
            .filter_map(|side| king.offset(forward)?.offset(Step::new(side)))
            .filter(|&square| {
                self.position
                    .piece_on(square)
                    .is_some_and(|piece| piece.color == self.us && piece.kind == PieceKind::Pawn)
            })
            .count();
        SHIELD_PAWN * pawns as i32
    }

    /// How many squares an officer may move to, and how many of them are at most a step from the enemy king.
    fn reach(&self, kind: PieceKind, from: Square, enemy_king: Square) -> (i32, i32) {
        let (mut reached, mut near_king) = (0, 0);
        let mut visit = |square: Square| {
            let man = self.position.piece_on(square);
            if man.is_none_or(|piece| piece.color != self.us) {
                reached += 1;
                near_king += i32::from(are_near(square, enemy_king));
            }
            man.is_none()
        };
        if kind == PieceKind::Knight {
            for jump in Step::JUMPS {
                from.offset(jump).map(&mut visit);
            }
            return (reached, near_king);
        }
        let (first, stride) = match kind {
            PieceKind::Rook => (0, 2),
            PieceKind::Bishop => (1, 2),
            _ => (0, 1),
        };
        for direction in (first..8).step_by(stride) {
            for square in from.ray(Step::COMPASS[direction]) {
                if !visit(square) {
                    break;
                }
            }
        }
        (reached, near_king)
    }
}

fn are_near(one: Square, other: Square) -> bool {
    one.file().abs_diff(other.file()) <= 1 && one.rank().abs_diff(other.rank()) <= 1
}

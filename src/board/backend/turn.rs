//! What a move changes besides checks and pins: men, keys, clocks, rights. The plain board does the same step
//! by step in `play.rs`; here it is written with few branches and straight into the place of the child.

use crate::board::zobrist::{Keys, WORDS};
use crate::board::{Delta, NO_SQUARE, Position, man};
use crate::types::{Color, Move, MoveKind, Piece, PieceKind, Square};

/// Writes the position after a legal move, checks and pins excepted, and tells what has changed.
#[inline]
pub fn turn<const US: usize, const THEM: usize>(position: &Position, m: Move, child: &mut Position) -> Delta {
    *child = *position;
    if m.is_castling() {
        return child.play(m);
    }
    let (from, to) = (m.from(), m.to());
    let (mover, seat) = (position.cells[from.index()], position.cells[from.index() | 8]);
    let slot = (seat & 15) as usize;
    let arriving = match m.promotion() {
        Some(kind) => man::bits_of(kind) | man::COLOR[US],
        None => mover,
    };
    let victim_square = if m.is_en_passant() { to.index() ^ 0x10 } else { to.index() };
    let victim = position.cells[victim_square & 0x77];

    child.cells[from.index()] = 0;
    child.cells[victim_square & 0x77] = 0;
    child.cells[to.index()] = arriving;
    child.cells[to.index() | 8] = seat;
    child.squares[US][slot] = to.to_0x88();
    child.kinds[US][slot] = arriving & man::KIND;

    let mut delta = Delta::EMPTY;
    let mut keys = position.keys;
    let words = &WORDS.men;
    let left = words[US][row(mover)][from.index()];
    let entered = words[US][row(arriving)][to.index()];
    if m.is_promotion() {
        toggle::<US>(&mut keys, mover, left);
        toggle::<US>(&mut keys, arriving, entered);
        delta.push(piece::<US>(mover), Some(from), None);
        delta.push(piece::<US>(arriving), None, Some(to));
    } else {
        toggle::<US>(&mut keys, mover, left ^ entered);
        delta.push(piece::<US>(mover), Some(from), Some(to));
    }
    if victim != 0 {
        let victim_slot = position.cells[(victim_square & 0x77) | 8] & 15;
        child.kinds[THEM][victim_slot as usize] = 0;
        toggle::<THEM>(&mut keys, victim, words[THEM][row(victim)][victim_square & 0x77]);
        delta.push(piece::<THEM>(victim), Some(Square::known(victim_square as u8)), None);
    }
    // A square beside the board has bit 3 set, where the table holds zeros.
    keys.main ^= WORDS.en_passant[(position.en_passant & 15) as usize] ^ WORDS.black_to_move;
    child.keys = keys;
    child.en_passant = NO_SQUARE;
    let is_final = victim != 0 || mover & man::PAWN != 0;
    child.halfmoves = if is_final { 0 } else { position.halfmoves.saturating_add(1) };
    child.lose_rights(slot, from, to);
    child.side = Color::from_index(THEM as u8);
    child.fullmove = position.fullmove.saturating_add(US as u32);
    if m.kind() == MoveKind::DoubleStep {
        child.offer_en_passant(from, to);
    }
    delta
}

/// The man's row in the table of words.
#[inline]
const fn row(man: u8) -> usize {
    const KIND_ROWS: usize = WORDS.men[0].len();
    (man & man::KIND) as usize % KIND_ROWS
}

/// The piece of a man's byte whose color is known.
#[inline]
const fn piece<const COLOR: usize>(man: u8) -> Piece {
    let kind: PieceKind = man::kind_of(man);
    Piece::new(Color::from_index(COLOR as u8), kind)
}

/// Applies a man's word to the keys in which his kind counts.
#[inline]
fn toggle<const COLOR: usize>(keys: &mut Keys, man: u8, word: u64) {
    let if_pawn = u64::from(man & man::PAWN).wrapping_neg();
    let if_minor = u64::from(man & (man::ROOK | man::PAWN) == 0).wrapping_neg();
    keys.main ^= word;
    keys.pawn ^= word & if_pawn;
    keys.non_pawn[COLOR] ^= word & !if_pawn;
    keys.minor ^= word & if_minor;
}

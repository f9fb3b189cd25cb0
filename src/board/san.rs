//! Moves in standard algebraic notation: <https://www.chessprogramming.org/Algebraic_Chess_Notation>.

use super::Position;
use super::notation::MoveError;
use crate::types::{Move, PieceKind, Square};

/// The move in SAN, with `+` or `#`.
///
/// ```
/// use clavier::board::{Position, notation, san};
/// let start = Position::start();
/// let m = notation::parse_uci(&start, "g1f3").unwrap();
/// assert_eq!(san::format(&start, m), "Nf3");
/// assert_eq!(san::parse(&start, "Nf3"), Ok(m));
/// ```
pub fn format(position: &Position, m: Move) -> String {
    let mut text = body(position, m);
    let after = position.make(m);
    if after.in_check() {
        text.push(if after.has_legal_move() { '+' } else { '#' });
    }
    text
}

/// Reads a move in SAN. Marks of check and quality may be there or not; castling may be written with
/// letters or zeros; a promotion needs no `=`.
///
/// # Errors
/// A [`MoveError`] if no legal move, or more than one, fits.
pub fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let wanted = normalize(text);
    if wanted.is_empty() {
        return Err(MoveError::NotAMove(text.chars().take(20).collect()));
    }
    let moves = position.legal_moves();
    let mut fitting = moves.iter().copied().filter(|&m| fits(position, m, &wanted));
    match (fitting.next(), fitting.next()) {
        (Some(m), None) => Ok(m),
        (None, _) => Err(MoveError::Illegal(text.chars().take(20).collect())),
        (Some(_), Some(_)) => Err(MoveError::Ambiguous(text.to_owned())),
    }
}

/// SAN without the mark of check.
fn body(position: &Position, m: Move) -> String {
    if m.is_castling() {
        return castling_text(m).to_owned();
    }
    let mut text = String::with_capacity(8);
    let is_capture = position.is_capture(m);
    match position.piece_on(m.from()).map(|piece| piece.kind) {
        Some(PieceKind::Pawn) | None => {
            if is_capture {
                text.push((b'a' + m.from().file()) as char);
            }
        }
        Some(kind) => {
            text.push(kind.letter().to_ascii_uppercase());
            text.push_str(&disambiguation(position, m));
        }
    }
    if is_capture {
        text.push('x');
    }
    text.push_str(&m.to().to_string());
    if let Some(kind) = m.promotion() {
        text.push('=');
        text.push(kind.letter().to_ascii_uppercase());
    }
    text
}

fn castling_text(m: Move) -> &'static str {
    if m.to() > m.from() { "O-O" } else { "O-O-O" }
}

/// File, rank or both of the starting square, as far as needed to tell the piece from its like.
fn disambiguation(position: &Position, m: Move) -> String {
    let piece = position.piece_on(m.from());
    let moves = position.legal_moves();
    let rivals = moves.iter().filter(|rival| {
        rival.to() == m.to()
            && rival.from() != m.from()
            && !rival.is_castling()
            && position.piece_on(rival.from()) == piece
    });
    let (mut any, mut same_file, mut same_rank) = (false, false, false);
    for rival in rivals {
        any = true;
        same_file |= rival.from().file() == m.from().file();
        same_rank |= rival.from().rank() == m.from().rank();
    }
    let name = m.from().to_string();
    match (any, same_file, same_rank) {
        (false, ..) => String::new(),
        (true, false, _) => name[..1].to_owned(),
        (true, true, false) => name[1..].to_owned(),
        (true, true, true) => name,
    }
}

/// The text without marks that tell nothing about which move it is.
fn normalize(text: &str) -> String {
    text.trim()
        .trim_end_matches(['+', '#', '!', '?'])
        .replace('0', "O")
        .chars()
        .filter(|letter| !matches!(letter, 'x' | '=' | '-' | ':'))
        .collect()
}

/// Can the normalized text mean this move?
fn fits(position: &Position, m: Move, wanted: &str) -> bool {
    if m.is_castling() {
        return wanted == castling_text(m).replace('-', "");
    }
    let Some(kind) = position.piece_on(m.from()).map(|piece| piece.kind) else { return false };
    let mut rest = wanted;
    if kind != PieceKind::Pawn {
        match rest.strip_prefix(kind.letter().to_ascii_uppercase()) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    if let Some(promotion) = m.promotion() {
        match rest.strip_suffix([promotion.letter(), promotion.letter().to_ascii_uppercase()]) {
            Some(before) => rest = before,
            None => return false,
        }
    }
    let Some(origin) = rest.strip_suffix(m.to().to_string().as_str()) else { return false };
    origin_fits(m.from(), origin)
}

/// Is the origin (nothing, file, rank or both) that of the square?
fn origin_fits(from: Square, origin: &str) -> bool {
    let name = from.to_string();
    origin.is_empty() || origin == &name[..1] || origin == &name[1..] || origin == name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::parse_uci;

    fn san(fen: &str, uci: &str) -> String {
        let position: Position = fen.parse().unwrap();
        let m = parse_uci(&position, uci).unwrap();
        let text = format(&position, m);
        assert_eq!(parse(&position, &text), Ok(m), "{text} reads back");
        text
    }

    #[test]
    fn moves_are_written_as_in_books() {
        assert_eq!(san("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "O-O");
        assert_eq!(san("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), "exd6");
        assert_eq!(san("k7/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q"), "e8=Q+");
        assert_eq!(san("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7"), "Qg7#");
        // Rooks on one rank differ by file, on one file by rank.
        assert_eq!(san("3k4/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1"), "Rad1+");
        assert_eq!(san("R7/8/8/8/3k4/8/8/R3K3 w - - 0 1", "a1a3"), "R1a3");
        // Three queens in a corner need both.
        assert_eq!(san("8/7k/8/Q7/8/8/8/Q1Q1K3 w - - 0 1", "a1c3"), "Qa1c3");
    }

    #[test]
    fn sloppy_forms_are_read() {
        let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
        assert_eq!(parse(&position, "0-0-0!?"), parse(&position, "O-O-O"));
        assert_eq!(parse(&position, "Ra1-a5"), parse(&position, "Ra5"));
        assert!(parse(&position, "").is_err());
        assert!(parse(&position, "Nf3").is_err());
    }
}

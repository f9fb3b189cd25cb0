//! Positions as text: FEN, X-FEN and Shredder-FEN.
//!
//! Reading has two steps, so that faults are told apart: text becomes a [`Setup`], which may be any
//! arrangement of men, and a setup becomes a [`Position`], which is always legal. What is harmless is
//! repaired on the way and told as a [`Repair`].
//! The format: <https://www.chessprogramming.org/Forsyth-Edwards_Notation>, X-FEN: <https://en.wikipedia.org/wiki/X-FEN>.

use super::{KING_SLOT, NO_SQUARE, Position, man};
use crate::types::{CastlingRights, Color, Piece, PieceKind, Square, Step, Wing};
use std::fmt;
use std::str::FromStr;

/// FEN of the initial position.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Largest count of halfmoves kept; all rules end a game long before.
const MAX_HALFMOVES: i64 = 9_999;
/// Largest move number kept.
const MAX_FULLMOVE: i64 = 99_999;
/// Men that a side's roster can hold.
const MAX_MEN: usize = 16;

/// Why a text is no legal position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum FenError {
    #[error("the FEN is empty")]
    Empty,
    #[error("the board has {found} ranks, not 8")]
    RankCount { found: usize },
    #[error("rank {rank} of the board has {found} squares, not 8")]
    RankLength { rank: u8, found: usize },
    #[error("{letter:?} on rank {rank} is neither a piece nor a number of empty squares")]
    PieceLetter { letter: char, rank: u8 },
    #[error("the side to move is missing")]
    SideMissing,
    #[error("side to move {0:?} is neither \"w\" nor \"b\"")]
    Side(String),
    #[error("{letter:?} in castling field {field:?} is no castling right")]
    CastlingLetter { letter: char, field: String },
    #[error("en passant field {0:?} is neither \"-\" nor a square")]
    EnPassant(String),
    #[error("{name} {text:?} is not a number")]
    Counter { name: &'static str, text: String },
    #[error("{0:?} follows a complete FEN")]
    Trailing(String),
    #[error("{color} has {found} kings, not 1")]
    KingCount { color: Color, found: usize },
    #[error("{color} has {found} men, more than 16")]
    TooManyMen { color: Color, found: usize },
    #[error("a pawn stands on {0}")]
    PawnOnLastRank(Square),
    #[error("{0} is in check, but it is not {0}'s turn")]
    OpponentInCheck(Color),
}

/// A harmless fault that was put right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repair {
    /// A castling right without king or rook in place was dropped.
    CastlingRight(char),
    /// An en passant square behind which no pawn can just have made a double step was dropped.
    EnPassant(Square),
    /// Fields at the end were missing and got their defaults.
    MissingFields,
    /// A counter was negative or too large and was clamped.
    Counter {
        /// Which counter.
        name: &'static str,
        /// What it became.
        value: i64,
    },
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Repair::CastlingRight(letter) => {
                write!(f, "castling right {letter} dropped: king or rook is not in place")
            }
            Repair::EnPassant(square) => {
                write!(f, "en passant square {square} dropped: no pawn can just have passed it")
            }
            Repair::MissingFields => f.write_str("fields missing at the end of the FEN, defaults taken"),
            Repair::Counter { name, value } => write!(f, "{name} out of range, {value} taken"),
        }
    }
}

/// An arrangement of men that may or may not be a legal position.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The men, by [`Square::dense`].
    pub board: [Option<Piece>; 64],
    /// The side to move.
    pub side: Color,
    /// Letters of the castling field.
    pub castling: String,
    /// The square of the en passant field.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u16,
    /// Number of the move.
    pub fullmove: u32,
    /// What reading the text had to put right.
    pub repairs: Vec<Repair>,
}

/// Reads a FEN: the position and what had to be put right.
///
/// # Errors
/// A [`FenError`] that names the fault.
pub fn read(text: &str) -> Result<(Position, Vec<Repair>), FenError> {
    text.parse::<Setup>()?.into_position()
}

impl FromStr for Position {
    type Err = FenError;

    /// Reads a FEN, putting harmless faults right without a word; see [`read`].
    fn from_str(text: &str) -> Result<Position, FenError> {
        read(text).map(|(position, _)| position)
    }
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Setup, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let mut repairs = Vec::new();
        let board = parse_board(fields.next().ok_or(FenError::Empty)?)?;
        let side = match fields.next().ok_or(FenError::SideMissing)? {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(FenError::Side(shorten(other))),
        };
        let castling = parse_castling(fields.next().unwrap_or("-"))?;
        let en_passant = match fields.next() {
            None | Some("-") => None,
            Some(name) => Some(name.parse().map_err(|_| FenError::EnPassant(shorten(name)))?),
        };
        let (halfmoves, fullmove) = (fields.next(), fields.next());
        if fullmove.is_none() {
            repairs.push(Repair::MissingFields);
        }
        let halfmoves = parse_counter("halfmove clock", halfmoves, 0..=MAX_HALFMOVES, &mut repairs)?;
        let fullmove = parse_counter("move number", fullmove, 1..=MAX_FULLMOVE, &mut repairs)?;
        if let Some(extra) = fields.next() {
            return Err(FenError::Trailing(shorten(extra)));
        }
        Ok(Setup {
            board,
            side,
            castling,
            en_passant,
            halfmoves: halfmoves as u16,
            fullmove: fullmove as u32,
            repairs,
        })
    }
}

fn parse_board(field: &str) -> Result<[Option<Piece>; 64], FenError> {
    let mut board = [None; 64];
    let ranks = field.split('/').count();
    if ranks != 8 {
        return Err(FenError::RankCount { found: ranks });
    }
    for (row, text) in field.split('/').enumerate() {
        let rank = 7 - row as u8;
        let mut file = 0;
        for letter in text.chars() {
            if let '1'..='8' = letter {
                file += letter as usize - '0' as usize;
                continue;
            }
            let piece = Piece::from_letter(letter).ok_or(FenError::PieceLetter { letter, rank: rank + 1 })?;
            if file < 8 {
                board[Square::new(file as u8, rank).dense()] = Some(piece);
            }
            file += 1;
        }
        if file != 8 {
            return Err(FenError::RankLength { rank: rank + 1, found: file });
        }
    }
    Ok(board)
}

fn parse_castling(field: &str) -> Result<String, FenError> {
    match field.chars().find(|letter| !matches!(letter.to_ascii_uppercase(), 'K' | 'Q' | 'A'..='H' | '-')) {
        Some(letter) => Err(FenError::CastlingLetter { letter, field: shorten(field) }),
        None => Ok(field.chars().filter(|&letter| letter != '-').collect()),
    }
}

fn parse_counter(
    name: &'static str,
    text: Option<&str>,
    range: std::ops::RangeInclusive<i64>,
    repairs: &mut Vec<Repair>,
) -> Result<i64, FenError> {
    let Some(text) = text else { return Ok(*range.start()) };
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FenError::Counter { name, text: shorten(text) });
    }
    // Only a number that is too long for an i64 fails to parse now.
    let value = text.parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX });
    let clamped = value.clamp(*range.start(), *range.end());
    if clamped != value {
        repairs.push(Repair::Counter { name, value: clamped });
    }
    Ok(clamped)
}

/// At most 20 characters of an offending text.
fn shorten(text: &str) -> String {
    text.chars().take(20).collect()
}

impl Setup {
    /// The legal position that this setup is, and all that had to be put right.
    ///
    /// # Errors
    /// A [`FenError`] if the setup cannot be a position of a game.
    pub fn into_position(mut self) -> Result<(Position, Vec<Repair>), FenError> {
        self.check_men()?;
        let mut position = self.bare_position();
        self.grant_castling(&mut position);
        self.grant_en_passant(&mut position);
        position.finish_turn();
        position.keys = position.keys_from_scratch();
        let waiting = !position.side;
        if position.is_attacked(position.king_square(waiting), position.side) {
            return Err(FenError::OpponentInCheck(waiting));
        }
        Ok((position, self.repairs))
    }

    fn men(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| self.board[square.dense()].map(|piece| (square, piece)))
    }

    fn check_men(&self) -> Result<(), FenError> {
        for color in Color::BOTH {
            let king = Piece::new(color, PieceKind::King);
            let found = self.men().filter(|&(_, piece)| piece == king).count();
            if found != 1 {
                return Err(FenError::KingCount { color, found });
            }
            let found = self.men().filter(|&(_, piece)| piece.color == color).count();
            if found > MAX_MEN {
                return Err(FenError::TooManyMen { color, found });
            }
        }
        match self.men().find(|(square, piece)| {
            piece.kind == PieceKind::Pawn && (square.rank() == 0 || square.rank() == 7)
        }) {
            Some((square, _)) => Err(FenError::PawnOnLastRank(square)),
            None => Ok(()),
        }
    }

    /// Men, side and clocks; nothing derived yet.
    fn bare_position(&self) -> Position {
        let mut position = Position {
            cells: [0; 128],
            squares: [[0; 16]; 2],
            kinds: [[0; 16]; 2],
            keys: super::Keys::default(),
            checkers: 0,
            pinned: 0,
            halfmoves: self.halfmoves,
            fullmove: self.fullmove,
            rights: CastlingRights::NONE,
            en_passant: NO_SQUARE,
            side: self.side,
            spare: 0,
            rooks: [NO_SQUARE; 4],
        };
        let mut next_slot = [KING_SLOT + 1; 2];
        for (square, piece) in self.men() {
            let color = piece.color.index();
            let slot = if piece.kind == PieceKind::King {
                KING_SLOT
            } else {
                next_slot[color] += 1;
                next_slot[color] - 1
            };
            position.cells[square.index()] = man::of(piece);
            position.cells[square.index() | 8] = (color << 4 | slot) as u8;
            position.squares[color][slot] = square.to_0x88();
            position.kinds[color][slot] = man::bits_of(piece.kind);
        }
        position
    }

    fn grant_castling(&mut self, position: &mut Position) {
        for letter in std::mem::take(&mut self.castling).chars() {
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            match castling_rook(position, color, letter.to_ascii_uppercase()) {
                Some((wing, rook)) => {
                    position.rights = position.rights.with(color, wing);
                    position.rooks[CastlingRights::slot(color, wing)] = rook.to_0x88();
                }
                None => self.repairs.push(Repair::CastlingRight(letter)),
            }
        }
    }

    fn grant_en_passant(&mut self, position: &mut Position) {
        let Some(behind) = self.en_passant else { return };
        let forward = Step::forward(!position.side);
        let passer = Piece::new(!position.side, PieceKind::Pawn);
        let is_plausible = behind.rank() == if position.side == Color::White { 5 } else { 2 }
            && position.piece_on(behind).is_none()
            && behind.offset(forward).is_some_and(|square| position.piece_on(square) == Some(passer))
            && behind.offset(forward.reversed()).is_some_and(|square| position.piece_on(square).is_none());
        if !is_plausible {
            self.repairs.push(Repair::EnPassant(behind));
        } else if position.can_capture_en_passant(behind) {
            position.en_passant = behind.to_0x88();
        }
    }
}

/// The rook and wing that an upper-case castling letter means; K and Q mean the outermost rook.
fn castling_rook(position: &Position, color: Color, letter: char) -> Option<(Wing, Square)> {
    let king = position.king_square(color);
    let home = color.home_rank();
    if king.rank() != home {
        return None;
    }
    let is_rook = |&square: &Square| position.piece_on(square) == Some(Piece::new(color, PieceKind::Rook));
    let rook = match letter {
        'K' => (king.file() + 1..8).rev().map(|file| Square::new(file, home)).find(is_rook),
        'Q' => (0..king.file()).map(|file| Square::new(file, home)).find(is_rook),
        _ => Some(Square::new(letter as u8 - b'A', home)).filter(is_rook),
    }?;
    let wing = if rook > king { Wing::Short } else { Wing::Long };
    Some((wing, rook))
}

/// The position as X-FEN, which is plain FEN for standard chess.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(self, f)?;
        write!(f, " {} ", if self.side == Color::White { 'w' } else { 'b' })?;
        write_castling(self, f)?;
        match self.en_passant() {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", self.halfmoves, self.fullmove)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

fn write_board(position: &Position, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            match position.piece_on(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        write!(f, "{empty}")?;
                    }
                    empty = 0;
                    write!(f, "{piece}")?;
                }
            }
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        if rank > 0 {
            f.write_str("/")?;
        }
    }
    Ok(())
}

fn write_castling(position: &Position, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if position.rights == CastlingRights::NONE {
        return f.write_str("-");
    }
    for color in Color::BOTH {
        for wing in Wing::BOTH {
            let Some(rook) = position.castling_rook(color, wing) else { continue };
            let plain = if wing == Wing::Short { 'K' } else { 'Q' };
            let is_outermost =
                castling_rook(position, color, plain).is_some_and(|(_, outermost)| outermost == rook);
            let letter = if is_outermost { plain } else { (b'A' + rook.file()) as char };
            write!(f, "{}", if color == Color::White { letter } else { letter.to_ascii_lowercase() })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A FEN comes back as it was read.
    macro_rules! returns_as_read {
        ($($name:ident: $fen:expr;)*) => {$(
            #[test]
            fn $name() {
                let (position, repairs) = read($fen).unwrap();
                assert_eq!(position.to_string(), $fen);
                assert_eq!(repairs, []);
            }
        )*};
    }

    returns_as_read! {
        the_initial_position_returns: START;
        a_legal_en_passant_returns: "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        an_inner_rook_returns_by_its_file: "4k3/8/8/8/8/8/8/4KR1R w F - 3 20";
        rights_of_black_alone_return: "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1";
    }

    #[test]
    fn shredder_letters_mean_the_rook_on_that_file() {
        let position: Position = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1".parse().unwrap();
        assert_eq!(position.castling_rook(Color::White, Wing::Short), Some(Square::G1));
        assert_eq!(position.castling_rook(Color::Black, Wing::Long), Some(Square::B8));
        assert_eq!(position.to_string(), "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1");
    }

    #[test]
    fn faults_are_named() {
        assert_eq!(read("").unwrap_err(), FenError::Empty);
        assert_eq!(
            read("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap_err().to_string(),
            "rank 7 of the board has 9 squares, not 8"
        );
        assert_eq!(
            read("4k3/8/8/8/8/8/8/8 w - - 0 1").unwrap_err(),
            FenError::KingCount { color: Color::White, found: 0 }
        );
        assert_eq!(
            read("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1").unwrap_err(),
            FenError::OpponentInCheck(Color::Black)
        );
    }

    #[test]
    fn harmless_faults_are_repaired_and_told() {
        let (position, repairs) = read("4k3/8/8/8/8/8/8/4K3 w K e4 -3 0").unwrap();
        assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(repairs.len(), 4);
    }
}

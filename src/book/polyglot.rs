//! Opening books in Polyglot's format: a file of 16-byte entries sorted by the position's key.
//! The format: <http://hgm.nubati.net/book_format.html>.

use super::random::RANDOM;
use crate::board::{Position, notation};
use crate::regular_file;
use crate::types::{Color, Move, PieceKind, Square, Wing};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Size of an entry: key, move, weight and a field for learning, big-endian.
const ENTRY_BYTES: usize = 16;

/// Where the numbers for castling, en passant and the turn begin in [`RANDOM`].
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const TURN: usize = 780;

/// Why a file is no book.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum BookError {
    #[error("book {path}: {source}")]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("the book is empty")]
    Empty,
    #[error("the book has {bytes} bytes, not a multiple of 16: it is cut off or no Polyglot book")]
    Length { bytes: usize },
    #[error("entry {entry} of the book is out of order: it is damaged or no Polyglot book")]
    Unsorted { entry: usize },
}

/// One move that the book knows in one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    key: u64,
    /// Target, origin and promotion in groups of three bits.
    squares: u16,
    weight: u16,
}

/// An opening book in memory.
///
/// ```
/// use clavier::book::{Book, polyglot};
/// use clavier::board::Position;
/// // The start position, with e2e4 (from e2 = 1, 4 to e4 = 3, 4) at weight 1.
/// let mut bytes = polyglot::key(&Position::start()).to_be_bytes().to_vec();
/// bytes.extend([0x03, 0x1c, 0, 1, 0, 0, 0, 0]);
/// let book = Book::from_bytes(&bytes).unwrap();
/// assert_eq!(format!("{:?}", book.moves(&Position::start())[0].0), "e2e4");
/// ```
#[derive(Clone, Debug)]
pub struct Book {
    entries: Vec<Entry>,
}

impl Book {
    /// Reads a book file.
    ///
    /// # Errors
    /// A [`BookError`] if the file cannot be read or is no book.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let mut bytes = Vec::new();
        regular_file::open(path)
            .and_then(|mut file| file.read_to_end(&mut bytes))
            .map_err(|source| BookError::Unreadable { path: path.into(), source })?;
        Book::from_bytes(&bytes)
    }

    /// The book with these entries.
    ///
    /// # Errors
    /// A [`BookError`] if these are not the bytes of a book.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, BookError> {
        let (entries, rest) = bytes.as_chunks::<ENTRY_BYTES>();
        if !rest.is_empty() {
            return Err(BookError::Length { bytes: bytes.len() });
        }
        if entries.is_empty() {
            return Err(BookError::Empty);
        }
        let entries: Vec<Entry> = entries.iter().map(Entry::from_bytes).collect();
        match entries.windows(2).position(|pair| pair[0].key > pair[1].key) {
            Some(index) => Err(BookError::Unsorted { entry: index + 2 }),
            None => Ok(Book { entries }),
        }
    }

    /// Number of entries, at least one.
    #[allow(clippy::len_without_is_empty)] // a book is never empty
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The legal moves that the book knows here, with their weights, the heaviest first.
    ///
    /// Entries that are illegal here are skipped: keys of different positions may agree, and books may be
    /// wrong. There are none in Chess960 while castling is possible, because the format cannot express it.
    pub fn moves(&self, position: &Position) -> Vec<(Move, u16)> {
        if position.is_chess960() {
            return Vec::new();
        }
        let key = key(position);
        let first = self.entries.partition_point(|entry| entry.key < key);
        let mut moves: Vec<(Move, u16)> = self.entries[first..]
            .iter()
            .take_while(|entry| entry.key == key)
            .filter_map(|entry| Some((entry.legal_move(position)?, entry.weight)))
            .collect();
        moves.sort_by_key(|&(_, weight)| std::cmp::Reverse(weight));
        moves
    }

    /// A move of the book, each with a chance in proportion to its weight; none if the book has none with
    /// a weight above zero.
    pub fn choose(&self, position: &Position, random: &mut fastrand::Rng) -> Option<Move> {
        let moves = self.moves(position);
        let total: u64 = moves.iter().map(|&(_, weight)| u64::from(weight)).sum();
        if total == 0 {
            return None;
        }
        let mut ticket = random.u64(..total);
        for (m, weight) in moves {
            match ticket.checked_sub(u64::from(weight)) {
                Some(rest) => ticket = rest,
                None => return Some(m),
            }
        }
        None
    }
}

impl Entry {
    fn from_bytes(bytes: &[u8; ENTRY_BYTES]) -> Entry {
        let word = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
        let key = bytes[..8].iter().fold(0, |key, &byte| key << 8 | u64::from(byte));
        Entry { key, squares: word(8), weight: word(10) }
    }

    /// The entry's move, if it is legal. Castling stands in books as king takes rook, in some as the
    /// king's step of two; both are read.
    fn legal_move(self, position: &Position) -> Option<Move> {
        let field = |shift: u32| (self.squares >> shift & 7) as u8;
        let from = Square::new(field(6), field(9));
        let to = Square::new(field(0), field(3));
        let promotion = match field(12) {
            0 => "",
            1 => "n",
            2 => "b",
            3 => "r",
            4 => "q",
            _ => return None,
        };
        notation::parse_uci(position, &format!("{from}{to}{promotion}")).ok()
    }
}

/// The position's key in Polyglot books.
///
/// An en passant square counts if a pawn stands ready to capture. The format counts it even if the capture
/// would expose the king; a [`Position`] no longer knows the square then, and the book has no move.
pub fn key(position: &Position) -> u64 {
    let men = Color::BOTH.into_iter().flat_map(|color| {
        position.men(color).map(move |(kind, square)| man_number(color, kind) * 64 + square.dense())
    });
    let rights = Color::BOTH.into_iter().flat_map(|color| Wing::BOTH.map(|wing| (color, wing)));
    let castling = rights
        .enumerate()
        .filter(|&(_, (color, wing))| position.castling_rights().has(color, wing))
        .map(|(number, _)| CASTLING + number);
    let en_passant = position.en_passant().map(|square| EN_PASSANT + usize::from(square.file()));
    let turn = (position.side_to_move() == Color::White).then_some(TURN);
    men.chain(castling).chain(en_passant).chain(turn).fold(0, |key, index| key ^ RANDOM[index])
}

/// Polyglot's number of a man: black pawn 0, white pawn 1, black knight 2, ... white king 11.
fn man_number(color: Color, kind: PieceKind) -> usize {
    kind as usize * 2 + usize::from(color == Color::White)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the format's document.
    const KEYS: [(&str, u64); 9] = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b96181691fc9c),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c9b50fd114196),
        ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756b94461c50fb0),
        ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662fafb965db29d4),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a48b5a8e47ff78),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 1 3", 0x652a607ca3f242c1),
        ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 2 4", 0x00fdd303c946bdd9),
        ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c8123ea7b067637),
        ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 1 4", 0x5c3f9b829b279560),
    ];

    const CASTLING_FEN: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    #[cfg(unix)]
    #[test]
    fn a_device_is_no_book() {
        let refusal = Book::open(Path::new("/dev/zero")).unwrap_err().to_string();
        assert_eq!(refusal, "book /dev/zero: not a regular file");
    }

    /// An entry's move bits for a text such as `e2e4` or `e7e8q`.
    fn squares(text: &str) -> u16 {
        let square = |text: &str| text.parse::<Square>().unwrap().dense() as u16;
        let promotion = text.chars().nth(4).map_or(0, |letter| " nbrq".find(letter).unwrap() as u16);
        promotion << 12 | square(&text[..2]) << 6 | square(&text[2..4])
    }

    /// A book that knows these moves in one position.
    fn book(position: &Position, moves: &[(&str, u16)]) -> Book {
        let mut bytes = Vec::new();
        for &(text, weight) in moves {
            bytes.extend(key(position).to_be_bytes());
            bytes.extend(squares(text).to_be_bytes());
            bytes.extend(weight.to_be_bytes());
            bytes.extend([0; 4]);
        }
        Book::from_bytes(&bytes).unwrap()
    }

    fn texts(book: &Book, position: &Position) -> Vec<String> {
        book.moves(position).iter().map(|(m, _)| notation::format_uci(position, *m, false)).collect()
    }

    #[test]
    fn keys_are_those_of_the_format() {
        for (fen, expected) in KEYS {
            assert_eq!(key(&fen.parse().unwrap()), expected, "{fen}");
        }
    }

    #[test]
    fn heavier_moves_come_first_and_illegal_ones_not_at_all() {
        let start = Position::start();
        let book = book(&start, &[("g1f3", 2), ("e2e5", 9), ("e2e4", 5), ("d2d4", 0)]);
        assert_eq!(texts(&book, &start), ["e2e4", "g1f3", "d2d4"]);
    }

    #[test]
    fn both_forms_of_castling_are_read() {
        let position: Position = CASTLING_FEN.parse().unwrap();
        let book = book(&position, &[("e1h1", 3), ("e1a1", 2), ("e1g1", 1)]);
        assert_eq!(texts(&book, &position), ["e1g1", "e1c1", "e1g1"]);
        assert!(book.moves(&position).iter().all(|(m, _)| m.is_castling()));
    }

    #[test]
    fn promotions_are_read() {
        let position: Position = "8/4P3/8/6k1/8/8/8/4K3 w - - 0 1".parse().unwrap();
        let book = book(&position, &[("e7e8n", 2), ("e7e8", 3), ("e7e8q", 1)]);
        assert_eq!(texts(&book, &position), ["e7e8n", "e7e8q"]);
    }

    #[test]
    fn moves_are_chosen_by_weight() {
        let start = Position::start();
        let book = book(&start, &[("e2e4", 3), ("d2d4", 1), ("a2a3", 0)]);
        let mut random = fastrand::Rng::with_seed(1);
        let mut kings_pawn = 0;
        for _ in 0..4000 {
            let m = book.choose(&start, &mut random).unwrap();
            assert_ne!(m.from(), Square::A2, "weight 0 means never");
            kings_pawn += i32::from(m.from() == Square::E2);
        }
        assert!((2850..3150).contains(&kings_pawn), "{kings_pawn} of 4000, not about 3000");
    }

    #[test]
    fn without_a_weighty_move_there_is_no_choice() {
        let start = Position::start();
        let mut random = fastrand::Rng::with_seed(1);
        assert_eq!(book(&start, &[("e2e4", 0)]).choose(&start, &mut random), None);
        let other: Position = CASTLING_FEN.parse().unwrap();
        assert_eq!(book(&start, &[("e2e4", 1)]).choose(&other, &mut random), None);
    }

    #[test]
    fn chess960_positions_have_no_book() {
        let position: Position = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1".parse().unwrap();
        assert_eq!(book(&position, &[("e1e2", 1)]).moves(&position), []);
    }

    #[test]
    fn damage_is_told() {
        let whole: Vec<u8> =
            [1u64, 2, 2, 0].iter().flat_map(|key| [key.to_be_bytes(), [0; 8]]).flatten().collect();
        assert!(matches!(Book::from_bytes(&[]), Err(BookError::Empty)));
        assert!(matches!(Book::from_bytes(&whole[..47]), Err(BookError::Length { bytes: 47 })));
        assert!(matches!(Book::from_bytes(&whole), Err(BookError::Unsorted { entry: 4 })));
        assert_eq!(Book::from_bytes(&whole[..48]).unwrap().len(), 3);
        let missing = Book::open(Path::new("no/such/book.bin")).unwrap_err();
        assert!(missing.to_string().starts_with("book no/such/book.bin: "), "{missing}");
    }

    #[test]
    fn no_bytes_make_a_book_fail_otherwise() {
        let mut random = fastrand::Rng::with_seed(7);
        let key = key(&Position::start()).to_be_bytes();
        for _ in 0..2000 {
            let mut bytes = key.to_vec();
            bytes.extend((0..8).map(|_| random.u8(..)));
            let book = Book::from_bytes(&bytes).unwrap();
            for (m, _) in book.moves(&Position::start()) {
                assert!(Position::start().is_legal(m));
            }
        }
    }
}

//! First positions of test and self-play games: standard chess, a book, or Chess960, and some plies by chance.

use crate::board::{FenError, Position};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Number of Chess960's arrangements.
const ARRANGEMENTS: u16 = 960;

/// Where games start, before the plies by chance.
#[derive(Clone, Debug)]
pub enum Source {
    /// The initial position of standard chess.
    Standard,
    /// A position of a book, each as likely.
    Book(Arc<[Position]>),
    /// One of the 960 arrangements, the same for both sides.
    Chess960,
    /// One arrangement for White and one for Black.
    DoubleChess960,
}

impl Source {
    /// Plies by chance that give enough different games.
    pub fn usual_plies(&self) -> RangeInclusive<u32> {
        match self {
            Source::Book(_) => 0..=4,
            Source::Standard | Source::Chess960 | Source::DoubleChess960 => 8..=9,
        }
    }

    /// The word for records.
    pub fn name(&self) -> &'static str {
        match self {
            Source::Standard => "standard",
            Source::Book(_) => "book",
            Source::Chess960 => "chess960",
            Source::DoubleChess960 => "double-chess960",
        }
    }
}

/// Why a text is no book.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum BookError {
    #[error("line {line} of the book: {fault}")]
    Line { line: usize, fault: FenError },
    #[error("the book has no position")]
    Empty,
}

/// The positions of a text of FEN or EPD lines. Blank lines and lines that start with `#` are skipped.
///
/// # Errors
/// If a line is no legal position, or there is none.
pub fn read_book(text: &str) -> Result<Arc<[Position]>, BookError> {
    let positions: Result<Arc<[Position]>, BookError> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(index, line)| {
            let fen = position_fields(line);
            fen.parse().map_err(|fault| BookError::Line { line: index + 1, fault })
        })
        .collect();
    positions.and_then(|book| if book.is_empty() { Err(BookError::Empty) } else { Ok(book) })
}

/// The fields of a FEN at the start of an EPD line, without its operations.
fn position_fields(line: &str) -> String {
    const PLACEMENT_TO_EN_PASSANT: usize = 4;
    let is_counter = |field: &str| field.bytes().all(|byte| byte.is_ascii_digit());
    let fields = line
        .split_ascii_whitespace()
        .enumerate()
        .map_while(|(index, field)| (index < PLACEMENT_TO_EN_PASSANT || is_counter(field)).then_some(field));
    fields.collect::<Vec<_>>().join(" ")
}

/// An endless supply of openings, one per thread.
#[derive(Debug)]
pub struct Openings {
    source: Source,
    plies: RangeInclusive<u32>,
    random: fastrand::Rng,
    drawn: u32,
}

impl Openings {
    /// Openings from a source with so many plies by chance; the seed alone decides which.
    pub fn new(source: Source, plies: RangeInclusive<u32>, seed: u64) -> Openings {
        Openings { source, plies, random: fastrand::Rng::with_seed(seed), drawn: 0 }
    }

    /// The next opening: a legal position in which the game goes on. Numbers of plies take turns, so that
    /// both sides begin equally often.
    pub fn draw(&mut self) -> Position {
        loop {
            let span = self.plies.end().saturating_sub(*self.plies.start()) + 1;
            let plies = self.plies.start() + self.drawn % span;
            self.drawn = self.drawn.wrapping_add(1);
            let first = self.first_position();
            if let Some(position) = self.walk(first, plies) {
                return position;
            }
        }
    }

    fn first_position(&mut self) -> Position {
        match &self.source {
            Source::Standard => Position::start(),
            Source::Book(positions) => positions[self.random.usize(..positions.len())],
            Source::Chess960 => {
                let number = self.random.u16(..ARRANGEMENTS);
                arrangement_position(number, number)
            }
            Source::DoubleChess960 => {
                arrangement_position(self.random.u16(..ARRANGEMENTS), self.random.u16(..ARRANGEMENTS))
            }
        }
    }

    /// The position after so many plies by chance, or none if the game is over.
    fn walk(&mut self, mut position: Position, plies: u32) -> Option<Position> {
        for _ in 0..plies {
            position = position.make(self.random.choice(position.sorted_moves().iter().copied())?);
        }
        (position.has_legal_move() && !position.has_insufficient_material()).then_some(position)
    }
}

/// The first position of Chess960 with one arrangement for each side.
fn arrangement_position(white: u16, black: u16) -> Position {
    let (white, black) = (arrangement(white), arrangement(black));
    let text = |pieces: [u8; 8]| String::from_utf8_lossy(&pieces).into_owned();
    let rooks = |pieces: [u8; 8]| {
        let files = pieces.iter().zip('A'..).filter(|&(&piece, _)| piece == b'R');
        files.map(|(_, file)| file).collect::<String>()
    };
    let fen = format!(
        "{}/pppppppp/8/8/8/8/PPPPPPPP/{} w {}{} - 0 1",
        text(black).to_lowercase(),
        text(white),
        rooks(white),
        rooks(black).to_lowercase(),
    );
    fen.parse().expect("every arrangement has its king between its rooks")
}

/// The pieces of an arrangement from file a to h, by its number in the scheme of Reinhard Scharnagl.
/// <https://en.wikipedia.org/wiki/Chess960_numbering_scheme>
fn arrangement(number: u16) -> [u8; 8] {
    /// Free squares of the two knights among the five that are left, by the last part of the number.
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    const EMPTY: u8 = b' ';
    let number = usize::from(number);
    let mut pieces = [EMPTY; 8];
    pieces[number % 4 * 2 + 1] = b'B';
    pieces[number / 4 % 4 * 2] = b'B';
    let free = |pieces: &[u8; 8], nth: usize| {
        let mut squares = (0..8).filter(|&file| pieces[file] == EMPTY);
        squares.nth(nth).expect("as many squares are free as pieces left")
    };
    pieces[free(&pieces, number / 16 % 6)] = b'Q';
    let (first, second) = KNIGHTS[number / 96];
    // The second first: the place of the other one counts free squares before it.
    pieces[free(&pieces, second)] = b'N';
    pieces[free(&pieces, first)] = b'N';
    for piece in *b"RKR" {
        pieces[free(&pieces, 0)] = piece;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn arrangement_518_is_standard_chess() {
        assert_eq!(&arrangement(518), b"RNBQKBNR");
        assert_eq!(&arrangement(0), b"BBQNNRKR");
        assert_eq!(&arrangement(959), b"RKRNNQBB");
        assert_eq!(arrangement_position(518, 518).to_string(), Position::start().to_string());
    }

    #[test]
    fn all_960_arrangements_differ_and_keep_their_castlings() {
        let all: HashSet<[u8; 8]> = (0..ARRANGEMENTS).map(arrangement).collect();
        assert_eq!(all.len(), 960);
        for number in 0..ARRANGEMENTS {
            assert_eq!(arrangement_position(number, 959 - number).castling_rights().bits(), 15);
        }
    }

    #[test]
    fn a_seed_decides_the_openings() {
        let draw = |seed| -> Vec<String> {
            let mut openings = Openings::new(Source::DoubleChess960, 8..=9, seed);
            (0..20).map(|_| openings.draw().to_string()).collect()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn both_sides_begin_equally_often() {
        let mut openings = Openings::new(Source::Standard, 8..=9, 5);
        let whites =
            (0..1000).filter(|_| openings.draw().side_to_move() == crate::types::Color::White).count();
        assert!((450..550).contains(&whites), "{whites}");
    }

    #[test]
    fn books_hold_fen_and_epd_lines() {
        let text = "# openings\n\
            rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"king's pawn\";\n\n\
            rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n\
            rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 3 7 id \"with clocks\";\n";
        let book = read_book(text).unwrap();
        assert_eq!(book.len(), 3);
        assert_eq!((book[2].halfmoves(), book[2].fullmove()), (3, 7));
        assert!(matches!(read_book("# nothing"), Err(BookError::Empty)));
        let error = read_book("\n8/8/8/8/8/8/8/8 w - -\n").unwrap_err();
        assert_eq!(error.to_string(), "line 2 of the book: white has 0 kings, not 1");
    }
}

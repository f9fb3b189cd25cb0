//! The engine's own opening book in play.

use crate::board::Position;
use crate::book::Book;
use crate::types::Move;
use std::path::Path;

/// Told when a book is wanted and cannot serve.
const NO_BOOK: &str = "OwnBook is on, but Book File names no book";
/// Told when the format of the book cannot hold the position.
const CHESS960: &str = "the book is not used: its format cannot express Chess960";

/// A book, and whether it is used.
#[derive(Default)]
pub struct OwnBook {
    book: Option<Book>,
    is_on: bool,
    random: fastrand::Rng,
    /// Has it been told in this game why there is no book?
    is_told: bool,
}

/// What the book says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Advice {
    /// The move to play.
    pub m: Option<Move>,
    /// Why there is none, if that is worth telling.
    pub note: Option<&'static str>,
}

impl OwnBook {
    /// Uses the book from now on, or does not.
    pub fn switch(&mut self, is_on: bool) {
        self.is_on = is_on;
        self.is_told = false;
    }

    /// Reads a book; an empty path is none.
    ///
    /// # Errors
    /// If the file is no book; the old one stays.
    pub fn open(&mut self, path: &str) -> Result<(), String> {
        self.book = match path {
            "" => None,
            path => Some(Book::open(Path::new(path)).map_err(|error| error.to_string())?),
        };
        self.is_told = false;
        Ok(())
    }

    /// A new game begins.
    pub fn new_game(&mut self) {
        self.is_told = false;
    }

    /// A move of the book, each with a chance in proportion to its weight.
    pub fn advise(&mut self, position: &Position) -> Advice {
        if !self.is_on {
            return Advice::default();
        }
        let note = match &self.book {
            None => NO_BOOK,
            Some(_) if position.is_chess960() => CHESS960,
            Some(book) => return Advice { m: book.choose(position, &mut self.random), note: None },
        };
        let is_news = !std::mem::replace(&mut self.is_told, true);
        Advice { m: None, note: is_news.then_some(note) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::polyglot;

    /// A book with e2e4 alone, in a file of its own.
    fn book(name: &str) -> OwnBook {
        let mut bytes = polyglot::key(&Position::start()).to_be_bytes().to_vec();
        bytes.extend([0x03, 0x1c, 0, 1, 0, 0, 0, 0]);
        let path = std::env::temp_dir().join(format!("clavier-{name}-{}.bin", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        let mut own_book = OwnBook::default();
        own_book.open(path.to_str().unwrap()).unwrap();
        std::fs::remove_file(&path).unwrap();
        own_book
    }

    #[test]
    fn it_plays_only_when_it_is_on() {
        let mut own_book = book("on");
        assert_eq!(own_book.advise(&Position::start()), Advice::default());
        own_book.switch(true);
        let m = own_book.advise(&Position::start()).m.unwrap();
        assert_eq!(format!("{m:?}"), "e2e4");
        assert_eq!(own_book.advise(&Position::start().make(m)), Advice::default());
    }

    #[test]
    fn what_cannot_serve_is_told_once_a_game() {
        let mut own_book = book("chess960");
        own_book.switch(true);
        let position: Position = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1".parse().unwrap();
        assert_eq!(own_book.advise(&position), Advice { m: None, note: Some(CHESS960) });
        assert_eq!(own_book.advise(&position), Advice::default());
        own_book.new_game();
        assert_eq!(own_book.advise(&position).note, Some(CHESS960));
        own_book.open("").unwrap();
        assert_eq!(own_book.advise(&position).note, Some(NO_BOOK));
        assert!(own_book.open("/no/such/book.bin").is_err());
    }
}

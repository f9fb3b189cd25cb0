//! Polyglot books: refused, or asked for moves, which are legal.
#![no_main]

use clavier::board::Position;
use clavier::book::Book;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(book) = Book::from_bytes(bytes) {
        let start = Position::start();
        assert!(book.moves(&start).iter().all(|&(m, _)| start.is_legal(m)));
    }
});

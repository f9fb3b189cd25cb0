//! Games: read, followed, and taken apart into positions.
#![no_main]

use clavier::analysis::pgn::Games;
use libfuzzer_sys::fuzz_target;
use std::io::Cursor;

fuzz_target!(|bytes: &[u8]| {
    let mut games = Games::new(Box::new(Cursor::new(bytes.to_vec())));
    while let Some(text) = games.read().expect("memory can be read") {
        let _ = text.main_line();
        text.items();
    }
});

//! Lines for analysis: FEN, EPD and JSON.
#![no_main]

use clavier::analysis::source::{Input, Kind, Source};
use libfuzzer_sys::fuzz_target;
use std::io::Cursor;

fuzz_target!(|bytes: &[u8]| {
    let bytes = Box::new(Cursor::new(bytes.to_vec()));
    for item in Source::new(vec![Input { name: "fuzz".to_owned(), kind: Kind::Lines, bytes }]) {
        let _ = item.expect("memory can be read").parse();
    }
});

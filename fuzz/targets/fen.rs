//! Positions: what is read is legal and prints a text that reads as the same position.
#![no_main]

use clavier::board::{Position, fen};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok((position, _)) = fen::read(text) {
        let again: Position = position.to_string().parse().expect("its own text is a position");
        assert_eq!((again.to_string(), again.key()), (position.to_string(), position.key()));
        for &m in position.legal_moves().iter() {
            position.make(m);
        }
    }
});

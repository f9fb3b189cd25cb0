//! Lines of UCI: any bytes, and what `go` and `position` make of them.
#![no_main]

use clavier::board::{Position, notation};
use clavier::uci::command::{Command, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match parse(bytes) {
        Ok(Some(Command::Go(go))) => drop(go.limits(&Position::start())),
        Ok(Some(Command::Position(text))) => {
            let start = text.fen.as_deref().map_or_else(|| Ok(Position::start()), str::parse);
            let Ok(mut position) = start else { return };
            for m in &text.moves {
                let Ok(m) = notation::parse_uci(&position, m) else { return };
                position = position.make(m);
            }
        }
        _ => {}
    }
});

//! Books of the public test data, where they are there.

mod common;

use clavier::board::Position;
use clavier::book::{Book, polyglot};
use common::shared;

#[test]
fn polyglot_keys_are_those_of_others() {
    let Some(path) = shared("polyglot/keys.jsonl") else { return };
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let position: Position = row["fen"].as_str().unwrap().parse().unwrap();
        assert_eq!(format!("{:016x}", polyglot::key(&position)), row["key"].as_str().unwrap(), "{row}");
    }
}

#[test]
fn every_move_of_a_book_line_is_legal() {
    for name in ["performance.bin", "book_small.bin", "from_8moves_v3.bin"] {
        let Some(path) = shared(&format!("polyglot/{name}")) else { return };
        let book = Book::open(&path).unwrap();
        let mut random = fastrand::Rng::with_seed(1);
        let mut longest = 0;
        for _ in 0..50 {
            let mut position = Position::start();
            let mut plies = 0;
            while let Some(m) = book.choose(&position, &mut random) {
                assert!(position.is_legal(m), "{name}: {m:?} in {position}");
                position = position.make(m);
                plies += 1;
            }
            longest = longest.max(plies);
        }
        assert!(longest >= 8, "{name}: lines of {longest} plies at most");
    }
}

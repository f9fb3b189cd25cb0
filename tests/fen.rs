//! Texts that are no FEN, or nearly one: each is refused, repaired or taken, and none does harm.

use clavier::board::fen::{self, FenError};
use clavier::board::{Position, perft};
use proptest::prelude::*;
use serde_json::Value;

/// Cases as JSON lines: a text and whether it is to be rejected, repaired, accepted, or either.
const CASES: &str = include_str!("data/bad_fens.jsonl");

#[test]
fn every_case_is_met_as_its_class_says() {
    let mut faults = Vec::new();
    for line in CASES.lines().filter(|line| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(line).expect("cases are JSON");
        if let Err(fault) = check(&case) {
            faults.push(format!("{} {}: {fault} ({})", case["id"], case["class"], case["why"]));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn check(case: &Value) -> Result<(), String> {
    let text = case["fen"].as_str().ok_or("no text")?;
    let found = fen::read(text);
    let repaired = || {
        let expected = case["repaired"].as_str().unwrap_or(text);
        fen::read(expected).map(|(position, _)| position.to_string()).map_err(|e| e.to_string())
    };
    match (case["class"].as_str(), found) {
        (Some("reject"), Ok((position, _))) => Err(format!("was taken as {position}")),
        (Some("repair"), Ok((position, repairs))) => {
            if repairs.is_empty() {
                return Err("nothing was told".into());
            }
            same(&position.to_string(), &repaired()?)
        }
        (Some("accept"), Ok((position, _))) => same(&position.to_string(), &repaired()?),
        (Some("repair" | "accept"), Err(error)) => Err(error.to_string()),
        (Some("either"), Ok((position, _))) => is_playable(&position),
        (Some("reject" | "either"), Err(error)) => has_message(&error),
        (class, _) => Err(format!("unknown class {class:?}")),
    }
}

fn same(found: &str, expected: &str) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("read as {found}, expected {expected}")) }
}

fn has_message(error: &FenError) -> Result<(), String> {
    if error.to_string().is_empty() { Err("the refusal has no reason".into()) } else { Ok(()) }
}

/// Moves can be generated and made, and the position comes back from its text.
fn is_playable(position: &Position) -> Result<(), String> {
    perft::count(position, 2);
    let text = position.to_string();
    let again = fen::read(&text).map_err(|error| format!("{text}: {error}"))?.0;
    same(&again.to_string(), &text)
}

/// Letters of FEN fields, so that random texts come close to one.
const LETTERS: &str = "[1-8pnbrqkPNBRQK]{1,9}(/[1-8pnbrqkPNBRQK]{1,9}){6,8} [wb] [KQkqA-Ha-h-]{1,5} [-a-h]?[1-8]? -?[0-9]{0,22} [0-9]{0,12}";

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_reading_panic(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
        let _ = fen::read(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn near_misses_are_refused_or_playable(text in LETTERS) {
        if let Ok((position, _)) = fen::read(&text) {
            prop_assert_eq!(is_playable(&position), Ok(()));
        }
    }

    /// One changed byte in a good FEN leaves it good, repairs it or refuses it.
    #[test]
    fn a_slip_of_the_pen_does_no_harm(place in 0usize..68, letter in " -/0-9a-zA-Z") {
        let mut text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".to_owned();
        text.replace_range(place..=place, &letter[..1]);
        if let Ok((position, _)) = fen::read(&text) {
            prop_assert_eq!(is_playable(&position), Ok(()));
        }
    }
}

//! The rules at work: positions and games whose state is known, from the end of a game to castling's corners.

use clavier::board::{fen, notation};
use clavier::game::Game;
use clavier::rules::Standing;
use serde_json::Value;

/// Cases as JSON lines: a position, moves, and what is expected after them.
const CASES: &str = include_str!("data/rules.jsonl");

#[test]
fn every_case_stands_as_expected() {
    let mut faults = Vec::new();
    for line in CASES.lines().filter(|line| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(line).expect("cases are JSON");
        if let Err(fault) = check(&case) {
            faults.push(format!("{}: {fault} ({})", case["id"], case["note"]));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn check(case: &Value) -> Result<(), String> {
    let expected = &case["expect"];
    let game = play(case)?;
    let position = game.position();
    let Value::Object(standing) = serde_json::to_value(Standing::of(&game)).map_err(|e| e.to_string())?
    else {
        return Err("a standing is an object".into());
    };
    for (name, found) in &standing {
        same(name, &sorted(found), &sorted(&expected[name.as_str()]))?;
    }
    let chess960 = case["chess960"].as_bool().unwrap_or(false);
    let legal: Vec<String> =
        position.legal_moves().iter().map(|&m| notation::format_uci(position, m, chess960)).collect();
    for m in texts(&expected["legal_has"]) {
        same(&format!("{m} is legal"), &legal.contains(&m), &true)?;
    }
    for m in texts(&expected["legal_not"]) {
        same(&format!("{m} is legal"), &legal.contains(&m), &false)?;
    }
    // Texts may differ in the castling field's letters and in an en passant square that nobody can use.
    let (expected_final, _) = fen::read(&texts(&expected["final_fen"])[0]).map_err(|e| e.to_string())?;
    same("final position", &position.to_string(), &expected_final.to_string())?;
    same("final keys", position.keys(), expected_final.keys())
}

fn play(case: &Value) -> Result<Game, String> {
    let (position, _) = fen::read(&texts(&case["fen"])[0]).map_err(|e| e.to_string())?;
    let mut game = Game::new(position);
    for text in texts(&case["moves"]) {
        game.play(notation::parse_uci(game.position(), &text).map_err(|e| e.to_string())?);
    }
    Ok(game)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what} is {found:?}, expected {expected:?}")) }
}

/// A text or a list of texts.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(values) => values.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        other => other.as_str().map(str::to_owned).into_iter().collect(),
    }
}

/// The value; a list in the order of its texts.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(values) => {
            let mut values = values.clone();
            values.sort_by_key(ToString::to_string);
            Value::Array(values)
        }
        other => other.clone(),
    }
}

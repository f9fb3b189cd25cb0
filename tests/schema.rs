//! What the commands write as JSON is what docs/schema promises.

mod common;

use jsonschema::Validator;
use serde_json::Value;
use std::path::Path;

/// Positions of all kinds: open, decided, over, wrong.
const MIXED: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id \"scholar\";
{\"id\":\"fool\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\",\"moves\":[\"f2f3\",\"e7e5\",\"g2g4\",\"d8h4\"]}
8/8/8/8/8/8/8/8 w - - 0 1
7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
{\"id\":\"broken\"
4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1e3
";
const GAMES: &str = "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n1. e4 e4 *\n";
const ROOKS: &str = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";

/// The records of a command.
fn records(arguments: &[&str], input: &str) -> Vec<Value> {
    let output = common::clavier(arguments, input);
    let text = String::from_utf8(output.stdout).unwrap();
    let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!records.is_empty(), "{arguments:?}");
    records
}

fn schema(name: &str) -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/schema/{name}.json"));
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

/// Do the records of these runs of a command follow its schema?
fn check(name: &str, runs: &[(&[&str], &str)]) {
    let schema = schema(name);
    for (arguments, input) in runs {
        for record in records(arguments, input) {
            if let Err(error) = schema.validate(&record) {
                panic!("{arguments:?}: {error} in {record}");
            }
        }
    }
}

#[test]
fn analyses() {
    check(
        "analyze",
        &[
            (&["analyze", "--nodes", "500"], MIXED),
            (&["analyze", "--nodes", "500", "--wdl", "--san", "--pov", "side", "--multipv", "3"], MIXED),
            (&["analyze", "--depth", "2", "--all-moves", "--chess960", "--mate", "1"], MIXED),
            (&["analyze", "--movetime", "5", "--threads", "2", "--jobs", "1"], MIXED),
            (&["analyze", "--depth", "1", "--searchmoves", "e2e4,Qxf7", "--exclude", "a2a3"], MIXED),
            (&["analyze", "--pgn", "--nodes", "100"], GAMES),
        ],
    );
    let Some(tables) = common::shared("syzygy") else { return };
    let with_tables = ["analyze", "--nodes", "100", "--syzygy", tables.to_str().unwrap()];
    check("analyze", &[(&with_tables, "8/8/8/8/8/2k5/8/KQ6 w - - 0 1\n8/8/8/8/8/2k5/8/KB6 w - - 0 1\n")]);
}

#[test]
fn a_record_that_breaks_its_promise_is_noticed() {
    let schema = schema("analyze");
    let mut record = records(&["analyze", "--nodes", "100"], MIXED).swap_remove(0);
    assert!(schema.is_valid(&record));
    record["lines"][0]["score"] = serde_json::json!({"cp": 1, "mate": 2, "pov": "white"});
    assert!(!schema.is_valid(&record));
    record["lines"] = serde_json::json!([]);
    record["surprise"] = true.into();
    assert!(!schema.is_valid(&record));
}

#[test]
fn the_record_in_the_documents_is_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/analysis.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once("```json\n").expect("a record is shown");
    let (shown, _) = rest.split_once("```").unwrap();
    let shown: Value = serde_json::from_str(shown).unwrap();
    if let Err(error) = schema("analyze").validate(&shown) {
        panic!("docs/analysis.md: {error} in {shown}");
    }
    // What depends neither on the clock nor on the network is what is found today.
    let mut found = records(&["analyze"], shown["fen"].as_str().unwrap()).swap_remove(0);
    for key in ["time_ms", "nps", "nodes", "seldepth", "net"] {
        found[key] = shown[key].clone();
    }
    assert_eq!(shown, found, "docs/analysis.md shows another record");
}

#[test]
fn answers_of_the_other_commands() {
    let suite = "6k1/5ppp/8/8/8/8/8/RR4K1 w - - bm Ra8+ Rb8+; c0 \"Ra8+=10, Rb8+=10\"; id \"points\";\n\
                 r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - am Qxf7#;\n";
    check("epdtest", &[(&["epdtest", "-", "--depth", "3", "--json"], suite)]);
    check("rules", &[(&["rules", "--json"], MIXED)]);
    check(
        "perft",
        &[(&["perft", "2", "--json"], ""), (&["perft", "2", "--json", "--divide", "--hash", "1"], "")],
    );
    check(
        "mate",
        &[
            (&["mate", "2", "--fen", ROOKS, "--json"], ""),
            (&["mate", "1", "--fen", ROOKS, "--json", "--all"], ""),
            (&["mate", "-2", "--fen", "7k/8/5K2/8/8/8/8/6Q1 b - - 0 1", "--json", "--all"], ""),
        ],
    );
    check("eval", &[(&["eval", "--json"], "4k3/8/8/8/8/8/8/4K2R w K - 0 1\nnonsense\n")]);
    check("config", &[(&["config", "show", "--json"], "")]);
    check("doctor", &[(&["doctor", "--json"], "")]);
    check("bench", &[(&["bench", "1", "--json"], "")]);
    check("speedtest", &[(&["speedtest", "--seconds", "1", "--threads", "1", "--json"], "")]);
}

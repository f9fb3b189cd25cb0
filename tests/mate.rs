//! `clavier mate` as a shell sees it, and the solver over collections of problems.

mod common;

use clavier::analysis::epd;
use clavier::analysis::mate::Solver;
use clavier::board::Position;
use std::process::{Command, Output};

/// Two rooks drive the king to the edge.
const ROOKS: &str = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_clavier")).arg("mate").args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal has ended it")
}

#[test]
fn a_mate_is_proved_or_there_is_none() {
    let proved = run(&["2", "--fen", ROOKS]);
    assert_eq!(code(&proved), 0);
    assert!(text(&proved).starts_with("mate in 2: 1. R") && text(&proved).ends_with("#\n"), "{proved:?}");
    let none = run(&["1", "--fen", ROOKS]);
    assert_eq!((code(&none), text(&none).as_str()), (1, "no mate in 1 or fewer moves\n"));
    let more = run(&["5", "--fen", ROOKS]);
    assert!(text(&more).starts_with("mate in 2: "), "the shortest is told: {more:?}");
}

#[test]
fn all_solutions_are_counted() {
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&text(&run(&[arguments, &["--json", "--all"]].concat()))).unwrap()
    };
    let proved = json(&["1", "--fen", "6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1"]);
    assert_eq!((proved["status"].as_str(), proved["mate"].as_i64()), (Some("proved"), Some(1)));
    assert_eq!(proved["solutions"], serde_json::json!(["a1a8", "b1b8"]));
    assert_eq!(proved["count"], 2);
    let none = json(&["3", "--fen", "8/8/8/4k3/8/8/8/4K2R w - - 0 1"]);
    assert_eq!((none["status"].as_str(), none["count"].as_u64()), (Some("none"), Some(0)));
    assert!(none["mate"].is_null() && none["line"] == serde_json::json!([]));
}

#[test]
fn being_mated_is_proved_too() {
    let output = run(&["-2", "--fen", "7k/8/5K2/8/8/8/8/6Q1 b - - 0 1", "--all"]);
    assert_eq!(
        (code(&output), text(&output).as_str()),
        (0, "mated in 1: 1... Kh7 2. Qg7#\n1 solution: Kh7\n")
    );
    let mated = run(&["-1", "--fen", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"]);
    assert_eq!((code(&mated), text(&mated).as_str()), (0, "checkmate\n"));
    let saved = run(&["-3", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]);
    assert_eq!((code(&saved), text(&saved).as_str()), (1, "not mated in 3 or fewer moves\n"));
}

#[test]
fn faults_have_their_exit_codes() {
    assert_eq!(code(&run(&["2", "--fen", "nonsense"])), 2);
    assert_eq!(code(&run(&["2"])), 2);
    assert_eq!(code(&run(&["0", "--fen", ROOKS])), 2);
    assert_eq!(code(&run(&["x", "--fen", ROOKS])), 2);
}

/// Checks all problems of a collection in which mate comes in at most so many moves.
fn check_collection(name: &str, longest: i32, least: usize) {
    let Some(path) = common::shared("epd").map(|folder| folder.join(name)) else { return };
    let mut checked = 0;
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let (fen, opcodes) = epd::split(line);
        let mate =
            opcodes.iter().find(|opcode| opcode.name == "dm").and_then(|dm| dm.text().parse::<i32>().ok());
        let Some(wanted) = mate.filter(|moves| moves.abs() <= longest) else { continue };
        let mut position: Position = fen.parse().unwrap();
        let mut solver = Solver::new(16);
        let most = wanted.unsigned_abs();
        let found =
            if wanted > 0 { solver.mate_in(&position, most) } else { solver.mated_in(&position, most) };
        assert_eq!(found, Some(most), "{line}");
        if wanted > 0 {
            let mate = solver.line(&position, most);
            assert_eq!(mate.len() as u32, 2 * most - 1, "{line}");
            for m in mate {
                position = position.make(m);
            }
            assert!(position.is_checkmate(), "{line}");
        }
        checked += 1;
    }
    assert!(checked >= least, "{checked} of {name}");
}

#[test]
fn short_mates_take_as_many_moves_as_is_known() {
    check_collection("mates2000.epd", 3, 30);
}

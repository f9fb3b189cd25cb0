//! Files from Windows are read like all others: lines that end in CRLF, paths with `\`.

mod common;

use common::{folder, run_in};
use std::process::Output;

const POSITIONS: &str = "\
# a remark

rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e7e5
r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id \"scholar\";
{\"id\":\"json\",\"fen\":\"6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1\",\"moves\":[\"a1a2\"]}
8/8/8/8/8/8/8/8 w - - 0 1
";
const GAMES: &str = "\
[Event \"One\"]
[Result \"1-0\"]

1. e4 e5 {a remark
over two lines} 2. Qh5 Ke7 ; to the end of the line
3. Qxe5# 1-0

[Event \"Two\"]

1. d4 *
";
const PERFT: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400
4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66
";
const SETTINGS: &str = "[uci]\nHash = 2\n\n[analysis]\nnodes = 77\n";

/// An answer without what the clock decides.
fn timeless(output: &Output) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let mut kept = String::new();
    for line in text.lines() {
        let words = line.split([',', ' ']);
        let steady = words.filter(|word| !["time", "nps", "sec"].iter().any(|clock| word.contains(clock)));
        kept.extend(steady.flat_map(|word| [word, " "]));
        kept.push('\n');
    }
    kept
}

/// The same answer and exit code for a file with either end of lines?
fn reads_both(arguments: &[&str], text: &str) {
    let folder = folder(arguments[0]);
    let [unix, windows] =
        [("unix", text.to_owned()), ("windows", text.replace('\n', "\r\n"))].map(|(name, text)| {
            let place = folder.join(name);
            std::fs::create_dir_all(&place).unwrap();
            std::fs::write(place.join("input.txt"), text).unwrap();
            let output = run_in(&place, arguments);
            (output.status.code(), timeless(&output))
        });
    assert!(!unix.1.is_empty(), "{arguments:?}");
    assert_eq!(unix, windows, "{arguments:?}");
}

#[test]
fn positions_and_games() {
    reads_both(&["analyze", "input.txt", "--nodes", "200", "--jobs", "1"], POSITIONS);
    reads_both(&["analyse", "input.txt", "--pgn", "--nodes", "200", "--jobs", "1"], GAMES);
    reads_both(&["rules", "input.txt", "--json"], POSITIONS);
    reads_both(&["eval", "input.txt", "--json"], POSITIONS);
    reads_both(&["annotate", "input.txt", "--nodes", "200", "--jobs", "1"], GAMES);
}

#[test]
fn suites_books_and_settings() {
    reads_both(&["perft", "--suite", "input.txt"], PERFT);
    let suite: String = POSITIONS.lines().filter(|line| line.contains("bm")).collect();
    reads_both(&["epdtest", "input.txt", "--depth", "3", "--json"], &suite);
    reads_both(
        &["genfens", "3", "--seed", "1", "--book", "input.txt"],
        "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - -\n",
    );
    reads_both(&["config", "show", "--config", "input.txt"], SETTINGS);
}

#[test]
fn a_dialogue() {
    let text = "uci\nsetoption name MultiPV value 2\nposition startpos moves e2e4\ngo depth 3\n";
    let [unix, windows] = [text.to_owned(), text.replace('\n', "\r\n")].map(|text| {
        let output = common::clavier(&[], &text);
        let answer = String::from_utf8(output.stdout).unwrap();
        assert!(answer.lines().all(|line| !line.contains("unknown")), "{answer}");
        answer.lines().last().unwrap().to_owned()
    });
    assert!(unix.starts_with("bestmove "), "{unix}");
    assert_eq!(unix, windows);
}

/// On Windows it is a file in a folder, elsewhere a file with a strange name. Both have to reach the system as given.
#[test]
fn a_path_with_backslashes() {
    const NAME: &str = r"sub\settings.toml";
    let folder = folder("backslash");
    std::fs::create_dir_all(folder.join("sub")).unwrap();
    std::fs::write(folder.join(NAME), "[uci]\n\"Debug Log File\" = 'C:\\new\\table.log'\n").unwrap();
    let shown = run_in(&folder, &["config", "show", "--config", NAME]);
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.status.success() && text.contains(r"C:\new\table.log"), "{text}");
    assert!(text.contains(r"sub\settings.toml, line 2"), "{text}");
    std::fs::write(folder.join(r"sub\in.fen"), "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n").unwrap();
    let analyzed = run_in(&folder, &["analyze", r"sub\in.fen", "--nodes", "100", "-o", r"sub\out.jsonl"]);
    assert!(analyzed.status.success(), "{analyzed:?}");
    assert_eq!(std::fs::read_to_string(folder.join(r"sub\out.jsonl")).unwrap().lines().count(), 1);
}

#[test]
fn an_option_keeps_the_backslashes_of_its_value() {
    let output = common::clavier(&[], "setoption name EvalFile value C:\\new nets\\table.nnue\r\nquit\r\n");
    let answer = String::from_utf8(output.stdout).unwrap();
    assert!(answer.contains(r"C:\new nets\table.nnue"), "{answer}");
}

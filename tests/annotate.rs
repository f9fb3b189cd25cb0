//! `clavier annotate` as a shell sees it.

mod common;

use common::folder;
use std::process::Output;

/// Black walks into a mate and White sees it; with comments, a variation and marks of a person.
const SCHOLAR: &str = "\
[White \"A\"]
[Black \"B\"]

{A short one.} 1. e4 $1 {[%eval 9.99] [%clk 0:01:00]} e5 2. Bc4 (2. Nf3 {is usual} Nc6) Nc6 3. Qh5 Nf6 {oh no} 4. Qxf7# 1-0

";

fn run(arguments: &[&str], input: &str) -> Output {
    common::clavier(&[&["annotate"], arguments].concat(), input)
}

/// The output on one line.
fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap().replace('\n', " ")
}

fn told(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal has ended it")
}

#[test]
fn a_blunder_is_marked_and_mended_and_what_was_written_stays() {
    let output = run(&["--nodes", "20000"], SCHOLAR);
    let text = text(&output);
    assert_eq!(code(&output), 0, "{output:?}");
    for kept in
        ["{A short one.} 1. e4 $1 {[%eval ", "[%clk 0:01:00]}", "(2. Nf3 {is usual} 2... Nc6)", "oh no}"]
    {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    assert!(!text.contains("9.99"), "{text}");
    assert!(text.contains("3... Nf6 $4 {[%eval #1] oh no} (3... "), "{text}");
    assert!(text.ends_with(") 4. Qxf7# 1-0  "), "{text}");
    for tag in ["WhiteAccuracy", "WhiteAverageLoss", "BlackAccuracy", "BlackAverageLoss", "Annotator"] {
        assert!(text.contains(&format!("[{tag} \"")), "{tag}: {text}");
    }
}

#[test]
fn an_annotated_game_can_be_annotated_again() {
    let once = run(&["--nodes", "3000"], SCHOLAR);
    let twice = run(&["--nodes", "3000"], std::str::from_utf8(&once.stdout).unwrap());
    assert_eq!(text(&once), text(&twice));
}

#[test]
fn jobs_do_not_change_the_games() {
    let input = SCHOLAR.repeat(3);
    let with = |jobs: &str| text(&run(&["--nodes", "500", "--jobs", jobs], &input));
    assert_eq!(with("1"), with("3"));
}

#[test]
fn sides_and_moves_may_be_chosen() {
    let annotated = |arguments: &[&str]| {
        let text = text(&run(&[&["--nodes", "500"], arguments].concat(), SCHOLAR));
        (text.matches("[%eval").count(), text.contains("WhiteAccuracy"), text.contains("BlackAccuracy"))
    };
    // The last move mates: there is no value behind it.
    assert_eq!(annotated(&[]), (6, true, true));
    // The value of 1. e4 is not ours, and stays.
    assert_eq!(annotated(&["--only-side", "black"]), (4, false, true));
    assert_eq!(annotated(&["--only-side", "white"]), (3, true, false));
    assert_eq!(annotated(&["--from-ply", "6"]), (2, true, true));
    assert_eq!(annotated(&["--from-ply", "90"]), (1, false, false));
}

#[test]
fn thresholds_decide_which_marks_are_set() {
    let nag = |arguments: &[&str]| {
        let text = text(&run(&[&["--nodes", "20000"], arguments].concat(), SCHOLAR));
        let (_, rest) = text.split_once("3... Nf6 ").unwrap();
        rest.chars().take(2).collect::<String>()
    };
    assert_eq!(nag(&[]), "$4");
    assert_eq!(nag(&["--blunder", "1.99"]), "$2");
    assert_eq!(nag(&["--blunder", "1.99", "--mistake", "1.99"]), "$6");
    assert_eq!(code(&run(&["--inaccuracy", "0.5"], SCHOLAR)), 2, "an inaccuracy is no mistake");
    assert_eq!(code(&run(&["--blunder", "0"], SCHOLAR)), 2);
}

#[test]
fn damaged_games_are_told_and_the_rest_goes_on() {
    let input = format!("1. e4 e5 2. Ke3 Nc6 1-0\n\n[FEN \"nonsense\"]\n\n1. e4 $3 {{x}} *\n\n{SCHOLAR}");
    let output = run(&["--nodes", "100"], &input);
    assert_eq!(code(&output), 1);
    let told = told(&output);
    assert!(told.contains("game 1: move Ke3 is not legal here") && told.contains("game 2: "), "{told}");
    assert!(told.contains("2 of 3 games are damaged"), "{told}");
    let text = text(&output);
    assert!(text.contains("{Ke3 Nc6} 1-0") || text.contains(" Ke3 Nc6} 1-0"), "{text}");
    assert!(text.contains("e4 $3 {x} *") && text.contains("4. Qxf7# 1-0"), "{text}");
}

#[test]
fn a_cut_file_is_completed_to_the_same_games() {
    let folder = folder("resume");
    let path = folder.join("out.pgn");
    let path = path.to_str().unwrap();
    let input = format!("{SCHOLAR}1. f3 e5 2. g4 Qh4# 0-1\n\n{SCHOLAR}");
    let resume = |input: &str, more: &[&str]| run(&[&["-o", path, "--resume"], more].concat(), input);
    assert_eq!(code(&resume(&input, &["--nodes", "100"])), 0);
    let whole = std::fs::read(path).unwrap();
    for length in [0, 1, whole.len() / 3, whole.len() / 2, whole.len() - 3, whole.len()] {
        std::fs::write(path, &whole[..length]).unwrap();
        assert_eq!(code(&resume(&input, &["--nodes", "100"])), 0, "cut at {length}");
        assert_eq!(std::fs::read(path).unwrap(), whole, "cut at {length}");
    }
    for more in [&["--nodes", "90"][..], &["--nodes", "100", "--from-ply", "3"]] {
        let refused = resume(&input, more);
        assert!(code(&refused) == 2 && told(&refused).contains("not resumed"), "{refused:?}");
    }
    assert_eq!(code(&resume(SCHOLAR, &["--nodes", "100"])), 2, "too few games");
    assert_eq!(code(&run(&["--resume"], &input)), 2, "the standard output cannot be resumed");
}

#[test]
fn faults_have_their_exit_codes() {
    assert_eq!(code(&run(&["/no/such/file.pgn"], "")), 3);
    assert_eq!(code(&run(&["-o", "/no/such/folder/file"], SCHOLAR)), 4);
    assert_eq!(code(&run(&["--syzygy", "/no/such/folder"], SCHOLAR)), 5);
    assert_eq!(code(&run(&["--depth", "0"], SCHOLAR)), 2);
    assert_eq!((code(&run(&[], "")), text(&run(&[], ""))), (0, String::new()), "no games are no fault");
}

#[test]
fn what_is_read_or_written_is_not_written_over() {
    let folder = folder("apart");
    let (input, other) = (folder.join("games.pgn"), folder.join("other"));
    std::fs::write(&input, SCHOLAR).unwrap();
    let (input, other) = (input.to_str().unwrap(), other.to_str().unwrap());
    for outputs in [&["-o", input][..], &["--html", input], &["-o", other, "--html", other]] {
        let output = run(&[&[input, "--nodes", "10"], outputs].concat(), "");
        assert_eq!(code(&output), 2, "{output:?}");
        assert_eq!(std::fs::read_to_string(input).unwrap(), SCHOLAR);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_full_is_told() {
    assert_eq!(code(&run(&["-o", "/dev/full", "--nodes", "10"], SCHOLAR)), 4);
}

#[test]
fn strict_readers_find_the_same_moves() {
    let Some(folder) = common::shared("pgn") else { return };
    let manifest = std::fs::read_to_string(folder.join("manifest.jsonl")).unwrap();
    for line in manifest.lines() {
        let file: serde_json::Value = serde_json::from_str(line).unwrap();
        let path = folder.join(file["file"].as_str().unwrap());
        let output = run(&["--nodes", "1", path.to_str().unwrap()], "");
        assert!(matches!(code(&output), 0 | 1), "{}: {output:?}", path.display());
        let (ours, theirs) = (moves_of(&std::fs::read(&path).unwrap()), strict_moves_of(&output.stdout));
        assert_eq!(ours.len(), theirs.len(), "{}", path.display());
        for (number, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            // A game whose start is no position is written as it was read.
            assert!(ours.as_ref().is_none_or(|ours| ours == theirs), "{}: game {number}", path.display());
        }
    }
}

/// The main lines of all games as our own reader finds them, up to where each can be followed; none of games
/// whose start is no position.
fn moves_of(bytes: &[u8]) -> Vec<Option<Vec<String>>> {
    use clavier::analysis::pgn::{Games, Tree};
    let mut games = Games::new(Box::new(std::io::Cursor::new(bytes.to_vec())));
    std::iter::from_fn(|| games.read().unwrap())
        .map(|text| {
            let tree = Tree::read(&text).ok()?;
            Some(tree.line.moves.iter().map(|ply| ply.san().replace(['+', '#'], "")).collect())
        })
        .collect()
}

/// The same as pgn-reader finds them, which reads clean files only.
fn strict_moves_of(bytes: &[u8]) -> Vec<Vec<String>> {
    use pgn_reader::{Reader, SanPlus, Skip, Visitor};
    use std::ops::ControlFlow;
    struct Moves;
    impl Visitor for Moves {
        type Tags = ();
        type Movetext = Vec<String>;
        type Output = Vec<String>;
        fn begin_tags(&mut self) -> ControlFlow<Self::Output> {
            ControlFlow::Continue(())
        }
        fn begin_movetext(&mut self, (): ()) -> ControlFlow<Self::Output, Vec<String>> {
            ControlFlow::Continue(Vec::new())
        }
        fn san(&mut self, moves: &mut Vec<String>, san: SanPlus) -> ControlFlow<Self::Output> {
            moves.push(san.san.to_string());
            ControlFlow::Continue(())
        }
        fn begin_variation(&mut self, _: &mut Vec<String>) -> ControlFlow<Self::Output, Skip> {
            ControlFlow::Continue(Skip(true))
        }
        fn end_game(&mut self, moves: Vec<String>) -> Self::Output {
            moves
        }
    }
    let mut reader = Reader::new(std::io::Cursor::new(bytes.to_vec()));
    std::iter::from_fn(|| reader.read_game(&mut Moves).unwrap()).collect()
}

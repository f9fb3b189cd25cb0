//! Scripted dialogues with the binary about its options.

mod common;
mod dialogue;

use clavier::board::{Position, notation};
use clavier::book::polyglot;
use clavier::nnue::{Architecture, Network};
use dialogue::*;

sessions! {
    a_wrong_option_is_told_and_ignored: [
        Send("setoption name NoSuchThing value 7"), Next("info string there is no option \"NoSuchThing\""),
        Send("setoption name Hash value 99999999999999999999"), Hold("from 1 to 1048576"),
        Send("setoption name Hash value abc"), Hold("not \"abc\""),
        Send("setoption name Threads value"), Hold("not \"\""),
        Send("setoption Hash 3"), Next("info string setoption needs name NAME [value VALUE]"),
        Send("isready"), Next("readyok"),
    ];
    options_are_taken_without_a_word: [
        Send("setoption name hash value 2  "), Send("setoption name Clear Hash"), Send("setoption name MultiPV value 2"),
        Send("setoption name Move   Overhead value 5"), Send("setoption name Ponder value true"),
        Send("isready"), Next("readyok"),
        Send("go depth 2"), Hold(" multipv 2 "), Expect("bestmove "),
    ];

    chances_are_told_when_asked_for: [
        Send("setoption name UCI_ShowWDL value true"), Send("go depth 2"), Hold(" wdl "), Expect("bestmove "),
        Send(MATE_IN_ONE), Send("go depth 2"), Hold(" score mate 1 wdl 1000 0 0 nodes "), Expect("bestmove "),
        Send(STALEMATED), Send("go depth 2"), Hold(" score cp 0 wdl "), Expect("bestmove (none)"),
        Send("setoption name UCI_ShowWDL value false"), Send(MATED), Send("go depth 2"),
        Next("info depth 0 score mate 0"), Next("bestmove (none)"),
    ];
    a_draw_counts_less_with_contempt_but_not_in_analysis: [
        Send("setoption name Contempt value 50"), Send("position fen 8/8/3k4/8/8/3K4/8/8 w - - 0 1"),
        Send("go depth 3"), Hold(" score cp -50 "), Expect("bestmove "),
        Send("setoption name UCI_AnalyseMode value true"), Send("go depth 3"), Hold(" score cp 0 "), Expect("bestmove "),
        Send("setoption name UCI_AnalyseMode value false"), Send("setoption name Contempt value -30"),
        Send("ucinewgame"), Send("go depth 3"), Hold(" score cp 30 "), Expect("bestmove "),
    ];
    what_guis_tell_about_opponents_is_taken: [
        Send("setoption name UCI_Opponent value GM 2800 human Gary Kasparov"), Send("isready"), Next("readyok"),
        Send("setoption name UCI_EngineAbout"), Send("isready"), Next("readyok"),
        Send("setoption name UCI_EngineAbout value mine"), Next("info string option UCI_EngineAbout can only be read"),
    ];
    a_log_that_cannot_be_opened_is_told: [
        Send("setoption name Debug Log File value /no/such/folder/log"),
        Hold("info string option Debug Log File not set: /no/such/folder/log: "),
        Send("setoption name Debug Log File value <empty>"), Send("isready"), Next("readyok"),
    ];

    tables_that_are_not_there_are_told: [
        Send("setoption name SyzygyPath value /no/such folder"), Hold("info string SyzygyPath: 0 WDL and 0 DTZ tables found; /no/such folder: "),
        Send("setoption name SyzygyPath value <empty>"), Send("setoption name SyzygyProbeDepth value 2"),
        Send("setoption name SyzygyProbeLimit value 0"), Send("setoption name Syzygy50MoveRule value false"),
        Send("isready"), Next("readyok"), Send("go depth 3"), Hold(" tbhits 0 "), Expect("bestmove "),
    ];

    limited_play_is_the_same_every_time_and_mates: [
        Send("setoption name UCI_Elo value 500"), Send("setoption name UCI_LimitStrength value true"),
        Send(MATE_IN_ONE), Send("go nodes 1000"), Expect("bestmove a1a8"),
        Send("position startpos moves e2e4 e7e5"), Send("go movetime 5000"), Expect("bestmove "),
        // Here the level plays at first glance, but what it was not asked about it does not see.
        Send("position startpos moves g1f3 g8f6 f3g1 f6g8"), Send("go depth 3 searchmoves a2a3"), Expect("bestmove a2a3"),
        Send("setoption name UCI_Elo value 499"), Hold("option UCI_Elo needs a whole number from 500 to 3000"),
    ];
    a_network_that_is_none_is_told_and_the_one_in_use_stays: [
        Send("setoption name EvalFile value /no/such/net.nnue"),
        Hold("info string option EvalFile not set: /no/such/net.nnue: "),
        Send(concat!("setoption name EvalFile value ", env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")),
        Hold("this is no network of Clavier"),
        Raw(b"setoption name EvalFile value a\0b\n"), Hold("info string option EvalFile not set: a?b: "),
        Send("setoption name EvalFile value <embedded>"), Send("setoption name EvalFile value"),
        Send(concat!("setoption name EvalFile value ", env!("CARGO_MANIFEST_DIR"), "/nets/default.nnue")),
        Send("isready"), Next("readyok"), Send("go depth 2"), Expect("bestmove "),
    ];
    a_book_that_cannot_serve_is_told: [
        Send("setoption name Book File value /no/such/book.bin"),
        Hold("info string option Book File not set: book /no/such/book.bin: "),
        Send("setoption name OwnBook value true"), Send("go depth 1"),
        Next("info string OwnBook is on, but Book File names no book"), Expect("bestmove "),
        Send("go depth 1"), Quiet(50, "info string"),
    ];
}

#[test]
fn the_log_holds_every_line_with_its_time() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("session.log");
    drop(std::fs::remove_file(&path));
    let mut engine = Engine::start_with(&["uci", "--log", path.to_str().unwrap()]);
    engine.write(b"isready\ngo depth 1\n");
    engine.read_to("bestmove", |line| line.starts_with("bestmove "));
    engine.write(b"wait\nsetoption name Debug Log File value\nisready\n");
    engine.read_to("readyok", |line| line == "readyok");
    engine.write(b"quit\n");
    engine.exit(NOTHING);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> =
        text.lines().map(|line| line.split_once("Z ").expect("a time comes first").1).collect();
    assert_eq!(lines[..3], ["> isready", "< readyok", "> go depth 1"], "{text}");
    assert!(lines.iter().any(|line| line.starts_with("< info depth 1 ")), "{text}");
    assert!(lines.iter().any(|line| line.starts_with("< bestmove ")), "{text}");
    assert!(!lines.contains(&"> quit"), "the log was closed before: {text}");
}

/// What the engine says of the position without a search.
fn told_value(engine: &mut Engine) -> String {
    engine.write(b"eval\n");
    engine.read_to("a value", |line| line.starts_with("Evaluation: "))
}

#[test]
fn a_refused_network_leaves_the_one_in_use() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("options.nnue");
    let name = path.to_str().unwrap();
    let shape = Architecture { hidden: 32, mirrored: false, buckets: 1 };
    let mut bytes = Network::random(shape, 5).unwrap().to_bytes();
    std::fs::write(&path, &bytes).unwrap();
    let mut engine = Engine::start();
    let embedded = told_value(&mut engine);
    let choose = format!("setoption name EvalFile value {name}\n");
    engine.write(choose.as_bytes());
    let own = told_value(&mut engine);
    assert_ne!(own, embedded);
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    engine.write(choose.as_bytes());
    engine.read_to("the refusal", |line| {
        line.starts_with("info string option EvalFile not set: ") && line.contains("checksum")
    });
    assert_eq!(told_value(&mut engine), own);
    engine.write(b"setoption name EvalFile value <embedded>\n");
    assert_eq!(told_value(&mut engine), embedded);
}

/// A book in a file of its own: e2e4, and as the answer e7e5.
fn write_book(name: &str) -> std::path::PathBuf {
    let start = Position::start();
    let advance = notation::parse_uci(&start, "e2e4").unwrap();
    // Squares as in the format: from and to, rank and file, three bits each.
    let mut entries = [(polyglot::key(&start), 0o1434_u16), (polyglot::key(&start.make(advance)), 0o6444)];
    entries.sort_unstable();
    let bytes = entries.iter().flat_map(|(key, squares)| {
        [&key.to_be_bytes()[..], &squares.to_be_bytes(), &[0, 1, 0, 0, 0, 0]].concat()
    });
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes.collect::<Vec<u8>>()).unwrap();
    path
}

#[test]
fn the_book_is_played_in_games_and_not_in_analysis() {
    let book = write_book("own.bin");
    let mut engine = Engine::start_with(&["uci", "--option", &format!("Book File={}", book.display())]);
    engine.write(b"setoption name OwnBook value true\nposition startpos\ngo wtime 1000 btime 1000\n");
    engine.take(&Next("bestmove e2e4"));
    engine.write(b"position startpos moves e2e4\ngo depth 3\n");
    engine.take(&Next("bestmove e7e5"));
    engine.write(b"position startpos moves e2e4 e7e5\ngo depth 1\n");
    engine.take(&Expect("info depth 1 "));
    engine.take(&Expect("bestmove "));
    for analysis in ["go infinite", "go depth 1 searchmoves d2d4"] {
        engine.write(format!("position startpos\n{analysis}\n").as_bytes());
        engine.take(&Expect("info depth 1 "));
        engine.write(b"stop\n");
        engine.take(&Expect("bestmove "));
    }
    engine.write(b"position fen 1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1\ngo depth 1\n");
    engine.take(&Hold("cannot express Chess960"));
    engine.take(&Expect("bestmove "));
    engine.write(b"setoption name UCI_AnalyseMode value true\nposition startpos\ngo depth 1\n");
    engine.take(&Expect("info depth 1 "));
}

#[cfg(unix)]
#[test]
fn a_pipe_without_another_end_holds_nothing_up() {
    let folder = common::folder("pipes");
    let pipe = folder.join("KQvK.rtbw");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut engine = Engine::start();
    for (option, path) in
        [("EvalFile", &pipe), ("Book File", &pipe), ("SyzygyPath", &folder), ("Debug Log File", &pipe)]
    {
        engine.write(format!("setoption name {option} value {}\n", path.display()).as_bytes());
        engine.read_to(option, |line| line.starts_with("info string ") && line.contains(option));
    }
    engine.write(b"go depth 1\n");
    engine.read_to("bestmove", |line| line.starts_with("bestmove "));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_log_and_not_the_game() {
    let mut engine = Engine::start_with(&["uci", "--log", "/dev/full"]);
    engine.write(b"isready\ngo depth 1\n");
    engine.read_to("a note", |line| line.starts_with("info string Debug Log File cannot be written"));
    engine.read_to("readyok", |line| line == "readyok");
    engine.read_to("bestmove", |line| line.starts_with("bestmove "));
}

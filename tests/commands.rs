//! The commands beside the UCI loop, as a shell sees them.

mod common;

use common::{folder, run_in};
use std::process::{Command, Output};

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal has ended it")
}

#[test]
fn genfens_has_two_forms_with_the_same_answer() {
    let folder = folder("genfens");
    let plain = run_in(&folder, &["genfens", "4", "--seed", "9"]);
    let openbench = run_in(&folder, &["genfens 4 seed 9 book None", "quit"]);
    assert_eq!(stdout(&plain), stdout(&openbench));
    assert_eq!(stdout(&plain).lines().count(), 4);
    for line in stdout(&plain).lines() {
        let fen = line.strip_prefix("info string genfens ").unwrap();
        assert!(fen.parse::<clavier::board::Position>().is_ok(), "{fen}");
    }
}

#[test]
fn genfens_starts_from_a_book_and_tells_what_is_wrong_with_it() {
    let folder = folder("genfens-book");
    std::fs::write(
        folder.join("book.epd"),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"1\";\n",
    )
    .unwrap();
    std::fs::write(folder.join("wrong.epd"), "no position\n").unwrap();
    let good = run_in(&folder, &["genfens 3 seed 1 book book.epd", "quit"]);
    assert_eq!((code(&good), stdout(&good).lines().count()), (0, 3));
    assert_eq!(code(&run_in(&folder, &["genfens 3 seed 1 book wrong.epd", "quit"])), 3);
    assert_eq!(code(&run_in(&folder, &["genfens", "3", "--seed", "1", "--book", "missing.epd"])), 3);
    assert_eq!(code(&run_in(&folder, &["genfens x", "quit"])), 2);
}

#[test]
fn config_init_writes_what_config_show_reads() {
    let folder = folder("config");
    let show = || run_in(&folder, &["config", "show"]);
    assert!(stdout(&show()).lines().all(|line| line.ends_with("built in")));
    assert_eq!(code(&run_in(&folder, &["config", "init"])), 0);
    let shown = stdout(&show());
    assert!(shown.lines().all(|line| line.contains("engine.toml, line ")), "{shown}");
    assert_eq!(code(&run_in(&folder, &["config", "init"])), 2, "nothing is overwritten");
    assert_eq!(code(&run_in(&folder, &["config", "init", "--force"])), 0);
    let template = run_in(&folder, &["config", "init", "-"]);
    assert_eq!(stdout(&template), include_str!("../engine.toml"));
}

#[test]
fn config_show_names_the_line_of_a_fault() {
    let folder = folder("config-fault");
    std::fs::write(folder.join("engine.toml"), "[uci]\nHash = 8\nThreads = 0\n").unwrap();
    let output = run_in(&folder, &["config", "show"]);
    let told = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(code(&output), 2);
    assert!(told.contains("line 3: option Threads needs"), "{told}");
}

#[test]
fn doctor_says_how_to_mend_what_is_broken() {
    let folder = folder("doctor");
    let healthy = run_in(&folder, &["doctor", "--json"]);
    assert_eq!(code(&healthy), 0, "{healthy:?}");
    for line in stdout(&healthy).lines() {
        let finding: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(finding["topic"].is_string() && finding["found"].is_string(), "{finding}");
        assert_eq!(finding["mend"].is_null(), finding["state"] == "good", "{finding}");
    }
    std::fs::write(folder.join("engine.toml"), "[uci]\nHash = 0\n").unwrap();
    let ill = run_in(&folder, &["doctor"]);
    assert_eq!(code(&ill), 1);
    assert!(stdout(&ill).contains("line 2: option Hash needs"), "{}", stdout(&ill));
    assert!(stdout(&ill).contains("clavier config init"), "{}", stdout(&ill));
}

#[test]
fn tables_that_are_not_there_are_told() {
    let folder = folder("tb");
    assert_eq!(code(&run_in(&folder, &["tb", "check", "missing"])), 5);
    let fen = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1";
    assert_eq!(code(&run_in(&folder, &["tb", "probe", fen, "--syzygy", "missing"])), 5);
    assert_eq!(code(&run_in(&folder, &["tb", "probe", fen])), 2, "nobody has said where tables are");
    assert_eq!(code(&run_in(&folder, &["tb", "probe", "nonsense"])), 2);
}

#[test]
fn tables_that_are_there_are_checked_and_probed() {
    let Some(tables) = common::shared("syzygy") else { return };
    let tables = tables.canonicalize().unwrap();
    let tables = tables.to_str().unwrap();
    let folder = folder("tb-shared");
    let checked = run_in(&folder, &["tb", "check", tables, "--positions", "5"]);
    assert_eq!(code(&checked), 0);
    assert!(stdout(&checked).ends_with("35 passed, 0 failed\n"), "{}", stdout(&checked));
    let fen = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1";
    let probed = run_in(&folder, &["tb", "probe", fen, "--syzygy", tables, "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&stdout(&probed)).unwrap();
    assert_eq!((answer["wdl"].as_str(), answer["dtz"].as_i64()), (Some("win"), Some(11)));
    assert_eq!(answer["moves"][0]["uci"], "b1e4");
    assert_eq!(code(&run_in(&folder, &["tb", "probe", "4k3/8/8/8/8/8/8/R3K3 w Q -", "--syzygy", tables])), 1);
}

#[test]
fn shells_and_man_get_their_pages() {
    let folder = folder("manual");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run_in(&folder, &["completions", shell]);
        assert!(code(&script) == 0 && stdout(&script).contains("genfens"), "{shell}");
    }
    assert!(stdout(&run_in(&folder, &["man"])).contains(".SH NAME\nclavier"));
    assert!(stdout(&run_in(&folder, &["man", "tb"])).contains("Syzygy"));
    assert_eq!(code(&run_in(&folder, &["man", "nonsense"])), 2);
}

#[test]
fn speedtest_tells_nodes_a_second() {
    let output = run_in(&folder("speedtest"), &["speedtest", "--seconds", "1", "--threads", "1", "--json"]);
    let outcome: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert!(outcome["nps"].as_u64().unwrap() > 0, "{outcome}");
    assert_eq!((outcome["threads"].as_u64(), outcome["hash_mb"].as_u64()), (Some(1), Some(32)));
}

#[test]
fn config_show_tells_unreadable_files_from_wrong_ones() {
    let folder = folder("config-missing");
    assert_eq!(code(&run_in(&folder, &["config", "show", "--config", "missing.toml"])), 3);
    std::fs::write(folder.join("wrong.toml"), "[paths]\nbook = 1\n").unwrap();
    assert_eq!(code(&run_in(&folder, &["config", "show", "--config", "wrong.toml"])), 2);
    std::fs::write(folder.join("good.toml"), "[paths]\nbook = \"b.bin\"\n").unwrap();
    let shown = stdout(&run_in(&folder, &["config", "show", "--config", "good.toml"]));
    let book = shown.lines().find(|line| line.starts_with("Book File")).unwrap();
    assert!(book.contains("b.bin") && book.ends_with("good.toml, line 2"), "{book}");
}

#[test]
fn bench_tells_positions_only_when_asked_to() {
    let folder = folder("bench");
    let talk = |arguments: &[&str]| String::from_utf8(run_in(&folder, arguments).stderr).unwrap();
    assert_eq!(talk(&["bench", "1"]), "");
    assert!(talk(&["bench", "1", "--verbose"]).lines().count() > 20);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_by_the_exit_code() {
    for arguments in [&["--help"][..], &["--version"], &["uci"], &["bench", "1"], &["perft", "1"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let commands = folder("full").join("commands");
        std::fs::write(&commands, "uci\n").unwrap();
        let status = Command::new(env!("CARGO_BIN_EXE_clavier"))
            .args(arguments)
            .stdin(std::fs::File::open(commands).unwrap())
            .stdout(full)
            .stderr(std::process::Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(4), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_has_its_exit_code() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for arguments in [
        &["bench", "40"][..],
        &["perft", "12"],
        &["rules"],
        &["mate", "20", "--fen", start],
        &["speedtest", "--seconds", "60"],
        &["uci"],
    ] {
        let mut process = Command::new(env!("CARGO_BIN_EXE_clavier"))
            .args(arguments)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // Time to start, on a busy machine too.
        std::thread::sleep(std::time::Duration::from_millis(700));
        let sent = Command::new("kill").args(["-INT", &process.id().to_string()]).status().unwrap();
        assert!(sent.success());
        // The input stays open, so nothing else can end it.
        let input = process.stdin.take();
        assert_eq!(process.wait().unwrap().code(), Some(130), "{arguments:?}");
        drop(input);
    }
}

#[test]
fn eval_reads_lines_as_analyze_does() {
    let (folder, fen) = (folder("eval-lines"), "3qk3/pp6/8/8/8/8/PP6/Q2QK3 b - - 0 1");
    let lines =
        format!("3qk3/pp6/8/8/8/8/PP6/Q2QK3 b - - bm Qxd1+; id \"x\";\n{{\"fen\":\"{fen}\"}}\nnonsense\n");
    std::fs::write(folder.join("lines"), lines).unwrap();
    let output = run_in(&folder, &["eval", "lines", "--json"]);
    let records: Vec<serde_json::Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(code(&output), 1, "{output:?}");
    assert_eq!((&records[0]["fen"], &records[1]["fen"]), (&fen.into(), &fen.into()));
    assert_eq!((&records[2]["line"], &records[2]["fen"]), (&3.into(), &"nonsense".into()));
}

#[test]
fn eval_shows_what_each_man_adds() {
    let folder = folder("eval");
    // Black is to move; every value is White's.
    let fen = "3qk3/pp6/8/8/8/8/PP6/Q2QK3 b - - 0 30";
    let plain = stdout(&run_in(&folder, &["eval", "--fen", fen]));
    assert!(plain.starts_with('+') && plain.lines().next().unwrap().ends_with(fen), "{plain}");
    assert!(plain.contains("|   Q   |       |       |   Q   |   K   |"), "{plain}");
    let json = stdout(&run_in(&folder, &["eval", "--json", "--fen", fen]));
    let record: serde_json::Value = serde_json::from_str(&json).unwrap();
    let contributions = record["contributions"].as_object().unwrap();
    assert_eq!(contributions.keys().collect::<Vec<_>>(), ["a1", "d1", "a2", "b2", "a7", "b7", "d8"]);
    assert!(contributions["a1"].as_i64().unwrap() > 0 && contributions["d8"].as_i64().unwrap() < 0, "{json}");
    let pawns = contributions["a1"].as_f64().unwrap() / 100.0;
    assert!(plain.contains(&format!("{pawns:+.2}")), "{plain}");
}

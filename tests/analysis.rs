//! `clavier analyze` and `epdtest` as a shell sees them.

mod common;

use common::folder;
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Positions of all kinds: open, decided, over, wrong.
const MIXED: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
# a comment

r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id \"scholar\";
{\"id\":\"fool\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\",\"moves\":[\"f2f3\",\"e7e5\",\"g2g4\",\"d8h4\"]}
8/8/8/8/8/8/8/8 w - - 0 1
7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
{\"id\":\"broken\"
8/5k2/8/8/8/8/1K2P3/8 w - - 3 40 moves e2e4 f7e6
";

fn run(arguments: &[&str], input: &str) -> Output {
    run_command("analyze", arguments, input)
}

fn run_command(command: &str, arguments: &[&str], input: &str) -> Output {
    common::clavier(&[&[command], arguments].concat(), input)
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal has ended it")
}

/// The records without what the clock decides.
fn timeless(records: &str) -> Vec<Value> {
    let clean = |line: &str| {
        let mut record: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
        for name in ["time_ms", "nps"] {
            record.as_object_mut().unwrap().shift_remove(name);
        }
        record
    };
    records.lines().map(clean).collect()
}

/// Positions of a game that nobody would play.
fn many_positions(count: usize) -> String {
    let mut random = fastrand::Rng::with_seed(3);
    let mut position = clavier::board::Position::start();
    let mut lines = Vec::new();
    for _ in 0..count {
        let moves = position.legal_moves();
        position = match random.choice(moves.iter()) {
            Some(&m) if position.fullmove() < 60 => position.make(m),
            _ => clavier::board::Position::start(),
        };
        lines.push(position.to_string());
    }
    lines.join("\n") + "\n"
}

#[test]
fn the_first_command_of_the_readme_gives_one_record() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
    let output = run(&["--fen", fen, "--depth", "6"], "");
    assert_eq!(code(&output), 0);
    assert_eq!(text(&output).lines().count(), 1);
    let record: Value = serde_json::from_str(&text(&output)).unwrap();
    assert_eq!(record["bestmove"]["uci"], "f3f7");
    assert_eq!(record["bestmove"]["san"], "Qxf7#");
    assert_eq!(record["lines"][0]["score"], serde_json::json!({"mate": 1, "pov": "white"}));
    assert_eq!((record["fen"].as_str(), record["status"].as_str()), (Some(fen), Some("ok")));
}

#[test]
fn every_item_has_a_record_in_its_place() {
    let output = run(&["--nodes", "2000"], MIXED);
    assert_eq!(code(&output), 1, "two positions are wrong");
    let records = timeless(&text(&output));
    let ids: Vec<String> = records.iter().map(|record| record["id"].to_string()).collect();
    assert_eq!(ids, ["1", "\"scholar\"", "\"fool\"", "4", "5", "6", "7"]);
    assert_eq!(records[2]["outcome"], "checkmate");
    assert_eq!(records[4]["outcome"], "stalemate");
    for finished in [2, 4] {
        assert!(records[finished]["bestmove"].is_null());
        assert_eq!(records[finished]["lines"], serde_json::json!([]));
    }
    let fault = |index: usize| {
        (records[index]["error"]["kind"].as_str().unwrap(), records[index]["line"].as_u64().unwrap())
    };
    assert_eq!((fault(3), fault(5)), (("fen", 6), ("json", 8)));
    assert_eq!(records[6]["fen"], "8/8/4k3/8/4P3/8/1K6/8 w - - 1 41");
}

#[test]
fn jobs_do_not_change_the_records() {
    let input = many_positions(120);
    let with = |jobs: &str| timeless(&text(&run(&["--nodes", "500", "--jobs", jobs], &input)));
    let alone = with("1");
    assert_eq!(alone.len(), 120);
    assert_eq!(alone, with("3"));
    let mut unordered = timeless(&text(&run(&["--nodes", "500", "--jobs", "3", "--unordered"], &input)));
    unordered.sort_by_key(|record| record["id"].as_u64());
    assert_eq!(alone, unordered);
}

#[test]
fn a_cut_file_is_completed_to_the_same_records() {
    let folder = folder("resume");
    let (input, output) = (folder.join("in.fen"), folder.join("out"));
    std::fs::write(&input, many_positions(25) + MIXED).unwrap();
    let mut random = fastrand::Rng::with_seed(7);
    let resume = |format: &str, extra: &[&str]| {
        let mut arguments = vec![input.to_str().unwrap(), "--nodes", "50", "--format", format, "-o"];
        arguments.extend([output.to_str().unwrap(), "--resume"]);
        arguments.extend(extra);
        run(&arguments, "")
    };
    for (format, extra) in
        [("jsonl", &[][..]), ("csv", &[]), ("epd", &[]), ("text", &[]), ("csv", &["--on-error", "skip"])]
    {
        drop(std::fs::remove_file(&output));
        assert_eq!(code(&resume(format, extra)), 1);
        let whole = std::fs::read(&output).unwrap();
        for _ in 0..4 {
            let length = random.usize(0..=whole.len());
            std::fs::write(&output, &whole[..length]).unwrap();
            let resumed = resume(format, extra);
            assert!(matches!(code(&resumed), 0 | 1), "{format} {length}: {resumed:?}");
            let again = std::fs::read_to_string(&output).unwrap();
            let whole = std::str::from_utf8(&whole).unwrap();
            if format == "jsonl" {
                assert_eq!(timeless(&again), timeless(whole), "cut at {length}");
            } else {
                assert_eq!(again.lines().count(), whole.lines().count(), "{format} cut at {length}");
            }
        }
    }
}

#[test]
fn what_was_made_otherwise_is_not_resumed() {
    let folder = folder("refuse");
    let output = folder.join("out");
    let path = output.to_str().unwrap();
    let input = many_positions(3);
    for format in ["jsonl", "csv"] {
        let with = |more: &[&str], input: &str| {
            let arguments = [&["--format", format, "-o", path][..], more].concat();
            run(&arguments, input)
        };
        assert_eq!(code(&with(&["--nodes", "50"], &input)), 0);
        for more in
            [&["--nodes", "60"][..], &["--nodes", "50", "--multipv", "2"], &["--nodes", "50", "--wdl"]]
        {
            let refused = with(&[more, &["--resume"]].concat(), &input);
            assert_eq!(code(&refused), 2, "{format} {more:?}");
            assert!(String::from_utf8_lossy(&refused.stderr).contains("not resumed"));
        }
        assert_eq!(code(&with(&["--nodes", "50", "--resume"], &many_positions(2))), 2, "too few items");
        assert_eq!(code(&with(&["--nodes", "50", "--resume"], &input)), 0, "nothing is left to do");
        assert_eq!(
            std::fs::read_to_string(&output).unwrap().lines().count(),
            3 + usize::from(format == "csv")
        );
    }
    std::fs::write(&output, "my diary\n").unwrap();
    assert_eq!(code(&run(&["-o", path, "--resume"], &input)), 2);
    assert_eq!(code(&run(&["--resume"], &input)), 2, "the standard output cannot be resumed");
}

#[test]
fn the_table_has_the_columns_that_were_promised() {
    let output = run(&["--format", "csv", "--nodes", "100", "--wdl"], MIXED);
    let text = text(&output);
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some(
            "id,fen,status,depth,seldepth,nodes,time_ms,score_cp,mate,wdl_w,wdl_d,wdl_l,bestmove,ponder,pv,outcome,error"
        )
    );
    let rows: Vec<&str> = lines.collect();
    assert_eq!(rows.len(), 7);
    assert!(rows[1].starts_with("scholar,r1bqkbnr") && rows[1].contains(",1,1000,0,0,f3f7,"), "{}", rows[1]);
    assert!(rows[3].starts_with("4,8/8/8/8/8/8/8/8 w - - 0 1,error,,,"), "{}", rows[3]);
}

#[test]
fn epd_keeps_its_opcodes_and_its_moves_are_legal() {
    let input = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - c9 \"a; b\"; id \"scholar\"; acd 3;\n\
                 8/8/8/8/8/5k2/7r/5K2 b - - 12 80\nnonsense\n";
    let output = run(&["--format", "epd", "--depth", "5"], input);
    assert_eq!(code(&output), 1);
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 3"));
    let text = text(&output);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 2);
    let (fen, opcodes) = clavier::analysis::epd::split(lines[0]);
    assert_eq!(fen.split(' ').count(), 4);
    let value = |name: &str| {
        opcodes.iter().find(|opcode| opcode.name == name).map(clavier::analysis::epd::Opcode::text)
    };
    assert_eq!((value("c9"), value("id")), (Some("a; b"), Some("scholar")));
    assert_eq!((value("bm"), value("dm"), value("pv")), (Some("Qxf7#"), Some("1"), Some("Qxf7#")));
    assert_eq!(value("acd"), Some("5"), "a search of another day is replaced");
    assert!(lines[1].contains("hmvc 12; fmvn 80;"), "{}", lines[1]);
}

#[test]
fn values_are_told_in_the_view_that_is_asked_for() {
    // Black is a queen up and to move.
    let fen = "4k3/3q4/8/8/8/8/8/4K3 b - - 0 1";
    let score = |pov: &str| -> i64 {
        let output = run(&["--fen", fen, "--depth", "4", "--pov", pov, "--wdl"], "");
        let record: Value = serde_json::from_str(&text(&output)).unwrap();
        let wdl = &record["lines"][0]["wdl"];
        assert_eq!(wdl[0].as_u64() > wdl[2].as_u64(), pov == "side");
        record["lines"][0]["score"]["cp"].as_i64().unwrap()
    };
    assert!(score("white") < -200);
    assert_eq!(score("white"), -score("side"));
}

#[test]
fn moves_may_be_chosen() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let lines = |arguments: &[&str]| {
        let output = run(&[&["--fen", start, "--depth", "2"], arguments].concat(), "");
        let record: Value = serde_json::from_str(&text(&output)).unwrap();
        record["lines"].as_array().cloned().unwrap_or_default()
    };
    assert_eq!(lines(&["--all-moves"]).len(), 20);
    assert!(!lines(&["--multipv", "3", "--san"])[2]["pv_san"].as_array().unwrap().is_empty());
    let chosen = lines(&["--searchmoves", "a2a3,Nf3", "--exclude", "g1f3", "--multipv", "9"]);
    assert_eq!((chosen.len(), chosen[0]["pv"][0].as_str()), (1, Some("a2a3")));
    let none = run(&["--fen", start, "--searchmoves", "e7e5"], "");
    assert!(code(&none) == 1 && text(&none).contains("\"kind\":\"move\""));
}

#[test]
fn castling_is_written_as_it_is_asked_for() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let castle = |arguments: &[&str], input: &str| {
        let output = run(&[&["--depth", "1", "--searchmoves", "O-O"], arguments].concat(), input);
        let record: Value = serde_json::from_str(&text(&output)).unwrap();
        record["bestmove"]["uci"].as_str().unwrap().to_owned()
    };
    assert_eq!(castle(&[], fen), "e1g1");
    assert_eq!(castle(&["--chess960"], fen), "e1h1");
    assert_eq!(castle(&[], &format!("{{\"fen\":\"{fen}\",\"chess960\":true}}")), "e1h1");
}

#[test]
fn games_are_analyzed_position_by_position() {
    let games = "[White \"A\"]\n\n1. e4 e5 2. Qh5 Ke7?? 3. Qxe5# 1-0\n\n[White \"B\"]\n\n1. e4 e4 *\n";
    let output = run(&["--pgn", "--depth", "2"], games);
    let records = timeless(&text(&output));
    let places: Vec<_> =
        records.iter().map(|record| (record["game"].as_u64(), record["ply"].as_u64())).collect();
    assert_eq!(places[..6], (0..6).map(|ply| (Some(1), Some(ply))).collect::<Vec<_>>()[..]);
    assert_eq!(records.len(), 9);
    assert_eq!(records[4]["bestmove"]["san"], "Qxe5#");
    assert_eq!(records[5]["outcome"], "checkmate");
    assert_eq!((code(&output), records[8]["error"]["kind"].as_str()), (1, Some("pgn")));
}

#[test]
fn faults_have_their_exit_codes() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!(code(&run(&["--fen", "nonsense"], "")), 2);
    assert_eq!(code(&run(&["--depth", "0"], fen)), 2);
    assert_eq!(code(&run(&["/no/such/file"], "")), 3);
    assert_eq!(code(&run(&["-o", "/no/such/folder/file", "--nodes", "10"], fen)), 4);
    assert_eq!(code(&run(&["--syzygy", "/no/such/folder"], fen)), 5);
    assert_eq!(code(&run(&["--nodes", "10"], "")), 0, "nothing to do is done");
    let failed = run(&["--on-error", "fail", "--nodes", "10"], &format!("{fen}\nnonsense\n{fen}\n"));
    assert_eq!((code(&failed), text(&failed).lines().count()), (1, 1));
    assert!(String::from_utf8_lossy(&failed.stderr).contains("line 2: "), "{failed:?}");
    let skipped = run(&["--on-error", "skip", "--nodes", "10"], &format!("{fen}\nnonsense\n{fen}\n"));
    assert_eq!((code(&skipped), text(&skipped).lines().count()), (1, 2));
}

#[test]
fn what_is_to_be_read_is_not_written_over() {
    let folder = folder("apart");
    let (input, fen) = (folder.join("positions"), "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n");
    std::fs::write(&input, fen).unwrap();
    let name = input.to_str().unwrap();
    for more in [&[][..], &["--resume"], &["--format", "epd"]] {
        let output = run(&[&[name, "-o", name, "--nodes", "10"], more].concat(), "");
        assert_eq!(code(&output), 2, "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(name), "{output:?}");
        assert_eq!(std::fs::read_to_string(&input).unwrap(), fen);
    }
}

#[test]
fn other_encodings_are_told() {
    let bytes: Vec<u8> =
        "\u{feff}[Event \"x\"]\n\n1. e4 *\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let path = folder("encoding").join("games.pgn");
    std::fs::write(&path, bytes).unwrap();
    for command in ["analyze", "annotate", "epdtest"] {
        let output = run_command(command, &[path.to_str().unwrap()], "");
        assert_eq!(code(&output), 3, "{command}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("UTF-16"), "{command}: {output:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_full_is_told() {
    let output = run(&["-o", "/dev/full", "--nodes", "10"], "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(code(&output), 4);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_success_and_an_interrupt_leaves_whole_records() {
    let folder = folder("pipe");
    let input = folder.join("in.fen");
    std::fs::write(&input, many_positions(400)).unwrap();
    let script =
        format!("\"$0\" analyze {} --nodes 500 | head -n 2; echo \"${{PIPESTATUS[0]}}\"", input.display());
    let output = Command::new("bash").args(["-c", &script, env!("CARGO_BIN_EXE_clavier")]).output().unwrap();
    let lines: Vec<String> = text(&output).lines().map(str::to_owned).collect();
    assert_eq!((lines.len(), lines[2].as_str()), (3, "0"), "{output:?}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_clavier"))
        .args(["analyze", input.to_str().unwrap(), "--nodes", "100000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(800));
    let process = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &process]).status().unwrap().success());
    let mut records = String::new();
    std::io::Read::read_to_string(child.stdout.as_mut().unwrap(), &mut records).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(records.is_empty() || records.ends_with('\n'));
    assert!(timeless(&records).iter().all(|record| record["status"] == "ok"));
}

#[test]
fn a_slow_source_is_answered_position_by_position() {
    use std::io::{BufRead, BufReader};
    let mut child = Command::new(env!("CARGO_BIN_EXE_clavier"))
        .args(["analyze", "--nodes", "50", "--jobs", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..3 {
        writeln!(input, "4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        assert!(answers.next().unwrap().unwrap().contains("\"status\":\"ok\""));
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn games_of_all_kinds_of_files_are_read() {
    let Some(folder) = common::shared("pgn") else { return };
    let manifest = std::fs::read_to_string(folder.join("manifest.jsonl")).unwrap();
    for line in manifest.lines() {
        let file: Value = serde_json::from_str(line).unwrap();
        let path = folder.join(file["file"].as_str().unwrap());
        let output = run(&["--nodes", "1", "--pgn", path.to_str().unwrap()], "");
        assert!(matches!(code(&output), 0 | 1), "{}: {output:?}", path.display());
        timeless(&text(&output));
    }
}

#[test]
fn suites_are_solved_and_counted() {
    let suite = "\
r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; dm 1; id \"scholar\";
6k1/5ppp/8/8/8/8/8/RR4K1 w - - am Ra8+ Rb8+; id \"wrong\";
6k1/5ppp/8/8/8/8/8/RR4K1 w - - bm Ra8+ Rb8+; c0 \"Ra8+=10, Rb8+=10, Ra7=2\"; id \"points\";
";
    let output = run_command("epdtest", &["-", "--depth", "4", "--json"], suite);
    let records: Vec<Value> = text(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((code(&output), records.len()), (0, 4));
    let solved: Vec<_> = records[..3].iter().map(|record| record["solved"].as_bool()).collect();
    assert_eq!(solved, [Some(true), Some(false), Some(true)]);
    assert_eq!((records[0]["bestmove"].as_str(), records[2]["points"].as_u64()), (Some("f3f7"), Some(10)));
    assert!(records[0]["nodes_to_solution"].is_u64() && records[1]["nodes_to_solution"].is_null());
    assert_eq!(
        (records[3]["summary"]["solved"].as_u64(), records[3]["summary"]["points"].as_u64()),
        (Some(2), Some(10))
    );
    assert_eq!(code(&run_command("epdtest", &["-", "--depth", "4", "--require", "2"], suite)), 0);
    assert_eq!(code(&run_command("epdtest", &["-", "--depth", "4", "--require", "3"], suite)), 1);
    let aimless = run_command("epdtest", &["-", "--depth", "1"], "6k1/5ppp/8/8/8/8/8/RR4K1 w - -\n");
    assert_eq!(code(&aimless), 1);
    assert!(String::from_utf8_lossy(&aimless.stderr).contains("line 1: there is nothing to be found"));
    assert_eq!(code(&run_command("epdtest", &["/no/such/suite"], "")), 3);
}

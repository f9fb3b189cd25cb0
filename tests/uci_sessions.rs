//! Scripted dialogues with the binary, one for each rule of conduct.

use clavier::board::{Position, notation};
use clavier::book::polyglot;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long an answer may take before a test fails; generous, for busy machines.
const PATIENCE: Duration = Duration::from_secs(30);

/// One step of a dialogue.
enum Step {
    /// Sends text and an end of line.
    Send(&'static str),
    /// Sends bytes as they are.
    Raw(&'static [u8]),
    /// Reads on to a line that begins so.
    Expect(&'static str),
    /// Reads on to a line that holds this text.
    Hold(&'static str),
    /// The very next line has to be this one.
    Next(&'static str),
    /// No line that begins so comes for so many milliseconds; other lines are skipped.
    Quiet(u64, &'static str),
    /// Waits so many milliseconds.
    Sleep(u64),
    /// Closes the engine's input.
    Close,
    /// The process has to end, with exit status 0, and without a line that begins so on the way.
    Exit(&'static str),
}
use Step::{Close, Exit, Expect, Hold, Next, Quiet, Raw, Send, Sleep};

/// A line that no engine prints.
const NOTHING: &str = "\0";

/// A running engine.
struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    seen: Vec<String>,
}

impl Engine {
    fn start() -> Engine {
        Engine::start_with(&[])
    }

    fn start_with(arguments: &[&str]) -> Engine {
        let mut process = Command::new(env!("CARGO_BIN_EXE_clavier"))
            .args(arguments)
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Engine { input: process.stdin.take(), process, lines, seen: Vec::new() }
    }

    fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine listens");
    }

    /// The next line, or none if it does not come in time.
    fn line(&mut self, patience: Duration) -> Option<String> {
        match self.lines.recv_timeout(patience) {
            Ok(line) => {
                self.seen.push(line.clone());
                Some(line)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    fn read_to(&mut self, wanted: &str, fits: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + PATIENCE;
        while let Some(line) = self.line(end.saturating_duration_since(Instant::now())) {
            if fits(&line) {
                return line;
            }
        }
        panic!("{wanted:?} did not come; seen:\n{}", self.seen.join("\n"));
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Send(text) => self.write(format!("{text}\n").as_bytes()),
            Raw(bytes) => self.write(bytes),
            Expect(start) => drop(self.read_to(start, |line| line.starts_with(start))),
            Hold(text) => drop(self.read_to(text, |line| line.contains(text))),
            Next(line) => {
                let found = self.line(PATIENCE);
                assert_eq!(found.as_deref(), Some(line), "seen:\n{}", self.seen.join("\n"));
            }
            Quiet(milliseconds, start) => {
                let end = Instant::now() + Duration::from_millis(milliseconds);
                while let Some(line) = self.line(end.saturating_duration_since(Instant::now())) {
                    assert!(!line.starts_with(start), "{line:?} came too early");
                }
            }
            Sleep(milliseconds) => std::thread::sleep(Duration::from_millis(milliseconds)),
            Close => self.input = None,
            Exit(forbidden) => self.exit(forbidden),
        }
    }

    fn exit(&mut self, forbidden: &str) {
        let Some(status) = wait_for_end(&mut self.process) else {
            panic!("still running; seen:\n{}", self.seen.join("\n"));
        };
        assert!(status.success(), "{status}");
        while let Some(line) = self.line(PATIENCE) {
            assert!(!line.starts_with(forbidden), "{line:?} came");
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // A failed test leaves no process behind; one that has ended already needs no kill.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn talk(steps: &[Step]) {
    let mut engine = Engine::start();
    for step in steps {
        engine.take(step);
    }
    if engine.input.is_some() && engine.process.try_wait().unwrap().is_none() {
        // However a dialogue ends, the engine still listens and then leaves when it is told to.
        engine.write(b"stop\nisready\nquit\n");
        engine.read_to("readyok", |line| line == "readyok");
        engine.exit(NOTHING);
    }
}

macro_rules! sessions {
    ($($(#[$doc:meta])* $name:ident: $steps:expr;)*) => {$(
        $(#[$doc])*
        #[test]
        fn $name() {
            talk(&$steps);
        }
    )*};
}

const MATED: &str = "position fen R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1";
const STALEMATED: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const MATE_IN_ONE: &str = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

sessions! {
    the_engine_introduces_itself: [
        Sleep(100), Send("uci"), Expect("id name Clavier "), Expect("id author "),
        Next("option name Hash type spin default 16 min 1 max 1048576"),
        Next("option name Clear Hash type button"), Expect("uciok"),
    ];
    quit_alone_ends_the_process: [Send("quit"), Exit("info")];
    unknown_words_before_a_command_are_skipped: [Send("joho foo isready"), Next("readyok")];
    an_unknown_command_gets_one_note: [
        Send("xyzzy"), Send("isreadyx"), Send("isready"),
        Next("info string unknown command: xyzzy"), Next("info string unknown command: isreadyx"), Next("readyok"),
    ];
    any_blanks_case_and_line_ends_are_understood: [
        Raw(b"\t IsReady \t\r\n"), Next("readyok"), Raw(b"\r\n\n   \n# a remark\nISREADY\n"), Next("readyok"),
    ];
    invalid_utf8_breaks_nothing: [
        Raw(b"\xff\xfe\n\xc3\x28 \xa0\nsetoption name X value \xe9\n"), Send("isready"), Expect("readyok"),
    ];
    a_command_may_come_in_pieces: [Raw(b"isre"), Sleep(50), Raw(b"ady\n"), Next("readyok")];
    the_last_line_needs_no_end: [Raw(b"isready"), Close, Next("readyok"), Exit(NOTHING)];
    register_and_debug_are_taken: [
        Send("register later"), Send("register name A code 1"), Send("register"), Send("debug on"), Send("debug off"),
        Send("isready"), Next("readyok"),
    ];

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
        Send("setoption name UCI_Elo value 499"), Hold("option UCI_Elo needs a whole number from 500 to 3000"),
    ];
    a_book_that_cannot_serve_is_told: [
        Send("setoption name Book File value /no/such/book.bin"),
        Hold("info string option Book File not set: book /no/such/book.bin: "),
        Send("setoption name OwnBook value true"), Send("go depth 1"),
        Next("info string OwnBook is on, but Book File names no book"), Expect("bestmove "),
        Send("go depth 1"), Quiet(50, "info string"),
    ];

    infinite_waits_for_stop: [
        Send("go infinite"), Quiet(300, "bestmove"), Send("isready"), Expect("readyok"),
        Quiet(100, "bestmove"), Send("stop"), Expect("bestmove "), Send("stop"), Quiet(100, "bestmove"),
    ];
    infinite_waits_with_mate_found_and_with_no_move: [
        Send(MATE_IN_ONE), Send("go infinite"), Quiet(400, "bestmove"), Send("stop"), Expect("bestmove a1a8"),
        Send(MATED), Send("go infinite"), Quiet(200, "bestmove"), Send("stop"), Expect("bestmove (none)"),
    ];
    ponder_waits_for_the_hit: [
        Send("go ponder wtime 50 btime 50"), Quiet(300, "bestmove"), Send("ponderhit"), Expect("bestmove "),
        Send("go movetime 20 ponder"), Quiet(200, "bestmove"), Send("ponderhit"), Expect("bestmove "),
        Send("go ponder infinite"), Quiet(100, "bestmove"), Send("ponderhit"), Quiet(100, "bestmove"),
        Send("stop"), Expect("bestmove "),
    ];
    a_stop_at_once_still_tells_a_true_score: [
        Send("go infinite\nstop"), Hold(" score cp "), Expect("bestmove "),
        Send("setoption name MultiPV value 3"), Send("go infinite\nstop"), Hold(" multipv 3 score cp "), Expect("bestmove "),
    ];
    a_search_for_a_mate_that_is_not_there_ends: [
        Send("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), Send("go mate 1"), Close, Expect("bestmove "), Exit(NOTHING),
    ];
    stop_and_ponderhit_when_idle_print_nothing_and_are_forgotten: [
        Send("stop"), Send("ponderhit"), Quiet(100, "bestmove"), Send("go infinite"), Quiet(200, "bestmove"),
        Send("stop"), Expect("bestmove "),
    ];
    stop_position_and_go_in_one_breath: [
        Send("go infinite"), Sleep(50), Send("stop\nposition startpos moves e2e4\ngo depth 3"),
        Expect("bestmove "), Expect("bestmove "), Quiet(100, "bestmove"),
    ];
    a_further_go_first_ends_the_running_search: [
        Send("go infinite"), Send("go infinite"), Expect("bestmove "), Quiet(100, "bestmove"),
        // Both wait for the end of the second search; the last stop is meant for the third.
        Send("go infinite\nstop"), Expect("bestmove "), Expect("bestmove "), Quiet(100, "bestmove"),
    ];
    what_changes_the_search_waits_for_its_end: [
        Send("go infinite"), Send("position startpos moves e2e4\nsetoption name Hash value 1\nucinewgame\nd"),
        Send("isready"), Expect("readyok"), Quiet(100, "Fen: "), Send("stop"), Expect("bestmove "),
        Next(""), Expect("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"),
    ];
    wait_holds_everything_back: [
        Send("go movetime 200\nwait\nisready\nquit"), Expect("bestmove "), Next("readyok"), Exit("bestmove"),
    ];
    quit_acts_where_waiting_would_never_end: [Send("go infinite\nwait\nquit"), Exit(NOTHING)];
    perft_ends_after_its_result_when_the_input_has_ended: [
        Send("go perft 5"), Close, Expect("Nodes searched: 4865609"), Exit("bestmove"),
    ];
    quit_ends_a_search: [Send("go infinite"), Sleep(50), Send("quit"), Exit(NOTHING)];

    the_end_of_input_lets_a_bounded_search_end: [
        Send("position startpos"), Send("go movetime 300"), Close, Expect("bestmove "), Exit("bestmove"),
    ];
    the_end_of_input_stops_an_unbounded_search: [Send("go infinite"), Sleep(50), Close, Exit(NOTHING)];
    the_end_of_input_stops_pondering: [Send("go ponder wtime 100000"), Sleep(50), Close, Exit(NOTHING)];
    the_end_of_input_waits_for_a_ponder_hit_search: [
        Send("go ponder movetime 300\nponderhit"), Close, Expect("bestmove "), Exit("bestmove"),
    ];
    the_end_of_input_when_idle_ends_the_process: [Close, Exit("info")];

    go_takes_its_words_in_any_order: [
        Send("go searchmoves a2a3 h2h3 depth 3 foo"), Next("info string go: \"foo\" skipped"), Expect("bestmove "),
        Send("go searchmoves e2e5 depth 2 b1c3"), Expect("info string searchmoves: e2e5 is not legal"),
        Expect("bestmove "), Send("go depth 2 \t"), Expect("bestmove "),
    ];
    negative_and_zero_clocks_move_at_once: [
        Send("go wtime -500 btime -500"), Expect("bestmove "), Send("go movetime 0"), Expect("bestmove "),
        Send("go movetime -1"), Expect("bestmove "), Send("go winc 100"), Expect("bestmove "),
        Send("go wtime 0 btime 0 movestogo 0"), Expect("bestmove "),
    ];
    numbers_of_any_length_are_taken: [
        Send("go depth 99999999999999999999"), Quiet(50, "bestmove"), Send("stop"), Expect("bestmove "),
        Send("go nodes 18446744073709551615"), Quiet(50, "bestmove"), Send("stop"), Expect("bestmove "),
    ];

    a_finished_game_has_no_move: [
        Send(MATED), Send("go depth 3"), Next("info depth 0 score mate 0"), Next("bestmove (none)"),
        Send(STALEMATED), Send("go movetime 100"), Next("info depth 0 score cp 0"), Next("bestmove (none)"),
    ];
    a_drawn_game_goes_on: [
        Send("position fen 8/8/3k4/8/8/3K4/8/8 w - - 0 1"), Send("go depth 3"), Expect("bestmove d3"),
    ];
    a_refused_position_is_never_searched: [
        Send("position fen 4k3/8/8/8/8/8/8/8 w - - 0 1"), Next("info string position refused: white has 0 kings, not 1"),
        Send("go depth 3"), Next("bestmove 0000"), Send("go perft 3"), Next("Nodes searched: 0"),
        Send("d"), Next("info string no position is set"), Send("go infinite"), Next("bestmove 0000"),
        Send("position startpos moves e2e4 e7e6 e4e6"), Hold("move number 3 of the list: move e4e6 is not legal"),
        Send("go depth 3"), Next("bestmove 0000"),
        Send("position"), Hold("refused"), Send("position startpos xyz"), Hold("refused"),
        Send("position fen"), Hold("the FEN is empty"),
        Send("position startpos"), Send("go depth 2"), Expect("bestmove "),
    ];
    harmless_faults_of_a_fen_are_repaired_aloud: [
        Send("position fen 4k3/8/8/8/8/8/8/4K3 w KQ e3 -3"), Hold("castling right K dropped"), Hold("castling right Q"),
        Hold("en passant square e3 dropped"), Send("go perft 1"), Expect("Nodes searched: 5"),
    ];
    the_start_position_stands_before_any_other: [Send("go perft 2"), Expect("Nodes searched: 400")];
    the_position_is_kept: [
        Send("position startpos moves e2e4"), Send("ucinewgame"), Send("go perft 1"), Expect("Nodes searched: 20"),
        Send("d"), Expect("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"),
    ];

    castling_is_written_as_the_position_asks: [
        Send("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), Send("go perft 1"), Expect("e1g1: 1"),
        Expect("Nodes searched: 26"), Send("setoption name UCI_Chess960 value true"), Send("go perft 1"),
        Expect("e1h1: 1"), Expect("Nodes"), Send("setoption name UCI_Chess960 value false"),
        // King and rook off their squares, so the option does not matter.
        Send("position fen 4k3/8/8/8/8/8/8/5K1R w H - 0 1 moves f1h1"), Send("d"), Expect("Fen: 4k3/8/8/8/8/8/8/5RK1 b"),
    ];
    people_are_served_too: [
        Send("help"), Hold("go depth 12"), Send("d"), Expect("Key: "), Expect("Outcome: none"), Expect("Backend: "),
        Send("eval"), Expect("Evaluation: "), Send("flip"), Send("d"),
        Expect("Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq"),
    ];
    perft_listens_while_it_counts: [
        Send("go perft 9"), Send("isready"), Expect("readyok"), Send("stop"),
        Expect("info string stopped"), Expect("Nodes searched: "),
    ];
    bench_keeps_the_position: [
        Send("position startpos moves e2e4"), Send("bench 1"), Hold(" nps"),
        Send("d"), Expect("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"),
        Send("bench deep"), Hold("bench takes a depth"),
    ];
}

#[test]
fn very_long_lines_break_nothing() {
    let mut engine = Engine::start();
    engine.write(&[vec![b'x'; 1 << 20], b"\n".to_vec()].concat());
    let note = engine.read_to("a note", |line| line.starts_with("info string unknown command: x"));
    assert!(note.len() < 200, "the line is told in short");
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(2500);
    engine.write(format!("position startpos moves {shuffle}\ngo depth 2\n").as_bytes());
    engine.read_to("bestmove", |line| line.starts_with("bestmove "));
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

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_log_and_not_the_game() {
    let mut engine = Engine::start_with(&["uci", "--log", "/dev/full"]);
    engine.write(b"isready\ngo depth 1\n");
    engine.read_to("a note", |line| line.starts_with("info string Debug Log File cannot be written"));
    engine.read_to("readyok", |line| line == "readyok");
    engine.read_to("bestmove", |line| line.starts_with("bestmove "));
}

#[test]
fn a_closed_output_ends_the_process() {
    let mut process = Command::new(env!("CARGO_BIN_EXE_clavier"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(process.stdout.take());
    process.stdin.as_mut().unwrap().write_all(b"uci\ngo infinite\n").unwrap();
    // Its input stays open: it is the output alone that ends it.
    assert!(wait_for_end(&mut process).expect("it ends").success());
    let mut talk = String::new();
    process.stderr.take().unwrap().read_to_string(&mut talk).unwrap();
    assert_eq!(talk, "", "it ends quietly");
}

/// The exit status of a process; none if it does not end in time.
fn wait_for_end(process: &mut Child) -> Option<ExitStatus> {
    let end = Instant::now() + PATIENCE;
    loop {
        match process.try_wait().unwrap() {
            Some(status) => return Some(status),
            None if Instant::now() > end => return None,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

#[test]
fn many_quick_stops_give_one_move_each() {
    let mut engine = Engine::start();
    for _ in 0..30 {
        engine.write(b"go infinite\nstop\n");
        engine.read_to("bestmove", |line| line.starts_with("bestmove "));
    }
    engine.take(&Quiet(100, "bestmove"));
}

#[test]
fn waiting_burns_no_time() {
    let mut engine = Engine::start();
    engine.write(b"position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo infinite\n");
    std::thread::sleep(Duration::from_millis(500));
    let Some(ticks) = cpu_ticks(engine.process.id()) else { return };
    assert!(ticks < 15, "{ticks} ticks of 10 ms were used while waiting");
}

/// Time that a process has used, in ticks; known on Linux only.
fn cpu_ticks(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in parentheses may hold blanks; user and system time are the 12th and 13th field after it.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

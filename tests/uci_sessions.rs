//! Scripted dialogues with the binary, one for each rule of conduct.

mod dialogue;

use dialogue::*;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

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

    a_board_full_of_heavy_men_do_not_hold_up_the_answer: [
        Send("position fen rnbqkbnr/rrrrrrrr/8/8/8/8/RRRRRRRR/RNBQKBNR w KQkq - 0 1"),
        Send("go movetime 100"), Expect("bestmove "), Send("go nodes 1"), Expect("bestmove "),
        Send("position fen qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1"),
        Send("go infinite"), Sleep(50), Send("stop"), Expect("bestmove "),
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
    two_threads_search_stop_and_go_back_to_one: [
        Send("setoption name Threads value 2\ngo infinite"), Quiet(200, "bestmove"), Send("stop"), Expect("bestmove "),
        Send("go depth 9"), Expect("info depth 9"), Expect("bestmove "), Send("go movetime 100"), Expect("bestmove "),
        Send("setoption name Threads value 1\ngo depth 3"), Expect("bestmove "), Quiet(100, "bestmove"),
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
        Send("eval"), Hold("|   r   |   n   |"), Expect("WDL: "), Expect("Evaluation: "), Send("flip"), Send("d"),
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

#[test]
fn many_quick_stops_give_one_move_each() {
    let mut engine = Engine::start();
    for _ in 0..30 {
        engine.write(b"go infinite\nstop\n");
        engine.read_to("bestmove", |line| line.starts_with("bestmove "));
    }
    engine.take(&Quiet(100, "bestmove"));
}

/// A GUI starts its clock after `readyok`, so what it asked for before has to be done by then.
#[test]
fn what_comes_after_a_result_does_not_wait() {
    let mut engine = Engine::start();
    for turn in 0..300 {
        let (job, result) = [("go nodes 1", "bestmove "), ("go perft 1", "Nodes searched: 20")][turn % 2];
        engine.write(format!("{job}\n").as_bytes());
        engine.take(&Expect(result));
        engine.write(b"setoption name X\nisready\n");
        let answer = engine.read_to("an answer", |line| !line.is_empty());
        assert!(answer.starts_with("info string "), "{answer} before the option is set, turn {turn}");
        engine.take(&Next("readyok"));
    }
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

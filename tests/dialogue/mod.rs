//! Dialogues with the binary, step by step.

#![allow(dead_code, reason = "not every test program takes every step")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long an answer may take before a test fails; generous, for busy machines.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// One step of a dialogue.
pub enum Step {
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
pub use Step::{Close, Exit, Expect, Hold, Next, Quiet, Raw, Send, Sleep};

/// A line that no engine prints.
pub const NOTHING: &str = "\0";

/// A running engine.
pub struct Engine {
    pub process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    seen: Vec<String>,
}

impl Engine {
    pub fn start() -> Engine {
        Engine::start_with(&[])
    }

    pub fn start_with(arguments: &[&str]) -> Engine {
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

    pub fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine listens");
    }

    /// The next line, or none if it does not come in time.
    pub fn line(&mut self, patience: Duration) -> Option<String> {
        match self.lines.recv_timeout(patience) {
            Ok(line) => {
                self.seen.push(line.clone());
                Some(line)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    pub fn read_to(&mut self, wanted: &str, fits: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + PATIENCE;
        while let Some(line) = self.line(end.saturating_duration_since(Instant::now())) {
            if fits(&line) {
                return line;
            }
        }
        panic!("{wanted:?} did not come; seen:\n{}", self.seen.join("\n"));
    }

    pub fn take(&mut self, step: &Step) {
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

    pub fn exit(&mut self, forbidden: &str) {
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

pub fn talk(steps: &[Step]) {
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

/// A test for each dialogue.
macro_rules! sessions {
    ($($(#[$doc:meta])* $name:ident: $steps:expr;)*) => {$(
        $(#[$doc])*
        #[test]
        fn $name() {
            $crate::dialogue::talk(&$steps);
        }
    )*};
}
pub(crate) use sessions;

pub const MATED: &str = "position fen R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1";
pub const STALEMATED: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
pub const MATE_IN_ONE: &str = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

/// The exit status of a process; none if it does not end in time.
pub fn wait_for_end(process: &mut Child) -> Option<ExitStatus> {
    let end = Instant::now() + PATIENCE;
    loop {
        match process.try_wait().unwrap() {
            Some(status) => return Some(status),
            None if Instant::now() > end => return None,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

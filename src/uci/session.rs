//! One session: what has been set, what is running, what has to wait.
//!
//! While something runs, `isready`, `debug`, `stop`, `ponderhit` and `quit` act at once; everything else waits in
//! order. A further `go` first ends what is running.

use super::command::{self, Command, PositionText, SetOption};
use super::format::{self, UciReporter};
use super::go::GoCommand;
use super::job::{self, Job};
use super::options;
use super::player::Player;
use super::{Input, Opening, extras};
use crate::bench;
use crate::board::{Position, fen, notation};
use crate::game::Game;
use crate::search::{Limits, Report};
use crate::types::Move;
use std::collections::VecDeque;
use std::sync::mpsc::Sender;
use vampirc_uci::UciMessage;

/// Deepest count of leaves that can be asked for, in plies.
const MAX_PERFT_DEPTH: i64 = 64;

/// How much of a session is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Lines come in.
    Open,
    /// No more lines come; what is bounded runs to its end.
    Closed,
    /// All is done.
    Over,
}

/// The state of the loop.
pub struct Session {
    player: Player,
    /// The loop's own ear, for those who have to tell it that a job has ended.
    inputs: Sender<Input>,
    running: Option<Job>,
    /// Commands that wait for the end of the job.
    deferred: VecDeque<Command>,
    /// Did `wait` ask to hold everything back until the job ends?
    is_waiting: bool,
    /// Was the last `position` good?
    is_position_set: bool,
    debug: bool,
    stage: Stage,
}

impl Session {
    /// A session with the initial position.
    pub fn new(inputs: Sender<Input>, opening: Opening) -> Session {
        let mut session = Session {
            player: Player { notes: opening.notes, ..Player::default() },
            inputs,
            running: None,
            deferred: VecDeque::new(),
            is_waiting: false,
            is_position_set: true,
            debug: false,
            stage: Stage::Open,
        };
        for setting in &opening.settings {
            if let Err(error) = options::apply_setting(&mut session.player, setting) {
                session.player.notes.push(setting.explain(&error));
            }
        }
        for (name, value) in &opening.options {
            if let Err(error) = options::set_option(&mut session.player, name, Some(value)) {
                session.player.notes.push(error.to_string());
            }
        }
        session
    }

    /// Is the session at its end?
    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// Takes a line.
    pub fn hear(&mut self, line: &[u8]) {
        self.tell_notes();
        self.player.console.hear(line);
        match command::parse(line) {
            Ok(Some(command)) => self.take(command),
            Ok(None) => {}
            Err(error) => self.player.console.note(error),
        }
    }

    /// No more lines come: what is bounded runs to its end.
    pub fn close(&mut self) {
        self.stage = Stage::Closed;
        self.finish_if_closed();
    }

    /// The running job has ended: once it has told its result, what had to wait comes.
    pub fn end_job(&mut self) {
        match self.running.take() {
            Some(Job::Search(_)) => self.player.engine.wait(),
            Some(Job::Other(work)) => work.wait(),
            None => {}
        }
        self.is_waiting = false;
        for command in std::mem::take(&mut self.deferred) {
            self.take(command);
        }
        self.finish_if_closed();
    }

    fn finish_if_closed(&mut self) {
        match &self.running {
            _ if self.stage != Stage::Closed => {}
            None => self.stage = Stage::Over,
            Some(job) if !job.is_bounded() => self.stop(),
            Some(_) => {}
        }
    }

    fn tell_notes(&mut self) {
        for note in std::mem::take(&mut self.player.notes) {
            self.player.console.note(note);
        }
    }

    fn take(&mut self, command: Command) {
        if self.is_over() {
            return;
        }
        if !self.has_to_wait(&command) {
            self.carry_out(command);
            return;
        }
        if self.debug {
            self.player.console.note(format_args!("waits for the end of the search: {command:?}"));
        }
        if matches!(command, Command::Go(_)) && !self.is_waiting {
            self.stop();
        }
        self.deferred.push_back(command);
    }

    fn has_to_wait(&self, command: &Command) -> bool {
        use UciMessage::{Debug, IsReady, PonderHit, Quit, Register, Stop, Uci};
        if self.running.is_none() {
            return false;
        }
        match command {
            // These are meant for the next search, if one has been asked for already.
            Command::Plain(Stop | PonderHit) => {
                self.deferred.iter().any(|waiting| matches!(waiting, Command::Go(_)))
            }
            // A search without end would never let it through.
            Command::Plain(Quit) => self.is_waiting && self.running.as_ref().is_some_and(Job::is_bounded),
            Command::Plain(IsReady | Debug(_) | Uci | Register { .. }) | Command::Help => self.is_waiting,
            Command::Wait => !self.deferred.is_empty(),
            _ => true,
        }
    }

    fn carry_out(&mut self, command: Command) {
        match command {
            Command::Plain(message) => self.carry_out_plain(&message),
            Command::SetOption(SetOption { name, value }) => {
                if let Err(error) = options::set_option(&mut self.player, &name, value.as_deref()) {
                    self.player.console.note(error);
                }
                self.tell_notes();
            }
            Command::Position(text) => self.set_position(&text),
            Command::Go(go) => self.go(&go),
            Command::Bench(words) => self.start_bench(&words),
            Command::Display => self.show(|player| extras::display(player.engine.game())),
            Command::Evaluate => self.show(|player| {
                extras::evaluation(player.engine.game().position(), &player.engine.appraise())
            }),
            Command::Flip => self.flip(),
            Command::Help => self.player.console.say(extras::HELP),
            Command::Wait => self.is_waiting = self.running.is_some(),
        }
    }

    fn carry_out_plain(&mut self, message: &UciMessage) {
        match message {
            UciMessage::Uci => self.introduce(),
            UciMessage::IsReady => self.player.console.say(UciMessage::ReadyOk),
            UciMessage::Debug(on) => self.debug = *on,
            UciMessage::UciNewGame => {
                self.player.engine.new_game();
                self.player.book.new_game();
            }
            UciMessage::Stop => self.stop(),
            UciMessage::PonderHit => self.ponder_hit(),
            UciMessage::Quit => {
                self.stop();
                self.stage = Stage::Over;
            }
            // Registration is never asked for; the crate's other messages are not commands.
            _ => {}
        }
    }

    /// Answers `uci`. One write, so that a GUI has it all at once.
    fn introduce(&self) {
        let name = UciMessage::id_name(concat!("Clavier ", env!("CARGO_PKG_VERSION")));
        let author = UciMessage::id_author("the Clavier authors");
        let options: Vec<_> = options::lines().into_iter().map(|line| line + "\n").collect();
        self.player.console.say(format_args!("{name}\n{author}\n{}{}", options.concat(), UciMessage::UciOk));
    }

    fn stop(&self) {
        match &self.running {
            Some(Job::Search(_)) => self.player.engine.stop(),
            Some(Job::Other(work)) => work.stop(),
            None => {}
        }
    }

    fn ponder_hit(&mut self) {
        if let Some(Job::Search(limits)) = &mut self.running
            && limits.ponder
        {
            limits.ponder = false;
            self.player.engine.ponder_hit();
        }
    }

    /// Sets the position, or none at all if anything about it is wrong.
    fn set_position(&mut self, text: &PositionText) {
        self.is_position_set = match self.read_game(text) {
            Ok(game) => {
                self.player.engine.set_game(game);
                true
            }
            Err(error) => {
                self.player.console.note(format_args!("position refused: {error:#}"));
                false
            }
        };
    }

    fn read_game(&self, text: &PositionText) -> anyhow::Result<Game> {
        let mut game = Game::default();
        if let Some(fen) = &text.fen {
            let (position, repairs) = fen::read(fen)?;
            for repair in repairs {
                self.player.console.note(repair);
            }
            game = Game::new(position);
        }
        for (index, text) in text.moves.iter().enumerate() {
            let m = notation::parse_uci(game.position(), text)
                .map_err(|error| anyhow::anyhow!("move number {} of the list: {error}", index + 1))?;
            game.play(m);
        }
        Ok(game)
    }

    fn go(&mut self, go: &GoCommand) {
        for note in &go.notes {
            self.player.console.note(note);
        }
        if let Some(depth) = go.perft {
            return self.start_perft(depth);
        }
        if !self.is_position_set {
            return self.player.console.say("bestmove 0000");
        }
        let root = *self.player.engine.game().position();
        let (limits, notes) = go.limits(&root);
        for note in notes {
            self.player.console.note(note);
        }
        if let Some(m) = self.book_move(&limits) {
            let report = Report { best: Some(m), ..Report::default() };
            return self.player.console.say(format::best_move(&root, &report, self.player.style.chess960));
        }
        let reporter = UciReporter {
            console: self.player.console.clone(),
            root,
            style: self.player.style,
            ended: self.inputs.clone(),
        };
        self.player.engine.go(&limits, Box::new(reporter));
        self.running = Some(Job::Search(limits));
        self.finish_if_closed();
    }

    /// The move of the engine's own book, where a move for a game is asked for.
    fn book_move(&mut self, limits: &Limits) -> Option<Move> {
        let is_analysis = self.player.is_analyzing || limits.infinite || limits.mate.is_some();
        if is_analysis || limits.ponder || !limits.search_moves.is_empty() {
            return None;
        }
        let advice = self.player.book.advise(self.player.engine.game().position());
        if let Some(note) = advice.note {
            self.player.console.note(note);
        }
        advice.m
    }

    fn start_perft(&mut self, depth: i64) {
        if !self.is_position_set {
            return self.player.console.say("Nodes searched: 0");
        }
        let position = *self.player.engine.game().position();
        let depth = depth.clamp(0, MAX_PERFT_DEPTH) as u32;
        let console = self.player.console.clone();
        let chess960 = self.player.style.chess960;
        let job = job::start_perft(self.inputs.clone(), console, position, depth, chess960);
        self.start(job);
    }

    fn start_bench(&mut self, words: &[String]) {
        match bench::Plan::parse(words) {
            Ok(plan) => self.start(job::start_bench(self.inputs.clone(), self.player.console.clone(), plan)),
            Err(error) => self.player.console.note(error),
        }
    }

    fn start(&mut self, job: std::io::Result<Job>) {
        match job {
            Ok(job) => self.running = Some(job),
            Err(error) => self.player.console.note(format_args!("no thread can be started: {error}")),
        }
    }

    /// Shows something about the position, if there is one.
    fn show(&self, text: impl FnOnce(&Player) -> String) {
        if self.is_position_set {
            self.player.console.say(text(&self.player));
        } else {
            self.player.console.note("no position is set");
        }
    }

    fn flip(&mut self) {
        let flipped = extras::flip(self.player.engine.game().position());
        match flipped.parse::<Position>() {
            Ok(position) if self.is_position_set => self.player.engine.set_game(Game::new(position)),
            Ok(_) => self.player.console.note("no position is set"),
            Err(error) => self.player.console.note(error),
        }
    }
}

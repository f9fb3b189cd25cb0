//! The searching threads, which live as long as the engine.

use super::vote;
use crate::game::Game;
use crate::search::{Event, Limits, Report, Reporter, Settings, Shared, Silent, Worker};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Instant;

/// Stack of a searching thread: room for the deepest line with a wide margin.
const STACK_BYTES: usize = 16 << 20;

/// A search that a thread is to take part in.
struct Task {
    game: Game,
    limits: Limits,
    settings: Settings,
    reporter: Box<dyn Reporter>,
}

/// What a thread is to do.
enum Job {
    Search(Box<Task>),
    Join(Arc<Shared>),
    NewGame,
}

/// Where threads and engine wait for each other.
#[derive(Default)]
struct Signals {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Threads that are searching.
    busy: usize,
    /// The search may end: it is bounded, or has been stopped.
    may_end: bool,
    /// What the threads besides the main one have found.
    reports: Vec<Report>,
    /// When pondering began.
    pondering_since: Option<Instant>,
}

/// One thread.
struct Member {
    jobs: Sender<Job>,
    thread: JoinHandle<()>,
}

/// All threads.
pub(super) struct Pool {
    members: Vec<Member>,
    signals: Arc<Signals>,
}

impl Pool {
    /// As many threads as the shared state is made for.
    pub fn new(shared: &Arc<Shared>) -> Pool {
        let mut pool = Pool { members: Vec::new(), signals: Arc::default() };
        pool.join(shared);
        pool
    }

    /// Works with this shared state from now on.
    pub fn join(&mut self, shared: &Arc<Shared>) {
        let wanted = shared.nodes.len();
        while self.members.len() > wanted {
            if let Some(member) = self.members.pop() {
                drop(member.jobs);
                let _ = member.thread.join();
            }
        }
        for member in &self.members {
            send(member, Job::Join(Arc::clone(shared)));
        }
        for id in self.members.len()..wanted {
            match Member::start(id, shared, &self.signals) {
                Some(member) => self.members.push(member),
                // The system has no more threads: those that there are will do.
                None => break,
            }
        }
    }

    /// Forgets the game before.
    pub fn new_game(&self) {
        self.members.iter().for_each(|member| send(member, Job::NewGame));
    }

    /// Starts a search on all threads. None may be running.
    pub fn go(&self, game: &Game, limits: &Limits, settings: &Settings, reporter: Box<dyn Reporter>) {
        // Weaker play is the same every time, which several threads are not.
        let count = if settings.level.is_some() { self.members.len().min(1) } else { self.members.len() };
        let mut state = self.signals.lock();
        state.busy = count;
        state.reports.clear();
        state.may_end = !limits.infinite && !limits.ponder;
        state.pondering_since = limits.ponder.then(Instant::now);
        drop(state);
        let mut reporter = Some(reporter);
        for member in &self.members[..count] {
            // The main thread comes first and does the talking.
            let reporter = reporter.take().unwrap_or_else(|| Box::new(Silent));
            let (game, limits, settings) = (game.clone(), limits.clone(), settings.clone());
            send(member, Job::Search(Box::new(Task { game, limits, settings, reporter })));
        }
    }

    pub fn stop(&self, shared: &Shared) {
        shared.stop();
        self.signals.lock().may_end = true;
        self.signals.changed.notify_all();
    }

    pub fn ponder_hit(&self, shared: &Shared) {
        let mut state = self.signals.lock();
        if let Some(since) = state.pondering_since.take() {
            shared.pondered_us.store(since.elapsed().as_micros() as u64, Ordering::Relaxed);
            shared.pondering.store(false, Ordering::Relaxed);
            state.may_end = true;
            self.signals.changed.notify_all();
        }
    }

    pub fn is_searching(&self) -> bool {
        self.signals.lock().busy > 0
    }

    pub fn wait(&self) {
        let state = self.signals.lock();
        drop(self.signals.changed.wait_while(state, |state| state.busy > 0));
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for member in self.members.drain(..) {
            drop(member.jobs);
            let _ = member.thread.join();
        }
    }
}

impl Signals {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Waits, without burning time, until the search may end.
    fn wait_for_permission(&self) {
        let state = self.lock();
        drop(self.changed.wait_while(state, |state| !state.may_end));
    }

    fn finish_one(&self) {
        self.lock().busy -= 1;
        self.changed.notify_all();
    }

    /// Waits until only the calling thread is searching; what the others have found.
    fn wait_for_others(&self) -> Vec<Report> {
        let state = self.lock();
        let waited = self.changed.wait_while(state, |state| state.busy > 1);
        std::mem::take(&mut waited.unwrap_or_else(std::sync::PoisonError::into_inner).reports)
    }
}

fn send(member: &Member, job: Job) {
    // A thread leaves its loop only when its sender is dropped, so sending cannot fail.
    let _ = member.jobs.send(job);
}

impl Member {
    fn start(id: usize, shared: &Arc<Shared>, signals: &Arc<Signals>) -> Option<Member> {
        let (jobs, inbox) = channel();
        let (shared, signals) = (Arc::clone(shared), Arc::clone(signals));
        let thread = std::thread::Builder::new()
            .name(format!("search {id}"))
            .stack_size(STACK_BYTES)
            .spawn(move || work(id, shared, &signals, &inbox))
            .ok()?;
        Some(Member { jobs, thread })
    }
}

/// The life of a thread.
fn work(id: usize, mut shared: Arc<Shared>, signals: &Signals, inbox: &Receiver<Job>) {
    let mut worker = Worker::new(Arc::clone(&shared), id);
    while let Ok(job) = inbox.recv() {
        match job {
            Job::NewGame => worker.new_game(),
            Job::Join(other) => {
                shared = Arc::clone(&other);
                worker.join(other);
            }
            Job::Search(mut task) => {
                let report = worker.search(&task.game, &task.limits, &task.settings, &mut *task.reporter);
                if id == 0 {
                    signals.wait_for_permission();
                    shared.stop();
                    finish(report, signals.wait_for_others(), &shared, &mut *task.reporter);
                } else {
                    signals.lock().reports.push(report);
                }
                signals.finish_one();
            }
        }
    }
}

/// Tells the result of all threads. With several lines the main thread's count: lines of different threads do not
/// make one table.
fn finish(own: Report, others: Vec<Report>, shared: &Shared, reporter: &mut dyn Reporter) {
    let (time, several) = (own.time, own.lines.len() > 1);
    let mut reports = vec![own];
    reports.extend(others);
    let elected = if several { 0 } else { vote::elected(&reports) };
    let mut report = reports.swap_remove(elected);
    (report.nodes, report.time) = (shared.total_nodes(), time);
    if elected != 0 {
        for line in &mut report.lines {
            (line.nodes, line.time) = (report.nodes, time);
            reporter.report(Event::Line(line));
        }
    }
    reporter.report(Event::Finished(&report));
}

//! Self-play on all threads into files that survive a kill. Every thread has its own player, its own file and
//! its own seed; a run that is started again goes on where the one before was ended.

use super::files::{FileError, GAMES_EXTENSION, GameFile, list_games, whole_games};
use super::games::{GameRecord, GameResult, is_kept};
use super::openings::{Openings, Source};
use super::runs::Run;
use super::selfplay::{Adjudication, Player, play};
use crate::board::Position;
use crate::calendar;
use crate::game::Game;
use crate::search::Limits;
use rayon::prelude::*;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// Time between two looks at the progress.
const TICK: Duration = Duration::from_millis(200);

/// Everything that decides a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Folder of the files of games.
    pub folder: PathBuf,
    /// Number of threads.
    pub threads: usize,
    /// Bounds of the search of a move.
    pub limits: Limits,
    /// Where games start.
    pub source: Source,
    /// Plies by chance at the start.
    pub random_plies: RangeInclusive<u32>,
    /// Openings with a larger score are dropped, in internal units.
    pub opening_limit: i32,
    /// Bounds of the search that looks at openings.
    pub opening_limits: Limits,
    /// When games end before the rules end them.
    pub adjudication: Adjudication,
    /// Seed of the run.
    pub seed: u64,
    /// When the run ends.
    pub goal: Goal,
    /// What evaluates the positions, for the record.
    pub net: String,
    /// What players keep from inside their searches, for the record.
    pub inside: Option<String>,
}

/// When a run ends; games and positions count what is in the folder already.
#[derive(Clone, Copy, Debug, Default)]
pub struct Goal {
    /// So many games in the folder.
    pub games: Option<u64>,
    /// So many positions in the folder that are fit to learn from.
    pub positions: Option<u64>,
    /// So much time.
    pub time: Option<Duration>,
}

/// Counts of games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tally {
    /// Whole games.
    pub games: u64,
    /// Moves of all games.
    pub plies: u64,
    /// Positions fit to learn from, see [`super::games::is_kept`].
    pub kept: u64,
    /// Games that White won, that were drawn, and that Black won.
    pub results: [u64; 3],
    /// Openings that were dropped as too one-sided.
    pub dropped_openings: u64,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        self.plies += game.moves.len() as u64;
        self.kept += game.positions().filter(|(position, scored)| is_kept(position, *scored)).count() as u64;
        self.results[match game.result {
            GameResult::WhiteWins => 0,
            GameResult::Draw => 1,
            GameResult::BlackWins => 2,
        }] += 1;
    }

    /// Adds other counts.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.plies += other.plies;
        self.kept += other.kept;
        self.dropped_openings += other.dropped_openings;
        for (count, more) in self.results.iter_mut().zip(other.results) {
            *count += more;
        }
    }
}

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// What this run has played.
    pub tally: Tally,
    /// What was in the folder before.
    pub before: Tally,
    /// Bytes of torn games that were cut at the start.
    pub torn: u64,
    /// Time since the run began.
    pub elapsed: Duration,
}

impl Progress {
    /// The share of the goal that is reached; none without a goal.
    pub fn share(&self, goal: &Goal) -> Option<f64> {
        let part = |done: f64, wanted: f64| if wanted > 0.0 { (done / wanted).min(1.0) } else { 1.0 };
        let games = goal.games.map(|wanted| part(self.games() as f64, wanted as f64));
        let positions = goal.positions.map(|wanted| part(self.positions() as f64, wanted as f64));
        let time = goal.time.map(|wanted| part(self.elapsed.as_secs_f64(), wanted.as_secs_f64()));
        [games, positions, time].into_iter().flatten().reduce(f64::max)
    }

    /// Time until the goal is reached at the present speed; none without a goal or before the first game.
    pub fn time_left(&self, goal: &Goal) -> Option<Duration> {
        let seconds = self.elapsed.as_secs_f64();
        let at_rate = |left: u64, done: u64| (done > 0).then(|| left as f64 * seconds / done as f64);
        let games = goal.games.and_then(|n| at_rate(n.saturating_sub(self.games()), self.tally.games));
        let positions =
            goal.positions.and_then(|n| at_rate(n.saturating_sub(self.positions()), self.tally.kept));
        let time = goal.time.map(|time| time.saturating_sub(self.elapsed).as_secs_f64());
        let least = [games, positions, time].into_iter().flatten().reduce(f64::min)?;
        Duration::try_from_secs_f64(least).ok()
    }

    /// Games in the folder.
    pub fn games(&self) -> u64 {
        self.before.games + self.tally.games
    }

    /// Kept positions in the folder.
    pub fn positions(&self) -> u64 {
        self.before.kept + self.tally.kept
    }
}

/// What the threads share.
struct Shared<'a> {
    plan: &'a Plan,
    stop: &'a AtomicBool,
    began: Instant,
    before: Tally,
    torn: u64,
    /// Counts, and the number of games begun.
    counts: Mutex<(Tally, u64)>,
}

/// Plays until the goal is reached or `stop` is set; then all games under way are finished and written.
/// `watch` is told the progress several times a second.
///
/// # Errors
/// If a file cannot be written or is damaged. The other threads finish their games.
///
/// # Panics
/// If a player panics.
pub fn run<P: Player>(
    plan: &Plan,
    new_player: impl Fn() -> P + Sync,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Progress, FileError> {
    let io_error = |fault| FileError::Io { path: plan.folder.clone(), fault };
    std::fs::create_dir_all(&plan.folder).map_err(io_error)?;
    let files: Vec<GameFile> =
        (0..plan.threads).map(|thread| open_file(plan, thread)).collect::<Result<_, _>>()?;
    let shared = Shared {
        plan,
        stop,
        began: Instant::now(),
        before: count_before(&plan.folder)?,
        torn: files.iter().map(GameFile::torn).sum(),
        counts: Mutex::default(),
    };
    let outcome = std::thread::scope(|scope| {
        let workers: Vec<_> = files
            .into_iter()
            .enumerate()
            .map(|(thread, file)| {
                let (shared, new_player) = (&shared, &new_player);
                scope.spawn(move || shared.work(thread, file, new_player()))
            })
            .collect();
        while !workers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            watch(&shared.progress());
            std::thread::sleep(TICK);
        }
        workers
            .into_iter()
            .map(|worker| worker.join().expect("a thread of self-play does not panic"))
            .collect::<Result<Vec<()>, FileError>>()
    });
    outcome.map(|_| shared.progress())
}

fn open_file(plan: &Plan, thread: usize) -> Result<GameFile, FileError> {
    let path = plan.folder.join(format!("thread-{thread:02}.{GAMES_EXTENSION}"));
    GameFile::open(&path)
}

/// Counts what is in the folder, and replays it on the way.
fn count_before(folder: &Path) -> Result<Tally, FileError> {
    let paths = list_games(folder).map_err(|fault| FileError::Io { path: folder.to_owned(), fault })?;
    let tallies: Vec<Tally> = paths.par_iter().map(|path| count_file(path)).collect::<Result<_, _>>()?;
    let mut sum = Tally::default();
    for tally in &tallies {
        sum.merge(tally);
    }
    Ok(sum)
}

/// Counts the games of a file; a torn last one, left there by a run with more threads, does not count.
fn count_file(path: &Path) -> Result<Tally, FileError> {
    let bytes = std::fs::read(path).map_err(|fault| FileError::Io { path: path.to_owned(), fault })?;
    let damaged = |at, fault| FileError::Damaged { path: path.to_owned(), at, fault };
    let whole = whole_games(&bytes).map_err(|(at, fault)| damaged(at, fault))?;
    let mut tally = Tally::default();
    let mut at = 0;
    while at < whole.length {
        let (game, length) = GameRecord::decode(&bytes[at..]).map_err(|fault| damaged(at, fault))?;
        tally.add(&game);
        at += length;
    }
    Ok(tally)
}

impl Shared<'_> {
    /// One thread's life.
    fn work(&self, thread: usize, mut file: GameFile, mut player: impl Player) -> Result<(), FileError> {
        let seed = thread_seed(self.plan.seed, thread, file.games());
        file.note_run(&self.plan.describe(seed, file.games()))?;
        let mut openings = Openings::new(self.plan.source.clone(), self.plan.random_plies.clone(), seed);
        while self.begin_game() {
            let Some(start) = self.draw_opening(&mut openings, &mut player) else { break };
            let game = play(&mut player, start, &self.plan.limits, &self.plan.adjudication);
            if let Err(error) = file.append(&game, &player.take_harvest()) {
                self.stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
            self.counts().0.add(&game);
        }
        Ok(())
    }

    fn counts(&self) -> std::sync::MutexGuard<'_, (Tally, u64)> {
        self.counts.lock().expect("no thread panics while it counts")
    }

    /// May another game begin? Then it is counted as begun.
    fn begin_game(&self) -> bool {
        let goal = &self.plan.goal;
        let mut counts = self.counts();
        let (tally, begun) = &mut *counts;
        let may = !self.stop.load(Ordering::Relaxed)
            && goal.games.is_none_or(|wanted| self.before.games + *begun < wanted)
            && goal.positions.is_none_or(|wanted| self.before.kept + tally.kept < wanted)
            && goal.time.is_none_or(|wanted| self.began.elapsed() < wanted);
        *begun += u64::from(may);
        may
    }

    /// The next opening that gives both sides a game, with a player who knows nothing of games before;
    /// none if the run is stopped.
    fn draw_opening(&self, openings: &mut Openings, player: &mut impl Player) -> Option<Position> {
        while !self.stop.load(Ordering::Relaxed) {
            let start = openings.draw();
            player.new_game();
            let thought = player.think(&Game::new(start), &self.plan.opening_limits);
            if thought.is_some_and(|thought| thought.score.0.abs() <= self.plan.opening_limit) {
                return Some(start);
            }
            self.counts().0.dropped_openings += 1;
        }
        None
    }

    fn progress(&self) -> Progress {
        let tally = self.counts().0;
        Progress { tally, before: self.before, torn: self.torn, elapsed: self.began.elapsed() }
    }
}

impl Plan {
    fn describe(&self, thread_seed: u64, first_game: u64) -> Run {
        let plies = &self.random_plies;
        Run {
            v: 1,
            date: calendar::utc(SystemTime::now()) + "Z",
            engine: concat!("Clavier ", env!("CARGO_PKG_VERSION")).to_owned(),
            net: self.net.clone(),
            inside: self.inside.clone(),
            seed: self.seed.to_string(),
            thread_seed: thread_seed.to_string(),
            first_game,
            soft_nodes: self.limits.soft_nodes,
            hard_nodes: self.limits.nodes,
            depth: self.limits.depth,
            openings: format!("{} +{}..{} plies", self.source.name(), plies.start(), plies.end()),
            opening_limit: self.opening_limit,
            adjudication: self.adjudication.clone(),
        }
    }
}

/// The seed of a thread's openings: another one for every run, every thread and every restart.
fn thread_seed(run: u64, thread: usize, games: u64) -> u64 {
    let mut random = fastrand::Rng::with_seed(run);
    let mut mix = |part: u64| random = fastrand::Rng::with_seed(random.u64(..) ^ part);
    mix(thread as u64);
    mix(games);
    random.u64(..)
}

#[cfg(test)]
mod tests {
    use super::super::selfplay::tests::Gambler;
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("clavier-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        folder
    }

    fn plan(folder: &Path, games: u64) -> Plan {
        Plan {
            folder: folder.to_owned(),
            threads: 2,
            limits: Limits::default(),
            source: Source::Standard,
            random_plies: 8..=9,
            opening_limit: 600,
            opening_limits: Limits::default(),
            adjudication: Adjudication::default(),
            seed: 11,
            goal: Goal { games: Some(games), ..Goal::default() },
            net: "none".to_owned(),
            inside: None,
        }
    }

    fn gamble(plan: &Plan) -> Result<Progress, FileError> {
        let player = || Gambler { random: fastrand::Rng::with_seed(1), white_score: 5 };
        run(plan, player, &AtomicBool::new(false), &mut |_| ())
    }

    fn starts(folder: &Path) -> Vec<String> {
        let mut starts = vec![];
        for path in list_games(folder).unwrap() {
            let bytes = std::fs::read(path).unwrap();
            let mut at = 0;
            while at < bytes.len() {
                let (game, length) = GameRecord::decode(&bytes[at..]).unwrap();
                starts.push(game.start.to_string());
                at += length;
            }
        }
        starts
    }

    #[test]
    fn a_run_that_is_started_again_plays_only_what_is_missing() {
        let folder = folder("again");
        assert_eq!(gamble(&plan(&folder, 10)).unwrap().tally.games, 10);
        let progress = gamble(&plan(&folder, 25)).unwrap();
        assert_eq!((progress.before.games, progress.tally.games), (10, 15));
        assert_eq!(gamble(&plan(&folder, 25)).unwrap().tally.games, 0);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn threads_and_restarts_never_play_the_same_openings() {
        let folder = folder("seeds");
        gamble(&plan(&folder, 20)).unwrap();
        gamble(&plan(&folder, 40)).unwrap();
        let starts = starts(&folder);
        let distinct: std::collections::HashSet<_> = starts.iter().collect();
        assert_eq!((starts.len(), distinct.len()), (40, 40));
        let runs = std::fs::read_to_string(folder.join("thread-01.runs.jsonl")).unwrap();
        let runs: Vec<Run> = runs.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((runs.len(), runs[0].seed.as_str(), runs[0].first_game), (2, "11", 0));
        assert_ne!(thread_seed(11, 0, 0), thread_seed(11, 0, 1));
        assert_ne!(thread_seed(11, 0, 0), thread_seed(11, 1, 0));
        assert_ne!(thread_seed(11, 0, 0), thread_seed(12, 0, 0));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn two_runs_never_write_one_file() {
        let folder = folder("locked");
        std::fs::create_dir_all(&folder).unwrap();
        let _held = open_file(&plan(&folder, 1), 1).unwrap();
        assert!(matches!(gamble(&plan(&folder, 1)), Err(FileError::InUse(_))));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_run_that_is_stopped_finishes_its_games() {
        let folder = folder("stopped");
        let stop = AtomicBool::new(false);
        let player = || Gambler { random: fastrand::Rng::with_seed(1), white_score: 5 };
        let endless = Plan { goal: Goal::default(), ..plan(&folder, 0) };
        let progress = run(&endless, player, &stop, &mut |progress| {
            stop.store(progress.tally.games > 3, Ordering::Relaxed);
        });
        assert_eq!(progress.unwrap().tally.games, starts(&folder).len() as u64);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn one_sided_openings_are_dropped() {
        let folder = folder("dropped");
        let stop = AtomicBool::new(false);
        let player = || Gambler { random: fastrand::Rng::with_seed(1), white_score: 601 };
        let progress = run(&plan(&folder, 1), player, &stop, &mut |progress| {
            stop.store(progress.tally.dropped_openings > 3, Ordering::Relaxed);
        });
        assert_eq!(progress.unwrap().tally.games, 0);
        std::fs::remove_dir_all(folder).unwrap();
    }
}

//! Files of games that survive a kill: games are only ever appended, each with one write, and what a kill
//! tears off is cut when the file is opened again. Beside each file lies a list of the runs that filled it.

use super::games::{GameError, GameRecord, encoded_length};
use super::harvest::HarvestFile;
use super::runs::Run;
use crate::search::Harvested;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Extension of files of games.
pub const GAMES_EXTENSION: &str = "vf";
/// Extension of the list of runs beside a file of games.
pub const RUNS_EXTENSION: &str = "runs.jsonl";

/// More than a kill can tear off: one write, a game of a few thousand plies at most.
const LONGEST_TEAR: usize = 16 * 1024;

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum FileError {
    #[error("{path}: {fault}", path = .path.display())]
    Io { path: PathBuf, fault: io::Error },
    #[error("{path} is being written by another run", path = .0.display())]
    InUse(PathBuf),
    #[error("{path} is damaged at byte {at}, long before its end: {fault}", path = .path.display())]
    Damaged { path: PathBuf, at: usize, fault: GameError },
}

impl FileError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> FileError + '_ {
        |fault| FileError::Io { path: path.to_owned(), fault }
    }
}

/// A file that games are appended to.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    file: File,
    /// Bytes of the whole games.
    length: u64,
    /// Number of whole games.
    games: u64,
    /// Bytes that were cut when the file was opened.
    torn: u64,
    buffer: Vec<u8>,
    /// The file of harvested positions, once there was one.
    harvest: Option<HarvestFile>,
}

impl GameFile {
    /// Opens or creates a file for this run alone, and cuts a torn last game.
    ///
    /// # Errors
    /// If the file cannot be written, is in use, or is damaged elsewhere than at its end.
    pub fn open(path: &Path) -> Result<GameFile, FileError> {
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(FileError::io(path))?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => FileError::InUse(path.to_owned()),
            TryLockError::Error(fault) => FileError::Io { path: path.to_owned(), fault },
        })?;
        let bytes = std::fs::read(path).map_err(FileError::io(path))?;
        let whole = whole_games(&bytes).map_err(|(at, fault)| FileError::Damaged {
            path: path.to_owned(),
            at,
            fault,
        })?;
        let length = whole.length as u64;
        let torn = bytes.len() as u64 - length;
        if torn > 0 {
            file.set_len(length).map_err(FileError::io(path))?;
        }
        file.seek(SeekFrom::Start(length)).map_err(FileError::io(path))?;
        let (path, games) = (path.to_owned(), whole.games);
        Ok(GameFile { path, file, length, games, torn, buffer: Vec::new(), harvest: None })
    }

    /// Number of games in the file.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Bytes of a torn game that were cut when the file was opened.
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// Appends a game and hands it to the system at once, so that a kill can only tear this one. Positions
    /// harvested from its searches go first into the file beside.
    ///
    /// # Errors
    /// If it cannot be written; what was written of it is cut again as far as possible.
    pub fn append(&mut self, game: &GameRecord, harvest: &[Harvested]) -> Result<(), FileError> {
        if !harvest.is_empty() {
            let path = super::harvest::beside(&self.path);
            self.harvest(game, harvest).map_err(FileError::io(&path))?;
        }
        self.buffer.clear();
        game.encode(&mut self.buffer);
        if let Err(fault) = self.file.write_all(&self.buffer) {
            // If cutting fails as well, the next run cuts.
            let _ = self.file.set_len(self.length);
            return Err(FileError::Io { path: self.path.clone(), fault });
        }
        self.length += self.buffer.len() as u64;
        self.games += 1;
        Ok(())
    }

    fn harvest(&mut self, game: &GameRecord, positions: &[Harvested]) -> io::Result<()> {
        let file = match &mut self.harvest {
            Some(file) => file,
            none => none.insert(HarvestFile::beside(&self.path)?),
        };
        file.append(game.fingerprint(), game.result, positions)
    }

    /// Appends a run to the list beside the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn note_run(&self, run: &Run) -> Result<(), FileError> {
        let path = self.path.with_extension(RUNS_EXTENSION);
        let note = || -> io::Result<()> {
            let mut line = serde_json::to_vec(run)?;
            line.push(b'\n');
            if std::fs::read(&path).is_ok_and(|list| list.last().is_some_and(|&last| last != b'\n')) {
                line.insert(0, b'\n'); // a kill has torn the last line
            }
            OpenOptions::new().create(true).append(true).open(&path)?.write_all(&line)
        };
        note().map_err(FileError::io(&path))
    }
}

/// The part of a file that holds whole games.
#[derive(Debug, PartialEq)]
pub(super) struct Whole {
    pub(super) length: usize,
    games: u64,
}

/// How far whole games reach. The end marks are followed first; then the last game is replayed, and dropped
/// while it is damaged, because a crash of the system may leave zeros at the end.
pub(super) fn whole_games(bytes: &[u8]) -> Result<Whole, (usize, GameError)> {
    let mut starts = Vec::new();
    let mut end = 0;
    while let Some(length) = encoded_length(&bytes[end..]) {
        starts.push(end);
        end += length;
    }
    let mut fault = GameError::Torn;
    while let Some(&start) = starts.last() {
        match GameRecord::decode(&bytes[start..end]) {
            Ok(_) => break,
            Err(error) => fault = error,
        }
        end = start;
        starts.pop();
        if bytes.len() - end > LONGEST_TEAR {
            break;
        }
    }
    if bytes.len() - end > LONGEST_TEAR {
        Err((end, fault))
    } else {
        Ok(Whole { length: end, games: starts.len() as u64 })
    }
}

/// All files of games in a folder, by name.
///
/// # Errors
/// If the folder cannot be read.
pub fn list_games(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == GAMES_EXTENSION) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::super::selfplay::{Adjudication, play, tests::Gambler};
    use super::*;
    use crate::board::Position;
    use crate::search::Limits;

    fn games(count: u64) -> Vec<GameRecord> {
        let adjudication = Adjudication { max_plies: 60, ..Adjudication::default() };
        let game = |seed| {
            let mut player = Gambler { random: fastrand::Rng::with_seed(seed), white_score: 100 };
            play(&mut player, Position::start(), &Limits::default(), &adjudication)
        };
        (0..count).map(game).collect()
    }

    fn path(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("clavier-{}-{name}.vf", std::process::id()));
        let _ = std::fs::remove_file(&path);
        path
    }

    #[test]
    fn a_kill_costs_the_torn_game_and_nothing_else() {
        let path = path("torn");
        let games = games(8);
        let mut bytes = vec![];
        let mut ends = vec![0];
        for game in &games {
            game.encode(&mut bytes);
            ends.push(bytes.len());
        }
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..60 {
            let cut = random.usize(..=bytes.len());
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let mut file = GameFile::open(&path).unwrap();
            let whole = ends.iter().filter(|&&end| end <= cut).count() - 1;
            assert_eq!((file.games(), file.torn()), (whole as u64, (cut - ends[whole]) as u64));
            // What is written next follows the last whole game.
            file.append(&games[0], &[]).unwrap();
            let written = std::fs::read(&path).unwrap();
            assert_eq!(written, [&bytes[..ends[whole]], &bytes[..ends[1]]].concat());
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn zeros_at_the_end_are_cut() {
        let path = path("zeros");
        let mut bytes = vec![];
        games(1)[0].encode(&mut bytes);
        std::fs::write(&path, [&bytes[..], &[0; 4000]].concat()).unwrap();
        let file = GameFile::open(&path).unwrap();
        assert_eq!((file.games(), file.torn()), (1, 4000));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_that_holds_something_else_is_left_alone() {
        let path = path("else");
        std::fs::write(&path, "x".repeat(40_000)).unwrap();
        assert!(matches!(GameFile::open(&path), Err(FileError::Damaged { at: 0, .. })));
        assert_eq!(std::fs::metadata(&path).unwrap().len(), 40_000);
        std::fs::remove_file(path).unwrap();
    }
}

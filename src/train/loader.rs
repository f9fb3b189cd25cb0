//! From files of games to samples in memory.

use super::files::list_games;
use super::games::{GameError, GameRecord, encoded_length, fingerprint, is_kept};
use super::harvest;
use super::sample::Sample;
use super::shuffle::mix;
use crate::types::Color;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Parts in 1000 of which held-out shares are made.
const PERMILL: u64 = 1000;
/// A value this large, in internal units, must mostly agree with the result.
const CLEAR_SCORE: f32 = 150.0;
/// Clear values on which a judgement of their agreement can rest.
const ENOUGH_CLEAR: usize = 1000;
/// Share of clear, decisive positions in which the better side has to have won.
const LEAST_AGREEMENT: f64 = 0.6;

/// What to take from the games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Selection {
    /// Plies from the start of the game, by move numbers, that are passed over.
    pub min_ply: u32,
    /// Largest value of a position, in internal units, for either side.
    pub max_score: i16,
    /// Share of games that are held out to judge the network by, in permill.
    pub held_out_permill: u64,
    /// Seed of the choice of held-out games.
    pub seed: u64,
    /// Take the positions from inside the searches as well, of the games that are not held out.
    pub harvest: bool,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection { min_ply: 16, max_score: 10_000, held_out_permill: 20, seed: 1, harvest: false }
    }
}

/// Why there is no data to learn from.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum LoadError {
    #[error("{path}: {error}")]
    Read { path: PathBuf, error: std::io::Error },
    #[error("{path}, byte {offset}: {error}")]
    Game { path: PathBuf, offset: usize, error: GameError },
    #[error("no positions to learn from in {0} games")]
    Empty(u64),
    #[error("no file of games in {0}")]
    NoFiles(PathBuf),
    #[error(
        "with {side} to move only {percent:.0} % of clear values agree with the result: values or results are \
         told for the wrong side"
    )]
    Disagreement { side: Color, percent: f64 },
}

/// Samples in memory, with what is known of their origin.
#[derive(Debug, Default)]
pub struct Data {
    /// To learn from.
    pub samples: Vec<Sample>,
    /// To judge by.
    pub held_out: Vec<Sample>,
    /// Games read.
    pub games: u64,
    /// Positions in these games.
    pub positions: u64,
    /// Samples from inside the searches.
    pub harvested: u64,
    /// Files whose last game breaks off; the rest of them is used.
    pub torn: Vec<PathBuf>,
}

/// All files of games in these files and folders, sorted.
///
/// # Errors
/// If a folder cannot be read or holds no games.
pub fn find_files(places: &[PathBuf]) -> Result<Vec<PathBuf>, LoadError> {
    let mut files = Vec::new();
    for place in places {
        let found = if place.is_dir() {
            list_games(place).map_err(|error| LoadError::Read { path: place.clone(), error })?
        } else {
            vec![place.clone()]
        };
        if found.is_empty() {
            return Err(LoadError::NoFiles(place.clone()));
        }
        files.extend(found);
    }
    files.sort();
    files.dedup();
    Ok(files)
}

/// Reads all games of the files and keeps the positions that are worth learning from.
///
/// # Errors
/// If a file cannot be read, a game is damaged, or values and results disagree.
pub fn load(files: &[PathBuf], selection: &Selection) -> Result<Data, LoadError> {
    let mut data = Data::default();
    for path in files {
        data.add_file(path, selection)?;
        if selection.harvest {
            data.add_harvest(&harvest::beside(path), selection)?;
        }
    }
    if data.samples.is_empty() {
        return Err(LoadError::Empty(data.games));
    }
    data.check_agreement()?;
    Ok(data)
}

impl Data {
    fn add_file(&mut self, path: &Path, selection: &Selection) -> Result<(), LoadError> {
        let bytes = std::fs::read(path).map_err(|error| LoadError::Read { path: path.to_owned(), error })?;
        let starts = game_starts(&bytes);
        if starts.last() != Some(&bytes.len()) {
            self.torn.push(path.to_owned());
        }
        let games: Vec<_> = starts.windows(2).collect();
        let parts = games
            .par_iter()
            .map(|range| {
                let game = &bytes[range[0]..range[1]];
                let fault = |error| LoadError::Game { path: path.to_owned(), offset: range[0], error };
                Ok(samples_of(
                    &GameRecord::decode(game).map_err(fault)?.0,
                    is_held_out(fingerprint(game), selection),
                    selection,
                ))
            })
            .collect::<Result<Vec<_>, LoadError>>()?;
        self.games += games.len() as u64;
        for (positions, samples) in parts {
            self.positions += positions;
            let held_out = samples.first().is_some_and(Sample::is_held_out);
            if held_out { &mut self.held_out } else { &mut self.samples }.extend(samples);
        }
        Ok(())
    }

    /// Adds the positions from inside the searches, if there is such a file; a torn last block is left out.
    fn add_harvest(&mut self, path: &Path, selection: &Selection) -> Result<(), LoadError> {
        let bytes = match std::fs::read(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            read => read.map_err(|error| LoadError::Read { path: path.to_owned(), error })?,
        };
        let fault = |offset, error| LoadError::Game { path: path.to_owned(), offset, error };
        let parts = harvest::blocks(&bytes)
            .map_err(|offset| fault(offset, GameError::Block))?
            .into_par_iter()
            .map(|range| {
                let offset = range.start;
                harvest::decode_block(&bytes[range])
                    .map(|block| harvested_samples(&block, selection))
                    .map_err(|error| fault(offset, error))
            })
            .collect::<Result<Vec<_>, LoadError>>()?;
        for samples in parts {
            self.harvested += samples.len() as u64;
            self.samples.extend(samples);
        }
        Ok(())
    }

    /// Share of clear, decisive positions in which the better side won, by side to move; none without
    /// enough of them.
    pub fn agreement(&self, side: Color) -> Option<f64> {
        let clear = self.samples.iter().filter(|sample| {
            sample.side_to_move() == side && sample.score().abs() >= CLEAR_SCORE && sample.is_decisive()
        });
        let (agreeing, all) = clear.fold((0, 0), |(agreeing, all), sample| {
            (agreeing + usize::from((sample.score() > 0.0) == (sample.points() > 0.5)), all + 1)
        });
        (all >= ENOUGH_CLEAR).then(|| agreeing as f64 / all as f64)
    }

    fn check_agreement(&self) -> Result<(), LoadError> {
        for side in Color::BOTH {
            if let Some(share) = self.agreement(side).filter(|&share| share < LEAST_AGREEMENT) {
                return Err(LoadError::Disagreement { side, percent: 100.0 * share });
            }
        }
        Ok(())
    }
}

/// Where each complete game starts, and where the last one ends.
pub(super) fn game_starts(bytes: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut at = 0;
    while let Some(length) = encoded_length(&bytes[at..]) {
        at += length;
        starts.push(at);
    }
    starts
}

/// Decided by the game's fingerprint, so that a game stays held out when files are added or renamed.
fn is_held_out(game: u64, selection: &Selection) -> bool {
    mix(game ^ selection.seed) % PERMILL < selection.held_out_permill
}

/// Samples from inside the searches of a game; none of a held-out one, which is there to judge by.
fn harvested_samples(block: &harvest::Block, selection: &Selection) -> Vec<Sample> {
    if is_held_out(block.game, selection) {
        return Vec::new();
    }
    let wanted =
        |item: &&harvest::Labelled| item.white_score.unsigned_abs() <= selection.max_score.unsigned_abs();
    let sample = |item: &harvest::Labelled| {
        Sample::new(&item.position, item.white_score, item.result).with_white_bound(item.white_bound)
    };
    block.positions.iter().filter(wanted).map(sample).collect()
}

/// Number of positions of a game, and the samples from them.
fn samples_of(game: &GameRecord, held_out: bool, selection: &Selection) -> (u64, Vec<Sample>) {
    let samples = game
        .positions()
        .filter(|(position, scored)| {
            let ply = 2 * (position.fullmove() - 1) + position.side_to_move() as u32;
            ply >= selection.min_ply
                && scored.score.unsigned_abs() <= selection.max_score.unsigned_abs()
                && is_kept(position, *scored)
        })
        .map(|(position, scored)| Sample::new(&position, scored.score, game.result).with_held_out(held_out))
        .collect();
    (game.moves.len() as u64, samples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::synthetic::random_game;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("clavier-loader-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Folder(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    /// Bytes of games in which the side that is ahead wins, or loses if values are told for the wrong side.
    fn games(count: u64, wrong: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        for seed in 0..count {
            let mut game = random_game(seed);
            if wrong {
                for scored in &mut game.moves {
                    scored.score = -scored.score;
                }
            }
            game.encode(&mut bytes);
        }
        bytes
    }

    const ALL: Selection =
        Selection { min_ply: 0, max_score: 10_000, held_out_permill: 200, seed: 1, harvest: false };

    #[test]
    fn games_are_held_out_whole_and_torn_ones_left_out() {
        let folder = Folder::new("torn");
        let mut bytes = games(60, false);
        bytes.truncate(bytes.len() - 6);
        std::fs::write(folder.0.join("a.vf"), &bytes).unwrap();
        let files = find_files(std::slice::from_ref(&folder.0)).unwrap();
        let data = load(&files, &ALL).unwrap();
        assert_eq!((data.games, data.torn.len()), (59, 1));
        assert!(!data.held_out.is_empty() && data.held_out.len() < data.samples.len());
        assert!(data.samples.iter().all(|sample| !sample.is_held_out()));
        assert!(data.held_out.iter().all(Sample::is_held_out));
        let again = load(&files, &ALL).unwrap();
        assert_eq!(again.samples, data.samples);
    }

    #[test]
    fn values_for_the_wrong_side_are_noticed() {
        let folder = Folder::new("wrong");
        let path = folder.0.join("a.vf");
        std::fs::write(&path, games(300, false)).unwrap();
        let data = load(std::slice::from_ref(&path), &ALL).unwrap();
        assert!(Color::BOTH.into_iter().all(|side| data.agreement(side).unwrap() > 0.7));
        std::fs::write(&path, games(300, true)).unwrap();
        assert!(matches!(load(&[path], &ALL), Err(LoadError::Disagreement { .. })));
    }

    #[test]
    fn a_damaged_game_is_named_with_its_place() {
        let folder = Folder::new("damaged");
        let path = folder.0.join("a.vf");
        let mut bytes = games(3, false);
        let second = encoded_length(&bytes).unwrap();
        bytes[second + 30] = 9;
        std::fs::write(&path, bytes).unwrap();
        let text = load(&[path], &ALL).unwrap_err().to_string();
        assert!(text.contains(&format!("byte {second}: 9 is no result")), "{text}");
    }

    #[test]
    fn an_empty_folder_has_no_games() {
        let folder = Folder::new("empty");
        assert!(matches!(find_files(std::slice::from_ref(&folder.0)), Err(LoadError::NoFiles(_))));
    }
}

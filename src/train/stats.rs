//! What is in files of games, and in those beside them of positions from inside their searches. Every move is
//! replayed by the rules of chess on the way.

use super::games::{GameError, GameRecord, is_kept};
use super::generate::Tally;
use super::harvest;
use super::loader::game_starts;
use crate::types::Score;
use rayon::prelude::*;

/// Width of a bar of the histogram, in internal units.
pub const BAR_WIDTH: i32 = 100;
/// Bars on each side of zero; larger scores count in the outermost ones.
pub const BARS_A_SIDE: usize = 16;
/// Games that one thread replays at a time.
const BATCH: usize = 256;

/// What is in files of games.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Games, positions and results.
    pub tally: Tally,
    /// Bytes of games read.
    pub bytes: u64,
    /// Length of the longest game, in plies.
    pub longest: usize,
    /// Positions in check.
    pub checks: u64,
    /// Positions in which a capture or a promotion was played.
    pub noisy: u64,
    /// Positions with a proven mate or tablebase result.
    pub decided: u64,
    /// Games that a color won although the last score was better for the other one. Many mean swapped signs.
    pub contradictions: u64,
    /// Kept positions by score for White: bar 0 holds the worst ones for White.
    pub histogram: [u64; 2 * BARS_A_SIDE],
    /// Positions from inside the searches.
    pub inside: u64,
    /// Games, and blocks of positions from inside the searches, that do not count because they are damaged.
    pub damage: Vec<Damage>,
    /// Keys of all kept positions.
    keys: Vec<u64>,
}

/// A game that is damaged, or a block of positions from inside the searches.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{kind} {number}, at byte {at}: {fault}")]
pub struct Damage {
    /// What is damaged: a game or a block.
    pub kind: &'static str,
    /// Its number in its file, from 1.
    pub number: usize,
    /// Where it begins.
    pub at: usize,
    /// What is wrong.
    pub fault: GameError,
}

impl Stats {
    /// Reads a file of games given as its bytes, on all cores.
    pub fn of_file(bytes: &[u8]) -> Stats {
        let offsets = game_offsets(bytes);
        let batches = offsets.par_chunks(BATCH).enumerate().map(|(index, batch)| {
            let mut part = Stats::default();
            for (place, &at) in batch.iter().enumerate() {
                match GameRecord::decode(&bytes[at..]) {
                    Ok((game, _)) => part.add_game(&game),
                    Err(fault) => {
                        let number = index * BATCH + place + 1;
                        part.damage.push(Damage { kind: "game", number, at, fault });
                    }
                }
            }
            part
        });
        let mut stats = batches.reduce(Stats::default, Stats::merged_with);
        stats.bytes = bytes.len() as u64;
        stats
    }

    /// Reads a file of positions from inside the searches given as its bytes, on all cores.
    pub fn of_harvest(bytes: &[u8]) -> Stats {
        let (blocks, fault) = harvest::frames(bytes);
        let at = blocks.last().map_or(0, |block| block.end);
        let rest = fault.map(|fault| Damage { kind: "block", number: blocks.len() + 1, at, fault });
        let parts = blocks.into_par_iter().enumerate().map(|(index, block)| {
            let at = block.start;
            match harvest::decode_block(&bytes[block]) {
                Ok(block) => Stats { inside: block.positions.len() as u64, ..Stats::default() },
                Err(fault) => {
                    let damage = vec![Damage { kind: "block", number: index + 1, at, fault }];
                    Stats { damage, ..Stats::default() }
                }
            }
        });
        let mut stats = parts.reduce(Stats::default, Stats::merged_with);
        stats.damage.extend(rest);
        stats
    }

    /// Both together.
    #[must_use]
    pub fn merged_with(mut self, other: Stats) -> Stats {
        self.tally.merge(&other.tally);
        self.bytes += other.bytes;
        self.longest = self.longest.max(other.longest);
        self.checks += other.checks;
        self.noisy += other.noisy;
        self.decided += other.decided;
        self.inside += other.inside;
        self.contradictions += other.contradictions;
        for (bar, more) in self.histogram.iter_mut().zip(other.histogram) {
            *bar += more;
        }
        self.damage.extend(other.damage);
        self.keys.extend(other.keys);
        self
    }

    /// Number of kept positions that repeat an earlier one.
    pub fn duplicates(&mut self) -> u64 {
        self.keys.par_sort_unstable();
        self.keys.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64
    }

    fn add_game(&mut self, game: &GameRecord) {
        self.tally.add(game);
        self.longest = self.longest.max(game.moves.len());
        for (position, scored) in game.positions() {
            self.checks += u64::from(position.in_check());
            self.noisy += u64::from(position.is_noisy(scored.played));
            self.decided += u64::from(Score(i32::from(scored.score)).is_decided());
            if is_kept(&position, scored) {
                self.histogram[bar_of(scored.score)] += 1;
                self.keys.push(position.key());
            }
        }
        let white_edge = game.result.points() - 0.5;
        let last = game.moves.last().map_or(0, |scored| scored.score);
        self.contradictions += u64::from(white_edge * f32::from(last) < 0.0);
    }
}

/// A count as percent of a whole, 0 of nothing.
pub fn percent(count: u64, whole: u64) -> f64 {
    100.0 * count as f64 / whole.max(1) as f64
}

/// The bar of the histogram that counts a score.
fn bar_of(score: i16) -> usize {
    let bar = i32::from(score).div_euclid(BAR_WIDTH) + BARS_A_SIDE as i32;
    bar.clamp(0, 2 * BARS_A_SIDE as i32 - 1) as usize
}

/// Where games start; a torn one at the end counts.
fn game_offsets(bytes: &[u8]) -> Vec<usize> {
    let mut offsets = game_starts(bytes);
    offsets.pop_if(|end| *end == bytes.len());
    offsets
}

#[cfg(test)]
mod tests {
    use super::super::selfplay::{Adjudication, play, tests::Gambler};
    use super::*;
    use crate::board::Position;
    use crate::search::Limits;

    fn file(games: u64, white_score: i32) -> Vec<u8> {
        let mut bytes = vec![];
        for seed in 0..games {
            let mut player = Gambler { random: fastrand::Rng::with_seed(seed), white_score };
            let adjudication = Adjudication { max_plies: 50, ..Adjudication::default() };
            play(&mut player, Position::start(), &Limits::default(), &adjudication).encode(&mut bytes);
        }
        bytes
    }

    #[test]
    fn games_and_positions_are_counted() {
        let mut stats = Stats::of_file(&file(600, 250));
        assert_eq!(stats.tally.games, 600);
        assert!(stats.longest <= 50 && stats.tally.plies > 600 * 20);
        assert!(stats.tally.kept < stats.tally.plies && stats.tally.kept > stats.tally.plies / 2);
        assert_eq!(stats.histogram[BARS_A_SIDE + 2], stats.tally.kept);
        // Every game begins with the initial position.
        assert!(stats.duplicates() >= 599);
    }

    #[test]
    fn scores_against_the_results_are_seen() {
        let mut bytes = file(1, -2500);
        assert_eq!(Stats::of_file(&bytes).contradictions, 0);
        bytes[30] = 2; // White wins
        assert_eq!(Stats::of_file(&bytes).contradictions, 1);
    }

    #[test]
    fn damage_is_found_and_told_with_its_place() {
        let bytes = file(300, 20);
        let games = game_offsets(&bytes);
        for number in [0, 1, 123, 299] {
            let mut damaged = bytes.clone();
            damaged[games[number] + 33] ^= 0x0f; // the target of the first move
            let stats = Stats::of_file(&damaged);
            assert_eq!((stats.tally.games, stats.damage.len()), (299, 1));
            assert_eq!((stats.damage[0].number, stats.damage[0].at), (number + 1, games[number]));
        }
        let torn = Stats::of_file(&bytes[..bytes.len() - 3]);
        assert_eq!((torn.tally.games, &torn.damage[0].fault), (299, &GameError::Torn));
    }

    #[test]
    fn bars_hold_their_scores() {
        let bars = [i16::MIN, -1600, -101, -100, -1, 0, 99, 100, 1599, i16::MAX].map(bar_of);
        assert_eq!(bars, [0, 0, 14, 15, 15, 16, 16, 17, 31, 31]);
    }
}

//! Files of positions from inside the searches of self-play, beside the files of games.
//!
//! For each game there is a block: 32 bytes that begin with `HARVEST1`, the game's fingerprint and the number of
//! positions (64 and 32 bits, little-endian), then 32 bytes for each position as at the start of a game in
//! [`super::games`], with its value for White in bytes 28-29 and in byte 31 what the value is for White: 0 exact,
//! 1 at least, 2 at most.

use super::games::{GameError, GameResult, HEADER_BYTES, decode_start, encode_start};
use super::selfplay::white_score;
use crate::board::Position;
use crate::search::Harvested;
use crate::types::{Bound, Color};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Extension of files of harvested positions.
pub const HARVEST_EXTENSION: &str = "hv";
/// Begins a block.
const MAGIC: &[u8; 8] = b"HARVEST1";

/// A position with its value for White and what it is a bound of, as White sees it.
#[derive(Clone, Copy, Debug)]
pub struct Labelled {
    /// The position.
    pub position: Position,
    /// Value for White, in internal units.
    pub white_score: i16,
    /// What the value is of the true one, for White.
    pub white_bound: Bound,
    /// How the game ended from which it comes.
    pub result: GameResult,
}

/// The positions that belong to one game.
#[derive(Clone, Debug)]
pub struct Block {
    /// Fingerprint of the game.
    pub game: u64,
    /// The positions.
    pub positions: Vec<Labelled>,
}

/// A file that blocks are appended to. Whoever writes it holds the lock of the file of games beside it.
#[derive(Debug)]
pub struct HarvestFile {
    file: File,
}

impl HarvestFile {
    /// Opens or creates the file beside a file of games, and cuts a torn last block.
    ///
    /// # Errors
    /// If it cannot be read or written, or is damaged elsewhere than at its end.
    pub fn beside(games: &Path) -> io::Result<HarvestFile> {
        let path = beside(games);
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        let bytes = std::fs::read(&path)?;
        let damaged = |at| io::Error::other(format!("byte {at}: {}", GameError::Block));
        let whole = blocks(&bytes).map_err(damaged)?.last().map_or(0, |range| range.end);
        if whole < bytes.len() {
            file.set_len(whole as u64)?;
        }
        Ok(HarvestFile { file })
    }

    /// Appends the positions of a game with one write.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append(&mut self, game: u64, result: GameResult, positions: &[Harvested]) -> io::Result<()> {
        let mut bytes = Vec::with_capacity((positions.len() + 1) * HEADER_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(game.to_le_bytes());
        bytes.extend((positions.len() as u32).to_le_bytes());
        bytes.resize(HEADER_BYTES, 0);
        for item in positions {
            bytes.extend(encode(item, result));
        }
        self.file.write_all(&bytes)
    }
}

/// The file of harvested positions that belongs to a file of games.
pub fn beside(games: &Path) -> PathBuf {
    games.with_extension(HARVEST_EXTENSION)
}

fn encode(item: &Harvested, result: GameResult) -> [u8; HEADER_BYTES] {
    let white = item.position.side_to_move() == Color::White;
    let score = white_score(item.score, item.position.side_to_move());
    let mut bytes = encode_start(&item.position, result);
    bytes[28..30].copy_from_slice(&score.to_le_bytes());
    bytes[31] = match item.bound {
        Bound::Exact => 0,
        Bound::Lower => 2 - u8::from(white),
        Bound::Upper => 1 + u8::from(white),
    };
    bytes
}

/// Where each block lies, as their heads tell, and what is wrong behind the last of them, if anything is.
pub fn frames(bytes: &[u8]) -> (Vec<Range<usize>>, Option<GameError>) {
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(head) = bytes.get(at..at + HEADER_BYTES).filter(|head| head.starts_with(MAGIC)) {
        let count = u32::from_le_bytes([head[16], head[17], head[18], head[19]]) as usize;
        let end = at + (count + 1) * HEADER_BYTES;
        if end > bytes.len() {
            break;
        }
        ranges.push(at..end);
        at = end;
    }
    let is_followed = bytes[at..].chunks(HEADER_BYTES).skip(1).any(|row| row.starts_with(MAGIC));
    let fault = if is_followed { GameError::Block } else { GameError::Torn };
    (ranges, (at < bytes.len()).then_some(fault))
}

/// Where each whole block lies. A torn last one is left out, also one in which a crash of the system has left zeros.
///
/// # Errors
/// The place where a block should begin and does not, though others follow.
pub fn blocks(bytes: &[u8]) -> Result<Vec<Range<usize>>, usize> {
    let (mut ranges, fault) = frames(bytes);
    if fault == Some(GameError::Block) {
        return Err(ranges.last().map_or(0, |range| range.end));
    }
    ranges.pop_if(|last| decode_block(&bytes[last.clone()]).is_err());
    Ok(ranges)
}

/// Reads a whole block.
///
/// # Errors
/// A [`GameError`] that names the fault of a position.
pub fn decode_block(bytes: &[u8]) -> Result<Block, GameError> {
    let (head, rest) = bytes.split_at_checked(HEADER_BYTES).ok_or(GameError::Torn)?;
    let game = u64::from_le_bytes(head[8..16].try_into().map_err(|_| GameError::Torn)?);
    let positions = rest.chunks_exact(HEADER_BYTES).map(decode).collect::<Result<_, _>>()?;
    Ok(Block { game, positions })
}

fn decode(bytes: &[u8]) -> Result<Labelled, GameError> {
    let (position, result) = decode_start(bytes)?;
    let white_score = i16::from_le_bytes([bytes[28], bytes[29]]);
    let white_bound = match bytes[31] {
        0 => Bound::Exact,
        1 => Bound::Lower,
        2 => Bound::Upper,
        other => return Err(GameError::Bound(other)),
    };
    Ok(Labelled { position, white_score, white_bound, result })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Score;

    fn items() -> Vec<Harvested> {
        let positions = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 3 9",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        ]
        .map(|fen| fen.parse().unwrap());
        let bounds = [Bound::Exact, Bound::Lower, Bound::Upper];
        let item = |position, bound| Harvested { position, score: Score(-120), bound };
        positions.into_iter().flat_map(|position| bounds.map(|bound| item(position, bound))).collect()
    }

    #[test]
    fn positions_survive_their_file_and_a_torn_block_is_cut() {
        let games = std::env::temp_dir().join(format!("clavier-{}-harvest.vf", std::process::id()));
        let path = beside(&games);
        let _ = std::fs::remove_file(&path);
        HarvestFile::beside(&games).unwrap().append(7, GameResult::Draw, &items()).unwrap();
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, [&whole[..], &whole[..70]].concat()).unwrap();
        HarvestFile::beside(&games).unwrap().append(8, GameResult::WhiteWins, &[]).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let read: Vec<_> =
            blocks(&bytes).unwrap().into_iter().map(|range| decode_block(&bytes[range]).unwrap()).collect();
        assert_eq!(read.iter().map(|block| block.game).collect::<Vec<_>>(), [7, 8]);
        for (item, read) in items().iter().zip(&read[0].positions) {
            assert_eq!(read.position.to_string(), item.position.to_string());
            let white = item.position.side_to_move() == Color::White;
            assert_eq!(i32::from(read.white_score), if white { -120 } else { 120 });
            let turned = match item.bound {
                Bound::Exact => Bound::Exact,
                Bound::Lower => Bound::Upper,
                Bound::Upper => Bound::Lower,
            };
            assert_eq!(read.white_bound, if white { item.bound } else { turned });
        }
        std::fs::remove_file(path).unwrap();
    }

    /// The bytes of a file of three blocks, and where they begin.
    fn three_blocks() -> (Vec<u8>, Vec<usize>) {
        let games = std::env::temp_dir().join(format!("clavier-{}-blocks.vf", std::process::id()));
        let path = beside(&games);
        let _ = std::fs::remove_file(&path);
        let mut file = HarvestFile::beside(&games).unwrap();
        for game in 0..3 {
            file.append(game, GameResult::Draw, &items()).unwrap();
        }
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        let starts = blocks(&bytes).unwrap().iter().map(|range| range.start).collect();
        (bytes, starts)
    }

    #[test]
    fn a_tear_at_any_byte_costs_only_the_last_block() {
        let (bytes, starts) = three_blocks();
        assert_eq!(starts.len(), 3);
        for length in starts[2]..bytes.len() {
            assert_eq!(blocks(&bytes[..length]).unwrap().len(), 2, "{length} bytes");
            let zeros = [&bytes[..length], &vec![0; bytes.len() - length]].concat();
            assert!((2..=3).contains(&blocks(&zeros).unwrap().len()), "zeros from byte {length}");
        }
    }

    #[test]
    fn damage_before_the_end_is_told_and_nothing_is_cut() {
        let (bytes, starts) = three_blocks();
        for fault in [0, 18] {
            let mut damaged = bytes.clone();
            damaged[starts[1] + fault] = 0xff;
            assert_eq!(blocks(&damaged), Err(starts[1]));
        }
    }
}

//! The state of a training on disk, written anew after each epoch and read when the training goes on.
//!
//! | what | how |
//! |---|---|
//! | `CLAVTRN2` | 8 bytes |
//! | epochs done, steps done | `u64` each |
//! | what is trained on what, in words | length as `u64`, then UTF-8 |
//! | number of parameters | `u64` |
//! | parameters, mean gradients, mean squares | `f32` each |
//! | checksum of all before | `u64` |

use super::optimizer::Optimizer;
use super::shuffle::mix_bytes;
use std::io::Write;
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = *b"CLAVTRN2";

/// A training between two epochs.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// What is trained on what. A training goes on only from a checkpoint of the same.
    pub identity: String,
    /// Epochs done.
    pub epochs: u64,
    /// Parameters and memory of gradients.
    pub optimizer: Optimizer,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum CheckpointError {
    #[error("{path}: {error}")]
    File { path: PathBuf, error: std::io::Error },
    #[error("{0} is no checkpoint, or a damaged one")]
    Damaged(PathBuf),
    #[error(
        "{path} belongs to another training; take another folder or start anew with --restart\n  there: {there}\n  \
         here:  {here}"
    )]
    Other { path: PathBuf, there: String, here: String },
}

impl Checkpoint {
    /// Writes the file beside its place and then renames it, so that a whole one is always there.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        replace(path, &self.to_bytes())
            .map_err(|error| CheckpointError::File { path: path.to_owned(), error })
    }

    /// Reads the checkpoint of this training; none if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged or belongs to another training.
    pub fn load(path: &Path, identity: &str) -> Result<Option<Checkpoint>, CheckpointError> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(CheckpointError::File { path: path.to_owned(), error }),
        };
        let found =
            Checkpoint::from_bytes(&bytes).ok_or_else(|| CheckpointError::Damaged(path.to_owned()))?;
        if found.identity != identity {
            let (there, here) = (found.identity, identity.to_owned());
            return Err(CheckpointError::Other { path: path.to_owned(), there, here });
        }
        Ok(Some(found))
    }

    fn to_bytes(&self) -> Vec<u8> {
        let Optimizer { parameters, means, squares, steps } = &self.optimizer;
        let mut bytes = MAGIC.to_vec();
        for number in [self.epochs, *steps, self.identity.len() as u64] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.identity.as_bytes());
        bytes.extend((parameters.len() as u64).to_le_bytes());
        for part in [parameters, means, squares] {
            bytes.extend(part.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Checkpoint> {
        let (body, sum) = bytes.split_last_chunk::<8>()?;
        if checksum(body).to_le_bytes() != *sum {
            return None;
        }
        let mut rest = body.strip_prefix(&MAGIC)?;
        let epochs = take_number(&mut rest)?;
        let steps = take_number(&mut rest)?;
        let length = usize::try_from(take_number(&mut rest)?).ok()?;
        let (text, after) = rest.split_at_checked(length)?;
        let identity = String::from_utf8(text.to_vec()).ok()?;
        rest = after;
        let count = usize::try_from(take_number(&mut rest)?).ok()?;
        if Some(rest.len()) != count.checked_mul(12) {
            return None;
        }
        let mut parts = rest
            .chunks(4 * count.max(1))
            .map(|part| part.as_chunks().0.iter().map(|&four| f32::from_le_bytes(four)).collect::<Vec<_>>());
        let optimizer =
            Optimizer { parameters: parts.next()?, means: parts.next()?, squares: parts.next()?, steps };
        Some(Checkpoint { identity, epochs, optimizer })
    }
}

/// Writes a whole file in place of what was there: never half of it, even if the power fails.
///
/// # Errors
/// If the file cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let mut file = std::fs::File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&beside, path)
}

fn take_number(rest: &mut &[u8]) -> Option<u64> {
    let (number, after) = rest.split_first_chunk::<8>()?;
    *rest = after;
    Some(u64::from_le_bytes(*number))
}

fn checksum(bytes: &[u8]) -> u64 {
    mix_bytes(bytes.len() as u64, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        let optimizer = Optimizer {
            parameters: vec![1.0, -2.0, 0.5],
            means: vec![0.1, 0.2, 0.3],
            squares: vec![1e-9, 0.0, 2.0],
            steps: 77,
        };
        Checkpoint { identity: "768->32x2->1, seed 1".into(), epochs: 3, optimizer }
    }

    #[test]
    fn a_checkpoint_reads_back_whole_or_not_at_all() {
        let bytes = checkpoint().to_bytes();
        assert_eq!(Checkpoint::from_bytes(&bytes), Some(checkpoint()));
        for at in 0..bytes.len() {
            assert_eq!(Checkpoint::from_bytes(&bytes[..at]), None);
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert_eq!(Checkpoint::from_bytes(&damaged), None);
        }
    }

    #[test]
    fn another_trainings_checkpoint_is_refused() {
        let folder = std::env::temp_dir().join(format!("clavier-checkpoint-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("checkpoint");
        assert_eq!(Checkpoint::load(&path, "any").unwrap(), None);
        checkpoint().save(&path).unwrap();
        assert_eq!(Checkpoint::load(&path, &checkpoint().identity).unwrap(), Some(checkpoint()));
        assert!(matches!(Checkpoint::load(&path, "other"), Err(CheckpointError::Other { .. })));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

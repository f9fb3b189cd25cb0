//! Files of self-play games on the command line.

use super::fault::Fault;
use crate::train::loader::find_files;
use std::io;
use std::path::{Path, PathBuf};

/// Which files to read.
#[derive(Debug, clap::Args)]
pub struct GameFiles {
    /// Files of games, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl GameFiles {
    /// Name and bytes of each file of games.
    pub fn read(&self) -> Result<impl Iterator<Item = Result<(String, Vec<u8>), Fault>>, Fault> {
        Ok(self.paths()?.into_iter().map(|path| read(&path)))
    }

    /// The files of games.
    pub fn paths(&self) -> Result<Vec<PathBuf>, Fault> {
        find_files(&self.files).map_err(|error| Fault::Input {
            name: "a folder of games".to_owned(),
            source: io::Error::other(error),
        })
    }
}

/// Name and bytes of a file.
pub fn read(path: &Path) -> Result<(String, Vec<u8>), Fault> {
    let name = path.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => Ok((name, bytes)),
        Err(source) => Err(Fault::Input { name, source }),
    }
}

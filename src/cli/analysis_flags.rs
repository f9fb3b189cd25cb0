//! Flags that several commands of analysis share.

use super::fault::{Fault, open};
use crate::analysis::Plan;
use crate::analysis::defaults::{Defaults, Key};
use crate::analysis::resume::ResumeError;
use crate::analysis::source::{Input, Kind, SourceError};
use crate::board::{FenError, Position};
use crate::config::Config;
use crate::search::Limits;
use crate::tablebase::Tablebase;
use std::ffi::OsStr;
use std::io::{BufRead, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What is read.
#[derive(Debug, clap::Args)]
pub struct InputFlags {
    /// Files to read, - = standard input
    #[arg(default_value = "-", conflicts_with = "fen")]
    files: Vec<PathBuf>,
    /// A position to analyze instead; may be given several times
    #[arg(long)]
    fen: Vec<String>,
    /// The input holds games in PGN, whatever the files' names
    #[arg(long, conflicts_with = "fen")]
    pgn: bool,
}

impl InputFlags {
    /// Just these files.
    pub fn files(files: impl Into<Vec<PathBuf>>) -> InputFlags {
        InputFlags { files: files.into(), fen: Vec::new(), pgn: false }
    }
}

/// What ends each search.
#[derive(Debug, clap::Args)]
pub struct LimitFlags {
    /// Stop after this depth, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Stop after this number of nodes (1000000, for games 200000, if nothing else ends the search)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Stop after this time, in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Stop when a mate in so many moves is found
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    mate: Option<u32>,
}

/// What is looked at in each position.
#[derive(Debug, clap::Args)]
pub struct MoveFlags {
    /// Number of best lines to tell
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub multipv: u32,
    /// Tell a line for every legal move
    #[arg(long, conflicts_with = "multipv")]
    pub all_moves: bool,
    /// Look at these moves only, UCI or SAN
    #[arg(long, value_name = "M,...", value_delimiter = ',')]
    pub searchmoves: Vec<String>,
    /// Do not look at these moves
    #[arg(long, value_name = "M,...", value_delimiter = ',')]
    pub exclude: Vec<String>,
}

/// How many at once.
#[derive(Debug, clap::Args)]
pub struct JobFlags {
    /// Positions at a time [default: cores]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
    /// Threads for each position; with more than one, records differ from run to run [default: 1]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Largest hash table of a job, in MiB [default: 16]
    #[arg(long, value_name = "MB", value_parser = hash_mb)]
    hash: Option<usize>,
    /// Read this engine.toml instead of the one in the usual places; its [analysis] holds the defaults
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

fn hash_mb(text: &str) -> Result<usize, String> {
    const MOST: usize = 1 << 20;
    text.parse().ok().filter(|mb| (1..=MOST).contains(mb)).ok_or(format!("not in 1..={MOST}"))
}

impl JobFlags {
    /// The defaults of engine.toml.
    pub fn defaults(&self) -> Result<Defaults, Fault> {
        let config = Config::find(self.config.as_deref()).map_err(Fault::from)?;
        if let Some(path) = config.path.as_ref().filter(|_| !config.analysis.is_empty()) {
            eprintln!("settings from {}", path.display());
        }
        Defaults::read(&config.analysis).map_err(Fault::Usage)
    }

    /// Positions at a time.
    pub fn count(&self, defaults: &Defaults) -> usize {
        self.jobs.map_or_else(|| defaults.jobs(), |jobs| jobs as usize)
    }

    /// A plan with these limits, threads and tables.
    pub fn plan(&self, limits: Limits, defaults: &Defaults) -> Plan {
        Plan {
            limits,
            threads: self.threads.map_or(defaults.of(Key::Threads) as usize, |threads| threads as usize),
            hash_mb: self.hash.unwrap_or(defaults.of(Key::Hash) as usize),
            ..Plan::default()
        }
    }
}

impl LimitFlags {
    /// The limits of the flags; if none of them is sure to end a search, the defaults.
    pub fn limits(&self, defaults: &Defaults, nodes: Key) -> Limits {
        let is_bounded = self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some();
        let usual = defaults.limits(nodes);
        if !is_bounded {
            return Limits { mate: self.mate.or(usual.mate), ..usual };
        }
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.movetime.map(Duration::from_millis),
            mate: self.mate,
            ..Limits::default()
        }
    }
}

/// How much of an input is read, and how much there is; the size of a stream is unknown.
#[derive(Clone, Default)]
pub struct Size {
    /// Bytes that have been read.
    pub read: Arc<AtomicU64>,
    /// Bytes that there are.
    pub total: Option<u64>,
}

impl Size {
    /// The share of the input that has been read; unknown for a stream.
    pub fn share(&self) -> Option<f64> {
        let total = self.total.filter(|&total| total > 0)?;
        Some(self.read.load(Ordering::Relaxed) as f64 / total as f64)
    }
}

/// Counts the bytes that are read.
struct Counted {
    bytes: Box<dyn BufRead + Send>,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, target: &mut [u8]) -> std::io::Result<usize> {
        let count = self.bytes.read(target)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl BufRead for Counted {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        self.bytes.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.read.fetch_add(amount as u64, Ordering::Relaxed);
        self.bytes.consume(amount);
    }
}

/// Opens all inputs. A position that was given as an argument has to be one.
pub fn inputs(flags: &InputFlags) -> Result<(Vec<Input>, Size), Fault> {
    if !flags.fen.is_empty() {
        for fen in &flags.fen {
            let read: Result<Position, FenError> = fen.parse();
            read.map_err(|source| Fault::Fen { fen: fen.clone(), source })?;
        }
        let bytes = Box::new(Cursor::new(flags.fen.join("\n").into_bytes()));
        let input = Input { name: "--fen".to_owned(), kind: Kind::Lines, bytes };
        return Ok((vec![input], Size::default()));
    }
    let read = Arc::<AtomicU64>::default();
    let mut total = Some(0);
    let mut inputs = Vec::new();
    for path in &flags.files {
        let bytes = Box::new(Counted { bytes: open(path)?, read: Arc::clone(&read) });
        let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        let kind = if flags.pgn || is_pgn { Kind::Games } else { Kind::Lines };
        inputs.push(Input { name: path.display().to_string(), kind, bytes });
        total = total.zip(file_size(path)).map(|(sum, size)| sum + size);
    }
    Ok((inputs, Size { read, total }))
}

fn file_size(path: &Path) -> Option<u64> {
    path.metadata().ok().filter(std::fs::Metadata::is_file).map(|data| data.len())
}

/// Opens endgame tables.
pub fn load_tables(path: &OsStr) -> Result<Arc<Tablebase>, Fault> {
    let (tables, inventory) = Tablebase::open(path);
    if inventory.found.is_empty() {
        let folders = path.display();
        return Err(Fault::NotLoadable(format!("there is no whole endgame table in {folders}")));
    }
    Ok(Arc::new(tables))
}

/// An output file that cannot be opened is an output fault, anything else wrong usage.
pub fn resume_fault(error: ResumeError) -> Fault {
    match error {
        ResumeError::File { path, source } => Fault::OutputFile { name: path.display().to_string(), source },
        other => Fault::Usage(format!("{other}; not resumed")),
    }
}

/// An input that breaks off.
pub fn unreadable(SourceError { name, source }: SourceError) -> Fault {
    Fault::Input { name, source }
}

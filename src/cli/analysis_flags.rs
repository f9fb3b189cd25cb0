//! Flags that several commands of analysis share.

use super::fault::{Fault, open};
use crate::analysis::Plan;
use crate::analysis::defaults::{Defaults, Key};
use crate::analysis::resume::ResumeError;
use crate::analysis::source::{Input, Kind, SourceError};
use crate::board::{FenError, Position};
use crate::config::{Config, Given};
use crate::nnue::Network;
use crate::search::{Limits, Settings};
use crate::tablebase::Tablebase;
use crate::uci::options;
use std::ffi::OsStr;
use std::io::{self, BufRead, Cursor, Read};
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
    /// The files.
    pub fn paths(&self) -> &[PathBuf] {
        if self.fen.is_empty() { &self.files } else { &[] }
    }

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
    /// Stop after this number of nodes (1000000, of `annotate` 200000, if nothing else ends the search)
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

/// What engine.toml says to the commands of analysis.
pub struct Usual {
    /// Limits and jobs for whoever gives no flags.
    pub defaults: Defaults,
    /// The network that evaluates.
    pub network: Arc<Network>,
    /// Folders of endgame tables.
    tables: Option<String>,
}

impl Usual {
    /// Reads the named file, else the one in the usual places.
    pub fn find(named: Option<&Path>) -> Result<Usual, Fault> {
        let config = Config::find(named).map_err(Fault::from)?;
        for setting in &config.uci {
            options::check_setting(setting).map_err(|fault| Fault::Usage(setting.explain(&fault)))?;
        }
        let defaults = Defaults::read(&config.analysis).map_err(Fault::Usage)?;
        let (net, tables) = (path_in(&config, "EvalFile"), path_in(&config, "SyzygyPath"));
        let counts = !config.analysis.is_empty() || net.is_some() || tables.is_some();
        if let Some(path) = config.path.as_ref().filter(|_| counts) {
            eprintln!("settings from {}", path.display());
        }
        let network = net.map_or_else(|| Ok(Network::embedded()), |path| load_network(Path::new(&path)))?;
        Ok(Usual { defaults, network, tables })
    }
}

/// The path that an option holds, if it holds one.
fn path_in(config: &Config, option: &str) -> Option<String> {
    let setting = config.uci.iter().find(|setting| setting.name.eq_ignore_ascii_case(option))?;
    match &setting.value {
        Given::Text(path) if !matches!(path.as_str(), "" | "<empty>" | options::EMBEDDED) => {
            Some(path.clone())
        }
        _ => None,
    }
}

/// Reads a network.
pub fn load_network(path: &Path) -> Result<Arc<Network>, Fault> {
    let fault = |error| Fault::NotLoadable(format!("{}: {error}", path.display()));
    Network::read(path).map(Arc::new).map_err(fault)
}

impl JobFlags {
    /// What engine.toml says.
    pub fn usual(&self) -> Result<Usual, Fault> {
        Usual::find(self.config.as_deref())
    }

    /// Positions at a time.
    pub fn count(&self, usual: &Usual) -> usize {
        self.jobs.map_or_else(|| usual.defaults.jobs(), |jobs| jobs as usize)
    }

    /// A plan with these limits, threads and hash tables; endgame tables are those of the flag, else the usual ones.
    pub fn plan(&self, limits: Limits, usual: &Usual, syzygy: Option<&OsStr>) -> Result<Plan, Fault> {
        let (plan, defaults) = (Plan::default(), &usual.defaults);
        let tables = syzygy.or(usual.tables.as_deref().map(OsStr::new));
        Ok(Plan {
            limits,
            threads: self.threads.map_or(defaults.of(Key::Threads) as usize, |threads| threads as usize),
            hash_mb: self.hash.unwrap_or(defaults.of(Key::Hash) as usize),
            settings: Settings { network: Arc::clone(&usual.network), ..plan.settings },
            tables: tables.map(load_tables).transpose()?,
            ..plan
        })
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

/// Counts the bytes that are read, and refuses text in UTF-16.
struct Counted {
    bytes: Box<dyn BufRead + Send>,
    read: Arc<AtomicU64>,
    is_begun: bool,
}

impl Counted {
    /// Text that begins as UTF-16 does would be read as nothing but damage.
    fn begin(&mut self) -> io::Result<()> {
        const MARKS: [[u8; 2]; 2] = [[0xff, 0xfe], [0xfe, 0xff]];
        if !self.is_begun {
            let head = self.bytes.fill_buf()?;
            if MARKS.iter().any(|mark| head.starts_with(mark)) {
                let told = "it is text in UTF-16, not in UTF-8";
                return Err(io::Error::new(io::ErrorKind::InvalidData, told));
            }
            self.is_begun = true;
        }
        Ok(())
    }
}

impl Read for Counted {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        self.begin()?;
        let count = self.bytes.read(target)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl BufRead for Counted {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.begin()?;
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
        let bytes = Box::new(Counted { bytes: open(path)?, read: Arc::clone(&read), is_begun: false });
        let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        let kind = if flags.pgn || is_pgn { Kind::Games } else { Kind::Lines };
        inputs.push(Input { name: path.display().to_string(), kind, bytes });
        total = total.zip(file_size(path)).map(|(sum, size)| sum + size);
    }
    Ok((inputs, Size { read, total }))
}

/// Refuses to write over what is to be read, or two things into one file.
pub fn keep_apart(inputs: &[PathBuf], outputs: &[Option<&Path>]) -> Result<(), Fault> {
    let mut taken: Vec<PathBuf> = inputs.iter().filter_map(|path| own_name(path)).collect();
    for path in outputs.iter().copied().flatten() {
        let name = own_name(path);
        if let Some(name) = name {
            if taken.contains(&name) {
                let told = format!("{} is read or written already: write to another file", path.display());
                return Err(Fault::Usage(told));
            }
            taken.push(name);
        }
    }
    Ok(())
}

/// The one name of a file, whatever links lead to it; devices and pipes have none.
fn own_name(path: &Path) -> Option<PathBuf> {
    match path.metadata() {
        Ok(data) if data.is_file() => path.canonicalize().ok(),
        Ok(_) => None,
        Err(_) => std::path::absolute(path).ok(),
    }
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

//! `clavier analyze`.

use super::analysis_flags::{
    InputFlags, JobFlags, LimitFlags, MoveFlags, Usual, inputs, keep_apart, resume_fault, unreadable,
};
use super::fault::Fault;
use super::progress::BatchProgress;
use crate::analysis::batch::{Batch, BatchError, OnError};
use crate::analysis::defaults::Key;
use crate::analysis::parallel::Crew;
use crate::analysis::resume::{self, Kept, SkipError};
use crate::analysis::source::{Raw, Source, SourceError};
use crate::analysis::{Format, Interrupt, Lines, Plan, Style, View};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Analyze positions and games: FEN, EPD, JSON Lines or PGN in, one record for each position out
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A line of input is a FEN (also with `moves ...` behind it), EPD, or JSON: {\"id\", \"fen\", \"moves\": [...]}. \
Files named *.pgn hold games, of which every position is analyzed.

Example: clavier analyze positions.epd --nodes 500000 --multipv 3 -o records.jsonl --resume")]
pub struct Arguments {
    #[command(flatten)]
    input: InputFlags,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    moves: MoveFlags,
    #[command(flatten)]
    jobs: JobFlags,
    #[command(flatten)]
    output: OutputFlags,
    /// Folders of Syzygy endgame tables, joined as in PATH
    #[arg(long, value_name = "PATH")]
    syzygy: Option<OsString>,
    /// Write records as they come, not in the order of the input
    #[arg(long, conflicts_with = "resume")]
    unordered: bool,
    /// What to do about a position that cannot be analyzed
    #[arg(long, value_enum, default_value_t = ErrorFlag::Record)]
    on_error: ErrorFlag,
}

/// How and where records are written.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
struct OutputFlags {
    /// Form of the records
    #[arg(long, value_enum, default_value_t = FormatFlag::Jsonl)]
    format: FormatFlag,
    /// File to write, - = standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Go on with the output file where it was cut off
    #[arg(long)]
    resume: bool,
    /// In whose view values are told
    #[arg(long, value_enum, default_value_t = ViewFlag::White)]
    pov: ViewFlag,
    /// Tell the chances of win, draw and loss, in permill
    #[arg(long)]
    wdl: bool,
    /// Tell lines in SAN as well
    #[arg(long)]
    san: bool,
    /// Write castling as king takes rook always
    #[arg(long)]
    chess960: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum FormatFlag {
    Jsonl,
    Epd,
    Csv,
    Text,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ViewFlag {
    White,
    Side,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ErrorFlag {
    /// Write a record of the error
    Record,
    /// Leave the position out
    Skip,
    /// End
    Fail,
}

impl OutputFlags {
    fn style(&self) -> Style {
        Style {
            format: match self.format {
                FormatFlag::Jsonl => Format::Jsonl,
                FormatFlag::Epd => Format::Epd,
                FormatFlag::Csv => Format::Csv,
                FormatFlag::Text => Format::Text,
            },
            view: match self.pov {
                ViewFlag::White => View::White,
                ViewFlag::Side => View::Side,
            },
            wdl: self.wdl,
            san: self.san,
            chess960: self.chess960,
        }
    }

    /// The file to be written; none = the standard output.
    fn file(&self) -> Option<&Path> {
        Some(self.output.as_path()).filter(|&path| path != Path::new("-"))
    }
}

impl Arguments {
    fn plan(&self, usual: &Usual) -> Result<Plan, Fault> {
        let limits = self.limits.limits(&usual.defaults, Key::Nodes);
        Ok(Plan {
            lines: if self.moves.all_moves { Lines::All } else { Lines::Best(self.moves.multipv as usize) },
            only: self.moves.searchmoves.clone(),
            without: self.moves.exclude.clone(),
            ..self.jobs.plan(limits, usual, self.syzygy.as_deref())?
        })
    }
}

/// Analyzes everything.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.output.resume && arguments.output.file().is_none() {
        return Err(Fault::Usage("--resume needs a file to go on with: -o FILE".to_owned()).into());
    }
    keep_apart(arguments.input.paths(), &[arguments.output.file()])?;
    let usual = arguments.jobs.usual()?;
    let plan = arguments.plan(&usual)?;
    let (inputs, size) = inputs(&arguments.input)?;
    let interrupt = super::interrupt::of_batch();
    let batch = Batch {
        plan: &plan,
        style: arguments.output.style(),
        crew: Crew { jobs: arguments.jobs.count(&usual), in_order: !arguments.unordered },
        on_error: match arguments.on_error {
            ErrorFlag::Record => OnError::Record,
            ErrorFlag::Skip => OnError::Skip,
            ErrorFlag::Fail => OnError::Fail,
        },
        interrupt: &interrupt,
    };
    let mut source = Source::new(inputs);
    let (mut output, skipped) = open_output(&arguments.output, &batch, &mut source)?;
    let mut progress = BatchProgress::new(size, skipped, arguments.output.file().is_some());
    let tally = batch.run(source, &mut *output, &mut progress).map_err(to_fault)?;
    drop(progress);
    finish(&interrupt, tally.items, tally.failed)
}

/// The exit code of a batch, and its last words if something went wrong.
fn finish(interrupt: &Interrupt, items: u64, failed: u64) -> anyhow::Result<()> {
    if interrupt.is_raised() {
        return Err(Fault::Interrupted.into());
    }
    if failed > 0 {
        eprintln!("clavier: {failed} of {items} positions could not be analyzed");
        return Err(Fault::SomeFailed.into());
    }
    Ok(())
}

/// The output, and how many items it has already.
fn open_output(
    flags: &OutputFlags,
    batch: &Batch<'_>,
    source: &mut dyn Iterator<Item = Result<Raw, SourceError>>,
) -> anyhow::Result<(Box<dyn Write + Send>, u64)> {
    let header = batch.style.header();
    let start = |mut output: Box<dyn Write + Send>| {
        output.write_all(header.as_bytes()).and_then(|()| output.flush()).map_err(Fault::Output)?;
        Ok((output, 0))
    };
    let Some(path) = flags.file() else { return start(Box::new(io::stdout())) };
    if !flags.resume {
        return start(Box::new(resume::begin(path, batch.plan, batch.style).map_err(resume_fault)?));
    }
    let kept: Kept = resume::reopen(path, batch.plan, batch.style).map_err(resume_fault)?;
    if kept.is_blank {
        return start(Box::new(kept.file));
    }
    let skipped = kept.skip(path, source, batch).map_err(|error| match error {
        SkipError::Resume(error) => resume_fault(error),
        SkipError::Source(error) => unreadable(error),
    })?;
    let file: File = kept.file;
    Ok((Box::new(file), skipped))
}

fn to_fault(error: BatchError) -> Fault {
    match error {
        BatchError::Source(error) => unreadable(error),
        BatchError::Output(error) => Fault::Output(error),
        BatchError::Threads(error) => Fault::Usage(format!("fewer --jobs are needed: {error}")),
    }
}

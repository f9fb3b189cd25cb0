//! `clavier annotate`.

use super::analysis_flags::{
    InputFlags, JobFlags, LimitFlags, Size, Usual, inputs, keep_apart, resume_fault, unreadable,
};
use super::fault::Fault;
use super::progress::Progress as Bar;
use crate::analysis::annotate::{
    Annotation, AnnotationError, Audience, Manner, Page, Progress, Review, Thresholds, resume,
};
use crate::analysis::defaults::Key;
use crate::analysis::pgn::{Games, Text, Tree};
use crate::analysis::source::{Input, SourceError};
use crate::analysis::{Interrupt, Plan};
use crate::types::Color;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Write values, marks, better lines and accuracy into games: PGN in, PGN out
#[derive(Debug, clap::Args)]
#[command(after_help = "\
What stands in the games stays: comments, variations, marks. Values are seen from White.

Example: clavier annotate games.pgn --nodes 500000 -o annotated.pgn")]
pub struct Arguments {
    /// Files of games in PGN, - = standard input
    #[arg(default_value = "-")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    marks: MarkFlags,
    #[command(flatten)]
    jobs: JobFlags,
    /// File to write, - = standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Go on with the output file where it was cut off
    #[arg(long)]
    resume: bool,
    /// Write a page with board, moves, graph and accuracy as well; it needs no other file and no network
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    html: Option<PathBuf>,
    /// Folders of Syzygy endgame tables, joined as in PATH
    #[arg(long, value_name = "PATH")]
    syzygy: Option<OsString>,
}

/// Which moves are annotated, and how.
#[derive(Debug, clap::Args)]
struct MarkFlags {
    /// Mark a move `?!` from this loss of winning chances on, on a scale from -1 to 1
    #[arg(long, value_name = "LOSS", default_value_t = Thresholds::default().inaccuracy, value_parser = loss)]
    inaccuracy: f64,
    /// Mark a move `?` from this loss on
    #[arg(long, value_name = "LOSS", default_value_t = Thresholds::default().mistake, value_parser = loss)]
    mistake: f64,
    /// Mark a move `??` from this loss on
    #[arg(long, value_name = "LOSS", default_value_t = Thresholds::default().blunder, value_parser = loss)]
    blunder: f64,
    /// Annotate the moves of this side only
    #[arg(long, value_enum)]
    only_side: Option<SideFlag>,
    /// Annotate from this move on, counting the moves of both sides
    #[arg(long, value_name = "PLY", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    from_ply: u32,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SideFlag {
    White,
    Black,
}

/// The largest loss there is: from a sure win to a sure loss.
const LARGEST_LOSS: f64 = 2.0;

fn loss(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|&loss| loss > 0.0 && loss <= LARGEST_LOSS)
        .ok_or(format!("not above 0 and up to {LARGEST_LOSS}"))
}

impl MarkFlags {
    fn manner(&self) -> Result<Manner, Fault> {
        if !(self.inaccuracy <= self.mistake && self.mistake <= self.blunder) {
            let order = "--inaccuracy, --mistake and --blunder must not fall";
            return Err(Fault::Usage(order.to_owned()));
        }
        Ok(Manner {
            thresholds: Thresholds {
                inaccuracy: self.inaccuracy,
                mistake: self.mistake,
                blunder: self.blunder,
            },
            only_side: self.only_side.map(|side| match side {
                SideFlag::White => Color::White,
                SideFlag::Black => Color::Black,
            }),
            from_ply: self.from_ply as usize,
        })
    }
}

impl Arguments {
    fn plan(&self, usual: &Usual) -> Result<Plan, Fault> {
        let limits = self.limits.limits(&usual.defaults, Key::AnnotateNodes);
        self.jobs.plan(limits, usual, self.syzygy.as_deref())
    }

    /// The file to be written; none = the standard output.
    fn file(&self) -> Option<&Path> {
        Some(self.output.as_path()).filter(|&path| path != Path::new("-"))
    }
}

/// Annotates all games.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    keep_apart(&arguments.files, &[arguments.file(), arguments.html.as_deref()])?;
    let usual = arguments.jobs.usual()?;
    let (plan, manner) = (arguments.plan(&usual)?, arguments.marks.manner()?);
    let (inputs, size) = inputs(&InputFlags::files(arguments.files.clone()))?;
    let mut source = inputs.into_iter().flat_map(games);
    let (mut output, skipped) = open_output(arguments, &plan, &manner, &mut source)?;
    let page_file = arguments.html.as_deref().map(create).transpose()?;
    let interrupt = super::interrupt::of_batch();
    let annotation =
        Annotation { plan: &plan, manner, jobs: arguments.jobs.count(&usual), interrupt: &interrupt };
    let page = page_file.is_some().then(|| Page::new(&limit_text(&plan)));
    let mut listener = Listener::new(size, skipped, arguments.file().is_some(), page);
    let progress = annotation.run(source, &mut *output, &mut listener).map_err(to_fault)?;
    if let (Some(mut file), Some(page)) = (page_file, listener.page.take()) {
        file.write_all(page.finish().as_bytes()).map_err(Fault::Output)?;
    }
    drop(listener);
    finish(&interrupt, progress)
}

/// Creates a file now, so that nobody waits in vain for what cannot be written.
fn create(path: &Path) -> Result<File, Fault> {
    File::create(path).map_err(|source| Fault::OutputFile { name: path.display().to_string(), source })
}

/// What the searches were limited to, for people.
fn limit_text(plan: &Plan) -> String {
    let texts = plan.limit().into_iter().map(|(name, value)| format!("{name} {value}"));
    texts.collect::<Vec<_>>().join(", ").replace('_', " ")
}

/// The exit code, and the last words if something went wrong.
fn finish(interrupt: &Interrupt, progress: Progress) -> anyhow::Result<()> {
    if interrupt.is_raised() {
        return Err(Fault::Interrupted.into());
    }
    if progress.damaged > 0 {
        eprintln!("clavier: {} of {} games are damaged", progress.damaged, progress.games);
        return Err(Fault::SomeFailed.into());
    }
    Ok(())
}

/// The games of an input.
fn games(input: Input) -> impl Iterator<Item = Result<Text, SourceError>> + Send {
    let (name, mut games) = (input.name, Some(Games::new(input.bytes)));
    std::iter::from_fn(move || match games.as_mut()?.read() {
        Ok(text) => text.map(Ok),
        Err(source) => {
            games = None;
            Some(Err(SourceError { name: name.clone(), source }))
        }
    })
}

/// The output, and how many games it has already; those are taken from the source.
fn open_output(
    arguments: &Arguments,
    plan: &Plan,
    manner: &Manner,
    source: &mut dyn Iterator<Item = Result<Text, SourceError>>,
) -> Result<(Box<dyn Write + Send>, u64), Fault> {
    let Some(path) = arguments.file() else {
        return if arguments.resume {
            Err(Fault::Usage("--resume needs a file to go on with: -o FILE".to_owned()))
        } else {
            Ok((Box::new(io::stdout()), 0))
        };
    };
    if !arguments.resume {
        return Ok((Box::new(resume::begin(path, plan, manner).map_err(resume_fault)?), 0));
    }
    let kept = resume::reopen(path, plan, manner).map_err(resume_fault)?;
    for _ in 0..kept.games {
        if source.next().transpose().map_err(unreadable)?.is_none() {
            let told =
                format!("{} holds {} games, more than the input; not resumed", path.display(), kept.games);
            return Err(Fault::Usage(told));
        }
    }
    Ok((Box::new(kept.file), kept.games))
}

fn to_fault(error: AnnotationError) -> Fault {
    match error {
        AnnotationError::Source(error) => unreadable(error),
        AnnotationError::Output(error) => Fault::Output(error),
        AnnotationError::Threads(error) => Fault::Usage(format!("fewer --jobs are needed: {error}")),
    }
}

/// Tells on the standard error how it goes.
struct Listener {
    bar: Option<Bar>,
    size: Size,
    skipped: u64,
    page: Option<Page>,
}

impl Listener {
    /// A bar would disturb games that go to the same terminal.
    fn new(size: Size, skipped: u64, is_output_elsewhere: bool, page: Option<Page>) -> Listener {
        let is_free = is_output_elsewhere || !io::stdout().is_terminal();
        Listener { bar: is_free.then(Bar::new), size, skipped, page }
    }
}

impl Audience for Listener {
    fn moved_on(&mut self, progress: Progress) {
        if let Some(bar) = &mut self.bar {
            let games = self.skipped + progress.games;
            bar.show(self.size.share(), format_args!("{games} games, {} positions", progress.positions));
        }
    }

    fn damaged(&mut self, game: u64, fault: &str) {
        let told = format!("clavier: game {game}: {fault}");
        self.bar.as_ref().map_or_else(|| eprintln!("{told}"), |bar| bar.tell(&told));
    }

    fn reviewed(&mut self, tree: &Tree, review: &Review) {
        if let Some(page) = &mut self.page {
            page.add(tree, review);
        }
    }
}

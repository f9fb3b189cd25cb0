//! Many positions: from a source to an output, record by record.

use super::parallel::{self, Crew};
use super::source::{Raw, SourceError};
use super::{Analyst, Format, Interrupt, Plan, Refusal, Style};
use std::io::{self, Write};
use std::ops::ControlFlow;

/// What to do about an item that cannot be analyzed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnError {
    /// Write a record of the error and go on.
    Record,
    /// Write nothing and go on.
    Skip,
    /// End.
    Fail,
}

/// How to treat a batch.
pub struct Batch<'a> {
    /// What to search.
    pub plan: &'a Plan,
    /// How to write it.
    pub style: Style,
    /// How many at once.
    pub crew: Crew,
    /// What to do about errors.
    pub on_error: OnError,
    /// Ends the batch.
    pub interrupt: &'a Interrupt,
}

/// Who hears how a batch goes on.
pub trait Observer: Send {
    /// One more item is done.
    fn done(&mut self, tally: Tally);
    /// An item was refused, and no record tells it.
    fn refused(&mut self, refusal: &Refusal);
}

/// How much is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Items that are done, those in error included.
    pub items: u64,
    /// Items in error.
    pub failed: u64,
    /// Was the batch interrupted, or ended by an item in error?
    pub is_cut_short: bool,
}

/// Why a batch ends before its time.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum BatchError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("the output cannot be written")]
    Output(#[source] io::Error),
    #[error("the system has no more threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// What comes out of the work on one item.
enum Done {
    Record(String),
    Refused(Box<Refusal>),
    Unreadable(SourceError),
    Interrupted,
}

impl Batch<'_> {
    /// Analyzes every item and writes its record, flushed.
    ///
    /// # Errors
    /// If the source cannot be read or the output not be written.
    pub fn run(
        &self,
        source: impl Iterator<Item = Result<Raw, SourceError>> + Send,
        output: &mut (dyn Write + Send),
        observer: &mut dyn Observer,
    ) -> Result<Tally, BatchError> {
        let mut tally = Tally::default();
        let mut fault = None;
        let start = || Analyst::new(self.plan).heeding(self.interrupt);
        let sink = |done| match self.emit(done, &mut tally, output, observer) {
            Ok(flow) => flow,
            Err(error) => {
                fault = Some(error);
                ControlFlow::Break(())
            }
        };
        let items = source.take_while(|_| !self.interrupt.is_raised());
        parallel::run(self.crew, items, start, |analyst, raw| self.work(analyst, raw), sink)?;
        tally.is_cut_short |= self.interrupt.is_raised();
        fault.map_or(Ok(tally), Err)
    }

    fn work(&self, analyst: &mut Analyst, raw: Result<Raw, SourceError>) -> Done {
        let item = match raw.map(Raw::parse) {
            Ok(Ok(item)) => item,
            Ok(Err(refusal)) => return Done::Refused(refusal),
            Err(error) => return Done::Unreadable(error),
        };
        match analyst.analyze(&item.game, self.interrupt) {
            None => Done::Interrupted,
            Some(Ok(analysis)) => Done::Record(self.style.record(self.plan, &item, &analysis)),
            Some(Err(error)) => {
                let fen = item.game.position().to_string();
                Done::Refused(Box::new(Refusal { id: item.id, line: item.line, fen, error }))
            }
        }
    }

    fn emit(
        &self,
        done: Done,
        tally: &mut Tally,
        output: &mut (dyn Write + Send),
        observer: &mut dyn Observer,
    ) -> Result<ControlFlow<()>, BatchError> {
        let mut put = |record: &str| {
            output.write_all(record.as_bytes()).and_then(|()| output.flush()).map_err(BatchError::Output)
        };
        match done {
            Done::Record(record) => put(&record)?,
            Done::Refused(refusal) => {
                tally.failed += 1;
                match self.style.refusal(&refusal).filter(|_| self.on_error == OnError::Record) {
                    Some(record) => put(&record)?,
                    None if self.on_error == OnError::Skip => {}
                    None => observer.refused(&refusal),
                }
                tally.is_cut_short = self.on_error == OnError::Fail;
            }
            Done::Unreadable(error) => return Err(error.into()),
            Done::Interrupted => return Ok(ControlFlow::Break(())),
        }
        tally.items += 1;
        observer.done(*tally);
        Ok(if tally.is_cut_short { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Does an item in error leave a record?
    pub fn records_errors(&self) -> bool {
        self.on_error == OnError::Record && self.style.format != Format::Epd
    }
}

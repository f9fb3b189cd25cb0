//! Many games: their positions are analyzed side by side, the games are written one after the other.

use super::super::parallel::{self, Crew};
use super::super::pgn::{Text, Tree, write_as_read};
use super::super::source::SourceError;
use super::super::{Analysis, Analyst, Interrupt, Plan};
use super::{Manner, Review};
use crate::game::Game;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// How to annotate games.
pub struct Annotation<'a> {
    /// What to search.
    pub plan: &'a Plan,
    /// What to annotate.
    pub manner: Manner,
    /// Positions at a time.
    pub jobs: usize,
    /// Ends the work; what is not complete is not written.
    pub interrupt: &'a Interrupt,
}

/// How much is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Games that are written.
    pub games: u64,
    /// Positions that are analyzed.
    pub positions: u64,
    /// Games that could not be followed to their end.
    pub damaged: u64,
}

/// Who hears how the work goes on.
pub trait Audience: Send {
    /// One more position or game is done.
    fn moved_on(&mut self, progress: Progress);
    /// A game cannot be followed, or not to its end.
    fn damaged(&mut self, game: u64, fault: &str);
    /// A game is reviewed; nothing is written into it yet.
    fn reviewed(&mut self, tree: &Tree, review: &Review);
}

/// Why the work ends before its time.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum AnnotationError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("the output cannot be written")]
    Output(#[source] io::Error),
    #[error("the system has no more threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// A game as far as it can be read.
enum Opened {
    Tree(Box<Tree>),
    /// The position at its start is none.
    Text(Box<Text>, String),
}

/// What a job has to do: analyze the next position of a game, or know that it was the last.
enum Task {
    Analyze(Box<Game>),
    Finish(Opened),
    Fail(SourceError),
}

/// What comes of it.
enum Done {
    Analyzed(Box<Analysis>),
    Finished(Opened),
    Failed(SourceError),
    Interrupted,
}

impl Annotation<'_> {
    /// Annotates every game and writes it, flushed.
    ///
    /// # Errors
    /// If the source cannot be read or the output not be written.
    pub fn run(
        &self,
        source: impl Iterator<Item = Result<Text, SourceError>> + Send,
        output: &mut (dyn Write + Send),
        audience: &mut dyn Audience,
    ) -> Result<Progress, AnnotationError> {
        let mut progress = Progress::default();
        let mut found = Vec::new();
        let mut fault = None;
        let start = || Analyst::new(self.plan).heeding(self.interrupt);
        let sink = |done| {
            match done {
                Done::Analyzed(analysis) => {
                    progress.positions += 1;
                    found.push(*analysis);
                }
                Done::Finished(opened) => {
                    progress.games += 1;
                    let text = self.finish(opened, std::mem::take(&mut found), &mut progress, audience);
                    let written = output.write_all(text.as_bytes()).and_then(|()| output.flush());
                    fault = written.err().map(AnnotationError::Output);
                }
                Done::Failed(error) => fault = Some(error.into()),
                Done::Interrupted => return ControlFlow::Break(()),
            }
            audience.moved_on(progress);
            if fault.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let tasks = self.tasks(source).take_while(|_| !self.interrupt.is_raised());
        let crew = Crew { jobs: self.jobs, in_order: true };
        parallel::run(crew, tasks, start, |analyst, task| self.work(analyst, task), sink)?;
        fault.map_or(Ok(progress), Err)
    }

    /// All that is to be done, game by game.
    fn tasks(
        &self,
        source: impl Iterator<Item = Result<Text, SourceError>> + Send,
    ) -> impl Iterator<Item = Task> + Send {
        let manner = self.manner;
        source.flat_map(move |text| {
            let text = match text {
                Ok(text) => text,
                Err(error) => return VecDeque::from([Task::Fail(error)]),
            };
            let tree = match Tree::read(&text) {
                Ok(tree) => tree,
                Err(fault) => return VecDeque::from([Task::Finish(Opened::Text(Box::new(text), fault))]),
            };
            let games: Vec<&Game> = tree.games().collect();
            let analyze = |index: usize| Task::Analyze(Box::new(games[index].clone()));
            let mut tasks: VecDeque<Task> = manner.positions(&tree).map(analyze).collect();
            tasks.push_back(Task::Finish(Opened::Tree(Box::new(tree))));
            tasks
        })
    }

    fn work(&self, analyst: &mut Analyst, task: Task) -> Done {
        let game = match task {
            Task::Analyze(game) => game,
            Task::Finish(opened) => return Done::Finished(opened),
            Task::Fail(error) => return Done::Failed(error),
        };
        match analyst.analyze(&game, self.interrupt) {
            Some(Ok(analysis)) => Done::Analyzed(Box::new(analysis)),
            // An error tells of chosen moves that are not legal, and here nobody chooses moves.
            Some(Err(_)) | None => Done::Interrupted,
        }
    }

    /// The annotated text of a game.
    fn finish(
        &self,
        opened: Opened,
        found: Vec<Analysis>,
        progress: &mut Progress,
        audience: &mut dyn Audience,
    ) -> String {
        match opened {
            Opened::Tree(mut tree) => {
                if let Some(fault) = &tree.fault {
                    progress.damaged += 1;
                    audience.damaged(tree.number, fault);
                }
                let review = Review::new(&tree, found, &self.manner);
                audience.reviewed(&tree, &review);
                review.write_into(&mut tree);
                tree.to_string()
            }
            Opened::Text(text, fault) => {
                progress.damaged += 1;
                audience.damaged(text.number, &fault);
                write_as_read(&text, &fault)
            }
        }
    }
}

//! Progress on the standard error: a bar on a terminal, else a plain line every ten seconds.

use super::analysis_flags::Size;
use crate::analysis::Refusal;
use crate::analysis::batch::{Observer, Tally};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::io::IsTerminal;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Steps of a bar.
const STEPS: u64 = 1000;
/// Time between plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Shows how far a work is.
pub struct Progress {
    bar: Option<ProgressBar>,
    last_line: Instant,
}

impl Progress {
    /// Nothing is done yet.
    pub fn new() -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:30} {msg}").expect("the template is right");
            ProgressBar::new(STEPS).with_style(style)
        });
        Progress { bar, last_line: Instant::now() }
    }

    /// Tells something without disturbing the bar.
    pub fn tell(&self, text: impl Display) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{text}")),
            None => eprintln!("{text}"),
        }
    }

    /// A share in 0..=1 of the work is done, none of a work without end, and so much is known.
    pub fn show(&mut self, share: impl Into<Option<f64>>, known: impl Display) {
        let share = share.into();
        if let Some(bar) = &self.bar {
            bar.set_position((share.unwrap_or(0.0) * STEPS as f64) as u64);
            bar.set_message(known.to_string());
        } else if self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            match share {
                Some(share) => eprintln!("{:.0} %: {known}", share * 100.0),
                None => eprintln!("{known}"),
            }
        }
    }
}

/// The bar goes away with the work, done or not.
impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Shows how far a batch of positions is.
pub struct BatchProgress {
    progress: Option<Progress>,
    size: Size,
    /// Bytes that had been read before the first new item.
    skipped_bytes: u64,
    skipped: u64,
    start: Instant,
    last_shown: Instant,
}

/// Time between two looks of a bar.
const BAR_INTERVAL: Duration = Duration::from_millis(100);

impl BatchProgress {
    /// A batch of inputs of some size, of which some items are passed over. A bar would disturb records that
    /// go to the same terminal.
    pub fn new(size: Size, skipped: u64, is_output_elsewhere: bool) -> BatchProgress {
        let is_free = is_output_elsewhere || !std::io::stdout().is_terminal();
        let skipped_bytes = size.read.load(Ordering::Relaxed);
        let progress = is_free.then(Progress::new);
        let now = Instant::now();
        BatchProgress { progress, size, skipped_bytes, skipped, start: now, last_shown: now }
    }
}

impl Observer for BatchProgress {
    fn done(&mut self, tally: Tally) {
        let share = self.size.share();
        let Some(progress) = self.progress.as_mut().filter(|_| self.last_shown.elapsed() >= BAR_INTERVAL)
        else {
            return;
        };
        self.last_shown = Instant::now();
        let seconds = self.start.elapsed().as_secs_f64();
        let speed = tally.items as f64 / seconds;
        let done = self.skipped + tally.items;
        let mut known = format!("{done} positions, {speed:.1} positions/s");
        if let (Some(share), Some(total)) = (share, self.size.total) {
            let before = self.skipped_bytes as f64 / total as f64;
            let left = seconds * (1.0 - share) / (share - before).max(1e-9);
            known = format!("{known}, {} left", clock(left));
        }
        progress.show(share, known);
    }

    fn refused(&mut self, refusal: &Refusal) {
        let told = format!("clavier: line {}: {}", refusal.line, refusal.error);
        self.progress.as_ref().map_or_else(|| eprintln!("{told}"), |progress| progress.tell(&told));
    }
}

/// Seconds as hours, minutes and seconds.
fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

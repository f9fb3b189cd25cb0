//! Progress on the standard error: a bar on a terminal, else a plain line every ten seconds.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
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

    /// A share in 0..=1 of the work is done, none of a work without end, and so much is known.
    pub fn show(&mut self, share: impl Into<Option<f64>>, known: impl std::fmt::Display) {
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

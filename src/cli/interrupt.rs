//! Interrupts. A batch ends by itself soon; of longer works the second interrupt ends the process at once.

use super::fault::Fault;
use crate::analysis::Interrupt;
#[cfg(feature = "train")]
use anyhow::Context;
use std::sync::Arc;
#[cfg(feature = "train")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// An interrupt ends the process at once, with the exit code of interrupts. Lines are written whole, so nothing is
/// left to be flushed.
pub fn leave_at_once() {
    // Without a handler an interrupt ends the process as well, by the signal.
    let _ = ctrlc::set_handler(|| std::process::exit(Fault::Interrupted.code().into()));
}

/// What ends a batch when the user interrupts.
pub fn of_batch() -> Arc<Interrupt> {
    /// A search that had just begun is told again after this time.
    const AGAIN: Duration = Duration::from_millis(20);
    let interrupt = Arc::<Interrupt>::default();
    let raised = Arc::clone(&interrupt);
    // Without a handler an interrupt ends the process at once, which is all right too.
    let _ = ctrlc::set_handler(move || {
        loop {
            raised.raise();
            std::thread::sleep(AGAIN);
        }
    });
    interrupt
}

/// A flag that the first interrupt sets, telling the person what happens now.
#[cfg(feature = "train")]
pub fn flag(message: &'static str) -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if shared.swap(true, Ordering::Relaxed) {
            std::process::exit(Fault::Interrupted.code().into());
        }
        eprintln!("{message}; interrupt again to leave at once");
    })
    .context("no handler for interrupts")?;
    Ok(flag)
}

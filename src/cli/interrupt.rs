//! Interrupts: the first one asks for a clean end, the second one ends the process at once.

use super::fault::Fault;
use anyhow::Context;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that the first interrupt sets, telling the person what happens now.
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

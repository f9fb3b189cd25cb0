//! Ending a batch from outside.

use crate::search::Shared;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Tells a batch to end soon. What is being searched when it is raised gets no record.
#[derive(Default)]
pub struct Interrupt {
    is_raised: AtomicBool,
    searches: Mutex<Vec<Arc<Shared>>>,
}

impl Interrupt {
    /// Tells it. A search that begins in the same moment may miss it: raise it again, now and then.
    pub fn raise(&self) {
        self.is_raised.store(true, Ordering::SeqCst);
        let searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        searches.iter().for_each(|shared| shared.stop());
    }

    /// Has it been raised?
    pub fn is_raised(&self) -> bool {
        self.is_raised.load(Ordering::SeqCst)
    }

    /// Searches with this shared state are to be stopped as well.
    pub(super) fn watch(&self, shared: &Arc<Shared>) {
        self.searches.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(shared));
    }
}

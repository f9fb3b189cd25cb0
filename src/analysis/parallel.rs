//! Work on many items at once, with results in the order of the items and bounded memory.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Stack of a working thread: room for the deepest search.
const STACK_BYTES: usize = 16 << 20;
/// Results that may wait for an earlier one, for each job.
const WINDOW_PER_JOB: u64 = 64;

/// How to work.
#[derive(Clone, Copy, Debug)]
pub struct Crew {
    /// Items at a time.
    pub jobs: usize,
    /// Hand out results in the order of the items, or as they come?
    pub in_order: bool,
}

/// Items that are still to be taken.
struct Intake<I> {
    items: I,
    taken: u64,
}

/// Results on their way out.
struct Outlet<R, S> {
    /// Results that are here too early, by number.
    early: BTreeMap<u64, R>,
    /// Number of the result that is to go out next.
    next: u64,
    sink: S,
    is_closed: bool,
}

/// Lets each job make its tools by `start`, work on items with them, and gives the results to `sink`, one at
/// a time, until it breaks or nothing is left. An item is taken when a job is free, so a slow source is
/// answered at once.
///
/// # Errors
/// If the system has no more threads.
///
/// ```
/// use clavier::analysis::parallel::{Crew, run};
/// use std::ops::ControlFlow;
/// let mut squares = Vec::new();
/// let sink = |square: u64| { squares.push(square); ControlFlow::Continue(()) };
/// run(Crew { jobs: 2, in_order: true }, 1..=4_u64, || (), |(), number| number * number, sink).unwrap();
/// assert_eq!(squares, [1, 4, 9, 16]);
/// ```
pub fn run<T, R: Send, W>(
    crew: Crew,
    items: impl Iterator<Item = T> + Send,
    start: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, T) -> R + Sync,
    sink: impl FnMut(R) -> ControlFlow<()> + Send,
) -> Result<(), rayon::ThreadPoolBuildError> {
    let jobs = crew.jobs.max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(STACK_BYTES).build()?;
    let intake = Mutex::new(Intake { items, taken: 0 });
    let outlet = Mutex::new(Outlet { early: BTreeMap::new(), next: 0, sink, is_closed: false });
    let moved_on = Condvar::new();
    let window = WINDOW_PER_JOB * jobs as u64;
    pool.broadcast(|_| {
        let mut tools = None;
        loop {
            // Whoever holds the intake may have to wait for the oldest result: its job never waits.
            let mut source = lock(&intake);
            let full = |outlet: &mut Outlet<R, _>| !outlet.is_closed && source.taken >= outlet.next + window;
            let is_closed = wait_while(&moved_on, lock(&outlet), full).is_closed;
            let Some(item) = (if is_closed { None } else { source.items.next() }) else { break };
            let number = source.taken;
            source.taken += 1;
            drop(source);
            let result = work(tools.get_or_insert_with(&start), item);
            lock(&outlet).accept(number, result, crew.in_order);
            moved_on.notify_all();
        }
    });
    Ok(())
}

impl<R, S: FnMut(R) -> ControlFlow<()>> Outlet<R, S> {
    fn accept(&mut self, number: u64, result: R, in_order: bool) {
        if !in_order {
            self.emit(result);
            return;
        }
        self.early.insert(number, result);
        while let Some(result) = self.early.remove(&self.next) {
            self.emit(result);
        }
    }

    fn emit(&mut self, result: R) {
        self.next += 1;
        if !self.is_closed {
            self.is_closed = (self.sink)(result).is_break();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait_while<'a, T>(
    condition: &Condvar,
    guard: MutexGuard<'a, T>,
    holds: impl FnMut(&mut T) -> bool,
) -> MutexGuard<'a, T> {
    condition.wait_while(guard, holds).unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn collect(crew: Crew, stop_at: u64) -> Vec<u64> {
        let mut results = Vec::new();
        let work = |(): &mut (), number: u64| {
            // The first of all is the slowest.
            std::thread::sleep(Duration::from_millis(if number == 0 { 30 } else { 0 }));
            number
        };
        let sink = |number| {
            results.push(number);
            if number == stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        run(crew, 0..1000, || (), work, sink).unwrap();
        results
    }

    #[test]
    fn results_come_in_order_though_the_first_is_slow() {
        let expected: Vec<u64> = (0..1000).collect();
        assert_eq!(collect(Crew { jobs: 3, in_order: true }, 5000), expected);
    }

    #[test]
    fn without_order_nothing_waits_and_nothing_is_lost() {
        let mut results = collect(Crew { jobs: 3, in_order: false }, 5000);
        assert_ne!(results[0], 0);
        results.sort_unstable();
        assert_eq!(results, (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn after_a_break_nothing_comes() {
        assert_eq!(collect(Crew { jobs: 3, in_order: true }, 10).len(), 11);
    }
}

//! The transposition table, shared by all threads without locks.
//! <https://www.chessprogramming.org/Transposition_Table>

use crate::types::{Bound, Move, Score};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// Bytes of a MiB.
const MIB: usize = 1 << 20;
/// Entries that share a cache line.
const BUCKET: usize = 4;
/// Searches after which ages repeat.
const AGES: u8 = 32;
/// A search's age counts as so many plies of depth when an entry is to be replaced.
const AGE_WEIGHT: i32 = 4;
/// Large pages are this large, and so is the alignment of the table.
const LARGE_PAGE: usize = 2 * MIB;

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, or the one that refuted; perhaps not legal, if keys collide.
    pub best: Option<Move>,
    /// Value, with mates counted from the node.
    pub score: Score,
    /// What the value says.
    pub bound: Bound,
    /// Remaining depth of the search that found it, in plies.
    pub depth: i32,
    /// Static evaluation, none in check.
    pub eval: Option<Score>,
    /// Was it ever a node of a principal variation?
    pub was_pv: bool,
}

/// An entry's place: its key xor its data beside the data, so that a torn write is a miss
/// (Hyatt and Mann, "A lock-less transposition table implementation for parallel search", 2002).
#[repr(C)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// The slots that a position may use: one cache line.
#[repr(C, align(64))]
struct Bucket([Slot; BUCKET]);

/// Why a table of some size cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a hash table of {mb} MiB cannot be had")]
pub struct TableError {
    mb: usize,
}

/// The table.
pub struct Table {
    /// What the system gave; the buckets begin at the first aligned address in it.
    memory: NonNull<u8>,
    buckets: NonNull<Bucket>,
    count: usize,
    age: AtomicU8,
}

// SAFETY: the memory behind the pointer belongs to the table alone and holds nothing but atomics.
unsafe impl Send for Table {}
// SAFETY: as above; all access goes through atomics.
unsafe impl Sync for Table {}

impl Table {
    /// A table of a size in MiB.
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn new(mb: usize) -> Result<Table, TableError> {
        let bytes = mb.max(1).checked_mul(MIB).ok_or(TableError { mb })?;
        Table::with_bytes(bytes)
    }

    /// A table of a size in bytes: one of less than a MiB is cleared in no time, for searches that small.
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn with_bytes(bytes: usize) -> Result<Table, TableError> {
        let error = TableError { mb: bytes.div_ceil(MIB) };
        if bytes > physical_memory() {
            return Err(error);
        }
        let count = (bytes / size_of::<Bucket>()).max(1);
        // SAFETY: the layout is not empty.
        let memory = NonNull::new(unsafe { alloc_zeroed(Self::layout(count)) }).ok_or(error)?;
        let padding = memory.align_offset(LARGE_PAGE);
        // SAFETY: the layout has room for the buckets behind one large page of padding.
        let buckets = unsafe { memory.add(padding) }.cast::<Bucket>();
        advise_large_pages(buckets.as_ptr().cast(), count * size_of::<Bucket>());
        Ok(Table { memory, buckets, count, age: AtomicU8::new(0) })
    }

    /// The buckets and room to align them. The layout itself asks for no alignment: so the system can hand out
    /// fresh pages, which are zero already, instead of clearing them one by one.
    fn layout(count: usize) -> Layout {
        let size = count * size_of::<Bucket>() + LARGE_PAGE;
        Layout::array::<u8>(size).expect("a size that fits the memory fits a layout")
    }

    #[inline]
    fn buckets(&self) -> &[Bucket] {
        // SAFETY: `with_bytes` has allocated `count` buckets, zero is a valid bucket, and they live as long as self.
        unsafe { std::slice::from_raw_parts(self.buckets.as_ptr(), self.count) }
    }

    /// The slots of a key: its high bits, scaled to the size.
    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.count as u128) >> 64;
        &self.buckets()[index as usize]
    }

    /// Size in MiB.
    pub fn size_mb(&self) -> usize {
        self.count * size_of::<Bucket>() / MIB
    }

    /// Brings the key's cache line nearer.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(clavier_x86)]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: prefetching reads nothing, and the address is that of a bucket.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.bucket(key)).cast()) }
        }
        #[cfg(not(clavier_x86))]
        let _ = key;
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (data != 0 && slot.check.load(Relaxed) ^ data == key).then(|| unpack(data))
        })
    }

    /// Keeps an entry, in place of the same position's or of the one least worth keeping: shallow or old.
    pub fn store(&self, key: u64, entry: Entry) {
        let age = self.age.load(Relaxed);
        let worth = |data: u64| {
            let years = i32::from((AGES + age - age_of(data)) % AGES);
            unpack(data).depth - AGE_WEIGHT * years
        };
        let mut target: Option<(&Slot, u64, i32)> = None;
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Relaxed);
            if data != 0 && slot.check.load(Relaxed) ^ data == key {
                return self.refresh(slot, key, data, entry);
            }
            let value = if data == 0 { i32::MIN } else { worth(data) };
            if target.is_none_or(|(_, _, least)| value < least) {
                target = Some((slot, data, value));
            }
        }
        if let Some((slot, ..)) = target {
            write(slot, key, pack(entry, age));
        }
    }

    /// Overwrites the same position's entry, unless it is much deeper and of this search; a move stays known.
    fn refresh(&self, slot: &Slot, key: u64, old: u64, mut entry: Entry) {
        const MUCH_DEEPER: i32 = 4;
        let age = self.age.load(Relaxed);
        let known = unpack(old);
        entry.best = entry.best.or(known.best);
        let is_worth_more =
            entry.bound == Bound::Exact || age_of(old) != age || entry.depth + MUCH_DEEPER > known.depth;
        if is_worth_more {
            write(slot, key, pack(entry, age));
        }
    }

    /// A new search begins: what is in the table is a year older.
    pub fn grow_older(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// Forgets everything, with so many threads.
    pub fn clear(&self, threads: usize) {
        self.age.store(0, Relaxed);
        let share = self.count.div_ceil(threads.max(1));
        std::thread::scope(|scope| {
            let mut shares = self.buckets().chunks(share);
            let own = shares.next();
            for other in shares {
                scope.spawn(|| clear(other));
            }
            own.into_iter().for_each(clear);
        });
    }

    /// Share of entries of the present search in a sample, in permill.
    pub fn fill_permill(&self) -> u32 {
        const SAMPLE: usize = 250;
        let age = self.age.load(Relaxed);
        let sample = &self.buckets()[..SAMPLE.min(self.count)];
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.0)
            .map(|slot| slot.data.load(Relaxed))
            .filter(|&data| data != 0 && age_of(data) == age)
            .count();
        (used * 1000 / (sample.len() * BUCKET)) as u32
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // SAFETY: allocated in `with_bytes` with this layout.
        unsafe { dealloc(self.memory.as_ptr(), Self::layout(self.count)) }
    }
}

fn clear(buckets: &[Bucket]) {
    for slot in buckets.iter().flat_map(|bucket| &bucket.0) {
        slot.check.store(0, Relaxed);
        slot.data.store(0, Relaxed);
    }
}

fn write(slot: &Slot, key: u64, data: u64) {
    slot.check.store(key ^ data, Relaxed);
    slot.data.store(data, Relaxed);
}

/// Stands for "no evaluation" in the packed form.
const NO_EVAL: i16 = i16::MIN;

/// Bits 0-15 move, 16-31 score, 32-47 evaluation, 48-55 depth, 56-57 bound (never 0), 58 principal
/// variation, 59-63 age.
fn pack(entry: Entry, age: u8) -> u64 {
    let best = entry.best.map_or(0, Move::bits);
    let eval = entry.eval.map_or(NO_EVAL, |eval| eval.0 as i16);
    let bound = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(best)
        | u64::from(entry.score.0 as i16 as u16) << 16
        | u64::from(eval as u16) << 32
        | u64::from(entry.depth.clamp(0, 255) as u8) << 48
        | bound << 56
        | u64::from(entry.was_pv) << 58
        | u64::from(age) << 59
}

fn unpack(data: u64) -> Entry {
    let eval = (data >> 32) as u16 as i16;
    Entry {
        best: Move::from_bits(data as u16),
        score: Score(i32::from((data >> 16) as u16 as i16)),
        bound: match data >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
        depth: i32::from((data >> 48) as u8),
        eval: (eval != NO_EVAL).then_some(Score(i32::from(eval))),
        was_pv: data >> 58 & 1 != 0,
    }
}

fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

/// Bytes of memory that the machine has, so that a table is refused which could only be had on paper.
fn physical_memory() -> usize {
    #[cfg(unix)]
    {
        // SAFETY: sysconf only reads.
        let (pages, size) =
            unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
        if let (Ok(pages), Ok(size)) = (usize::try_from(pages), usize::try_from(size)) {
            return pages.saturating_mul(size);
        }
    }
    isize::MAX as usize
}

/// Asks the system to back the table with large pages, which saves address look-ups. It may decline.
fn advise_large_pages(memory: *mut u8, size: usize) {
    #[cfg(target_os = "linux")]
    if size >= LARGE_PAGE {
        // SAFETY: the range has just been allocated; the advice changes nothing that can be seen.
        unsafe { libc::madvise(memory.cast(), size, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (memory, size);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    fn entry(depth: i32) -> Entry {
        Entry {
            best: Some(Move::new(Square::E2, Square::E4, MoveKind::DoubleStep)),
            score: Score(-31990),
            bound: Bound::Lower,
            depth,
            eval: Some(Score(-17)),
            was_pv: true,
        }
    }

    #[test]
    fn an_entry_returns_as_it_was_stored() {
        let table = Table::new(1).unwrap();
        table.store(0x1234_5678_9ABC_DEF0, entry(12));
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF0), Some(entry(12)));
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF1), None);
        table.clear(2);
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF0), None);
    }

    #[test]
    fn the_shallowest_entry_makes_room() {
        let table = Table::new(1).unwrap();
        for key in 0..5 {
            table.store(key, entry(10 + key as i32)); // all in the first bucket
        }
        assert_eq!(table.probe(0), None);
        assert!((1..5).all(|key| table.probe(key).is_some()));
    }

    #[test]
    fn old_entries_make_room_for_new_ones() {
        let table = Table::new(1).unwrap();
        table.store(0, entry(20));
        for _ in 0..5 {
            table.grow_older();
        }
        for key in 1..5 {
            table.store(key, entry(3));
        }
        assert_eq!(table.probe(0), None);
    }

    #[test]
    fn a_table_larger_than_the_memory_is_refused() {
        assert!(Table::new(1 << 24).is_err());
    }
}

//! A table of counts that threads share without locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counts by position and depth. A slot torn by two writers is told by its key, which is stored xored with
/// the count: <https://www.chessprogramming.org/Shared_Hash_Table#Lockless>.
pub struct Table {
    slots: Vec<Slot>,
}

#[derive(Default)]
struct Slot {
    mixed_key: AtomicU64,
    leaves: AtomicU64,
}

/// The memory for a table cannot be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{mb} MiB for the table of counts cannot be had")]
pub struct TableError {
    mb: usize,
}

impl Table {
    /// A table of this size in MiB.
    ///
    /// # Errors
    /// If the memory cannot be had.
    pub fn new(mb: usize) -> Result<Table, TableError> {
        const MIB: usize = 1 << 20;
        let count = mb.max(1).checked_mul(MIB / size_of::<Slot>()).ok_or(TableError { mb })?;
        let mut slots = Vec::new();
        slots.try_reserve_exact(count).map_err(|_| TableError { mb })?;
        slots.resize_with(count, Slot::default);
        Ok(Table { slots })
    }

    fn slot(&self, key: u64) -> &Slot {
        // The high bits choose among the slots, however many there are.
        &self.slots[((u128::from(key) * self.slots.len() as u128) >> 64) as usize]
    }

    /// The count of a position at a depth, if it is kept.
    pub fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let key = with_depth(key, depth);
        let slot = self.slot(key);
        let leaves = slot.leaves.load(Relaxed);
        (slot.mixed_key.load(Relaxed) ^ leaves == key).then_some(leaves)
    }

    /// Keeps a count in the place of another.
    pub fn put(&self, key: u64, depth: u32, leaves: u64) {
        let key = with_depth(key, depth);
        let slot = self.slot(key);
        slot.mixed_key.store(key ^ leaves, Relaxed);
        slot.leaves.store(leaves, Relaxed);
    }
}

/// Another key for each depth.
fn with_depth(key: u64, depth: u32) -> u64 {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    key ^ GOLDEN.wrapping_mul(u64::from(depth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_kept_by_position_and_depth() {
        let table = Table::new(1).unwrap();
        table.put(7, 3, 42);
        assert_eq!(table.get(7, 3), Some(42));
        assert_eq!(table.get(7, 4), None);
        assert_eq!(table.get(8, 3), None);
    }

    #[test]
    fn a_size_beyond_all_memory_is_refused() {
        assert_eq!(Table::new(usize::MAX).err(), Some(TableError { mb: usize::MAX }));
    }
}

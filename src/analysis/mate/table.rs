//! What is known of positions, as far as it fits into memory.

use super::Role;

/// Positions that may stand in the place of one key.
const BUCKET: usize = 4;
/// The work that nobody can do.
const ENDLESS: u32 = u32::MAX / 2;

/// How much work seems to be left: proof numbers, in the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Effort {
    /// Leaves that have to turn out well, at least, to show that the side reaches its aim; 0 = it does.
    pub achieve: u32,
    /// The same to show that it does not.
    pub refute: u32,
}

impl Effort {
    pub const ENDLESS: Effort = Effort { achieve: ENDLESS, refute: ENDLESS };

    /// A first guess.
    pub fn guess(achieve: u32, refute: u32) -> Effort {
        Effort { achieve, refute }
    }

    /// The side reaches its aim, or does not.
    pub fn settled(is_success: bool) -> Effort {
        let (achieve, refute) = if is_success { (0, ENDLESS) } else { (ENDLESS, 0) };
        Effort { achieve, refute }
    }

    pub fn is_settled(self) -> bool {
        self.achieve == 0 || self.refute == 0
    }

    pub fn is_success(self) -> bool {
        self.achieve == 0
    }

    /// Is more to be done than somebody wants to do?
    pub fn exceeds(self, limit: Effort) -> bool {
        self.achieve >= limit.achieve || self.refute >= limit.refute
    }

    /// The effort for a node with these children: one of them has to be refuted, or all must succeed.
    pub fn of_parent(children: impl Iterator<Item = Effort>) -> Effort {
        children.fold(Effort { achieve: ENDLESS, refute: 0 }, |sum, child| Effort {
            achieve: sum.achieve.min(child.refute),
            refute: match (sum.refute, child.achieve) {
                (ENDLESS, _) | (_, ENDLESS) => ENDLESS,
                // However much it is, it can be done.
                (sum, more) => (sum + more).min(ENDLESS - 1),
            },
        })
    }

    /// How long to work on the child that is refuted most easily, if this is the limit of its parent. A little
    /// more than the next best takes, so that the search does not jump between the two.
    pub fn for_child(self, parent: Effort, child: Effort, second: u32) -> Effort {
        let others = parent.refute.saturating_sub(child.achieve);
        Effort {
            achieve: self.refute.saturating_sub(others).max(1),
            refute: self.achieve.min(second.saturating_add(second / 4 + 1)),
        }
    }
}

/// One position.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    /// The effort in the view of the side to move, with so many moves left.
    effort: Effort,
    moves_left: u16,
    /// The attacker mates in so many moves less one; 0 = unknown.
    mate_in: u16,
    /// He does not in so many moves less one; 0 = unknown.
    none_in: u16,
}

/// Positions by their keys.
pub(super) struct Table {
    entries: Vec<Entry>,
}

impl Table {
    /// As many positions as fit into so many MiB.
    pub fn new(mb: usize) -> Table {
        let buckets = (mb.max(1) << 20) / (BUCKET * size_of::<Entry>());
        Table { entries: vec![Entry::default(); buckets * BUCKET] }
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.entries.len() / BUCKET) as u128;
        ((u128::from(key) * buckets) >> 64) as usize * BUCKET
    }

    /// What is known of a position in which the attacker has so many moves left.
    pub fn get(&self, key: u64, moves_left: u32, role: Role) -> Option<Effort> {
        let start = self.bucket(key);
        let entry = self.entries[start..start + BUCKET].iter().find(|entry| entry.key == key)?;
        let is_attacker = role == Role::Attacker;
        if entry.mate_in > 0 && moves_left + 1 >= u32::from(entry.mate_in) {
            Some(Effort::settled(is_attacker))
        } else if moves_left < u32::from(entry.none_in) {
            Some(Effort::settled(!is_attacker))
        } else {
            (u32::from(entry.moves_left) == moves_left && !entry.effort.is_settled()).then_some(entry.effort)
        }
    }

    /// Notes what is known now. The position that has taken the least work gives way.
    pub fn put(&mut self, key: u64, moves_left: u32, effort: Effort, role: Role) {
        let start = self.bucket(key);
        let bucket = &mut self.entries[start..start + BUCKET];
        let index = bucket.iter().position(|entry| entry.key == key).unwrap_or_else(|| {
            let worth = |entry: &Entry| (entry.mate_in + entry.none_in, entry.effort.achieve);
            let least = (0..BUCKET).min_by_key(|&index| worth(&bucket[index])).unwrap_or_default();
            bucket[least] = Entry { key, ..Entry::default() };
            least
        });
        let entry = &mut bucket[index];
        let moves = moves_left as u16 + 1;
        if !effort.is_settled() {
            (entry.effort, entry.moves_left) = (effort, moves_left as u16);
        } else if effort.is_success() == (role == Role::Attacker) {
            entry.mate_in = if entry.mate_in == 0 { moves } else { entry.mate_in.min(moves) };
        } else {
            entry.none_in = entry.none_in.max(moves);
        }
    }
}

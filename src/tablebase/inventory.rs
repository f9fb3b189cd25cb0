//! Which table files there are, which are missing and which are damaged.

use crate::regular_file;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest tables that exist, in men.
pub const MAX_MEN: usize = 7;
/// Every table file is a multiple of this long and has [`SIZE_REST`] bytes more, a checksum.
const SIZE_UNIT: u64 = 64;
const SIZE_REST: u64 = 16;

/// What a table file tells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Metric {
    /// Win, draw or loss.
    Wdl,
    /// Distance to the next capture or pawn move.
    Dtz,
}

impl Metric {
    /// Both kinds of tables.
    pub const BOTH: [Metric; 2] = [Metric::Wdl, Metric::Dtz];

    /// The extension of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            Metric::Wdl => "rtbw",
            Metric::Dtz => "rtbz",
        }
    }

    /// The first bytes of its files.
    const fn magic(self) -> [u8; 4] {
        match self {
            Metric::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            Metric::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// The files of one size of material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Completeness {
    /// Men on the board, kings included.
    pub men: usize,
    /// Which tables.
    pub metric: Metric,
    /// Files that are there and look whole.
    pub found: usize,
    /// Files of the complete set.
    pub wanted: usize,
}

/// What lies in the folders of the tables.
#[derive(Debug, Default)]
pub struct Inventory {
    /// Files that look whole, by name without folder.
    pub found: BTreeMap<String, PathBuf>,
    /// Files that are damaged or cannot be read, and why.
    pub damaged: Vec<(PathBuf, String)>,
    /// Folders that cannot be listed, and why.
    pub unreadable: Vec<(PathBuf, String)>,
}

impl Inventory {
    /// Lists the tables in some folders, joined as in the platform's `PATH`, and looks at the head of each
    /// file. Of two files with one name the first counts.
    pub fn scan(paths: &OsStr) -> Inventory {
        let names = complete_set().map(|(name, metric)| (file_name(&name, metric), metric));
        let names: BTreeMap<String, Metric> = names.collect();
        let mut inventory = Inventory::default();
        for folder in std::env::split_paths(paths).filter(|folder| !folder.as_os_str().is_empty()) {
            if let Err(error) = inventory.scan_folder(&folder, &names) {
                inventory.unreadable.push((folder, error.to_string()));
            }
        }
        inventory
    }

    fn scan_folder(&mut self, folder: &Path, names: &BTreeMap<String, Metric>) -> io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let Some(name) = path.file_name().and_then(OsStr::to_str) else { continue };
            let Some(metric) = names.get(name) else { continue };
            if self.found.contains_key(name) {
                continue;
            }
            match check_head(&path, *metric) {
                Ok(()) => drop(self.found.insert(name.to_owned(), path)),
                Err(reason) => self.damaged.push((path, reason)),
            }
        }
        Ok(())
    }

    /// Keeps the files that somebody takes; the others count as damaged.
    pub(super) fn keep(&mut self, mut take: impl FnMut(&Path) -> io::Result<()>) {
        let damaged = &mut self.damaged;
        self.found.retain(|_, path| match take(path) {
            Ok(()) => true,
            Err(error) => {
                damaged.push((path.clone(), error.to_string()));
                false
            }
        });
    }

    /// How complete the sets are, up to the largest one of which anything was found.
    pub fn completeness(&self) -> Vec<Completeness> {
        let mut rows = Vec::new();
        let largest = self.found.keys().map(|name| men_of(name)).max().unwrap_or(0);
        for men in 3..=largest {
            for metric in Metric::BOTH {
                let wanted = complete_set().filter(|(name, m)| *m == metric && men_of(name) == men);
                let mut row = Completeness { men, metric, found: 0, wanted: 0 };
                for (name, _) in wanted {
                    row.wanted += 1;
                    row.found += usize::from(self.found.contains_key(&file_name(&name, metric)));
                }
                rows.push(row);
            }
        }
        rows
    }

    /// Names of the missing files, up to the largest set of which anything was found. A position can be
    /// probed only if the tables of all its captures and promotions are there, too.
    pub fn missing(&self) -> Vec<String> {
        let largest = self.found.keys().map(|name| men_of(name)).max().unwrap_or(0);
        complete_set()
            .filter(|(name, _)| men_of(name) <= largest)
            .map(|(name, metric)| file_name(&name, metric))
            .filter(|name| !self.found.contains_key(name))
            .collect()
    }

    /// Is everything there that was found at all, and whole?
    pub fn is_sound(&self) -> bool {
        self.damaged.is_empty() && self.unreadable.is_empty() && !self.found.is_empty()
    }

    /// Materials of the tables found, such as `KQvKR`.
    pub fn materials(&self) -> BTreeSet<&str> {
        self.found.keys().filter_map(|name| name.split('.').next()).collect()
    }
}

/// One line for people: how many tables of which size, and what is wrong.
impl fmt::Display for Inventory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count =
            |metric: Metric| self.found.keys().filter(|name| name.ends_with(metric.extension())).count();
        let largest = self.found.keys().map(|name| men_of(name)).max().unwrap_or(0);
        write!(f, "{} WDL and {} DTZ tables found", count(Metric::Wdl), count(Metric::Dtz))?;
        if largest > 0 {
            write!(f, ", up to {largest} men")?;
        }
        let missing = self.missing();
        if let Some(first) = missing.first() {
            write!(f, "; {} missing, the first {first}", missing.len())?;
        }
        for (path, reason) in self.damaged.iter().chain(&self.unreadable) {
            write!(f, "; {}: {reason}", path.display())?;
        }
        Ok(())
    }
}

fn file_name(material: &str, metric: Metric) -> String {
    format!("{material}.{}", metric.extension())
}

/// Men that a material or file name tells: all its letters but the `v`.
fn men_of(name: &str) -> usize {
    name.split('.').next().map_or(0, |material| material.len() - 1)
}

/// All tables for 3 to 7 men.
pub fn complete_set() -> impl Iterator<Item = (String, Metric)> {
    (3..=MAX_MEN).flat_map(materials).flat_map(|name| Metric::BOTH.map(|metric| (name.clone(), metric)))
}

/// All materials with so many men, the stronger side first, such as `KQvKR`.
fn materials(men: usize) -> impl Iterator<Item = String> {
    let beside_kings = men - 2;
    (0..=beside_kings / 2).flat_map(move |weaker| {
        let stronger_sides = sides(beside_kings - weaker);
        let weaker_sides = sides(weaker);
        let mut names = Vec::new();
        for (rank, stronger) in stronger_sides.iter().enumerate() {
            for (other_rank, weaker) in weaker_sides.iter().enumerate() {
                if stronger.len() > weaker.len() || rank <= other_rank {
                    names.push(format!("K{stronger}vK{weaker}"));
                }
            }
        }
        names
    })
}

/// All sets of so many men beside a king, strongest first: QQ, QR, ... PP.
fn sides(men: usize) -> Vec<String> {
    const LETTERS: [char; 5] = ['Q', 'R', 'B', 'N', 'P'];
    if men == 0 {
        return vec![String::new()];
    }
    let smaller = sides(men - 1);
    let mut all = Vec::new();
    for (index, letter) in LETTERS.into_iter().enumerate() {
        let weaker_or_same = |rest: &&String| rest.chars().all(|other| LETTERS[index..].contains(&other));
        all.extend(smaller.iter().filter(weaker_or_same).map(|rest| format!("{letter}{rest}")));
    }
    all
}

/// Does the file look like a whole table? Says what is wrong.
fn check_head(path: &Path, metric: Metric) -> Result<(), String> {
    let mut file = regular_file::open(path).map_err(|error| error.to_string())?;
    let bytes = file.metadata().map_err(|error| error.to_string())?.len();
    let mut magic = [0; 4];
    if file.read_exact(&mut magic).is_err() || magic != metric.magic() {
        return Err("not a table: its first bytes are wrong".into());
    }
    if bytes % SIZE_UNIT != SIZE_REST {
        return Err(format!("cut off: {bytes} bytes are no size of a table"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sets_have_the_known_number_of_tables() {
        let counts: Vec<usize> = (3..=MAX_MEN).map(|men| materials(men).count()).collect();
        assert_eq!(counts, [5, 30, 110, 365, 1001]);
        assert_eq!(complete_set().count(), 2 * 1511);
    }

    #[test]
    fn the_stronger_side_comes_first() {
        let four: Vec<String> = materials(4).collect();
        for name in ["KQQvK", "KQPvK", "KBNvK", "KQvKR", "KRvKP", "KPvKP"] {
            assert!(four.iter().any(|found| found == name), "{name}");
        }
        assert!(!four.iter().any(|found| found == "KRvKQ" || found == "KvKQQ"));
    }

    #[test]
    fn missing_folders_and_damaged_files_are_told() {
        let folder = std::env::temp_dir().join(format!("clavier-inventory-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("KQvK.rtbw"), b"not a table").unwrap();
        std::fs::write(folder.join("KRvK.rtbw"), [0x71, 0xe8, 0x23, 0x5d, 0, 0]).unwrap();
        std::fs::write(folder.join("KPvK.rtbw"), b"").unwrap();
        std::fs::write(folder.join("readme.txt"), b"not meant to be a table").unwrap();
        let paths = std::env::join_paths([Path::new("no/such/folder"), &folder]).unwrap();
        let inventory = Inventory::scan(&paths);
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(inventory.found.is_empty() && !inventory.is_sound());
        assert_eq!((inventory.damaged.len(), inventory.unreadable.len()), (3, 1));
        assert!(inventory.to_string().contains("cut off: 6 bytes"), "{inventory}");
        assert!(inventory.missing().is_empty(), "nothing is missed where nothing was found");
    }
}

//! The section `[analysis]` of engine.toml: limits and jobs for whoever gives no flags.

use crate::config::{Given, Setting};
use crate::search::Limits;
use std::num::NonZero;
use std::time::Duration;

/// A setting. Where it is 0, it is left open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// Nodes for each position.
    Nodes,
    /// Nodes for each position of a game that is annotated.
    AnnotateNodes,
    /// Depth in plies.
    Depth,
    /// Time for each position, in milliseconds.
    MoveTime,
    /// Moves to a mate that ends a search.
    Mate,
    /// Positions at a time; 0 = as many as there are cores.
    Jobs,
    /// Threads for each position.
    Threads,
    /// The largest table of a job, in MiB.
    Hash,
}

/// What is known of a setting.
pub struct KeySpec {
    /// Which it is.
    pub key: Key,
    /// Its name in the file.
    pub name: &'static str,
    /// Its built-in value.
    pub default: u64,
    /// The smallest value.
    pub least: u64,
    /// The largest value.
    pub most: u64,
}

const fn spec(key: Key, name: &'static str, default: u64, (least, most): (u64, u64)) -> KeySpec {
    KeySpec { key, name, default, least, most }
}

/// All settings, in the order of [`Key`] and of the shipped file.
pub const KEYS: [KeySpec; 8] = [
    spec(Key::Nodes, "nodes", 1_000_000, (0, i64::MAX as u64)),
    spec(Key::AnnotateNodes, "annotate_nodes", 200_000, (0, i64::MAX as u64)),
    spec(Key::Depth, "depth", 0, (0, 245)),
    spec(Key::MoveTime, "movetime", 0, (0, 1 << 40)),
    spec(Key::Mate, "mate", 0, (0, 500)),
    spec(Key::Jobs, "jobs", 0, (0, 1024)),
    spec(Key::Threads, "threads", 1, (1, 1024)),
    spec(Key::Hash, "hash", 16, (1, 1 << 20)),
];

/// Why a setting cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum DefaultsError {
    #[error("[analysis] has no setting {0:?}")]
    Unknown(String),
    #[error("{name} needs a whole number from {least} to {most}, not {found:?}")]
    Value { name: &'static str, least: u64, most: u64, found: String },
    #[error("nothing ends a search: one of nodes, annotate_nodes, depth and movetime must be above 0")]
    Endless,
}

/// The values in force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defaults([u64; KEYS.len()]);

impl Default for Defaults {
    fn default() -> Defaults {
        Defaults(std::array::from_fn(|index| KEYS[index].default))
    }
}

impl Defaults {
    /// The built-in values with those of a file in their place.
    ///
    /// ```
    /// use clavier::analysis::defaults::{Defaults, Key};
    /// use clavier::config::Config;
    /// let config = Config::parse("[analysis]\njobs = 3\n").unwrap();
    /// let defaults = Defaults::read(&config.analysis).unwrap();
    /// assert_eq!((defaults.of(Key::Jobs), defaults.of(Key::Hash)), (3, 16));
    /// ```
    ///
    /// # Errors
    /// What is wrong with a setting, in its line.
    pub fn read(settings: &[Setting]) -> Result<Defaults, String> {
        let mut defaults = Defaults::default();
        for setting in settings {
            let (index, value) = check(setting).map_err(|fault| setting.explain(&fault))?;
            defaults.0[index] = value;
        }
        for nodes in [Key::Nodes, Key::AnnotateNodes] {
            if !defaults.limits(nodes).is_bounded() {
                let last = settings.last().map(|setting| setting.explain(&DefaultsError::Endless));
                return Err(last.unwrap_or_default());
            }
        }
        Ok(defaults)
    }

    /// The value of a setting.
    pub const fn of(&self, key: Key) -> u64 {
        self.0[key as usize]
    }

    /// The value, unless it is left open.
    fn given(&self, key: Key) -> Option<u64> {
        Some(self.of(key)).filter(|&value| value > 0)
    }

    /// What ends a search; its nodes are those of a setting of their own.
    pub fn limits(&self, nodes: Key) -> Limits {
        Limits {
            depth: self.given(Key::Depth).map(|depth| depth as u32),
            nodes: self.given(nodes),
            move_time: self.given(Key::MoveTime).map(Duration::from_millis),
            mate: self.given(Key::Mate).map(|moves| moves as u32),
            ..Limits::default()
        }
    }

    /// Positions at a time.
    pub fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        self.given(Key::Jobs).map_or_else(cores, |jobs| jobs as usize)
    }
}

/// Index and value of a setting.
fn check(setting: &Setting) -> Result<(usize, u64), DefaultsError> {
    let index = KEYS.iter().position(|known| known.name == setting.name);
    let index = index.ok_or_else(|| DefaultsError::Unknown(setting.name.clone()))?;
    let KeySpec { name, least, most, .. } = KEYS[index];
    let value = match setting.value {
        Given::Number(number) => u64::try_from(number).ok().filter(|value| (least..=most).contains(value)),
        Given::Truth(_) | Given::Text(_) => None,
    };
    let found = || setting.value.to_string();
    value.map(|value| (index, value)).ok_or_else(|| DefaultsError::Value {
        name,
        least,
        most,
        found: found(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn read(text: &str) -> Result<Defaults, String> {
        Defaults::read(&Config::parse(text).unwrap().analysis)
    }

    #[test]
    fn keys_stand_in_their_own_places() {
        for (index, spec) in KEYS.iter().enumerate() {
            assert_eq!(spec.key as usize, index);
            assert!((spec.least..=spec.most).contains(&spec.default));
        }
    }

    #[test]
    fn limits_are_those_of_the_file() {
        let limits = read("[analysis]\nnodes = 0\ndepth = 9\nannotate_nodes = 5\n").unwrap();
        assert_eq!(limits.limits(Key::Nodes), Limits::depth(9));
        assert_eq!(limits.limits(Key::AnnotateNodes).nodes, Some(5));
        assert_eq!(Defaults::default().limits(Key::Nodes), Limits::nodes(1_000_000));
    }

    #[test]
    fn faults_are_told_with_their_line() {
        let fault = |text: &str| read(text).unwrap_err();
        assert_eq!(fault("[analysis]\njob = 1\n"), "engine.toml, line 2: [analysis] has no setting \"job\"");
        assert!(
            fault("[analysis]\n\nhash = 0\n")
                .starts_with("engine.toml, line 3: hash needs a whole number from 1")
        );
        assert!(fault("[analysis]\nnodes = \"1\"\n").contains("not \"1\""));
        assert!(fault("[analysis]\nnodes = 0\n").contains("nothing ends a search"));
    }
}

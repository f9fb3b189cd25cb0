//! Layer 7: what of this machine and of the user's settings the engine can use, and how to mend the rest.

use crate::analysis::defaults::Defaults;
use crate::board::backend;
use crate::book::Book;
use crate::config::{Config, Setting};
use crate::nnue::Network;
use crate::tablebase::Tablebase;
use crate::uci::options;
use serde::Serialize;
use std::io::IsTerminal;
use std::path::Path;

/// Where Linux says whether programs get large pages.
const LARGE_PAGES: &str = "/sys/kernel/mm/transparent_hugepage/enabled";

/// How a thing is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// In use, as good as it gets.
    Good,
    /// Not in use, or not as good as it could be; the engine plays all the same.
    Improvable,
    /// Asked for, but broken.
    Broken,
}

/// What was found about one thing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// The thing.
    pub topic: &'static str,
    /// How it is.
    pub state: State,
    /// What was found.
    pub found: String,
    /// What to do for a better state.
    pub mend: Option<String>,
}

impl Finding {
    fn good(topic: &'static str, found: impl Into<String>) -> Finding {
        Finding { topic, state: State::Good, found: found.into(), mend: None }
    }

    fn improvable(topic: &'static str, found: impl Into<String>, mend: impl Into<String>) -> Finding {
        Finding { topic, state: State::Improvable, found: found.into(), mend: Some(mend.into()) }
    }

    fn broken(topic: &'static str, found: impl Into<String>, mend: impl Into<String>) -> Finding {
        Finding { topic, state: State::Broken, found: found.into(), mend: Some(mend.into()) }
    }
}

/// Looks at everything. The settings are those of the named file, else of the usual places.
pub fn examine(named: Option<&Path>) -> Vec<Finding> {
    let (config, settings) = config(named);
    vec![
        cpu(),
        cores(&settings),
        large_pages(std::fs::read_to_string(LARGE_PAGES).ok().as_deref()),
        evaluation(value(&settings, "EvalFile").as_deref()),
        tables(value(&settings, "SyzygyPath")),
        book(value(&settings, "Book File")),
        config,
        terminal(),
    ]
}

fn cpu() -> Finding {
    let chosen = backend::chosen().name();
    let best = backend::available().next().map_or(chosen, |backend| backend.name());
    let found = format!("move generator {chosen}");
    if chosen == best {
        Finding::good("cpu", format!("{found}, the best for this CPU"))
    } else {
        let mend = format!("this CPU can run {best}: unset {}", backend::VARIABLE);
        Finding::improvable("cpu", found, mend)
    }
}

fn cores(settings: &[Setting]) -> Finding {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = value(settings, "Threads").and_then(|text| text.parse().ok()).unwrap_or(1);
    let found = format!("{cores} cores, {threads} used by the UCI engine unless the GUI says otherwise");
    if threads > cores {
        Finding::improvable(
            "cores",
            found,
            format!("set Threads to {cores}: more threads than cores get in each other's way"),
        )
    } else {
        Finding::good("cores", found)
    }
}

/// Judges the text of the kernel's switch, which has the setting in use in brackets.
fn large_pages(switch: Option<&str>) -> Finding {
    const TOPIC: &str = "large pages";
    let Some(switch) = switch else {
        return Finding::improvable(
            TOPIC,
            "not known on this system",
            "nothing to do: the engine works without",
        );
    };
    if switch.contains("[always]") || switch.contains("[madvise]") {
        Finding::good(TOPIC, "on: the hash table gets them")
    } else {
        Finding::improvable(
            TOPIC,
            "off",
            format!("as root: echo madvise > {LARGE_PAGES}; searches get some percent faster"),
        )
    }
}

fn evaluation(path: Option<&str>) -> Finding {
    const TOPIC: &str = "network";
    let network = match path {
        None | Some("" | options::EMBEDDED) => {
            return Finding::good(TOPIC, format!("{:?}", Network::embedded()));
        }
        Some(path) => Network::read(Path::new(path)),
    };
    match network {
        Ok(network) => Finding::good(TOPIC, format!("{network:?}")),
        Err(error) => {
            Finding::broken(TOPIC, error.to_string(), "set EvalFile to a network file, or not at all")
        }
    }
}

fn tables(path: Option<String>) -> Finding {
    const TOPIC: &str = "endgame tables";
    let Some(path) = path.filter(|path| !path.is_empty()) else {
        let mend = "put Syzygy tables into a folder and set SyzygyPath to it";
        return Finding::improvable(TOPIC, "none: SyzygyPath is not set", mend);
    };
    let (_, inventory) = Tablebase::open(path.as_ref());
    let found = inventory.to_string();
    if !inventory.is_sound() {
        let mend = format!("load the damaged files again, then run: clavier tb check {path:?}");
        return Finding::broken(TOPIC, found, mend);
    }
    if inventory.missing().is_empty() {
        Finding::good(TOPIC, found)
    } else {
        Finding::improvable(TOPIC, found, "load the missing files: positions that need them are not probed")
    }
}

fn book(path: Option<String>) -> Finding {
    const TOPIC: &str = "opening book";
    let Some(path) = path.filter(|path| !path.is_empty()) else {
        let mend = "for a book, set Book File to a Polyglot file and OwnBook to true";
        return Finding::improvable(TOPIC, "none: Book File is not set", mend);
    };
    match Book::open(Path::new(&path)) {
        Ok(book) => Finding::good(TOPIC, format!("{path}: {} entries", book.len())),
        Err(error) => Finding::broken(TOPIC, error.to_string(), "set Book File to a Polyglot book (.bin)"),
    }
}

/// The file of settings with what is wrong in it, and its settings.
fn config(named: Option<&Path>) -> (Finding, Vec<Setting>) {
    const TOPIC: &str = "settings";
    let mend = "mend the line, or write a new file with: clavier config init";
    match Config::find(named) {
        Err(error) => (Finding::broken(TOPIC, error.to_string(), mend), Vec::new()),
        Ok(Config { path: None, .. }) => {
            let mend = "none are needed; for a file to begin with: clavier config init";
            (
                Finding::improvable(TOPIC, "no engine.toml, all settings are the built-in ones", mend),
                Vec::new(),
            )
        }
        Ok(Config { path: Some(path), uci, analysis }) => {
            let fault = uci.iter().find_map(|setting| {
                options::check_setting(setting).err().map(|fault| setting.explain(&fault))
            });
            let fault = fault.or_else(|| Defaults::read(&analysis).err());
            let finding = match fault {
                Some(fault) => Finding::broken(TOPIC, fault, mend),
                None => Finding::good(TOPIC, path.display().to_string()),
            };
            (finding, uci)
        }
    }
}

fn terminal() -> Finding {
    const TOPIC: &str = "terminal";
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if std::io::stderr().is_terminal() {
        Finding::good(
            TOPIC,
            if is_plain { "progress bars, no color (NO_COLOR)" } else { "progress bars and color" },
        )
    } else {
        Finding::good(TOPIC, "none: progress is told in plain lines")
    }
}

/// The text of a setting, by its name in any case.
fn value(settings: &[Setting], name: &str) -> Option<String> {
    let setting = settings.iter().find(|setting| setting.name.eq_ignore_ascii_case(name))?;
    Some(setting.value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_switch_of_large_pages_is_understood() {
        assert_eq!(large_pages(Some("always [madvise] never\n")).state, State::Good);
        assert_eq!(large_pages(Some("[always] madvise never\n")).state, State::Good);
        assert_eq!(large_pages(Some("always madvise [never]\n")).state, State::Improvable);
        assert_eq!(large_pages(None).state, State::Improvable);
    }

    #[test]
    fn what_is_asked_for_and_not_there_is_broken() {
        assert_eq!(tables(Some("no/such/folder".into())).state, State::Broken);
        assert_eq!(book(Some("no/such/book.bin".into())).state, State::Broken);
        assert_eq!(config(Some(Path::new("no/such/engine.toml"))).0.state, State::Broken);
        assert_eq!(tables(None).state, State::Improvable);
        assert_eq!(book(Some(String::new())).state, State::Improvable);
    }

    #[test]
    fn whatever_is_not_good_says_how_to_mend_it() {
        for finding in examine(None) {
            assert_eq!(finding.mend.is_none(), finding.state == State::Good, "{finding:?}");
        }
    }
}

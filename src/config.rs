//! Layer 6: the file `engine.toml`, the user's defaults.
//!
//! This module finds the file and reads it into [`Setting`]s, each with its line. What they mean is known to
//! those who take them: `[uci]` to the table of UCI options, `[analysis]` to [`crate::cli`]'s commands of analysis.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// Name of the file.
pub const FILE_NAME: &str = "engine.toml";

/// Most bytes that a file of settings may have.
const MAX_BYTES: u64 = 1 << 20;

/// The keys of `[paths]`, and the UCI options that they stand for.
const PATHS: [(&str, &str); 3] = [("net", "EvalFile"), ("syzygy", "SyzygyPath"), ("book", "Book File")];

/// The settings of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Where they come from; none if there is no file.
    pub path: Option<PathBuf>,
    /// The values of `[uci]`, with those that `[paths]` gives.
    pub uci: Vec<Setting>,
    /// The values of `[analysis]`.
    pub analysis: Vec<Setting>,
}

/// One line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The key.
    pub name: String,
    /// The value.
    pub value: Given,
    /// Number of the line, from 1.
    pub line: usize,
    /// The file, if the text came from one.
    pub file: Option<PathBuf>,
}

/// A value, in the types that settings have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// True or false.
    Truth(bool),
    /// A whole number.
    Number(i64),
    /// A text.
    Text(String),
}

/// Why a file cannot be taken.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum ConfigError {
    #[error("{path}: {source}")]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("line {line}: {message}")]
    Syntax { line: usize, message: String },
    #[error("line {line}: there is no section [{name}]")]
    Section { line: usize, name: String },
    #[error("line {line}: {name} stands outside of any section")]
    Homeless { line: usize, name: String },
    #[error("line {line}: {name} is neither a whole number, nor true or false, nor a text")]
    Type { line: usize, name: String },
    #[error("line {line}: there is no path {name:?}, only net, syzygy and book")]
    Path { line: usize, name: String },
    #[error("line {line}: {name} is a path and has to be a text")]
    PathType { line: usize, name: String },
    #[error("{path}: {source}")]
    InFile { path: PathBuf, source: Box<ConfigError> },
}

impl Given {
    /// Is it a text that names nothing: empty, or in angle brackets as in UCI (`<empty>`, `<embedded>`)?
    fn is_unset(&self) -> bool {
        let Given::Text(text) = self else { return false };
        text.is_empty() || (text.starts_with('<') && text.ends_with('>'))
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Given::Truth(truth) => truth.fmt(f),
            Given::Number(number) => number.fmt(f),
            Given::Text(text) => text.fmt(f),
        }
    }
}

impl Setting {
    /// A fault of the setting, told with its file and line.
    pub fn explain(&self, fault: &dyn fmt::Display) -> String {
        let file = self.file.as_deref().unwrap_or(Path::new(FILE_NAME));
        format!("{}, line {}: {fault}", file.display(), self.line)
    }
}

impl Config {
    /// The settings in a text.
    ///
    /// ```
    /// use clavier::config::{Config, Given};
    /// let config = Config::parse("[uci]\nHash = 64\n").unwrap();
    /// assert_eq!((config.uci[0].line, &config.uci[0].value), (2, &Given::Number(64)));
    /// let error = Config::parse("[uci]\n\nHash = 1.5").unwrap_err();
    /// assert_eq!(error.to_string(), "line 3: Hash is neither a whole number, nor true or false, nor a text");
    /// ```
    ///
    /// # Errors
    /// A [`ConfigError`] that names the line, if the text is no TOML or holds what settings cannot.
    pub fn parse(text: &str) -> Result<Config, ConfigError> {
        Config::parse_in(text, Path::new(""))
    }

    /// The settings in a text, whose paths are relative to a folder.
    fn parse_in(text: &str, folder: &Path) -> Result<Config, ConfigError> {
        let line_of = |offset: usize| 1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count();
        let sections = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
            line: line_of(error.span().map_or(0, |span| span.start)),
            message: error.message().to_owned(),
        })?;
        let mut config = Config::default();
        let mut paths = Vec::new();
        for (key, value) in sections.get_ref() {
            let (line, name) = (line_of(key.span().start), key.get_ref().to_string());
            match (name.as_str(), value.get_ref()) {
                ("uci", DeValue::Table(table)) => config.uci = settings(table, line_of)?,
                ("analysis", DeValue::Table(table)) => config.analysis = settings(table, line_of)?,
                ("paths", DeValue::Table(table)) => paths = settings(table, line_of)?,
                (_, DeValue::Table(_)) => return Err(ConfigError::Section { line, name }),
                _ => return Err(ConfigError::Homeless { line, name }),
            }
        }
        for setting in paths {
            config.take_path(setting, folder)?;
        }
        Ok(config)
    }

    /// Makes a path the option that it stands for; one that `[uci]` gives wins, unless it says that
    /// nothing is given.
    fn take_path(&mut self, setting: Setting, folder: &Path) -> Result<(), ConfigError> {
        let Setting { name, value, line, .. } = setting;
        let Some((_, option)) = PATHS.into_iter().find(|(key, _)| *key == name) else {
            return Err(ConfigError::Path { line, name });
        };
        let Given::Text(text) = value else { return Err(ConfigError::PathType { line, name }) };
        let is_same = |other: &Setting| other.name.eq_ignore_ascii_case(option);
        let is_given = self.uci.iter().any(|other| is_same(other) && !other.value.is_unset());
        if text.is_empty() || is_given {
            return Ok(());
        }
        // Tables may lie in several folders. A text that cannot be joined again had no need to be split.
        let placed = std::env::split_paths(&text).map(|path| folder.join(path));
        let text = std::env::join_paths(placed).map_or(text, |joined| joined.to_string_lossy().into_owned());
        self.uci.retain(|other| !is_same(other));
        self.uci.push(Setting { name: option.to_owned(), value: Given::Text(text), line, file: None });
        Ok(())
    }

    /// The settings of a file.
    ///
    /// # Errors
    /// A [`ConfigError`] that names file and line.
    pub fn read(path: &Path) -> Result<Config, ConfigError> {
        let text =
            read_text(path).map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut config = Config::parse_in(&text, folder)
            .map_err(|source| ConfigError::InFile { path: path.to_owned(), source: Box::new(source) })?;
        for setting in config.uci.iter_mut().chain(&mut config.analysis) {
            setting.file = Some(path.to_owned());
        }
        Ok(Config { path: Some(path.to_owned()), ..config })
    }

    /// The settings of the named file, else of the first file in the usual places, else none.
    ///
    /// # Errors
    /// As [`Config::read`].
    pub fn find(named: Option<&Path>) -> Result<Config, ConfigError> {
        match named {
            Some(path) => Config::read(path),
            None => match usual_places().into_iter().find(|path| path.is_file()) {
                Some(path) => Config::read(&path),
                None => Ok(Config::default()),
            },
        }
    }
}

/// The text of a file, unless it is far too long for settings: a device may have no end.
fn read_text(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("more than {MAX_BYTES} bytes")));
    }
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// The settings of a section, in the order of the file.
fn settings(table: &DeTable<'_>, line_of: impl Fn(usize) -> usize) -> Result<Vec<Setting>, ConfigError> {
    let mut settings = Vec::new();
    for (key, value) in table {
        let (name, line) = (key.get_ref().to_string(), line_of(key.span().start));
        let value = match value.get_ref() {
            DeValue::Boolean(truth) => Some(Given::Truth(*truth)),
            DeValue::String(text) => Some(Given::Text(text.to_string())),
            DeValue::Integer(number) => {
                i64::from_str_radix(number.as_str(), number.radix()).ok().map(Given::Number)
            }
            _ => None,
        };
        match value {
            Some(value) => settings.push(Setting { name, value, line, file: None }),
            None => return Err(ConfigError::Type { line, name }),
        }
    }
    settings.sort_by_key(|setting| setting.line);
    Ok(settings)
}

/// Where the file is looked for, in this order: the user's folder of settings, beside the executable, the
/// current folder.
pub fn usual_places() -> Vec<PathBuf> {
    let beside =
        std::env::current_exe().ok().and_then(|path| path.parent().map(|folder| folder.join(FILE_NAME)));
    user_folder()
        .map(|folder| folder.join("clavier").join(FILE_NAME))
        .into_iter()
        .chain(beside)
        .chain([PathBuf::from(FILE_NAME)])
        .collect()
}

/// The user's folder of settings on this platform.
fn user_folder() -> Option<PathBuf> {
    let folder =
        |variable: &str| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    folder("XDG_CONFIG_HOME").or_else(|| {
        if cfg!(windows) {
            folder("APPDATA")
        } else if cfg!(target_os = "macos") {
            folder("HOME").map(|home| home.join("Library").join("Application Support"))
        } else {
            folder("HOME").map(|home| home.join(".config"))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        Config::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn faults_are_told_with_their_line() {
        assert_eq!(fault("[uci]\nHash = 1\n\n[speed]\n"), "line 4: there is no section [speed]");
        assert_eq!(fault("Hash = 16\n"), "line 1: Hash stands outside of any section");
        assert!(fault("[uci]\nHash 16\n").starts_with("line 2: "), "{}", fault("[uci]\nHash 16\n"));
        assert!(fault("[uci]\nHash = 1\nHash = 2\n").starts_with("line 3: "));
        assert!(fault("[uci]\nHash = 99999999999999999999\n").starts_with("line 2: "));
    }

    #[test]
    fn every_type_of_value_is_read() {
        let config =
            Config::parse("[uci]\n\"Move Overhead\" = 0x10\nPonder = true\nSyzygyPath = 'a b'\n").unwrap();
        let values: Vec<_> = config.uci.iter().map(|setting| setting.value.to_string()).collect();
        assert_eq!(values, ["16", "true", "a b"]);
        assert_eq!(config.uci[2].line, 4);
    }

    #[test]
    fn paths_are_relative_to_the_file_and_stand_for_options() {
        let read = |text: &str| Config::parse_in(text, Path::new("/home/me")).unwrap().uci;
        let found = read(
            "[uci]\nSyzygyPath = ''\n\"Book File\" = 'own.bin'\n[paths]\nbook = 'b.bin'\nsyzygy = 'tb'\n",
        );
        let pairs: Vec<_> = found.iter().map(|setting| (&*setting.name, setting.value.to_string())).collect();
        assert_eq!(pairs, [("Book File", "own.bin".into()), ("SyzygyPath", "/home/me/tb".to_owned())]);
        assert_eq!(found[1].line, 6);
        assert!(read("[paths]\nnet = ''\n").is_empty());
        let net = read("[uci]\nEvalFile = '<embedded>'\n[paths]\nnet = '/a.nnue'\n");
        assert_eq!((net.len(), &net[0].value), (1, &Given::Text("/a.nnue".into())));
        assert_eq!(read("[paths]\nbook = '/b.bin'\n")[0].value, Given::Text("/b.bin".into()));
        assert_eq!(
            fault("[paths]\nbok = 'x'\n"),
            "line 2: there is no path \"bok\", only net, syzygy and book"
        );
        assert_eq!(fault("[paths]\n\nbook = 3\n"), "line 3: book is a path and has to be a text");
    }

    #[test]
    fn a_missing_file_that_was_named_is_an_error() {
        assert!(Config::find(Some(Path::new("/no/such/engine.toml"))).is_err());
        if cfg!(unix) {
            let endless = Config::read(Path::new("/dev/zero")).unwrap_err().to_string();
            assert_eq!(endless, "/dev/zero: more than 1048576 bytes");
        }
    }
}

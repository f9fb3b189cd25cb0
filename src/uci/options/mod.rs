//! The options: one table, from which the `option` lines, `setoption`, `[uci]` of engine.toml and the
//! README's table are derived. A new option is a new row.

mod table;

pub use table::{DEFAULT_ELO, OPTIONS};

use super::player::Player;
use crate::config::{Given, Setting};
#[cfg(feature = "tune")]
use crate::search::tunables;
use vampirc_uci::{Serializable, UciOptionConfig};

/// How an empty string is written in UCI.
const EMPTY: &str = "<empty>";
/// How the network that the binary carries is written.
pub const EMBEDDED: &str = "<embedded>";

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name, as GUIs know it.
    pub name: &'static str,
    /// Its type, default and range.
    pub kind: Kind,
    /// What it does, in a line.
    pub doc: &'static str,
    /// Sets it. The value has the option's type and lies in its range.
    apply: fn(&mut Player, Value<'_>) -> Result<(), String>,
}

/// Type, default and range of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On or off.
    Check {
        /// The default.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The default.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// Does something when it is set; has no value.
    Button,
    /// A text.
    Text {
        /// The default.
        default: &'static str,
    },
    /// A text that tells something and cannot be changed.
    Fixed {
        /// The text.
        text: &'static str,
    },
}

/// A value of the type that its option has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Of a check.
    Check(bool),
    /// Of a spin.
    Spin(i64),
    /// Of a button.
    Pressed,
    /// Of a text.
    Text(&'a str),
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum OptionError {
    #[error("there is no option {0:?}")]
    Unknown(String),
    #[error("option {name} needs {wanted}, not {found:?}")]
    Value { name: &'static str, wanted: String, found: String },
    #[error("option {name} is a button and has no value to keep")]
    NotKept { name: &'static str },
    #[error("option {name} can only be read")]
    ReadOnly { name: &'static str },
    #[error("option {name} not set: {reason}")]
    Refused { name: &'static str, reason: String },
}

impl Value<'_> {
    /// The text of a text; nothing for other types.
    fn text(&self) -> &str {
        if let Value::Text(text) = self { text } else { "" }
    }

    /// The number of a spin; 0 for other types.
    fn number(self) -> i64 {
        if let Value::Spin(number) = self { number } else { 0 }
    }

    /// Is it a check that is on?
    fn is_on(self) -> bool {
        self == Value::Check(true)
    }
}

impl OptionSpec {
    /// The `option` line.
    pub fn line(&self) -> String {
        let name = self.name.to_owned();
        match self.kind {
            Kind::Check { default } => UciOptionConfig::Check { name, default: Some(default) },
            Kind::Spin { default, min, max } => {
                UciOptionConfig::Spin { name, default: Some(default), min: Some(min), max: Some(max) }
            }
            Kind::Button => UciOptionConfig::Button { name },
            // The crate would write nothing at all for an empty string.
            Kind::Text { default: "" } => UciOptionConfig::String { name, default: Some(EMPTY.to_owned()) },
            Kind::Text { default: text } | Kind::Fixed { text } => {
                UciOptionConfig::String { name, default: Some(text.to_owned()) }
            }
        }
        .serialize()
    }

    /// The row of the table of options in the README.
    pub fn table_row(&self) -> String {
        let (kind, default, range) = match self.kind {
            Kind::Check { default } => ("check", default.to_string(), String::new()),
            Kind::Spin { default, min, max } => ("spin", default.to_string(), format!("{min}..={max}")),
            Kind::Button => ("button", String::new(), String::new()),
            Kind::Text { default: "" } => ("string", format!("`{EMPTY}`"), String::new()),
            Kind::Text { default } => ("string", format!("`{default}`"), String::new()),
            // It holds the version, so it is not the same in every README.
            Kind::Fixed { .. } => ("string", String::new(), "read-only".to_owned()),
        };
        let cell = |text: String| if text.is_empty() { " |".to_owned() } else { format!(" {text} |") };
        format!("| {} | {kind} |{}{}", self.name, cell(default), cell(range))
    }

    /// The value that a text means.
    ///
    /// # Errors
    /// If the text is not of the option's type, or out of its range.
    pub fn read<'a>(&self, text: &'a str) -> Result<Value<'a>, OptionError> {
        let value = match self.kind {
            Kind::Check { .. } if text.eq_ignore_ascii_case("true") => Some(Value::Check(true)),
            Kind::Check { .. } if text.eq_ignore_ascii_case("false") => Some(Value::Check(false)),
            Kind::Check { .. } => None,
            Kind::Spin { min, max, .. } => {
                text.parse().ok().filter(|number| (min..=max).contains(number)).map(Value::Spin)
            }
            Kind::Button => Some(Value::Pressed),
            Kind::Text { .. } if text == EMPTY => Some(Value::Text("")),
            Kind::Text { .. } => Some(Value::Text(text)),
            // Some GUIs send every default back.
            Kind::Fixed { text: fixed } if text == fixed || text.is_empty() => Some(Value::Text(fixed)),
            Kind::Fixed { .. } => return Err(OptionError::ReadOnly { name: self.name }),
        };
        value.ok_or_else(|| self.wrong_value(text))
    }

    fn wrong_value(&self, found: &str) -> OptionError {
        let wanted = match self.kind {
            Kind::Check { .. } => "true or false".to_owned(),
            Kind::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            Kind::Button => "no value".to_owned(),
            Kind::Text { .. } | Kind::Fixed { .. } => "a text".to_owned(),
        };
        OptionError::Value { name: self.name, wanted, found: super::command::quote(found) }
    }
}

/// The `option` lines: the table's and, with feature `tune`, one for each parameter of the search.
pub fn lines() -> Vec<String> {
    let lines = OPTIONS.iter().map(OptionSpec::line);
    #[cfg(feature = "tune")]
    let lines = lines.chain(tunables::all().map(|parameter| {
        let tunables::Tunable { name, default, low, high, .. } = parameter;
        format!("option name {name} type spin default {default} min {low} max {high}")
    }));
    lines.collect()
}

/// The option of a name, in any case.
///
/// # Errors
/// If there is no such option.
pub fn find(name: &str) -> Result<&'static OptionSpec, OptionError> {
    OPTIONS
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| OptionError::Unknown(super::command::quote(name)))
}

/// Sets an option from text. A missing value is an empty one.
///
/// # Errors
/// If there is no such option, or if it cannot take the value. Everything stays as it was then.
pub fn set_option(player: &mut Player, name: &str, value: Option<&str>) -> Result<(), OptionError> {
    #[cfg(feature = "tune")]
    if value.and_then(|text| text.parse().ok()).is_some_and(|number| tunables::set(name, number)) {
        return Ok(());
    }
    let option = find(name)?;
    let value = option.read(value.unwrap_or_default())?;
    (option.apply)(player, value).map_err(|reason| OptionError::Refused { name: option.name, reason })
}

/// Checks a setting of engine.toml without applying it.
///
/// # Errors
/// If there is no such option, or if it cannot take the value.
pub fn check_setting(setting: &Setting) -> Result<(), OptionError> {
    let option = find(&setting.name)?;
    let fits = match (option.kind, &setting.value) {
        (Kind::Check { .. }, Given::Truth(_)) | (Kind::Text { .. }, Given::Text(_)) => true,
        (Kind::Spin { min, max, .. }, Given::Number(number)) => (min..=max).contains(number),
        (Kind::Button, _) => return Err(OptionError::NotKept { name: option.name }),
        (Kind::Fixed { .. }, _) => return Err(OptionError::ReadOnly { name: option.name }),
        _ => false,
    };
    if fits { Ok(()) } else { Err(option.wrong_value(&setting.value.to_string())) }
}

/// Applies a setting of engine.toml.
///
/// # Errors
/// As [`set_option`] and [`check_setting`].
pub fn apply_setting(player: &mut Player, setting: &Setting) -> Result<(), OptionError> {
    check_setting(setting)?;
    set_option(player, &setting.name, Some(&setting.value.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_lines_have_the_fields_of_their_type() {
        let line = |name: &str| find(name).unwrap().line();
        assert_eq!(line("Hash"), "option name Hash type spin default 16 min 1 max 1048576");
        assert_eq!(line("clear hash"), "option name Clear Hash type button");
        assert_eq!(line("Ponder"), "option name Ponder type check default false");
        let empty = OptionSpec { kind: Kind::Text { default: "" }, ..OPTIONS[0] };
        assert_eq!(empty.line(), "option name Hash type string default <empty>");
        assert_eq!(empty.table_row(), "| Hash | string | `<empty>` | |");
    }

    #[test]
    fn values_of_the_wrong_type_are_refused() {
        for (name, text) in [
            ("Hash", "abc"),
            ("Hash", "16.5"),
            ("Hash", "0"),
            ("Hash", "99999999999999999999"),
            ("Threads", ""),
            ("Ponder", "yes"),
        ] {
            assert!(find(name).unwrap().read(text).is_err(), "{name} {text}");
        }
        assert_eq!(find("Ponder").unwrap().read("True"), Ok(Value::Check(true)));
        let message = find("Hash").unwrap().read("0").unwrap_err().to_string();
        assert_eq!(message, "option Hash needs a whole number from 1 to 1048576, not \"0\"");
        assert!(find("NoSuchThing").is_err());
        let about = find("UCI_EngineAbout").unwrap();
        assert!(about.read("").is_ok() && about.read("mine").is_err());
    }

    #[test]
    fn names_and_defaults_are_sound() {
        for (index, option) in OPTIONS.iter().enumerate() {
            if let Kind::Spin { default, min, max } = option.kind {
                assert!((min..=max).contains(&default), "{}", option.name);
            }
            let is_reserved = |word: &str| matches!(word, "name" | "value" | "type" | "default");
            assert!(!option.name.to_lowercase().split(' ').any(is_reserved), "{}", option.name);
            assert!(OPTIONS[..index].iter().all(|other| !other.name.eq_ignore_ascii_case(option.name)));
        }
    }
}

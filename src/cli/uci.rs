//! `clavier uci`.

use crate::analysis::defaults::Defaults;
use crate::config::Config;
use crate::uci::{self, Opening, options};
use std::path::PathBuf;

/// Speak UCI on standard input and output
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = "Example: clavier uci --option Hash=256 --option Threads=4")]
pub struct Arguments {
    /// Set a UCI option; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// Read settings from this file instead of the usual places
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Write every line in and out to this file, with time stamps
    #[arg(long, value_name = "FILE")]
    log: Option<String>,
}

/// Name and value of an option, both checked.
fn parse_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("an option is written NAME=VALUE")?;
    let option = options::find(name.trim()).map_err(|error| error.to_string())?;
    option.read(value).map_err(|error| error.to_string())?;
    Ok((option.name.to_owned(), value.to_owned()))
}

/// Runs the loop. A GUI gets an answer even if the settings are wrong.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let mut opening = Opening { options: arguments.options, ..Opening::default() };
    opening.options.extend(arguments.log.map(|file| ("Debug Log File".to_owned(), file)));
    match Config::find(arguments.config.as_deref()) {
        Ok(Config { path: Some(path), uci, analysis }) => {
            opening.notes.push(format!("settings from {}", path.display()));
            opening.notes.extend(Defaults::read(&analysis).err());
            opening.settings = uci;
        }
        Ok(_) => {}
        Err(error) => opening.notes.push(error.to_string()),
    }
    uci::run(opening)
}

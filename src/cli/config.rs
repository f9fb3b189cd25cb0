//! `clavier config`: the settings in force, and a file to begin with.

use super::fault::{Fault, print};
use crate::analysis::defaults::{Defaults, KEYS};
use crate::config::{Config, FILE_NAME, Given, Setting, usual_places};
use crate::uci::options::{self, Kind, OPTIONS, OptionSpec};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The documented defaults.
const TEMPLATE: &str = include_str!("../../engine.toml");

/// Show the settings in force, or write a file of settings
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier config show")]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    Show(ShowArguments),
    Init(InitArguments),
}

/// Show the settings in force, and where each comes from
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier config show --json")]
struct ShowArguments {
    /// Read this file instead of the usual places
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Lines of JSON, one for each setting: name, value, from
    #[arg(long)]
    json: bool,
}

/// Write a file of settings with comments, holding the defaults
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier config init")]
struct InitArguments {
    /// The file, - = standard output [default: engine.toml in your folder of settings]
    file: Option<PathBuf>,
    /// Overwrite a file that is there
    #[arg(long)]
    force: bool,
}

/// Shows or writes.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.what {
        What::Show(arguments) => show(arguments),
        What::Init(arguments) => Ok(init(arguments)?),
    }
}

fn show(arguments: &ShowArguments) -> anyhow::Result<()> {
    let config = Config::find(arguments.config.as_deref()).map_err(Fault::from)?;
    for setting in &config.uci {
        options::check_setting(setting).map_err(|fault| Fault::Usage(setting.explain(&fault)))?;
    }
    let defaults = Defaults::read(&config.analysis).map_err(Fault::Usage)?;
    if let Some(path) = &config.path {
        eprintln!("settings from {}", path.display());
    }
    for option in OPTIONS {
        let Some(default) = default_of(option) else { continue };
        let setting = config.uci.iter().find(|setting| setting.name.eq_ignore_ascii_case(option.name));
        let value = setting.map_or(&default, |setting| &setting.value);
        tell(option.name, value, &origin(setting, &config), arguments.json)?;
    }
    for spec in &KEYS {
        let setting = config.analysis.iter().find(|setting| setting.name == spec.name);
        let value = Given::Number(defaults.of(spec.key) as i64);
        let name = format!("analysis.{}", spec.name);
        tell(&name, &value, &origin(setting, &config), arguments.json)?;
    }
    Ok(())
}

fn tell(name: &str, value: &Given, from: &str, json: bool) -> Result<(), Fault> {
    if json {
        print(json!({"name": name, "value": value.to_string(), "from": from}))
    } else {
        print(format_args!("{name:<24} {:<16} {from}", value.to_string()))
    }
}

/// Where a setting comes from.
fn origin(setting: Option<&Setting>, config: &Config) -> String {
    let Some(setting) = setting else { return "built in".to_owned() };
    let file = config.path.as_ref().map_or_else(|| FILE_NAME.to_owned(), |path| path.display().to_string());
    format!("{file}, line {}", setting.line)
}

/// The built-in value of an option; buttons have none, and what is fixed is no setting.
fn default_of(option: &OptionSpec) -> Option<Given> {
    match option.kind {
        Kind::Check { default } => Some(Given::Truth(default)),
        Kind::Spin { default, .. } => Some(Given::Number(default)),
        Kind::Text { default } => Some(Given::Text(default.to_owned())),
        Kind::Button | Kind::Fixed { .. } => None,
    }
}

fn init(arguments: &InitArguments) -> Result<(), Fault> {
    let path = match &arguments.file {
        Some(path) => path.clone(),
        None => usual_places().into_iter().next().unwrap_or_else(|| FILE_NAME.into()),
    };
    if path == Path::new("-") {
        return print(TEMPLATE.trim_end());
    }
    if path.exists() && !arguments.force {
        return Err(Fault::Usage(format!("{} is there already; --force overwrites it", path.display())));
    }
    write(&path).map_err(Fault::Output)?;
    eprintln!("written: {}", path.display());
    Ok(())
}

fn write(path: &Path) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::File::create(path)?.write_all(TEMPLATE.as_bytes())
}

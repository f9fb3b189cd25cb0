//! `clavier tb`: a look into Syzygy tables.

use super::fault::{Fault, position, print};
use super::progress::Progress;
use crate::board::notation;
use crate::board::{Position, san};
use crate::config::Config;
use crate::tablebase::check::Verdict;
use crate::tablebase::{Dtz, Inventory, Ranking, Tablebase, Wdl};
use serde_json::json;
use std::ffi::OsString;

/// More names of missing files than these are no help to a reader.
const NAMES: usize = 12;

/// Look into Syzygy endgame tables
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier tb check ~/syzygy")]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    Check(CheckArguments),
    Probe(ProbeArguments),
}

/// Are the tables complete and whole?
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier tb check ~/syzygy")]
struct CheckArguments {
    /// Folders of tables, joined as in PATH
    path: OsString,
    /// Random positions to probe in each table
    #[arg(long, value_name = "N", default_value_t = 200)]
    positions: u32,
    /// Lines of JSON: one for each size and kind of table, for each damaged file, for each material
    #[arg(long)]
    json: bool,
}

/// Tell what the tables know about a position
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier tb probe \"8/8/8/8/8/2k5/8/KQ6 w - - 0 1\" --syzygy ~/syzygy")]
struct ProbeArguments {
    /// The position
    fen: String,
    /// Folders of tables, joined as in PATH [default: those of engine.toml]
    #[arg(long, value_name = "PATH")]
    syzygy: Option<OsString>,
    /// One line of JSON
    #[arg(long)]
    json: bool,
}

/// Checks or probes.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.what {
        What::Check(arguments) => check(arguments),
        What::Probe(arguments) => probe(arguments),
    }
}

fn check(arguments: &CheckArguments) -> anyhow::Result<()> {
    let (mut tables, inventory) = Tablebase::open(&arguments.path);
    tell_inventory(&inventory, arguments.json)?;
    if inventory.found.is_empty() {
        return Err(Fault::NotLoadable("there is no whole table in these folders".to_owned()).into());
    }
    let materials = inventory.materials();
    let (mut damaged, mut useless) = (0, 0);
    let mut progress = Progress::new();
    for (index, material) in materials.iter().enumerate() {
        let verdict = tables.check(material, arguments.positions as usize);
        damaged += usize::from(verdict.fault.is_some());
        useless += usize::from(verdict.sound == 0 && verdict.fault.is_none());
        tell_verdict(&verdict, arguments.json)?;
        progress.show((index + 1) as f64 / materials.len() as f64, material);
    }
    drop(progress);
    if !arguments.json {
        if useless > 0 {
            print(format_args!("{useless} materials cannot be used: tables that they need are missing"))?;
        }
        print(format_args!("{} passed, {damaged} failed", materials.len() - damaged))?;
    }
    if damaged > 0 || !inventory.is_sound() { Err(Fault::SomeFailed.into()) } else { Ok(()) }
}

fn tell_inventory(inventory: &Inventory, json: bool) -> Result<(), Fault> {
    for row in inventory.completeness() {
        let (men, kind) = (row.men, row.metric.extension());
        if json {
            print(json!({"men": men, "kind": kind, "found": row.found, "wanted": row.wanted}))?;
        } else {
            print(format_args!("{men} men: {} of {} {kind} files", row.found, row.wanted))?;
        }
    }
    let missing = inventory.missing();
    if json {
        print(json!({ "missing": missing }))?;
    } else if !missing.is_empty() {
        let dots = if missing.len() > NAMES { " ..." } else { "" };
        print(format_args!("missing: {}{dots}", missing[..missing.len().min(NAMES)].join(" ")))?;
    }
    for (path, reason) in inventory.damaged.iter().chain(&inventory.unreadable) {
        if json {
            print(json!({"path": path, "fault": reason}))?;
        } else {
            print(format_args!("{}: {reason}", path.display()))?;
        }
    }
    Ok(())
}

fn tell_verdict(verdict: &Verdict, json: bool) -> Result<(), Fault> {
    let Verdict { material, sound, unanswered, fault } = verdict;
    if json {
        return print(
            json!({"material": material, "sound": sound, "unanswered": unanswered, "fault": fault}),
        );
    }
    fault.as_ref().map_or(Ok(()), |fault| print(format_args!("{material}: {fault}")))
}

fn probe(arguments: &ProbeArguments) -> anyhow::Result<()> {
    let root = position(&arguments.fen)?;
    let path = match &arguments.syzygy {
        Some(path) => path.clone(),
        None => configured_path()?,
    };
    let (tables, inventory) = Tablebase::open(&path);
    for (path, reason) in inventory.damaged.iter().chain(&inventory.unreadable) {
        eprintln!("clavier: {}: {reason}", path.display());
    }
    if inventory.found.is_empty() {
        return Err(Fault::NotLoadable("there is no whole table in these folders".to_owned()).into());
    }
    let Some(wdl) = tables.probe_wdl(&root) else {
        eprintln!("clavier: {}", reason(&tables, &root));
        return Err(Fault::SomeFailed.into());
    };
    let answer =
        Answer { wdl, dtz: tables.probe_dtz(&root), ranking: tables.rank_root_moves(&root, true), root };
    if arguments.json {
        print(answer.json())?;
    } else {
        answer.tell()?;
    }
    Ok(())
}

/// The path of the user's settings.
fn configured_path() -> anyhow::Result<OsString> {
    let config = Config::find(None).map_err(Fault::from)?;
    let setting = config.uci.into_iter().find(|setting| setting.name.eq_ignore_ascii_case("SyzygyPath"));
    match setting {
        Some(setting) => Ok(setting.value.to_string().into()),
        None => Err(Fault::Usage("say where the tables are: --syzygy PATH".to_owned()).into()),
    }
}

/// Why the tables do not know a position.
fn reason(tables: &Tablebase, root: &Position) -> String {
    if let Some(fault) = tables.fault() {
        return fault.to_owned();
    }
    let (men, limit) = (root.men_count(), tables.men_limit());
    if men > limit {
        format!("the position has {men} men, the largest table {limit}")
    } else if tables.covers(root) {
        "a table for this position, or for what it can become, is missing".to_owned()
    } else {
        "tables know no positions with castling rights".to_owned()
    }
}

/// What the tables know about a position.
struct Answer {
    root: Position,
    wdl: Wdl,
    dtz: Option<Dtz>,
    ranking: Option<Ranking>,
}

impl Answer {
    /// The value with the clock as it stands.
    fn result(&self) -> Wdl {
        self.ranking.as_ref().map_or(self.wdl, Ranking::wdl)
    }

    fn tell(&self) -> Result<(), Fault> {
        print(self.root)?;
        let distance = |dtz: Option<i32>| dtz.map_or(String::new(), |plies| format!("  dtz {plies}"));
        print(format_args!("{}{}", self.result().name(), distance(self.dtz.map(|dtz| dtz.plies))))?;
        for ranked in self.ranking.iter().flat_map(Ranking::moves) {
            let name = san::format(&self.root, ranked.m);
            print(format_args!("  {name:<7} {:<12}{}", ranked.wdl.name(), distance(ranked.dtz)))?;
        }
        Ok(())
    }

    fn json(&self) -> serde_json::Value {
        let moves: Vec<_> = self
            .ranking
            .iter()
            .flat_map(Ranking::moves)
            .map(|ranked| {
                json!({
                    "uci": notation::format_uci(&self.root, ranked.m, false),
                    "san": san::format(&self.root, ranked.m),
                    "wdl": ranked.wdl.name(),
                    "dtz": ranked.dtz,
                })
            })
            .collect();
        json!({
            "fen": self.root.to_string(),
            "wdl": self.result().name(),
            "wdl_fresh_clock": self.wdl.name(),
            "dtz": self.dtz.map(|dtz| dtz.plies),
            "dtz_rounded": self.dtz.map(|dtz| dtz.is_rounded),
            "moves": moves,
        })
    }
}

//! `clavier doctor`.

use super::fault::{Fault, print};
use crate::doctor::{Finding, State, examine};
use std::path::PathBuf;

/// Tell what of this machine and of your settings is in use, what is missing, and how to mend it
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier doctor")]
pub struct Arguments {
    /// Look at the settings in this file instead of the usual places
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Lines of JSON, one for each thing: topic, state, found, mend
    #[arg(long)]
    json: bool,
}

/// Examines and tells. It is a failure if something that was asked for is broken.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let findings = examine(arguments.config.as_deref());
    for finding in &findings {
        if arguments.json {
            print(serde_json::to_string(finding)?)?;
        } else {
            tell(finding)?;
        }
    }
    let is_broken = findings.iter().any(|finding| finding.state == State::Broken);
    if is_broken { Err(Fault::SomeFailed.into()) } else { Ok(()) }
}

fn tell(finding: &Finding) -> Result<(), Fault> {
    let mark = match finding.state {
        State::Good => "ok",
        State::Improvable => "--",
        State::Broken => "!!",
    };
    print(format_args!("{mark} {:<15} {}", finding.topic, finding.found))?;
    finding.mend.as_ref().map_or(Ok(()), |mend| print(format_args!("   {:<15} {mend}", "")))
}

//! `clavier params`.

use super::fault::print;
use crate::search::tunables;
use serde_json::{Map, Value, json};

/// List the parameters of the search for a tuner (feature `tune`)
///
/// Without a flag in the form of OpenBench: name, type, default, least, most, step, rate.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier params --json > config.json")]
pub struct Arguments {
    /// One JSON object, as weather-factory reads it
    #[arg(long)]
    json: bool,
}

/// The rate of SPSA at its end that OpenBench proposes.
const END_RATE: f64 = 0.002;

/// Lists them.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.json {
        let entries = tunables::all().map(|parameter| {
            let (low, high, step) = (parameter.low, parameter.high, parameter.step);
            let value =
                json!({"value": parameter.default, "min_value": low, "max_value": high, "step": step});
            (parameter.name.to_owned(), value)
        });
        return Ok(print(Value::Object(entries.collect::<Map<_, _>>()))?);
    }
    for parameter in tunables::all() {
        let (name, default) = (parameter.name, parameter.default);
        let (low, high, step) = (parameter.low, parameter.high, parameter.step);
        print(format_args!("{name}, int, {default}, {low}, {high}, {step}, {END_RATE}"))?;
    }
    Ok(())
}

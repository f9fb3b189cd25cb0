//! `clavier eval`.

use super::analysis_flags::Usual;
use super::fault::{Fault, lines, position, print};
use crate::analysis::source::Raw;
use crate::board::Position;
use crate::eval::Appraisal;
use crate::nnue::Network;
use serde::Serialize;
use std::path::PathBuf;

/// Evaluate positions without a search, seen from White
///
/// Tells the value, the chances of win, draw and loss, and as a board what each man adds: by how many pawns the value
/// sinks when he is taken off.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: clavier eval --fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\""
)]
pub struct Arguments {
    /// File with one position in each line, as for `analyze`: FEN, EPD or JSON; - = standard input
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Evaluate this position instead
    #[arg(long, conflicts_with = "file")]
    fen: Option<String>,
    /// One line of JSON for each position: fen, cp, wdl (permill), contributions (centipawns by square)
    #[arg(long)]
    json: bool,
    /// Read this engine.toml instead of the one in the usual places; it may name a network
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// What is told about a position.
#[derive(Serialize)]
struct Record {
    fen: String,
    cp: i32,
    wdl: [u32; 3],
    contributions: serde_json::Map<String, serde_json::Value>,
}

/// What is told about a line that is no position.
#[derive(Serialize)]
struct ErrorRecord<'a> {
    line: usize,
    fen: &'a str,
    error: String,
}

/// Evaluates the positions.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let network = Usual::find(arguments.config.as_deref())?.network;
    if let Some(fen) = &arguments.fen {
        return Ok(tell(&position(fen)?, &network, arguments.json)?);
    }
    let mut failures = 0;
    for line in lines(&arguments.file)? {
        let (number, text) = line?;
        match (Raw::Line { text, number: number as u64, line: number as u64 }).parse() {
            Ok(item) => tell(item.game.position(), &network, arguments.json)?,
            Err(refusal) => {
                failures += 1;
                let error = refusal.error.to_string();
                if arguments.json {
                    print(serde_json::to_string(&ErrorRecord { line: number, fen: &refusal.fen, error })?)?;
                } else {
                    eprintln!("clavier: line {number}: {error}");
                }
            }
        }
    }
    if failures > 0 { Err(Fault::SomeFailed.into()) } else { Ok(()) }
}

fn record(appraisal: &Appraisal, position: &Position) -> Record {
    Record {
        fen: position.to_string(),
        cp: appraisal.centipawns,
        wdl: appraisal.wdl,
        contributions: appraisal
            .contributions
            .iter()
            .map(|(square, cp)| (square.to_string(), (*cp).into()))
            .collect(),
    }
}

fn tell(position: &Position, network: &Network, json: bool) -> Result<(), Fault> {
    let appraisal = Appraisal::new(position, network);
    if json {
        let record = record(&appraisal, position);
        return print(serde_json::to_string(&record).expect("a record holds plain data only"));
    }
    let ([win, draw, loss], cp) = (appraisal.wdl, appraisal.centipawns);
    print(format_args!("{cp:+} cp  wdl {win} {draw} {loss}  {position}\n{appraisal}"))
}

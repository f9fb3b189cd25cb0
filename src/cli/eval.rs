//! `clavier eval`.

use super::fault::{Fault, lines, position, print};
use crate::board::Position;
use crate::engine::Engine;
use crate::eval;
use crate::game::Game;
use crate::types::Color;
use serde::Serialize;
use std::path::PathBuf;

/// Evaluate positions without a search, seen from White
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: clavier eval --fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\""
)]
pub struct Arguments {
    /// File with one FEN in each line, - = standard input
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Evaluate this position instead
    #[arg(long, conflicts_with = "file")]
    fen: Option<String>,
    /// One line of JSON for each position: fen, cp, wdl (permill)
    #[arg(long)]
    json: bool,
}

/// What is told about a position.
#[derive(Serialize)]
struct Record {
    fen: String,
    cp: i32,
    wdl: [u32; 3],
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
    let mut engine = Engine::new();
    if let Some(fen) = &arguments.fen {
        return Ok(tell(&record(&mut engine, position(fen)?), arguments.json)?);
    }
    let mut failures = 0;
    for line in lines(&arguments.file)? {
        let (number, text) = line?;
        match text.parse::<Position>() {
            Ok(position) => tell(&record(&mut engine, position), arguments.json)?,
            Err(error) => {
                failures += 1;
                let error = error.to_string();
                if arguments.json {
                    print(serde_json::to_string(&ErrorRecord { line: number, fen: &text, error })?)?;
                } else {
                    eprintln!("clavier: line {number}: {error}");
                }
            }
        }
    }
    if failures > 0 { Err(Fault::SomeFailed.into()) } else { Ok(()) }
}

fn record(engine: &mut Engine, position: Position) -> Record {
    engine.set_game(Game::new(position));
    let score = engine.evaluate();
    let mut wdl = eval::wdl(score, &position);
    let mut cp = eval::to_centipawns(score, &position);
    if position.side_to_move() == Color::Black {
        wdl.reverse();
        cp = -cp;
    }
    Record { fen: position.to_string(), cp, wdl }
}

fn tell(record: &Record, json: bool) -> Result<(), Fault> {
    if json {
        return print(serde_json::to_string(record).expect("a record holds plain data only"));
    }
    let [win, draw, loss] = record.wdl;
    print(format_args!("{:+} cp  wdl {win} {draw} {loss}  {}", record.cp, record.fen))
}

//! `clavier analyze`: one position, as text.

use super::fault::{position, print};
use crate::board::{Position, san};
use crate::eval;
use crate::game::Game;
use crate::search::{Limits, Line, Searcher, Silent};
use crate::types::{Bound, Color};
use std::time::Duration;

/// Memory for the transposition table, in MiB.
const HASH_MB: usize = 64;
/// Limit unless another one is given, in nodes.
const DEFAULT_NODES: u64 = 1_000_000;

/// Analyze a position
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier analyze --depth 14 --multipv 3 --fen \
\"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4\"")]
pub struct Arguments {
    /// The position
    #[arg(long)]
    fen: String,
    /// Stop after this depth, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Stop after this number of nodes (without any limit: 1000000)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Stop after this time, in milliseconds
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Number of lines to show
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    multipv: u32,
}

/// Searches the position and prints its best lines.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let root = position(&arguments.fen)?;
    let game = Game::new(root);
    if !root.has_legal_move() {
        let outcome = game.outcome().map_or("none", |outcome| outcome.name());
        return Ok(print(format_args!("no legal move: {outcome}"))?);
    }
    let mut searcher = Searcher::new(HASH_MB);
    searcher.settings().multipv = arguments.multipv as usize;
    let report = searcher.search(&game, &limits(arguments), &mut Silent);
    if let Some(best) = report.best {
        print(format_args!("best move {}", san::format(&root, best)))?;
    }
    for line in &report.lines {
        print(describe(&root, line))?;
    }
    let ms = report.time.as_millis();
    print(format_args!("{} nodes in {ms} ms", report.nodes))?;
    Ok(())
}

fn limits(arguments: &Arguments) -> Limits {
    let limits = Limits {
        depth: arguments.depth,
        nodes: arguments.nodes,
        move_time: arguments.movetime.map(Duration::from_millis),
        ..Limits::default()
    };
    if limits.is_bounded() { limits } else { Limits::nodes(DEFAULT_NODES) }
}

/// A line: its value from White's view, its depth and its moves.
fn describe(root: &Position, line: &Line) -> String {
    let view = if root.side_to_move() == Color::White { 1 } else { -1 };
    let score = match line.score.moves_to_mate() {
        Some(moves) => format!("#{}", view * moves),
        None => format!("{:+.2}", f64::from(view * eval::to_centipawns(line.score, root)) / 100.0),
    };
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => " or better",
        Bound::Upper => " or worse",
    };
    let mut moves = Vec::new();
    let mut position = *root;
    for &m in &line.pv {
        moves.push(san::format(&position, m));
        position = position.make(m);
    }
    format!("{}. {score}{bound} depth {}: {}", line.multipv, line.depth, moves.join(" "))
}

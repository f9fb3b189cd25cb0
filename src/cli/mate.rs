//! `clavier mate`.

use super::fault::{Fault, position, print};
use crate::analysis::mate::Solver;
use crate::analysis::pgn::Line;
use crate::analysis::{name_moves, san_line};
use crate::board::{Position, notation, san};
use crate::game::Game;
use crate::types::Move;
use serde::Serialize;
use std::time::Instant;

/// Prove a mate, or that there is none: in N moves, or being mated in N for a negative N
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit code 0 if there is a mate, 1 if there is none in so many moves. The fifty-move rule does not count.

Example: clavier mate 2 --all --fen \"7k/8/8/8/8/8/R7/1R4K1 w - - 0 1\"")]
pub struct Arguments {
    /// Moves, of the side that mates
    #[arg(allow_negative_numbers = true, value_parser = moves)]
    moves: i32,
    /// Position
    #[arg(long)]
    fen: String,
    /// Tell all moves that mate in time; if the side to move is mated, those that hold out longest
    #[arg(long)]
    all: bool,
    /// One line of JSON
    #[arg(long)]
    json: bool,
    /// Memory for what is known, in MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
}

/// The most moves that can be asked for.
const MOST_MOVES: i32 = 500;

fn moves(text: &str) -> Result<i32, String> {
    let number: Option<i32> = text.parse().ok();
    number
        .filter(|&moves| moves != 0 && moves.abs() <= MOST_MOVES)
        .ok_or(format!("not in -{MOST_MOVES}..={MOST_MOVES}, or zero"))
}

/// What was found.
struct Answer {
    /// Moves to mate, negative if the side to move is mated.
    mate: Option<i32>,
    line: Vec<Move>,
    solutions: Option<Vec<Move>>,
}

/// The record of `--json`.
#[derive(Serialize)]
struct Record {
    fen: String,
    n: i32,
    status: &'static str,
    mate: Option<i32>,
    line: Vec<String>,
    line_san: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    nodes: u64,
    time_ms: u64,
}

/// Proves and tells.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let root = position(&arguments.fen)?;
    let start = Instant::now();
    let mut solver = Solver::new(arguments.hash as usize);
    let answer = solve(&mut solver, &root, arguments);
    if arguments.json {
        let name = |m: Move| notation::format_uci(&root, m, false);
        let solutions = answer.solutions.as_ref().map(|moves| moves.iter().copied().map(name).collect());
        let record = Record {
            fen: root.to_string(),
            n: arguments.moves,
            status: if answer.mate.is_some() { "proved" } else { "none" },
            mate: answer.mate,
            line: name_moves(&root, &answer.line, |position, m| notation::format_uci(position, m, false)),
            line_san: san_line(&root, &answer.line),
            count: answer.solutions.as_ref().map(Vec::len),
            solutions,
            nodes: solver.nodes(),
            time_ms: start.elapsed().as_millis() as u64,
        };
        print(serde_json::to_string(&record)?)?;
    } else {
        tell(&root, &answer, arguments.moves)?;
    }
    if answer.mate.is_some() { Ok(()) } else { Err(Fault::SomeFailed.into()) }
}

fn solve(solver: &mut Solver, root: &Position, arguments: &Arguments) -> Answer {
    let most = arguments.moves.unsigned_abs();
    let mates = arguments.moves > 0;
    let found = if mates { solver.mate_in(root, most) } else { solver.mated_in(root, most) };
    let Some(moves) = found else {
        return Answer { mate: None, line: Vec::new(), solutions: arguments.all.then(Vec::new) };
    };
    if mates {
        let line = solver.line(root, moves);
        let solutions = arguments.all.then(|| solver.solutions(root, most));
        return Answer { mate: Some(moves as i32), line, solutions };
    }
    let defenses = solver.longest_defenses(root, moves);
    let line = defenses.first().map_or_else(Vec::new, |&(m, moves)| {
        let mut line = vec![m];
        line.extend(solver.line(&root.make(m), moves));
        line
    });
    let solutions = arguments.all.then(|| defenses.iter().map(|&(m, _)| m).collect());
    Answer { mate: Some(-(moves as i32)), line, solutions }
}

fn tell(root: &Position, answer: &Answer, asked: i32) -> Result<(), Fault> {
    let most = asked.abs();
    match answer.mate {
        None if asked > 0 => print(format_args!("no mate in {most} or fewer moves"))?,
        None => print(format_args!("not mated in {most} or fewer moves"))?,
        Some(0) => print("checkmate")?,
        Some(moves) => {
            let verb = if moves > 0 { "mate" } else { "mated" };
            let line = Line::of(&Game::new(*root), &answer.line);
            print(format_args!("{verb} in {}: {line}", moves.abs()))?;
        }
    }
    if let Some(solutions) = &answer.solutions {
        let names = solutions.iter().map(|&m| san::format(root, m)).collect::<Vec<_>>().join(" ");
        let noun = if solutions.len() == 1 { "solution" } else { "solutions" };
        print(format_args!("{} {noun}: {names}", solutions.len()).to_string().trim_end_matches(": "))?;
    }
    Ok(())
}

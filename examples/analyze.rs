//! Analysis from a Rust program, without a subprocess: one position by hand, then many side by side.
//!
//! Run it: `cargo run --release --example analyze`

use clavier::analysis::parallel::{self, Crew};
use clavier::analysis::{Analyst, Interrupt, Lines, Plan, Value, analyze};
use clavier::board::{Position, san};
use clavier::game::Game;
use clavier::search::Limits;
use std::error::Error;
use std::ops::ControlFlow;

/// Positions with something to be found in them.
const POSITIONS: [&str; 4] = [
    // White mates on the back rank.
    "6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1",
    // A knight forks king and rook.
    "r3k2r/ppp2ppp/8/1N6/8/8/PPP2PPP/R3K2R w KQkq - 0 1",
    // Black is mated already.
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1NQPPP/R1B2RK1 w - - 4 9",
];

fn main() -> Result<(), Box<dyn Error>> {
    // One position, its two best lines.
    let mut game = Game::new(Position::start());
    for text in ["e4", "e5", "Nf3"] {
        game.play(san::parse(game.position(), text)?);
    }
    let plan = Plan { limits: Limits::nodes(50_000), lines: Lines::Best(2), ..Plan::default() };
    let analysis = analyze(&game, &plan)?;
    for line in &analysis.report.lines {
        let value = Value::of(line.score);
        println!("{} {value} at depth {}", san::format(&analysis.position, line.pv[0]), line.depth);
    }

    // Many positions on all cores; results come in order, as they are ready.
    let games = POSITIONS.iter().map(|fen| fen.parse().map(Game::new)).collect::<Result<Vec<_>, _>>()?;
    let jobs = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let nobody = Interrupt::default();
    let work = |analyst: &mut Analyst, game: Game| analyst.analyze(&game, &nobody);
    let tell = |analysis| {
        if let Some(Ok(analysis)) = analysis {
            println!("{}", describe(&analysis));
        }
        ControlFlow::Continue(())
    };
    let crew = Crew { jobs, in_order: true };
    parallel::run(crew, games.into_iter(), || Analyst::new(&plan), work, tell)?;
    Ok(())
}

/// The best move with its value, or how the game has ended.
fn describe(analysis: &clavier::analysis::Analysis) -> String {
    match (analysis.report.best, analysis.value(), analysis.outcome) {
        (Some(best), Some(value), _) => {
            format!("{}: {} {value}", analysis.position, san::format(&analysis.position, best))
        }
        (.., Some(outcome)) => format!("{}: {}", analysis.position, outcome.name()),
        _ => format!("{}: nothing is known", analysis.position),
    }
}

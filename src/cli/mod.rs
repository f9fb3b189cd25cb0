//! Layer 8: the command line. Every sub-command is a thin file of its own; what it does lives in the layers below.

mod analysis_flags;
mod analyze;
mod annotate;
mod bench;
#[cfg(feature = "train")]
mod calibrate;
mod config;
#[cfg(feature = "train")]
mod datagen;
mod doctor;
mod epdtest;
mod eval;
mod fault;
#[cfg(feature = "train")]
mod game_files;
mod genfens;
mod interrupt;
mod manual;
mod mate;
#[cfg(feature = "tune")]
mod params;
mod perft;
mod progress;
mod rules;
mod speedtest;
#[cfg(feature = "train")]
mod stats;
mod tb;
#[cfg(feature = "train")]
mod train;
mod uci;

use crate::board::backend;
use clap::{Parser, Subcommand};
use fault::Fault;
use std::io::{self, Write};
use std::process::ExitCode;

/// A UCI chess engine on a 0x88 board, with headless analysis. Without a command it speaks UCI.
#[derive(Debug, Parser)]
#[command(name = "clavier", version, propagate_version = true, arg_required_else_help = false)]
#[command(after_help = "\
Exit codes: 0 fine, 1 some records or a check failed, 2 wrong usage, 3 input unreadable, 4 output not writable, \
5 network or tablebase not loadable, 130 interrupted.

Example: clavier analyze --fen \"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4\" --depth 12")]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Uci(uci::Arguments),
    Bench(bench::Arguments),
    Speedtest(speedtest::Arguments),
    Perft(perft::Arguments),
    Eval(eval::Arguments),
    Rules(rules::Arguments),
    #[command(visible_alias = "analyse")]
    Analyze(analyze::Arguments),
    Annotate(annotate::Arguments),
    Epdtest(epdtest::Arguments),
    Mate(mate::Arguments),
    Genfens(genfens::Arguments),
    Tb(tb::Arguments),
    Doctor(doctor::Arguments),
    Config(config::Arguments),
    Completions(manual::CompletionArguments),
    Man(manual::ManArguments),
    #[cfg(feature = "tune")]
    Params(params::Arguments),
    #[cfg(feature = "train")]
    Datagen(datagen::Arguments),
    #[cfg(feature = "train")]
    Stats(stats::Arguments),
    #[cfg(feature = "train")]
    Train(train::Arguments),
    #[cfg(feature = "train")]
    Calibrate(calibrate::Arguments),
}

/// Some records could not be processed, or a check failed.
const SOME_FAILED: u8 = 1;

/// Runs what the arguments of the process ask for.
pub fn run() -> ExitCode {
    match read_command().and_then(carry_out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let fault = error.downcast_ref::<Fault>();
            // Failed records have been told one by one.
            if !matches!(fault, Some(Fault::SomeFailed)) {
                eprintln!("clavier: {error:#}");
            }
            ExitCode::from(fault.map_or(SOME_FAILED, Fault::code))
        }
    }
}

/// The command that the arguments of the process mean.
fn read_command() -> anyhow::Result<Option<Command>> {
    let first = std::env::args_os().nth(1).unwrap_or_default();
    match genfens::Arguments::from_openbench(&first.to_string_lossy()) {
        Some(arguments) => Ok(Some(Command::Genfens(arguments?))),
        None => parse(),
    }
}

/// The command by clap. Help and version go to the standard output, which has to take them.
fn parse() -> anyhow::Result<Option<Command>> {
    match Arguments::try_parse() {
        Ok(arguments) => Ok(arguments.command),
        Err(error) if error.use_stderr() => error.exit(),
        Err(help) => {
            help.print().and_then(|()| io::stdout().flush()).map_err(Fault::Output)?;
            std::process::exit(0)
        }
    }
}

/// Does an interrupt just end the command? The others finish what they have begun to write.
fn ends_at_once(command: &Command) -> bool {
    matches!(
        command,
        Command::Uci(_)
            | Command::Bench(_)
            | Command::Speedtest(_)
            | Command::Perft(_)
            | Command::Eval(_)
            | Command::Rules(_)
            | Command::Mate(_)
            | Command::Genfens(_)
            | Command::Tb(_)
            | Command::Doctor(_)
    )
}

fn carry_out(command: Option<Command>) -> anyhow::Result<()> {
    backend::select().map_err(|error| Fault::Usage(error.to_string()))?;
    if command.as_ref().is_none_or(ends_at_once) {
        interrupt::leave_at_once();
    }
    match command {
        None => uci::run(uci::Arguments::default()),
        Some(Command::Uci(arguments)) => uci::run(arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Speedtest(arguments)) => speedtest::run(&arguments),
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        Some(Command::Eval(arguments)) => eval::run(&arguments),
        Some(Command::Rules(arguments)) => rules::run(&arguments),
        Some(Command::Analyze(arguments)) => analyze::run(&arguments),
        Some(Command::Annotate(arguments)) => annotate::run(&arguments),
        Some(Command::Epdtest(arguments)) => epdtest::run(&arguments),
        Some(Command::Mate(arguments)) => mate::run(&arguments),
        Some(Command::Genfens(arguments)) => genfens::run(&arguments),
        Some(Command::Tb(arguments)) => tb::run(&arguments),
        Some(Command::Doctor(arguments)) => doctor::run(&arguments),
        Some(Command::Config(arguments)) => config::run(&arguments),
        Some(Command::Completions(arguments)) => manual::complete(&arguments),
        Some(Command::Man(arguments)) => manual::man(&arguments),
        #[cfg(feature = "tune")]
        Some(Command::Params(arguments)) => params::run(&arguments),
        #[cfg(feature = "train")]
        Some(Command::Datagen(arguments)) => datagen::run(&arguments),
        #[cfg(feature = "train")]
        Some(Command::Stats(arguments)) => stats::run(&arguments),
        #[cfg(feature = "train")]
        Some(Command::Train(arguments)) => train::run(&arguments),
        #[cfg(feature = "train")]
        Some(Command::Calibrate(arguments)) => calibrate::run(&arguments),
    }
}

/// Has the reader of our output gone, as `head` does when it has enough?
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_command_has_an_example() {
        Arguments::command().debug_assert();
        for command in Arguments::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Example: "), "{}", command.get_name());
        }
    }
}

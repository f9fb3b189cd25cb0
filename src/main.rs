//! The `clavier` binary: a door to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    clavier::cli::run()
}

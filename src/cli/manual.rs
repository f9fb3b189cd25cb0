//! `clavier completions` and `clavier man`: what shells and `man` want to know about the command line.

use super::fault::Fault;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::{self, Write};

/// Print completions for a shell
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: clavier completions bash > ~/.local/share/bash-completion/completions/clavier"
)]
pub struct CompletionArguments {
    /// The shell
    shell: Shell,
}

/// Print the manual page, or that of a command
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: clavier man > ~/.local/share/man/man1/clavier.1")]
pub struct ManArguments {
    /// The command
    command: Option<String>,
}

/// Prints the completions.
pub fn complete(arguments: &CompletionArguments) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::Arguments::command(), "clavier", &mut script);
    Ok(write(&script)?)
}

/// Prints the page.
pub fn man(arguments: &ManArguments) -> anyhow::Result<()> {
    let mut root = super::Arguments::command();
    root.build();
    let command = match &arguments.command {
        None => root,
        Some(name) => root
            .find_subcommand(name)
            .ok_or_else(|| Fault::Usage(format!("there is no command {name:?}")))?
            .clone(),
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(write(&page)?)
}

fn write(bytes: &[u8]) -> Result<(), Fault> {
    let mut output = io::stdout().lock();
    output.write_all(bytes).and_then(|()| output.flush()).map_err(Fault::Output)
}

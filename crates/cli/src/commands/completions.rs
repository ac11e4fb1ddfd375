//! `derny completions`: what a shell needs to complete the command line.

use crate::args::{Cli, CompletionsArgs};
use crate::output::Destination;
use anyhow::Result;
use clap::CommandFactory;
use derny_workbench::Outcome;

/// Prints the script.
pub fn completions(args: &CompletionsArgs) -> Result<Outcome> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "derny", &mut text);
    Destination::Stdout.write(&String::from_utf8(text)?)?;
    Ok(Outcome::Done)
}

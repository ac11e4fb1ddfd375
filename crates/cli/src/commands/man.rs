//! `derny man`: the manual, made from the command line's own description.

use crate::args::{Cli, ManArgs};
use crate::output::{self, Destination};
use anyhow::{Context, Result};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use derny_workbench::Outcome;
use std::path::Path;

/// Prints the page of `derny`, or writes all pages.
pub fn man(quiet: bool, args: &ManArgs) -> Result<Outcome> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = &args.dir else {
        Destination::Stdout.write(&page(&command)?)?;
        return Ok(Outcome::Done);
    };
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let count = pages(&command, folder)?;
    if !quiet {
        output::note(&format!("wrote {count} pages to {}", folder.display()));
    }
    Ok(Outcome::Done)
}

/// A page for the command and for every verb below it.
fn pages(command: &Command, folder: &Path) -> Result<usize> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let path = folder.join(format!("{name}.1"));
    std::fs::write(&path, page(command)?).with_context(|| format!("cannot write {}", path.display()))?;
    let verbs = command.get_subcommands().filter(|verb| verb.get_name() != "help");
    verbs.map(|verb| pages(verb, folder)).try_fold(1, |sum, count| Ok(sum + count?))
}

fn page(command: &Command) -> Result<String> {
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text)?;
    Ok(String::from_utf8(text)?)
}

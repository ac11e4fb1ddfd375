//! `--resume`: the arguments of a run that goes on.

use crate::args::{Cli, Global, RunArgs, TryArgs, Verb};
use anyhow::{Result, bail};
use clap::Parser;
use derny_model::Records;
use derny_workbench::pipeline::resume;

/// The arguments of a run of whole commands that goes on, with this call's output; none where it is of benchmarks.
pub fn of_commands(global: &Global, args: &RunArgs, prior: &Records) -> Result<Option<(Global, TryArgs)>> {
    let (here, Verb::Try(old)) = own(global, prior)? else { return Ok(None) };
    let save = args.save.clone().or_else(|| old.save.clone());
    Ok(Some((here, TryArgs { format: args.format, save, ..*old })))
}

/// What a run that goes on was called with, and where it worked, unless this call says otherwise.
fn own(global: &Global, prior: &Records) -> Result<(Global, Verb)> {
    resume::check(prior)?;
    let words = std::iter::once("derny".to_string()).chain(prior.header.args.iter().cloned());
    let Cli { global: old_global, verb } = Cli::try_parse_from(words)?;
    let mut here = global.clone();
    if here.directory.is_none() {
        here.directory = old_global.directory;
    }
    if here.config.is_none() && !here.no_config {
        (here.config, here.no_config) = (old_global.config, old_global.no_config);
    }
    Ok((here, verb))
}

/// The arguments of the run that goes on: its own, with this call's output. Where it worked, and with which configuration,
/// counts unless this call says otherwise.
///
/// Its cases are known, so that their files are asked for in place of its patterns: those may have been relative to
/// another folder, and may mean more by now.
pub fn arguments(global: &Global, args: &RunArgs, prior: &Records) -> Result<(Global, RunArgs)> {
    let (here, verb) = own(global, prior)?;
    let Verb::Run(old) = verb else {
        bail!("run {} was not made by `derny run`", prior.header.id);
    };
    let mut again = RunArgs {
        resume: args.resume.clone(),
        format: args.format,
        output: args.output.clone(),
        stats: args.stats,
        against: args.against.clone().or_else(|| old.against.clone()),
        save: args.save.clone().or_else(|| old.save.clone()),
        ..*old
    };
    again.select.exclude.clear();
    again.select.patterns.clear();
    if again.select.command.is_empty()
        && let Some(files) = resume::files(prior)
    {
        again.select.patterns = files;
    }
    Ok((here, again))
}

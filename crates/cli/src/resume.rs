//! `--resume`: the arguments of a resumed run.

use crate::args::{Cli, Global, RunArgs, TryArgs, Verb};
use clap::Parser;
use derny_model::{Problem, Records, problem};
use derny_workbench::Result;
use derny_workbench::pipeline::resume;

/// Returns the arguments of a resumed run of whole commands, with this call's output options; `None` for a
/// run of benchmarks.
pub fn of_commands(global: &Global, args: &RunArgs, prior: &Records) -> Result<Option<(Global, TryArgs)>> {
    let (here, Verb::Try(old)) = own(global, prior)? else { return Ok(None) };
    let save = args.save.clone().or_else(|| old.save.clone());
    Ok(Some((here, TryArgs { format: args.format, save, ..*old })))
}

/// Returns the arguments and the working directory of a resumed run, unless this call overrides them.
fn own(global: &Global, prior: &Records) -> Result<(Global, Verb)> {
    resume::check(prior)?;
    let words = std::iter::once("derny".to_string()).chain(prior.header.args.iter().cloned());
    let Cli { global: old_global, verb } = Cli::try_parse_from(words).map_err(Problem::new)?;
    let mut here = global.clone();
    if here.directory.is_none() {
        here.directory = old_global.directory;
    }
    if here.config.is_none() && !here.no_config {
        (here.config, here.no_config) = (old_global.config, old_global.no_config);
    }
    Ok((here, verb))
}

/// Returns the arguments of a resumed run: its own, with this call's output options. Its working directory
/// and configuration apply unless this call overrides them.
///
/// Its cases are known, so their files are requested instead of its patterns, which may have been relative to
/// another folder and may match more by now.
pub fn arguments(global: &Global, args: &RunArgs, prior: &Records) -> Result<(Global, RunArgs)> {
    let (here, verb) = own(global, prior)?;
    let Verb::Run(old) = verb else {
        return Err(problem!("run {} was not made by `derny run`", prior.header.id).into());
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

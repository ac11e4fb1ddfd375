//! `--resume`: restores the arguments of a stopped run.

use crate::args::{Cli, Global, HowArgs, RunArgs, SettingArgs, SideArgs, TryArgs, Verb};
use clap::Parser;
use derny_model::{Problem, Records, problem};
use derny_workbench::Result;
use derny_workbench::pipeline::resume;

/// Returns the arguments of a stopped run of whole commands, with the output options of this call. Returns
/// `None` for a run of benchmarks.
pub fn of_commands(global: &Global, args: &RunArgs, prior: &Records) -> Result<Option<(Global, TryArgs)>> {
    let (here, Verb::Try(old)) = own(global, prior)? else { return Ok(None) };
    let save = args.how.save.clone().or_else(|| old.save.clone());
    let mut again = TryArgs { format: args.how.format, save, ..*old };
    let SettingArgs { budget, total, .. } = &args.how.settings;
    if budget.is_some() || total.is_some() {
        (again.time, again.total) = (budget.clone(), total.clone());
    }
    Ok(Some((here, again)))
}

/// Returns the stored arguments of a run, and its working directory and configuration unless this call
/// overrides them.
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

/// Returns the arguments of a stopped run, with the output options of this call. The working directory and
/// configuration are those of the run unless this call overrides them.
///
/// The run's patterns are replaced with the files of its cases. The patterns may be relative to another
/// folder, or match more cases now.
pub fn arguments(global: &Global, args: &RunArgs, prior: &Records) -> Result<(Global, RunArgs)> {
    let (here, verb) = own(global, prior)?;
    // The sides of `diff` are recorded in the run.
    let old = match verb {
        Verb::Run(old) => *old,
        Verb::Diff(old) => old.run(Vec::new(), Vec::new()),
        _ => {
            return Err(problem!(
                "run {} cannot be resumed: it is not a run of `derny run`",
                prior.header.id
            )
            .into());
        }
    };
    let mut again = RunArgs {
        sides: SideArgs { against: args.sides.against.clone().or(old.sides.against.clone()), ..old.sides },
        resume: args.resume.clone(),
        how: HowArgs {
            format: args.how.format,
            output: args.how.output.clone(),
            stats: args.how.stats,
            save: args.how.save.clone().or_else(|| old.how.save.clone()),
            ..old.how
        },
        ..old
    };
    // If this call states one limit, do not keep the other one of the run: it could end the run at once.
    let SettingArgs { budget, total, .. } = &args.how.settings;
    if budget.is_some() || total.is_some() {
        (again.how.settings.budget, again.how.settings.total) = (budget.clone(), total.clone());
    }
    again.select.exclude.clear();
    again.select.patterns.clear();
    if again.select.command.is_empty()
        && let Some(files) = resume::files(prior)
    {
        again.select.patterns = files;
    }
    Ok((here, again))
}

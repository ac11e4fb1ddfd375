//! `--resume`: the arguments and the catalogue of a run that goes on.

use crate::args::{Cli, Global, RunArgs, Verb};
use anyhow::{Result, bail};
use clap::Parser;
use derny_engine::discover::catalogue::Catalogue;
use derny_model::{Records, RunStatus};
use std::collections::BTreeSet;

/// The arguments of the run that goes on: its own, with this call's output. Where it worked, and with which configuration,
/// counts unless this call says otherwise.
///
/// Its cases are known, so that their files are asked for in place of its patterns: those may have been relative to
/// another folder, and may mean more by now.
pub fn arguments(global: &Global, args: &RunArgs, prior: &Records) -> Result<(Global, RunArgs)> {
    let id = &prior.header.id;
    match prior.header.status {
        RunStatus::Complete | RunStatus::Failed => {
            bail!("run {id} is complete: there is nothing to go on with\n  try    `derny runs`")
        }
        RunStatus::Running => bail!("run {id} is under way in another derny\n  try    `derny runs`"),
        RunStatus::Partial => {}
    }
    let words = std::iter::once("derny".to_string()).chain(prior.header.args.iter().cloned());
    let Cli { global: old_global, verb: Verb::Run(old) } = Cli::try_parse_from(words)? else {
        bail!("run {id} was not made by `derny run`");
    };
    let mut here = global.clone();
    if here.directory.is_none() {
        here.directory = old_global.directory;
    }
    if here.config.is_none() && !here.no_config {
        (here.config, here.no_config) = (old_global.config, old_global.no_config);
    }
    let mut again = RunArgs {
        resume: args.resume.clone(),
        format: args.format,
        output: args.output.clone(),
        against: args.against.clone().or_else(|| old.against.clone()),
        save: args.save.clone().or_else(|| old.save.clone()),
        ..*old
    };
    again.select.exclude.clear();
    again.select.patterns.clear();
    let files: BTreeSet<Option<&String>> = prior.cases.iter().map(|case| case.file.as_ref()).collect();
    // A variant that is another benchmark may be in a file that no case names.
    let elsewhere = prior.header.variants.iter().any(|variant| variant.benchmark.is_some());
    if again.select.command.is_empty() && !files.contains(&None) && !elsewhere {
        again.select.patterns = files.into_iter().flatten().cloned().collect();
    }
    Ok((here, again))
}

/// Cases in the order of the run that goes on; new ones are left out.
pub fn align(catalogue: &mut Catalogue, prior: &Records) -> Result<()> {
    let mut source_of = Vec::new();
    for case in &prior.cases {
        match catalogue.cases.iter().position(|found| found.id == case.id) {
            Some(i) => source_of.push(catalogue.source_of[i]),
            None => bail!(
                "the case `{}` of run {} is no longer there\n  try    a new run",
                case.id,
                prior.header.id
            ),
        }
    }
    catalogue.cases.clone_from(&prior.cases);
    catalogue.source_of = source_of;
    Ok(())
}

//! `derny fleet shard`: measures one shard of a plan, and writes its part.

use crate::args::{Cli, FleetArgs, FleetVerb, Global, PlanArgs, ShardArgs, Verb};
use crate::news::Listener;
use crate::{output, session};
use clap::Parser;
use derny_fleet::{Carried, Place, ShardOptions};
use derny_model::words::counted;
use derny_model::{FleetPlan, Problem, problem};
use derny_report as report;
use derny_workbench::pipeline::RunOptions;
use derny_workbench::project::session::Bench;
use derny_workbench::{Outcome, Result};
use std::path::{Path, PathBuf};

pub fn shard(global: &Global, args: &ShardArgs) -> Result<Outcome> {
    let (plan, builds) = opened(&args.plan, args.builds.as_deref())?;
    let place = derny_fleet::number(args.shard.as_deref(), &|name| std::env::var(name).ok())?;
    let number = checked(&place, plan.shards.len() as u32)?;
    if global.quiet < 2 {
        output::note(&format!("shard {number} of {}{}", plan.shards.len(), of_wave(&plan)));
    }
    let output = absolute(args.output.clone().unwrap_or_else(|| named(&args.plan, number)))?;
    let (global, planned) = words(global, &plan)?;
    let session = session::open(&global)?;
    let store = session.store()?;
    let (stop, reaper) = (session::interruptible()?, session::reaper()?);
    let bench = Bench { session: &session, store: &store, reaper: Some(&reaper), stop: &stop };
    let options = RunOptions::from(&planned);
    let own = ShardOptions {
        shard: number,
        machine: args.machine.as_deref(),
        builds: builds.as_ref(),
        output: &output,
    };
    let mut listener = Listener::new(&global, None);
    let measured = derny_fleet::shard(bench, (&plan, &options), own, &mut |news| listener.hear(news))?;
    let style = output::error_style(&global);
    let warnings = |document| report::warning::of_run(&document, global.verbose > 0, &style);
    let warnings = measured.document.map(warnings).unwrap_or_default();
    if global.quiet < 2 && !warnings.is_empty() {
        output::painted(warnings.trim_end());
    }
    if global.quiet == 0 && measured.is_written {
        output::note(&format!("wrote {}", output.display()));
    }
    Ok(measured.outcome)
}

/// Returns the plan in a file, and its builds: those in the file `builds`, or else those in the plan's own
/// file.
pub(super) fn opened(plan: &Path, builds: Option<&Path>) -> Result<(FleetPlan, Option<Carried>)> {
    let (plan, own) = derny_fleet::open(plan)?;
    let Some(file) = builds else { return Ok((plan, own)) };
    let (_, Some(carried)) = derny_fleet::open(file)? else {
        return Err(problem!("{} contains no builds", file.display())
            .remedy("use a plan written by `derny fleet plan --build`")
            .into());
    };
    carried.check(&plan)?;
    Ok((plan, Some(carried)))
}

fn of_wave(plan: &FleetPlan) -> String {
    if plan.wave > 1 { format!(", wave {}", plan.wave) } else { String::new() }
}

/// Returns the number of the shard. Fails if the plan has no such shard, or not as many shards as the
/// scheduler or the command line states.
fn checked(place: &Place, of: u32) -> Result<u32> {
    match place.of {
        Some(believed) if believed != of => Err(problem!(
            "the plan has {}, but {} expects {believed}",
            counted(of as usize, "shard", "shards"),
            place.by
        )
        .remedy(format_args!(
            "start as many jobs as the plan has shards, or use `derny fleet plan --shards {believed}`"
        ))
        .into()),
        _ if place.shard > of => {
            Err(problem!("there is no shard {} ({}): the plan has {of}", place.shard, place.by)
                .remedy("start as many jobs as the plan has shards")
                .into())
        }
        _ => Ok(place.shard),
    }
}

/// Returns `plan-4.derny` for `plan.json` and 4, in the current directory.
fn named(plan: &Path, number: u32) -> PathBuf {
    let stem = plan.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from(format!("{stem}-{number}.derny"))
}

/// Returns the absolute path, because the working directory may change.
fn absolute(path: PathBuf) -> Result<PathBuf> {
    let path = std::path::absolute(&path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    if !folder.is_dir() {
        let folder = folder.display();
        return Err(problem!("cannot write {}", path.display())
            .why(format_args!("there is no folder {folder}"))
            .remedy(format_args!("run `mkdir -p {folder}`"))
            .into());
    }
    Ok(path)
}

/// Returns the arguments that the plan was made with. Its directory and configuration apply unless this call
/// sets its own.
pub(super) fn words(global: &Global, plan: &FleetPlan) -> Result<(Global, PlanArgs)> {
    let words = std::iter::once("derny".to_owned()).chain(plan.args.iter().cloned());
    let Cli { global: then, verb } = Cli::try_parse_from(words)
        .map_err(|why| Problem::new("the plan's arguments cannot be read").why(why))?;
    let Verb::Fleet(FleetArgs { verb: FleetVerb::Plan(args) }) = verb else {
        return Err(problem!("the plan was not made by `derny fleet plan`").into());
    };
    let mut here = global.clone();
    if here.config.is_none() && !here.no_config {
        (here.config, here.no_config) = (then.config, then.no_config);
    }
    here.directory = here.directory.or(then.directory);
    Ok((here, *args))
}

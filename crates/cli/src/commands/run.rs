//! `derny run`: discovers, plans, measures, records, analyses and reports.

use crate::args::{DiffArgs, Format, Global, RunArgs, View};
use crate::commands::{watch, whole};
use crate::news::Listener;
use crate::output::{self, Destination};
use crate::{results, resume, session};
use derny_model::{Records, Series, problem};
use derny_report as report;
use derny_workbench::pipeline::{self, Ended, Occasion, Ready, RunOptions};
use derny_workbench::project::session::Bench;
use derny_workbench::variants::diff::{self, Diff};
use derny_workbench::{Outcome, Result};

/// Runs once, or several times with `--repeat` or `--watch`. `--resume` continues an earlier run.
pub fn run(global: &Global, args: &RunArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let store = session.store()?;
    let mut out = Destination::open(args.how.output.as_deref())?;
    let (stop, reaper) = (session::interruptible()?, session::reaper()?);
    let bench = Bench { session: &session, store: &store, reaper: Some(&reaper), stop: &stop };
    if let Some(name) = &args.resume {
        let prior = store.load(name)?;
        if let Some((global, commands)) = resume::of_commands(global, args, &prior)? {
            return whole::go_on(&global, &commands, bench, &prior, &mut out);
        }
        return go_on(global, args, bench, &prior, &mut out);
    }
    let two_sides = args.sides.variants.len() > 1 || args.sides.against.is_some() || args.how.control;
    if args.how.judge.view == Some(View::Node) && !two_sides {
        return Err(problem!("--view node compares two sides")
            .remedy("two of them: -x old=COMMAND -x new=COMMAND")
            .into());
    }
    let options = RunOptions::from(args).checked(bench)?;
    if args.how.watch {
        return watch::watch(global, args, bench, &options, &mut out);
    }
    let mut outcome = Outcome::Done;
    let mut series =
        (args.how.repeat > 1).then(|| Series { id: String::new(), number: 0, of: args.how.repeat });
    for _ in 0..args.how.repeat.max(1) {
        let occasion = Occasion { series: series.clone(), ..Occasion::default() };
        let (ended, own) = one(global, args, bench, &options, &occasion, &mut out)?;
        outcome = outcome.max(ended);
        if matches!(ended, Outcome::Interrupted | Outcome::Nothing) {
            break;
        }
        series = series.map(|asked| Series { number: asked.number + 1, ..own.unwrap_or(asked) });
    }
    if let Some(series) = series.filter(|series| series.number > 1 && args.how.format == Format::Table) {
        let style = output::style(global, &std::io::stdout(), out.is_file());
        let rows = pipeline::stability(&store, &series)?;
        out.write(&format!("\n{}", report::stability::stability(&rows, &style)))?;
    }
    Ok(outcome)
}

/// Compares a revision with the working tree: `derny run -x REV -x head`.
pub fn diff(global: &Global, args: &DiffArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let Diff { sides, patterns } = diff::diff(&session, &args.words, &mut output::told(global))?;
    let args = args.run(sides, patterns);
    // The session has already changed to this folder.
    run(&Global { directory: None, ..global.clone() }, &args)
}

/// Resumes an interrupted run with its own arguments.
fn go_on(
    global: &Global,
    args: &RunArgs,
    bench: Bench<'_>,
    prior: &Records,
    out: &mut Destination,
) -> Result<Outcome> {
    let (global, mut args) = resume::arguments(global, args, prior)?;
    let session = session::open(&global)?;
    for file in &mut args.select.patterns {
        *file = session.project.root.join(&*file).display().to_string();
    }
    let bench = Bench { session: &session, ..bench };
    let occasion = Occasion { prior: Some(prior), ..Occasion::default() };
    let options = RunOptions::from(&args).resumed(bench.store);
    Ok(one(&global, &args, bench, &options, &occasion, out)?.0)
}

/// Makes one run, and starts or continues its series.
fn one(
    global: &Global,
    args: &RunArgs,
    bench: Bench<'_>,
    options: &RunOptions,
    occasion: &Occasion<'_>,
    out: &mut Destination,
) -> Result<(Outcome, Option<Series>)> {
    if args.how.dry_run {
        return Ok((dry(global, bench, options, occasion, out)?, None));
    }
    let mut listener = Listener::new(global, (args.how.format == Format::Ndjson).then_some(&mut *out));
    match pipeline::run(bench, options, occasion, &mut |news| listener.hear(news))? {
        Ended::Early(outcome) => Ok((outcome, None)),
        Ended::Concluded(concluded) => {
            results::print(global, (args.how.format, &args.how.judge), &options.fail_on, &concluded, out)?;
            Ok((concluded.outcome, concluded.records.header.series))
        }
    }
}

/// Prints the plan without measuring.
fn dry(
    global: &Global,
    bench: Bench<'_>,
    options: &RunOptions,
    occasion: &Occasion<'_>,
    out: &mut Destination,
) -> Result<Outcome> {
    let mut listener = Listener::new(global, None);
    let planned = match pipeline::plan(bench, options, occasion, &mut |news| listener.hear(news))? {
        Ready::Planned(planned) => planned,
        Ready::Early(outcome) => return Ok(outcome),
    };
    let style = output::style(global, &std::io::stdout(), out.is_file());
    out.write(&report::plan::plan(
        &planned.plan,
        &planned.catalogue.cases,
        &planned.header.variants,
        &style,
    ))?;
    Ok(Outcome::Done)
}

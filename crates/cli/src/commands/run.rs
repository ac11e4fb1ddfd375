//! `derny run`: discovers, plans, measures, records, analyses and reports. `--watch` repeats the run until
//! every case is decided, and `--resume` continues a stopped run with its own arguments.

use crate::args::{
    Cli, DiffArgs, Format, Global, HowArgs, RunArgs, Selection, SettingArgs, SideArgs, TryArgs, Verb, View,
};
use crate::commands::whole::{self, Measured};
use crate::news::Listener;
use crate::output::{self, Destination};
use crate::{results, session};
use clap::Parser;
use derny_model::{Problem, Records, Series, problem};
use derny_report as report;
use derny_workbench::pipeline::{
    self, Concluded, News, Occasion, Planned, Ready, RunOptions, Watched, resume,
};
use derny_workbench::project::session::{Bench, Session};
use derny_workbench::variants::diff::{self, Diff};
use derny_workbench::{Outcome, Result};

/// Runs once, or several times with `--repeat` or `--watch`. `--resume` continues an earlier run.
pub fn run(global: &Global, args: &RunArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let store = session.store()?;
    let mut out = Destination::open(global, args.how.output.as_deref())?;
    let (stop, reaper) = (session::interruptible()?, session::reaper()?);
    let bench = Bench { session: &session, store: &store, reaper: Some(&reaper), stop: &stop };
    let prior = args.resume.as_ref().map(|name| store.load(name)).transpose()?;
    let again = match &prior {
        None => None,
        Some(prior) => match again(global, args, prior)? {
            Again::Run(again) => Some(again),
            Again::Try(global, old) => return whole::go_on(&global, &old, bench, prior, &mut out),
        },
    };
    let (global, args, session) = match again.as_deref() {
        Some((global, args, session)) => (global, args, session),
        None => (global, args, &session),
    };
    let bench = Bench { session, ..bench };
    let options = match &prior {
        Some(_) => RunOptions::from(args).resumed(&store),
        None => {
            check_view(args)?;
            RunOptions::from(args).checked(bench)?
        }
    };
    match args.how.watch {
        false => repeat(global, args, bench, &options, prior.as_ref(), &mut out),
        true => watch(global, args, bench, &options, &mut out),
    }
}

/// Fails if `--view` needs two sides, but the run has only one.
fn check_view(args: &RunArgs) -> Result<()> {
    let two_sides = args.sides.variants.len() > 1 || args.sides.against.is_some() || args.how.control;
    match args.how.judge.view {
        Some(View::Node) if !two_sides => Err(problem!("--view node needs two sides")
            .remedy("use two of them: -x old=COMMAND -x new=COMMAND")
            .into()),
        _ => Ok(()),
    }
}

/// Makes the number of runs that `--repeat` requests, and then prints their spread. `prior` is a run to
/// resume.
fn repeat(
    global: &Global,
    args: &RunArgs,
    bench: Bench<'_>,
    options: &RunOptions,
    prior: Option<&Records>,
    out: &mut Destination,
) -> Result<Outcome> {
    let mut outcome = Outcome::Done;
    let mut series =
        (args.how.repeat > 1).then(|| Series { id: String::new(), number: 0, of: args.how.repeat });
    for _ in 0..args.how.repeat.max(1) {
        let occasion = Occasion { prior, series: series.clone(), ..Occasion::default() };
        let (ended, own) = one(global, args, bench, options, &occasion, out)?;
        outcome = outcome.max(ended);
        if matches!(ended, Outcome::Interrupted | Outcome::Nothing) {
            break;
        }
        series = series.map(|asked| Series { number: asked.number + 1, ..own.unwrap_or(asked) });
    }
    if let Some(series) = series.filter(|series| series.number > 1 && args.how.format == Format::Table) {
        let style = output::style(global, &std::io::stdout(), out.is_file());
        let rows = pipeline::stability(bench.store, &series)?;
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

/// Repeats the run, and prints the comparison of all runs together.
fn watch(
    global: &Global,
    args: &RunArgs,
    bench: Bench<'_>,
    options: &RunOptions,
    out: &mut Destination,
) -> Result<Outcome> {
    if matches!(args.how.format, Format::Csv | Format::Ndjson) {
        return Err(problem!("--watch does not support this format")
            .remedy("use -f json, or `derny show -f csv` for each of its runs")
            .into());
    }
    let mut listener = Listener::new(global, None);
    let _turn = session::turn(global, bench, args.how.no_queue)?;
    match pipeline::watch(bench, options, &mut |news| listener.hear(news))? {
        Watched::Early(outcome) => Ok(outcome),
        Watched::Compared { document, outcome } => {
            match (args.how.format, &document.comparison) {
                (Format::Json, _) | (_, None) => {
                    out.write_json_by(|to| report::json::write(&document, to))?
                }
                (format, Some(comparison)) => {
                    results::comparison(global, comparison, format, &args.how.judge, out)?
                }
            }
            document.comparison.iter().for_each(|told| results::failing(global, told, &options.fail_on));
            Ok(outcome)
        }
    }
}

/// The arguments of a stopped run.
enum Again {
    /// A run of benchmarks, with the project that it belongs to.
    Run(Box<(Global, RunArgs, Session)>),
    /// A run of whole commands.
    Try(Global, Box<TryArgs>),
}

/// Returns the arguments of a stopped run, with the output options of this call.
fn again(global: &Global, args: &RunArgs, prior: &Records) -> Result<Again> {
    let (global, old) = stopped(global, prior)?;
    let old = match old {
        Verb::Run(old) => *old,
        // Pass no sides: the run records those that `diff` chose.
        Verb::Diff(old) => old.run(Vec::new(), Vec::new()),
        Verb::Try(old) => return Ok(Again::Try(global, Box::new(of_commands(args, *old)))),
        _ => {
            let what = problem!(
                "run {} cannot be resumed: it is not a run of `derny run`, `derny diff` or `derny try`",
                prior.header.id
            );
            return Err(what.into());
        }
    };
    let mut args = of_benchmarks(args, old);
    let session = session::open(&global)?;
    // The patterns may be relative to another folder, or match more cases now.
    let files = resume::files(prior).filter(|_| args.select.command.is_empty()).unwrap_or_default();
    let placed = |file: String| session.project.root.join(file).display().to_string();
    args.select.patterns = files.into_iter().map(placed).collect();
    Ok(Again::Run(Box::new((global, args, session))))
}

/// Returns the stored command of a stopped run, and its working directory and configuration unless this call
/// overrides them.
fn stopped(global: &Global, prior: &Records) -> Result<(Global, Verb)> {
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

/// Returns the arguments of a stopped run of benchmarks, with the output options and time limits of this
/// call.
fn of_benchmarks(args: &RunArgs, old: RunArgs) -> RunArgs {
    // If this call sets one of the two limits, drop the stopped run's other limit, which could end the run at
    // once.
    let SettingArgs { budget, total, .. } = args.how.settings.clone();
    let settings = match budget.is_some() || total.is_some() {
        true => SettingArgs { budget, total, ..old.how.settings },
        false => old.how.settings,
    };
    RunArgs {
        select: Selection { exclude: Vec::new(), ..old.select },
        sides: SideArgs { against: args.sides.against.clone().or(old.sides.against), ..old.sides },
        resume: args.resume.clone(),
        figures: old.figures,
        how: HowArgs {
            settings,
            format: args.how.format,
            output: args.how.output.clone(),
            stats: args.how.stats,
            save: args.how.save.clone().or(old.how.save),
            // This call continues one run of the series.
            repeat: 1,
            watch: false,
            ..old.how
        },
    }
}

/// Returns the arguments of a stopped run of whole commands, with the output options and time limits of this
/// call.
fn of_commands(args: &RunArgs, old: TryArgs) -> TryArgs {
    let SettingArgs { budget, total, .. } = args.how.settings.clone();
    let (time, total) = match budget.is_some() || total.is_some() {
        true => (budget, total),
        false => (old.time, old.total),
    };
    TryArgs { format: args.how.format, save: args.how.save.clone().or(old.save), time, total, ..old }
}

/// Makes one run. Returns its outcome and its series, which the first run of a series starts. The series is
/// `None` if nothing was measured.
fn one(
    global: &Global,
    args: &RunArgs,
    bench: Bench<'_>,
    options: &RunOptions,
    occasion: &Occasion<'_>,
    out: &mut Destination,
) -> Result<(Outcome, Option<Series>)> {
    let stream = (args.how.format == Format::Ndjson && !args.how.dry_run).then_some(&mut *out);
    let mut listener = Listener::new(global, stream);
    if !args.figures.metric_from.is_empty() {
        let concluded = match whole::run(global, args, bench, (options, occasion), &mut listener)? {
            Measured::Concluded(concluded) => *concluded,
            Measured::Failed(why) => {
                output::note(&format!("error: {why}"));
                return Ok((Outcome::Failed, None));
            }
            Measured::Early(outcome) => return Ok((outcome, None)),
        };
        return ended(global, args, options, concluded, out);
    }
    let tell = &mut |news: News<'_>| listener.hear(news);
    let planned = match pipeline::plan(bench, options, occasion, tell)? {
        Ready::Planned(planned) => planned,
        Ready::Early(outcome) => return Ok((outcome, None)),
    };
    if args.how.dry_run {
        let style = output::style(global, &std::io::stdout(), out.is_file());
        let Planned { plan, catalogue, header, .. } = &*planned;
        out.write(&report::plan::plan(plan, &catalogue.cases, &header.variants, &style))?;
        return Ok((Outcome::Done, None));
    }
    let _turn = session::turn(global, bench, args.how.no_queue || options.mode.once)?;
    let concluded = pipeline::run(bench, options, *planned, tell)?;
    ended(global, args, options, concluded, out)
}

/// Prints the results of a run. Returns its outcome and its series.
fn ended(
    global: &Global,
    args: &RunArgs,
    options: &RunOptions,
    concluded: Concluded,
    out: &mut Destination,
) -> Result<(Outcome, Option<Series>)> {
    results::print(global, (args.how.format, &args.how.judge), &options.fail_on, &concluded, out)?;
    Ok((concluded.outcome, concluded.records.header.series))
}

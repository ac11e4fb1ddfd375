//! `derny try`: whole commands. They run once, then `derny` serves as their harness in an ordinary run.

mod asked;
mod exports;
mod first;
mod measured;
pub mod sides;

use crate::args::{Format, Global, OutputStyle, TryArgs, When};
use crate::commands::whole::exports::Exports;
use crate::commands::whole::first::Terminal;
use crate::commands::whole::measured::{First, Run, calls, prepared, selection};
use crate::news::Listener;
use crate::options::fail_on;
use crate::output::{self, Destination};
use crate::{results, session};
use derny_command::calls::Call;
use derny_command::copies::Original;
use derny_command::first::{self as runs, Wrong};
use derny_command::plan::{self, Plan};
use derny_command::request::Request;
use derny_command::settle::Settled;
use derny_engine::launch::folder::PrivateFolder;
use derny_model::{Records, problem};
use derny_workbench::config::options::Stated;
use derny_workbench::config::settings::{self, Mode};
use derny_workbench::config::units;
use derny_workbench::error::Doing;
use derny_workbench::pipeline::{Concluded, Occasion, RunOptions};
use derny_workbench::project::session::Bench;
use derny_workbench::results::source::Source;
use derny_workbench::{Outcome, Result};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use asked::figures;
pub use measured::{Measured, SUITE, surroundings};
pub use sides::run;

/// Maximum number of processes per case. Further runs share processes.
const PROCESSES: u32 = 40;

/// Measures the commands of `derny try`.
pub fn measure(global: &Global, args: &TryArgs) -> Result<Outcome> {
    let global = &styled(global, args.style);
    let mut session = session::open(global)?;
    session.place.echo |= args.show_output || args.output.iter().any(|output| output == "inherit");
    let store = session.store()?;
    let (stop, reaper) = (session::interruptible()?, session::reaper()?);
    let bench = Bench { session: &session, store: &store, reaper: Some(&reaper), stop: &stop };
    let asked = Asked { global, args, bench, prior: None };
    asked.measure(&mut Destination::stdout())
}

/// Resumes an interrupted run.
pub fn go_on(
    global: &Global,
    args: &TryArgs,
    bench: Bench<'_>,
    prior: &Records,
    out: &mut Destination,
) -> Result<Outcome> {
    let session = session::open(global)?;
    let bench = Bench { session: &session, ..bench };
    Asked { global, args, bench, prior: Some(prior) }.measure(out)
}

/// A request of `derny try`, with the workbench that serves it.
struct Asked<'a> {
    global: &'a Global,
    args: &'a TryArgs,
    bench: Bench<'a>,
    prior: Option<&'a Records>,
}

impl Asked<'_> {
    /// Runs the set-ups, the first runs and the measurement. Clean-ups always run.
    fn measure(&self, out: &mut Destination) -> Result<Outcome> {
        check_settings(self.args)?;
        check_times(self.args)?;
        let request = asked::request(self.args, &self.bench.session.place.directory)?;
        let mut exports = Exports::of(self.global, self.args)?;
        // The harness executes commands from this folder, so no other user may write to it.
        let folder = PrivateFolder::make(self.bench.reaper)
            .doing(|| "cannot create a folder for the commands".into())?;
        let mut plan = planned(&request, folder.path())?;
        surroundings();
        plan.doubts.iter().for_each(|doubt| output::note(&format!("warning: {doubt}")));
        let mut terminal = Terminal::new(self.global, self.bench.stop);
        let first = First {
            runs: self.args.warmup_runs.unwrap_or(0),
            timeout: request.timeout_ns.map(Duration::from_nanos),
            judged: &request.judged,
        };
        let done = match prepared(&mut plan, &first, &mut terminal) {
            Ok(settled) => self.run((&plan, &settled), &request, folder.path(), &mut exports, out),
            Err(Wrong::Stopped) => Ok(Outcome::Interrupted),
            Err(Wrong::Failed(why)) => {
                output::note(&format!("error: {why}"));
                Ok(Outcome::Failed)
            }
        };
        clean_up(&plan.cleanups, &terminal);
        done
    }

    /// Measures the plan in an ordinary run, in which `derny` itself is the harness that executes the
    /// commands.
    fn run(
        &self,
        (plan, settled): (&Plan, &Settled),
        request: &Request,
        folder: &Path,
        exports: &mut Exports,
        out: &mut Destination,
    ) -> Result<Outcome> {
        let Asked { global, args, bench, prior } = *self;
        let options = options(args, (plan, settled), folder)?.checked(bench)?;
        let mut listener = Listener::new(global, (args.format == Format::Ndjson).then_some(&mut *out));
        let occasion = Occasion { prior, ..Occasion::default() };
        let calls = calls(plan, settled, &request.judged, request.timeout_ns);
        let run = Run { calls: &calls, folder, options: &options, occasion: &occasion };
        let concluded = match run.concluded((global, args.no_queue), bench, &mut listener)? {
            Measured::Concluded(concluded) => *concluded,
            // Does not occur: only first runs can fail, and they precede this run.
            Measured::Failed(why) => return Err(why.into()),
            Measured::Early(outcome) => return Ok(outcome),
        };
        exports.write_files(&concluded.document, &concluded.records)?;
        let outcome = concluded.outcome;
        if args.style != OutputStyle::None {
            self.tell(&options, concluded, out)?;
        }
        Ok(outcome)
    }

    /// Prints the results. A table ends with the fastest command.
    fn tell(&self, options: &RunOptions, concluded: Concluded, out: &mut Destination) -> Result<()> {
        let Asked { global, args, .. } = *self;
        results::print(global, (args.format, &args.judge), &options.fail_on, &concluded, out)?;
        if args.format == Format::Table {
            let source = Source::Records(Box::new(concluded.records));
            results::commands(global, source, &concluded.document, out)?;
        }
        Ok(())
    }
}

/// Returns the commands to run, with copies of the folder if requested.
fn planned(request: &Request, folder: &Path) -> Result<Plan> {
    let original = Original::around(&request.directory);
    let mut copies: Vec<PathBuf> = Vec::new();
    let mut copy = |side: usize| {
        while copies.len() <= side {
            let to = folder.join(format!("copy-{}", copies.len()));
            copies.push(
                original.copy(&to).map_err(|why| format!("--copy: the folder cannot be copied: {why}"))?,
            );
        }
        Ok(copies[side].clone())
    };
    Ok(plan::plan(request, &mut copy)?)
}

fn options(args: &TryArgs, (plan, settled): (&Plan, &Settled), folder: &Path) -> Result<RunOptions> {
    let judge = &args.judge;
    Ok(RunOptions {
        select: selection(folder)?,
        stated: stated(args, plan, settled)?,
        mode: Mode { control: args.control, precise: args.precise, ..Mode::default() },
        benchmarks: if plan.sides.len() > 1 { plan.sides.clone() } else { Vec::new() },
        save: args.save.clone(),
        note: args.note.clone(),
        refresh: true,
        margin: judge.margin.clone(),
        mean_margin: judge.mean_margin.clone(),
        fail_on: fail_on(&judge.fail_on),
        judged: matches!(args.format, Format::Junit | Format::Github),
        ..RunOptions::default()
    })
}

/// Settings that also apply to whole commands.
const FOLLOWED: [&str; 5] = ["precision", "confidence", "pin", "metrics", "memory"];

/// Fails if a setting does not exist, or does not apply to commands.
fn check_settings(args: &TryArgs) -> Result<()> {
    for text in &args.set {
        let (key, _) = settings::set(text)?;
        if !FOLLOWED.contains(&key) {
            return Err(problem!("`derny try` does not support the setting `{key}`")
                .place(format_args!("--set {text}"))
                .known(FOLLOWED.join(", "))
                .into());
        }
    }
    Ok(())
}

/// Returns the settings. Each run of a command has a separate process, until the maximum number of processes
/// is reached.
fn stated(args: &TryArgs, plan: &Plan, settled: &Settled) -> Result<Stated> {
    let most = args.max_runs;
    let least_ns = args.min_benchmarking_time.map_or(0.0, |seconds| seconds * 1e9 * plan.sides.len() as f64);
    let budget_ns = runs::budget_ns(&plan.entries, most.unwrap_or(0)).max(least_ns as u64);
    let budget = args.time.clone().unwrap_or_else(|| format!("{budget_ns}ns"));
    let processes = most.map(|most| most.min(PROCESSES));
    let flags = [
        ("budget", Some(budget)),
        ("total", args.total.clone()),
        ("processes", processes.map(|count| count.to_string())),
        ("metrics", settled.names()),
        ("rounds", most.zip(processes).map(|(most, processes)| (most / processes).to_string())),
    ];
    let values = flags.into_iter().filter_map(|(name, value)| Some((name, value?)));
    Ok(Stated { profile: None, values: values.collect(), set: args.set.clone() })
}

/// Fails if `--budget` or `--total` is not a duration. Called before any command runs.
fn check_times(args: &TryArgs) -> Result<()> {
    for (flag, time) in [("--budget", &args.time), ("--total", &args.total)] {
        if let Some(time) = time {
            units::duration_ns(time).map_err(|why| {
                problem!("{why}").place(format_args!("{flag} {time}")).remedy(format_args!("use {flag} 10s"))
            })?;
        }
    }
    Ok(())
}

fn clean_up(calls: &[Call], terminal: &Terminal<'_>) {
    let mut terminal = terminal.to_the_end();
    for call in calls {
        if let Err(Wrong::Failed(why)) = runs::once(call, "--cleanup", &mut terminal) {
            output::note(&format!("warning: {why}"));
        }
    }
}

/// Applies an output style to the global options.
fn styled(global: &Global, style: OutputStyle) -> Global {
    let mut global = global.clone();
    match style {
        OutputStyle::Auto => {}
        OutputStyle::Full => global.color = When::Always,
        OutputStyle::Nocolor => global.color = When::Never,
        OutputStyle::Color => (global.color, global.no_progress) = (When::Always, true),
        OutputStyle::Basic => (global.color, global.no_progress) = (When::Never, true),
        OutputStyle::None => global.quiet = 2,
    }
    global
}

//! The steps of a measurement of commands: first runs, then an ordinary run with `derny` as the harness.

use crate::args::Global;
use crate::commands::whole::first::Terminal;
use crate::news::Listener;
use crate::session;
use derny_command::calls::{Calls, SURROUNDINGS, Surroundings};
use derny_command::first::{self as runs, Watcher, Wrong};
use derny_command::harness;
use derny_command::plan::Plan;
use derny_command::request::Judged;
use derny_command::settle::{Settled, settle};
use derny_engine::launch::{environment, orphans};
use derny_model::Problem;
use derny_workbench::config::options::Selection;
use derny_workbench::error::Doing;
use derny_workbench::pipeline::{self, Concluded, News, Occasion, Ready, RunOptions};
use derny_workbench::project::queue;
use derny_workbench::project::session::Bench;
use derny_workbench::{Outcome, Result};
use std::path::Path;
use std::time::Duration;

/// Name of the suite of commands.
pub const SUITE: &str = "command";

/// How a measurement of commands ended.
pub enum Measured {
    /// The commands were measured.
    Concluded(Box<Concluded>),
    /// A command failed or printed no figures before anything was measured.
    Failed(Problem),
    /// The run ended before anything was measured.
    Early(Outcome),
}

/// Returns the data from which the harness runs the commands.
pub fn calls(plan: &Plan, settled: &Settled, judged: &Judged, timeout_ns: Option<u64>) -> Calls {
    Calls {
        entries: plan.entries.clone(),
        empty: plan.empty.clone(),
        timeout_ns,
        sources: judged.sources.iter().map(|source| source.text.clone()).collect(),
        metrics: settled.metrics.clone(),
    }
}

/// A run of commands.
pub struct Run<'a> {
    /// Data from which the harness runs the commands.
    pub calls: &'a Calls,
    /// Folder in which the harness finds this data.
    pub folder: &'a Path,
    /// The options of the run.
    pub options: &'a RunOptions,
    /// The circumstances of the run, such as an interrupted run to resume.
    pub occasion: &'a Occasion<'a>,
}

impl Run<'_> {
    /// Measures the commands in an ordinary run, in which `derny` itself is the harness that executes them.
    /// Without `no_queue`, waits until no other measurement is in progress.
    pub fn concluded(
        &self,
        (global, no_queue): (&Global, bool),
        bench: Bench<'_>,
        listener: &mut Listener<'_>,
    ) -> Result<Measured> {
        self.calls.write(self.folder).doing(|| "cannot write the list of commands for the harness".into())?;
        let tell = &mut |news: News<'_>| listener.hear(news);
        Ok(match pipeline::plan(bench, self.options, self.occasion, tell)? {
            Ready::Planned(planned) => {
                let _turn = session::turn(global, bench, no_queue)?;
                Measured::Concluded(Box::new(pipeline::run(bench, self.options, *planned, tell)?))
            }
            Ready::Early(outcome) => Measured::Early(outcome),
        })
    }
}

/// Returns a selection that makes `derny` the harness. It executes the commands that are listed in `folder`.
pub fn selection(folder: &Path) -> Result<Selection> {
    let program = std::env::current_exe()?.display().to_string();
    let command = vec![program, harness::ARGUMENT.to_owned(), folder.display().to_string()];
    Ok(Selection { command, suite: Some(SUITE.to_owned()), ..Selection::default() })
}

/// Sets which environment variables commands do not inherit, and which variable marks processes that may
/// outlive them.
pub fn surroundings() {
    let kept = (orphans::MARK, orphans::KEPT);
    // A command that runs `derny` must not wait until this measurement ends.
    let always = (queue::VARIABLE, "1");
    let _ = SURROUNDINGS.set(Surroundings { withheld: environment::withheld(), kept, always });
}

/// How to make the first runs.
pub struct First<'a> {
    /// Number of first runs that the user requests for each command.
    pub runs: u32,
    /// Time limit of a run.
    pub timeout: Option<Duration>,
    /// The figures to read.
    pub judged: &'a Judged,
}

/// Runs set-ups, then the first runs of every command.
pub fn prepared(plan: &mut Plan, how: &First<'_>, terminal: &mut Terminal<'_>) -> Result<Settled, Wrong> {
    // Adopt the processes that these commands leave behind, and end them, because they would disturb the
    // measurements.
    orphans::adopt();
    for call in &plan.setups {
        runs::once(call, "--setup", terminal)?;
    }
    for entry in &mut plan.entries {
        runs::first(entry, how.runs, (how.timeout, &how.judged.sources), terminal)?;
    }
    let settled = settle(how.judged, &plan.entries).map_err(Wrong::Failed)?;
    settled.doubts.iter().for_each(|doubt| terminal.notes(&doubt.to_string()));
    // Pin either all commands to one processor or none, because they are compared.
    let is_single = plan.entries.iter().all(|entry| entry.seen.is_single);
    plan.entries.iter_mut().for_each(|entry| entry.seen.is_single = is_single);
    terminal.tell_start(plan, is_single, how.judged.sources.is_empty());
    Ok(settled)
}

//! `derny runs`: lists, deletes, annotates and prunes stored runs.

use crate::args::{Format, Global, ListRunsArgs, RunsArgs, RunsVerb};
use crate::output::{self, Destination};
use crate::session;
use derny_engine::measure::now_ms;
use derny_model::problem;
use derny_report::{self as report, runs::RunRow};
use derny_store::{PrunePolicy, RunSummary};
use derny_workbench::config::units;
use derny_workbench::results::diagnoses;
use derny_workbench::variants::kept_programs;
use derny_workbench::{Outcome, Result};

pub fn runs(global: &Global, args: &RunsArgs) -> Result<Outcome> {
    match &args.verb {
        None => list(global, &args.list),
        Some(RunsVerb::List(args)) => list(global, args),
        Some(verb) => change(global, verb),
    }
}

fn change(global: &Global, verb: &RunsVerb) -> Result<Outcome> {
    let session = session::open(global)?;
    let store = session.existing_store()?;
    let say = |text: String| {
        if global.quiet == 0 {
            output::note(&text);
        }
    };
    match verb {
        RunsVerb::Delete { runs, force } => {
            // Names such as `last` change meaning with each deletion, so all are resolved first.
            let ids = runs.iter().map(|run| store.resolve(run)).collect::<Result<Vec<_>, _>>()?;
            for id in ids {
                store.delete(&id, *force)?;
                diagnoses::remove(&session, &id)?;
                diagnoses::remove_page(&session)?;
                say(format!("deleted run {id}"));
            }
            kept_programs::sweep(&session, &store)?.iter().for_each(|notice| output::notice(global, notice));
        }
        RunsVerb::Note { run, text } => {
            let id = store.annotate(run, Some(text.as_str()))?;
            say(format!("run {id}: {}", if text.is_empty() { "no note" } else { text }));
        }
        RunsVerb::Prune { above, keep } => {
            let max_bytes = units::bytes(above).map_err(|why| problem!("{why}").place("--above"))?;
            let done = store.prune(&PrunePolicy { max_bytes, keep_newest: *keep })?;
            done.runs.iter().try_for_each(|run| diagnoses::remove(&session, run))?;
            let size = |bytes: u64| report::numbers::bytes(bytes as f64, &output::error_style(global));
            let pruned = report::numbers::counted(done.runs.len(), "run", "runs");
            say(format!(
                "pruned {pruned}: {} before, {} now",
                size(done.bytes_before),
                size(done.bytes_after)
            ));
        }
        RunsVerb::List(_) | RunsVerb::Copy(_) | RunsVerb::Baseline(_) => {}
    }
    Ok(Outcome::Done)
}

fn list(global: &Global, args: &ListRunsArgs) -> Result<Outcome> {
    let store = session::open(global)?.existing_store()?;
    let rows: Vec<RunRow> = store.runs(args.limit)?.into_iter().map(row).collect();
    print(global, &rows, args.format)?;
    Ok(Outcome::Done)
}

pub fn row(summary: RunSummary) -> RunRow {
    RunRow { header: summary.header, cases: summary.cases as usize, baselines: summary.baselines }
}

/// Prints runs as a table or as JSON.
pub fn print(global: &Global, rows: &[RunRow], format: Format) -> Result<()> {
    let style = output::style(global, &std::io::stdout(), false);
    let text = match format {
        Format::Json => report::runs::json(rows),
        _ => report::runs::table(rows, now_ms(), &style),
    };
    Ok(Destination::stdout().write_as(format.into(), &text)?)
}

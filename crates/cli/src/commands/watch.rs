//! `derny run --watch`: repeats the run of the same sides until all of them are decided.

use crate::args::{Format, Global, RunArgs};
use crate::judge;
use crate::news::Listener;
use crate::output::Destination;
use derny_model::problem;
use derny_report as report;
use derny_workbench::pipeline::{self, RunOptions, Watched};
use derny_workbench::project::session::Bench;
use derny_workbench::{Outcome, Result};

/// Repeats the run, and prints the comparison of all runs together.
pub fn watch(
    global: &Global,
    args: &RunArgs,
    bench: Bench<'_>,
    options: &RunOptions,
    out: &mut Destination,
) -> Result<Outcome> {
    if matches!(args.how.format, Format::Csv | Format::Ndjson) {
        return Err(problem!("--watch does not support this format")
            .remedy("-f json, or `derny show -f csv` for each of its runs")
            .into());
    }
    let mut listener = Listener::new(global, None);
    match pipeline::watch(bench, options, &mut |news| listener.hear(news))? {
        Watched::Early(outcome) => Ok(outcome),
        Watched::Compared { document, outcome } => {
            match (args.how.format, &document.comparison) {
                (Format::Json, _) | (_, None) => {
                    out.write_json_by(|to| report::json::write(&document, to))?
                }
                (format, Some(comparison)) => judge::print(global, comparison, format, &args.how.judge, out)?,
            }
            document.comparison.iter().for_each(|told| judge::say(global, told, &options.fail_on));
            Ok(outcome)
        }
    }
}

//! `derny show`: a stored run, as a table or case by case.

use crate::args::{Format, Global, ShowArgs};
use crate::judge;
use crate::output::{self, Destination};
use crate::session;
use derny_model::problem;
use derny_report as report;
use derny_workbench::results::stored;
use derny_workbench::{Outcome, Result};

/// Runs the verb.
pub fn show(global: &Global, args: &ShowArgs) -> Result<Outcome> {
    if args.case && args.format != Format::Table {
        return Err(problem!("--case is only available as a table")
            .remedy("-f json without --case: it contains everything")
            .into());
    }
    if args.stats && !matches!(args.format, Format::Table | Format::Json) {
        return Err(problem!("--stats is a text, or part of the JSON document")
            .remedy("-f json, or no -f")
            .into());
    }
    let regress = judge::regressions(&args.regress)?;
    let session = session::open(global)?;
    let mut out = Destination::open(args.output.as_deref())?;
    let (source, store) = stored::source(&session, &(&args.stored).into(), &mut output::told(global))?;
    let mut document = stored::concluded(&source, store.as_ref())?;
    if args.stats {
        let spent = source.records().and_then(|records| derny_analysis::accounting(records, None));
        document.stats = spent.map(Box::new).or(document.stats);
        if document.stats.is_none() {
            return Err(problem!("run {} did not record how it spent its time", document.run.id)
                .why("another tool measured it, or the file contains only conclusions")
                .remedy("a run of the store")
                .into());
        }
    }
    let style = output::style(global, &std::io::stdout(), out.is_file());
    let error_style = output::error_style(global);
    let text = match args.format {
        Format::Table if args.case => {
            let cases =
                (0..document.cases().count()).filter_map(|i| report::detail::case(&document, i, &style));
            cases.collect::<Vec<_>>().join("\n")
        }
        Format::Table if args.stats => {
            document.stats.as_ref().map_or(String::new(), |spent| report::stats::stats(spent, &style))
        }
        Format::Table => match args.view {
            Some(view) => judge::view(&document, source.records(), view, &regress, &style)?,
            None => report::terminal::summary(&document, &style),
        },
        Format::Json => {
            out.write_json_by(|to| report::json::write(&document, to))?;
            return Ok(Outcome::Done);
        }
        Format::Csv => report::csv::document(&document),
        _ => report::markdown::document(&document, global.verbose > 0, &style),
    };
    out.write_as(args.format.into(), &text)?;
    if args.format == Format::Table && !args.case && !args.stats && global.quiet < 2 {
        let warnings = report::failure::all(&document, &error_style)
            + &report::warning::of_run(&document, global.verbose > 0, &error_style);
        if !warnings.is_empty() {
            output::painted(warnings.trim_end());
        }
    }
    Ok(Outcome::Done)
}

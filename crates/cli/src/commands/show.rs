//! `derny show`: a stored run, as a table or case by case.

use crate::args::{Format, Global, JudgeArgs, ShowArgs};
use crate::commands::whole;
use crate::output::{self, Destination};
use crate::results;
use crate::session;
use derny_analysis::criterion::Regress;
use derny_model::{Document, problem};
use derny_report as report;
use derny_workbench::config::gate::StatedTerms;
use derny_workbench::results::compare::{self, Sides};
use derny_workbench::results::source::Source;
use derny_workbench::results::stored;
use derny_workbench::{Outcome, Result};

pub fn show(global: &Global, args: &ShowArgs) -> Result<Outcome> {
    if args.case && args.format != Format::Table {
        return Err(problem!("--case is only available as a table")
            .remedy("use -f json without --case: it contains everything")
            .into());
    }
    if args.stats && !matches!(args.format, Format::Table | Format::Json) {
        return Err(problem!("--stats is only available as a table or as JSON")
            .remedy("use -f json, or omit -f")
            .into());
    }
    let regress = results::regressions(&args.regress)?;
    let session = session::open(global)?;
    let mut out = Destination::open(global, args.output.as_deref())?;
    let (source, store) = stored::source(&session, &(&args.stored).into(), &mut output::told(global))?;
    let terms = |sides: &Sides| sides.terms(&session, StatedTerms::default());
    let (source, mut document) = compare::compared(source, store.as_ref(), terms)?;
    if matches!(args.format, Format::Comment | Format::Junit | Format::Github)
        && document.comparison.is_none()
    {
        return Err(problem!(
            "run {} has no comparison, and this format shows only \
            comparisons",
            document.run.id
        )
        .remedy("use -f markdown, or compare with another run: `derny compare BASE RUN`")
        .into());
    }
    if args.stats {
        let spent = source.records().and_then(|records| derny_analysis::accounting(records, None));
        document.stats = spent.map(Box::new).or(document.stats);
        if document.stats.is_none() {
            return Err(problem!("run {} did not record how it spent its time", document.run.id)
                .why("another tool measured it, or the file contains only results")
                .remedy("choose a run of the store")
                .into());
        }
    }
    print(global, args, (source, &document), &regress, &mut out)?;
    Ok(Outcome::Done)
}

/// Prints a run in the requested format, then failures and warnings.
fn print(
    global: &Global,
    args: &ShowArgs,
    (source, document): (Source, &Document),
    regress: &[Regress],
    out: &mut Destination,
) -> Result<()> {
    let style = output::style(global, &std::io::stdout(), out.is_file());
    if args.case {
        let cases = (0..document.cases().count()).filter_map(|i| report::detail::case(document, i, &style));
        return Ok(out.write(&cases.collect::<Vec<_>>().join("\n"))?);
    }
    if let Some(spent) = document.stats.as_ref().filter(|_| args.stats && args.format == Format::Table) {
        return Ok(out.write(&report::stats::stats(spent, &style))?);
    }
    match args.view.filter(|_| args.format == Format::Table) {
        Some(view) => out.write(&results::view(document, source.records(), view, regress, &style)?)?,
        None => {
            let judge = &JudgeArgs::default();
            results::write(global, (args.format, judge), (source.records(), document), out)?;
            let mut suites = document.cases().map(|case| &case.case.id.suite);
            if args.format == Format::Table && suites.all(|suite| suite == whole::SUITE) {
                results::commands(global, source, document, out)?;
            }
        }
    }
    if args.format == Format::Table && global.quiet < 2 {
        let error_style = output::error_style(global);
        // The table of a comparison is followed by its warnings.
        let warnings = match document.comparison {
            Some(_) => String::new(),
            None => report::warning::of_run(document, global.verbose > 0, &error_style),
        };
        let warnings = report::failure::all(document, &error_style) + &warnings;
        if !warnings.is_empty() {
            output::painted(warnings.trim_end());
        }
    }
    Ok(())
}

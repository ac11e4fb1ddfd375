//! Prints results of a run in all formats of `derny run`.

use crate::args::{Format, Global, JudgeArgs};
use crate::output::{self, Destination, Form};
use derny_model::{Document, Records};
use derny_report as report;
use derny_workbench::Result;
use derny_workbench::config::gate::{FailOn, Terms};
use derny_workbench::pipeline::Concluded;
use derny_workbench::results::compare::Sides;
use derny_workbench::results::source::Source;

/// Writes results to the destination. Prints warnings, hints and the reasons for a failing exit code to
/// standard error.
pub fn print(
    global: &Global,
    (format, judge): (Format, &JudgeArgs),
    fail_on: &[FailOn],
    concluded: &Concluded,
    out: &mut Destination,
) -> Result<()> {
    write(global, (format, judge), (Some(&concluded.records), &concluded.document), out)?;
    say(global, format, fail_on, concluded);
    Ok(())
}

/// Writes the results to the destination.
pub fn write(
    global: &Global,
    (format, judge): (Format, &JudgeArgs),
    (records, document): (Option<&Records>, &Document),
    out: &mut Destination,
) -> Result<()> {
    let style = output::style(global, &std::io::stdout(), out.is_file());
    let several = document.run.variants.len() > 1;
    if format == Format::Json {
        out.write_json_by(|to| report::json::write(document, to))?;
    } else if let Some(comparison) = document.comparison.as_ref().filter(|_| format != Format::Csv) {
        // A run's CSV has one row per variant, even if there is a comparison. If a single variant is compared
        // with a baseline, print its own figures too. The comparison shows several variants side by side.
        if !several && format == Format::Table {
            out.write(&format!("{}\n", report::terminal::summary(document, &style)))?;
        }
        crate::judge::print(global, comparison, format, judge, out)?;
    } else {
        match format {
            Format::Csv => out.write_as(Form::Data, &report::csv::document(document))?,
            Format::Markdown | Format::Comment => {
                let text = report::markdown::document(document, global.verbose > 0, &style);
                out.write_as(Form::Data, &text)?
            }
            Format::Table => out.write(&match judge.view {
                Some(view) => crate::judge::view(document, records, view, &[], &style)?,
                None => report::terminal::summary(document, &style),
            })?,
            Format::Plain | Format::Json | Format::Ndjson | Format::Junit | Format::Github => {}
        }
    }
    Ok(())
}

/// Writes the figures of whole commands that hyperfine shows, and then the fastest command and its lead.
pub fn commands(global: &Global, source: Source, document: &Document, out: &mut Destination) -> Result<()> {
    let style = output::style(global, &std::io::stdout(), out.is_file());
    out.write(&report::commands::commands(document, &style))?;
    let fastest = report::fastest::of(document);
    let Source::Records(records) = source else { return Ok(()) };
    if fastest.is_empty() {
        return Ok(());
    }
    let terms = Terms { metrics: Vec::new(), ..Terms::of_run(&records.header.settings) };
    let mut sides = Sides::variants(Source::Records(records))?;
    for (case, side) in &fastest {
        sides = sides.led_by(side);
        let comparison = sides.compare(&terms, false);
        out.write(&report::fastest::lines(&comparison, case, &style))?;
    }
    Ok(())
}

/// Prints warnings, hints and the reasons for a failing exit code to standard error.
pub fn say(global: &Global, format: Format, fail_on: &[FailOn], concluded: &Concluded) {
    warnings(global, format, concluded);
    if let Some(comparison) = &concluded.document.comparison {
        crate::judge::say(global, comparison, fail_on);
    }
    if let Some(spent) = concluded.document.stats.as_ref().filter(|_| format != Format::Json) {
        output::painted(report::stats::stats(spent, &output::error_style(global)).trim_end());
    }
}

/// Prints warnings and hints to standard error.
fn warnings(global: &Global, format: Format, concluded: &Concluded) {
    if global.quiet >= 2 {
        return;
    }
    let (document, error_style) = (&concluded.document, output::error_style(global));
    concluded.notices.iter().for_each(|notice| output::notice(global, notice));
    // The table of a comparison has already listed the warnings of the comparison and its runs.
    if document.comparison.is_none() || format != Format::Table {
        let warnings = report::warning::of_run(document, global.verbose > 0, &error_style);
        if !warnings.is_empty() {
            output::painted(warnings.trim_end());
        }
    }
    if global.quiet == 0 {
        output::painted(report::footer::footer(document, &error_style).trim_end());
    }
}

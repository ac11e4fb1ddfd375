//! Prints results of a run, and comparisons: their terms, formats and exit codes.

use crate::args::{Format, Global, JudgeArgs, VerdictArgs, View};
use crate::options;
use crate::output::{self, Destination, Form};
use derny_analysis::classic;
use derny_analysis::criterion::{Regress, criterion};
use derny_model::{CaseOutcome, Comparison, Document, Records, problem};
use derny_report::{self as report, Style};
use derny_workbench::config::gate::{self, FailOn, Terms};
use derny_workbench::pipeline::Concluded;
use derny_workbench::project::session::Session;
use derny_workbench::results::compare::{Sides, Words};
use derny_workbench::results::outcome;
use derny_workbench::results::source::Source;
use derny_workbench::{Happened, Outcome, Result};

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
        // CSV has one row per variant, even if there is a comparison. If a run of one variant is compared
        // with a baseline, print the run's own figures too. Several variants are already side by side in the
        // comparison.
        if !several && format == Format::Table {
            out.write(&format!("{}\n", report::terminal::summary(document, &style)))?;
        }
        self::comparison(global, comparison, format, judge, out)?;
    } else {
        match format {
            Format::Csv => out.write_as(Form::Data, &report::csv::document(document))?,
            Format::Markdown | Format::Comment => {
                let text = report::markdown::document(document, global.verbose > 0, &style);
                out.write_as(Form::Data, &text)?
            }
            Format::Table => out.write(&match judge.view {
                Some(form) => view(document, records, form, &[], &style)?,
                None => report::terminal::summary(document, &style),
            })?,
            Format::Plain | Format::Json | Format::Ndjson | Format::Junit | Format::Github => {}
        }
    }
    Ok(())
}

/// Writes the figures that hyperfine shows for whole commands, and then which command is fastest, and by how
/// much.
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

/// Prints warnings, hints, the reasons for a failing exit code and, if recorded, how the run spent its time
/// to standard error.
pub fn say(global: &Global, format: Format, fail_on: &[FailOn], concluded: &Concluded) {
    warnings(global, format, concluded);
    if let Some(comparison) = &concluded.document.comparison {
        failing(global, comparison, fail_on);
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

/// Compares the given results, prints the comparison, and returns the outcome that determines the exit code.
/// The terms of a stored run apply unless the command line overrides them. `by_gate` only determines which
/// verdicts fail.
pub fn conclude(
    global: &Global,
    session: &Session,
    args: &VerdictArgs,
    by_gate: bool,
    words: &Words<'_>,
) -> Result<Outcome> {
    let mut out = Destination::open(global, args.output.as_deref())?;
    let sides = Sides::of(session, words, &mut output::told(global))?;
    let terms = sides.terms(session, args.terms())?;
    let fail_on = match options::fail_on(&args.judge.fail_on) {
        stated if stated.is_empty() && by_gate => gate::fail_on(&session.project, sides.judged())?,
        stated => stated,
    };
    let told = sides.told().filter(|told| is_asked_for(told, args, &terms));
    if told.is_none() && sides.are_only_told() {
        return Err(problem!(
            "the file contains only one variant of its comparison, so it cannot be compared with other terms"
        )
        .remedy(
            "omit --margin, --mean-margin, --confidence and --metric, or run this where the runs are stored",
        )
        .into());
    }
    let comparison = told.cloned().unwrap_or_else(|| sides.compare(&terms, false));
    match args.format {
        Format::Json => {
            let document = sides.into_document(comparison.clone());
            out.write_json_by(|to| report::json::write(&document, to))?;
        }
        format => self::comparison(global, &comparison, format, &args.judge, &mut out)?,
    }
    failing(global, &comparison, &fail_on);
    Ok(Happened::of_comparison(&comparison).outcome(&fail_on))
}

/// Returns true if the comparison in a document used these terms, or if the command line sets none.
fn is_asked_for(told: &Comparison, args: &VerdictArgs, terms: &Terms) -> bool {
    let judge = &args.judge;
    let is_same = (judge.margin.is_none() || told.margin == terms.margin)
        && (judge.mean_margin.is_none() || terms.mean_margin == Some(told.mean_margin))
        && (args.confidence.is_none() || terms.confidence == Some(told.confidence));
    is_same && args.metrics.is_empty()
}

/// Prints a comparison in a format other than JSON. Warnings follow a table on standard error, unless `-qq`.
pub fn comparison(
    global: &Global,
    comparison: &Comparison,
    format: Format,
    args: &JudgeArgs,
    out: &mut Destination,
) -> Result<()> {
    let style = output::style(global, &std::io::stdout(), out.is_file());
    let text = match format {
        Format::Table => match args.view {
            None => {
                let parts = report::comparison::Parts { header: !args.no_header, all: global.verbose > 0 };
                let table = report::comparison::table(comparison, &style, parts);
                let details = || report::comparison::details(comparison, &style);
                if global.verbose > 0 { table + &details() } else { table }
            }
            Some(View::Node) => {
                let cases = classic::comparison(comparison, classic::Values::AsRun);
                report::views::node::node(comparison, &cases, &style)
            }
            Some(View::Ministat) => {
                let cases = classic::comparison(comparison, classic::Values::Typical);
                report::views::ministat::comparison(comparison, &cases, &style)
            }
            Some(View::Plain) => {
                return Err(problem!("--view plain cannot show a comparison, only a single run")
                    .remedy("use `derny show --view plain`")
                    .into());
            }
            Some(View::Criterion) => {
                return Err(problem!("--view criterion cannot show a comparison, only a single run")
                    .remedy("use `derny show --view criterion`")
                    .into());
            }
        },
        Format::Csv => report::comparison::csv::comparison(comparison),
        Format::Markdown => report::comparison::markdown::comparison(comparison, global.verbose > 0, &style),
        Format::Comment => report::comparison::markdown::comment(comparison, &style),
        Format::Junit => report::comparison::junit::comparison(comparison),
        Format::Github => report::comparison::annotations::comparison(comparison),
        Format::Plain | Format::Ndjson | Format::Json => String::new(),
    };
    out.write_as(format.into(), &text)?;
    if global.quiet < 2 && format == Format::Table {
        let error_style = output::error_style(global);
        let warnings = report::warning::of_comparison(comparison, global.verbose > 0, &error_style);
        if !warnings.is_empty() {
            output::painted(warnings.trim_end());
        }
    }
    Ok(())
}

/// Parses the values of `--regress`.
pub fn regressions(texts: &[String]) -> Result<Vec<Regress>> {
    let read = |text: &String| Ok(Regress::parse(text).map_err(|why| problem!("--regress: {why}"))?);
    texts.iter().map(read).collect()
}

/// Returns one run in the style of another tool, for `--view`. Fails if the view shows only comparisons, or
/// if it needs records and there are none.
pub fn view(
    document: &Document,
    records: Option<&Records>,
    view: View,
    regress: &[Regress],
    style: &Style,
) -> Result<String> {
    Ok(match view {
        View::Criterion => match records {
            Some(records) => report::views::criterion::criterion(&criterion(records, regress), style),
            None => {
                return Err(problem!("this view needs measurements, and a document contains only results")
                    .remedy("use a stored run or an event stream")
                    .into());
            }
        },
        View::Plain => report::views::plain::plain(document),
        View::Ministat => report::views::ministat::document(document, &classic::document(document), style),
        View::Node => {
            return Err(problem!("--view node cannot show a single run, only a comparison")
                .remedy("use `derny compare --view node`")
                .into());
        }
    })
}

/// Prints one line to standard error for each case whose verdict is in `fail_on`.
pub fn failing(global: &Global, comparison: &Comparison, fail_on: &[FailOn]) {
    if global.quiet >= 2 {
        return;
    }
    // Omit failed cases, because their failures are printed separately.
    let counts = |case: CaseOutcome| case != CaseOutcome::Failed && outcome::fails(case, fail_on);
    let lines = report::comparison::failing(comparison, counts, &output::error_style(global));
    lines.iter().for_each(|line| output::painted(line));
}

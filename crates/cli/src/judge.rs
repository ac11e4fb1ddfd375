//! A comparison on its way out: what it is judged by, its form, its exit code.

use crate::args::{CompareFormat, FailOn, Global, JudgeArgs, VerdictArgs, View};
use crate::exit::Exit;
use crate::output::{self, Destination};
use crate::session::Session;
use crate::sides::{Sides, Words};
use crate::units;
use anyhow::{Result, anyhow, bail};
use derny_analysis::criterion::{Regress, criterion};
use derny_analysis::{Gate, classic};
use derny_model::{Comparison, Document, Quantity, Records};
use derny_report::{self as report, Style};

/// What a comparison is judged by.
pub struct Terms {
    /// δ as a share.
    pub margin: f64,
    /// Confidence, where somebody asked for one.
    pub confidence: Option<f64>,
    /// Verdicts that fail.
    pub fail_on: Vec<FailOn>,
}

/// Flags before `[gate]` before defaults.
pub fn terms(session: &Session<'_>, args: &JudgeArgs, confidence: Option<&str>) -> Result<Terms> {
    let gate = session.project.content.gate.as_ref();
    let margin = match (&args.margin, gate.and_then(|gate| gate.margin.as_ref())) {
        (Some(text), _) => units::share(text).map_err(|why| anyhow!("--margin: {why}"))?,
        (None, Some(text)) => units::share(text).map_err(|why| anyhow!("`margin` of [gate]: {why}"))?,
        (None, None) => 0.01,
    };
    if !(margin > 0.0 && margin < 1.0) {
        return Err(anyhow!("a margin lies between 0 and 100 %\n  try    --margin 1%"));
    }
    let confidence = match confidence {
        Some(text) => Some(units::confidence(text).map_err(|why| anyhow!("--confidence: {why}"))?),
        None => gate.and_then(|gate| gate.confidence),
    };
    Ok(Terms { margin, confidence, fail_on: args.fail_on.clone() })
}

/// Compares what stands at hand, prints it, and says what that means for an exit code.
pub fn conclude(session: &Session<'_>, args: &VerdictArgs, terms: &Terms, words: &Words<'_>) -> Result<Exit> {
    let mut out = Destination::open(args.output.as_deref())?;
    let Some(sides) = Sides::of(session, words)? else { return Ok(Exit::Nothing) };
    let confidence = terms.confidence.unwrap_or_else(|| sides.confidence());
    let comparison = sides.compare(terms.margin, confidence, &args.metrics, false);
    print(session.global, &comparison, args.format, &args.judge, &mut out)?;
    if comparison.cases.is_empty() && comparison.failures.is_empty() {
        return Ok(Exit::Nothing);
    }
    Ok(exit(session.global, &comparison, &args.metrics, &terms.fail_on))
}

/// Prints a comparison in a form, and its doubts to standard error.
pub fn print(
    global: &Global,
    comparison: &Comparison,
    format: CompareFormat,
    args: &JudgeArgs,
    out: &mut Destination,
) -> Result<()> {
    let style = output::style(global, &std::io::stdout(), out.is_file());
    out.write(&match format {
        CompareFormat::Table => match args.view {
            None => report::comparison::table(comparison, &style, !args.no_header),
            Some(View::Node) => {
                report::views::node::node(comparison, &classic::comparison(comparison), &style)
            }
            Some(View::Ministat) => {
                report::views::ministat::comparison(comparison, &classic::comparison(comparison), &style)
            }
            Some(View::Plain) => bail!("--view plain shows one run\n  try    `derny show --view plain`"),
            Some(View::Criterion) => {
                bail!("--view criterion shows one run\n  try    `derny show --view criterion`")
            }
        },
        CompareFormat::Json => report::comparison::json(comparison),
        CompareFormat::Csv => report::comparison::csv::comparison(comparison),
        CompareFormat::Markdown => report::comparison::markdown::comparison(comparison, &style),
        CompareFormat::Junit => report::comparison::junit::comparison(comparison),
        CompareFormat::Github => report::comparison::annotations::comparison(comparison),
    })?;
    if global.quiet < 2 && format == CompareFormat::Table {
        let error_style = output::style(global, &std::io::stderr(), false);
        let warnings = report::warning::each(&comparison.warnings, &error_style);
        if !warnings.is_empty() {
            output::note(warnings.trim_end());
        }
    }
    Ok(())
}

/// What `--regress` asks for.
pub fn regressions(texts: &[String]) -> Result<Vec<Regress>> {
    texts.iter().map(|text| Regress::parse(text).map_err(|why| anyhow!("--regress: {why}"))).collect()
}

/// One run in the form of another tool; some need more of it than its conclusions.
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
            None => bail!("a document holds no measurements\n  try    a stored run, or an event stream"),
        },
        View::Plain => report::views::plain::plain(document),
        View::Ministat => report::views::ministat::document(document, &classic::document(document), style),
        View::Node => bail!("--view node shows a comparison\n  try    `derny compare --view node`"),
    })
}

/// The exit code of a comparison, with a line on standard error for everything that fails it. What failed to be measured
/// goes before any verdict: a gate cannot pass what it did not see.
pub fn exit(global: &Global, comparison: &Comparison, metrics: &[String], fail_on: &[FailOn]) -> Exit {
    if fail_on.is_empty() {
        return Exit::Done;
    }
    let gate = derny_analysis::gate(comparison, metrics);
    if global.quiet < 2 {
        for line in lines(comparison, &gate, fail_on, global) {
            output::note(&line);
        }
    }
    if !comparison.failures.is_empty() {
        Exit::Failed
    } else if fail_on.contains(&FailOn::Worse) && !gate.worse.is_empty() {
        Exit::Worse
    } else if fail_on.contains(&FailOn::Unclear) && !gate.undecided.is_empty() {
        Exit::Undecided
    } else {
        Exit::Done
    }
}

/// `worse: suite/case   typical time +4.9 %  (+4.1 … +5.6)   slower than main by more than 1 %`.
fn lines(comparison: &Comparison, gate: &Gate, fail_on: &[FailOn], global: &Global) -> Vec<String> {
    let style = output::style(global, &std::io::stderr(), false);
    let line = |word: &str, at: &(usize, usize, usize), rest: &str| {
        let case = &comparison.cases[at.0];
        let side = &case.sides[at.1];
        let change = &side.changes[at.2];
        let what = match &change.quantity {
            Quantity::Typical => "time",
            Quantity::Mean => "mean time",
            Quantity::Metric(name) => name,
        };
        let figure = change.change.map_or(String::new(), |estimate| {
            let share = |value: f64| report::numbers::change(value, &style);
            match estimate.interval {
                Some(i) => format!(
                    "  {} ({} {} {})",
                    share(estimate.value),
                    share(i.lo),
                    if style.ascii { ".." } else { "…" },
                    share(i.hi)
                ),
                None => format!("  {}", share(estimate.value)),
            }
        });
        let new = &comparison.sides[side.side as usize].name;
        format!("{word}: {}  {what}{figure}  {new} {rest}", case.case.id)
    };
    let (base, margin) = (&comparison.sides[0].name, report::numbers::percent(comparison.margin, &style));
    let mut all = Vec::new();
    if fail_on.contains(&FailOn::Worse) {
        let rest = format!("is worse than {base} by more than {margin}");
        all.extend(gate.worse.iter().map(|at| line("worse", at, &rest)));
    }
    if fail_on.contains(&FailOn::Unclear) {
        let rest = format!("may be worse than {base} by more than {margin}, or not");
        all.extend(gate.undecided.iter().map(|at| line("undecided", at, &rest)));
    }
    all
}

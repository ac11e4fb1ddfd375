//! Formats the results of a run for a terminal: the context, then a tree of cases with their figures.

use crate::columns::{self, Column};
use crate::style::{Paint, visible};
use crate::table::{self, Line};
use crate::{Style, numbers, ranking, subject, tree};
use derny_model::{Case, CaseResult, CaseState, Document, StopReason, VariantResult};
use std::borrow::Cow;

/// Returns the standard output of `derny run`: the header line, the table and the rankings.
pub fn summary(document: &Document, style: &Style) -> String {
    let mut text = header(document, style);
    text.push('\n');
    text.push_str(&table(document, style));
    text.push_str(&ranking::rankings(document, style));
    text
}

/// Returns one line with the runtime, system, processor, cases, processes and turns. Omits facts that do not
/// fit, those of the machine first.
pub fn header(document: &Document, style: &Style) -> String {
    let run = &document.run;
    let cases = document.cases().count();
    let system = [system_name(&run.machine.os), &short_version(&run.machine.kernel)].join(" ");
    let imported = run.imported.as_ref().map(|from| format!("imported from {}", from.file));
    let mut facts = vec![
        imported.unwrap_or_default(),
        runtimes(&run.runtimes),
        system.trim().to_owned(),
        run.machine.cpu.clone(),
        numbers::counted(cases, "case", "cases"),
        effort(document),
    ];
    for droppable in [3, 2] {
        let length = |facts: &[String]| crate::style::columns(&join(facts, style));
        if style.width.is_some_and(|width| length(&facts) > width) {
            facts[droppable].clear();
        }
    }
    style.paint(Paint::Dim, &join(&facts, style))
}

fn join(facts: &[String], style: &Style) -> String {
    let facts: Vec<String> =
        facts.iter().filter(|fact| !fact.is_empty()).map(|fact| style.prose(fact)).collect();
    facts.join(style.dot())
}

pub(crate) fn runtimes(runtimes: &[String]) -> String {
    let short = |text: &String| {
        text.split_once(' ').map_or(text.as_str(), |(_, runtime)| runtime).replacen('/', " ", 1)
    };
    runtimes.iter().map(short).collect::<Vec<_>>().join(", ")
}

fn system_name(os: &str) -> &str {
    match os {
        "linux" => "Linux",
        "macos" => "macOS",
        "windows" => "Windows",
        other => other,
    }
}

/// Keeps the first two parts of a version: `6.1.0-13-amd64` becomes `6.1`.
fn short_version(version: &str) -> String {
    version.split(['.', '-', '+']).take(2).collect::<Vec<_>>().join(".")
}

/// Formats the amount of work: `10 processes × 12 turns`, or a range if cases differ. For an attached
/// session: `10 visits in 1 process × 12 turns`.
fn effort(document: &Document) -> String {
    let measured: Vec<&VariantResult> =
        document.cases().flat_map(|case| &case.variants).filter(|v| v.processes > 0 && v.turns > 0).collect();
    if measured.is_empty() {
        return String::new();
    }
    let range = |of: fn(&VariantResult) -> u32| {
        let low = measured.iter().map(|v| of(v)).min().unwrap_or(0);
        let high = measured.iter().map(|v| of(v)).max().unwrap_or(0);
        (high, if low == high { format!("{low}") } else { format!("{low} to {high}") })
    };
    let (most, processes) = range(|v| v.processes);
    let (turns, each) = range(|v| (f64::from(v.turns) / f64::from(v.processes)).round() as u32);
    let processes = match document.run.settings.attached {
        true => format!("{processes} {}", if most == 1 { "visit" } else { "visits" }),
        false => processes,
    };
    format!(
        "{processes} {} × {each} {}",
        match (document.run.settings.attached, most) {
            (true, _) => "in 1 process",
            (false, 1) => "process",
            (false, _) => "processes",
        },
        if turns == 1 { "turn" } else { "turns" }
    )
}

/// Maximum number of cases that were not run and are listed. If there are more, they are only counted.
const MOST_NOT_RUN: usize = 20;

/// Returns the tree of cases with their figures. If a run was stopped before more than `MOST_NOT_RUN` of
/// its cases, gives their number instead of listing them.
pub fn table(document: &Document, style: &Style) -> String {
    let columns = columns::columns(document, style);
    let cases: Vec<&CaseResult> = document.cases().collect();
    let is_missing = |case: &CaseResult| case.state == CaseState::Missing;
    let missing = cases.iter().filter(|case| is_missing(case)).count();
    let folded = if missing > MOST_NOT_RUN { missing } else { 0 };
    let shown: Vec<usize> =
        (0..cases.len()).filter(|index| folded == 0 || !is_missing(cases[*index])).collect();
    let several = document.run.variants.len() > 1;
    let mut rows: Vec<(usize, Option<&VariantResult>)> = Vec::new();
    for index in shown.iter().copied() {
        let variants = &cases[index].variants;
        match several && !variants.is_empty() {
            true => rows.extend(variants.iter().map(|variant| (index, Some(variant)))),
            false => rows.push((index, variants.first())),
        }
    }
    let own = |(index, variant): &(usize, Option<&VariantResult>)| {
        let benchmark = variant.and_then(|variant| subject::of_variant(&document.run, &variant.variant));
        subject::case(&cases[*index].case, benchmark)
    };
    let subjects: Vec<Cow<'_, Case>> = rows.iter().map(own).collect();
    let mut paths = tree::paths(subjects.iter().map(AsRef::as_ref));
    for (path, (_, variant)) in paths.iter_mut().zip(&rows).filter(|_| several) {
        // A whole command is shown as a variant, under its own name.
        let name = variant.map(|variant| visible(&variant.variant).into_owned());
        path.extend(name.filter(|name| subject::of_variant(&document.run, name) != Some(name)));
    }
    let codes = codes(document, cases.len());
    let lines: Vec<Line> = tree::entries(&paths)
        .into_iter()
        .map(|entry| {
            let mut line = Line { branch: entry.branch, label: entry.label, ..Line::default() };
            if let Some(leaf) = entry.leaf {
                let (index, variant) = rows[leaf];
                fill(&mut line, cases[index], variant, &columns, &codes[index], style);
            }
            line
        })
        .collect();
    let heads: Vec<String> = columns.iter().map(|column| column.head.clone()).collect();
    let heads = if heads.is_empty() { vec![String::new()] } else { heads };
    let mut text = if shown.is_empty() { String::new() } else { table::render(&heads, &lines, style) };
    if folded > 0 {
        text.push_str(&format!("{} not run\n", numbers::counted(folded, "case", "cases")));
    }
    text
}

fn fill(
    line: &mut Line,
    case: &CaseResult,
    variant: Option<&VariantResult>,
    columns: &[Column],
    codes: &[String],
    style: &Style,
) {
    line.cells = columns
        .iter()
        .map(|column| variant.and_then(|variant| (column.cell)(case, variant)).unwrap_or_default())
        .collect();
    line.cells.resize(line.cells.len().max(1), String::new());
    let (word, paint) = state(case, variant);
    if !codes.is_empty() {
        line.flag = format!("! {}", codes.join(" "));
        line.flag_paint = Some(Paint::Warning);
    }
    match word {
        Some(word) if line.cells[0].is_empty() => line.cells[0] = style.prose(word),
        Some(word) => {
            line.flag = [word, line.flag.as_str()].join(" ").trim_end().to_owned();
            line.flag_paint = Some(paint);
        }
        None => {}
    }
}

/// Returns the word for the state of a case that was not measured as planned, or `None`, and the colour of
/// the word.
fn state(case: &CaseResult, variant: Option<&VariantResult>) -> (Option<&'static str>, Paint) {
    let (word, paint) = match case.state {
        CaseState::Measured(StopReason::Interrupted) => ("partial", Paint::Warning),
        CaseState::Measured(_) if variant.is_none() => ("no result", Paint::Warning),
        CaseState::Measured(_) => return (None, Paint::Dim),
        CaseState::Passed => ("passed", Paint::Dim),
        CaseState::Skipped => ("skipped", Paint::Dim),
        CaseState::Failed => ("failed", Paint::Error),
        CaseState::Missing => ("not run", Paint::Warning),
    };
    (Some(word), paint)
}

/// Returns, for each case, the codes of its failures and of the warnings that mark the case.
fn codes(document: &Document, cases: usize) -> Vec<Vec<String>> {
    let mut codes: Vec<Vec<String>> = vec![Vec::new(); cases];
    let failures = document.failures.iter().map(|failure| (failure.case, failure.code.text()));
    let marking = document.warnings.iter().filter(|warning| warning.marks);
    let warnings = marking.map(|warning| (warning.case, warning.code.clone()));
    for (case, code) in failures.chain(warnings) {
        if let Some(list) = case.and_then(|case| codes.get_mut(case as usize))
            && !list.contains(&code)
        {
            list.push(code);
        }
    }
    codes
}

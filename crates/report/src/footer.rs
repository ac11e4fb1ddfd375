//! The last lines of a run: its id, its duration, and what to do next.

use crate::style::{Paint, wrap};
use crate::{Style, numbers};
use derny_model::{Against, CaseState, Document, PlainChange, RunStatus};

/// Returns the number of failed and missing cases, the base of the changes, and the location of the stored
/// run.
pub fn footer(document: &Document, style: &Style) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&style.paint(Paint::Dim, &wrap(&style.prose(&text), style, 2)));
        out.push('\n');
    };
    if let Some(text) = tally(document) {
        line(text);
    }
    if let Some(text) = change(document).filter(|_| document.comparison.is_none()) {
        line(text);
    }
    let run = &document.run;
    let took = run.ended_ms.map(|end| numbers::wall((end - run.started_ms).max(0) as u64 * 1_000_000));
    let machines = numbers::counted(run.machines.len(), "machine", "machines");
    let by = run.merged.as_ref().map(|_| format!("measured by {machines}"));
    let next = match run.status {
        RunStatus::Partial if run.merged.is_none() => "continue with `derny run --resume`".to_owned(),
        _ => match stored_base(document) {
            Some(base) => format!("compare again with `derny compare {} {}`", base.run, run.id),
            None => format!("show it again with `derny show {}`", run.id),
        },
    };
    let facts = [Some(format!("saved run {}", run.id)), by, took, Some(next)];
    line(facts.into_iter().flatten().collect::<Vec<_>>().join(" · "));
    out
}

/// Returns the stored run that this run is compared with, unless it was measured again.
fn stored_base(document: &Document) -> Option<&Against> {
    document.comparison.as_ref()?.against.as_ref().filter(|base| base.again.is_none())
}

/// Describes the basis of the changes from an earlier run. If it differs between cases, describes the case
/// with the widest interval.
fn change(document: &Document) -> Option<String> {
    let width = |change: &&PlainChange| change.machine.map_or(-1.0, |range| range.hi - range.lo);
    let changes = || document.cases().filter_map(|case| case.change.as_ref());
    let change = changes().max_by(|a, b| width(a).total_cmp(&width(b)))?;
    let because = if change.because.is_empty() { "not measured together" } else { &change.because };
    let most = if changes().any(|other| other.because != change.because) { " at most" } else { "" };
    Some(format!(
        "change is against run {}, {because}{most}; to decide, measure both in one run with -x",
        change.run
    ))
}

/// Counts the cases in each state, such as `2 failed, 1 not measured, 1 not listed`. `None` if all were
/// measured.
fn tally(document: &Document) -> Option<String> {
    let count = |wanted: CaseState| document.cases().filter(|case| case.state == wanted).count();
    let parts = [
        (count(CaseState::Passed), "passed"),
        (count(CaseState::Failed), "failed"),
        (count(CaseState::Skipped), "skipped"),
        (count(CaseState::Missing), "not measured"),
        // Files that could not be listed.
        (document.failures.iter().filter(|failure| failure.case.is_none()).count(), "not listed"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

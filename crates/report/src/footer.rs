//! The last lines of a run: its name, how long it took, what to do next.

use crate::style::{Paint, wrap};
use crate::{Style, numbers};
use derny_model::{CaseState, Document, RunStatus};

/// How many cases failed or are missing, what the changes mean, where the run is kept.
pub fn footer(document: &Document, style: &Style) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&style.paint(Paint::Dim, &wrap(&style.prose(&text), style, 2)));
        out.push('\n');
    };
    if let Some(text) = tally(document) {
        line(text);
    }
    if let Some(change) = document.cases().find_map(|case| case.change.as_ref()) {
        let because = if change.because.is_empty() { "not measured together" } else { &change.because };
        line(format!(
            "change is against run {}, {because}; to know more, alternate both in one run with -x",
            change.run
        ));
    }
    let run = &document.run;
    let took = run.ended_ms.map(|end| numbers::wall((end - run.started_ms).max(0) as u64 * 1_000_000));
    let next = match run.status {
        RunStatus::Partial => "go on with `derny run --resume`".to_owned(),
        _ => format!("look again with `derny show {}`", run.id),
    };
    let facts = [Some(format!("saved run {}", run.id)), took, Some(next)];
    line(facts.into_iter().flatten().collect::<Vec<_>>().join(" · "));
    out
}

/// `2 failed, 1 not measured`, where there is such a thing.
fn tally(document: &Document) -> Option<String> {
    let count = |wanted: CaseState| document.cases().filter(|case| case.state == wanted).count();
    let parts = [
        (count(CaseState::Passed), "passed"),
        (count(CaseState::Failed), "failed"),
        (count(CaseState::Skipped), "skipped"),
        (count(CaseState::Missing), "not measured"),
    ];
    let told: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

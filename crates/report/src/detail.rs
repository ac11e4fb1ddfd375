//! One case in full: every figure, every process, the distribution of batches, and warnings.

mod figures;
mod picture;
mod rows;

pub(crate) use rows::{Fact, rows};

use crate::style::{Paint, visible};
use crate::{Style, columns, failure, subject, terminal, warning};
use derny_model::{CaseResult, CaseState, Document, StopReason, VariantResult};

/// Returns all cases in full, followed by the warnings that concern the whole run.
pub fn cases(document: &Document, style: &Style) -> String {
    let cases = (0..document.cases().count()).filter_map(|index| case(document, index, style));
    let mut blocks: Vec<String> = cases.collect();
    blocks.extend(
        document.warnings.iter().filter(|doubt| doubt.case.is_none()).map(|w| warning::one(w, style)),
    );
    blocks.join("\n")
}

/// Returns the case at `index`, counted across suites, or `None` if there is none.
pub fn case(document: &Document, index: usize, style: &Style) -> Option<String> {
    let case = document.cases().nth(index)?;
    let mut out = format!("{}\n", style.paint(Paint::Strong, &visible(&subject::title(document, case))));
    out.push_str(&style.paint(Paint::Dim, &declared(document, case, style)));
    out.push('\n');
    for variant in &case.variants {
        out.push('\n');
        if case.variants.len() > 1 {
            out.push_str(&format!("{}\n", style.paint(Paint::Strong, &visible(&variant.variant))));
        }
        out.push_str(&result(document, case, variant, style));
    }
    if let Some(change) = &case.change {
        let because = if change.because.is_empty() { "unpaired" } else { &change.because };
        let text = format!(
            "{} against run {}: {because}",
            columns::plain_change(document, change, style),
            change.run
        );
        out.push_str(&format!("\n{}\n", style.prose(&format!("change {text}"))));
    }
    for failure in document.failures.iter().filter(|failure| failure.case == Some(index as u32)) {
        out.push_str(&format!("\n{}", failure::one(failure, style)));
    }
    for doubt in document.warnings.iter().filter(|doubt| doubt.case == Some(index as u32)) {
        out.push_str(&format!("\n{}", warning::one(doubt, style)));
    }
    Some(out)
}

fn declared(document: &Document, case: &CaseResult, style: &Style) -> String {
    let file = case.case.file.as_ref().map(|file| match case.case.line {
        Some(line) => format!("{file}:{line}"),
        None => file.clone(),
    });
    let state = match case.state {
        CaseState::Measured(StopReason::Precise) => "as precise as requested",
        CaseState::Measured(StopReason::Verdict) => "every variant has a verdict",
        CaseState::Measured(StopReason::Budget) => "stopped by the budget",
        CaseState::Measured(StopReason::PrecisionPredicted) => {
            "stopped: the budget was too small for the precision"
        }
        CaseState::Measured(StopReason::Maximum) => "stopped at the maximum number of processes",
        CaseState::Measured(StopReason::Interrupted) => "interrupted",
        CaseState::Measured(_) => "measured",
        CaseState::Passed => "passed",
        CaseState::Skipped => "skipped",
        CaseState::Failed => "failed",
        CaseState::Missing => "not measured",
    };
    let tags = (!case.case.tags.is_empty()).then(|| case.case.tags.join(" "));
    let facts = [
        file,
        Some(terminal::runtimes(&document.run.runtimes)),
        Some(format!("run {}", document.run.id)),
        Some(state.to_owned()),
        tags,
    ];
    let facts: Vec<String> = facts.into_iter().flatten().filter(|fact| !fact.is_empty()).collect();
    facts.iter().map(|fact| style.prose(fact)).collect::<Vec<_>>().join(style.dot())
}

fn result(document: &Document, case: &CaseResult, variant: &VariantResult, style: &Style) -> String {
    let mut out = String::new();
    let blocks = [
        figures::estimates(document, case, variant, style),
        figures::batches(variant, style),
        figures::circumstances(variant, style),
        figures::metrics(variant, style),
    ];
    for block in blocks.iter().filter(|block| !block.is_empty()) {
        out.push_str(&rows(block, style));
        out.push('\n');
    }
    if let Some(time) = &variant.time {
        let pictures = [picture::processes(time, style), picture::histogram(variant, style)];
        out.push_str(&pictures.into_iter().flatten().collect::<Vec<_>>().join("\n"));
    }
    format!("{}\n", out.trim_end())
}

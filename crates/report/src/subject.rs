//! The subject of a figure: a case, or the benchmark that a variant measures instead. A case of several
//! commands has the name of the first.

use crate::Style;
use derny_model::{Case, CaseId, CaseResult, ComparedCase, Comparison, Document, RunHeader};
use std::borrow::Cow;

pub(crate) fn case<'a>(case: &'a Case, benchmark: Option<&str>) -> Cow<'a, Case> {
    match benchmark.filter(|own| *own != case.id.benchmark) {
        None => Cow::Borrowed(case),
        Some(own) => {
            let id = CaseId { benchmark: own.to_owned(), ..case.id.clone() };
            Cow::Owned(Case { id, ..case.clone() })
        }
    }
}

/// Returns the benchmark that a variant measures instead of the cases' own, if any.
pub(crate) fn of_variant<'a>(run: &'a RunHeader, variant: &str) -> Option<&'a str> {
    run.variants.iter().find(|own| own.name == variant)?.benchmark.as_deref()
}

/// Returns all benchmarks measured in a case of a run: `suite/old / suite/new`.
pub(crate) fn title(document: &Document, result: &CaseResult) -> String {
    let mut names: Vec<String> = Vec::new();
    for variant in &result.variants {
        let name = case(&result.case, of_variant(&document.run, &variant.variant)).id.to_string();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() { result.case.id.to_string() } else { names.join(" / ") }
}

/// Returns the benchmark that a side measures instead of the cases' own, if any.
pub(crate) fn of_side(comparison: &Comparison, side: u32) -> Option<&str> {
    comparison.sides.get(side as usize)?.benchmark.as_deref()
}

/// Returns the id of the benchmark that a side of a compared case measures.
pub(crate) fn id(comparison: &Comparison, compared: &ComparedCase, side: u32) -> CaseId {
    case(&compared.case, of_side(comparison, side)).id.clone()
}

/// Returns the name of the benchmark that a side measures, within its suite.
pub(crate) fn name(comparison: &Comparison, compared: &ComparedCase, side: u32, style: &Style) -> String {
    style.prose(&id(comparison, compared, side).name())
}

/// Returns true if a side measures a different benchmark than the base.
pub(crate) fn differs(comparison: &Comparison, compared: &ComparedCase, side: u32) -> bool {
    id(comparison, compared, side).benchmark != id(comparison, compared, 0).benchmark
}

/// Returns the side's name, to show with its cases. Returns `None` if its benchmark has the same name,
/// because the cases already show it.
pub(crate) fn beside(comparison: &Comparison, side: u32, style: &Style) -> Option<String> {
    let own = comparison.sides.get(side as usize)?;
    (own.benchmark.as_ref() != Some(&own.name)).then(|| style.prose(&own.name))
}

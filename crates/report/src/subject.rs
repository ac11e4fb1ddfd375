//! What a figure is about: the case, or the benchmark that a variant measures in its place. A case of several commands bears the name of
//! the first, and the others are no less what is measured.

use crate::Style;
use derny_model::{Case, CaseId, CaseResult, ComparedCase, Comparison, Document, RunHeader};
use std::borrow::Cow;

/// The case under the name of what is measured in it.
pub(crate) fn case<'a>(case: &'a Case, benchmark: Option<&str>) -> Cow<'a, Case> {
    match benchmark.filter(|own| *own != case.id.benchmark) {
        None => Cow::Borrowed(case),
        Some(own) => {
            let id = CaseId { benchmark: own.to_owned(), ..case.id.clone() };
            Cow::Owned(Case { id, ..case.clone() })
        }
    }
}

/// The benchmark that a variant of a run measures in the place of that of cases, if it names one.
pub(crate) fn of_variant<'a>(run: &'a RunHeader, variant: &str) -> Option<&'a str> {
    run.variants.iter().find(|own| own.name == variant)?.benchmark.as_deref()
}

/// All that is measured in a case of a run: `suite/old / suite/new`.
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

/// The same of a side.
pub(crate) fn of_side(comparison: &Comparison, side: u32) -> Option<&str> {
    comparison.sides.get(side as usize)?.benchmark.as_deref()
}

/// What a side of a compared case measures.
pub(crate) fn id(comparison: &Comparison, compared: &ComparedCase, side: u32) -> CaseId {
    case(&compared.case, of_side(comparison, side)).id.clone()
}

/// Its name within its suite.
pub(crate) fn name(comparison: &Comparison, compared: &ComparedCase, side: u32, style: &Style) -> String {
    style.prose(&id(comparison, compared, side).name())
}

/// Whether a side measures another benchmark than the base.
pub(crate) fn differs(comparison: &Comparison, compared: &ComparedCase, side: u32) -> bool {
    id(comparison, compared, side).benchmark != id(comparison, compared, 0).benchmark
}

/// What has to be added to the names of a side's cases where there are several sides: its own name, unless they are called so.
pub(crate) fn beside(comparison: &Comparison, side: u32, style: &Style) -> Option<String> {
    let own = comparison.sides.get(side as usize)?;
    (own.benchmark.as_ref() != Some(&own.name)).then(|| style.prose(&own.name))
}

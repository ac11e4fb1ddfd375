//! The plain ratio to an earlier run.

use derny_model::{CaseResult, Document, PlainChange, RunId, TimeSummary};
use std::collections::HashMap;

/// Sets every case's change against the same case of `earlier`, the run called `id`: new over old typical time,
/// minus one, of the first variant that both have. Unpaired and without a verdict, so only ever a hint.
pub fn change(document: &mut Document, earlier: &Document, id: &RunId) {
    let old: HashMap<_, &CaseResult> = earlier.cases().map(|case| (&case.case.id, case)).collect();
    for case in document.suites.iter_mut().flat_map(|suite| &mut suite.cases) {
        let ratio = old.get(&case.case.id).and_then(|old| ratio(case, old));
        case.change = ratio.map(|ratio| PlainChange { run: id.clone(), change: ratio - 1.0 });
    }
}

fn ratio(new: &CaseResult, old: &CaseResult) -> Option<f64> {
    let (new, old) = new.variants.iter().find_map(|variant| {
        let same = old.variants.iter().find(|other| other.variant == variant.variant)?;
        Some((typical(variant.time.as_ref())?, typical(same.time.as_ref())?))
    })?;
    let ratio = new / old;
    (ratio.is_finite() && old > 0.0).then_some(ratio)
}

fn typical(time: Option<&TimeSummary>) -> Option<f64> {
    time.map(|time| time.typical.value)
}

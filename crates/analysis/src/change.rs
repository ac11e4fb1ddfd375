//! Compares a run with an earlier run of the same cases.

use derny_model::{CaseId, CaseResult, Change, Comparison, Document, PlainChange, Quantity, SuiteResult};
use std::collections::HashMap;

/// Adds the change of each case's typical time to the document. The base of `comparison` is the earlier run.
/// `baseline` is the user's name for the earlier run, if any.
pub fn change(document: Document, comparison: &Comparison, baseline: Option<&str>) -> Document {
    let Some(base) = comparison.sides.first() else { return document };
    let typical = |change: &&Change| change.quantity == Quantity::Typical;
    let changes: HashMap<&CaseId, &Change> = comparison
        .cases
        .iter()
        .filter_map(|case| Some((&case.case.id, case.sides.first()?.changes.iter().find(typical)?)))
        .collect();
    let changed = |case: CaseResult| {
        let plain = changes.get(&case.case.id).and_then(|change| {
            Some(PlainChange {
                run: base.run.clone(),
                change: change.change?.value,
                interval: change.change?.interval,
                verdict: change.verdict,
                reason: change.reason,
                machine: change.machine,
                because: change.because.clone(),
            })
        });
        CaseResult { change: plain, ..case }
    };
    let suites = document
        .suites
        .into_iter()
        .map(|suite| SuiteResult { cases: suite.cases.into_iter().map(changed).collect(), ..suite });
    Document {
        suites: suites.collect(),
        baseline: baseline.map(|name| (name.to_owned(), base.commit.clone())),
        ..document
    }
}

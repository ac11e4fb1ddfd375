//! The plain ratio to an earlier run.

use derny_model::{CaseResult, Document, PlainChange, RunHeader, RunId, SuiteResult, TimeSummary};
use std::collections::HashMap;

/// The document with every case's change against the same case of `earlier`, the run called `id`: new over old typical
/// time, minus one, of the first variant that both have, else of each run's own where one
/// of them measured a baseline again. Unpaired and without a verdict, so only ever a hint. `baseline` is
/// the name under which the earlier run was asked for, if it was.
pub fn change(document: Document, earlier: &Document, id: &RunId, baseline: Option<&str>) -> Document {
    let own = |run: &RunHeader| run.variants.get(run.own_variant() as usize).map(|own| own.name.clone());
    let is_again = document.run.again().is_some() || earlier.run.again().is_some();
    let owns = own(&document.run).zip(own(&earlier.run)).filter(|_| is_again);
    let old: HashMap<_, &CaseResult> = earlier.cases().map(|case| (&case.case.id, case)).collect();
    let changed = |case: CaseResult| {
        let ratio = old.get(&case.case.id).and_then(|old| ratio(&case, old, owns.as_ref()));
        CaseResult { change: ratio.map(|ratio| PlainChange { run: id.clone(), change: ratio - 1.0 }), ..case }
    };
    let suites = document
        .suites
        .into_iter()
        .map(|suite| SuiteResult { cases: suite.cases.into_iter().map(changed).collect(), ..suite });
    Document {
        suites: suites.collect(),
        baseline: baseline.map(|name| (name.to_owned(), earlier.run.commit.clone())),
        ..document
    }
}

fn ratio(new: &CaseResult, old: &CaseResult, owns: Option<&(String, String)>) -> Option<f64> {
    let of = |case: &CaseResult, name: &String| {
        typical(case.variants.iter().find(|variant| variant.variant == *name)?.time.as_ref())
    };
    let alike = || new.variants.iter().find_map(|own| of(new, &own.variant).zip(of(old, &own.variant)));
    let (new, old) = alike().or_else(|| {
        let (name, other) = owns?;
        of(new, name).zip(of(old, other))
    })?;
    let ratio = new / old;
    (ratio.is_finite() && old > 0.0).then_some(ratio)
}

fn typical(time: Option<&TimeSummary>) -> Option<f64> {
    time.map(|time| time.typical.value)
}

//! Selects a part of a run, as if nothing else had been measured.

use crate::ranking;
use derny_model::{Case, CaseResult, Document, Figure, Records};
use std::collections::HashSet;

/// Keeps the cases for which `keep` returns true. Keeps all processes, because observations of the machine
/// concern every case.
pub fn select(mut records: Records, keep: impl Fn(&Case) -> bool) -> Records {
    let mut place: Vec<Option<u32>> = Vec::with_capacity(records.cases.len());
    let mut count = 0;
    for case in &records.cases {
        let kept = keep(case);
        place.push(kept.then_some(count));
        count += u32::from(kept);
    }
    let new = |case: u32| place.get(case as usize).copied().flatten();
    let mut flags = place.iter();
    records.cases.retain(|_| flags.next().is_some_and(Option::is_some));
    records.ended.retain_mut(|(case, _)| new(*case).map(|place| *case = place).is_some());
    records.visits.retain_mut(|record| new(record.visit.case).map(|p| record.visit.case = p).is_some());
    records.looks.retain_mut(|look| new(look.case).map(|place| look.case = place).is_some());
    records.failures.retain_mut(|failure| match failure.case {
        None => true,
        Some(case) => new(case).map(|place| failure.case = Some(place)).is_some(),
    });
    records
}

/// Returns the records of one variant, as if it were the run's only one.
pub fn select_variant(mut records: Records, name: &str) -> Records {
    let place = records.header.variants.iter().position(|variant| variant.name == name);
    let place = place.map_or(u32::MAX, |place| place as u32);
    records.header.variants.retain(|variant| variant.name == name);
    records.processes.retain(|process| process.variant == place);
    records.processes.iter_mut().for_each(|process| process.variant = 0);
    let kept: HashSet<u32> = records.processes.iter().map(|process| process.process).collect();
    records.visits.retain(|record| kept.contains(&record.visit.process));
    records.process_ends.retain(|end| kept.contains(&end.process));
    records
}

/// Keeps the cases for which `keep` returns true, with their warnings and failures. Also keeps those of the
/// run.
pub fn select_document(document: &mut Document, keep: impl Fn(&Case) -> bool) {
    let kept: Vec<bool> = document.cases().map(|case| keep(&case.case)).collect();
    let place = |case: u32| {
        let before = kept.get(..case as usize)?;
        kept[case as usize..].first().filter(|kept| **kept)?;
        Some(before.iter().filter(|kept| **kept).count() as u32)
    };
    let moved = |case: &mut Option<u32>| match *case {
        None => true,
        Some(old) => {
            *case = place(old);
            case.is_some()
        }
    };
    document.warnings.retain_mut(|warning| moved(&mut warning.case));
    document.failures.retain_mut(|failure| moved(&mut failure.case));
    let mut flags = kept.iter();
    for suite in &mut document.suites {
        suite.cases.retain(|_| flags.next().is_some_and(|kept| *kept));
    }
    document.suites.retain(|suite| !suite.cases.is_empty());
    let listed: Vec<&CaseResult> = document.cases().collect();
    document.rankings = ranking::rankings(&listed, &document.run);
    // The comparison's verdicts were adjusted for all cases.
    document.comparison = None;
}

/// Keeps only these metrics, or all if `names` is empty. `alloc` means `allocated`, and `gc` means every name
/// that begins with `gc`. Times are kept if `names` contains `time`, `mean` or `gc`.
pub fn only_metrics(document: &mut Document, names: &[String]) {
    if names.is_empty() {
        return;
    }
    let asked = |name: &str| names.iter().any(|wanted| wanted == name);
    let times = ["time", "mean", "gc"].into_iter().any(asked);
    let shown = |name: &str| {
        asked(name) || (asked("alloc") && name == "allocated") || (asked("gc") && name.starts_with("gc"))
    };
    let cases = document.suites.iter_mut().flat_map(|suite| &mut suite.cases);
    for case in cases {
        let as_run = case.case.as_run();
        let shown = |name: &str| shown(name) || (times && as_run.as_deref() == Some(name));
        for variant in &mut case.variants {
            variant.metrics.edit(|all| all.retain(|summary| shown(&summary.metric.name)));
            let kept = |figure: &Figure| if figure.metric { shown(&figure.name) } else { times };
            variant.figures.edit(|all| all.retain(kept));
            if !times {
                variant.time = None;
            }
        }
    }
}

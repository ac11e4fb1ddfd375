//! Warns about the results and the printed output of a body.

use super::view::{CaseView, Detected};
use derny_stats::location::median;
use std::collections::{BTreeMap, BTreeSet};

/// A warning needs at least this many printed bytes per process. Less may be a short notice.
const PRINTED: f64 = 1024.0;

/// Returns the hashes of the body's results, by variant. The engine requests them at the same point of every
/// visit, so bodies that cycle through inputs still agree.
fn hashes<'a>(view: &'a CaseView) -> BTreeMap<u32, BTreeSet<&'a str>> {
    let mut found: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
    for record in view.visits {
        let Some(process) = view.processes.get(&record.visit.process) else { continue };
        let first = record.turns.iter().find_map(|turn| turn.hash.as_deref());
        found.entry(process.variant).or_default().extend(first);
    }
    found
}

pub(super) fn changing(view: &CaseView) -> Option<Detected> {
    let most = hashes(view).values().map(BTreeSet::len).max().filter(|n| *n > 1)?;
    Some(Detected {
        message: format!("returned {most} different results in different processes"),
        remedy: "make the work the same in each process: fix the seed, the time and the order".to_owned(),
        severity: most as f64,
    })
}

pub(super) fn different(view: &CaseView) -> Option<Detected> {
    let hashes = hashes(view);
    let results: BTreeSet<&str> = hashes.values().flatten().copied().collect();
    let told = hashes.values().filter(|set| !set.is_empty()).count();
    (told > 1 && results.len() > 1).then(|| Detected {
        message: "returns different results in different variants".to_owned(),
        remedy: "make sure that all variants do the same work before comparing their times".to_owned(),
        severity: results.len() as f64,
    })
}

pub(super) fn printing(view: &CaseView) -> Option<Detected> {
    let printed: Vec<f64> =
        view.ends().filter_map(|end| end.printed_bytes).map(|bytes| bytes as f64).collect();
    let typical = (!printed.is_empty()).then(|| median(&printed)).filter(|bytes| *bytes >= PRINTED)?;
    Some(Detected {
        message: format!("printed {:.1} kB while it was measured", typical / 1e3),
        remedy: "remove the printing from the body: the time includes it".to_owned(),
        severity: typical,
    })
}

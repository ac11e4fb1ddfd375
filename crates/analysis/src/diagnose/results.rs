//! What the body gave back and what it printed.

use super::{CaseView, Detected};
use derny_stats::location::median;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes per process, printed while it was measured, that are more than a line of notice.
const PRINTED: f64 = 1024.0;

/// Hashes of the body's result by variant. The engine asks for one at the same place of every visit, so that bodies which
/// go through their inputs in turn give the same one.
fn hashes<'a>(view: &'a CaseView) -> BTreeMap<u32, BTreeSet<&'a str>> {
    let mut found: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
    for record in view.visits {
        let Some(process) = view.processes.get(&record.visit.process) else { continue };
        let first = record.turns.iter().find_map(|turn| turn.hash.as_deref());
        found.entry(process.variant).or_default().extend(first);
    }
    found
}

/// Processes of one variant disagree on the result.
pub(super) fn changing(view: &CaseView) -> Option<Detected> {
    let most = hashes(view).values().map(BTreeSet::len).max().filter(|n| *n > 1)?;
    Some(Detected {
        message: format!("gave {most} different results in its processes"),
        remedy: "fix what it depends on (seed, time, order), or it measures other work in every process"
            .to_owned(),
        severity: most as f64,
    })
}

/// Variants disagree on the result.
pub(super) fn different(view: &CaseView) -> Option<Detected> {
    let hashes = hashes(view);
    let results: BTreeSet<&str> = hashes.values().flatten().copied().collect();
    let told = hashes.values().filter(|set| !set.is_empty()).count();
    (told > 1 && results.len() > 1).then(|| Detected {
        message: "gives different results in different variants".to_owned(),
        remedy: "make sure that both do the same work before comparing their times".to_owned(),
        severity: results.len() as f64,
    })
}

/// Its processes printed while they were measured.
pub(super) fn printing(view: &CaseView) -> Option<Detected> {
    let printed: Vec<f64> =
        view.ends().filter_map(|end| end.printed_bytes).map(|bytes| bytes as f64).collect();
    let typical = (!printed.is_empty()).then(|| median(&printed)).filter(|bytes| *bytes >= PRINTED)?;
    Some(Detected {
        message: format!("was measured in processes that printed {:.1} kB meanwhile", typical / 1e3),
        remedy: "take the printing out of the body: what is measured is the writing".to_owned(),
        severity: typical,
    })
}

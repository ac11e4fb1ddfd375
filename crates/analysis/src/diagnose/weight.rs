//! Which rows a warning marks. What most rows share is said once for the run, and marks only the rows that stand out.

use derny_model::{Warning, WarningClass};
use derny_stats::median;
use std::collections::{BTreeMap, HashSet};

/// So many times the run's common level stands out.
const OUT: f64 = 2.0;

/// Above which severity a row stands out among all rows of a run. `severities` are those of the rows that have the warning; the others
/// have none.
pub(super) fn out(mut severities: Vec<f64>, rows: usize) -> f64 {
    severities.resize(rows.max(severities.len()), 0.0);
    if severities.is_empty() { f64::INFINITY } else { OUT * median(&severities) }
}

/// Marks the rows of warnings that decide, out of so many `rows`. A doubt about the meaning marks every row that has it. Any other
/// marks its rows while they are fewer than half, and from then on only those that stand out among them.
pub(crate) fn mark(warnings: &mut [Warning], rows: usize) {
    let mut codes: BTreeMap<String, BTreeMap<u32, f64>> = BTreeMap::new();
    for warning in warnings.iter().filter(|warning| warning.decides) {
        let Some(case) = warning.case else { continue };
        let worst = codes.entry(warning.code.clone()).or_default().entry(case).or_default();
        *worst = worst.max(warning.severity);
    }
    // Made once for all rows of a code: a run may have ten thousand.
    let out: BTreeMap<&String, f64> =
        codes.iter().map(|(code, own)| (code, out(own.values().copied().collect(), own.len()))).collect();
    let mut seen: HashSet<(String, u32)> = HashSet::new();
    for warning in warnings {
        warning.marks = false;
        let (Some(case), Some(cases)) = (warning.case, codes.get(&warning.code)) else { continue };
        let is_common = 2 * cases.len() >= rows;
        warning.marks = warning.decides
            && (warning.class == WarningClass::Meaning
                || !is_common
                || out.get(&warning.code).is_some_and(|out| warning.severity > *out))
            && seen.insert((warning.code.clone(), case));
    }
}

//! Determines which rows a warning marks. If at least half of the rows have it, it is reported for the run
//! and marks only outliers.

use derny_model::{Warning, WarningClass};
use derny_stats::median;
use std::collections::{BTreeMap, HashSet};

/// A row is an outlier above this multiple of the median severity.
const OUT: f64 = 2.0;

/// Returns the severity above which a row is an outlier. `severities` contains a value for each row with the
/// warning. The other rows count as 0.
pub(super) fn out(mut severities: Vec<f64>, rows: usize) -> f64 {
    severities.resize(rows.max(severities.len()), 0.0);
    if severities.is_empty() { f64::INFINITY } else { OUT * median(&severities) }
}

/// Marks the rows of deciding warnings. A warning about the meaning of a figure marks every row that has it.
/// Other warnings mark a minority of rows, or only the outliers of a majority.
pub(crate) fn mark(warnings: &mut [Warning], rows: usize) {
    let mut codes: BTreeMap<String, BTreeMap<u32, f64>> = BTreeMap::new();
    for warning in warnings.iter().filter(|warning| warning.decides) {
        let Some(case) = warning.case else { continue };
        let worst = codes.entry(warning.code.clone()).or_default().entry(case).or_default();
        *worst = worst.max(warning.severity);
    }
    // Computed once per code, because a run may have ten thousand rows.
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

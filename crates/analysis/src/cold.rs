//! The first call in a fresh process.

use crate::process::Process;
use derny_model::{ColdSummary, Interval};
use derny_stats::location::median;

/// Median and range over the processes in which the first call was recorded.
pub(crate) fn cold(processes: &[Process]) -> Option<ColdSummary> {
    let values: Vec<f64> = processes.iter().filter_map(|process| process.cold).collect();
    if values.is_empty() {
        return None;
    }
    let lo = values.iter().copied().fold(f64::INFINITY, f64::min);
    let hi = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(ColdSummary {
        time_ns: median(&values),
        range_ns: Interval { lo, hi },
        processes: values.len() as u32,
    })
}

//! First calls in fresh processes.

use derny_estimate::turn;
use derny_model::{Case, ColdSummary, FirstCall, Interval, Phase, VisitRecord};
use derny_stats::location::median;

pub(crate) fn cold(values: &[f64]) -> Option<ColdSummary> {
    if values.is_empty() {
        return None;
    }
    let lo = values.iter().copied().fold(f64::INFINITY, f64::min);
    let hi = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(ColdSummary {
        time_ns: median(values),
        range_ns: Interval { lo, hi },
        processes: values.len() as u32,
    })
}

/// Returns the first call of a process if the benchmark's own program would report it. It is the first turn
/// of the first visit, whatever its phase: a body that can run only once is measured by that turn.
pub(crate) fn as_run(case: &Case, visits: &[&VisitRecord]) -> Option<FirstCall> {
    let visit = visits.iter().find(|record| record.visit.mode.is_none() && case.runner.is_some())?;
    let turn = visit.turns.iter().find(|turn| !turn.times_ns.is_empty())?;
    let is_first = matches!(turn.phase, Phase::Cold | Phase::Measured | Phase::Rejected);
    let time_ns = turn::values(turn, case.ops).next().filter(|value| is_first && *value > 0.0)?;
    Some(FirstCall { time_ns, call_ns: turn.times_ns[0] as f64 })
}

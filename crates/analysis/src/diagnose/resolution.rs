//! Too small to be seen: by the loop, or by the clock.

use super::{CaseView, Finding};
use derny_model::Phase;

/// One clock step as a share of a batch above which single batches are no longer telling. Batches aim at a
/// thousand steps.
const COARSE: f64 = 0.002;

/// A body that costs no more than an empty one.
pub(super) fn empty(view: &CaseView) -> Option<Finding> {
    let time = view.result.variants.iter().find_map(|variant| {
        let time = variant.time.as_ref()?;
        time.floor.filter(|floor| floor.indistinguishable).map(|floor| (time, floor))
    });
    let (time, floor) = time?;
    Some(Finding {
        message: format!(
            "cannot be told from an empty body: {:.2} ns per iteration against {:.2} ns",
            time.typical.value * view.result.case.ops,
            floor.time_ns
        ),
        remedy: "the work may have been optimised away: return its result, and take inputs that the compiler cannot know".to_owned(),
        severity: 1.0,
    })
}

/// Batches of few clock steps.
pub(super) fn clock(view: &CaseView) -> Option<Finding> {
    let worst = view.visits.iter().filter_map(|record| {
        let start = view.processes.get(&record.visit.process)?;
        let measured = record.turns.iter().filter(|turn| turn.phase == Phase::Measured);
        let (time, batches) = measured.fold((0, 0), |(time, batches), turn| {
            (time + turn.times_ns.iter().sum::<u64>(), batches + turn.times_ns.len())
        });
        let mean = time as f64 / batches as f64;
        let share = start.clock_step_ns as f64 / mean;
        (share > COARSE).then_some((share, start.clock_step_ns, mean))
    });
    let (share, step, mean) = worst.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(Finding {
        message: format!(
            "has batches of {:.3} µs, only {:.0} steps of a {step} ns clock",
            mean / 1e3,
            mean / step as f64
        ),
        remedy: "let a batch hold more: raise --batch-time, or do more work per iteration".to_owned(),
        severity: share,
    })
}

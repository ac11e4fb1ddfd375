//! Warns about times that are too short for the loop, the clock or the processor.

use super::view::{CaseView, Detected, percent};
use derny_estimate::floor;
use derny_model::{Phase, Timing};

const COARSE: f64 = 0.002;
const COSTLY: f64 = 0.01;
/// Assumed clock cycle in ns without a reference kernel (5 GHz).
const CYCLE_NS: f64 = 0.2;

pub(super) fn empty(view: &CaseView) -> Option<Detected> {
    let time = view.result.variants.iter().find_map(|variant| {
        let time = variant.time.as_ref()?;
        time.floor.filter(|floor| floor.indistinguishable).map(|floor| (time, floor))
    });
    let (time, floor) = time?;
    let per = if view.result.case.timing == Timing::Loop { "iteration" } else { "operation" };
    Some(Detected {
        message: format!(
            "is indistinguishable from an empty body: {} per {per} against {}",
            duration(time.typical.value * view.result.case.ops),
            duration(floor.time_ns)
        ),
        remedy: if view.result.case.fresh {
            "do more work in it; if the command needs no shell, use -N".to_owned()
        } else {
            "return its result, and use inputs that the compiler cannot predict".to_owned()
        },
        severity: 1.0,
    })
}

fn duration(ns: f64) -> String {
    match ns {
        0.0..1e3 => format!("{ns:.2} ns"),
        1e3..1e6 => format!("{:.1} µs", ns / 1e3),
        _ => format!("{:.1} ms", ns / 1e6),
    }
}

/// Warns if an iteration takes less than a clock cycle, so the loop cannot have done its work.
pub(super) fn below_cycle(view: &CaseView) -> Option<Detected> {
    if view.result.case.timing != Timing::Loop {
        return None;
    }
    let cycle = floor::cycle_ns(&view.records.observations).unwrap_or(CYCLE_NS);
    let times = view.result.variants.iter().filter_map(|variant| variant.time.as_ref());
    let least = times.map(|time| time.typical.value * view.result.case.ops).fold(f64::INFINITY, f64::min);
    (least < cycle).then(|| Detected {
        message: format!(
            "takes {least:.3} ns per iteration, less than one cycle of the processor ({cycle:.2} ns)"
        ),
        remedy: "return its result, and use inputs that the compiler cannot predict".to_owned(),
        severity: cycle / least.max(1e-6),
    })
}

pub(super) fn clock(view: &CaseView) -> Option<Detected> {
    let facts = &view.machine().facts;
    let cost_ns: f64 = facts.get("clock-cost-ns").and_then(|cost| cost.parse().ok()).unwrap_or(0.0);
    let worst = view.visits.iter().filter_map(|record| {
        let start = view.processes.get(&record.visit.process)?;
        let measured = record.turns.iter().filter(|turn| turn.phase == Phase::Measured);
        let (time, batches) = measured.fold((0, 0), |(time, batches), turn| {
            (time + turn.times_ns.iter().sum::<u64>(), batches + turn.times_ns.len())
        });
        let mean = time as f64 / batches as f64;
        let (step, cost) = (start.clock_step_ns as f64 / mean, cost_ns / mean);
        let severity = (step / COARSE).max(cost / COSTLY);
        (severity > 1.0 && mean > 0.0).then_some((severity, start.clock_step_ns, cost, mean))
    });
    let (severity, step, cost, mean) = worst.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let what = if cost / COSTLY >= severity {
        format!("and reading the clock may take {} of that", percent(cost))
    } else {
        format!("only {:.0} steps of the {step} ns clock", mean / step as f64)
    };
    Some(Detected {
        message: format!("has batches of {:.3} µs, {what}", mean / 1e3),
        remedy: "raise the setting `batch-time`, or do more work per iteration".to_owned(),
        severity,
    })
}

//! Somebody else wanted the processors.

use super::{CaseView, Finding};
use derny_model::{Observation, Phase, Records, Turn, VisitRecord};

/// Share of the measured wall time spent waiting for a processor.
const WAITING: f64 = 0.05;
/// Share of the measured turns that were preempted, and how many it takes to speak of a share.
const PREEMPTED: f64 = 0.05;
const PREEMPTED_TURNS: usize = 3;
/// Share of processor time stolen by the hypervisor.
const STOLEN: f64 = 0.01;
/// Share of time in which some task waited for a processor. The threads of one runtime wait for each other
/// now and then on few processors; a quarter of the time is more than that.
const PRESSURE: f64 = 0.25;
/// Share of processor time below which nobody else was there. Load and pressure are then of our own making: a
/// wave of runtimes that start together, or a build that ended before the run began.
const ALONE: f64 = 0.1;
/// Share of all processor time used by others that leaves less than one processor to the measurement.
fn crowded(cores: u32) -> f64 {
    (1.0 - 1.0 / f64::from(cores.max(1))).clamp(0.1, 0.9) * 0.8
}

/// The measuring thread itself waited or was preempted.
pub(super) fn case(view: &CaseView) -> Option<Finding> {
    let waited = waited(view.visits).filter(|share| *share > WAITING);
    let preempted = preempted(view.visits).filter(|share| *share > PREEMPTED);
    let message = match (waited, preempted) {
        (Some(share), _) => format!("waited for a processor {:.0} % of the time", share * 100.0),
        (None, Some(share)) => format!("was preempted in {:.0} % of its turns", share * 100.0),
        (None, None) => return None,
    };
    let remedy =
        "stop other programs and run again: the typical time resists contention, but not fully".to_owned();
    Some(Finding { message, remedy, severity: waited.or(preempted).unwrap_or(0.0) })
}

fn measured<'a>(visits: &'a [&'a VisitRecord], name: &'a str) -> impl Iterator<Item = (&'a Turn, f64)> {
    visits.iter().flat_map(move |record| {
        let position = record.visit.metrics.iter().position(|metric| metric.name == name);
        let turns = record.turns.iter().filter(|turn| turn.phase == Phase::Measured);
        turns.filter_map(move |turn| Some((turn, turn.counters.get(position?).copied().flatten()?)))
    })
}

/// Share of run-queue wait in the wall time of the measured turns that have it. A thread may wait once more
/// after its answer, before it sleeps: no turn counts for more than its own time.
fn waited(visits: &[&VisitRecord]) -> Option<f64> {
    let (wait, wall) = measured(visits, "wait").fold((0.0, 0.0), |sum, (turn, wait)| {
        let wall = turn.wall_ns as f64;
        (sum.0 + wait.min(wall), sum.1 + wall)
    });
    (wall > 0.0).then(|| wait / wall)
}

/// Share of measured turns with at least one involuntary switch.
fn preempted(visits: &[&VisitRecord]) -> Option<f64> {
    let counts: Vec<f64> = measured(visits, "preempted").map(|(_, count)| count).collect();
    let hit = counts.iter().filter(|count| **count > 0.0).count();
    (hit >= PREEMPTED_TURNS).then(|| hit as f64 / counts.len() as f64)
}

/// The machine was shared, whether or not the measuring thread noticed: a thread that has just slept is often
/// let through a busy queue, but caches, clocks and turbo are shared all the same.
pub(super) fn machine(records: &Records) -> Option<Finding> {
    let mean = |of: fn(&Observation) -> Option<f64>| {
        let values: Vec<f64> = records.observations.iter().filter_map(of).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let cores = records.header.machine.cores.max(1);
    let others = mean(|seen| seen.busy_others);
    let company = others.is_none_or(|share| share > ALONE);
    let busy = others.filter(|share| *share > crowded(cores));
    let pressure = mean(|seen| seen.pressure).filter(|share| company && *share > PRESSURE);
    let steal = mean(|seen| seen.steal).filter(|share| *share > STOLEN);
    let load = mean(|seen| seen.load).filter(|load| company && *load > f64::from(cores) + 1.0);
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    let parts: Vec<String> = [
        busy.map(|share| format!("other programs used {} of {cores} processors", percent(share))),
        pressure.map(|share| format!("tasks waited for a processor {} of the time", percent(share))),
        steal.map(|share| format!("the hypervisor took {} of the processor time", percent(share))),
        load.map(|load| format!("the load was {load:.1} on {cores} processors")),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() {
        return None;
    }
    Some(Finding {
        message: format!("was contended: {}", parts.join("; ")),
        remedy: "stop other programs, or run on a machine of your own".to_owned(),
        severity: busy.or(pressure).or(steal).unwrap_or(1.0),
    })
}

//! Contention: other programs used the processors.

use super::view::{CaseView, Detected, RunView, percent};
use derny_model::{Observation, Phase, Turn, VisitRecord};
use derny_stats::location::median;

/// Share of the measured wall time spent waiting for a processor above which there is a warning.
const WAITING: f64 = 0.05;
/// Share of measured turns that were preempted above which there is a warning.
const PREEMPTED: f64 = 0.05;
/// Minimum number of preempted turns for a warning.
const PREEMPTED_TURNS: usize = 3;
/// Minimum share by which the timed regions must exceed the processor time of the thread before waiting
/// matters.
const EXCESS: f64 = 0.05;
/// Minimum share by which the timed regions must exceed the processor time before preemptions matter.
const EXCESS_PREEMPTED: f64 = 0.01;
/// Share of the timed regions in which the thread was off the processor, without waiting for one, above which
/// there is a warning.
const BLOCKED: f64 = 0.2;
/// Share of processor time taken by the hypervisor above which there is a warning.
const STOLEN: f64 = 0.01;
/// Share of time in which some task waited for a processor above which there is a warning. With few
/// processors, the threads of one runtime sometimes wait for each other, but less than a quarter of the time.
const PRESSURE: f64 = 0.25;
/// Share of processor time used by other programs below which Derny counts as alone on the machine. Load and
/// pressure then come from Derny itself: from runtimes that start together, or from a build that ended before
/// the run began.
const ALONE: f64 = 0.1;
/// Returns the share of all processor time above which other programs leave less than one processor to the
/// measurement.
fn crowded(cores: u32) -> f64 {
    (1.0 - 1.0 / f64::from(cores.max(1))).clamp(0.1, 0.9) * 0.8
}

/// Warns if the measuring thread waited or was preempted, and its time shows that. A thread that wakes up
/// waits some microseconds before it runs. The engine may also take over the processor of a thread that has
/// just written an answer. Both happen outside the timed region, so waiting proves nothing if processor
/// time can be read.
pub(super) fn case(view: &CaseView) -> Option<Detected> {
    let excess = excess(view);
    let shows = |least: f64| excess.is_none_or(|share| share > least);
    let waited = waited(view.visits).filter(|share| *share > WAITING && shows(EXCESS));
    let preempted = preempted(view.visits).filter(|share| *share > PREEMPTED && shows(EXCESS_PREEMPTED));
    let message = match (waited, preempted) {
        (Some(share), _) => format!("waited for a processor {:.0} % of the time", share * 100.0),
        (None, Some(share)) => format!("was preempted in {:.0} % of its turns", share * 100.0),
        (None, None) => return None,
    };
    let remedy = "stop other programs and run again".to_owned();
    Some(Detected { message, remedy, severity: waited.or(preempted).unwrap_or(0.0) })
}

/// Returns the share of the timed regions in which the thread was certainly off the processor while it waited
/// for one. `None` if processor time or waiting is not recorded. Waiting is never recorded for whole
/// commands, because they may also sleep, or wait for their own processes.
pub(super) fn off(view: &CaseView) -> Option<f64> {
    let off = excess(view).map(|excess| 1.0 - 1.0 / (1.0 + excess.max(0.0)))?;
    Some(off.min(waited(view.visits)?))
}

/// Warns if the body sleeps or waits for something other than a processor.
pub(super) fn blocks(view: &CaseView) -> Option<Detected> {
    if view.result.case.threads.is_some_and(|threads| threads > 1) {
        return None;
    }
    // Use the median of the visits' shares. From inside a process, stolen time looks like blocking, but it
    // does not affect all visits.
    let shares: Vec<f64> = view.visits.iter().filter_map(off_processor).collect();
    if shares.is_empty() {
        return None;
    }
    let share = median(&shares);
    (share > BLOCKED).then(|| Detected {
        message: format!("is blocked for {} of the time", percent(share)),
        remedy: "it sleeps or waits for a lock, a file or the network: remove the waiting, unless you want \
            to measure it"
            .to_owned(),
        severity: share,
    })
}

/// Returns the share of a visit's timed regions in which the thread was certainly off the processor without
/// waiting for one.
fn off_processor(visit: &&VisitRecord) -> Option<f64> {
    let one = std::slice::from_ref(visit);
    let (timed, off) = measured(one, "cpu").fold((0.0, 0.0), |sum, (turn, cpu)| {
        let time = turn.times_ns.iter().sum::<u64>() as f64;
        (sum.0 + time, sum.1 + (time - whole(turn, cpu)).max(0.0))
    });
    let wait: f64 = measured(one, "wait").map(|(turn, wait)| wait.min(turn.wall_ns as f64)).sum();
    (timed > 0.0).then(|| (off - wait) / timed)
}

/// Returns the share by which the timed regions exceed the processor time of the thread. `None` if there are
/// several threads, because their processor time is not that of one thread.
fn excess(view: &CaseView) -> Option<f64> {
    if view.result.case.threads.is_some_and(|threads| threads > 1) {
        return None;
    }
    let (timed, cpu) = measured(view.visits, "cpu").fold((0.0, 0.0), |sum, (turn, cpu)| {
        (sum.0 + turn.times_ns.iter().sum::<u64>() as f64, sum.1 + whole(turn, cpu))
    });
    (cpu > 0.0).then(|| timed / cpu - 1.0)
}

/// Extrapolates the processor time from the timed part of a turn to the whole turn. The thread may have used
/// all of that processor time in the timed region. Timed time beyond it was therefore certainly spent off the
/// processor.
fn whole(turn: &Turn, cpu: f64) -> f64 {
    let timed = turn.times_ns.iter().sum::<u64>().max(1) as f64;
    cpu * (turn.wall_ns as f64 / timed).max(1.0)
}

fn measured<'a>(visits: &'a [&'a VisitRecord], name: &'a str) -> impl Iterator<Item = (&'a Turn, f64)> {
    visits.iter().flat_map(move |record| {
        let position = record.visit.metrics.iter().position(|metric| metric.name == name);
        let turns = record.turns.iter().filter(|turn| turn.phase == Phase::Measured);
        turns.filter_map(move |turn| Some((turn, turn.counters.get(position?).copied().flatten()?)))
    })
}

/// Returns the share of the wall time of measured turns in which the thread waited in the run queue. Uses the
/// turns that recorded it. A thread may wait once more after its answer, so waiting is limited to the time of
/// the turn.
fn waited(visits: &[&VisitRecord]) -> Option<f64> {
    let (wait, wall) = measured(visits, "wait").fold((0.0, 0.0), |sum, (turn, wait)| {
        let wall = turn.wall_ns as f64;
        (sum.0 + wait.min(wall), sum.1 + wall)
    });
    (wall > 0.0).then(|| wait / wall)
}

/// Returns the share of measured turns with at least one involuntary context switch, or `None` if there were
/// few such turns.
fn preempted(visits: &[&VisitRecord]) -> Option<f64> {
    let counts: Vec<f64> = measured(visits, "preempted").map(|(_, count)| count).collect();
    let hit = counts.iter().filter(|count| **count > 0.0).count();
    (hit >= PREEMPTED_TURNS).then(|| hit as f64 / counts.len() as f64)
}

/// Warns if the machine was shared, even if the measuring thread did not wait. A thread that has just slept
/// often gets a busy processor at once, but caches, clocks and turbo are still shared.
pub(super) fn machine(view: &RunView) -> Option<Detected> {
    let records = view.records;
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
    let whole = |share: f64| format!("{:.0} %", share * 100.0);
    // The most informative reason comes first. The first one that applies is shown.
    let why = [
        busy.map(|share| format!("other programs used {} of {cores} processors", whole(share))),
        pressure.map(|share| format!("tasks waited for a processor {} of the time", whole(share))),
        steal.map(|share| format!("the hypervisor took {} of the processor time", whole(share))),
        load.map(|load| format!("the load average was {load:.1} on {cores} processors")),
    ]
    .into_iter()
    .flatten()
    .next()?;
    Some(Detected {
        message: format!("was contended: {why}"),
        remedy: "stop other programs and run again".to_owned(),
        severity: busy.or(pressure).or(steal).unwrap_or(1.0),
    })
}

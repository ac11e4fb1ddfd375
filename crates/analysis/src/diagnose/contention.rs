//! Contention: other programs used the processors.

use super::view::{CaseView, Detected, RunView, percent};
use derny_model::{Observation, Phase, Turn, VisitRecord};
use derny_stats::location::median;

const WAITING: f64 = 0.05;
const PREEMPTED: f64 = 0.05;
const PREEMPTED_TURNS: usize = 3;
/// The timed regions must exceed the thread's processor time by this share for waiting to matter.
const EXCESS: f64 = 0.05;
/// The timed regions must exceed the thread's processor time by this share for preemptions to matter.
const EXCESS_PREEMPTED: f64 = 0.01;
const BLOCKED: f64 = 0.2;
const STOLEN: f64 = 0.01;
/// Share of time with a waiting task that triggers a warning. With few processors, the threads of one runtime
/// wait for each other less than a quarter of the time.
const PRESSURE: f64 = 0.25;
/// If other programs use less than this share of processor time, load and pressure come from Derny itself.
/// Examples are runtimes that start together, or a build that ended before the run began.
const ALONE: f64 = 0.1;
/// Returns the share of all processor time at which other programs leave less than one processor to the
/// benchmark.
fn crowded(cores: u32) -> f64 {
    (1.0 - 1.0 / f64::from(cores.max(1))).clamp(0.1, 0.9) * 0.8
}

/// Warns if the measuring thread waited or was preempted, and if its time shows that. A thread that wakes up
/// waits some microseconds before it runs. The engine may also take the processor from a thread that has just
/// written its answer. Both happen outside the timed region, so waiting alone proves nothing if processor
/// time is known.
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

/// Returns the share of the timed regions that the thread certainly spent waiting for a processor. `None` if
/// processor time or waiting is unknown. Both are unknown for whole commands, which may also sleep or wait
/// for child processes.
pub(super) fn off(view: &CaseView) -> Option<f64> {
    let off = excess(view).map(|excess| 1.0 - 1.0 / (1.0 + excess.max(0.0)))?;
    Some(off.min(waited(view.visits)?))
}

pub(super) fn blocks(view: &CaseView) -> Option<Detected> {
    if view.result.case.threads.is_some_and(|threads| threads > 1) {
        return None;
    }
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

/// Returns the share of a visit's timed regions that the thread certainly spent off the processor without
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

/// Returns the share by which the timed regions exceed the thread's processor time. `None` if several threads
/// work.
fn excess(view: &CaseView) -> Option<f64> {
    if view.result.case.threads.is_some_and(|threads| threads > 1) {
        return None;
    }
    let (timed, cpu) = measured(view.visits, "cpu").fold((0.0, 0.0), |sum, (turn, cpu)| {
        (sum.0 + turn.times_ns.iter().sum::<u64>() as f64, sum.1 + whole(turn, cpu))
    });
    (cpu > 0.0).then(|| timed / cpu - 1.0)
}

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

/// Returns the share of the measured wall time that the thread spent in the run queue. Only turns with this
/// counter count. A thread may wait again after its answer, so waiting is limited to the duration of the
/// turn.
fn waited(visits: &[&VisitRecord]) -> Option<f64> {
    let (wait, wall) = measured(visits, "wait").fold((0.0, 0.0), |sum, (turn, wait)| {
        let wall = turn.wall_ns as f64;
        (sum.0 + wait.min(wall), sum.1 + wall)
    });
    (wall > 0.0).then(|| wait / wall)
}

fn preempted(visits: &[&VisitRecord]) -> Option<f64> {
    let counts: Vec<f64> = measured(visits, "preempted").map(|(_, count)| count).collect();
    let hit = counts.iter().filter(|count| **count > 0.0).count();
    (hit >= PREEMPTED_TURNS).then(|| hit as f64 / counts.len() as f64)
}

/// Warns if the machine was shared, even if the measuring thread did not wait. A thread that wakes up often
/// gets a processor at once, even a busy one. It still shares caches, clock speed and turbo with other
/// programs.
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
    // The most informative reason comes first.
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

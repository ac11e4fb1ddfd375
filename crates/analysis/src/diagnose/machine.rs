//! Warns about the state of the machine. Common conditions, such as turbo or hardware threads, raise a
//! warning only if the clock speed varied or other programs ran.

use super::view::{Detected, RunView, percent};
use derny_model::Observation;
use derny_stats::location::median;
use derny_stats::quantile::{quantile, sorted};
use std::collections::BTreeMap;

/// A larger change in the time of the reference kernel over the waves triggers a warning. The change is the
/// range between the 10th and the 90th percentile.
const MOVED: f64 = 0.02;
const STIRRED: f64 = 0.01;
/// Difference between processors that triggers a warning for unpinned threads.
const UNEQUAL: f64 = 0.01;
/// Difference between processors that triggers a warning for pinned threads.
const UNEQUAL_PINNED: f64 = 0.05;
/// Sibling threads matter if other programs use more than this share of processor time.
const COMPANY: f64 = 0.05;

fn fact<'a>(view: &'a RunView, name: &str) -> Option<&'a str> {
    view.records.header.machine.facts.get(name).map(String::as_str)
}

/// Returns the relative change in the time of the reference kernel between waves. `None` for fewer than three
/// waves.
fn movement(observations: &[Observation]) -> Option<f64> {
    let seen = observations.iter().filter(|seen| !seen.spin_ns.is_empty());
    let fastest = seen.map(|seen| seen.spin_ns.iter().map(|spin| spin.1).fold(f64::INFINITY, f64::min));
    let times = sorted(&fastest.collect::<Vec<_>>());
    (times.len() >= 3 && times[0] > 0.0).then(|| quantile(&times, 0.9) / quantile(&times, 0.1) - 1.0)
}

fn stirred(view: &RunView) -> Option<f64> {
    movement(&view.records.observations).filter(|share| *share > STIRRED)
}

pub(super) fn governor(view: &RunView) -> Option<Detected> {
    let governor = fact(view, "governor").filter(|governor| *governor != "performance")?;
    let share = stirred(view)?;
    Some(Detected {
        message: format!(
            "ran with the governor {governor}, and the clock speed varied by {} between waves",
            percent(share)
        ),
        remedy: "set the governor to `performance` while measuring".to_owned(),
        severity: share,
    })
}

/// Warns if turbo is on and the speed changed. `turbo-off` and `boost` are two drivers' names for the same
/// setting.
pub(super) fn turbo(view: &RunView) -> Option<Detected> {
    let on = fact(view, "turbo-off") == Some("0") || fact(view, "boost") == Some("1");
    let share = stirred(view).filter(|_| on)?;
    Some(Detected {
        message: format!("ran with turbo on, and the clock speed varied by {} between waves", percent(share)),
        remedy: "turn turbo off while measuring".to_owned(),
        severity: share,
    })
}

pub(super) fn siblings(view: &RunView) -> Option<Detected> {
    let active = fact(view, "smt") == Some("1");
    let busy: Vec<f64> = view.records.observations.iter().filter_map(|seen| seen.busy_others).collect();
    let busy = (!busy.is_empty()).then(|| median(&busy)).filter(|share| active && *share > COMPANY)?;
    Some(Detected {
        message: format!(
            "shared its cores: each has two hardware threads, and other programs used {} of them",
            percent(busy)
        ),
        remedy: "stop other programs, or turn multithreading off".to_owned(),
        severity: busy,
    })
}

pub(super) fn battery(view: &RunView) -> Option<Detected> {
    (fact(view, "on-battery") == Some("yes")).then(|| Detected {
        message: "ran on battery power, which can lower the clock speed".to_owned(),
        remedy: "connect the power supply".to_owned(),
        severity: 1.0,
    })
}

/// Warns if the speed of processors differs. The threshold is lower if the scheduler placed the threads.
pub(super) fn processors(view: &RunView) -> Option<Detected> {
    let mut times: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for (processor, time) in view.records.observations.iter().flat_map(|seen| &seen.spin_ns) {
        times.entry(*processor).or_default().push(*time);
    }
    let speeds: Vec<(u32, f64)> =
        times.iter().map(|(processor, times)| (*processor, median(times))).collect();
    let slowest = speeds.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let fastest = speeds.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let share = slowest.1 / fastest.1 - 1.0;
    // With few readings, a slow processor may only have been busy, so use the higher threshold.
    let looks = times.values().map(Vec::len).min().unwrap_or(0);
    let pinned = view.records.visits.iter().any(|record| record.turns.facts().pinned);
    let limit = if pinned || looks < 3 { UNEQUAL_PINNED } else { UNEQUAL };
    (share > limit).then(|| Detected {
        message: format!(
            "used unequal processors: processor {} is {} slower than processor {}",
            slowest.0,
            percent(share),
            fastest.0
        ),
        remedy: "choose equal processors with --set pin=LIST".to_owned(),
        severity: share,
    })
}

/// Warns if threads could not be pinned as configured. Turns and yardsticks then ran on any processor.
pub(super) fn unmoved(view: &RunView) -> Option<Detected> {
    let (settings, seen) = (&view.records.header.settings, &view.records.observations);
    let is_measured = !seen.is_empty() && !view.records.visits.is_empty();
    let wanted = !settings.pin.is_empty() && !settings.attached && !settings.once && is_measured;
    let pinned = view.records.visits.iter().any(|visit| visit.turns.facts().pinned);
    let moved = pinned || seen.iter().any(|seen| !seen.spin_ns.is_empty());
    (wanted && !moved).then(|| Detected {
        message: "could not choose processors: the system refused".to_owned(),
        remedy: "allow sched_setaffinity in the container, or use --set pin=none".to_owned(),
        severity: 0.0,
    })
}

pub(super) fn throttling(view: &RunView) -> Option<Detected> {
    let share = movement(&view.records.observations).filter(|share| *share > MOVED)?;
    Some(Detected {
        message: format!("ran on processors whose clock speed varied by {} between waves", percent(share)),
        remedy: "let the machine cool, or use one with a fixed clock speed".to_owned(),
        severity: share,
    })
}

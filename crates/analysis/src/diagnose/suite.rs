//! Warns about effects between cases that share processes.

use super::series::{TurnSeries, locations};
use super::view::{CaseView, Detected, RunView, percent};
use derny_model::LookReason;
use derny_stats::median;
use derny_stats::{theil_sen, theil_sen_interval};

/// Smallest effect that matters, as a share, from the first position to the last.
const EFFECT: f64 = 0.01;
const ALPHA: f64 = 0.01;
const LEAST_VISITS: usize = 20;
const LEAST_POSITIONS: u32 = 3;
/// The slope uses all pairs of visits, so larger runs are sampled.
const MOST_VISITS: usize = 1500;

/// Warns if cases are slower or faster the later a process runs them. Positions are random, so only the
/// position itself can cause a slope.
pub(super) fn position(view: &RunView) -> Option<Detected> {
    let points = locations(view.series);
    let last = points.iter().map(|(one, _)| one.position).max().filter(|last| *last >= LEAST_POSITIONS)?;
    if points.len() < LEAST_VISITS {
        return None;
    }
    let stride = points.len().div_ceil(MOST_VISITS);
    let taken = points.iter().step_by(stride);
    let (x, y): (Vec<f64>, Vec<f64>) = taken.map(|(one, value)| (f64::from(one.position), *value)).unzip();
    let interval = theil_sen_interval(&x, &y, ALPHA)?;
    let effect = theil_sen(&x, &y) * f64::from(last);
    if effect.abs() < EFFECT || interval.lo <= 0.0 && interval.hi >= 0.0 {
        return None;
    }
    Some(Detected {
        message: format!(
            "measures cases {} {} at the end of a process than at its beginning",
            percent(libm::expm1(effect)),
            if effect > 0.0 { "slower" } else { "faster" }
        ),
        remedy: "measure each case in its own process: --set isolation=case".to_owned(),
        severity: effect.abs(),
    })
}

/// Warns if a case takes more or less time in processes that ran other cases before. The case's result then
/// excludes these processes.
pub(super) fn neighbours(view: &CaseView) -> Option<Detected> {
    let case = view.visits.first()?.visit.case;
    let mut looks = view.records.looks.iter().filter(|look| look.case == case);
    let aside = &looks.find(|look| look.reason == LookReason::Neighbours)?.blocks;
    let beside = view.visits.iter().filter(|record| !record.complete && record.visit.mode.is_none());
    let beside = beside.filter_map(|record| {
        let process = view.processes.get(&record.visit.process)?;
        let is_aside = aside.binary_search(&process.block).is_ok();
        let series = || TurnSeries::new(process.variant, record, &view.result.case, process.clock_step_ns);
        is_aside.then(series).flatten().map(|series| series.location)
    });
    let beside: Vec<f64> = beside.collect();
    let alone: Vec<f64> = view.series.iter().map(|series| series.location).collect();
    if beside.is_empty() || alone.is_empty() {
        return None;
    }
    let effect = median(&beside) - median(&alone);
    (effect.abs() >= EFFECT).then(|| Detected {
        message: format!(
            "is {} {} in a process that has measured other cases, so it was measured alone",
            percent(libm::expm1(effect)),
            if effect > 0.0 { "slower" } else { "faster" }
        ),
        remedy: "find out what the cases share, such as a cache or a large heap; --set isolation=case \
            measures each alone"
            .to_owned(),
        severity: effect.abs(),
    })
}

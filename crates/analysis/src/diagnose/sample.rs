//! Warns about samples that are too small or change during the run.

use super::view::{CaseView, Detected, RunView};
use derny_estimate::{level, precision};
use derny_model::{CaseState, StopReason, VisitRecord, words};
use derny_stats::location::median;

/// Resident memory may grow by this share without a warning. Managed heaps fluctuate, so growth must also
/// exceed [`GROWTH_BYTES`].
const GROWTH: f64 = 0.25;
/// Resident memory may also grow by this many bytes without a warning.
const GROWTH_BYTES: f64 = 16e6;
/// Maximum number of processes that a remedy proposes. Together, they may take at most [`USABLE_NS`].
const USABLE: u32 = 1_000;
const USABLE_NS: u64 = 3_600_000_000_000;

pub(super) fn too_few(view: &CaseView) -> Option<Detected> {
    let variants = &view.result.variants;
    let enough = level::enough(&view.records.header.settings, variants.len());
    let fewest = variants.iter().map(|variant| variant.processes as usize).min().filter(|n| *n < enough)?;
    let (one, several) = match view.records.header.settings.attached {
        true => ("visit", "visits"),
        false => ("process", "processes"),
    };
    let processes = words::counted(fewest, one, several);
    let range = match words::range_holds(fewest as u32) {
        Some(share) => format!(
            "too few for an interval; their range contains the median with a probability \
            of {share}"
        ),
        None => "too few for an interval".to_owned(),
    };
    Some(Detected {
        message: format!("is based on {processes}: {range}"),
        remedy: match &view.records.header.imported {
            Some(from) => format!(
                "measure it with Derny, or import what {} measures in {enough} processes or more",
                from.tool
            ),
            None => format!("use --set processes={enough} or more, or a larger --budget"),
        },
        severity: (enough - fewest) as f64,
    })
}

pub(super) fn attached(view: &RunView) -> Option<Detected> {
    view.records.header.settings.attached.then(|| Detected {
        message: "was measured in one process: the intervals do not cover differences between \
            processes"
            .to_owned(),
        remedy: "put the benchmarks into a file, and let `derny run` start separate processes".to_owned(),
        severity: 1.0,
    })
}

pub(super) fn memory(view: &CaseView) -> Option<Detected> {
    let pairs: Vec<(f64, f64)> = view
        .ends()
        .filter_map(|end| end.resident_bytes.map(|(first, last)| (first as f64, last as f64)))
        .collect();
    if pairs.is_empty() {
        return None;
    }
    let first = median(&pairs.iter().map(|pair| pair.0).collect::<Vec<_>>());
    let last = median(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
    let grown = last - first;
    if grown < GROWTH_BYTES || grown < GROWTH * first {
        return None;
    }
    Some(Detected {
        message: format!(
            "was measured in processes that grew from {:.0} to {:.0} MB",
            first / 1e6,
            last / 1e6
        ),
        remedy: "look for data that the body keeps: a growing heap changes the measurement".to_owned(),
        severity: grown,
    })
}

/// Warns if measuring a case stopped before its interval was as narrow as requested. Does not apply to
/// several variants, whose ratios matter more, or to `--quick`, which has no target precision.
pub(super) fn imprecise(view: &CaseView) -> Option<Detected> {
    let settings = &view.records.header.settings;
    let stopped = match view.result.state {
        CaseState::Measured(StopReason::Budget) => "the budget ran out",
        CaseState::Measured(StopReason::Maximum) => "the maximum number of processes was reached",
        CaseState::Measured(StopReason::PrecisionPredicted) => "the budget would not have been enough",
        _ => return None,
    };
    let [variant] = view.result.variants.as_slice() else { return None };
    // Imported results have no target precision.
    if view.records.header.imported.is_some() {
        return None;
    }
    let interval = variant.time.as_ref()?.typical.interval.filter(|_| !settings.quick)?;
    let half = libm::log(interval.hi / interval.lo) / 2.0;
    if half <= settings.precision {
        return None;
    }
    let [known, asked] = words::percents([half, settings.precision]);
    let cost_ns = |needed: u32| (f64::from(needed) * each_ns(view)) as u64;
    let forecast = needed(view).filter(|needed| *needed > variant.processes);
    let needed = forecast.filter(|needed| *needed <= USABLE && cost_ns(*needed) <= USABLE_NS);
    let cost = needed.map_or(String::new(), |needed| {
        let time = words::wall(cost_ns(needed));
        let replicates = if settings.attached { "visits" } else { "processes" };
        format!("; ±{asked} would need {needed} {replicates}, {time}")
    });
    let remedy = match needed.filter(|_| !settings.attached) {
        Some(needed) => {
            let most = match needed > settings.processes {
                true => format!(" --set processes={needed}"),
                false => String::new(),
            };
            let total = if settings.total_ns.is_some() { " and a longer --total" } else { "" };
            format!("use --precise{most}{total}")
        }
        None if forecast != needed => "stop other programs".to_owned(),
        None => "raise --budget or the setting `processes`".to_owned(),
    };
    Some(Detected {
        message: format!("reached ±{known} instead of ±{asked}: {stopped}{cost}"),
        remedy: format!("{remedy}, or accept a wider interval with --set precision=SHARE"),
        severity: half,
    })
}

fn needed(view: &CaseView) -> Option<u32> {
    let time = view.result.variants.first()?.time.as_ref()?;
    let logs: Vec<f64> = time.processes.iter().map(|process| libm::log(process.time_ns)).collect();
    precision::needed(&logs, view.records.header.settings.precision, view.levels)
}

/// Returns the average cost of a process in ns: the opening of the case and its turns, plus the launch of the
/// process if the case came first.
fn each_ns(view: &CaseView) -> f64 {
    let mut processes: Vec<u32> = view.visits.iter().map(|record| record.visit.process).collect();
    processes.sort_unstable();
    processes.dedup();
    let launch_ns = |record: &VisitRecord| match view.processes.get(&record.visit.process) {
        Some(start) if record.visit.position == 0 && record.visit.mode.is_none() => start.launch_ns,
        _ => 0,
    };
    let turns_ns = |record: &VisitRecord| record.turns.iter().map(|turn| turn.wall_ns).sum::<u64>();
    let visits = view.visits.iter().map(|record| launch_ns(record) + record.visit.open_ns + turns_ns(record));
    visits.sum::<u64>() as f64 / processes.len().max(1) as f64
}

/// Warns if batches were pruned, so that only the values of turns remain.
pub(super) fn pruned(view: &CaseView) -> Option<Detected> {
    let complete = || view.visits.iter().filter(|record| record.complete);
    let pruned = complete().filter(|record| record.pruned).count();
    (pruned > 0).then(|| Detected {
        message: "is based on pruned data: only the median batch of each turn is left".to_owned(),
        remedy: "estimates remain valid; for quantiles, outliers and the histogram, measure again".to_owned(),
        severity: pruned as f64 / complete().count() as f64,
    })
}

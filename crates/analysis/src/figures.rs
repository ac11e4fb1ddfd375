//! The figures of a result. Each row defines the name, unit and computation of one figure.

use crate::process::Process;
use crate::spread::Spread;
use derny_estimate::side_estimate::SideEstimate;
use derny_model::{Case, Direction, Estimate, Figure, Kind, MetricSummary, TimeSummary};
use derny_stats::{location, outliers, scale};
use std::collections::HashMap;

pub(crate) struct Basis<'a> {
    pub case: &'a Case,
    pub processes: &'a [Process],
    /// Start of each process's first turn, in ns since the start of the run.
    pub begun: &'a HashMap<u32, u64>,
    pub spread: &'a Spread,
    /// Logarithms of process times.
    pub logs: &'a [f64],
    pub time: &'a TimeSummary,
    pub typical: SideEstimate,
    pub mean: SideEstimate,
    /// Slope of batch time over iterations, its R², and the robust slope. Only with `--set ladder=yes`.
    pub ladder: Option<(f64, f64, f64)>,
    /// Standard deviations of turns within processes and between processes, as shares.
    pub components: (f64, f64),
}

struct Statistic {
    name: &'static str,
    label: &'static str,
    unit: &'static str,
    kind: Kind,
    per_operation: bool,
    better: Direction,
    of: fn(&Basis) -> Option<SideEstimate>,
}

const STATISTICS: [Statistic; 29] = [
    time("time", "typical time", |basis| Some(basis.typical)),
    time("mean", "mean", |basis| Some(basis.mean)),
    time("batch_mean", "mean of batches", |basis| point(basis.spread.mean())),
    time("standard_deviation", "standard deviation of batches", |basis| point(basis.spread.deviation())),
    time("median", "median of batches", |basis| point(basis.time.median)),
    time("mad", "median absolute deviation", |basis| point(basis.spread.mad())),
    time("minimum", "least", |basis| point(basis.spread.minimum())),
    time("q1", "first quartile", |basis| point(basis.spread.quantile(0.25))),
    time("q3", "third quartile", |basis| point(basis.spread.quantile(0.75))),
    time("p95", "95th percentile", |basis| point(basis.spread.quantile(0.95))),
    time("p99", "99th percentile", |basis| point(basis.spread.quantile(0.99))),
    time("maximum", "greatest", |basis| point(basis.spread.maximum())),
    share("within", "spread from turn to turn", |basis| point(basis.components.0)),
    share("between", "spread from process to process", |basis| point(basis.components.1)),
    share("outlier_variance", "variance from outliers", |basis| point(outlier_variance(basis.processes))),
    share("detectable", "smallest detectable change", |basis| point(detectable(basis.logs)?)),
    rate("ops_per_second", "rate", "op/s", |basis| per_second(basis, 1.0)),
    rate("bytes_per_second", "throughput", "bytes/s", |basis| {
        per_second(basis, basis.case.bytes? / basis.case.ops)
    }),
    rate("items_per_second", "items", "items/s", |basis| {
        per_second(basis, basis.case.items? / basis.case.ops)
    }),
    Statistic {
        per_operation: false,
        ..time("floor", "empty body", |basis| point(basis.time.floor?.time_ns))
    },
    seen("measured_at", "measured at", "count", |basis| point(measured_at(basis.processes)?)),
    time("cold", "first call", |basis| point(basis.time.cold?.time_ns)),
    Statistic {
        kind: Kind::Level,
        per_operation: false,
        ..time("collect", "a collection", |basis| point(collection(basis.processes)?))
    },
    time("slope", "slope by least squares", |basis| point(basis.ladder?.0)),
    Statistic {
        unit: "",
        better: Direction::None,
        ..share("r_squared", "R² of the slope", |basis| point(basis.ladder?.1))
    },
    time("robust_slope", "slope by Theil–Sen", |basis| point(basis.ladder?.2)),
    seen("observed", "total time observed", "ns", |basis| {
        point(basis.processes.iter().map(|process| process.replicate.cost.wall_ns()).sum())
    }),
    seen("collections", "collections seen", "count", |basis| point(collections(basis.processes)?)),
    seen("age", "oldest process", "ns", |basis| point(age(basis)?)),
];

const fn time(name: &'static str, label: &'static str, of: fn(&Basis) -> Option<SideEstimate>) -> Statistic {
    Statistic { name, label, unit: "ns", kind: Kind::Total, per_operation: true, better: Direction::Less, of }
}

const fn share(name: &'static str, label: &'static str, of: fn(&Basis) -> Option<SideEstimate>) -> Statistic {
    Statistic {
        name,
        label,
        unit: "share",
        kind: Kind::Rate,
        per_operation: false,
        better: Direction::Less,
        of,
    }
}

const fn rate(
    name: &'static str,
    label: &'static str,
    unit: &'static str,
    of: fn(&Basis) -> Option<SideEstimate>,
) -> Statistic {
    Statistic { name, label, unit, kind: Kind::Rate, per_operation: false, better: Direction::More, of }
}

const fn seen(
    name: &'static str,
    label: &'static str,
    unit: &'static str,
    of: fn(&Basis) -> Option<SideEstimate>,
) -> Statistic {
    Statistic { name, label, unit, kind: Kind::Level, per_operation: false, better: Direction::None, of }
}

pub(crate) fn of_time(basis: &Basis) -> Vec<Figure> {
    let figure = |row: &Statistic| {
        let SideEstimate { estimate: Estimate { value, interval }, range } = (row.of)(basis)?;
        Some(Figure {
            name: row.name.into(),
            label: if row.name == "time" { label_of_time(basis) } else { row.label }.into(),
            metric: false,
            unit: row.unit.into(),
            kind: row.kind,
            per_operation: row.per_operation,
            better: row.better,
            value,
            interval,
            range,
        })
    };
    STATISTICS.iter().filter_map(figure).collect()
}

/// Returns the label of typical time. If another program would report the first call, the label is `steady`,
/// or `first calls` if no process was warmed up.
fn label_of_time(basis: &Basis) -> &'static str {
    match (&basis.case.runner, basis.time.unwarmed) {
        (None, _) => "typical time",
        (Some(_), false) => "steady",
        (Some(_), true) => "first calls",
    }
}

pub(crate) fn of_metrics(metrics: &[MetricSummary]) -> impl Iterator<Item = Figure> {
    metrics.iter().map(|MetricSummary { metric, estimate, range, per_operation, .. }| Figure {
        name: (&metric.name).into(),
        label: (&metric.name).into(),
        metric: true,
        unit: (&metric.unit).into(),
        kind: metric.kind,
        per_operation: *per_operation,
        better: metric.direction,
        value: estimate.value,
        interval: estimate.interval,
        range: *range,
    })
}

fn point(value: f64) -> Option<SideEstimate> {
    Some(SideEstimate::point(value))
}

/// Returns the rate of `work` per operation at typical time. The ends of the interval swap. `None` if no time
/// was measured.
fn per_second(basis: &Basis, work: f64) -> Option<SideEstimate> {
    let rate = |time: f64| work * (1e9 / time.max(f64::MIN_POSITIVE));
    (basis.typical.estimate.value > 0.0).then(|| basis.typical.map(rate))
}

/// Returns the share of the variance that is due to outliers, from 0 to 1, as criterion defines it.
fn outlier_variance(processes: &[Process]) -> f64 {
    let turns: Vec<f64> = processes.iter().flat_map(|process| &process.turns).copied().collect();
    if turns.len() < 2 {
        return 0.0;
    }
    outliers::outlier_variance(location::mean(&turns), scale::standard_deviation(&turns), turns.len())
}

/// Returns the smallest change that a comparison would find in 95 of 100 trials at the 5 % level. Assumes a
/// pair per process. Solves P = 26 (σ/δ)² for δ, where P is the number of pairs and σ is the standard
/// deviation of process values. Pairs cancel drift, so a comparison is at least this good.
fn detectable(logs: &[f64]) -> Option<f64> {
    (logs.len() > 1).then(|| scale::standard_deviation(logs) * (26.0 / logs.len() as f64).sqrt())
}

/// Returns the smallest iteration parameter used, if it is below the configured one.
fn measured_at(processes: &[Process]) -> Option<f64> {
    processes.iter().filter_map(|process| process.lowered).min().map(|n| n as f64)
}

fn collection(processes: &[Process]) -> Option<f64> {
    let times: Vec<f64> = processes.iter().filter_map(|process| process.collection).collect();
    (!times.is_empty()).then(|| location::median(&times))
}

/// Returns the total number of collections in measured turns. `None` if the harness does not count them.
fn collections(processes: &[Process]) -> Option<f64> {
    processes.iter().filter_map(|process| process.observed.collections).reduce(|sum, count| sum + count)
}

/// Returns the longest time from a process's first turn to the end of its last measured turn. `None` without
/// timestamps.
fn age(basis: &Basis) -> Option<f64> {
    let lived = |process: &Process| {
        Some(process.observed.ended_ns.saturating_sub(*basis.begun.get(&process.process)?))
    };
    let longest = basis.processes.iter().filter_map(lived).max()?;
    (longest > 0).then_some(longest as f64)
}

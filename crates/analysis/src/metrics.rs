//! Metrics: counters read at the end of turns. Totals are divided by operations. Levels, peaks and rates are
//! not.
//!
//! A harness may measure other modes in addition to its default. Their quantities become metrics. If the name
//! of a mode begins with `time`, its time becomes a metric with that name. A counter that the default mode
//! never reads keeps its name, and others become `mode.counter`. The first call of a process is added if
//! another program would report it.

use crate::cold;
use crate::scope::Scope;
use derny_estimate::level::Levels;
use derny_estimate::side_estimate::SideEstimate;
use derny_estimate::turn;
use derny_model::{Case, Direction, Kind, Metric, MetricSummary, Phase, Turn, VisitRecord};
use derny_stats::location::{hodges_lehmann, median};
use derny_stats::regression::least_squares;
use derny_stats::standard_deviation;

struct MetricTurns {
    metric: Metric,
    per_operation: bool,
    /// True for times per operation in another mode. The value of each turn is already a location estimate.
    located: bool,
    /// For each process, the counter and the operations of every measured turn that has the counter.
    processes: Vec<Vec<(f64, f64)>>,
}

/// Values that differ by at most this share are equal. Allows for rounding when equal counts are divided by
/// equal operations.
const SAME: f64 = 1e-9;

/// Returns the summaries of all metrics in the order of declaration. `processes` contains the complete visits
/// of each process.
pub(crate) fn metrics(
    case: &Case,
    processes: &[Vec<&VisitRecord>],
    scope: &Scope,
    levels: &Levels,
) -> Vec<MetricSummary> {
    let all: Vec<MetricTurns> = series(case, processes);
    let summaries = all.iter().filter_map(|series| {
        let ladder = if scope.ladder { series.ladder() } else { None };
        Some(MetricSummary { ladder, ..series.summary(levels)? })
    });
    summaries.collect()
}

/// Returns every metric with its value in each process. `None` if a process lacks the metric.
pub(crate) fn by_process(case: &Case, processes: &[Vec<&VisitRecord>]) -> Vec<(Metric, Vec<Option<f64>>)> {
    let values = series(case, processes).into_iter().map(|series| {
        let value = |turns: &Vec<(f64, f64)>| (!turns.is_empty()).then(|| series.process_value(turns));
        let mut values: Vec<Option<f64>> = series.processes.iter().map(value).collect();
        values.resize(processes.len(), None);
        (series.metric, values)
    });
    values.collect()
}

fn series(case: &Case, processes: &[Vec<&VisitRecord>]) -> Vec<MetricTurns> {
    let first: Vec<&str> = read_first(processes);
    let mut all: Vec<MetricTurns> = Vec::new();
    for (index, visits) in processes.iter().enumerate() {
        if let Some((name, call)) = case.as_run().zip(cold::as_run(case, visits)) {
            let first = of(&mut all, time(&name), index);
            first.located = true;
            first.push(call.time_ns, Some(1.0));
        }
        for record in visits {
            let mode = record.visit.mode.as_deref();
            if let Some(mode) = mode.filter(|mode| mode.starts_with("time")) {
                of(&mut all, time(mode), index).add_times(record, case.ops);
            }
            for (position, metric) in record.visit.metrics.iter().enumerate() {
                // The harness's own reading comes first. Ignore repeated names.
                if record.visit.metrics[..position].iter().any(|earlier| earlier.name == metric.name) {
                    continue;
                }
                let name = match mode {
                    Some(mode) if first.contains(&metric.name.as_str()) => format!("{mode}.{}", metric.name),
                    _ => metric.name.clone(),
                };
                of(&mut all, Metric { name, ..metric.clone() }, index).add(record, position, case.ops);
            }
            let measured = record.turns.iter().filter(|turn| turn.phase == Phase::Measured);
            for (turn, reported) in measured.flat_map(|turn| turn.reported.iter().map(move |one| (turn, one)))
            {
                let operations = operations(&reported.metric, turn, case.ops);
                of(&mut all, reported.metric.clone(), index).push(reported.value, operations);
            }
            if let Some(report) = &record.report {
                for reported in &report.values {
                    let divided = reported.metric.kind == Kind::Total && report.operations > 0.0;
                    let operations = divided.then_some(report.operations);
                    of(&mut all, reported.metric.clone(), index).push(reported.value, operations);
                }
            }
        }
    }
    all
}

fn time(name: &str) -> Metric {
    let (name, unit) = (name.to_owned(), "ns".to_owned());
    Metric { name, unit, kind: Kind::Total, direction: Direction::Less, exact: false }
}

fn read_first<'a>(processes: &[Vec<&'a VisitRecord>]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for record in processes.iter().flatten().filter(|record| record.visit.mode.is_none()) {
        for (position, metric) in record.visit.metrics.iter().enumerate() {
            let mut turns = record.turns.iter().filter(|turn| turn.phase == Phase::Measured);
            if !names.contains(&metric.name.as_str())
                && turns.any(|turn| turn.counters.get(position).copied().flatten().is_some())
            {
                names.push(&metric.name);
            }
        }
    }
    names
}

fn of(all: &mut Vec<MetricTurns>, metric: Metric, index: usize) -> &mut MetricTurns {
    let at = all.iter().position(|series| series.metric.name == metric.name).unwrap_or_else(|| {
        all.push(MetricTurns { metric, per_operation: true, located: false, processes: Vec::new() });
        all.len() - 1
    });
    all[at].processes.resize(index + 1, Vec::new());
    &mut all[at]
}

impl MetricTurns {
    fn add_times(&mut self, record: &VisitRecord, ops: f64) {
        self.located = true;
        for turn in record.turns.iter().filter(|turn| turn.phase == Phase::Measured) {
            // With a clock step of 0, the value is the median batch.
            let value = turn::value(turn, ops, 0);
            let process = self.processes.last_mut().expect("resized by the caller");
            process.extend(value.map(|value| (value, 1.0)));
        }
    }

    fn add(&mut self, record: &VisitRecord, position: usize, ops: f64) {
        let measured = record.turns.iter().filter(|turn| turn.phase == Phase::Measured);
        for turn in measured {
            let Some(value) = turn.counters.get(position).copied().flatten().filter(|v| v.is_finite()) else {
                continue;
            };
            let operations = operations(&self.metric, turn, ops);
            self.push(value, operations);
        }
    }

    fn push(&mut self, value: f64, operations: Option<f64>) {
        self.per_operation = operations.is_some();
        let process = self.processes.last_mut().expect("resized by the caller");
        process.push((value, operations.unwrap_or(1.0)));
    }

    fn summary(&self, levels: &Levels) -> Option<MetricSummary> {
        let processes: Vec<&Vec<(f64, f64)>> =
            self.processes.iter().filter(|turns| !turns.is_empty()).collect();
        let first = processes.first()?.first()?;
        let first = first.0 / first.1;
        let same =
            |(value, operations): &(f64, f64)| (value / operations - first).abs() <= SAME * first.abs();
        let constant = processes.iter().flat_map(|turns| turns.iter()).all(same);
        let values: Vec<f64> = processes.iter().map(|turns| self.process_value(turns)).collect();
        let own = if constant { SideEstimate::point(first) } else { SideEstimate::of(&values, levels) };
        Some(MetricSummary {
            metric: self.metric.clone(),
            estimate: own.estimate,
            range: own.range,
            deviation: if constant { Some(0.0) } else { deviation(&values) },
            constant,
            per_operation: self.per_operation,
            ladder: None,
        })
    }

    /// Returns slope and R² of the counter against operations over all turns. `None` if operations did not
    /// vary.
    fn ladder(&self) -> Option<(f64, f64)> {
        let points = self.processes.iter().flatten().filter(|_| self.per_operation && !self.located);
        let (y, x): (Vec<f64>, Vec<f64>) = points.copied().unzip();
        let fit = least_squares(&x, &y);
        (fit.slope.is_finite() && fit.r_squared.is_finite()).then_some((fit.slope, fit.r_squared))
    }

    /// Returns the value of a process. Totals are summed, so that rare events count fully.
    fn process_value(&self, turns: &[(f64, f64)]) -> f64 {
        if self.per_operation && !self.located {
            let (value, operations) = turns.iter().fold((0.0, 0.0), |sum, t| (sum.0 + t.0, sum.1 + t.1));
            return value / operations;
        }
        let values: Vec<f64> = turns.iter().map(|(value, _)| *value).collect();
        match self.metric.kind {
            Kind::Peak => values.into_iter().fold(f64::NEG_INFINITY, f64::max),
            Kind::Level | Kind::Rate => median(&values),
            Kind::Total | Kind::Reported => hodges_lehmann(&values),
        }
    }
}

/// Returns the standard deviation of the values' logarithms. `None` for fewer than two values, or if one is
/// not positive.
fn deviation(values: &[f64]) -> Option<f64> {
    let logs: Vec<f64> = values.iter().map(|value| libm::log(*value)).collect();
    Some(standard_deviation(&logs)).filter(|deviation| deviation.is_finite())
}

/// Returns the operations of the turn if the metric is a total. `None` for other metrics, and for a turn
/// without times.
pub(crate) fn operations(metric: &Metric, turn: &Turn, ops_per_iteration: f64) -> Option<f64> {
    if metric.kind != Kind::Total || turn.times_ns.is_empty() {
        return None;
    }
    Some(turn::totals(turn, ops_per_iteration).1).filter(|operations| *operations > 0.0)
}

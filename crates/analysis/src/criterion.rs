//! The figures of Haskell's criterion: regression of time on iterations, mean, deviation, and bootstrap
//! intervals. criterion resamples single measurements. Measurements of one process are correlated, so Derny
//! resamples whole processes if there are several. A measurement is the mean batch of a turn. With `--set
//! ladder=yes`, batches grow and turns do not.

mod bootstrap;
mod regress;

use bootstrap::{ENOUGH, RESAMPLES, estimate};
use derny_model::{
    Case, CriterionCase, CriterionRegression, CriterionRow, Estimate, Phase, Records, RunHeader, TukeyCounts,
    Turn, VisitRecord, words,
};
use derny_stats::bootstrap::percentile_intervals;
use derny_stats::density::smooth;
use derny_stats::{Rng, outlier_variance, outliers};
use std::collections::BTreeMap;

pub use regress::Regress;

/// Minimum duration of a measurement that counts for the mean, in seconds. If there are too few of these,
/// shorter measurements count too.
const LEAST_S: f64 = 0.030;
/// Minimum ratio of the largest to the smallest number of iterations for a regression.
const GROWN: f64 = 1.2;
const POINTS: usize = 128;

/// Returns the figures of every variant of every timed case, in catalogue order. They always include the
/// regression of time on iterations. If `wanted` is empty, a regression of allocation on iterations is added.
pub fn criterion(records: &Records, wanted: &[Regress]) -> Vec<CriterionCase> {
    let time = Regress::on_iterations("time");
    let mut regressions = vec![time.clone()];
    if wanted.is_empty() {
        regressions.push(Regress::on_iterations("allocated"));
    }
    regressions.extend(wanted.iter().filter(|one| **one != time).cloned());
    let mut rng = Rng::new(records.header.seed);
    let several = records.header.variants.len() > 1;
    let mut all = Vec::new();
    for (index, case) in records.cases.iter().enumerate() {
        for (variant, processes) in processes(records, index as u32) {
            let rows: Vec<Vec<CriterionRow>> = processes.iter().map(|visits| rows(records, visits)).collect();
            let mut name = name(case);
            if let Some(variant) = records.header.variants.get(variant as usize).filter(|_| several) {
                name = format!("{name}/{}", variant.name);
            }
            all.extend(summary(records, (index as u32, name), &rows, &regressions, &mut rng));
        }
    }
    all
}

fn name(case: &Case) -> String {
    let values = case.id.params.iter().map(|(_, value)| value.as_str());
    std::iter::once(case.id.benchmark.as_str()).chain(values).collect::<Vec<_>>().join("/")
}

fn processes(records: &Records, case: u32) -> BTreeMap<u32, Vec<Vec<&VisitRecord>>> {
    let mut found: BTreeMap<(u32, u32), Vec<&VisitRecord>> = BTreeMap::new();
    let counts = |record: &&VisitRecord| record.complete && record.visit.mode.is_none();
    for record in records.visits.iter().filter(counts).filter(|record| record.visit.case == case) {
        let start = records.processes.iter().find(|start| start.process == record.visit.process);
        let variant = start.map_or(0, |start| start.variant);
        found.entry((variant, record.visit.process)).or_default().push(record);
    }
    let mut by_variant: BTreeMap<u32, Vec<Vec<&VisitRecord>>> = BTreeMap::new();
    for ((variant, _), visits) in found {
        by_variant.entry(variant).or_default().push(visits);
    }
    by_variant
}

/// Returns the measurements of a process. Imported runs record short measurements as warm-up. They are
/// included, because criterion's regression uses them.
fn rows(records: &Records, visits: &[&VisitRecord]) -> Vec<CriterionRow> {
    let counts = |turn: &&Turn| {
        turn.phase == Phase::Measured || (turn.phase == Phase::WarmUp && records.header.imported.is_some())
    };
    let rows = visits
        .iter()
        .flat_map(|record| record.turns.iter().filter(counts).filter_map(|turn| row(record, turn)));
    rows.collect()
}

fn row(record: &VisitRecord, turn: &Turn) -> Option<CriterionRow> {
    let batches = turn.times_ns.len() as f64;
    // Count iterations, as criterion does, unless the body reported its number of operations.
    let iterations = match &turn.ops {
        Some(ops) => ops.iter().sum::<f64>() / batches,
        None => turn.iterations.max(1) as f64,
    };
    let time_s = turn.times_ns.iter().sum::<u64>() as f64 / 1e9 / batches;
    if turn.times_ns.is_empty() || !iterations.is_finite() || iterations <= 0.0 {
        return None;
    }
    let counter = |name: &str| {
        let position = record.visit.metrics.iter().position(|metric| metric.name == name)?;
        let unit = if record.visit.metrics[position].unit == "ns" { 1e9 } else { 1.0 };
        turn.counters.get(position).copied().flatten().map(|value| value / unit / batches)
    };
    let gc_s = counter("gc_time");
    Some(CriterionRow {
        time_s,
        iterations,
        cpu_s: counter("cpu"),
        cycles: counter("cycles"),
        allocated_bytes: counter("allocated"),
        peak_mb: peak_bytes(record, turn).map(|bytes| bytes / 1_048_576.0),
        collections: counter("gc"),
        copied_bytes: counter("copied"),
        mutator_s: counter("mutator").or(gc_s.map(|gc| (time_s - gc).max(0.0))),
        mutator_cpu_s: counter("mutator_cpu"),
        gc_s,
        gc_cpu_s: counter("gc_cpu"),
    })
}

/// Returns the peak memory in bytes, which is a level and not a total. Records contain bytes or megabytes.
fn peak_bytes(record: &VisitRecord, turn: &Turn) -> Option<f64> {
    let position = record.visit.metrics.iter().position(|metric| metric.name == "peak")?;
    let unit = if record.visit.metrics[position].unit.starts_with("MB") { 1e6 } else { 1.0 };
    turn.counters.get(position).copied().flatten().map(|value| value * unit)
}

fn summary(
    records: &Records,
    (index, name): (u32, String),
    rows: &[Vec<CriterionRow>],
    wanted: &[Regress],
    rng: &mut Rng,
) -> Option<CriterionCase> {
    let all: Vec<CriterionRow> = rows.iter().flatten().copied().collect();
    let long = all.iter().filter(|row| row.time_s >= LEAST_S).count() >= ENOUGH;
    let value = |row: &CriterionRow| (!long || row.time_s >= LEAST_S).then_some(row.time_s / row.iterations);
    let values: Vec<f64> = all.iter().filter_map(value).collect();
    if values.is_empty() {
        return None;
    }
    let confidence = records.header.settings.confidence;
    let sums = moments(rows, value);
    let estimates = intervals(&sums, confidence, rng);
    let unfit = unfit(&records.header, &all).unwrap_or_default();
    let wanted = if unfit.is_empty() { wanted } else { &[] };
    let regressions: Vec<CriterionRegression> =
        wanted.iter().filter_map(|one| one.of(rows, confidence, rng)).collect();
    let counts = outliers::tukey(&values);
    let (mean, deviation) = (estimates[0], estimates[1]);
    Some(CriterionCase {
        index,
        name,
        regressions,
        unfit,
        mean,
        deviation,
        outliers: TukeyCounts {
            low_severe: counts.low_severe as u32,
            low_mild: counts.low_mild as u32,
            high_mild: counts.high_mild as u32,
            high_severe: counts.high_severe as u32,
        },
        outlier_variance: outlier_variance(mean.value, deviation.value, all.len()),
        confidence,
        density: density(&values),
        values,
        rows: all,
    })
}

/// Explains why a regression on iterations would be meaningless, and what to try.
fn unfit(run: &RunHeader, rows: &[CriterionRow]) -> Option<String> {
    let least = rows.iter().map(|row| row.iterations).fold(f64::INFINITY, f64::min);
    let most = rows.iter().map(|row| row.iterations).fold(0.0, f64::max);
    let few = rows.len() < ENOUGH;
    if !few && most >= GROWN * least && (run.settings.ladder || run.imported.is_some()) {
        return None;
    }
    let grown = format!("iterations grew by {}", words::percent(most / least - 1.0));
    Some(match (&run.imported, run.settings.ladder) {
        (Some(_), _) if few => format!("a line needs {ENOUGH} measurements, and the file has fewer"),
        (Some(_), _) => "all measurements of the file have about the same number of iterations".to_owned(),
        (None, false) => "a line needs growing iteration counts: measure with --set ladder=yes".to_owned(),
        (None, true) if few => {
            format!("a line needs {ENOUGH} measurements: use a longer --budget or more rounds")
        }
        (None, true) if most == least => {
            "every measurement has the same number of iterations: the body is called once, or sets the number itself".to_owned()
        }
        (None, true) => format!("{grown} only: use more rounds"),
    })
}

/// Sums of deviations from a fixed centre. They yield the mean and the standard deviation, and add up across
/// samples.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    n: f64,
    sum: f64,
    squares: f64,
    center: f64,
}

impl Moments {
    fn add(&mut self, other: &Moments) {
        self.n += other.n;
        self.sum += other.sum;
        self.squares += other.squares;
        self.center = other.center;
    }

    fn mean(&self) -> f64 {
        self.center + self.sum / self.n
    }

    fn deviation(&self) -> f64 {
        let square = (self.squares - self.sum * self.sum / self.n).max(0.0);
        if self.n > 1.0 { (square / (self.n - 1.0)).sqrt() } else { 0.0 }
    }
}

fn moments(rows: &[Vec<CriterionRow>], value: impl Fn(&CriterionRow) -> Option<f64>) -> Vec<Moments> {
    let mut clusters: Vec<Vec<f64>> =
        rows.iter().map(|rows| rows.iter().filter_map(&value).collect()).collect();
    clusters.retain(|values| !values.is_empty());
    if clusters.len() == 1 {
        clusters = clusters[0].iter().map(|value| vec![*value]).collect();
    }
    let count = clusters.iter().map(Vec::len).sum::<usize>().max(1) as f64;
    let center = clusters.iter().flatten().sum::<f64>() / count;
    let sum = |values: &Vec<f64>| {
        values.iter().fold(Moments { center, ..Moments::default() }, |mut sum, value| {
            let from = value - center;
            sum.add(&Moments { n: 1.0, sum: from, squares: from * from, center });
            sum
        })
    };
    clusters.iter().map(sum).collect()
}

fn intervals(clusters: &[Moments], confidence: f64, rng: &mut Rng) -> Vec<Estimate> {
    let figures = |clusters: &[&Moments]| {
        let mut sum = Moments::default();
        clusters.iter().for_each(|cluster| sum.add(cluster));
        vec![sum.mean(), sum.deviation()]
    };
    percentile_intervals(clusters, figures, RESAMPLES, 1.0 - confidence, rng)
        .into_iter()
        .map(estimate)
        .collect()
}

fn density(values: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let beyond = 0.1 * (high - low);
    smooth(values, low - beyond, high + beyond, POINTS).into_iter().unzip()
}

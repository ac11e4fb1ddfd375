//! How batch values spread, and how much of that lies within and between processes.

use crate::process::Process;
use derny_model::Histogram;
use derny_stats::{location, plan, quantile, scale};

/// Order statistics and moments of all batch values, ns per operation.
pub(crate) struct Spread {
    pub mean: f64,
    pub standard_deviation: f64,
    pub median: f64,
    pub mad: f64,
    pub minimum: f64,
    pub maximum: f64,
    pub q1: f64,
    pub q3: f64,
    pub p95: f64,
    pub p99: f64,
}

/// The spread of all batches of all processes; none without batches.
pub(crate) fn spread(processes: &[Process]) -> Option<Spread> {
    let mut sorted: Vec<f64> = processes.iter().flat_map(|process| &process.batches).copied().collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let (minimum, maximum) = (*sorted.first()?, *sorted.last()?);
    let median = quantile::quantile(&sorted, 0.5);
    Some(Spread {
        mean: location::mean(&sorted),
        standard_deviation: if sorted.len() > 1 { scale::standard_deviation(&sorted) } else { 0.0 },
        median,
        mad: mad(&sorted, median),
        minimum,
        maximum,
        q1: quantile::quantile(&sorted, 0.25),
        q3: quantile::quantile(&sorted, 0.75),
        p95: quantile::quantile(&sorted, 0.95),
        p99: quantile::quantile(&sorted, 0.99),
    })
}

/// The median distance from the median, by selection: the values of a case are many, and sorted already once.
fn mad(sorted: &[f64], median: f64) -> f64 {
    let mut distances: Vec<f64> = sorted.iter().map(|value| (value - median).abs()).collect();
    let middle = distances.len() / 2;
    let (below, upper, _) = distances.select_nth_unstable_by(middle, f64::total_cmp);
    let upper = *upper;
    if sorted.len() % 2 == 1 {
        return upper;
    }
    let lower = below.iter().copied().fold(0.0, f64::max);
    (lower + upper) / 2.0
}

/// Standard deviation of turns within processes and of processes beyond that, as shares.
pub(crate) fn components(processes: &[Process]) -> (f64, f64) {
    let logs = processes.iter().map(|process| process.logs().to_vec());
    let groups: Vec<Vec<f64>> = logs.filter(|logs| !logs.is_empty()).collect();
    let components = plan::variance_components(&groups);
    (components.within.sqrt(), components.between.sqrt())
}

/// Bins of a histogram.
const BINS: usize = 24;

/// Where the batch values lie: equal bins from the smallest value to the 99th percentile, the rest counted as
/// above, so that one preempted batch does not squeeze everything else into the first bin.
pub(crate) fn histogram(processes: &[Process], spread: &Spread) -> Option<Histogram> {
    let (lo, hi) = (spread.minimum, spread.p99);
    let width = (hi - lo) / BINS as f64;
    if width <= 0.0 {
        return None;
    }
    let mut counts = vec![0; BINS];
    let mut above = 0;
    for value in processes.iter().flat_map(|process| &process.batches) {
        if *value > hi {
            above += 1;
        } else {
            counts[(((value - lo) / width) as usize).min(BINS - 1)] += 1;
        }
    }
    Some(Histogram { lo, hi, counts, above })
}

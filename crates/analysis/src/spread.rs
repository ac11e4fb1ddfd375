//! How batch values spread, and how much of that lies within and between processes.

use crate::process::Process;
use derny_stats::{location, quantile, scale};

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

/// Standard deviation of turns within processes and of processes beyond that, as shares: the two components of
/// a one-way random model of the logarithms, unequal sizes allowed (Searle, Casella and McCulloch 1992, 3.6).
pub(crate) fn components(processes: &[Process]) -> (f64, f64) {
    let groups: Vec<Vec<f64>> = processes.iter().map(Process::logs).filter(|logs| !logs.is_empty()).collect();
    let turns: f64 = groups.iter().map(|group| group.len() as f64).sum();
    let count = groups.len() as f64;
    let squares = |values: &[f64]| {
        let mean = location::mean(values);
        values.iter().map(|value| (value - mean).powi(2)).sum::<f64>()
    };
    let within =
        if turns > count { groups.iter().map(|g| squares(g)).sum::<f64>() / (turns - count) } else { 0.0 };
    if groups.len() < 2 {
        return (within.sqrt(), 0.0);
    }
    let grand = groups.iter().flatten().sum::<f64>() / turns;
    let between_squares: f64 =
        groups.iter().map(|group| group.len() as f64 * (location::mean(group) - grand).powi(2)).sum();
    let size = (turns - groups.iter().map(|g| (g.len() as f64).powi(2)).sum::<f64>() / turns) / (count - 1.0);
    let between = (between_squares / (count - 1.0) - within) / size;
    (within.sqrt(), between.max(0.0).sqrt())
}

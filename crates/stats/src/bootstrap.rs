//! Resampling (Efron, 1979), to reproduce what other tools report. Not for verdicts: over the few processes of a
//! comparison its intervals cover too rarely (5 values: 81 to 87 % instead of 95 %).

use crate::interval::Interval;
use crate::location::mean;
use crate::quantile::{quantile, sorted};
use crate::rng::Rng;
use crate::special::{normal_cdf, normal_quantile};

/// The sorted values of a statistic of resampled independent values.
pub fn resampled(
    values: &[f64],
    statistic: impl Fn(&[f64]) -> f64,
    resamples: usize,
    rng: &mut Rng,
) -> Vec<f64> {
    circular_blocks(values, 1, statistic, resamples, rng)
}

/// The same for a series whose neighbours depend on each other: blocks of successive values, around the end too
/// (Politis and Romano, 1992). A block of 1 is the ordinary bootstrap.
pub fn circular_blocks(
    values: &[f64],
    block: usize,
    statistic: impl Fn(&[f64]) -> f64,
    resamples: usize,
    rng: &mut Rng,
) -> Vec<f64> {
    let n = values.len();
    let draw = |_| {
        let mut sample = Vec::with_capacity(n + block);
        while sample.len() < n {
            let start = rng.below(n as u64) as usize;
            sample.extend((0..block.max(1)).map(|i| values[(start + i) % n]));
        }
        sample.truncate(n);
        statistic(&sample)
    };
    sorted(&(0..resamples).map(draw).collect::<Vec<f64>>())
}

/// A usual length of blocks for `n` values: the cube root, at least 1.
pub fn block_length(n: usize) -> usize {
    (libm::cbrt(n as f64) + 0.5).max(1.0) as usize
}

/// The percentile interval of sorted resampled statistics.
pub fn percentile(resampled: &[f64], alpha: f64) -> Interval {
    Interval { lo: quantile(resampled, alpha / 2.0), hi: quantile(resampled, 1.0 - alpha / 2.0) }
}

/// The bias-corrected and accelerated interval (Efron, 1987) of sorted resampled statistics of `values`.
pub fn bca(values: &[f64], statistic: impl Fn(&[f64]) -> f64, resampled: &[f64], alpha: f64) -> Interval {
    let count = resampled.len() as f64;
    let seen = statistic(values);
    let below = resampled.partition_point(|&r| r < seen) as f64;
    let bias = normal_quantile((below / count).clamp(0.5 / count, 1.0 - 0.5 / count));
    let acceleration = acceleration(values, &statistic);
    let level = |p: f64| {
        let z = bias + normal_quantile(p);
        normal_cdf(bias + z / (1.0 - acceleration * z))
    };
    Interval {
        lo: quantile(resampled, level(alpha / 2.0)),
        hi: quantile(resampled, level(1.0 - alpha / 2.0)),
    }
}

/// How the spread of a statistic grows with its value, from leaving out one value at a time; 0 where that changes
/// nothing.
pub fn acceleration(values: &[f64], statistic: impl Fn(&[f64]) -> f64) -> f64 {
    let without = |i: usize| statistic(&[&values[..i], &values[i + 1..]].concat());
    let left: Vec<f64> = (0..values.len()).map(without).collect();
    let center = mean(&left);
    let (mut squares, mut cubes) = (0.0, 0.0);
    for d in left.iter().map(|x| center - x) {
        squares += d * d;
        cubes += d * d * d;
    }
    if squares == 0.0 { 0.0 } else { cubes / (6.0 * squares * squares.sqrt()) }
}

/// The sorted ratios of the grand means of two nested experiments, each resampled with replacement at every level
/// (Kalibera and Jones, 2013). Values in order, the lowest level running fastest; repetitions from the lowest level.
///
/// # Panics
/// If the values are not as many as the product of their repetitions.
pub fn hierarchical_ratio(
    numerator: (&[f64], &[usize]),
    denominator: (&[f64], &[usize]),
    resamples: usize,
    rng: &mut Rng,
) -> Vec<f64> {
    for (values, repetitions) in [numerator, denominator] {
        assert_eq!(values.len(), repetitions.iter().product::<usize>(), "values for all repetitions");
    }
    let draw =
        |_| resampled_mean(numerator.0, numerator.1, rng) / resampled_mean(denominator.0, denominator.1, rng);
    sorted(&(0..resamples).map(draw).collect::<Vec<f64>>())
}

fn resampled_mean(values: &[f64], repetitions: &[usize], rng: &mut Rng) -> f64 {
    let Some((&count, lower)) = repetitions.split_last() else { return values[0] };
    let size = values.len() / count;
    let mut sum = 0.0;
    for _ in 0..count {
        let start = rng.below(count as u64) as usize * size;
        sum += resampled_mean(&values[start..start + size], lower, rng);
    }
    sum / count as f64
}

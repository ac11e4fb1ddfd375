//! Whether a series rises or falls: Mann and Kendall's test, and the slope of Theil and Sen with the interval that serial
//! correlation leaves it.

use crate::correlation::effective_sample_size;
use crate::interval::Interval;
use crate::location::median;
use crate::regression::{slope_interval, theil_sen, tie_sum};
use crate::special::normal_cdf;

/// Longer series are replaced by the medians of this many stretches before slopes are taken of all pairs.
const MOST: usize = 200;

/// The test of Mann (1945) and Kendall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannKendall {
    /// Pairs that rise minus pairs that fall.
    pub s: f64,
    /// `s` over the number of pairs, in [-1, 1].
    pub tau: f64,
    /// `s` as a standard normal: tie-corrected variance, continuity correction.
    pub z: f64,
    /// Two-sided; 1 where all values are equal or there are fewer than two.
    pub p: f64,
}

/// Mann and Kendall's test of a series against a monotone trend; for independent values. NaN with a NaN among them. O(n²).
pub fn mann_kendall(values: &[f64]) -> MannKendall {
    test(values, 1.0)
}

/// The same of several series together, as strata (Hirsch, Slack and Smith, 1982): Kendall's statistic and its variance
/// are summed over them. `tau` is over the pairs within the series.
pub fn mann_kendall_strata<S: AsRef<[f64]>>(series: &[S]) -> MannKendall {
    let (mut s, mut variance, mut pairs) = (0.0, 0.0, 0.0);
    for values in series.iter().map(AsRef::as_ref) {
        let n = values.len() as f64;
        s += test(values, 1.0).s;
        variance += (n * (n - 1.0) * (2.0 * n + 5.0) - tie_sum(values)) / 18.0;
        pairs += 0.5 * n * (n - 1.0);
    }
    let z = if s == 0.0 { 0.0 } else { (s - s.signum()) / variance.sqrt() };
    let tau = if pairs == 0.0 { 0.0 } else { s / pairs };
    MannKendall { s, tau, z, p: (2.0 * normal_cdf(-z.abs())).min(1.0) }
}

fn test(values: &[f64], inflation: f64) -> MannKendall {
    if values.iter().any(|x| x.is_nan()) {
        return MannKendall { s: f64::NAN, tau: f64::NAN, z: f64::NAN, p: f64::NAN };
    }
    let n = values.len() as f64;
    let rises = |i: usize| -> i64 {
        values[i + 1..].iter().map(|x| i64::from(*x > values[i]) - i64::from(*x < values[i])).sum()
    };
    let s = (0..values.len()).map(rises).sum::<i64>() as f64;
    let variance = inflation * (n * (n - 1.0) * (2.0 * n + 5.0) - tie_sum(values)) / 18.0;
    let z = if s == 0.0 { 0.0 } else { (s - s.signum()) / variance.sqrt() };
    let tau = if values.len() < 2 { 0.0 } else { s / (0.5 * n * (n - 1.0)) };
    MannKendall { s, tau, z, p: (2.0 * normal_cdf(-z.abs())).min(1.0) }
}

/// How far a series moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// From the first place to the last along the Theil–Sen line, in the unit of the values.
    pub change: f64,
    /// The interval for it.
    pub interval: Interval,
    /// The p-value of Mann and Kendall's test, with the same allowance for serial correlation.
    pub p: f64,
}

/// The drift of values over their places (times, in any unit, increasing), with the `1 - alpha` interval. Series over
/// 200 are first replaced by the medians of 200 stretches. Neighbours that resemble each other say less than they seem
/// to: the variance of Kendall's statistic is multiplied by `n / n_effective` of what the line leaves over (after Yue
/// and Wang, 2004), so that the wander of a machine is not taken for a trend. `None` under 4 values, where all places
/// are equal, or with a NaN.
///
/// # Panics
/// If the slices differ in length.
pub fn drift(places: &[f64], values: &[f64], alpha: f64) -> Option<Drift> {
    assert_eq!(places.len(), values.len(), "each value needs its place");
    if values.len() < 4 || places.iter().chain(values).any(|x| x.is_nan()) {
        return None;
    }
    let (x, y) = (thinned(places), thinned(values));
    let slope = theil_sen(&x, &y);
    let left: Vec<f64> = x.iter().zip(&y).map(|(x, y)| y - slope * x).collect();
    let inflation = (y.len() as f64 / effective_sample_size(&left)).max(1.0);
    let interval = slope_interval(&x, &y, alpha, inflation)?;
    let span = places[places.len() - 1] - places[0];
    Some(Drift { change: slope * span, interval: interval.map(|end| end * span), p: test(&y, inflation).p })
}

fn thinned(series: &[f64]) -> Vec<f64> {
    if series.len() <= MOST {
        return series.to_vec();
    }
    let edge = |i: usize| i * series.len() / MOST;
    (0..MOST).map(|i| median(&series[edge(i)..edge(i + 1)])).collect()
}

//! Change over time by ranks: a trend (Mann–Kendall), or one step (Pettitt). Neither asks how the noise is distributed;
//! both take values as independent, so that noise which lingers looks like change: ask for a size beside the p-value.

use crate::quantile::sorted;
use crate::special::normal_cdf;

/// Mann's (1945) and Kendall's test of a trend in one or several series, the series being strata as in Hirsch, Slack and
/// Smith (1982): Kendall's S and its variance, corrected for ties, are summed over them. Gives the standardised sum with
/// continuity correction: positive where values rise. 0 where nothing varies.
pub fn mann_kendall<S: AsRef<[f64]>>(series: &[S]) -> f64 {
    let (mut sum, mut variance) = (0.0, 0.0);
    for values in series.iter().map(AsRef::as_ref) {
        for (i, x) in values.iter().enumerate() {
            sum += values[i + 1..].iter().map(|y| sign(y - x)).sum::<f64>();
        }
        let spread = |n: f64| n * (n - 1.0) * (2.0 * n + 5.0);
        let ordered = sorted(values);
        let ties: f64 = ordered.chunk_by(|a, b| a == b).map(|run| spread(run.len() as f64)).sum();
        variance += (spread(values.len() as f64) - ties) / 18.0;
    }
    if variance <= 0.0 { 0.0 } else { (sum - sign(sum)) / variance.sqrt() }
}

/// The two-sided p-value of a standardised statistic.
pub fn two_sided(z: f64) -> f64 {
    2.0 * normal_cdf(-z.abs())
}

fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// One step in a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Index of the first value after it.
    pub index: usize,
    /// Pettitt's approximate two-sided p-value; conservative for short series.
    pub p: f64,
}

/// Pettitt's (1979) test of one step at an unknown place: the split with the greatest Mann–Whitney statistic. `None` under
/// two values, or with a NaN.
pub fn pettitt(values: &[f64]) -> Option<Step> {
    let n = values.len();
    if n < 2 || values.iter().any(|x| x.is_nan()) {
        return None;
    }
    // U after t values is the sum over them of 2 rank - (n + 1), ranks counting ties by half.
    let ordered = sorted(values);
    let twice_rank = |x: f64| ordered.partition_point(|&v| v < x) + ordered.partition_point(|&v| v <= x) + 1;
    let mut sum = 0.0;
    let (mut index, mut greatest) = (1, -1.0);
    for (i, &x) in values[..n - 1].iter().enumerate() {
        sum += twice_rank(x) as f64 - (n + 1) as f64;
        if sum.abs() > greatest {
            (index, greatest) = (i + 1, sum.abs());
        }
    }
    let n = n as f64;
    let p = 2.0 * libm::exp(-6.0 * greatest * greatest / (n * n * n + n * n));
    Some(Step { index, p: p.min(1.0) })
}

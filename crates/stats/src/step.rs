//! Detects a step in a series by ranks, for any distribution of the noise. Assumes independent values.
//! Correlated noise looks like a step, so require a minimum size in addition to the p-value.

use crate::quantile::sorted;

/// One step in a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Index of the first value after the step.
    pub index: usize,
    /// Pettitt's approximate two-sided p-value, which is conservative for short series.
    pub p: f64,
}

/// Runs Pettitt's (1979) test of one step at an unknown position: the split with the largest Mann–Whitney
/// statistic. Returns `None` for fewer than two values or if one is NaN.
pub fn pettitt(values: &[f64]) -> Option<Step> {
    let n = values.len();
    if n < 2 || values.iter().any(|x| x.is_nan()) {
        return None;
    }
    // U after t values is the sum of 2 rank - (n + 1) over them. Ties count half.
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

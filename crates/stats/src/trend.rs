//! The test of Mann and Kendall for a rising or falling series.

use crate::regression::tie_sum;
use crate::special::normal_cdf;

/// The result of the test of Mann (1945) and Kendall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannKendall {
    /// Number of rising pairs minus number of falling pairs.
    pub s: f64,
    /// `s` divided by the number of pairs, in [-1, 1].
    pub tau: f64,
    /// `s` as a standard normal deviate, with tie-corrected variance and continuity correction.
    pub z: f64,
    /// Two-sided p-value. 1 if all values are equal, or if there are fewer than two.
    pub p: f64,
}

/// Tests a series of independent values for a monotone trend (Mann and Kendall). NaN if a value is NaN. Takes
/// O(n²) time.
pub fn mann_kendall(values: &[f64]) -> MannKendall {
    mann_kendall_strata(&[values])
}

/// Runs the test over several series together, as strata (Hirsch, Slack and Smith, 1982). Kendall's statistic
/// and its variance are summed over the series. `tau` counts only pairs within a series.
pub fn mann_kendall_strata<S: AsRef<[f64]>>(series: &[S]) -> MannKendall {
    let (mut s, mut variance, mut pairs) = (0.0, 0.0, 0.0);
    for values in series.iter().map(AsRef::as_ref) {
        if values.iter().any(|x| x.is_nan()) {
            return MannKendall { s: f64::NAN, tau: f64::NAN, z: f64::NAN, p: f64::NAN };
        }
        let n = values.len() as f64;
        let rises = |i: usize| -> i64 {
            values[i + 1..].iter().map(|x| i64::from(*x > values[i]) - i64::from(*x < values[i])).sum()
        };
        s += (0..values.len()).map(rises).sum::<i64>() as f64;
        variance += (n * (n - 1.0) * (2.0 * n + 5.0) - tie_sum(values)) / 18.0;
        pairs += 0.5 * n * (n - 1.0);
    }
    let z = if s == 0.0 { 0.0 } else { (s - s.signum()) / variance.sqrt() };
    let tau = if pairs == 0.0 { 0.0 } else { s / pairs };
    MannKendall { s, tau, z, p: (2.0 * normal_cdf(-z.abs())).min(1.0) }
}

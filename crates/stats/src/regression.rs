//! Straight lines through points: least squares, and Theil–Sen, which resists outliers.

use crate::interval::Interval;
use crate::location::{mean, median};
use crate::quantile::sorted;
use crate::special::normal_quantile;

/// A line `y = intercept + slope x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The slope, in units of `y` per unit of `x`.
    pub slope: f64,
    /// The intercept, in units of `y`.
    pub intercept: f64,
    /// The share of the variance of `y` that the line explains, in [0, 1]. NaN if `y` is constant.
    pub r_squared: f64,
}

/// Returns the ordinary least-squares fit. NaN if all `x` are equal or there are no points.
///
/// # Panics
/// If the slices differ in length.
pub fn least_squares(x: &[f64], y: &[f64]) -> Fit {
    assert_eq!(x.len(), y.len(), "each x needs its y");
    let (center_x, center_y) = (mean(x), mean(y));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        let (dx, dy) = (x - center_x, y - center_y);
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    let slope = xy / xx;
    Fit { slope, intercept: center_y - slope * center_x, r_squared: xy * xy / (xx * yy) }
}

/// Returns the Theil–Sen slope: the median slope of all pairs of points with different `x`. Takes O(n²) time
/// and memory, so pass at most a few thousand points. NaN if there is no such pair.
///
/// # Panics
/// If the slices differ in length.
pub fn theil_sen(x: &[f64], y: &[f64]) -> f64 {
    median(&slopes(x, y))
}

/// Returns the `1 - alpha` interval for the Theil–Sen slope (Sen, 1968). Its ends are order statistics of the
/// slopes, at ranks that follow from the normal approximation to Kendall's statistic, corrected for ties.
/// Returns `None` without a pair of points with different `x`, or if a coordinate is NaN.
///
/// # Panics
/// If the slices differ in length.
pub fn theil_sen_interval(x: &[f64], y: &[f64], alpha: f64) -> Option<Interval> {
    let slopes = sorted(&slopes(x, y));
    if slopes.is_empty() || x.iter().chain(y).any(|v| v.is_nan()) {
        return None;
    }
    let n = x.len() as f64;
    let variance = (n * (n - 1.0) * (2.0 * n + 5.0) - tie_sum(x) - tie_sum(y)) / 18.0;
    let reach = -normal_quantile(alpha / 2.0) * variance.max(0.0).sqrt();
    let (count, last) = (slopes.len() as f64, slopes.len() - 1);
    let low = ((0.5 * (count - reach)).round_ties_even() - 1.0).max(0.0) as usize;
    let high = (0.5 * (count + reach)).round_ties_even() as usize;
    Some(Interval { lo: slopes[low], hi: slopes[high.min(last)] })
}

fn slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    assert_eq!(x.len(), y.len(), "each x needs its y");
    let mut slopes = Vec::with_capacity(x.len() * x.len().saturating_sub(1) / 2);
    for j in 1..x.len() {
        for i in 0..j {
            if x[i] != x[j] {
                slopes.push((y[j] - y[i]) / (x[j] - x[i]));
            }
        }
    }
    slopes
}

/// Returns the amount by which ties reduce the variance of Kendall's statistic: `Σ t (t - 1) (2t + 5)` over
/// groups of equal values.
pub(crate) fn tie_sum(values: &[f64]) -> f64 {
    let ordered = sorted(values);
    let group = |run: &[f64]| {
        let t = run.len() as f64;
        t * (t - 1.0) * (2.0 * t + 5.0)
    };
    ordered.chunk_by(|a, b| a == b).map(group).sum()
}

//! Student's t distribution and its interval for a mean.

use crate::interval::Interval;
use crate::location::mean;
use crate::scale::standard_deviation;
use crate::special::{beta_cdf, falling_root, normal_quantile};
use libm::{exp, lgamma, log, log1p};
use std::f64::consts::PI;

/// Returns the distribution function at `t` with `df` degrees of freedom (positive, not necessarily an
/// integer).
pub fn cdf(t: f64, df: f64) -> f64 {
    if t > 0.0 { 1.0 - upper(t, df) } else { upper(-t, df) }
}

/// Returns the quantile at `p` in (0, 1): the `t` with `cdf(t, df) = p`. Infinite at 0 and 1, NaN outside.
pub fn quantile(p: f64, df: f64) -> f64 {
    if p < 0.5 { -upper_quantile(p, df) } else { upper_quantile(1.0 - p, df) }
}

/// Returns the `1 - alpha` interval for the mean of normal values. `None` for fewer than two values.
pub fn interval(values: &[f64], alpha: f64) -> Option<Interval> {
    if values.len() < 2 {
        return None;
    }
    let n = values.len() as f64;
    let half = upper_quantile(alpha / 2.0, n - 1.0) * standard_deviation(values) / n.sqrt();
    let center = mean(values);
    Some(Interval { lo: center - half, hi: center + half })
}

/// Returns the two-sided p-value of `mean = 0` for normal values. NaN for fewer than two values.
pub fn p_value(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let t = mean(values) * n.sqrt() / standard_deviation(values);
    2.0 * upper(t.abs(), n - 1.0)
}

fn upper(t: f64, df: f64) -> f64 {
    0.5 * beta_cdf(1.0 / (1.0 + t * t / df), 0.5 * df, 0.5)
}

fn density(t: f64, df: f64) -> f64 {
    let scale = lgamma(0.5 * (df + 1.0)) - lgamma(0.5 * df) - 0.5 * log(PI * df);
    exp(scale - 0.5 * (df + 1.0) * log1p(t * t / df))
}

fn upper_quantile(tail: f64, df: f64) -> f64 {
    if tail.is_nan() || tail <= 0.0 || tail >= 0.5 {
        return if tail == 0.0 {
            f64::INFINITY
        } else if tail == 0.5 {
            0.0
        } else {
            f64::NAN
        };
    }
    let below = -normal_quantile(tail);
    let mut above = 2.0 * below + 1.0;
    while upper(above, df) > tail {
        above *= 4.0;
    }
    falling_root(below.min(above), above, |t| (upper(t, df) - tail, -density(t, df)))
}

//! Quantiles of the gamma distribution.

use crate::special::{falling_root, gamma_fraction, gamma_series};
use libm::{exp, lgamma, log, log1p};

/// Returns the quantile at `p` of the gamma distribution with this (positive) shape and scale 1: the inverse
/// of the regularised lower incomplete gamma function. The quantile is 0 at `p` = 0 and infinite at `p` = 1.
/// NaN for `p` outside [0, 1], or if the shape is not positive and finite.
pub fn quantile(p: f64, shape: f64) -> f64 {
    if !((0.0..=1.0).contains(&p) && shape > 0.0 && shape.is_finite()) {
        return f64::NAN;
    }
    if p == 0.0 || p == 1.0 {
        return if p == 0.0 { 0.0 } else { f64::INFINITY };
    }
    // The lower tail is below x^a / Γ(a + 1). As functions of log x, the logarithms of both tails are
    // concave.
    let low = (log(p) + lgamma(shape + 1.0)) / shape;
    let upper = p > 0.5;
    let wanted = log(if upper { 1.0 - p } else { p });
    let at = |u: f64| {
        let [(below, rise), (above, fall)] = log_tails(shape, u);
        if upper { (above - wanted, -fall) } else { (wanted - below, -rise) }
    };
    let mut high = low.max(log(shape)) + 1.0;
    while at(high).0 > 0.0 {
        high += 1.0;
    }
    exp(falling_root(low, high, at))
}

fn log_tails(a: f64, u: f64) -> [(f64, f64); 2] {
    let x = exp(u);
    let front = a * u - x - lgamma(a);
    if x < a + 1.0 {
        let sum = gamma_series(a, x);
        let below = exp(front) * sum;
        [(front + log(sum), 1.0 / sum), (log1p(-below), exp(front) / (1.0 - below))]
    } else {
        let fraction = gamma_fraction(a, x);
        let above = exp(front) / fraction;
        [(log1p(-above), exp(front) / (1.0 - above)), (front - log(fraction), fraction)]
    }
}

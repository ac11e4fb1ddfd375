//! How large a difference is, beside its plain size: as a ratio, and in units of the spread.

use crate::interval::Interval;
use crate::location::hodges_lehmann_shift;
use crate::mann_whitney;
use crate::quantile::hd_quantile;
use crate::scale::{MAD_TO_SIGMA, mad, shamos};
use libm::{exp, log};

/// The ratio of `x` to `y`: the exponential of the Hodges–Lehmann shift of the logarithms (Akinshin's Pragmastat). NaN
/// where a value is not positive or a sample is empty.
pub fn ratio(x: &[f64], y: &[f64]) -> f64 {
    match (logs(x), logs(y)) {
        (Some(x), Some(y)) => exp(hodges_lehmann_shift(&x, &y)),
        _ => f64::NAN,
    }
}

/// The interval of at least `1 - alpha` for [`ratio`], from Mann and Whitney's distribution. `None` where there are too
/// few values for `alpha`, or one is not positive.
pub fn ratio_interval(x: &[f64], y: &[f64], alpha: f64) -> Option<Interval> {
    mann_whitney::interval(&logs(x)?, &logs(y)?, alpha).map(|interval| interval.map(exp))
}

fn logs(values: &[f64]) -> Option<Vec<f64>> {
    values.iter().map(|&v| (v > 0.0).then(|| log(v))).collect()
}

/// The Hodges–Lehmann shift of `x` against `y` in units of their Shamos spreads, weighted by their sizes (Akinshin's
/// Pragmastat): robust against what outliers do to Cohen's d. NaN where neither varies, or a sample has fewer than two
/// values.
pub fn disparity(x: &[f64], y: &[f64]) -> f64 {
    let (n, m) = (x.len() as f64, y.len() as f64);
    let spread = (n * shamos(x) + m * shamos(y)) / (n + m);
    if spread > 0.0 { hodges_lehmann_shift(x, y) / spread } else { f64::NAN }
}

/// The gamma effect size (Akinshin, 2020) at the quantile `p`: how far the Harrell–Davis quantile of `new` lies above that
/// of `base`, in units of the pooled scaled median absolute deviation. Asked at several `p` it shows which part of a
/// distribution moved. NaN where neither varies, or the samples have two values or fewer together.
pub fn gamma_effect(base: &[f64], new: &[f64], p: f64) -> f64 {
    let (n, m) = (base.len() as f64, new.len() as f64);
    let square = |values: &[f64]| {
        let deviation = MAD_TO_SIGMA * mad(values);
        deviation * deviation
    };
    let pooled = (((n - 1.0) * square(base) + (m - 1.0) * square(new)) / (n + m - 2.0)).sqrt();
    if pooled > 0.0 { (hd_quantile(new, p) - hd_quantile(base, p)) / pooled } else { f64::NAN }
}

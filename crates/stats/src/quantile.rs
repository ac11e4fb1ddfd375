//! Quantiles of a sample: linear interpolation for display, Harrell–Davis for smooth comparison.

use crate::special::beta_cdf;

/// A sorted copy. NaN sorts last (or first, if negative); callers that cannot rule NaN out check first.
pub fn sorted(values: &[f64]) -> Vec<f64> {
    let mut copy = values.to_vec();
    copy.sort_unstable_by(f64::total_cmp);
    copy
}

/// A sorted copy, or nothing where no statistic of the values exists: none given, or one is NaN.
pub(crate) fn clean(values: &[f64]) -> Option<Vec<f64>> {
    let usable = !values.is_empty() && !values.iter().any(|x| x.is_nan());
    usable.then(|| sorted(values))
}

/// The quantile of sorted values at `p` in [0, 1] by linear interpolation between order statistics
/// (type 7 of Hyndman and Fan, 1996). NaN for an empty slice.
pub fn quantile(sorted: &[f64], p: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = p.clamp(0.0, 1.0) * last as f64;
    let below = (place as usize).min(last);
    let above = (below + 1).min(last);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

/// The Harrell–Davis quantile (1982) of values in any order at `p` in (0, 1): all order statistics, weighted
/// by the Beta((n+1)p, (n+1)(1-p)) distribution. NaN for an empty slice or a NaN among the values.
pub fn hd_quantile(values: &[f64], p: f64) -> f64 {
    let Some(sorted) = clean(values) else { return f64::NAN };
    if p <= 0.0 || p >= 1.0 {
        return quantile(&sorted, p);
    }
    let n = sorted.len() as f64;
    let (a, b) = ((n + 1.0) * p, (n + 1.0) * (1.0 - p));
    let mut below = 0.0;
    let mut total = 0.0;
    for (i, x) in sorted.iter().enumerate() {
        let up_to = beta_cdf((i + 1) as f64 / n, a, b);
        total += (up_to - below) * x;
        below = up_to;
    }
    total
}

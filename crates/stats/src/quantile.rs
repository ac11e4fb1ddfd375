//! Quantiles of a sample: linear interpolation for display, Harrell–Davis for smooth comparison.

use crate::special::Beta;

/// Returns a sorted copy. NaN comes last, or first if its sign is negative. Callers that cannot exclude NaN
/// must check for it first.
pub fn sorted(values: &[f64]) -> Vec<f64> {
    let mut copy = values.to_vec();
    copy.sort_unstable_by(f64::total_cmp);
    copy
}

pub(crate) fn clean(values: &[f64]) -> Option<Vec<f64>> {
    let usable = !values.is_empty() && !values.iter().any(|x| x.is_nan());
    usable.then(|| sorted(values))
}

/// Returns a sorted copy, or `None` if there are no values or one is not finite. Sums and differences of
/// infinite values may be NaN, which cannot be ordered.
pub(crate) fn finite(values: &[f64]) -> Option<Vec<f64>> {
    clean(values).filter(|sorted| sorted[0].is_finite() && sorted[sorted.len() - 1].is_finite())
}

/// Returns the quantile of sorted values at `p` in [0, 1] by linear interpolation between order statistics
/// (type 7 of Hyndman and Fan, 1996). NaN for an empty slice.
pub fn quantile(sorted: &[f64], p: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = p.clamp(0.0, 1.0) * last as f64;
    let below = (place as usize).min(last);
    let above = (below + 1).min(last);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

/// Returns the Harrell–Davis quantiles (1982) of sorted values at `p` in [0, 1] and at `1 - p`: all order
/// statistics, weighted by the Beta((n+1)p, (n+1)(1-p)) distribution. Both quantiles have the same weights in
/// opposite order, and computing the weights dominates the cost. NaN for an empty slice.
pub fn hd_quantiles(sorted: &[f64], p: f64) -> [f64; 2] {
    if sorted.is_empty() || p <= 0.0 || p >= 1.0 {
        return [quantile(sorted, p), quantile(sorted, 1.0 - p)];
    }
    let n = sorted.len() as f64;
    // Weights outside this range do not affect the sum.
    let reach = 12.0 * (p * (1.0 - p) / n).sqrt() + 30.0 / n;
    let first = ((p - reach) * n).max(0.0) as usize;
    let end = (((p + reach) * n).ceil() as usize).min(sorted.len());
    let beta = Beta::new((n + 1.0) * p, (n + 1.0) * (1.0 - p));
    let (mut totals, mut below) = ([0.0, 0.0], 0.0);
    for i in first..end {
        let up_to = if i + 1 == end { 1.0 } else { beta.cdf((i + 1) as f64 / n) };
        totals[0] += (up_to - below) * sorted[i];
        totals[1] += (up_to - below) * sorted[sorted.len() - 1 - i];
        below = up_to;
    }
    totals
}

//! Quantiles of a sample: linear interpolation for display, Harrell–Davis for smooth comparison.

use crate::special::Beta;
use libm::{log, log1p};

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
    clean(values).map_or(f64::NAN, |sorted| hd_quantile_of_sorted(&sorted, p))
}

fn hd_quantile_of_sorted(sorted: &[f64], p: f64) -> f64 {
    hd_quantiles_of_sorted(sorted, p)[0]
}

/// The Harrell–Davis quantiles of sorted values at `p` and at `1 - p`: the weights of the one are those of the other in
/// reverse, and the weights are what takes time.
pub(crate) fn hd_quantiles_of_sorted(sorted: &[f64], p: f64) -> [f64; 2] {
    if p <= 0.0 || p >= 1.0 {
        return [quantile(sorted, p), quantile(sorted, 1.0 - p)];
    }
    let n = sorted.len() as f64;
    let (a, b) = ((n + 1.0) * p, (n + 1.0) * (1.0 - p));
    // Outside of this the weights are below the resolution of the sum.
    let reach = 12.0 * (p * (1.0 - p) / n).sqrt() + 30.0 / n;
    let beta = Beta::new(a, b);
    let mut totals = [0.0, 0.0];
    weigh(
        sorted.len(),
        p - reach,
        p + reach,
        |x| beta.cdf(x),
        |i, weight| {
            totals[0] += weight * sorted[i];
            totals[1] += weight * sorted[sorted.len() - 1 - i];
        },
    );
    totals
}

/// The trimmed Harrell–Davis quantile (Akinshin, 2021, THD-SQRT): as [`hd_quantile`], but only the `1/√n` of the weights
/// where they are highest count, which keeps a few wild values from moving it.
pub fn trimmed_hd_quantile(values: &[f64], p: f64) -> f64 {
    let Some(sorted) = clean(values) else { return f64::NAN };
    if p <= 0.0 || p >= 1.0 {
        return quantile(&sorted, p);
    }
    let n = sorted.len() as f64;
    let (a, b) = ((n + 1.0) * p, (n + 1.0) * (1.0 - p));
    let width = 1.0 / n.sqrt();
    let lo = highest_density(a, b, width);
    let beta = Beta::new(a, b);
    let (below, above) = (beta.cdf(lo), beta.cdf(lo + width));
    let cdf = |x| (beta.cdf(x).clamp(below, above) - below) / (above - below);
    let mut total = 0.0;
    weigh(sorted.len(), lo, lo + width, cdf, |i, weight| total += weight * sorted[i]);
    total
}

/// Gives `take` the weight of every one of `count` order statistics: the growth of `cdf` over its share of [0, 1]; `cdf` goes
/// from 0 to 1 within `lo` to `hi`.
fn weigh(count: usize, lo: f64, hi: f64, cdf: impl Fn(f64) -> f64, mut take: impl FnMut(usize, f64)) {
    let n = count as f64;
    let first = (lo * n).max(0.0) as usize;
    let end = ((hi * n).ceil() as usize).min(count);
    let mut below = 0.0;
    for i in first..end {
        let up_to = if i + 1 == end { 1.0 } else { cdf((i + 1) as f64 / n) };
        take(i, up_to - below);
        below = up_to;
    }
}

/// Where the stretch of this width begins in which Beta(a, b) has its highest density.
fn highest_density(a: f64, b: f64, width: f64) -> f64 {
    let last = 1.0 - width;
    if last <= 0.0 || (a <= 1.0 && b > 1.0) {
        return 0.0;
    }
    if a <= 1.0 && b <= 1.0 {
        return 0.5 * last;
    }
    if b <= 1.0 {
        return last;
    }
    let mode = (a - 1.0) / (a + b - 2.0);
    let log_density = |x: f64| (a - 1.0) * log(x) + (b - 1.0) * log1p(-x);
    let (mut lo, mut hi) = ((mode - width).max(0.0), mode.min(last));
    // The density rises before the mode and falls behind: both ends are level at one place only.
    while lo < 0.5 * (lo + hi) && 0.5 * (lo + hi) < hi {
        let mid = 0.5 * (lo + hi);
        if log_density(mid) < log_density(mid + width) { lo = mid } else { hi = mid }
    }
    hi
}

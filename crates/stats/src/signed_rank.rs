//! Wilcoxon's signed-rank statistic: an exact test of symmetry about zero and the exact interval that goes
//! with the Hodges–Lehmann estimate. No normality is assumed, only symmetry.

use crate::interval::Interval;
use crate::pairs;
use crate::quantile::clean;
use crate::special::{normal_cdf, normal_quantile};

/// Up to this many values everything is exact; above, the normal approximation with continuity correction
/// is used (there it differs from the exact tail by less than 1 % of it at the usual levels).
pub const EXACT_MAX: usize = 100;

/// The exact probability that the rank sum of `n` values without ties is at most `w`.
pub fn cdf(w: u64, n: usize) -> f64 {
    let total = (n * (n + 1) / 2) as u64;
    if w >= total {
        return 1.0;
    }
    let ranks: Vec<usize> = (1..=n).collect();
    lower_tail(&ranks, w as usize).iter().sum()
}

/// Which Walsh average, counted from either end (from 1), bounds the interval: the largest `k` with
/// `2 P(W <= k - 1) <= alpha`. `None` where even the outermost would claim too much (`2^(1-n) > alpha`).
pub fn margin(n: usize, alpha: f64) -> Option<u64> {
    if n == 0 || alpha.is_nan() {
        return None;
    }
    let k = if n <= EXACT_MAX { exact_margin(n, alpha) } else { approximate_margin(n, alpha) };
    (k > 0).then_some(k)
}

/// The interval for the centre of symmetry with coverage of at least `1 - alpha`: the `k`-th smallest and
/// largest Walsh averages, `k` from [`margin`]. `None` where there are too few values for `alpha` or one is
/// NaN. Ties make it wider, never too narrow.
pub fn interval(values: &[f64], alpha: f64) -> Option<Interval> {
    let sorted = clean(values)?;
    let k = margin(sorted.len(), alpha)?;
    let n = sorted.len() as u64;
    let average = |k| pairs::walsh_sum(&sorted, k) / 2.0;
    Some(Interval { lo: average(k), hi: average(n * (n + 1) / 2 + 1 - k) })
}

/// The two-sided p-value of symmetry about zero. Zeros are dropped, as Wilcoxon did; ties get their mean
/// rank and the distribution is the exact one given those ranks. 1 where nothing but zeros is left, NaN where
/// a value is NaN.
pub fn p_value(values: &[f64]) -> f64 {
    if values.iter().any(|x| x.is_nan()) {
        return f64::NAN;
    }
    let mut nonzero: Vec<f64> = values.iter().copied().filter(|&x| x != 0.0).collect();
    nonzero.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    let ranks = doubled_ranks(&nonzero);
    let total: usize = ranks.iter().sum();
    let positive: usize = nonzero.iter().zip(&ranks).filter(|(x, _)| **x > 0.0).map(|(_, rank)| rank).sum();
    let smaller = positive.min(total - positive);
    let tail = if ranks.len() <= EXACT_MAX {
        lower_tail(&ranks, smaller).iter().sum()
    } else {
        let sd = ranks.iter().map(|&r| (r * r) as f64).sum::<f64>().sqrt() / 2.0;
        normal_cdf((smaller as f64 + 1.0 - total as f64 / 2.0) / sd)
    };
    (2.0 * tail).min(1.0)
}

/// Twice the mean rank of each magnitude, so that ties stay whole numbers; values sorted by magnitude.
fn doubled_ranks(by_magnitude: &[f64]) -> Vec<usize> {
    let mut ranks = Vec::with_capacity(by_magnitude.len());
    for tied in by_magnitude.chunk_by(|a, b| a.abs() == b.abs()) {
        let before = ranks.len();
        ranks.extend(std::iter::repeat_n(2 * before + tied.len() + 1, tied.len()));
    }
    ranks
}

/// The probabilities of the sums `0..=up_to` where each rank is counted or not by a fair coin.
fn lower_tail(ranks: &[usize], up_to: usize) -> Vec<f64> {
    let mut probability = vec![0.0; up_to + 1];
    probability[0] = 1.0;
    for &rank in ranks {
        for w in (0..=up_to).rev() {
            let without = if w >= rank { probability[w - rank] } else { 0.0 };
            probability[w] = 0.5 * (probability[w] + without);
        }
    }
    probability
}

fn exact_margin(n: usize, alpha: f64) -> u64 {
    let ranks: Vec<usize> = (1..=n).collect();
    let cumulative = lower_tail(&ranks, n * (n + 1) / 4).into_iter().scan(0.0, |sum, p| {
        *sum += p;
        Some(*sum)
    });
    cumulative.take_while(|below| 2.0 * below <= alpha).count() as u64
}

fn approximate_margin(n: usize, alpha: f64) -> u64 {
    let n = n as f64;
    let sd = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
    let largest = n * (n + 1.0) / 4.0 + normal_quantile(alpha.clamp(0.0, 1.0) / 2.0) * sd - 0.5;
    (largest + 1.0).max(0.0) as u64
}

//! Wilcoxon's signed-rank statistic: an exact test of symmetry about zero and the matching exact interval for
//! the Hodges–Lehmann estimate. Assumes symmetry, not normality.

use crate::interval::Interval;
use crate::pairs::Pairs;
use crate::quantile::finite;
use crate::special::{normal_cdf, normal_quantile};
use crate::tail::Tail;
use std::sync::OnceLock;

/// Size of the largest sample for which everything is exact. Larger samples use the normal approximation with
/// continuity correction. At this size, the approximation differs from the exact tail by less than 1 % at the
/// usual levels.
pub const EXACT_MAX: usize = 100;

/// Lower half of the exact distribution function for each number of values, computed on first use.
static LOWER_HALVES: [OnceLock<Vec<f64>>; EXACT_MAX + 1] = [const { OnceLock::new() }; EXACT_MAX + 1];

/// Returns the exact probability that the rank sum of `n` values without ties is at most `w`. Beyond
/// [`EXACT_MAX`] values, each call takes O(n³) time.
pub fn cdf(w: u64, n: usize) -> f64 {
    let total = n * (n + 1) / 2;
    match w as usize {
        w if w >= total => 1.0,
        w if w > total / 2 => 1.0 - lower_half(n)[total - 1 - w],
        w => lower_half(n)[w],
    }
}

/// Returns the rank of the Walsh averages that bound the interval, counted from 1 at either end. It is the
/// largest `k` with `2 P(W <= k - 1) <= alpha`. Returns `None` if the interval would exceed the error `alpha`
/// even with the outermost averages (`2^(1-n) > alpha`).
pub fn margin(n: usize, alpha: f64) -> Option<u64> {
    if n == 0 || alpha.is_nan() {
        return None;
    }
    let k = if n <= EXACT_MAX { exact_margin(n, alpha) } else { approximate_margin(n, alpha) };
    (k > 0).then_some(k)
}

/// Returns the interval for the centre of symmetry with coverage of at least `1 - alpha`: the `k`-th smallest
/// and largest Walsh averages, with `k` from [`margin`]. Returns `None` if there are too few values for
/// `alpha` or one is not finite. Ties widen the interval and never narrow it.
pub fn interval(values: &[f64], alpha: f64) -> Option<Interval> {
    let sorted = finite(values)?;
    let k = margin(sorted.len(), alpha)?;
    let walsh = Pairs::walsh_sums(&sorted);
    let (lo, hi) = (walsh.kth(k), walsh.kth(walsh.count() + 1 - k));
    Some(Interval { lo: lo / 2.0, hi: hi / 2.0 })
}

/// Returns the two-sided p-value of symmetry about zero. Zeros are dropped, as Wilcoxon did. Ties receive
/// their mean rank, and the distribution is exact given those ranks. Infinite values have the largest
/// magnitude. Returns 1 if only zeros remain, NaN if a value is NaN.
pub fn p_value(values: &[f64]) -> f64 {
    p_value_against(values, Tail::Both)
}

/// Returns the p-value of symmetry about zero against the alternative `tail`. [`Tail::Greater`] means a
/// centre above zero.
pub fn p_value_against(values: &[f64], tail: Tail) -> f64 {
    if values.iter().any(|x| x.is_nan()) {
        return f64::NAN;
    }
    let mut nonzero: Vec<f64> = values.iter().copied().filter(|&x| x != 0.0).collect();
    nonzero.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    let ranks = doubled_ranks(&nonzero);
    let total: usize = ranks.iter().sum();
    let positive: usize = nonzero.iter().zip(&ranks).filter(|(x, _)| **x > 0.0).map(|(_, rank)| rank).sum();
    tail.p(at_most(&ranks, positive), at_most(&ranks, total - positive))
}

/// Returns the probability that the sum of the doubled ranks is at most `doubled`, if a fair coin decides
/// whether each rank counts.
fn at_most(ranks: &[usize], doubled: usize) -> f64 {
    let n = ranks.len();
    let total: usize = ranks.iter().sum();
    if n > EXACT_MAX {
        let sd = ranks.iter().map(|&r| (r * r) as f64).sum::<f64>().sqrt() / 2.0;
        return normal_cdf((doubled as f64 + 1.0 - total as f64 / 2.0) / sd);
    }
    if ranks.iter().enumerate().all(|(i, &rank)| rank == 2 * (i + 1)) {
        return cdf((doubled / 2) as u64, n);
    }
    match doubled {
        w if w >= total => 1.0,
        w if w > total / 2 => 1.0 - lower_tail(ranks, total - 1 - w).iter().sum::<f64>(),
        w => lower_tail(ranks, w).iter().sum(),
    }
}

fn doubled_ranks(by_magnitude: &[f64]) -> Vec<usize> {
    let mut ranks = Vec::with_capacity(by_magnitude.len());
    for tied in by_magnitude.chunk_by(|a, b| a.abs() == b.abs()) {
        let before = ranks.len();
        ranks.extend(std::iter::repeat_n(2 * before + tied.len() + 1, tied.len()));
    }
    ranks
}

/// Returns the probabilities of the sums `0..=up_to`, if a fair coin decides whether each rank counts.
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

fn lower_half(n: usize) -> std::borrow::Cow<'static, [f64]> {
    let make = || {
        let ranks: Vec<usize> = (1..=n).collect();
        let mut probabilities = lower_tail(&ranks, n * (n + 1) / 4);
        for w in 1..probabilities.len() {
            probabilities[w] += probabilities[w - 1];
        }
        probabilities
    };
    match LOWER_HALVES.get(n) {
        Some(table) => table.get_or_init(make).into(),
        None => make().into(),
    }
}

fn exact_margin(n: usize, alpha: f64) -> u64 {
    lower_half(n).partition_point(|below| 2.0 * below <= alpha) as u64
}

fn approximate_margin(n: usize, alpha: f64) -> u64 {
    let n = n as f64;
    let largest = n * (n + 1.0) / 4.0 + normal_quantile(alpha.clamp(0.0, 1.0) / 2.0) * spread(n) - 0.5;
    (largest + 1.0).max(0.0) as u64
}

fn spread(n: f64) -> f64 {
    (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt()
}

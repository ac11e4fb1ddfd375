//! The rank-sum statistic of two independent samples (Wilcoxon, 1945; Mann and Whitney, 1947): an exact test
//! for a shift and the matching exact interval for [`crate::hodges_lehmann_shift`]. The only assumption is
//! that both distributions have the same shape.

use crate::interval::Interval;
use crate::pairs::Pairs;
use crate::quantile::finite;
use crate::special::{normal_cdf, normal_quantile};

/// Size of the largest sample for which everything is exact. Larger samples use the normal approximation with
/// continuity correction.
pub const EXACT_MAX: usize = 64;

/// Returns the two-sided p-value of no shift between `x` and `y`. Ties receive their mean rank, and the
/// distribution is exact given those ranks. Only order matters, so infinite values are allowed. Returns 1 if
/// a sample is empty or all values are equal, NaN if a value is NaN.
pub fn p_value(x: &[f64], y: &[f64]) -> f64 {
    if x.iter().chain(y).any(|value| value.is_nan()) {
        return f64::NAN;
    }
    let (few, many) = if x.len() <= y.len() { (x, y) } else { (y, x) };
    let (ranks, sum) = doubled_ranks(few, many);
    if many.len() > EXACT_MAX {
        return approximate_p(&ranks, few.len(), sum);
    }
    // Only the lower tail is computed. If the sum is above the middle, mirror the ranks.
    let (n, whole) = (few.len(), ranks.len() + 1);
    let middle = n * whole;
    if sum <= middle {
        return exact_p(&ranks, n, sum);
    }
    let mirrored: Vec<usize> = ranks.iter().rev().map(|rank| 2 * whole - rank).collect();
    exact_p(&mirrored, n, 2 * middle - sum)
}

/// Returns the rank of the differences that bound the interval of `n` values against `m`, counted from 1 at
/// either end. It is the largest `k` with `2 P(U <= k - 1) <= alpha`. Returns `None` if the interval would
/// exceed the error `alpha` even with the outermost differences.
pub fn margin(n: usize, m: usize, alpha: f64) -> Option<u64> {
    if n == 0 || m == 0 || alpha.is_nan() {
        return None;
    }
    let (n, m) = (n.min(m), n.max(m));
    let k = if m <= EXACT_MAX { exact_margin(n, m, alpha) } else { approximate_margin(n, m, alpha) };
    (k > 0).then_some(k)
}

/// Returns the interval for the shift of `x` against `y` with coverage of at least `1 - alpha`: the `k`-th
/// smallest and largest differences `x_i - y_j`, with `k` from [`margin`]. Returns `None` if there are too
/// few values for `alpha` or one is not finite. Ties widen the interval and never narrow it.
pub fn interval(x: &[f64], y: &[f64], alpha: f64) -> Option<Interval> {
    let (x, y) = (finite(x)?, finite(y)?);
    let k = margin(x.len(), y.len(), alpha)?;
    let shifts = Pairs::shifts(&x, &y);
    Some(Interval { lo: shifts.kth(k), hi: shifts.kth(shifts.count() + 1 - k) })
}

fn doubled_ranks(x: &[f64], y: &[f64]) -> (Vec<usize>, usize) {
    // Adding zero turns -0 into 0, which it equals.
    let of = |values: &[f64], first: bool| -> Vec<(f64, bool)> {
        values.iter().map(|value| (value + 0.0, first)).collect()
    };
    let mut all = [of(x, true), of(y, false)].concat();
    all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (mut ranks, mut sum) = (Vec::with_capacity(all.len()), 0);
    for tied in all.chunk_by(|a, b| a.0 == b.0) {
        let rank = 2 * ranks.len() + tied.len() + 1;
        sum += rank * tied.iter().filter(|(_, first)| *first).count();
        ranks.extend(std::iter::repeat_n(rank, tied.len()));
    }
    (ranks, sum)
}

/// Returns the two-sided p-value: twice the smaller tail, at most 1. `sum` is at most the middle.
fn exact_p(ranks: &[usize], n: usize, sum: usize) -> f64 {
    let probability = sums(ranks, n, sum);
    let below: f64 = probability[..sum].iter().sum();
    let as_small = below + probability[sum];
    (2.0 * as_small.min(1.0 - below)).min(1.0)
}

/// Returns the probabilities of the sums `0..=up_to` of `n` ranks, if every choice of `n` from `ranks`
/// (ascending) is equally likely. Processes one rank after the other, each with the probability of being
/// chosen given the choices so far.
fn sums(ranks: &[usize], n: usize, up_to: usize) -> Vec<f64> {
    let all = ranks.len();
    let mut taken = vec![vec![0.0; up_to + 1]; n + 1];
    taken[0][0] = 1.0;
    // Sums of the first `count` ranks.
    let first: Vec<usize> = (0..=all).map(|count| ranks[..count].iter().sum()).collect();
    for (seen, &rank) in ranks.iter().enumerate() {
        let left = (all - seen) as f64;
        // At most `seen` ranks can have been chosen so far, and the missing ones must be among the rest.
        for k in ((n + seen).saturating_sub(all)..=n.min(seen)).rev() {
            let take = (n - k) as f64 / left;
            // The possible sums range from that of the lowest `k` ranks to that of the highest `k`.
            let (least, most) = (first[k].min(up_to + 1), (first[seen] - first[seen - k]).min(up_to));
            let (now, next) = taken.split_at_mut(k + 1);
            let now = &mut now[k][least..=most];
            if let Some(next) = next.first_mut() {
                for (to, from) in next.iter_mut().skip(least + rank).zip(now.iter()) {
                    *to += take * from;
                }
            }
            for probability in now {
                *probability *= 1.0 - take;
            }
        }
    }
    taken.swap_remove(n)
}

fn exact_margin(n: usize, m: usize, alpha: f64) -> u64 {
    let ranks: Vec<usize> = (1..=n + m).collect();
    let least = n * (n + 1) / 2;
    let mut below = 0.0;
    let sums = sums(&ranks, n, least + n * m / 2);
    let allowed = sums[least..].iter().take_while(|&probability| {
        below += probability;
        2.0 * below <= alpha
    });
    allowed.count() as u64
}

fn approximate_margin(n: usize, m: usize, alpha: f64) -> u64 {
    let (n, m) = (n as f64, m as f64);
    let spread = (n * m * (n + m + 1.0) / 12.0).sqrt();
    let largest = n * m / 2.0 + normal_quantile(alpha.clamp(0.0, 1.0) / 2.0) * spread - 0.5;
    (largest + 1.0).max(0.0) as u64
}

/// Returns the two-sided p-value by the normal approximation, with a continuity correction and the variance
/// corrected for ties.
fn approximate_p(ranks: &[usize], n: usize, sum: usize) -> f64 {
    let all = ranks.len() as f64;
    let (n, m) = (n as f64, all - n as f64);
    let ties: f64 = ranks.chunk_by(|a, b| a == b).map(|tied| tied.len() as f64).map(|t| t * t * t - t).sum();
    let spread = (n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)))).sqrt();
    let distance = (sum as f64 / 2.0 - n * (all + 1.0) / 2.0).abs() - 0.5;
    if spread > 0.0 { (2.0 * normal_cdf(-distance / spread)).min(1.0) } else { 1.0 }
}

//! The test of Mann and Whitney (1947) for two independent samples, and the exact interval for the shift that
//! goes with the Hodges–Lehmann shift. For results that cannot be paired, and to give what benchstat gives.

use crate::interval::Interval;
use crate::pairs::Pairs;
use crate::quantile::clean;
use crate::ranks;
use crate::special::{normal_cdf, normal_quantile};
use crate::tail::Tail;

/// Up to this many values in both samples together everything is exact; above, the normal approximation with
/// corrections for continuity and ties is used.
pub const EXACT_MAX: usize = 80;

/// The number of pairs with `x_i > y_j`, ties counting one half.
pub fn u(x: &[f64], y: &[f64]) -> f64 {
    let doubled: usize = joint_ranks(x, y)[..x.len()].iter().sum();
    (doubled - x.len() * (x.len() + 1)) as f64 / 2.0
}

/// The exact probability that `u` of samples of `n` and `m` values without ties is at most `u`.
pub fn cdf(u: u64, n: usize, m: usize) -> f64 {
    let (n, m) = (n.min(m), n.max(m));
    let most = (n * m) as u64;
    if u >= most {
        return 1.0;
    }
    if u > most / 2 {
        return 1.0 - lower_half(n, m)[(most - 1 - u) as usize];
    }
    lower_half(n, m)[u as usize]
}

/// The p-value of equal distributions; `Greater` where `x` tends to be larger. With ties the exact distribution
/// is the one given the ranks seen. NaN where a sample is empty or a value is NaN.
pub fn p_value(x: &[f64], y: &[f64], tail: Tail) -> f64 {
    if x.len() + y.len() > EXACT_MAX {
        return asymptotic_p_value(x, y, tail);
    }
    if clean(x).is_none() || clean(y).is_none() {
        return f64::NAN;
    }
    let ranks = joint_ranks(x, y);
    let (of_x, of_y) = ranks.split_at(x.len());
    let all: usize = ranks.iter().sum();
    let smaller = x.len().min(y.len());
    // The rank sum of the smaller sample is as small as seen where that of the larger is as large.
    let sum: usize = if x.len() <= y.len() { of_x.iter().sum() } else { of_y.iter().sum() };
    let mut sorted = ranks;
    sorted.sort_unstable();
    let mirrored: Vec<usize> = sorted.iter().rev().map(|rank| 2 * (x.len() + y.len() + 1) - rank).collect();
    let as_small = at_most(&sorted, smaller, sum);
    let as_large = at_most(&mirrored, smaller, smaller * 2 * (x.len() + y.len() + 1) - sum);
    debug_assert!(sum <= all);
    if x.len() <= y.len() { tail.p(as_small, as_large) } else { tail.p(as_large, as_small) }
}

/// The same by the normal approximation with corrections for continuity and ties. 1 where all values are equal.
pub fn asymptotic_p_value(x: &[f64], y: &[f64], tail: Tail) -> f64 {
    if clean(x).is_none() || clean(y).is_none() {
        return f64::NAN;
    }
    let (n, m) = (x.len() as f64, y.len() as f64);
    let mut ranks = joint_ranks(x, y);
    ranks.sort_unstable();
    let ties: f64 =
        ranks.chunk_by(|a, b| a == b).map(|tied| tied.len() as f64).map(|t| t * (t * t - 1.0)).sum();
    let sd = (n * m / 12.0 * (n + m + 1.0 - ties / ((n + m) * (n + m - 1.0)))).sqrt();
    if sd == 0.0 {
        return 1.0;
    }
    let from_middle = u(x, y) - n * m / 2.0;
    tail.p(normal_cdf((from_middle + 0.5) / sd), normal_cdf((0.5 - from_middle) / sd))
}

/// Which difference, counted from either end (from 1), bounds the interval: the largest `k` with
/// `2 P(U <= k - 1) <= alpha`. `None` where even the outermost would claim too much.
pub fn margin(n: usize, m: usize, alpha: f64) -> Option<u64> {
    if n == 0 || m == 0 || alpha.is_nan() {
        return None;
    }
    let k = if n + m <= EXACT_MAX {
        lower_half(n.min(m), n.max(m)).partition_point(|below| 2.0 * below <= alpha) as u64
    } else {
        let (n, m) = (n as f64, m as f64);
        let sd = (n * m * (n + m + 1.0) / 12.0).sqrt();
        (n * m / 2.0 + normal_quantile(alpha.clamp(0.0, 1.0) / 2.0) * sd + 0.5).max(0.0) as u64
    };
    (k > 0).then_some(k)
}

/// The interval for the shift of `x` against `y` with coverage of at least `1 - alpha`. `None` where there are too
/// few values for `alpha`, or one is NaN.
pub fn interval(x: &[f64], y: &[f64], alpha: f64) -> Option<Interval> {
    let (x, y) = (clean(x)?, clean(y)?);
    let k = margin(x.len(), y.len(), alpha)?;
    let shifts = Pairs::shifts(&x, &y);
    Some(Interval { lo: shifts.kth(k), hi: shifts.kth(shifts.count() + 1 - k) })
}

/// Twice the mean ranks of both samples in one.
fn joint_ranks(x: &[f64], y: &[f64]) -> Vec<usize> {
    ranks::doubled(&[x, y].concat())
}

/// The distribution function of `u` for `0..=nm/2`.
fn lower_half(n: usize, m: usize) -> Vec<f64> {
    let ranks: Vec<usize> = (0..n + m).collect();
    let least = n * n.saturating_sub(1) / 2;
    let mut sums = choices(&ranks, n, least + n * m / 2).split_off(least);
    for u in 1..sums.len() {
        sums[u] += sums[u - 1];
    }
    let all = binomial(n + m, n);
    sums.into_iter().map(|count| count / all).collect()
}

/// The probability that `chosen` of the ranks, drawn at random, sum to at most `limit`.
fn at_most(ranks: &[usize], chosen: usize, limit: usize) -> f64 {
    let all: f64 = binomial(ranks.len(), chosen);
    (choices(ranks, chosen, limit).iter().sum::<f64>() / all).min(1.0)
}

/// In how many ways `chosen` of the ranks have each sum up to a limit.
fn choices(ranks: &[usize], chosen: usize, limit: usize) -> Vec<f64> {
    let mut ways = vec![vec![0.0; limit + 1]; chosen + 1];
    ways[0][0] = 1.0;
    for (seen, &rank) in ranks.iter().enumerate().filter(|(_, rank)| **rank <= limit) {
        for count in (1..=chosen.min(seen + 1)).rev() {
            let (fewer, more) = ways.split_at_mut(count);
            for (to, from) in more[0][rank..].iter_mut().zip(&fewer[count - 1]) {
                *to += from;
            }
        }
    }
    ways.pop().unwrap_or_default()
}

fn binomial(n: usize, k: usize) -> f64 {
    (1..=k).fold(1.0, |product, i| product * (n - k + i) as f64 / i as f64)
}

//! Order statistics of the n² sums or differences of pairs without making them: bisection over the
//! representable numbers, each step counting the pairs below in O(n) over sorted values. Exact, and at most
//! 64 steps whatever the data. Values must be finite and sorted.

/// The `k`-th smallest (from 1) Walsh sum `x_i + x_j`, `i <= j`.
pub(crate) fn walsh_sum(sorted: &[f64], k: u64) -> f64 {
    let (first, last) = (sorted[0], sorted[sorted.len() - 1]);
    smallest_reaching(first + first, last + last, |limit| walsh_sums_up_to(sorted, limit) >= k)
}

/// The `k`-th smallest (from 1) difference `x_j - x_i`, `i < j`, of sorted values; never negative.
pub(crate) fn spacing(sorted: &[f64], k: u64) -> f64 {
    let widest = sorted[sorted.len() - 1] - sorted[0];
    smallest_reaching(0.0, widest, |limit| spacings_up_to(sorted, limit) >= k)
}

/// The `k`-th smallest (from 1) difference `x_i - y_j` of two sorted samples.
pub(crate) fn shift(x: &[f64], y: &[f64], k: u64) -> f64 {
    let (lowest, highest) = (x[0] - y[y.len() - 1], x[x.len() - 1] - y[0]);
    smallest_reaching(lowest, highest, |limit| shifts_up_to(x, y, limit) >= k)
}

/// The median of `count` pair values, given the function that finds the `k`-th.
pub(crate) fn middle(count: u64, kth: impl Fn(u64) -> f64) -> f64 {
    let upper = kth(count / 2 + 1);
    if count % 2 == 1 { upper } else { kth(count / 2) / 2.0 + upper / 2.0 }
}

fn walsh_sums_up_to(sorted: &[f64], limit: f64) -> u64 {
    let (mut count, mut end) = (0, sorted.len());
    for (i, x) in sorted.iter().enumerate() {
        while end > i && x + sorted[end - 1] > limit {
            end -= 1;
        }
        if end <= i {
            break;
        }
        count += (end - i) as u64;
    }
    count
}

fn spacings_up_to(sorted: &[f64], limit: f64) -> u64 {
    let (mut count, mut start) = (0, 0);
    for (j, x) in sorted.iter().enumerate() {
        while x - sorted[start] > limit {
            start += 1;
        }
        count += (j - start) as u64;
    }
    count
}

fn shifts_up_to(x: &[f64], y: &[f64], limit: f64) -> u64 {
    let (mut count, mut start) = (0, 0);
    for a in x {
        while start < y.len() && a - y[start] > limit {
            start += 1;
        }
        count += (y.len() - start) as u64;
    }
    count
}

/// The smallest number in `[low, high]` for which a monotone condition holds; it must hold at `high`.
fn smallest_reaching(low: f64, high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut below, mut at) = (rank(low), rank(high));
    while below < at {
        let mid = below + (at - below) / 2;
        if holds(number(mid)) {
            at = mid;
        } else {
            below = mid + 1;
        }
    }
    number(at) + 0.0 // -0 becomes 0
}

const SIGN: u64 = 1 << 63;

/// The place of a number among all representable ones.
fn rank(x: f64) -> u64 {
    let bits = x.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

fn number(rank: u64) -> f64 {
    f64::from_bits(if rank & SIGN == 0 { !rank } else { rank & !SIGN })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn every_rank_equals_brute_force_with_ties_and_signs() {
        let mut rng = Rng::new(5);
        for n in 1..14 {
            let mut x: Vec<f64> =
                (0..n).map(|_| rng.below(9) as f64 - 4.0 + rng.below(2) as f64 / 3.0).collect();
            let mut y: Vec<f64> = (0..n + 2).map(|_| rng.normal()).collect();
            x.sort_by(f64::total_cmp);
            y.sort_by(f64::total_cmp);
            let mut sums: Vec<f64> =
                (0..n).flat_map(|j| (0..=j).map(move |i| (i, j))).map(|(i, j)| x[i] + x[j]).collect();
            let mut gaps: Vec<f64> =
                (0..n).flat_map(|j| (0..j).map(move |i| (i, j))).map(|(i, j)| x[j] - x[i]).collect();
            let mut shifts: Vec<f64> = x.iter().flat_map(|a| y.iter().map(move |b| a - b)).collect();
            for all in [&mut sums, &mut gaps, &mut shifts] {
                all.sort_by(f64::total_cmp);
            }
            for (k, expected) in (1..).zip(sums) {
                assert_eq!(walsh_sum(&x, k), expected);
            }
            for (k, expected) in (1..).zip(gaps) {
                assert_eq!(spacing(&x, k), expected);
            }
            for (k, expected) in (1..).zip(shifts) {
                assert_eq!(shift(&x, &y, k), expected);
            }
        }
    }
}

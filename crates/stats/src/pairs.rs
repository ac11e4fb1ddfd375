//! Order statistics of all n² sums or differences of pairs, without computing all of them. Bisects the range
//! of values, and counts the pairs below the middle in O(n). Once few pairs remain, computes these and
//! selects among them. Exact, with at most about 130 steps for any data. Values must be finite and sorted.

use std::borrow::Cow;

/// Differences `x_i - y_j` of sorted values. Row `i` contains `x_i` minus each of the first few values of
/// `y`.
pub(crate) struct Pairs<'a> {
    x: &'a [f64],
    y: Cow<'a, [f64]>,
    /// Length of the first row, and the increase from each row to the next.
    row: (usize, isize),
    count: u64,
}

impl<'a> Pairs<'a> {
    /// Returns the Walsh sums `x_i + x_j`, `i <= j`.
    pub(crate) fn walsh_sums(x: &'a [f64]) -> Self {
        let mirrored: Vec<f64> = x.iter().rev().map(|v| -v).collect();
        let count = (x.len() * (x.len() + 1) / 2) as u64;
        Pairs { x, y: mirrored.into(), row: (x.len(), -1), count }
    }

    /// Returns the differences `x_j - x_i`, `i < j`, which are never negative.
    pub(crate) fn spacings(x: &'a [f64]) -> Self {
        let count = (x.len() * x.len().saturating_sub(1) / 2) as u64;
        Pairs { x, y: x.into(), row: (0, 1), count }
    }

    /// Returns the differences `x_i - y_j` of two samples.
    pub(crate) fn shifts(x: &'a [f64], y: &'a [f64]) -> Self {
        Pairs { x, y: y.into(), row: (y.len(), 0), count: x.len() as u64 * y.len() as u64 }
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn median(&self) -> f64 {
        let upper = self.count / 2 + 1;
        if self.count % 2 == 1 {
            return self.kth(upper);
        }
        let (below, above) = self.neighbours(upper - 1);
        below / 2.0 + above / 2.0
    }

    /// Returns the `k`-th smallest value, counted from 1.
    pub(crate) fn kth(&self, k: u64) -> f64 {
        let (mut near, before) = self.near(k, k);
        let place = (k - before - 1) as usize;
        *near.select_nth_unstable_by(place, f64::total_cmp).1 + 0.0 // -0 becomes 0
    }

    fn neighbours(&self, k: u64) -> (f64, f64) {
        let (mut near, before) = self.near(k, k + 1);
        if (near.len() as u64) < k + 1 - before {
            return (self.kth(k), self.kth(k + 1));
        }
        let (_, &mut kth, above) = near.select_nth_unstable_by((k - before - 1) as usize, f64::total_cmp);
        (kth + 0.0, above.iter().copied().fold(f64::INFINITY, f64::min) + 0.0)
    }

    /// Returns a few successive values with the `j`-th among them, in any order, and the number of values
    /// before them. They also include the `k`-th value (`k >= j`), unless the bisection separated the two.
    fn near(&self, j: u64, k: u64) -> (Vec<f64>, u64) {
        let few = (2 * self.x.len() + 30) as u64;
        let last = |values: &[f64]| values[values.len() - 1];
        let least = self.x[0] - last(&self.y);
        // The lower bound is exclusive, and -0 ranks just below 0. Start from -0, so that no zero is lost.
        let least = if least == 0.0 { -0.0 } else { least };
        let (mut below, mut at) = (rank(least) - 1, rank(last(self.x) - self.y[0]));
        let (mut before, mut upto) = (0, self.count);
        let mut steps = 0;
        while upto - before > few && at - below > 1 {
            let half = rank(number(below) / 2.0 + number(at) / 2.0);
            // Bisecting values converges fast, but only bisecting ranks is guaranteed to converge.
            let mid = if steps % 4 < 3 { half.clamp(below + 1, at - 1) } else { below + (at - below) / 2 };
            steps += 1;
            let count = self.up_to(number(mid));
            if count < j {
                (below, before) = (mid, count);
            } else {
                (at, upto) = (mid, count);
                if count < k {
                    return self.near(j, j);
                }
            }
        }
        (
            if at - below == 1 {
                vec![number(at); (upto - before) as usize]
            } else {
                self.between(below, at)
            },
            before,
        )
    }

    fn row_length(&self, i: usize) -> usize {
        self.row.0.wrapping_add_signed(self.row.1 * i as isize)
    }

    fn up_to(&self, limit: f64) -> u64 {
        let (mut count, mut start) = (0, 0);
        for (i, a) in self.x.iter().enumerate() {
            while start < self.y.len() && a - self.y[start] > limit {
                start += 1;
            }
            count += self.row_length(i).saturating_sub(start);
        }
        count as u64
    }

    fn between(&self, below: u64, at: u64) -> Vec<f64> {
        let (below, at) = (number(below), number(at));
        let (mut found, mut start) = (Vec::with_capacity(2 * self.x.len() + 30), 0);
        for (i, a) in self.x.iter().enumerate() {
            while start < self.y.len() && a - self.y[start] > at {
                start += 1;
            }
            let row = self.y.get(start..self.row_length(i)).unwrap_or_default();
            found.extend(row.iter().map(|b| a - b).take_while(|&d| d > below));
        }
        found
    }
}

const SIGN: u64 = 1 << 63;

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
        for n in (1..30).chain([90]) {
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
            let cases =
                [(Pairs::walsh_sums(&x), sums), (Pairs::spacings(&x), gaps), (Pairs::shifts(&x, &y), shifts)];
            for (pairs, all) in cases {
                assert_eq!(pairs.count(), all.len() as u64);
                for (k, two) in (1..).zip(all.windows(2)) {
                    assert_eq!((pairs.kth(k), pairs.kth(k + 1)), (two[0], two[1]));
                    assert_eq!(pairs.neighbours(k), (two[0], two[1]));
                }
            }
        }
    }

    #[test]
    fn zeros_at_the_low_end_are_pairs_too() {
        let x = [0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let sums = Pairs::walsh_sums(&x);
        assert_eq!([1, 3, 4, 36].map(|k| sums.kth(k)), [0.0, 0.0, 1.0, 12.0]);
        assert_eq!(Pairs::shifts(&x, &[6.0]).kth(8), 0.0);
        assert_eq!(Pairs::spacings(&[2.0, 2.0, 2.0, 5.0]).kth(1), 0.0);
    }
}

//! Compares two samples in strata. Values of one stratum share a common effect, so only they are compared
//! with each other. The statistic counts the pairs whose second value is larger, summed over all strata (Mann
//! and Whitney, 1947, and van Elteren, 1960). It yields an exact test for a shift, the matching exact
//! interval, and the median of the differences. With a single stratum, it is the rank-sum test.

use crate::interval::Interval;
use crate::location::median;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// One stratum with the values of both samples, which must be finite.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stratum {
    /// Values of the first sample.
    pub first: Vec<f64>,
    /// Values of the second sample.
    pub second: Vec<f64>,
}

type Sizes = Vec<(usize, usize)>;

/// Returns the median of the differences (second minus first) of all pairs within a stratum. NaN if there
/// is none.
pub fn shift(strata: &[Stratum]) -> f64 {
    let differences = differences(strata);
    if differences.is_empty() { f64::NAN } else { median(&differences) }
}

/// Returns the two-sided p-value for a shift of the second sample by `shift` against the first. A tie counts
/// half for each side. If the number of ties is odd, the last one makes the p-value larger. Returns 1 if no
/// stratum has both samples.
pub fn p_value(strata: &[Stratum], shift: f64) -> f64 {
    let below = null(&sizes(strata));
    let (mut less, mut more) = (0_usize, 0_usize);
    for difference in differences(strata) {
        less += usize::from(difference < shift);
        more += usize::from(difference > shift);
    }
    let ties = below.len() - 1 - less - more;
    (2.0 * below[less.min(more) + ties.div_ceil(2)]).min(1.0)
}

/// Returns the interval of the shift with coverage of at least `1 - alpha`: the `k`-th smallest and largest
/// difference, with the largest `k` that `alpha` allows. Returns `None` if `alpha` does not even allow the
/// outermost differences.
pub fn interval(strata: &[Stratum], alpha: f64) -> Option<Interval> {
    let below = null(&sizes(strata));
    let k = below.iter().take_while(|below| 2.0 * **below <= alpha).count();
    let mut differences = differences(strata);
    if k == 0 || differences.len() < k {
        return None;
    }
    differences.sort_unstable_by(f64::total_cmp);
    Some(Interval { lo: differences[k - 1], hi: differences[differences.len() - k] })
}

/// Returns the smallest two-sided p-value that samples of these sizes allow. It occurs if the samples do not
/// overlap in any stratum.
pub fn least_p(sizes: impl IntoIterator<Item = (usize, usize)>) -> f64 {
    let ways = |(first, second): (usize, usize)| {
        (1..=first).map(|i| (second + i) as f64 / i as f64).product::<f64>()
    };
    (2.0 / sizes.into_iter().map(ways).product::<f64>()).min(1.0)
}

fn sizes(strata: &[Stratum]) -> Sizes {
    strata.iter().map(|stratum| (stratum.first.len(), stratum.second.len())).collect()
}

fn differences(strata: &[Stratum]) -> Vec<f64> {
    let of = |stratum: &Stratum| {
        let second = &stratum.second;
        stratum.first.iter().flat_map(|first| second.iter().map(move |other| other - first)).collect()
    };
    strata.iter().flat_map(|stratum: &Stratum| -> Vec<f64> { of(stratum) }).collect()
}

/// Returns the null distribution of the statistic: element `i` is the probability of at most `i` pairs.
/// Computed once for each combination of sizes.
fn null(sizes: &Sizes) -> Arc<Vec<f64>> {
    static KNOWN: OnceLock<Mutex<HashMap<Sizes, Arc<Vec<f64>>>>> = OnceLock::new();
    let mut sizes = sizes.clone();
    sizes.sort_unstable();
    let mut known = KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(known.entry(sizes.clone()).or_insert_with(|| Arc::new(distribution(&sizes))))
}

fn distribution(sizes: &Sizes) -> Vec<f64> {
    let mut all = vec![1.0];
    for (first, second) in sizes {
        let own = counts(*first, *second);
        let mut sum = vec![0.0; all.len() + own.len() - 1];
        for (at, probability) in all.iter().enumerate() {
            own.iter().enumerate().for_each(|(more, other)| sum[at + more] += probability * other);
        }
        all = sum;
    }
    for at in 1..all.len() {
        all[at] += all[at - 1];
    }
    all
}

/// Returns the distribution of the statistic in one stratum: element `i` is the probability of exactly `i`
/// pairs. The recursion removes the largest value from one of the samples.
fn counts(first: usize, second: usize) -> Vec<f64> {
    let mut rows: Vec<Vec<f64>> = vec![vec![1.0]; second + 1];
    for n in 1..=first {
        for m in 0..=second {
            let mut own = vec![0.0; n * m + 1];
            let share = n as f64 / (n + m) as f64;
            rows[m].iter().enumerate().for_each(|(at, p)| own[at] += share * p);
            if m > 0 {
                rows[m - 1].iter().enumerate().for_each(|(at, p)| own[at + n] += (1.0 - share) * p);
            }
            rows[m] = own;
        }
    }
    rows.swap_remove(second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank_sum;

    fn stratum(first: &[f64], second: &[f64]) -> Stratum {
        Stratum { first: first.to_vec(), second: second.to_vec() }
    }

    #[test]
    fn one_stratum_is_the_rank_sum_test() {
        let (x, y) = ([1.1, 2.3, 0.7, 4.0, 2.2], [2.9, 3.1, 5.2, 1.9, 4.4, 6.0]);
        let one = [stratum(&x, &y)];
        assert!((p_value(&one, 0.0) - rank_sum::p_value(&y, &x)).abs() < 1e-12);
        for alpha in [0.01, 0.05, 0.3] {
            assert_eq!(interval(&one, alpha), rank_sum::interval(&y, &x, alpha), "{alpha}");
        }
        assert!((shift(&one) - crate::hodges_lehmann_shift(&y, &x)).abs() < 1e-12);
        // If five values do not overlap with five others, 2 of 252 divisions are as extreme.
        assert!((least_p([(5, 5)]) - 2.0 / 252.0).abs() < 1e-15);
        assert!((p_value(&[stratum(&[1.0; 5], &[2.0; 5])], 0.0) - 2.0 / 252.0).abs() < 1e-12);
    }

    /// The expected values come from enumerating all ways to divide the values of each stratum.
    #[test]
    fn several_strata_are_counted_out() {
        let strata = [stratum(&[1.0, 5.0], &[4.0, 9.0]), stratum(&[10.0], &[12.0, 11.0])];
        // In 3 + 2 of 6 pairs, the second value is larger. Of 6 × 3 ways, one has more of these pairs and two
        // have as many.
        let p = p_value(&strata, 0.0);
        assert!((p - 2.0 * 3.0 / 18.0).abs() < 1e-12, "{p}");
        assert!((least_p([(2, 2), (1, 2)]) - 2.0 / 18.0).abs() < 1e-12);
    }

    #[test]
    fn what_a_stratum_shares_does_not_matter() {
        let own = [stratum(&[0.1, 0.3, 0.2], &[0.5, 0.6, 0.4]), stratum(&[0.0, 0.2], &[0.7, 0.1])];
        let moved = [own[0].clone(), stratum(&[9.0, 9.2], &[9.7, 9.1])];
        assert!((p_value(&own, 0.0) - p_value(&moved, 0.0)).abs() < 1e-12);
        assert!((shift(&own) - shift(&moved)).abs() < 1e-9);
    }

    #[test]
    fn ties_claim_nothing() {
        assert_eq!(p_value(&[stratum(&[1.0; 5], &[1.0; 5])], 0.0), 1.0);
        let all = interval(&[stratum(&[1.0; 5], &[1.0; 5])], 0.05);
        assert_eq!(all, Some(Interval { lo: 0.0, hi: 0.0 }));
        assert_eq!(p_value(&[], 0.0), 1.0);
        assert_eq!((interval(&[], 0.05), shift(&[]).is_nan()), (None, true));
        assert_eq!(interval(&[stratum(&[1.0; 3], &[2.0; 3])], 0.05), None, "2 of 20 is too much");
    }
}

//! Measures of spread, in the unit of the values. NaN where they are not defined (too few values, or a NaN
//! among them).

use crate::interval::Interval;
use crate::location::{mean, median};
use crate::pairs::Pairs;
use crate::quantile::{clean, quantile, sorted};
use crate::rng::Rng;
use crate::special::beta_cdf;

/// What a MAD is multiplied by to estimate the standard deviation of normal values.
pub const MAD_TO_SIGMA: f64 = 1.482_602_218_505_602;

/// The sample standard deviation, with n - 1; NaN under two values.
pub fn standard_deviation(values: &[f64]) -> f64 {
    variance(values).sqrt()
}

/// The sample variance, with n - 1, in the squared unit; NaN under two values.
pub fn variance(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return f64::NAN;
    }
    let center = mean(values);
    values.iter().map(|x| (x - center) * (x - center)).sum::<f64>() / (values.len() - 1) as f64
}

/// The median absolute deviation from the median, not scaled (see [`MAD_TO_SIGMA`]).
pub fn mad(values: &[f64]) -> f64 {
    let center = median(values);
    let deviations: Vec<f64> = values.iter().map(|x| (x - center).abs()).collect();
    median(&deviations)
}

/// The distance between the quartiles (type 7).
pub fn iqr(values: &[f64]) -> f64 {
    clean(values).map_or(f64::NAN, |sorted| quantile(&sorted, 0.75) - quantile(&sorted, 0.25))
}

/// The Shamos spread: the median of all `|x_i - x_j|`, `i < j`, not scaled (Shamos, 1976). O(n log n), exact;
/// NaN under two values.
pub fn shamos(values: &[f64]) -> f64 {
    let Some(sorted) = clean(values) else { return f64::NAN };
    if sorted.len() < 2 { f64::NAN } else { Pairs::spacings(&sorted).median() }
}

/// The interval of at least `1 - alpha` for what [`shamos`] estimates, the median distance of two values: the sign-test
/// interval of the distances within pairs drawn at random without overlap (Akinshin's Pragmastat, there with a randomised
/// rank; here the next wider one). Only those `n/2` distances are independent, so it is wide. `None` where they are too
/// few for `alpha`, or with a NaN among the values.
pub fn shamos_interval(values: &[f64], alpha: f64, rng: &mut Rng) -> Option<Interval> {
    let mut mixed = clean(values)?;
    rng.shuffle(&mut mixed);
    let distances: Vec<f64> = mixed.chunks_exact(2).map(|pair| (pair[0] - pair[1]).abs()).collect();
    let k = sign_margin(distances.len(), alpha)?;
    let ordered = sorted(&distances);
    Some(Interval { lo: ordered[k - 1], hi: ordered[ordered.len() - k] })
}

/// The largest `k` with `2 P(B <= k - 1) <= alpha`, `B` the number of heads among `n` fair coins.
fn sign_margin(n: usize, alpha: f64) -> Option<usize> {
    let coins = n as f64;
    let below = |k: usize| beta_cdf(0.5, coins - k as f64 + 1.0, k as f64);
    (1..=n / 2).take_while(|&k| 2.0 * below(k) <= alpha).last()
}

/// The standard deviation over the mean, without unit.
pub fn coefficient_of_variation(values: &[f64]) -> f64 {
    standard_deviation(values) / mean(values)
}

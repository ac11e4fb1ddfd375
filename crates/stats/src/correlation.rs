//! Serial correlation: how far successive values fall short of being independent. The order of the values
//! matters. A series of equal values has no correlation to speak of: NaN, except where said.

use crate::location::mean;
use crate::special::chi_squared_upper;

/// The autocorrelation at a lag, about the common mean; 0 for a lag of the length or more.
pub fn autocorrelation(values: &[f64], lag: usize) -> f64 {
    let deviations = deviations(values);
    product(&deviations, lag) / product(&deviations, 0)
}

/// The Durbin–Watson statistic of the deviations from the mean: near 2 without correlation at lag 1, towards 0
/// for positive, towards 4 for negative correlation.
pub fn durbin_watson(values: &[f64]) -> f64 {
    let deviations = deviations(values);
    let steps: f64 = deviations.windows(2).map(|pair| (pair[1] - pair[0]) * (pair[1] - pair[0])).sum();
    steps / product(&deviations, 0)
}

/// The Ljung–Box statistic of the first `lags` autocorrelations, and its p-value (chi-squared with `lags`
/// degrees of freedom).
pub fn ljung_box(values: &[f64], lags: usize) -> (f64, f64) {
    let deviations = deviations(values);
    let n = values.len() as f64;
    let variance = product(&deviations, 0);
    let term = |lag: usize| {
        let rho = product(&deviations, lag) / variance;
        rho * rho / (n - lag as f64)
    };
    let q = n * (n + 2.0) * (1..=lags.min(values.len().saturating_sub(1))).map(term).sum::<f64>();
    (q, chi_squared_upper(q, lags as f64))
}

/// How many independent values would fix the mean as well: `n / (1 + 2 Σ ρ_k)`, the sum cut by Geyer's (1992)
/// initial positive pairs. Never more than `n`; `n` for equal values.
pub fn effective_sample_size(values: &[f64]) -> f64 {
    let deviations = deviations(values);
    let n = values.len();
    let variance = product(&deviations, 0);
    if variance == 0.0 {
        return n as f64;
    }
    let pair = |m: usize| (product(&deviations, 2 * m) + product(&deviations, 2 * m + 1)) / variance;
    let positive: f64 = (0..n.div_ceil(2)).map(pair).take_while(|sum| *sum > 0.0).sum();
    n as f64 / (2.0 * positive - 1.0).max(1.0)
}

fn deviations(values: &[f64]) -> Vec<f64> {
    let center = mean(values);
    values.iter().map(|x| x - center).collect()
}

/// The sum of products of deviations that lie `lag` apart.
fn product(deviations: &[f64], lag: usize) -> f64 {
    deviations.iter().zip(deviations.iter().skip(lag)).map(|(a, b)| a * b).sum()
}

/// The standard error of the mean of a correlated series: the root of its long-run variance over `n`, by the
/// weights of Newey and West (1987) up to `lags`, without a correction for small `n`.
pub fn newey_west_error(values: &[f64], lags: usize) -> f64 {
    let deviations = deviations(values);
    let n = values.len() as f64;
    let weighted = |lag: usize| (1.0 - lag as f64 / (lags as f64 + 1.0)) * product(&deviations, lag);
    let sum = product(&deviations, 0) + 2.0 * (1..=lags).map(weighted).sum::<f64>();
    sum.max(0.0).sqrt() / n
}

/// A usual number of lags for it: `4 (n / 100)^(2/9)`, rounded down.
pub fn newey_west_lags(n: usize) -> usize {
    (4.0 * libm::pow(n as f64 / 100.0, 2.0 / 9.0)) as usize
}

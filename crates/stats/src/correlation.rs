//! Serial correlation of successive values, whose order matters. If all values are equal, the correlation is
//! undefined, and the functions return NaN.

use crate::location::mean;
use crate::special::chi_squared_upper;

/// Returns the Durbin–Watson statistic of the deviations from the mean. It is near 2 without correlation at
/// lag 1, lower (to 0) for positive correlation, and higher (to 4) for negative correlation.
pub fn durbin_watson(values: &[f64]) -> f64 {
    let deviations = deviations(values);
    let steps: f64 = deviations.windows(2).map(|pair| (pair[1] - pair[0]) * (pair[1] - pair[0])).sum();
    steps / product(&deviations, 0)
}

/// Returns the Ljung–Box statistic of the first `lags` autocorrelations and its p-value (chi-squared with
/// `lags` degrees of freedom).
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

fn deviations(values: &[f64]) -> Vec<f64> {
    let center = mean(values);
    values.iter().map(|x| x - center).collect()
}

fn product(deviations: &[f64], lag: usize) -> f64 {
    deviations.iter().zip(deviations.iter().skip(lag)).map(|(a, b)| a * b).sum()
}

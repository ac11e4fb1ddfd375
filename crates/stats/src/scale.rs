//! Measures of spread, in the unit of the values. NaN if undefined (too few values, or one is NaN).

use crate::location::{mean, median};
use crate::pairs::Pairs;
use crate::quantile::{clean, finite, quantile};

/// Ratio of the standard deviation of normal values to their median absolute deviation.
pub const MAD_TO_SIGMA: f64 = 1.482_602_218_505_602;

/// Returns the sample standard deviation, with the divisor n - 1. NaN for fewer than two values.
pub fn standard_deviation(values: &[f64]) -> f64 {
    variance(values).sqrt()
}

/// Returns the sample variance, with the divisor n - 1, in the squared unit. NaN for fewer than two values.
pub fn variance(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return f64::NAN;
    }
    let center = mean(values);
    values.iter().map(|x| (x - center) * (x - center)).sum::<f64>() / (values.len() - 1) as f64
}

/// Returns the median absolute deviation from the median, unscaled (see [`MAD_TO_SIGMA`]).
pub fn mad(values: &[f64]) -> f64 {
    let center = median(values);
    let deviations: Vec<f64> = values.iter().map(|x| (x - center).abs()).collect();
    median(&deviations)
}

/// Returns the distance between the quartiles (type 7).
pub fn iqr(values: &[f64]) -> f64 {
    clean(values).map_or(f64::NAN, |sorted| quantile(&sorted, 0.75) - quantile(&sorted, 0.25))
}

/// Returns the Shamos spread: the median of all `|x_i - x_j|`, `i < j`, unscaled (Shamos, 1976). Exact, in
/// O(n log n). NaN for fewer than two values, or if one is not finite.
pub fn shamos(values: &[f64]) -> f64 {
    let Some(sorted) = finite(values) else { return f64::NAN };
    if sorted.len() < 2 { f64::NAN } else { Pairs::spacings(&sorted).median() }
}

//! Evidence that stays valid if you read it after every value, without a plan of looks. Computes an e-process
//! and its confidence sequence. This method needs about 1.5 times as many values as a plan of looks. Use it
//! for open-ended monitoring.

use crate::interval::Interval;
use crate::location::mean;
use crate::scale::variance;
use libm::{exp, log, log1p};

/// Returns the logarithm of the t-mixture e-process against a mean of 0, for normal values of unknown spread
/// (Wang and Ramdas, 2024). The standardised mean is mixed over N(0, 1/c²); `c2` is c², usually 1.
///
/// If the mean is 0, the probability that the evidence ever reaches `e` is at most `1/e`. The result is 0 if
/// there are no values or only zeros, and infinite if the values are equal and not 0.
pub fn t_mixture_log_e(values: &[f64], c2: f64) -> f64 {
    let n = values.len() as f64;
    let sum: f64 = values.iter().sum();
    let squares: f64 = values.iter().map(|x| x * x).sum();
    if squares == 0.0 {
        return 0.0;
    }
    0.5 * log(c2 / (n + c2)) - 0.5 * n * log1p(-(sum * sum / ((n + c2) * squares)).min(1.0))
}

/// Returns the interval of the confidence sequence after the last of `values`: all means that the e-process
/// of [`t_mixture_log_e`] does not reject at `alpha`. The intervals after each of the values cover the mean
/// simultaneously. Returns `None` while no mean is rejected.
pub fn t_mixture_interval(values: &[f64], c2: f64, alpha: f64) -> Option<Interval> {
    let n = values.len() as f64;
    let q = exp(2.0 / n * log(alpha * (c2 / (n + c2)).sqrt()));
    let left = n - (1.0 - q) * (n + c2);
    let square = variance(values) * (n - 1.0) / n;
    let half = square.sqrt() * ((1.0 - q) * (n + c2) / left).sqrt();
    let center = mean(values);
    (left > 0.0 && !square.is_nan()).then_some(Interval { lo: center - half, hi: center + half })
}

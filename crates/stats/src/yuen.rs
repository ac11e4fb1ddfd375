//! Trimmed means with their studentised error (Tukey and McLaughlin, 1963; Yuen, 1974): t tests that outliers do
//! not spoil. Somewhat too keen under ten values (5.5 to 7 % false alarms at 5 %).

use crate::contrast::Contrast;
use crate::location::mean;
use crate::quantile::clean;
use crate::scale::variance;

/// The mean after cutting `floor(trim * n)` values at each end; `trim` in [0, 0.5), usually 0.2. `None` where
/// fewer than two values would be left, or one is NaN.
pub fn one_sample(values: &[f64], trim: f64) -> Option<Contrast> {
    let (estimate, winsorised, kept) = trimmed(values, trim)?;
    let n = values.len() as f64;
    Some(Contrast { estimate, standard_error: (winsorised * n).sqrt() / kept, df: kept - 1.0 })
}

/// The difference of the trimmed means, `x` minus `y`, each with a variance of its own.
pub fn two_samples(x: &[f64], y: &[f64], trim: f64) -> Option<Contrast> {
    let error = |values: &[f64], winsorised: f64, kept: f64| {
        ((values.len() - 1) as f64 * winsorised / (kept * (kept - 1.0)), kept - 1.0)
    };
    let ((mx, wx, hx), (my, wy, hy)) = (trimmed(x, trim)?, trimmed(y, trim)?);
    Some(Contrast::of_independent(mx - my, [error(x, wx, hx), error(y, wy, hy)]))
}

/// The trimmed mean, the variance of the winsorised values, and how many values are kept.
fn trimmed(values: &[f64], trim: f64) -> Option<(f64, f64, f64)> {
    let mut sorted = clean(values)?;
    let n = sorted.len();
    let cut = (trim * n as f64) as usize;
    let kept = n.checked_sub(2 * cut).filter(|&kept| kept > 1)?;
    let center = mean(&sorted[cut..n - cut]);
    let (low, high) = (sorted[cut], sorted[n - 1 - cut]);
    sorted[..cut].fill(low);
    sorted[n - cut..].fill(high);
    Some((center, variance(&sorted), kept as f64))
}

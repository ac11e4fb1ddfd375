//! The interval for a ratio of two means that may both be uncertain (Fieller, 1954).

use crate::interval::Interval;
use crate::location::mean;
use crate::student;

/// The `1 - alpha` interval for `mean(numerator) / mean(denominator)` of independent samples. `None` where a sample
/// has under two values or the denominator's mean may be zero.
pub fn fieller(numerator: &[f64], denominator: &[f64], alpha: f64) -> Option<Interval> {
    let half = |values: &[f64]| student::interval(values, alpha).map(|interval| interval.width() / 2.0);
    of_means((mean(numerator), half(numerator)?), (mean(denominator), half(denominator)?))
}

/// The same from means and the half-widths of their own intervals, as Kalibera and Jones (2013) use it. `None`
/// where the denominator's interval holds zero.
pub fn of_means(numerator: (f64, f64), denominator: (f64, f64)) -> Option<Interval> {
    let ((y, hy), (x, hx)) = (numerator, denominator);
    let below = x * x - hx * hx;
    let root = (x * y * (x * y) - below * (y * y - hy * hy)).sqrt();
    let ends = Interval { lo: (x * y - root) / below, hi: (x * y + root) / below };
    (below > 0.0 && ends.width().is_finite()).then_some(ends)
}

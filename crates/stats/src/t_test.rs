//! Student's t tests in all their designs. Each gives a [`Contrast`], `None` where a sample has fewer than two
//! values or a value is NaN. They suppose nearly normal means: for verdicts see [`crate::signed_rank`].

use crate::contrast::Contrast;
use crate::location::mean;
use crate::scale::variance;

/// The mean of one sample.
pub fn one_sample(values: &[f64]) -> Option<Contrast> {
    let (center, square, n) = moments(values)?;
    Some(Contrast { estimate: center, standard_error: (square / n).sqrt(), df: n - 1.0 })
}

/// The mean of the differences `x_i - y_i`; `None` also for unequal lengths.
pub fn paired(x: &[f64], y: &[f64]) -> Option<Contrast> {
    let differences: Vec<f64> = x.iter().zip(y).map(|(a, b)| a - b).collect();
    if x.len() == y.len() { one_sample(&differences) } else { None }
}

/// `mean(x) - mean(y)` with one variance for both (Student, 1908), as ministat and eministat have it.
pub fn pooled(x: &[f64], y: &[f64]) -> Option<Contrast> {
    let ((mx, vx, n), (my, vy, m)) = (moments(x)?, moments(y)?);
    let df = n + m - 2.0;
    let square = ((n - 1.0) * vx + (m - 1.0) * vy) / df;
    Some(Contrast { estimate: mx - my, standard_error: (square * (1.0 / n + 1.0 / m)).sqrt(), df })
}

/// `mean(x) - mean(y)` with a variance for each (Welch, 1947).
pub fn welch(x: &[f64], y: &[f64]) -> Option<Contrast> {
    let ((mx, vx, n), (my, vy, m)) = (moments(x)?, moments(y)?);
    Some(Contrast::of_independent(mx - my, [(vx / n, n - 1.0), (vy / m, m - 1.0)]))
}

fn moments(values: &[f64]) -> Option<(f64, f64, f64)> {
    let square = variance(values);
    (!square.is_nan()).then(|| (mean(values), square, values.len() as f64))
}

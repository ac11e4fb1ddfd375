//! Student's t tests of two independent samples. Each returns a [`Contrast`], or `None` if a sample has fewer
//! than two values or a value is NaN. They assume nearly normal means. For verdicts, use
//! [`crate::signed_rank`].

use crate::contrast::Contrast;
use crate::location::mean;
use crate::scale::variance;

/// Returns the contrast `mean(x) - mean(y)` with a common variance (Student, 1908), as in ministat and
/// eministat.
pub fn pooled(x: &[f64], y: &[f64]) -> Option<Contrast> {
    let ((mx, vx, n), (my, vy, m)) = (moments(x)?, moments(y)?);
    let df = n + m - 2.0;
    let square = ((n - 1.0) * vx + (m - 1.0) * vy) / df;
    Some(Contrast { estimate: mx - my, standard_error: (square * (1.0 / n + 1.0 / m)).sqrt(), df })
}

/// Returns the contrast `mean(x) - mean(y)` with separate variances (Welch, 1947).
pub fn welch(x: &[f64], y: &[f64]) -> Option<Contrast> {
    let ((mx, vx, n), (my, vy, m)) = (moments(x)?, moments(y)?);
    Some(Contrast::of_independent(mx - my, [(vx / n, n - 1.0), (vy / m, m - 1.0)]))
}

fn moments(values: &[f64]) -> Option<(f64, f64, f64)> {
    let square = variance(values);
    (!square.is_nan()).then(|| (mean(values), square, values.len() as f64))
}

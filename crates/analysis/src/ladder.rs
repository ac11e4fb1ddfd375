//! Regression of batch time on iterations, for runs with growing iterations (`--set ladder=yes`).

use crate::process::Process;
use derny_stats::regression::{least_squares, theil_sen};

const POINTS: usize = 2_000;

/// Returns the least-squares slope in ns per operation, its R², and the Theil–Sen slope. Each point is a
/// turn. Returns `None` for fewer than three points, or if iterations did not vary.
pub(crate) fn ladder(processes: &[Process], ops: f64) -> Option<(f64, f64, f64)> {
    let points: Vec<(f64, f64)> = processes.iter().flat_map(|process| &process.ladder).copied().collect();
    let step = points.len().div_ceil(POINTS).max(1);
    let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().step_by(step).unzip();
    if x.len() < 3 {
        return None;
    }
    let fit = least_squares(&x, &y);
    let robust = theil_sen(&x, &y);
    let result = (fit.slope / ops, fit.r_squared, robust / ops);
    [result.0, result.1, result.2].iter().all(|figure| figure.is_finite()).then_some(result)
}

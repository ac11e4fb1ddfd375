//! The levels that a series stood on one after another, found without knowing how it is distributed and with allowance
//! for neighbours that resemble each other.

use crate::changepoint::any_distribution;
use crate::location::{mean, median};
use crate::quantile::sorted;
use libm::log;

/// The fewest values of a level.
const SHORTEST: usize = 5;

/// The weight of the penalty for changes that a fresh measurement will confirm or not (the customary one): of series
/// where nothing changes, a fifth show some.
pub const CANDIDATES: f64 = 3.0;
/// The weight for changes that are reported as they are: under 1 % of white series where nothing changes show some, and of
/// series with ρ = .8, 10 % or fewer.
pub const FINDINGS: f64 = 6.0;

/// A stretch on one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The index of its first value.
    pub start: usize,
    /// The index behind its last value.
    pub end: usize,
    /// The median of its values.
    pub center: f64,
}

/// The levels of a series in order, by ED-PELT with segments of at least 5 values and the penalty `weight · ln n · (1 +
/// ρ) / (1 − ρ)`: weight [`CANDIDATES`] or [`FINDINGS`], ρ from [`wander`]. One level where nothing changes; none for
/// an empty slice or with a NaN.
pub fn levels(values: &[f64], weight: f64) -> Vec<Level> {
    if values.is_empty() || values.iter().any(|x| x.is_nan()) {
        return Vec::new();
    }
    let rho = wander(values);
    let penalty = weight * log(values.len() as f64) * (1.0 + rho) / (1.0 - rho);
    let changes = any_distribution(values, penalty, SHORTEST);
    let starts = std::iter::once(0).chain(changes.iter().copied());
    let ends = changes.iter().copied().chain([values.len()]);
    starts.zip(ends).map(|(start, end)| Level { start, end, center: median(&values[start..end]) }).collect()
}

/// The autocorrelation at lag 1 of a series within its levels, in [0, 0.95]: from the ratio of the mean squares of its
/// second and first differences (`1 + ρ` where each value keeps the share ρ of the one before). The largest tenth of
/// them is left out, and with it what changes of level do. 0 where nothing varies.
pub fn wander(values: &[f64]) -> f64 {
    let spread = |lag: usize| {
        let step = |(a, b): (&f64, &f64)| (b - a) * (b - a);
        let steps: Vec<f64> = values.iter().zip(values.iter().skip(lag)).map(step).collect();
        let kept = steps.len() - steps.len() / 10;
        mean(&sorted(&steps)[..kept])
    };
    let rho = spread(2) / spread(1) - 1.0;
    if rho.is_finite() { rho.clamp(0.0, 0.95) } else { 0.0 }
}

//! Helpers that all bootstraps of this module share.

use derny_estimate::level::finite;
use derny_model::Estimate;

/// Number of bootstrap resamples, as in criterion.
pub(super) const RESAMPLES: usize = 1000;

/// Minimum number of longer measurements for excluding the shorter ones.
pub(super) const ENOUGH: usize = 4;

/// Converts a bootstrap estimate to the model's type.
pub(super) fn estimate((value, interval): (f64, Option<derny_stats::Interval>)) -> Estimate {
    Estimate { value, interval: interval.and_then(finite) }
}

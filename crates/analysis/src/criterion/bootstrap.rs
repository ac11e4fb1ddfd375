//! Helpers that all bootstraps of this module share.

use derny_estimate::level::finite;
use derny_model::Estimate;

pub(super) const RESAMPLES: usize = 1000;

pub(super) const ENOUGH: usize = 4;

pub(super) fn estimate((value, interval): (f64, Option<derny_stats::Interval>)) -> Estimate {
    Estimate { value, interval: interval.and_then(finite) }
}

//! Reasons why a picture cannot be drawn.

use derny_model::{Feature, Problem};

/// Returns the problem that the feature `png` is off.
pub(crate) fn missing() -> Problem {
    unreadable(&Feature::Png.why_missing()).remedy(Feature::Png.remedy())
}

/// Returns the problem that the SVG document is invalid.
pub(crate) fn unreadable(why: &str) -> Problem {
    Problem::new("the picture cannot be drawn").why(why).remedy("-o FILE.svg")
}

//! The errors of drawing a picture.

use derny_model::{Feature, Problem};

/// Returns the problem for a build without the feature `png`.
pub(crate) fn missing() -> Problem {
    unreadable(&Feature::Png.why_missing()).remedy(Feature::Png.remedy())
}

/// Returns the problem for an invalid SVG document.
pub(crate) fn unreadable(why: &str) -> Problem {
    Problem::new("the picture cannot be drawn").why(why).remedy("use -o FILE.svg")
}

//! The error of this crate.

use derny_model::Feature;

/// Reason why a picture cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The feature `png` is off.
    #[error("the picture cannot be drawn\n  why    {}\n  try    {}", Feature::Png.why_missing(), Feature::Png.remedy())]
    Missing,
    /// The picture exceeds the maximum size.
    #[error(
        "a picture of {width} × {height} pixels is too large\n  try    fewer cases (a pattern, -p), or -o FILE.svg"
    )]
    TooLarge {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The SVG document is invalid.
    #[error("the picture cannot be drawn\n  why    {0}\n  try    -o FILE.svg")]
    Unreadable(String),
}

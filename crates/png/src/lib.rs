//! PNG of an SVG document of ours. Knows no result and no file but fonts.
//!
//! It is a crate of its own because what draws takes long to build. Without the feature `png` it only says that it cannot draw.

use derny_model::Feature;

#[cfg(feature = "png")]
mod draw;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The feature `png` is off.
    #[error("the picture cannot be drawn\n  why    {}\n  try    {}", Feature::Png.why_missing(), Feature::Png.remedy())]
    Missing,
    /// More pixels than a picture may have.
    #[error(
        "a picture of {width} × {height} pixels is too large\n  try    fewer cases (a pattern, -p), or -o FILE.svg"
    )]
    TooLarge {
        /// From left to right.
        width: u32,
        /// From top to bottom.
        height: u32,
    },
    /// The SVG document is not what our charts are.
    #[error("the picture cannot be drawn\n  why    {0}\n  try    -o FILE.svg")]
    Unreadable(String),
}

/// Fails if this build cannot draw.
pub fn check() -> Result<(), PngError> {
    if cfg!(feature = "png") { Ok(()) } else { Err(PngError::Missing) }
}

/// Returns the picture that the SVG document describes.
///
/// # Errors
/// Each [`PngError`].
#[cfg(feature = "png")]
pub fn draw(svg: &str) -> Result<Vec<u8>, PngError> {
    draw::draw(svg)
}

/// Fails.
#[cfg(not(feature = "png"))]
pub fn draw(_: &str) -> Result<Vec<u8>, PngError> {
    Err(PngError::Missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOT: &str =
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"><rect width="2" height="2"/></svg>"#;

    #[test]
    fn a_picture_is_drawn_where_the_feature_is_on_and_named_where_it_is_off() {
        assert_eq!(check().is_ok(), draw(DOT).is_ok());
        match draw(DOT) {
            Ok(picture) => assert!(picture.starts_with(b"\x89PNG")),
            Err(error) => assert_eq!(error.to_string(), PngError::Missing.to_string()),
        }
    }

    #[test]
    fn a_build_without_pictures_says_how_to_get_them() {
        let text = PngError::Missing.to_string();
        for part in ["this build of derny has no PNG pictures", "--features png`", "write .svg"] {
            assert!(text.contains(part), "{text}");
        }
    }
}

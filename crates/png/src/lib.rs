//! Renders Derny's SVG documents to PNG. Knows nothing of benchmark results, and reads no files except
//! fonts.
//!
//! 1. `check` fails if this build cannot draw, before anything is computed.
//! 2. `draw` parses the SVG with an embedded font, or system fonts for scripts that it lacks.
//! 3. `draw` fills the pixels and returns them as a PNG file, or an `error`.
//!
//! This is a separate crate because the renderer takes long to build. Without the feature `png`, every
//! call fails.

#[cfg(feature = "png")]
mod draw;
mod error;

use derny_model::Problem;

/// Fails if this build cannot draw.
pub fn check() -> Result<(), Problem> {
    if cfg!(feature = "png") { Ok(()) } else { Err(error::missing()) }
}

/// Renders the SVG document.
///
/// # Errors
///
/// Fails if the picture is too large, or if the document is invalid.
#[cfg(feature = "png")]
pub fn draw(svg: &str) -> Result<Vec<u8>, Problem> {
    draw::draw(svg)
}

/// Always fails, because this build cannot draw.
#[cfg(not(feature = "png"))]
pub fn draw(_: &str) -> Result<Vec<u8>, Problem> {
    Err(error::missing())
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
            Err(error) => assert_eq!(error.to_string(), error::missing().to_string()),
        }
    }

    #[test]
    fn a_build_without_pictures_says_how_to_get_them() {
        let text = error::missing().to_string();
        for part in ["this build of Derny has no PNG pictures", "--features png`", "write .svg"] {
            assert!(text.contains(part), "{text}");
        }
    }
}

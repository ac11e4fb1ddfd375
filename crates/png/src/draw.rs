//! Renders SVG to pixels. The font is embedded, so that a picture looks the same on a machine without
//! fonts.

use crate::error::unreadable;
use derny_model::{Problem, problem};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use std::sync::Arc;

const ROBOTO: &[u8] = include_bytes!("../assets/font/Roboto-Regular.ttf");

/// Pixels per unit of length, for high-resolution screens.
const SCALE: f32 = 2.0;

/// Maximum width and height, in pixels.
const MOST: u32 = 32_000;

/// Renders one of Derny's SVG documents to PNG.
pub fn draw(svg: &str) -> Result<Vec<u8>, Problem> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(ROBOTO.to_vec());
    // If the font lacks characters, such as Chinese ones, use the system's fonts if available.
    if svg.chars().any(|c| !matches!(c as u32, 0..0x500 | 0x1e00..0x2300)) {
        fonts.load_system_fonts();
    }
    let options = Options { font_family: "Roboto".to_owned(), fontdb: Arc::new(fonts), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| unreadable(&error.to_string()))?;
    let size = tree.size().to_int_size();
    let (width, height) = ((size.width() as f32 * SCALE) as u32, (size.height() as f32 * SCALE) as u32);
    if width.max(height) > MOST {
        return Err(problem!("a picture of {width} × {height} pixels is too large")
            .remedy("select fewer cases (a pattern, -p), or write -o FILE.svg"));
    }
    let mut pixels = Pixmap::new(width, height).ok_or_else(|| unreadable("it has no size"))?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| unreadable(&error.to_string()))
}

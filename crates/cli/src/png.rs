//! Pixels from SVG. The font is carried along, so that a picture looks the same on a machine without fonts.

use anyhow::{Context, Result, bail};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use std::sync::Arc;

const ROBOTO: &[u8] = include_bytes!("../assets/font/Roboto-Regular.ttf");

/// Pixels per unit of length: pictures are looked at on fine screens.
const SCALE: f32 = 2.0;

/// The most pixels in a direction.
const MOST: u32 = 32_000;

/// An SVG document of ours as PNG.
pub fn png(svg: &str) -> Result<Vec<u8>> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(ROBOTO.to_vec());
    // Signs that the font lacks (names in Chinese, say) are taken from the machine's, as far as it has them.
    if svg.chars().any(|c| !matches!(c as u32, 0..0x500 | 0x1e00..0x2300)) {
        fonts.load_system_fonts();
    }
    let options = Options { font_family: "Roboto".to_owned(), fontdb: Arc::new(fonts), ..Options::default() };
    let tree = Tree::from_str(svg, &options).context("the picture cannot be read back")?;
    let size = tree.size().to_int_size();
    let (width, height) = ((size.width() as f32 * SCALE) as u32, (size.height() as f32 * SCALE) as u32);
    if width.max(height) > MOST {
        bail!(
            "a picture of {width} × {height} pixels is too large\n  try    fewer cases (a pattern, -p), or -o FILE.svg"
        );
    }
    let mut pixels = Pixmap::new(width, height).context("the picture has no size")?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().context("the picture cannot be packed")
}

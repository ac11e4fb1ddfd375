//! Estimates the width of text. Pictures are laid out before the font is known. Widths are those of a common
//! sans-serif font, Roboto, which `derny plot` embeds in PNG. Helvetica and Arial differ by a few per cent.

use crate::Style;
use crate::style::{columns, shorten};

/// Advance widths of the characters from space to `~`, in thousandths of the font size.
const ADVANCES: [u16; 95] = [
    248, 258, 320, 616, 562, 732, 622, 175, 342, 348, 431, 567, 197, 276, 264, 413, 562, 562, 562, 562, 562,
    562, 562, 562, 562, 562, 242, 211, 508, 549, 523, 473, 898, 652, 623, 651, 656, 568, 553, 681, 713, 272,
    552, 627, 539, 873, 713, 688, 631, 688, 616, 594, 597, 648, 637, 887, 627, 601, 599, 265, 411, 265, 418,
    451, 309, 544, 562, 523, 564, 530, 348, 562, 551, 243, 239, 507, 243, 877, 552, 570, 562, 568, 339, 516,
    327, 551, 484, 751, 496, 473, 496, 338, 244, 338, 680,
];

pub(super) fn width(text: &str, size: f64) -> f64 {
    let thousandths = |c: char| match (c as usize).checked_sub(32).and_then(|at| ADVANCES.get(at)) {
        Some(advance) => f64::from(*advance),
        None => 600.0 * columns(c.encode_utf8(&mut [0; 4])) as f64,
    };
    text.chars().map(thousandths).sum::<f64>() / 1000.0 * size
}

/// Shortens `text` to at most `room` pixels by removing its middle.
pub(super) fn fitted(text: &str, size: f64, room: f64) -> String {
    let mut length = columns(text);
    let mut shown = text.to_owned();
    while width(&shown, size) > room && length > 3 {
        length -= 1;
        shown = shorten(text, length, &Style::default());
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_fitted_in_the_middle() {
        assert_eq!(fitted("short", 12.0, 100.0), "short");
        let cut = fitted("a-very-long-name-of-a-benchmark n=1000", 12.0, 100.0);
        assert!(cut.starts_with("a-v") && cut.ends_with("000") && cut.contains('…'), "{cut}");
        assert!(width(&cut, 12.0) <= 100.0 && width(&cut, 12.0) > 80.0);
        assert!(width("汉字", 10.0) > width("ab", 10.0));
    }
}

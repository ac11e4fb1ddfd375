//! Formats the explanations of codes: one in full, or a list with one line each.

use crate::Style;
use crate::style::{Paint, wrap};

const WIDTH: usize = 96;

/// Returns one explanation. Paragraphs of `text` are separated by blank lines. Lines indented by four spaces
/// are kept as they are.
pub fn one(code: &str, title: &str, text: &str, style: &Style) -> String {
    let narrow = Style { width: Some(style.width.unwrap_or(WIDTH).min(WIDTH)), ..*style };
    let mut out = format!("{} {}\n", style.paint(Paint::Strong, code), style.prose(title));
    for paragraph in text.trim().split("\n\n") {
        out.push('\n');
        if paragraph.starts_with("    ") {
            out.push_str(paragraph.trim_end());
        } else {
            let words: Vec<&str> = paragraph.split_whitespace().collect();
            out.push_str(&wrap(&style.prose(&words.join(" ")), &narrow, 0));
        }
        out.push('\n');
    }
    out
}

/// Returns all codes with their titles.
pub fn list<'a>(codes: impl Iterator<Item = (&'a str, &'a str)>, style: &Style) -> String {
    codes
        .map(|(code, title)| format!("{}  {}\n", style.paint(Paint::Strong, code), style.prose(title)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_wrapped_and_examples_kept() {
        let style = Style { width: Some(20), ascii: true, colour: false };
        let text = "one two three\nfour five six\n\n    derny  run\n";
        assert_eq!(
            one("DY1", "a title", text, &style),
            "DY1 a title\n\none two three four\nfive six\n\n    derny  run\n"
        );
        assert_eq!(list([("DY1", "a"), ("DY2", "b")].into_iter(), &style), "DY1  a\nDY2  b\n");
    }
}

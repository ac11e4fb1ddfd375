//! Writes SVG elements. Escapes all text.

use crate::style::visible;
use std::fmt::Write;

pub(super) struct Canvas {
    out: String,
}

/// Position of a text relative to its anchor point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

const MARKS: usize = 5;

impl Canvas {
    pub(super) fn new() -> Canvas {
        Canvas { out: String::new() }
    }

    /// Adds the root element, description and background.
    pub(super) fn finish(self, width: f64, height: f64, ground: &str, title: &str) -> String {
        let (w, h) = (short(width), short(height.ceil()));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\" \
             font-family=\"Roboto, 'Helvetica Neue', Helvetica, Arial, sans-serif\">\n<title>{}</title>\n",
            escape(title)
        );
        let _ = writeln!(out, "<rect width=\"{w}\" height=\"{h}\" fill=\"{ground}\"/>");
        out.push_str(&self.out);
        out.push_str("</svg>\n");
        out
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        let _ = writeln!(
            self.out,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{colour}\" stroke-width=\"{}\"/>",
            short(from.0),
            short(from.1),
            short(to.0),
            short(to.1),
            short(width)
        );
    }

    pub(super) fn dashed(&mut self, from: (f64, f64), to: (f64, f64), colour: &str) {
        let _ = writeln!(
            self.out,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{colour}\" stroke-dasharray=\"4 3\"/>",
            short(from.0),
            short(from.1),
            short(to.0),
            short(to.1)
        );
    }

    pub(super) fn rect(
        &mut self,
        a: (f64, f64),
        b: (f64, f64),
        fill: &str,
        opacity: f64,
        stroke: Option<&str>,
    ) {
        let stroke =
            stroke.map_or(String::new(), |colour| format!(" stroke=\"{colour}\" stroke-width=\"1.2\""));
        let _ = writeln!(
            self.out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\" fill-opacity=\"{}\"{stroke}/>",
            short(a.0.min(b.0)),
            short(a.1.min(b.1)),
            short((b.0 - a.0).abs()),
            short((b.1 - a.1).abs()),
            short(opacity)
        );
    }

    /// Draws a line through points, and fills the area down to `floor` if given.
    pub(super) fn path(&mut self, points: &[(f64, f64)], colour: &str, width: f64, floor: Option<f64>) {
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
        let mut d = String::new();
        for (index, point) in points.iter().enumerate() {
            let _ = write!(d, "{}{} {}", if index == 0 { "M" } else { "L" }, short(point.0), short(point.1));
        }
        if let Some(floor) = floor {
            let area = format!("{d}L{} {}L{} {}Z", short(last.0), short(floor), short(first.0), short(floor));
            let _ = writeln!(self.out, "<path d=\"{area}\" fill=\"{colour}\" fill-opacity=\"0.16\"/>");
        }
        let _ = writeln!(
            self.out,
            "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-linejoin=\"round\"/>",
            short(width)
        );
    }

    /// Draws a mark with a tooltip. `form` selects its shape, which distinguishes series.
    pub(super) fn mark(
        &mut self,
        at: (f64, f64),
        form: usize,
        radius: f64,
        fill: &str,
        stroke: &str,
        tip: &str,
    ) {
        let (x, y, r) = (at.0, at.1, radius);
        let polygon = |corners: &[(f64, f64)]| {
            let corners: Vec<String> = corners
                .iter()
                .map(|(dx, dy)| format!("{},{}", short(x + dx * r), short(y + dy * r)))
                .collect();
            format!("polygon points=\"{}\"", corners.join(" "))
        };
        let form = match form % MARKS {
            0 => format!("circle cx=\"{}\" cy=\"{}\" r=\"{}\"", short(x), short(y), short(r)),
            1 => polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
            2 => polygon(&[(0.0, -1.2), (1.1, 0.85), (-1.1, 0.85)]),
            3 => polygon(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
            _ => polygon(&[(0.0, 1.2), (1.1, -0.85), (-1.1, -0.85)]),
        };
        let element = form.split(' ').next().unwrap_or_default();
        let tip = if tip.is_empty() { String::new() } else { format!("<title>{}</title>", escape(tip)) };
        let _ = writeln!(self.out, "<{form} fill=\"{fill}\" stroke=\"{stroke}\">{tip}</{element}>");
    }

    pub(super) fn text(&mut self, at: (f64, f64), anchor: Anchor, size: f64, colour: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = writeln!(
            self.out,
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"{colour}\" xml:space=\"preserve\">{}</text>",
            short(at.0),
            short(at.1),
            short(size),
            escape(text)
        );
    }

    pub(super) fn upright(&mut self, at: (f64, f64), size: f64, colour: &str, text: &str) {
        let (x, y) = (short(at.0), short(at.1));
        let _ = writeln!(
            self.out,
            "<text transform=\"translate({x} {y}) rotate(-90)\" font-size=\"{}\" text-anchor=\"middle\" fill=\"{colour}\">{}</text>",
            short(size),
            escape(text)
        );
    }
}

fn short(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(
            escape("</text><script>\"&\x00\u{ffff}"),
            "&lt;/text&gt;&lt;script&gt;&quot;&amp;\\x00\u{fffd}"
        );
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!(
            (short(1.5), short(2.0), short(-0.126), short(f64::NAN)),
            ("1.5".into(), "2".into(), "-0.13".into(), "0".into())
        );
    }
}

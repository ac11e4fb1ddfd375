//! Formats curves as Markdown.

use super::words::{axis, figure, head, name, notes, off, step};
use crate::{Style, markdown, numbers};
use derny_model::Scaling;

/// Returns a Markdown table per curve.
pub fn markdown(scaling: &Scaling, style: &Style) -> String {
    let style = Style { width: None, colour: false, ..*style };
    let mut out = format!("{}\n", markdown::escape(&head(scaling, &style)));
    for curve in &scaling.curves {
        out.push_str(&format!("\n**{}**\n\n", markdown::escape(&name(curve))));
        let heads = [
            &scaling.over,
            scaling.quantity.as_str(),
            "interval",
            "bytes/s",
            "step",
            "interval",
            "exponent",
            "",
        ];
        out.push_str(&markdown::line(&heads.map(markdown::escape)));
        out.push_str(&markdown::line(&["---:"; 8]));
        for point in &curve.points {
            let shown = figure(scaling, &point.estimate, &style);
            let [ratio, interval, exponent, word] = step(scaling, point, &style);
            let remark =
                [Some(word), off(point, &style)].into_iter().flatten().filter(|text| !text.is_empty());
            let speed =
                point.bytes_per_second.map_or(String::new(), |r| format!("{}/s", numbers::bytes(r, &style)));
            let cells = [
                axis(scaling, point, &style),
                shown.value,
                shown.interval.unwrap_or_default(),
                speed,
                ratio,
                interval,
                exponent,
                remark.collect::<Vec<_>>().join(" "),
            ];
            out.push_str(&markdown::line(&cells.map(|cell| markdown::escape(&cell))));
        }
        out.push('\n');
        for text in notes(scaling, curve, &style) {
            out.push_str(&format!("- {}\n", markdown::escape(&style.prose(&text))));
        }
    }
    out
}

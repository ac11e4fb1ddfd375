//! Draws pictures with characters.

use crate::style::{Paint, columns};
use crate::{Style, numbers};
use derny_model::{TimeSummary, VariantResult};

const BAR: usize = 40;
const LINES: usize = 12;

/// Draws the values of the processes on one axis, to show outliers. `None` if there are fewer than two.
pub(super) fn processes(time: &TimeSummary, style: &Style) -> Option<String> {
    let values: Vec<f64> = time.processes.iter().map(|process| process.time_ns).collect();
    let lo = values.iter().copied().fold(f64::INFINITY, f64::min);
    let hi = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if values.len() < 2 {
        return None;
    }
    let rows: Vec<[String; 4]> = time
        .processes
        .iter()
        .map(|process| {
            let share = if hi > lo { (process.time_ns - lo) / (hi - lo) } else { 0.5 };
            let at = (share * (BAR - 1) as f64).round() as usize;
            let line = style.pick("·", ".");
            let axis = format!("{}{}{}", line.repeat(at), style.pick("●", "o"), line.repeat(BAR - 1 - at));
            let spread = format!("{} {}", style.pick("±", "+-"), numbers::percent(process.within, style));
            [
                process.process.to_string(),
                numbers::duration(process.time_ns, style),
                axis,
                format!("{spread}  {}", process.class).trim_end().to_owned(),
            ]
        })
        .collect();
    let width = |column: usize| rows.iter().map(|row| columns(&row[column])).max().unwrap_or(0);
    let (number, value) = (width(0), width(1));
    let mut out = format!("  {}\n", style.paint(Paint::Dim, "processes"));
    for [process, time, axis, rest] in &rows {
        let pad = " ".repeat(value - columns(time));
        let axis = if fits(style) { format!("  {axis}") } else { String::new() };
        out.push_str(&format!("  {process:>number$}  {pad}{time}{axis}  {rest}\n"));
    }
    Some(out)
}

pub(super) fn histogram(variant: &VariantResult, style: &Style) -> Option<String> {
    let histogram = variant.time.as_ref()?.histogram.as_ref()?;
    let merge = histogram.counts.len().div_ceil(LINES).max(1);
    let width = (histogram.hi - histogram.lo) / histogram.counts.len() as f64 * merge as f64;
    let counts: Vec<u64> = histogram.counts.to_vec().chunks(merge).map(|bins| bins.iter().sum()).collect();
    let most = counts.iter().copied().max()?.max(1);
    let labels: Vec<String> =
        (0..counts.len()).map(|i| numbers::duration(histogram.lo + width * i as f64, style)).collect();
    let label = labels.iter().map(|label| columns(label)).max().unwrap_or(0);
    let digits = most.to_string().len();
    let mut out = format!("  {}\n", style.paint(Paint::Dim, "batches"));
    for (text, count) in labels.iter().zip(&counts) {
        let pad = " ".repeat(label - columns(text));
        let length = if fits(style) { BAR } else { BAR / 2 };
        out.push_str(
            format!("  {pad}{text}  {count:>digits$}  {}", bar(*count as f64 / most as f64, length, style))
                .trim_end(),
        );
        out.push('\n');
    }
    if histogram.above > 0 {
        let above = numbers::duration(histogram.hi, style);
        let most = variant.figure("maximum").map(|most| numbers::duration(most.value, style));
        let most = most.map_or(String::new(), |most| format!(", up to {most}"));
        let text = format!("{} above {above}{most}", histogram.above);
        out.push_str(&format!("  {}\n", style.paint(Paint::Dim, &text)));
    }
    Some(out)
}

fn fits(style: &Style) -> bool {
    style.width.is_none_or(|width| width >= 80)
}

/// Draws a bar in eighths of a column, or in whole columns in ASCII.
fn bar(share: f64, length: usize, style: &Style) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if style.ascii {
        return "#".repeat((share * length as f64).round() as usize);
    }
    let eighths = (share * (length * 8) as f64).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_with_their_share() {
        let unicode = Style::default();
        assert_eq!(bar(1.0, 4, &unicode), "████");
        assert_eq!(bar(0.53125, 4, &unicode), "██▏");
        assert_eq!(bar(0.0, 4, &unicode), "");
        assert_eq!(bar(0.5, 4, &Style { ascii: true, ..unicode }), "##");
    }
}

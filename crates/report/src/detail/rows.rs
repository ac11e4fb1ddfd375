//! Formats facts as rows: labels with texts next to them.

use crate::Style;
use crate::style::Paint;

pub(crate) type Fact = (String, String);

/// Formats the labels in one column, with the wrapped texts next to it.
pub(crate) fn rows(facts: &[Fact], style: &Style) -> String {
    let width = facts.iter().map(|(label, _)| crate::style::columns(label)).max().unwrap_or(0);
    facts
        .iter()
        .map(|(label, text)| {
            let pad = " ".repeat(width - crate::style::columns(label));
            let line = crate::style::wrap(text, &narrowed(style, width + 4), 0)
                .replace('\n', &format!("\n{}", " ".repeat(width + 4)));
            format!("  {}{pad}  {line}\n", style.paint(Paint::Dim, label))
        })
        .collect()
}

fn narrowed(style: &Style, by: usize) -> Style {
    Style { width: style.width.map(|width| width.saturating_sub(by).max(20)), ..*style }
}

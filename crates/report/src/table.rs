//! Lays out a table whose first column is a tree: computes widths, drops columns and shortens names.

use crate::style::{Paint, columns};
use crate::{Style, cut, tree::Branch};

#[derive(Debug, Clone, Default)]
pub(crate) struct Line {
    /// Position of the name in the tree.
    pub branch: Branch,
    /// Name of the suite, case or variant.
    pub label: String,
    /// Text of each column. A line without cells is a heading.
    pub cells: Vec<String>,
    /// Text after the last column.
    pub flag: String,
    /// Meaning of the flag, which determines its colour.
    pub flag_paint: Option<Paint>,
}

/// Names are shortened to this width before columns of figures are dropped.
const NAME: usize = 24;
const GAP: usize = 2;

/// Returns the table as text. If it is too wide, shortens names first, and then drops columns from the right.
pub(crate) fn render(heads: &[String], lines: &[Line], style: &Style) -> String {
    let widths: Vec<usize> = (0..heads.len())
        .map(|i| {
            let cells = lines.iter().filter_map(|line| line.cells.get(i)).map(|cell| columns(cell));
            cells.chain([columns(&heads[i])]).max().unwrap_or(0)
        })
        .collect();
    let flags = lines.iter().map(|line| columns(&line.flag)).max().filter(|w| *w > 0).map_or(0, |w| w + GAP);
    let natural =
        lines.iter().map(|line| columns(line.branch.text(style)) + columns(&line.label)).max().unwrap_or(0);
    let (label, shown) = fit(natural, &widths, flags, style.width);
    let mut out = String::new();
    if heads[..shown].iter().any(|head| !head.is_empty()) {
        let mut text = " ".repeat(label);
        for (head, width) in heads.iter().zip(&widths).take(shown) {
            push_right(&mut text, head, *width);
        }
        out.push_str(&style.paint(Paint::Dim, text.trim_end()));
        out.push('\n');
    }
    let room = |line: &Line| label.saturating_sub(columns(line.branch.text(style)));
    let names = cut::distinct(lines.iter().map(|line| (line.label.as_str(), room(line))), style);
    for (line, name) in lines.iter().zip(&names) {
        out.push_str(&render_line(line, name, label, &widths[..shown], style));
        out.push('\n');
    }
    out
}

fn render_line(line: &Line, name: &str, label: usize, widths: &[usize], style: &Style) -> String {
    let glyphs = line.branch.text(style);
    let used = columns(glyphs) + columns(name);
    let heading = line.cells.is_empty() && line.branch.is_root();
    let name = if heading { style.paint(Paint::Strong, name) } else { name.to_owned() };
    let mut text =
        format!("{}{name}{}", style.paint(Paint::Dim, glyphs), " ".repeat(label - used.min(label)));
    for (index, width) in widths.iter().enumerate() {
        push_right(&mut text, line.cells.get(index).map_or("", String::as_str), *width);
    }
    if line.flag.is_empty() {
        return text.trim_end().to_owned();
    }
    let paint = line.flag_paint.unwrap_or(Paint::Dim);
    format!("{text}{}{}", " ".repeat(GAP), style.paint(paint, &line.flag))
}

/// Returns the width of names, and the number of columns of figures that fit. `natural` is the width of the
/// longest name, and `flags` the width of the flags.
fn fit(natural: usize, widths: &[usize], flags: usize, width: Option<usize>) -> (usize, usize) {
    let Some(width) = width else { return (natural, widths.len()) };
    let floor = natural.min(NAME);
    let mut shown = widths.len();
    loop {
        let figures: usize = widths[..shown].iter().map(|w| w + GAP).sum();
        let room = width.saturating_sub(figures + flags);
        if room >= floor || shown <= 1 {
            return (natural.min(room.max(8)), shown);
        }
        shown -= 1;
    }
}

fn push_right(text: &mut String, cell: &str, width: usize) {
    text.push_str(&" ".repeat(GAP + width - columns(cell).min(width)));
    text.push_str(cell);
}

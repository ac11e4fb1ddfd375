//! Lays out the rows of a comparison in the available width. If it does not suffice, names are shortened
//! first. Then codes and values are dropped, then the interval, then the change. The verdict always remains.

use crate::Style;
use crate::style::{Paint, columns, shorten};
use crate::tree::Branch;

/// Number of columns before the verdict: quantity, base, side, change, interval.
pub(crate) const FIGURES: usize = 5;

/// A line of the table.
#[derive(Debug, Clone, Default)]
pub(crate) struct Line {
    /// Position of the name in the tree.
    pub branch: Branch,
    /// Name of the suite, case or side.
    pub label: String,
    /// True for a heading.
    pub strong: bool,
    /// Text of each column.
    pub cells: [String; FIGURES],
    /// Verdict, in its colour.
    pub verdict: String,
    /// Colour of the verdict.
    pub paint: Option<Paint>,
    /// Mark that refers to a footnote.
    pub mark: String,
    /// Codes of the warnings that mark the row.
    pub codes: String,
}

const GAP: usize = 2;
/// Gap in columns between names and quantities. It is wider because both are words.
const WORDS: usize = 3;
/// Width in columns to which names are shortened before figures are dropped.
const NAME: usize = 16;
/// Indices of the columns in the order in which they are dropped.
const DROPPED: [usize; 5] = [1, 2, 4, 0, 3];

/// Returns the table. `heads` are the headings of the figures; `verdict` is that of the verdict.
pub(crate) fn render(heads: [String; FIGURES], verdict: &str, lines: &[Line], style: &Style) -> String {
    let natural_widths: [usize; FIGURES] = std::array::from_fn(|i| {
        let used = lines.iter().map(|line| columns(&line.cells[i])).max().unwrap_or(0);
        if used == 0 { 0 } else { used.max(columns(&heads[i])) }
    });
    let natural =
        lines.iter().map(|line| columns(line.branch.text(style)) + columns(&line.label)).max().unwrap_or(0);
    // The warnings below the table repeat the codes, so drop these first.
    let (mut codes, mut widths) = (true, natural_widths);
    let tail = |codes| {
        lines.iter().map(|line| columns(&line.tail(codes))).max().unwrap_or(0).max(columns(verdict)) + GAP
    };
    let mut label = fit(natural, &mut widths, tail(true), style.width);
    if widths != natural_widths {
        (codes, widths) = (false, natural_widths);
        label = fit(natural, &mut widths, tail(false), style.width);
    }
    let head = Line { cells: heads, verdict: verdict.to_owned(), ..Line::default() };
    let mut out =
        style.paint(Paint::Dim, &one(&head, label, &widths, codes, &Style { colour: false, ..*style }));
    out.push('\n');
    for line in lines {
        out.push_str(&one(line, label, &widths, codes, style));
        out.push('\n');
    }
    out
}

impl Line {
    fn tail(&self, codes: bool) -> String {
        [self.verdict.as_str(), &self.marks(codes)].join(" ").trim().to_owned()
    }

    fn marks(&self, codes: bool) -> String {
        match (codes && !self.codes.is_empty(), self.mark.is_empty()) {
            (false, _) => self.mark.clone(),
            (true, true) => format!("! {}", self.codes),
            (true, false) => format!("{} ! {}", self.mark, self.codes),
        }
    }
}

/// Drops columns that do not fit and returns the width that remains for names.
fn fit(natural: usize, widths: &mut [usize; FIGURES], tail: usize, width: Option<usize>) -> usize {
    let Some(width) = width else { return natural };
    let mut drop = DROPPED.iter();
    loop {
        let figures: usize = (0..FIGURES).filter(|i| widths[*i] > 0).map(|i| widths[i] + gap(i)).sum();
        let room = width.saturating_sub(figures + tail);
        if room >= natural.min(NAME) {
            return natural.min(room);
        }
        match drop.next() {
            Some(column) => widths[*column] = 0,
            None => return natural.min(room.max(8)),
        }
    }
}

fn gap(column: usize) -> usize {
    if column == 0 { WORDS } else { GAP }
}

fn one(line: &Line, label: usize, widths: &[usize; FIGURES], codes: bool, style: &Style) -> String {
    let glyphs = line.branch.text(style);
    // A heading can use the whole line, except for the column with the quantity of its rows.
    if let Some(width) = style.width
        && line.strong
        && columns(&line.label) > label
    {
        let room = width.saturating_sub(WORDS + columns(&line.cells[0])).max(label);
        let name = style.paint(Paint::Strong, &shorten(&line.label, room, style));
        let quantity = style.paint(Paint::Dim, &line.cells[0]);
        return format!("{name}{}{quantity}", " ".repeat(WORDS)).trim_end().to_owned();
    }
    // If a row has no quantity, its name may extend into that column.
    let reach = if line.cells[0].is_empty() && widths[0] > 0 { gap(0) + widths[0] } else { 0 };
    let label = label + reach;
    let name = shorten(&line.label, label.saturating_sub(columns(glyphs)), style);
    let used = columns(glyphs) + columns(&name);
    let name = if line.strong { style.paint(Paint::Strong, &name) } else { name };
    let mut text =
        format!("{}{name}{}", style.paint(Paint::Dim, glyphs), " ".repeat(label - used.min(label)));
    for (index, width) in widths.iter().enumerate().filter(|(_, width)| **width > 0) {
        if index == 0 && reach > 0 {
            continue;
        }
        let cell = &line.cells[index];
        let pad = " ".repeat(width - columns(cell).min(*width));
        text.push_str(&" ".repeat(gap(index)));
        if index == 0 {
            text.push_str(&style.paint(Paint::Dim, cell));
            text.push_str(&pad);
        } else {
            text.push_str(&pad);
            text.push_str(cell);
        }
    }
    if !line.verdict.is_empty() {
        let verdict = line.paint.map_or(line.verdict.clone(), |paint| style.paint(paint, &line.verdict));
        text.push_str(&" ".repeat(GAP));
        text.push_str(&verdict);
    }
    let marks = line.marks(codes);
    if !marks.is_empty() {
        text.push(' ');
        text.push_str(&style.paint(Paint::Warning, &marks));
    }
    text.trim_end().to_owned()
}

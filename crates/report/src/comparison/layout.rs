//! Layout of the rows of a comparison. Names are shortened first. Then codes and the note beside the verdict
//! are dropped, then values, then the interval. The verdict always stays, and the change as long as possible.

use crate::style::{Paint, columns};
use crate::tree::Branch;
use crate::{Style, cut};

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
    /// Note on what the verdict does not cover.
    pub beside: String,
    /// Mark of the footnote.
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

/// Parts of a line after its figures.
#[derive(Debug, Clone, Copy)]
enum Tail {
    All,
    /// Everything except the codes, which the warnings repeat.
    NoCodes,
    /// Only the verdict, without its note and the codes.
    Verdict,
}

/// Returns the lines under the header, which has `heads` for the figures and one for the verdict.
pub(crate) fn render(heads: [String; FIGURES], verdict: &str, lines: &[Line], style: &Style) -> String {
    let natural_widths: [usize; FIGURES] = std::array::from_fn(|i| {
        let rows = lines.iter().filter(|line| !line.is_heading());
        let used = rows.map(|line| columns(&line.cells[i])).max().unwrap_or(0);
        if used == 0 { 0 } else { used.max(columns(&heads[i])) }
    });
    let natural =
        lines.iter().map(|line| columns(line.branch.text(style)) + columns(&line.label)).max().unwrap_or(0);
    let width = |tail| {
        lines.iter().map(|line| columns(&line.tail(tail))).max().unwrap_or(0).max(columns(verdict)) + GAP
    };
    let (mut tail, mut widths, mut label) = (Tail::All, natural_widths, 0);
    for kept in [Tail::All, Tail::NoCodes, Tail::Verdict] {
        (tail, widths) = (kept, natural_widths);
        label = fit(natural, &mut widths, width(kept), style.width);
        if widths == natural_widths {
            break;
        }
    }
    let head = Line { cells: heads, verdict: verdict.to_owned(), ..Line::default() };
    let mut out =
        style.paint(Paint::Dim, &one(&head, "", (label, &widths), tail, &Style { colour: false, ..*style }));
    out.push('\n');
    let room = |line: &Line| room(line, label, &widths, style);
    let names = cut::distinct(lines.iter().map(|line| (line.label.as_str(), room(line))), style);
    for (line, name) in lines.iter().zip(&names) {
        out.push_str(&one(line, name, (label, &widths), tail, style));
        out.push('\n');
    }
    out
}

impl Line {
    /// Returns true for a name above other rows. Such a line shows at most the quantity of those rows.
    fn is_heading(&self) -> bool {
        self.strong && self.verdict.is_empty() && self.cells[1..].iter().all(String::is_empty)
    }

    fn tail(&self, tail: Tail) -> String {
        [self.judged(tail), self.marks(tail)].join(" ").trim().to_owned()
    }

    /// Returns the verdict and the note beside it.
    fn judged(&self, tail: Tail) -> String {
        match (tail, self.beside.is_empty()) {
            (Tail::Verdict, _) | (_, true) => self.verdict.clone(),
            _ => format!("{}; {}", self.verdict, self.beside),
        }
    }

    fn marks(&self, tail: Tail) -> String {
        match (matches!(tail, Tail::All) && !self.codes.is_empty(), self.mark.is_empty()) {
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

/// Returns true if the name of a heading may extend over the columns of figures. The quantity of its rows has
/// no column if only headings show it.
fn fills_line(line: &Line, label: usize, widths: &[usize; FIGURES]) -> bool {
    line.is_heading() && (widths[0] == 0 || columns(&line.label) > label)
}

/// Returns how far the name of a row without a quantity extends into that column.
fn reach(line: &Line, widths: &[usize; FIGURES]) -> usize {
    if line.cells[0].is_empty() && widths[0] > 0 { gap(0) + widths[0] } else { 0 }
}

/// Returns the width of a line's name.
fn room(line: &Line, label: usize, widths: &[usize; FIGURES], style: &Style) -> usize {
    if fills_line(line, label, widths) {
        let width = style.width.unwrap_or(usize::MAX);
        return width.saturating_sub(WORDS + columns(&line.cells[0])).max(label);
    }
    (label + reach(line, widths)).saturating_sub(columns(line.branch.text(style)))
}

fn one(
    line: &Line,
    name: &str,
    (label, widths): (usize, &[usize; FIGURES]),
    tail: Tail,
    style: &Style,
) -> String {
    let glyphs = line.branch.text(style);
    if fills_line(line, label, widths) {
        let name = style.paint(Paint::Strong, name);
        let quantity = style.paint(Paint::Dim, &line.cells[0]);
        return format!("{name}{}{quantity}", " ".repeat(WORDS)).trim_end().to_owned();
    }
    let reach = reach(line, widths);
    let label = label + reach;
    let used = columns(glyphs) + columns(name);
    let name = if line.strong { style.paint(Paint::Strong, name) } else { name.to_owned() };
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
        let verdict = line.judged(tail);
        text.push_str(&" ".repeat(GAP));
        text.push_str(&line.paint.map_or(verdict.clone(), |paint| style.paint(paint, &verdict)));
    }
    let marks = line.marks(tail);
    if !marks.is_empty() {
        text.push(' ');
        text.push_str(&style.paint(Paint::Warning, &marks));
    }
    text.trim_end().to_owned()
}

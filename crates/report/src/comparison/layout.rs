//! Lays out the rows of a comparison. Codes are dropped first if rows do not fit, because the warnings repeat
//! them. Then a name that is too long for its column gets a line above its figures. On an even narrower
//! terminal, the note after the verdict goes first, then values, then the interval. The verdict always stays,
//! and the change as long as possible.

use crate::style::{Paint, columns};
use crate::tree::Branch;
use crate::{Style, cut};

/// Number of columns before the verdict: quantity, base, side, change, interval.
pub(crate) const FIGURES: usize = 5;

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
    /// Verdict, in words.
    pub verdict: String,
    /// Colour of the verdict.
    pub paint: Option<Paint>,
    /// Restriction of the verdict, such as `mean ±4 %`.
    pub beside: String,
    /// Mark of the footnote.
    pub mark: String,
    /// Codes of the warnings that mark the row.
    pub codes: String,
}

const GAP: usize = 2;
/// Gap in columns between names and quantities. Wider than other gaps, because both are words.
const WORDS: usize = 3;
/// Maximum widths of side names in the heading, the second if space is short.
const HEADS: [usize; 2] = [12, 8];
/// Width of the longest unit with a prefix, such as ` ms`. Longer units are words.
const LONGEST_PREFIXED: usize = 3;
/// Indices of the columns in the order in which they are dropped.
const DROPPED: [usize; 4] = [1, 2, 4, 3];

#[derive(Debug, Clone, Copy)]
enum Tail {
    All,
    /// Everything except the codes, which the warnings repeat.
    NoCodes,
    /// Only the verdict, without its note and codes.
    Verdict,
}

#[derive(Debug, Clone, Copy)]
struct Layout {
    label: usize,
    /// Width of each column, or 0 if it is omitted.
    widths: [usize; FIGURES],
    tail: Tail,
    /// True to omit the unit of the base's value, because the side's value has the same.
    trims: bool,
    /// True to put a long name, or one with a quantity, on a separate line. Quantities then have no column.
    breaks: bool,
}

/// Formats the lines under a header. `heads` are above the figures and `verdict` is above the verdicts.
pub(crate) fn render(heads: [String; FIGURES], verdict: &str, lines: &[Line], style: &Style) -> String {
    let layout = layout(&heads, verdict, lines, style);
    let heads = cut::distinct(heads.iter().map(String::as_str).zip(layout.widths), style);
    let cells = std::array::from_fn(|i| heads[i].clone());
    let head = Line { cells, verdict: verdict.to_owned(), ..Line::default() };
    let mut out = String::new();
    let mut push = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    push(style.paint(Paint::Dim, &figures(&head, "", &layout, &Style { colour: false, ..*style })));
    let room = |line: &Line| room(line, &layout, style);
    let names = cut::distinct(lines.iter().map(|line| (line.label.as_str(), room(line))), style);
    for (line, name) in lines.iter().zip(&names) {
        if line.is_bare() {
            push(bare(line, name, &layout, style));
        } else if layout.is_broken(line, style) {
            let name = if line.strong { style.paint(Paint::Strong, name) } else { name.clone() };
            push(style.paint(Paint::Dim, line.branch.text(style)) + &name);
            let below = Line { branch: line.branch.below(), strong: false, ..line.clone() };
            push(figures(&below, "", &layout, style));
        } else {
            push(figures(line, name, &layout, style));
        }
    }
    out
}

fn layout(heads: &[String; FIGURES], verdict: &str, lines: &[Line], style: &Style) -> Layout {
    let natural = |sides: usize, trims: bool| -> [usize; FIGURES] {
        std::array::from_fn(|i| {
            let rows = lines.iter().filter(|line| !line.is_bare());
            let used = rows.map(|line| columns(line.cell(i, trims))).max().unwrap_or(0);
            let most = if matches!(i, 1 | 2) { sides } else { usize::MAX };
            if used == 0 { 0 } else { used.max(columns(&heads[i]).min(most)) }
        })
    };
    let glyphs = |line: &Line| columns(line.branch.text(style));
    let rows = || lines.iter().filter(|line| !line.is_bare());
    let label = rows().map(|line| glyphs(line) + columns(&line.label)).max().unwrap_or(0);
    let room = |widths: &[usize; FIGURES], tail: Tail| {
        let after = lines.iter().map(|line| columns(&line.tail(tail))).max().unwrap_or(0);
        let used: usize = (0..FIGURES).filter(|i| widths[*i] > 0).map(|i| widths[i] + gap(i)).sum();
        style.width.map(|width| width.saturating_sub(used + after.max(columns(verdict)) + GAP))
    };
    let mut widths = natural(usize::MAX, false);
    for tail in [Tail::All, Tail::NoCodes] {
        if room(&widths, tail).is_none_or(|room| room >= label) {
            return Layout { label, widths, tail, trims: false, breaks: false };
        }
    }
    let of_quantity = |line: &Line| columns(line.branch.below().text(style)) + columns(&line.cells[0]);
    let least = rows().map(of_quantity).max().unwrap_or(0);
    let label = label.max(least);
    let [head, short] = HEADS;
    let narrower = [
        (head, false, Tail::NoCodes),
        (short, false, Tail::NoCodes),
        (short, true, Tail::NoCodes),
        (short, true, Tail::Verdict),
    ];
    for (head, trims, tail) in narrower {
        widths = natural(head, trims);
        widths[0] = 0;
        if let Some(room) = room(&widths, tail).filter(|room| *room >= least) {
            return Layout { label: label.min(room), widths, tail, trims, breaks: true };
        }
    }
    let tail = Tail::Verdict;
    for dropped in DROPPED {
        widths[dropped] = 0;
        if room(&widths, tail).is_none_or(|room| room >= least) {
            break;
        }
    }
    let label = label.min(room(&widths, tail).unwrap_or(label));
    Layout { label, widths, tail, trims: true, breaks: true }
}

impl Layout {
    fn is_broken(&self, line: &Line, style: &Style) -> bool {
        let used = columns(line.branch.text(style)) + columns(&line.label);
        self.breaks && !line.label.is_empty() && (used > self.label || !line.cells[0].is_empty())
    }
}

impl Line {
    /// Returns true for a name above other rows, which extends over the columns of figures. This line shows
    /// at most the quantity of those rows.
    fn is_bare(&self) -> bool {
        self.verdict.is_empty() && self.cells[1..].iter().all(String::is_empty)
    }

    /// Returns the text of a column. `trims` omits a long unit such as `requests/s` from the base's value,
    /// because the side's value has the same.
    fn cell(&self, column: usize, trims: bool) -> &str {
        let [_, base, new, ..] = &self.cells;
        let unit = new.rfind(' ').map_or("", |at| &new[at..]);
        match column {
            1 if trims && columns(unit) > LONGEST_PREFIXED => base.strip_suffix(unit).unwrap_or(base),
            _ => &self.cells[column],
        }
    }

    fn tail(&self, tail: Tail) -> String {
        [self.judged(tail), self.marks(tail)].join(" ").trim().to_owned()
    }

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

fn gap(column: usize) -> usize {
    if column == 0 { WORDS } else { GAP }
}

/// Returns the width for the name of a line. The name of a row without a quantity extends into that column.
fn room(line: &Line, layout: &Layout, style: &Style) -> usize {
    let glyphs = columns(line.branch.text(style));
    let whole = style.width.unwrap_or(usize::MAX);
    let label = match () {
        () if line.is_bare() && line.cells[0].is_empty() => whole,
        () if line.is_bare() => whole.saturating_sub(WORDS + columns(&line.cells[0])),
        () if layout.is_broken(line, style) => whole,
        () => layout.label + reach(line, &layout.widths),
    };
    label.saturating_sub(glyphs)
}

fn reach(line: &Line, widths: &[usize; FIGURES]) -> usize {
    if line.cells[0].is_empty() && widths[0] > 0 { gap(0) + widths[0] } else { 0 }
}

fn bare(line: &Line, name: &str, layout: &Layout, style: &Style) -> String {
    let branch = line.branch.text(style);
    let used = columns(branch) + columns(name);
    let gap = WORDS + if layout.widths[0] > 0 { layout.label.saturating_sub(used) } else { 0 };
    let name = if line.strong { style.paint(Paint::Strong, name) } else { name.to_owned() };
    let quantity = match line.cells[0].as_str() {
        "" => String::new(),
        quantity => " ".repeat(gap) + &style.paint(Paint::Dim, quantity),
    };
    format!("{}{name}{quantity}", style.paint(Paint::Dim, branch))
}

fn figures(line: &Line, name: &str, layout: &Layout, style: &Style) -> String {
    let Layout { label, widths, tail, trims, breaks } = *layout;
    let glyphs = line.branch.text(style);
    let reach = reach(line, &widths);
    let label = label + reach;
    let (shown, paint) = match (breaks, name.is_empty()) {
        (true, true) => (line.cells[0].as_str(), Some(Paint::Dim)),
        _ => (name, line.strong.then_some(Paint::Strong)),
    };
    let used = columns(glyphs) + columns(shown);
    let shown = paint.map_or(shown.to_owned(), |paint| style.paint(paint, shown));
    let mut text =
        format!("{}{shown}{}", style.paint(Paint::Dim, glyphs), " ".repeat(label - used.min(label)));
    for (index, width) in widths.iter().enumerate().filter(|(_, width)| **width > 0) {
        if index == 0 && reach > 0 {
            continue;
        }
        let cell = line.cell(index, trims);
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

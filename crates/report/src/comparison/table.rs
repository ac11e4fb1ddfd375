//! Formats comparisons for a terminal: the sides, a tree of cases with values, changes, intervals and
//! verdicts, and the basis of the verdicts below.

use super::layout::{self, Line};
use super::{notes, quantities, rows, unclear};
use crate::style::{Paint, wrap};
use crate::{Style, numbers, subject, tree};
use derny_model::{Case, Change, ComparedCase, ComparedSide, Comparison, Quantity};
use std::borrow::Cow;

/// With more cases than this, unchanged ones are only counted.
const LISTED: usize = 20;

/// Optional parts of the table.
#[derive(Debug, Clone, Copy, Default)]
pub struct Parts {
    /// Include the line of the sides.
    pub header: bool,
    /// Include every case, and a footnote for each verdict that needs one. Otherwise, a long table only
    /// counts its unchanged cases, and one line says what would settle the unclear ones.
    pub all: bool,
}

/// Returns the whole comparison as text, with the worst cases first.
pub fn table(comparison: &Comparison, style: &Style, parts: Parts) -> String {
    let strong = |text: String| format!("{}\n", style.paint(Paint::Strong, &wrap(&text, style, 2)));
    let mut out: String = notes::first_lines(comparison, style).into_iter().map(strong).collect();
    if parts.header {
        out.push_str(&notes::header(comparison, style));
    }
    let sides = rows::sides(comparison);
    let mut footnotes = Footnotes { are_shown: parts.all, texts: Vec::new() };
    if !comparison.cases.is_empty() {
        let folds = !parts.all && comparison.cases.len() > LISTED;
        let is_listed = |case: &ComparedCase| !(folds && rows::is_same(comparison, case, &sides));
        let listed: Vec<usize> =
            (0..comparison.cases.len()).filter(|at| is_listed(&comparison.cases[*at])).collect();
        out.push_str(&grid(comparison, &listed, &mut footnotes, style));
        let folded = comparison.cases.len() - listed.len();
        if folded > 0 {
            out.push_str(&notes::line(&format!("{folded} same: -v lists them"), style));
        }
        out.push('\n');
    }
    let metrics = (!parts.all).then(|| quantities::folded(comparison, &sides, style)).flatten();
    let metrics = metrics.map(|text| format!("{text}; -v has the figures"));
    let metrics = quantities::legend(comparison, &sides, parts.all, style).into_iter().chain(metrics);
    out.extend(metrics.map(|text| notes::line(&text, style)));
    if parts.all {
        out.push_str(&footnotes.text(style));
    } else {
        out.extend(unclear::lines(comparison, style).iter().map(|text| notes::line(text, style)));
    }
    out.push_str(&notes::below(comparison, parts.all, style));
    out
}

struct Footnotes {
    are_shown: bool,
    texts: Vec<String>,
}

impl Footnotes {
    fn mark(&mut self, text: String, style: &Style) -> String {
        if !self.are_shown {
            return String::new();
        }
        let known = self.texts.iter().position(|other| *other == text);
        let index = known.unwrap_or_else(|| {
            self.texts.push(text);
            self.texts.len() - 1
        });
        mark(index + 1, style)
    }

    fn text(&self, style: &Style) -> String {
        let lines = self.texts.iter().enumerate();
        lines.map(|(index, text)| notes::line(&format!("{} {text}", mark(index + 1, style)), style)).collect()
    }
}

fn mark(number: usize, style: &Style) -> String {
    if style.ascii {
        return format!("[{number}]");
    }
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    number.to_string().bytes().map(|digit| DIGITS[usize::from(digit - b'0')]).collect()
}

fn grid(comparison: &Comparison, listed: &[usize], footnotes: &mut Footnotes, style: &Style) -> String {
    let sides = rows::sides(comparison);
    let several = sides.len() > 1;
    let mut leaves: Vec<(usize, Option<&ComparedSide>)> = Vec::new();
    for &index in listed {
        let compared = rows::compared(&comparison.cases[index], &sides);
        match compared.is_empty() {
            true => leaves.push((index, None)),
            false => leaves.extend(compared.into_iter().map(|side| (index, Some(side)))),
        }
    }
    let own = |(index, side): &(usize, Option<&ComparedSide>)| {
        let benchmark = side.and_then(|side| subject::of_side(comparison, side.side));
        subject::case(&comparison.cases[*index].case, benchmark)
    };
    let cases: Vec<Cow<'_, Case>> = leaves.iter().map(own).collect();
    let mut paths = tree::paths(cases.iter().map(AsRef::as_ref));
    for (path, (_, side)) in paths.iter_mut().zip(&leaves).filter(|_| several) {
        path.extend(side.and_then(|side| subject::beside(comparison, side.side, style)));
    }
    let ranks: Vec<f64> =
        leaves.iter().map(|(index, _)| rows::rank(&comparison.cases[*index], &sides)).collect();
    let order = tree::by_rank(&paths, &ranks);
    let paths: Vec<Vec<String>> = order.iter().map(|leaf| paths[*leaf].clone()).collect();
    let leaves: Vec<(usize, Option<&ComparedSide>)> = order.iter().map(|leaf| leaves[*leaf]).collect();
    let mut lines: Vec<Line> = Vec::new();
    for entry in tree::entries(&paths) {
        let line = Line {
            strong: entry.branch.is_root(),
            label: entry.label,
            branch: entry.branch,
            ..Line::default()
        };
        match entry.leaf {
            Some(leaf) => push(&mut lines, comparison, leaves[leaf], line, footnotes, style),
            None => lines.push(line),
        }
    }
    head_roots(&mut lines);
    means(comparison, &sides, &mut lines, style);
    let side = if several {
        "side".to_owned()
    } else {
        rows::name(comparison, sides.first().copied().unwrap_or(1), style)
    };
    let interval = format!("{} interval", numbers::confidence(comparison.confidence, style));
    let heads = [String::new(), rows::name(comparison, 0, style), side, "change".to_owned(), interval];
    layout::render(heads, "verdict", &lines, style)
}

/// Adds the rows of one side. Only the first row has the name of the case.
fn push(
    lines: &mut Vec<Line>,
    comparison: &Comparison,
    (index, side): (usize, Option<&ComparedSide>),
    first: Line,
    footnotes: &mut Footnotes,
    style: &Style,
) {
    let case = &comparison.cases[index];
    let changes =
        side.map_or(Vec::new(), |side| quantities::shown(comparison, case, side, footnotes.are_shown));
    let codes: Vec<&str> = comparison
        .warnings
        .iter()
        .filter(|warning| warning.marks && warning.case == Some(index as u32))
        .map(|warning| warning.code.as_str())
        .collect();
    let Some(side) = side.filter(|_| !changes.is_empty()) else {
        lines.push(Line { verdict: "not compared".to_owned(), ..first });
        return;
    };
    for (position, change) in changes.into_iter().enumerate() {
        let mut line = fill(comparison, case, side, change, footnotes, style);
        if position == 0 {
            (line.branch, line.label) = (first.branch.clone(), first.label.clone());
            line.codes = style.prose(&codes.join(" "));
        } else {
            line.branch = first.branch.below();
        }
        lines.push(line);
    }
}

fn fill(
    comparison: &Comparison,
    case: &ComparedCase,
    side: &ComparedSide,
    change: &Change,
    footnotes: &mut Footnotes,
    style: &Style,
) -> Line {
    let [base, new] = rows::values(case, side.side, change, style);
    let [relative, interval] = rows::figures(side, change, style);
    let footnote = rows::footnote(comparison, change, style);
    Line {
        cells: [quantities::quantity(case, change, style), base, new, relative, interval],
        verdict: rows::word(comparison, side, change, style),
        beside: rows::beside(comparison, side, change, style).unwrap_or_default(),
        paint: rows::paint(change.verdict),
        mark: footnote.map_or(String::new(), |text| footnotes.mark(text, style)),
        ..Line::default()
    }
}

/// Shows the quantity of times, such as `time/op`, once on the line of the suite and not in its rows. Rows
/// with another quantity keep theirs.
fn head_roots(lines: &mut [Line]) {
    let mut root = None;
    for index in 0..lines.len() {
        if lines[index].strong {
            root = Some(index);
            continue;
        }
        let Some(root) = root else { continue };
        if !lines[index].cells[0].starts_with("time/") {
            continue;
        }
        if lines[root].cells[0].is_empty() {
            lines[root].cells[0] = lines[index].cells[0].clone();
        }
        if lines[root].cells[0] == lines[index].cells[0] {
            lines[index].cells[0].clear();
        }
    }
}

fn means(comparison: &Comparison, sides: &[u32], lines: &mut Vec<Line>, style: &Style) {
    let typical = |case: &ComparedCase| {
        case.sides.iter().flat_map(|side| &side.changes).any(|change| change.quantity == Quantity::Typical)
    };
    if !comparison.cases.iter().any(typical) {
        return;
    }
    for mean in comparison.geometric_means.iter().filter(|mean| sides.contains(&mean.side)) {
        let figure = numbers::relative(&mean.change, style);
        let label = if sides.len() > 1 {
            format!("geometric mean {}", rows::name(comparison, mean.side, style))
        } else {
            "geometric mean".to_owned()
        };
        let empty = String::new;
        let cells = [empty(), empty(), empty(), figure.value, figure.interval.unwrap_or_default()];
        lines.push(Line { label, cells, ..Line::default() });
    }
}

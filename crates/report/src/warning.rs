//! Formats warnings as sentences: code, figures, remedy.

use crate::style::{Paint, columns, wrap};
use crate::{Style, numbers};
use derny_model::{Comparison, Document, Warning, WarningClass};
use std::collections::BTreeSet;

/// Maximum number of warnings in a Markdown document.
pub(crate) const LINES: usize = 5;

/// Returns the warning under the table of a run: the worst, with its remedy and the number of others. With
/// `all`, returns every warning.
pub fn of_run(document: &Document, all: bool, style: &Style) -> String {
    let rows = document.cases().filter(|case| !case.variants.is_empty()).count();
    under(&document.warnings, rows, all, style)
}

/// Returns the warnings under the table of a comparison.
pub fn of_comparison(comparison: &Comparison, all: bool, style: &Style) -> String {
    under(&comparison.warnings, comparison.cases.len(), all, style)
}

fn under(warnings: &[Warning], rows: usize, all: bool, style: &Style) -> String {
    if all {
        return each(warnings, style);
    }
    let Lines { lines, more } = lines(warnings, rows, 1);
    let shown = lines.iter().map(|line| sentence(line.code, &line.text(), style));
    let more = (more > 0).then(|| {
        let more = numbers::counted(more, "more warning", "more warnings");
        format!("{}\n", style.paint(Paint::Dim, &format!("  {more}: -v")))
    });
    shown.chain(more).collect()
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lines<'a> {
    /// The lines, most decisive first.
    pub lines: Vec<Line<'a>>,
    /// Number of further codes, which share one line.
    pub more: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line<'a> {
    /// Code of the warnings.
    pub code: &'a str,
    /// Sentence with the number of affected rows and the worst of them.
    pub sentence: String,
    /// Remedy for the warnings.
    pub remedy: &'a str,
}

impl Line<'_> {
    pub(crate) fn text(&self) -> String {
        match self.remedy {
            "" => self.sentence.clone(),
            remedy => format!("{}; {remedy}", self.sentence),
        }
    }
}

/// Returns at most `most` lines under a table of `rows` rows. Warnings about the meaning of results come
/// first, then those about turns that change a figure, then those about the design. Within a class, warnings
/// that affect most rows come first.
pub(crate) fn lines(warnings: &[Warning], rows: usize, most: usize) -> Lines<'_> {
    let deciding = || warnings.iter().filter(|warning| warning.decides);
    let codes: BTreeSet<&str> = deciding().map(|warning| warning.code.as_str()).collect();
    let of_code = |code: &'_ str| deciding().filter(|w| w.code == code).collect::<Vec<&Warning>>();
    let mut all: Vec<(WarningClass, usize, Line)> = codes
        .iter()
        .filter_map(|code| {
            let own = of_code(code);
            let worst = own.iter().copied().reduce(|a, b| if b.severity > a.severity { b } else { a })?;
            let cases: BTreeSet<Option<u32>> = own.iter().map(|warning| warning.case).collect();
            let held = if cases.contains(&None) { rows } else { cases.len() };
            let alike = own.iter().all(|warning| warning.severity == worst.severity);
            let sentence = match (cases.len(), alike) {
                (1, _) => worst.sentence(),
                (_, true) => format!("on {}: {}", of_rows(held, rows), worst.sentence()),
                (_, false) => format!("on {}, worst: {}", of_rows(held, rows), worst.sentence()),
            };
            Some((worst.class, held, Line { code, sentence, remedy: &worst.remedy }))
        })
        .collect();
    all.sort_by_key(|(class, held, _)| (*class, usize::MAX - held));
    // If lines are omitted, one line is reserved for their number.
    let shown = if all.len() > most { most.saturating_sub(1).max(1) } else { all.len() };
    let more = all.len() - shown;
    Lines { lines: all.into_iter().take(shown).map(|(.., line)| line).collect(), more }
}

fn of_rows(held: usize, rows: usize) -> String {
    match held >= rows {
        true if rows == 2 => "both rows".to_owned(),
        true => format!("all {rows} rows"),
        false => format!("{held} of {}", numbers::counted(rows, "row", "rows")),
    }
}

/// Returns every warning, grouped by code.
pub fn each(warnings: &[Warning], style: &Style) -> String {
    let mut codes: Vec<&str> = Vec::new();
    for warning in warnings {
        if !codes.contains(&warning.code.as_str()) {
            codes.push(&warning.code);
        }
    }
    let mut out = String::new();
    for code in codes {
        let same: Vec<&Warning> = warnings.iter().filter(|warning| warning.code == code).collect();
        for (index, warning) in same.iter().enumerate() {
            let repeated = same.iter().skip(index + 1).any(|later| later.remedy == warning.remedy);
            out.push_str(&sentence(code, &warning.sentence(), style));
            if !repeated {
                out.push_str(&remedy(warning, style));
            }
        }
    }
    out
}

/// Returns one warning with its remedy.
pub fn one(warning: &Warning, style: &Style) -> String {
    sentence(&warning.code, &warning.sentence(), style) + &remedy(warning, style)
}

fn sentence(code: &str, text: &str, style: &Style) -> String {
    let head = format!("warning {}: ", style.prose(code));
    let text = wrap(&format!("{head}{}", style.prose(text)), style, 2);
    let head_length = head.trim_end().len().min(text.len());
    let (head, rest) = text.split_at(head_length);
    debug_assert!(columns(head) > 0);
    format!("{}{rest}\n", style.paint(Paint::Warning, head))
}

fn remedy(warning: &Warning, style: &Style) -> String {
    let explain = format!("`derny dev explain {}`", warning.code);
    let text = if warning.remedy.is_empty() {
        format!("  see {explain}")
    } else {
        format!("  {}, or {explain}", warning.remedy)
    };
    format!("{}\n", wrap(&style.prose(&text), style, 2))
}

//! Formats failures in four parts: event, place, reason and remedy.

use crate::Style;
use crate::style::{Paint, wrap};
use derny_model::{Document, Failure};

/// Returns all failures of a document, separated by blank lines. Empty if there are none.
pub fn all(document: &Document, style: &Style) -> String {
    each(&document.failures, style)
}

/// Returns the given failures, separated by blank lines.
pub fn each(failures: &[Failure], style: &Style) -> String {
    failures.iter().map(|failure| one(failure, style)).collect::<Vec<_>>().join("\n")
}

/// Returns one failure. Program output within the reason is indented and not wrapped.
pub fn one(failure: &Failure, style: &Style) -> String {
    let head = style.paint(Paint::Error, &format!("error {}:", failure.code.text()));
    let mut out = format!("{head} {}\n", style.prose(&failure.what));
    let place: Vec<String> = failure.place.iter().map(|part| style.prose(part)).collect();
    part(&mut out, "where", &place.join(style.dot()), style);
    part(&mut out, "why", &failure.why, style);
    part(&mut out, "try", &failure.remedy, style);
    out
}

fn part(out: &mut String, name: &str, text: &str, style: &Style) {
    let mut lines = text.trim_end().lines();
    let Some(first) = lines.next() else { return };
    let label = format!("{name:<5}");
    let line = wrap(&format!("  {label}  {}", style.prose(first)), style, 9);
    out.push_str(&line.replacen(&label, &style.paint(Paint::Dim, &label), 1));
    out.push('\n');
    // Keep the lines of program output, because wrapped lines are harder to recognise. Remove their common
    // indentation.
    let rest: Vec<&str> = lines.collect();
    let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let common = rest.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    for line in rest {
        let line = style.prose(line.get(common..).unwrap_or("").trim_end());
        out.push_str(if line.is_empty() { "" } else { "           " });
        out.push_str(&line);
        out.push('\n');
    }
}

//! Formats cases without results: as a tree for people, and as lines or JSON for programs.

use crate::style::visible;
use crate::table::{self, Line};
use crate::{Style, numbers, tree};
use derny_model::Case;

/// Returns a tree by suite and benchmark, followed by the number of cases.
pub fn tree(cases: &[Case], style: &Style) -> String {
    let paths = tree::paths(cases.iter());
    let lines: Vec<Line> = tree::entries(&paths)
        .into_iter()
        .map(|entry| {
            let cells = if entry.leaf.is_some() { vec![String::new()] } else { Vec::new() };
            Line { branch: entry.branch, label: entry.label, cells, ..Line::default() }
        })
        .collect();
    let mut suites: Vec<&str> = cases.iter().map(|case| case.id.suite.as_str()).collect();
    suites.dedup();
    let suites = numbers::counted(suites.len(), "suite", "suites");
    let cases = numbers::counted(cases.len(), "case", "cases");
    format!("{}\n{cases} in {suites}\n", table::render(&[], &lines, style))
}

/// Returns one case per line in the form that patterns match: `suite/benchmark key=value`.
pub fn plain(cases: &[Case]) -> String {
    cases.iter().map(|case| format!("{}\n", visible(&case.id.to_string()))).collect()
}

/// Returns the declarations of all cases as a JSON array.
pub fn json(cases: &[Case]) -> String {
    crate::json::pretty(&cases)
}

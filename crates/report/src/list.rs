//! Cases without results: a tree for people, lines or JSON for programs.

use crate::style::visible;
use crate::table::{self, Line};
use crate::{Style, numbers, tree};
use derny_model::Case;

/// A tree by suite and benchmark, and how many cases there are.
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

/// One case a line, as patterns match it: `suite/benchmark key=value`.
pub fn plain(cases: &[Case]) -> String {
    cases.iter().map(|case| format!("{}\n", visible(&case.id.to_string()))).collect()
}

/// Everything that was declared, as an array.
pub fn json(cases: &[Case]) -> String {
    crate::json::pretty(&cases)
}

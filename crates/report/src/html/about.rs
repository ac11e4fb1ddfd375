//! Title and summary of a page, and other data that the document does not contain.

use crate::comparison::first_lines;
use crate::{Style, comparison};
use derny_model::Document;

/// A page has no width limit and may contain any character.
const PAGE: Style = Style { width: None, ascii: false, colour: false };
const NAMED: usize = 3;
const LONGEST: usize = 300;

/// Returns the project and the sides: `shop: main → head`. Without sides, names the run.
pub(super) fn subject(document: &Document, project: Option<&String>) -> String {
    let run = &document.run;
    let sides = document.comparison.as_deref().map(|compared| {
        let shown = comparison::sides(compared);
        let names: Vec<String> = std::iter::once(0)
            .chain(shown.iter().copied())
            .map(|side| comparison::name(compared, side, &PAGE))
            .collect();
        match names.len() {
            few if few <= NAMED => names.join(" → "),
            many => format!("{} → {} sides", names[0], many - 1),
        }
    });
    let what = sides.unwrap_or_else(|| match &run.imported {
        Some(from) => format!("{}, imported", if from.tool.is_empty() { &from.format } else { &from.tool }),
        None => format!("run {}", run.id),
    });
    project.into_iter().cloned().chain([what]).collect::<Vec<_>>().join(": ")
}

pub(super) fn headline(document: &Document) -> Option<String> {
    document.comparison.as_deref().map(|compared| first_lines(compared, &PAGE).join("; "))
}

pub(super) fn unclear(document: &Document) -> Vec<String> {
    document.comparison.as_deref().map_or(Vec::new(), |compared| comparison::unclear_lines(compared, &PAGE))
}

/// Returns the title of the tab as markup: subject and verdict.
pub(super) fn title(document: &Document, project: Option<&String>) -> String {
    let cases = document.cases().count();
    let verdict = headline(document)
        .unwrap_or_else(|| format!("{cases} {}", if cases == 1 { "case" } else { "cases" }));
    let text: String = format!("{} · {verdict}", subject(document, project)).chars().take(LONGEST).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

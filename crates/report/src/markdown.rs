//! Formats results as GitHub-flavoured Markdown: the columns of the terminal with full names, then warnings
//! and failures.

mod link;

use crate::style::visible;
use crate::warning::{LINES, Lines, lines};
use crate::{Style, columns, subject, terminal};
use derny_model::{CaseResult, CaseState, Document, VariantResult, Warning};

/// Returns the document with the deciding warnings, or with every warning if `all` is true. Ignores the width
/// and the colour of the style.
pub fn document(document: &Document, all: bool, style: &Style) -> String {
    let style = Style { width: None, colour: false, ..*style };
    let mut out = format!("{}\n\n", escape(&terminal::header(document, &style)));
    out.push_str(&table(document, &style));
    if !document.failures.is_empty() {
        out.push('\n');
    }
    for failure in &document.failures {
        let place = failure.place.iter().map(|part| escape(part)).collect::<Vec<_>>().join(style.dot());
        let (what, code) = (escape(&failure.what), failure.code.text());
        let why: Vec<&str> = failure.why.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        out.push_str(&format!("- **error {code}**: {what} ({place}); {}\n", escape(&why.join(" / "))));
    }
    let rows = document.cases().filter(|case| !case.variants.is_empty()).count();
    let items = warnings(&document.warnings, rows, all);
    if items.is_empty() { out } else { format!("{out}\n{items}") }
}

/// Returns the warnings as list items. `all` lists every single warning.
pub(crate) fn warnings(warnings: &[Warning], rows: usize, all: bool) -> String {
    let item = |code: &str, text: &str| format!("- **warning {}**: {}\n", escape(code), escape(text));
    if all {
        let text = |own: &Warning| match own.remedy.as_str() {
            "" => own.sentence(),
            remedy => format!("{}; {remedy}", own.sentence()),
        };
        return warnings.iter().map(|own| item(&own.code, &text(own))).collect();
    }
    let Lines { lines, more } = lines(warnings, rows, LINES);
    let mut items: String = lines.iter().map(|line| item(line.code, &line.text())).collect();
    if more > 0 {
        items.push_str(&format!("- and {more} more: -v\n"));
    }
    items
}

fn table(document: &Document, style: &Style) -> String {
    let columns = columns::columns(document, style);
    let several = document.run.variants.len() > 1;
    let mut heads = vec!["case".to_owned()];
    heads.extend(several.then(|| "variant".to_owned()));
    let names = heads.len();
    heads.extend(columns.iter().map(|column| escape(&column.head)));
    heads.push(String::new());
    let rule: Vec<&str> =
        (0..heads.len()).map(|i| if i < names || i + 1 == heads.len() { "---" } else { "---:" }).collect();
    let mut out = format!("{}{}", line(&heads), line(&rule));
    for (index, case) in document.cases().enumerate() {
        let variants: Vec<Option<&VariantResult>> =
            if case.variants.is_empty() { vec![None] } else { case.variants.iter().map(Some).collect() };
        for variant in variants {
            let benchmark = variant.and_then(|own| subject::of_variant(&document.run, &own.variant));
            let mut cells = vec![escape(&subject::case(&case.case, benchmark).id.to_string())];
            cells.extend(several.then(|| escape(variant.map_or("", |variant| &variant.variant))));
            let text =
                |column: &columns::Column| variant.and_then(|v| (column.cell)(case, v)).unwrap_or_default();
            cells.extend(columns.iter().map(|column| escape(&text(column))));
            cells.push(remark(document, case, index as u32));
            out.push_str(&line(&cells));
        }
    }
    out
}

fn remark(document: &Document, case: &CaseResult, index: u32) -> String {
    let mut words: Vec<String> = match case.state {
        CaseState::Measured(_) => Vec::new(),
        ref state => vec![crate::csv::state(state).to_owned()],
    };
    words.extend(document.failures.iter().filter(|f| f.case == Some(index)).map(|f| f.code.text()));
    let marking = document.warnings.iter().filter(|warning| warning.marks && warning.case == Some(index));
    words.extend(marking.map(|warning| escape(&warning.code)));
    words.dedup();
    words.join(" ")
}

pub(crate) fn line<S: AsRef<str>>(cells: &[S]) -> String {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Escapes text so that it contains neither markup nor links. Special characters of Markdown and HTML get a
/// backslash. Control characters and line breaks become escapes. GitHub and GitLab still detect `@name`,
/// `#1`, addresses and commands in the rendered text, so these get a zero-width space. A commit is written as
/// code.
pub(crate) fn escape(text: &str) -> String {
    let text = visible(text);
    let mut out = String::with_capacity(text.len() + 16);
    let mut done = 0;
    for (at, c) in text.char_indices() {
        if at < done {
            continue;
        }
        if let Some(commit) = link::commit(&text, at) {
            out.push_str(&format!("`{commit}`"));
            done = at + commit.len();
            continue;
        }
        let is_sign =
            matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '#' | '&' | '$' | '@');
        if is_sign || (c == '/' && at == 0) {
            out.push('\\');
        }
        out.push(c);
        if link::is_broken_behind(&text, at) {
            out.push(link::BREAK);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_become_markup() {
        assert_eq!(escape("a|b `c` <i>*d*_e_"), "a\\|b \\`c\\` \\<i\\>\\*d\\*\\_e\\_");
        assert_eq!(escape("x\ny\x1b[0m"), "x\\\\ny\\\\x1b\\[0m");
        assert_eq!(escape("/close"), "\\/close");
        assert_eq!(escape("<!-- derny:x run=9 -->![](a)"), "\\<!-- derny:x run=9 --\\>!\\[\\](a)");
    }
}

//! Formats comparisons as GitHub-flavoured Markdown for a pull request: the verdict, the cases that changed,
//! and everything else in folded sections.

use super::{details, notes, quantities, rows};
use crate::markdown::{escape, line, warnings};
use crate::{Style, numbers, subject};
use derny_model::{CaseOutcome, Change, ComparedCase, ComparedSide, Comparison, Unmeasured, Verdict};

type ChangeRow<'a> = (&'a ComparedCase, &'a ComparedSide, &'a Change);

/// Maximum length in characters. GitHub allows 65,536, and the surrounding text needs some of it.
const LONGEST: usize = 65_000;

/// Maximum number of list items in a comment.
const MOST: usize = 10_000;

/// Returns the comparison as a comment for a pull request. Each list contains as many items as fit, worst
/// first.
pub fn comment(comparison: &Comparison, style: &Style) -> String {
    let written = |most: usize| {
        let text = lists(comparison, false, most, style);
        (text.chars().count() <= LONGEST).then_some(text)
    };
    if let Some(whole) = written(MOST) {
        return whole;
    }
    let (mut fits, mut too_many) = (0, MOST);
    let mut text = written(0);
    while text.is_some() && too_many - fits > 1 {
        let most = fits.midpoint(too_many);
        match written(most) {
            Some(longer) => (fits, text) = (most, Some(longer)),
            None => too_many = most,
        }
    }
    text.unwrap_or_else(|| {
        // Even a single name can exceed the limit.
        let headline: String = escape(&headline(comparison, style)).chars().take(LONGEST / 2).collect();
        format!("### {headline}\n\nNames are too long for a comment.\n")
    })
}

/// Returns the comparison as Markdown, with the deciding warnings, or with every warning if `all` is true.
/// Ignores the width and the colour of the style.
pub fn comparison(comparison: &Comparison, all: bool, style: &Style) -> String {
    lists(comparison, all, usize::MAX, style)
}

/// Returns the comparison with at most `most` items per list, the most important ones. `all` includes every
/// quantity and warning.
fn lists(comparison: &Comparison, all: bool, most: usize, style: &Style) -> String {
    let style = &Style { width: None, colour: false, ..*style };
    let mut out = format!("### {}\n\n", escape(&headline(comparison, style)));
    for sentence in notes::same(comparison, style) {
        out.push_str(&format!("**{}**\n\n", escape(&sentence)));
    }
    out.push_str(&format!("{}\n", escape(&notes::facts(comparison, style).join(style.dot()))));
    let (mut moved, still) = split(comparison, all);
    let mut open: Vec<ChangeRow<'_>> = Vec::new();
    if most < usize::MAX {
        // The rows of a case stay together, with time first.
        let rank = |(_, side, _): &ChangeRow<'_>| rows::decisive(side).map_or(0.0, rows::urgency);
        moved.sort_by(|one, other| rank(one).total_cmp(&rank(other)));
        (moved, open) = moved.into_iter().partition(has_changed);
    }
    if !moved.is_empty() {
        let rows = table(comparison, &moved[..moved.len().min(most)], true, style);
        out.push_str(&format!("\n{rows}{}", more(moved.len(), most)));
    }
    if !open.is_empty() {
        let count = numbers::counted(open.len(), "row", "rows");
        let rows = table(comparison, &open[..open.len().min(most)], moved.is_empty(), style);
        out.push_str(&fold(&format!("{count} unclear"), &(rows + &more(open.len(), most))));
    }
    if !still.is_empty() {
        let count = numbers::counted(still.len(), "row", "rows");
        let summary = format!("{count} the same within {}", numbers::confidence(comparison.margin, style));
        let rows = table(comparison, &still[..still.len().min(most)], moved.is_empty(), style);
        out.push_str(&fold(&summary, &(rows + &more(still.len(), most))));
    }
    let unmeasured: Vec<String> =
        notes::unmeasured(comparison, style).iter().map(|text| format!("- {}\n", escape(text))).collect();
    if !unmeasured.is_empty() {
        out.push_str(&format!("\n{}", few(&unmeasured, most)));
    }
    out.push_str(&failures(comparison, most, style));
    out.push_str(&fold("How this was judged", &judged(comparison, all, style)));
    let details = details::lines(comparison, style);
    if !details.is_empty() {
        let items: Vec<String> = details.iter().map(|item| format!("- {}\n", escape(item))).collect();
        out.push_str(&fold("Composition of mean time", &few(&items, most)));
    }
    let warnings = warnings(&comparison.warnings, comparison.cases.len(), all);
    if !warnings.is_empty() {
        out.push_str(&fold("Warnings", &warnings));
    }
    out
}

/// Returns a one-line summary, such as `1 of 4 slower, 1 faster, 1 unclear`.
fn headline(comparison: &Comparison, style: &Style) -> String {
    let tally = rows::tally(comparison);
    let total: usize = tally.iter().map(|(_, count)| count).sum();
    let count = |wanted: Verdict| tally.iter().find(|(of, _)| *of == wanted).map_or(0, |(_, count)| *count);
    let (better, worse) =
        if rows::has_only_metrics(comparison) { ("better", "worse") } else { ("faster", "slower") };
    let summarised = [(Verdict::Worse, worse), (Verdict::Better, better), (Verdict::Unclear, "unclear")];
    let mut words: Vec<String> = summarised
        .iter()
        .filter(|(of, _)| count(*of) > 0)
        .map(|(of, word)| format!("{} {word}", count(*of)))
        .collect();
    let is_open = |case: &&Unmeasured| case.outcome != CaseOutcome::Skipped;
    let open = comparison.unmeasured.iter().filter(is_open).count();
    let total = total + open;
    words.extend((open > 0).then(|| format!("{open} not measured")));
    let margin = numbers::confidence(comparison.margin, style);
    match (total, words.is_empty()) {
        (0, _) => "Nothing to compare".to_owned(),
        _ if total == open => "Nothing to compare: no case was measured on both sides".to_owned(),
        (1, true) => format!("No change beyond {margin}"),
        (_, true) => format!("No change beyond {margin} in {total} comparisons"),
        (1, false) => words.join(", "),
        (_, false) => format!("{} of {total}", words.join(", ")),
    }
}

/// Separates the rows that a reviewer should see from those without a change. `all` includes rows of every
/// quantity.
fn split(comparison: &Comparison, all: bool) -> (Vec<ChangeRow<'_>>, Vec<ChangeRow<'_>>) {
    let sides = rows::sides(comparison);
    let changes = comparison.cases.iter().flat_map(|case| {
        let compared = rows::compared(case, &sides).into_iter();
        compared.flat_map(move |side| {
            let rows = quantities::shown(comparison, case, side, all).into_iter();
            rows.map(move |change| (case, side, change))
        })
    });
    changes.partition(|(_, side, change)| {
        side.split || matches!(change.verdict, Verdict::Better | Verdict::Worse | Verdict::Unclear)
    })
}

fn table(comparison: &Comparison, all: &[ChangeRow], means: bool, style: &Style) -> String {
    let sides = rows::sides(comparison);
    let several = sides.len() > 1;
    let side = if several { "side".to_owned() } else { rows::name(comparison, sides[0], style) };
    let mut heads = vec!["case".to_owned()];
    heads.extend(several.then(|| "against".to_owned()));
    heads.push(String::new());
    let words = heads.len();
    heads.extend([escape(&rows::name(comparison, 0, style)), escape(&side), "change".to_owned()]);
    heads.push(format!("{} interval", numbers::confidence(comparison.confidence, style)));
    heads.push("verdict".to_owned());
    let rule: Vec<&str> =
        (0..heads.len()).map(|i| if i < words || i + 1 == heads.len() { "---" } else { "---:" }).collect();
    let mut out = format!("{}{}", line(&heads), line(&rule));
    for (case, side, change) in all {
        let mut cells = vec![subject::id(comparison, case, side.side).to_string()];
        cells.extend(several.then(|| rows::name(comparison, side.side, style)));
        cells.push(quantities::quantity(case, change, style));
        cells.extend(rows::values(case, side.side, change, style));
        cells.extend(rows::figures(side, change, style));
        let mut cells: Vec<String> = cells.iter().map(|cell| escape(cell)).collect();
        cells.push(verdict(comparison, side, change, style));
        out.push_str(&line(&cells));
    }
    for mean in comparison.geometric_means.iter().filter(|mean| means && sides.contains(&mean.side)) {
        let figure = numbers::relative(&mean.change, style);
        let mut cells = vec!["*geometric mean*".to_owned()];
        cells.extend(several.then(|| escape(&rows::name(comparison, mean.side, style))));
        cells.extend([
            String::new(),
            String::new(),
            String::new(),
            figure.value,
            figure.interval.unwrap_or_default(),
        ]);
        cells.push(format!("of {}", numbers::counted(mean.cases as usize, "case", "cases")));
        out.push_str(&line(&cells));
    }
    out
}

/// Formats a verdict, in bold if it is better or worse. Its footnote follows inline, because Markdown tables
/// have none.
fn verdict(comparison: &Comparison, side: &ComparedSide, change: &Change, style: &Style) -> String {
    let word = escape(&rows::words(comparison, side, change, style));
    let word = match change.verdict {
        Verdict::Better | Verdict::Worse => format!("**{word}**"),
        _ => word,
    };
    match rows::footnote(comparison, change, style) {
        Some(text) => format!("{word}: {}", escape(&text)),
        None => word,
    }
}

fn judged(comparison: &Comparison, all: bool, style: &Style) -> String {
    let sides = rows::sides(comparison);
    let mut items = vec![notes::verdicts(comparison, style)];
    items.extend(quantities::legend(comparison, &sides, all, style));
    items.extend((!all).then(|| quantities::folded(comparison, &sides, style)).flatten());
    items.extend(notes::control(comparison, style));
    items.extend(notes::context(comparison, style));
    items.extend(notes::alone(comparison, style));
    items.extend(comparison.unknown.iter().map(|sentence| style.prose(sentence)));
    items.iter().filter(|item| !item.is_empty()).map(|item| format!("- {}\n", escape(item))).collect()
}

fn has_changed((_, side, change): &ChangeRow<'_>) -> bool {
    side.split || change.verdict != Verdict::Unclear
}

fn more(items: usize, most: usize) -> String {
    let left_out = items.saturating_sub(most);
    if left_out == 0 { String::new() } else { format!("\n…and {left_out} more.\n") }
}

fn few(items: &[String], most: usize) -> String {
    items[..items.len().min(most)].concat() + &more(items.len(), most)
}

fn failures(comparison: &Comparison, most: usize, style: &Style) -> String {
    let one = |failure: &derny_model::Failure| {
        let place = failure.place.iter().map(|part| escape(part)).collect::<Vec<_>>().join(style.dot());
        format!("- **error {}**: {} ({place})\n", failure.code.text(), escape(&failure.what))
    };
    let all: Vec<String> = comparison.failures.iter().map(one).collect();
    if all.is_empty() { String::new() } else { format!("\n{}", few(&all, most)) }
}

/// Returns a folded section. The blank line after the summary enables Markdown in its text.
fn fold(summary: &str, text: &str) -> String {
    format!("\n<details><summary>{summary}</summary>\n\n{text}\n</details>\n")
}

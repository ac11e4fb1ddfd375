//! Comparisons as workflow commands of GitHub Actions: annotations at the lines of the benchmarks.

use super::{notes, quantities, rows};
use crate::style::visible;
use crate::{Style, subject};
use derny_model::{Case, CaseOutcome, Change, ComparedCase, ComparedSide, Comparison};

const STYLE: Style = Style { width: None, ascii: false, colour: false };

/// GitHub shows only the first ten annotations of a kind per step.
const MOST: usize = 10;

/// Returns annotations for a comparison. Failures and regressions beyond the margin are errors, worst first.
/// Undecided cases are warnings. A notice contains the number of each verdict and of the omitted annotations.
pub fn comparison(comparison: &Comparison) -> String {
    let mut errors: Vec<String> = comparison
        .failures
        .iter()
        .map(|failure| {
            let text = format!("{}: {}", failure.place.join(" · "), failure.what);
            command("error", &failure.code.text(), None, &text)
        })
        .collect();
    let (mut worse, mut warnings) = (Vec::new(), Vec::new());
    let sides = rows::sides(comparison);
    for case in &comparison.cases {
        for side in rows::compared(case, &sides) {
            if let (CaseOutcome::NotMeasured, Some(why)) = (side.outcome, notes::lacks(side, &STYLE)) {
                let title = format!("not measured: {}", case.case.id);
                warnings.push(command("warning", &title, Some(&case.case), &why));
                continue;
            }
            let Some(change) = side.decisive() else { continue };
            match side.outcome {
                CaseOutcome::Worse => {
                    let size = change.change.as_ref().map_or(0.0, |change| change.value.abs());
                    worse.push((size, annotation("error", comparison, case, side, change)));
                }
                CaseOutcome::Undecided | CaseOutcome::Unjudged => {
                    warnings.push(annotation("warning", comparison, case, side, change))
                }
                _ => {}
            }
        }
    }
    worse.sort_by(|one, other| other.0.total_cmp(&one.0));
    errors.extend(worse.into_iter().map(|(_, annotation)| annotation));
    // Cases whose harness failed are already listed as failures.
    for case in comparison.unmeasured.iter().filter(|case| case.outcome == CaseOutcome::NotMeasured) {
        let (title, why) = (format!("not measured: {}", case.case.id), notes::why(comparison, case, &STYLE));
        warnings.push(command("warning", &title, Some(&case.case), &why));
    }
    for sentence in notes::same(comparison, &STYLE) {
        warnings.insert(0, command("warning", "derny compare", None, &sentence));
    }
    let text = match comparison.cases.is_empty() {
        true => notes::nothing(comparison).to_owned(),
        false => [notes::verdicts(comparison, &STYLE), notes::together(comparison, &STYLE)].join("; "),
    };
    let all: Vec<String> = errors.into_iter().chain(warnings).collect();
    let more = match all.len().saturating_sub(MOST - 1) {
        0 => String::new(),
        more => format!("; and {more} more annotations"),
    };
    let summary = command("notice", "derny compare", None, &(text + &more));
    all.into_iter().take(MOST - 1).chain([summary]).collect()
}

fn annotation(
    level: &str,
    comparison: &Comparison,
    case: &ComparedCase,
    side: &ComparedSide,
    change: &Change,
) -> String {
    let verdict =
        rows::verdict(side.verdict, !rows::is_time(change), rows::margin(comparison, change), &STYLE);
    let title = format!("{verdict}: {}", subject::id(comparison, case, side.side));
    let [base, new] = rows::values(case, side.side, change, &STYLE);
    let figures = rows::figures_on_one_line(side, change, &STYLE);
    let mut parts = vec![format!("{} {base} → {new}, {figures}", quantities::quantity(case, change, &STYLE))];
    parts.extend(rows::footnote(comparison, change, &STYLE));
    parts.push([side.side, 0].map(|side| rows::name(comparison, side, &STYLE)).join(" against "));
    command(level, &title, Some(&case.case), &parts.join("; "))
}

fn command(level: &str, title: &str, case: Option<&Case>, text: &str) -> String {
    let mut place = String::new();
    if let Some((file, line)) = case.and_then(|case| Some((case.file.as_ref()?, case.line))) {
        place.push_str(&format!("file={},", property(file)));
        place.push_str(&line.map_or(String::new(), |line| format!("line={line},")));
    }
    format!("::{level} {place}title={}::{}\n", property(title), data(text))
}

fn data(text: &str) -> String {
    visible(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_ends_a_property_or_a_command() {
        assert_eq!(property("a,b:c%\nd"), "a%2Cb%3Ac%25\\nd");
        assert_eq!(data("50 %::error::x"), "50 %25::error::x");
    }
}

//! Lists the cases that fail a comparison, one line each.

use super::{notes, rows};
use crate::{Style, numbers, subject};
use derny_model::{CaseOutcome, ComparedCase, ComparedSide, Comparison};

/// Returns a line for each side of a case whose outcome `counts`, such as
/// `worse: suite/case  time +4.9 % (+4.1 … +5.6)  new is worse than main by more than 1 %`.
pub fn failing(comparison: &Comparison, counts: impl Fn(CaseOutcome) -> bool, style: &Style) -> Vec<String> {
    let base = rows::name(comparison, 0, style);
    let margin = numbers::percent(comparison.margin, style);
    let mut all = Vec::new();
    for (outcome, word, rest) in [
        (CaseOutcome::Worse, "worse", format!("is worse than {base} by more than {margin}")),
        (CaseOutcome::Undecided, "undecided", format!("may be worse than {base} by more than {margin}")),
        (CaseOutcome::Unjudged, "undecided", format!("could not be judged against {base}")),
    ] {
        let sides = comparison.cases.iter().flat_map(|case| case.sides.iter().map(move |side| (case, side)));
        let own = sides.filter(|(_, side)| side.outcome == outcome && counts(outcome));
        all.extend(own.map(|(case, side)| line(comparison, word, case, side, &rest, style)));
    }
    let sides = comparison.cases.iter().flat_map(|case| case.sides.iter().map(move |side| (case, side)));
    let lacking = sides.filter(|(_, side)| side.outcome == CaseOutcome::NotMeasured && counts(side.outcome));
    all.extend(lacking.filter_map(|(case, side)| {
        let (id, new) = (style.prose(&case.case.id.to_string()), rows::name(comparison, side.side, style));
        Some(format!("not measured: {id}  {} ({base}, {new})", notes::lacks(side, style)?))
    }));
    let unmeasured = comparison.unmeasured.iter().filter(|case| counts(case.outcome));
    all.extend(unmeasured.map(|case| {
        format!(
            "not measured: {}  {}",
            style.prose(&case.case.id.to_string()),
            notes::why(comparison, case, style)
        )
    }));
    all
}

fn line(
    comparison: &Comparison,
    word: &str,
    case: &ComparedCase,
    side: &ComparedSide,
    rest: &str,
    style: &Style,
) -> String {
    let new = rows::name(comparison, side.side, style);
    let id = style.prose(&subject::id(comparison, case, side.side).to_string());
    let Some(change) = side.decisive() else {
        return format!("{word}: {id}  {new} {rest}");
    };
    let what = match &change.quantity {
        derny_model::Quantity::Typical => "time",
        derny_model::Quantity::Mean => "mean time",
        derny_model::Quantity::Metric(name) => name,
    };
    let figure = change.change.map_or(String::new(), |estimate| {
        let figure = numbers::relative(&estimate, style);
        let ends = figure.interval.map(|ends| format!(" ({ends})"));
        format!("  {}{}", figure.value, ends.unwrap_or_default())
    });
    let why = match side.outcome {
        CaseOutcome::Unjudged if change.because.is_empty() => format!(
            ": {} are too few among {}; use more processes",
            numbers::counted(change.replicates as usize, "pair", "pairs"),
            numbers::counted(comparison.family as usize, "comparison", "comparisons")
        ),
        CaseOutcome::Unjudged => format!(": {}", style.prose(&change.because)),
        _ => String::new(),
    };
    format!("{word}: {id}  {}{figure}  {new} {rest}{why}", style.prose(what))
}

//! One row per case, side and quantity, as CSV (RFC 4180).

use crate::csv::{number, pairs, row};
use derny_model::{Change, ComparedCase, Comparison, Direction, Pairing, Quantity, Verdict};

const HEAD: [&str; 26] = [
    "suite",
    "benchmark",
    "params",
    "base",
    "side",
    "control",
    "quantity",
    "unit",
    "better",
    "base_value",
    "side_value",
    "change",
    "change_lo",
    "change_hi",
    "exact",
    "pairing",
    "replicates",
    "level",
    "p",
    "q",
    "holm",
    "margin",
    "verdict",
    "case_verdict",
    "because",
    "needed",
];

/// All quantities of all sides, controls included. Changes are shares: −0.02 is 2 % less.
pub fn comparison(comparison: &Comparison) -> String {
    let mut out = row(&HEAD);
    for case in &comparison.cases {
        for side in &case.sides {
            for change in &side.changes {
                out.push_str(&row(&fields(comparison, case, side.side, side.verdict, change)));
            }
        }
    }
    out
}

fn fields(
    comparison: &Comparison,
    case: &ComparedCase,
    side: u32,
    verdict: Verdict,
    change: &Change,
) -> Vec<String> {
    let named =
        |side: u32| comparison.sides.get(side as usize).map_or(String::new(), |side| side.name.clone());
    let interval = change.change.and_then(|change| change.interval);
    vec![
        case.case.id.suite.clone(),
        case.case.id.benchmark.clone(),
        pairs(&case.case.id.params),
        named(0),
        named(side),
        comparison.sides.get(side as usize).is_some_and(|side| side.control).to_string(),
        quantity(&change.quantity).to_owned(),
        change.unit.clone(),
        match change.direction {
            Direction::Less => "less",
            Direction::More => "more",
            Direction::None => "",
        }
        .to_owned(),
        number(Some(change.base)),
        number(Some(change.new)),
        number(change.change.map(|change| change.value)),
        number(interval.map(|interval| interval.lo)),
        number(interval.map(|interval| interval.hi)),
        change.exact.to_string(),
        match comparison.pairing {
            Pairing::Paired => "paired",
            Pairing::Unpaired => "unpaired",
        }
        .to_owned(),
        change.replicates.to_string(),
        number(Some(change.level)),
        number(change.p),
        number(change.q),
        number(change.holm),
        number(Some(comparison.margin)),
        token(change.verdict).to_owned(),
        token(verdict).to_owned(),
        change.because.clone(),
        change.needed.map_or(String::new(), |needed| needed.to_string()),
    ]
}

fn quantity(quantity: &Quantity) -> &str {
    match quantity {
        Quantity::Typical => "typical",
        Quantity::Amortised => "amortised",
        Quantity::Metric(name) => name,
    }
}

/// A verdict as one word, as in the JSON form.
pub(crate) fn token(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::FasterWithinMargin => "faster-within-margin",
        Verdict::SlowerWithinMargin => "slower-within-margin",
        other => other.words(),
    }
}

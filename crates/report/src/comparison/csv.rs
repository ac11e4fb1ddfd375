//! Formats comparisons as CSV (RFC 4180), with one row per case, side and quantity.

use crate::csv::{Parameters, number, row};
use derny_model::{Change, Comparison, Direction, Estimate, Pairing, Reason, Verdict};

const HEAD: [&str; 29] = [
    "base",
    "side",
    "control",
    "metric",
    "statistic",
    "unit",
    "better",
    "base_value",
    "side_value",
    "change",
    "change_lo",
    "change_hi",
    "difference",
    "difference_lo",
    "difference_hi",
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
    "reason",
    "because",
    "needed",
    "side_alone",
];

/// Returns all quantities of all sides as CSV, including controls. Changes are shares: −0.02 is 2 % less. If
/// one of the two values is 0, the row contains the absolute difference instead.
pub fn comparison(comparison: &Comparison) -> String {
    let parameters = Parameters::of(comparison.cases.iter().map(|case| case.case.id.params.as_slice()));
    let mut out = row(&parameters.head(&HEAD));
    for case in &comparison.cases {
        for side in &case.sides {
            for change in &side.changes {
                let id = &case.case.id;
                let mut cells = parameters.row(&id.suite, &id.benchmark, &id.params);
                cells.extend(fields(comparison, side.side, side.verdict, change));
                out.push_str(&row(&cells));
            }
        }
    }
    out
}

fn fields(comparison: &Comparison, side: u32, verdict: Verdict, change: &Change) -> Vec<String> {
    let named =
        |side: u32| comparison.sides.get(side as usize).map_or(String::new(), |side| side.name.clone());
    let ends = |estimate: Option<Estimate>| {
        let interval = estimate.and_then(|estimate| estimate.interval);
        [estimate.map(|e| e.value), interval.map(|i| i.lo), interval.map(|i| i.hi)].map(number)
    };
    let mut cells = vec![
        named(0),
        named(side),
        comparison.sides.get(side as usize).is_some_and(|side| side.control).to_string(),
        change.quantity.metric().to_owned(),
        change.quantity.statistic().unwrap_or_default().to_owned(),
        change.unit.to_string(),
        match change.direction {
            Direction::Less => "less",
            Direction::More => "more",
            Direction::None => "",
        }
        .to_owned(),
        number(Some(change.base)),
        number(Some(change.new)),
    ];
    cells.extend(ends(change.change).into_iter().chain(ends(change.difference)));
    cells.extend([
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
        change.verdict.token().to_owned(),
        verdict.token().to_owned(),
        change.reason.map(Reason::token).unwrap_or_default().to_owned(),
        change.because.clone(),
        change.needed.map_or(String::new(), |needed| needed.to_string()),
        number(Some(change.new_alone.unwrap_or(change.new))),
    ]);
    cells
}

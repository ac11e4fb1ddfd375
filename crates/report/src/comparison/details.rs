//! Formats the components of the mean times in a comparison, one line per case and side.

use super::{notes, quantities, rows};
use crate::{Style, numbers, subject};
use derny_model::{ComparedCase, ComparedSide, Comparison, Observed, Quantity};

/// Returns the lines for a terminal, or an empty text if no times were measured in pairs.
pub fn details(comparison: &Comparison, style: &Style) -> String {
    lines(comparison, style).iter().map(|text| notes::line(text, style)).collect()
}

/// Returns lines such as `sort/radix: observed 0.4 s and 0.4 s; 0 and 3 pauses (0 ns and 30 ms); …; mean/op
/// +0.1 % (−0.5 … +0.7), same`.
pub(crate) fn lines(comparison: &Comparison, style: &Style) -> Vec<String> {
    let sides = rows::sides(comparison);
    let of_case = |case| {
        let all = rows::compared(case, &sides).into_iter();
        all.filter_map(move |side| Some((case, side, side.observed.as_ref()?)))
    };
    let one = |(case, side, both): (&ComparedCase, &ComparedSide, &[Observed; 2])| {
        let own = subject::beside(comparison, side.side, style).filter(|_| sides.len() > 1);
        let against = own.map_or(String::new(), |own| format!(" ({own})"));
        let parts = [observed(both, style), mean(comparison, case, side, style)];
        let name = style.prose(&subject::id(comparison, case, side.side).to_string());
        format!("{name}{against}: {}", parts.into_iter().flatten().collect::<Vec<String>>().join("; "))
    };
    comparison.cases.iter().flat_map(of_case).map(one).collect()
}

/// Formats the observations on both sides, the base's first. Omits collections if there were none or they
/// were not counted.
fn observed(both: &[Observed; 2], style: &Style) -> Vec<String> {
    let time = |of: fn(&Observed) -> f64| {
        let [base, new] = both.each_ref().map(|side| numbers::duration(of(side), style));
        format!("{base} and {new}")
    };
    let counts = |of: fn(&Observed) -> f64, what: &str| {
        let [base, new] = both.each_ref().map(of);
        (base + new > 0.0).then(|| format!("{base} and {new} {what}"))
    };
    let pauses = counts(|side| f64::from(side.pauses), "pauses");
    let oldest = both.iter().map(|side| side.age_ns).max().unwrap_or(0);
    let parts = [
        Some(format!("observed {}", time(|side| side.wall_ns))),
        counts(|side| side.collections, "collections"),
        Some(pauses.map_or("no pauses".to_owned(), |text| format!("{text} ({})", time(|s| s.paused_ns)))),
        counts(|side| f64::from(side.left_out), "turns excluded"),
        Some(format!("processes up to {} old", numbers::wall(oldest))),
    ];
    parts.into_iter().flatten().collect()
}

fn mean(comparison: &Comparison, case: &ComparedCase, side: &ComparedSide, style: &Style) -> Vec<String> {
    let Some(change) = side.changes.iter().find(|change| change.quantity == Quantity::Mean) else {
        return Vec::new();
    };
    let figures = rows::figures_on_one_line(side, change, style);
    let word = rows::words(comparison, side, change, style);
    let first = format!("{} {figures}, {word}", quantities::quantity(case, change, style));
    [first].into_iter().chain(rows::footnote(comparison, change, style)).collect()
}

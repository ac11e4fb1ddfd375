//! Names the fastest side of a run, and its lead over each other side. `derny try` ends with these lines.

use crate::style::{Paint, visible};
use crate::{Style, numbers};
use derny_model::{Change, Comparison, Document, Estimate, Interval, Quantity, Verdict};

/// Returns the name of each case and of its fastest side by typical time. Empty if there is only one side.
pub fn of(document: &Document) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for case in document.cases() {
        let timed =
            case.variants.iter().filter_map(|variant| Some((variant, variant.time.as_ref()?.typical.value)));
        let timed: Vec<_> = timed.collect();
        if let (true, Some((fastest, _))) = (timed.len() > 1, timed.iter().min_by(|a, b| a.1.total_cmp(&b.1)))
        {
            all.push((case.case.id.to_string(), fastest.variant.clone()));
        }
    }
    all
}

/// Returns the lines of one case, whose fastest side is the base of the comparison. Sides without a
/// significant difference are not ranked.
pub fn lines(comparison: &Comparison, name: &str, style: &Style) -> String {
    let Some(case) = comparison.cases.iter().find(|case| case.case.id.to_string() == name) else {
        return String::new();
    };
    let params: Vec<String> =
        case.case.id.params.iter().map(|(key, value)| format!(" {key}={value}")).collect();
    let title = format!("fastest{}: {}", visible(&params.concat()), visible(&comparison.sides[0].name));
    let mut text = format!("\n{}\n", style.paint(Paint::Strong, &title));
    for side in &case.sides {
        let other = &comparison.sides[side.side as usize];
        if other.control {
            continue;
        }
        if side.at_floor.contains(&true) {
            text.push_str(&format!(
                "  no ratio to {}: indistinguishable from an empty \
                body\n",
                visible(&other.name)
            ));
            continue;
        }
        let typical = side.changes.iter().find(|change| change.quantity == Quantity::Typical);
        let lead = match typical {
            Some(change) if side.verdict == Verdict::Worse || side.verdict == Verdict::WorseWithinMargin => {
                faster(change, style)
            }
            _ => None,
        };
        let lead = lead.map_or("not distinguishable from".to_owned(), |times| format!("{times} faster than"));
        text.push_str(&format!("  {lead} {}\n", visible(&other.name)));
    }
    text
}

/// Formats a speedup such as `1.52× [1.49, 1.55]`. `None` without an estimate.
fn faster(change: &Change, style: &Style) -> Option<String> {
    let Estimate { value, interval } = change.change?;
    let digits = numbers::digits_of_times(1.0 + value);
    let end = |share: f64| format!("{:.digits$}", 1.0 + share);
    let reach = |Interval { lo, hi }: Interval| format!(" [{}, {}]", end(lo), end(hi));
    Some(numbers::times(1.0 + value, style) + &interval.map(reach).unwrap_or_default())
}

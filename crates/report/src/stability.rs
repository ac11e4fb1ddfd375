//! Formats repeated runs as a table: how much they differ, and the interval of each.

use crate::style::{Paint, visible, wrap};
use crate::table::{self, Line};
use crate::tree::Branch;
use crate::{Style, numbers};
use derny_model::{Estimate, StabilityRow};

/// Returns the table and an explanation. Empty if no case was measured twice.
pub fn stability(rows: &[StabilityRow], style: &Style) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let heads = ["runs", "mean", "between runs", "max-min", "each claimed", "cover"].map(str::to_owned);
    let lines: Vec<Line> = rows.iter().map(|row| line(row, style)).collect();
    let mut out = table::render(&heads, &lines, style);
    let narrow = rows.iter().filter(|row| row.narrow).count();
    let summary = if narrow == 0 {
        "stable: the runs differ no more than their intervals allow".to_owned()
    } else {
        format!(
            "in {} the runs differ by more than their intervals allow: something changes from run to run, \
                such as memory layout, clock frequency or other programs; compare variants in one run with \
                -x",
            if rows.len() == 1 {
                "this case".to_owned()
            } else {
                format!("{narrow} of {}", numbers::counted(rows.len(), "case", "cases"))
            }
        )
    };
    out.push('\n');
    out.push_str(&style.paint(Paint::Dim, &wrap(&summary, style, 2)));
    out.push('\n');
    out
}

fn line(row: &StabilityRow, style: &Style) -> Line {
    let name = match row.variant.as_str() {
        "" => row.case.to_string(),
        variant => format!("{} {variant}", row.case),
    };
    let mean = Estimate { value: row.mean_ns, interval: None };
    let around = |share: f64| format!("{} {}", style.pick("±", "+-"), numbers::percent(share, style));
    Line {
        branch: Branch::default(),
        label: visible(&name).into_owned(),
        cells: vec![
            row.runs.to_string(),
            numbers::time(&mean, style).value,
            numbers::percent(row.deviation, style),
            numbers::percent(row.range, style),
            row.claimed.map_or(String::new(), around),
            if row.intervals > 0 { format!("{} of {}", row.covering, row.intervals) } else { String::new() },
        ],
        flag: match (row.intervals, row.narrow) {
            (0, _) => String::new(),
            (_, true) => "intervals too narrow".to_owned(),
            (_, false) => "stable".to_owned(),
        },
        flag_paint: Some(if row.narrow { Paint::Warning } else { Paint::Better }),
    }
}

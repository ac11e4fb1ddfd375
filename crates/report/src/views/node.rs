//! The table of Node's compare.R: the improvement of rates, stars for Welch's test, and the accuracy at three
//! levels. It is ASCII, apart from ±, and without colours, because scripts read it.

use crate::comparison::{self, Parts};
use crate::style::{columns, visible};
use crate::{Style, foreign, numbers};
use derny_model::{ClassicCase, Comparison, Welch};

const HEADS: [&str; 5] = ["confidence", "improvement", "accuracy (*)", "(**)", "(***)"];

/// Returns the table for `cases`, which come from `comparison`. The number of stars to expect by chance and
/// Derny's own verdicts follow.
pub fn node(comparison: &Comparison, cases: &[ClassicCase], style: &Style) -> String {
    let several = cases.iter().any(|case| case.samples.len() > 2);
    let mut rows: Vec<(String, [String; 5])> = Vec::new();
    for case in cases {
        let base = case.samples.first().map_or(0.0, |base| base.mean);
        for sample in case.samples.iter().skip(1) {
            let of = if several { format!(" {}", visible(&sample.name)) } else { String::new() };
            let params = foreign::node::inspected(&case.case);
            let blank = if params.is_empty() { "" } else { " " };
            let name = format!("{}{blank}{params}", foreign::node::file(&case.case));
            let name = format!("{}{of}", visible(&name));
            let welch = sample.against.as_ref().map(|test| &test.welch);
            rows.push((name, cells(welch, base / sample.mean - 1.0, style)));
        }
    }
    let mut out = lay(&rows);
    if !rows.is_empty() {
        out.push_str(&chance(rows.len()));
    }
    let skipped = comparison.cases.len() - cases.len().min(comparison.cases.len());
    if skipped > 0 {
        out.push_str(&format!(
            "{} without times on both sides {} not in this table\n\n",
            numbers::counted(skipped, "case", "cases"),
            if skipped == 1 { "is" } else { "are" }
        ));
    }
    out.push_str("Derny's own verdict, on times (less is better):\n\n");
    out + &comparison::table(comparison, style, Parts { header: true, all: true })
}

/// Returns the cells of a row. Without a test, such as for a sample with a single value, they contain `NA`,
/// as in Node's own table.
fn cells(welch: Option<&Welch>, improvement: f64, style: &Style) -> [String; 5] {
    let percent = |share: f64| format!("{:.2} %", share * 100.0);
    let Some(welch) = welch else {
        return ["NA".to_owned(), percent(improvement), "NA".to_owned(), "NA".to_owned(), "NA".to_owned()];
    };
    let stars = match welch.p {
        p if p < 0.001 => "***",
        p if p < 0.01 => "**",
        p if p < 0.05 => "*",
        _ => "",
    };
    let half = |share: f64| format!("{}{:.2}%", style.pick("±", "+-"), share * 100.0);
    let [one, two, three] = welch.accuracy.map(half);
    [stars.to_owned(), percent(welch.improvement), one, two, three]
}

fn lay(rows: &[(String, [String; 5])]) -> String {
    let name = rows.iter().map(|(name, _)| columns(name)).max().unwrap_or(0);
    let widths: [usize; 5] = std::array::from_fn(|i| {
        rows.iter().map(|(_, cells)| columns(&cells[i])).max().unwrap_or(0).max(columns(HEADS[i]))
    });
    let line = |label: &str, cells: &[String; 5]| {
        let mut text = format!("{label}{}", " ".repeat(name - columns(label)));
        for (cell, width) in cells.iter().zip(&widths) {
            text.push_str(&format!(" {}{cell}", " ".repeat(width - columns(cell))));
        }
        text.trim_end().to_owned() + "\n"
    };
    let head = line("", &HEADS.map(str::to_owned));
    head + &rows.iter().map(|(name, cells)| line(name, cells)).collect::<String>()
}

fn chance(comparisons: usize) -> String {
    let expected = |share: f64| format!("{:.2}", comparisons as f64 * share);
    format!(
        "\nOf {}, this many would get stars by chance if nothing had changed:\n  {} with * or more (5 %)\n  {} with ** or more (1 %)\n  {} with *** (0.1 %)\n\n",
        numbers::counted(comparisons, "comparison", "comparisons"),
        expected(0.05),
        expected(0.01),
        expected(0.001)
    )
}

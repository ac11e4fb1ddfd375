//! Formats stored runs, one line each.

use crate::style::{Paint, columns, shorten, visible};
use crate::{Style, terminal};
use derny_model::{RunHeader, RunStatus};
use serde::Serialize;

/// A stored run, for a row of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunRow {
    /// Header of the run.
    pub header: RunHeader,
    /// Number of cases with a result.
    pub cases: usize,
    /// Names of the baselines that point to the run.
    pub baselines: Vec<String>,
}

/// Returns the table of runs in the given order. `now_ms` is the current time in milliseconds since the Unix
/// epoch.
pub fn table(rows: &[RunRow], now_ms: i64, style: &Style) -> String {
    let heads = ["RUN", "WHEN", "COMMIT", "VARIANTS", "CASES", "BASELINE", "NOTE"];
    let body: Vec<[String; 7]> = rows.iter().map(|row| cells(row, now_ms, style)).collect();
    let shown: Vec<usize> = (0..heads.len())
        .filter(|i| {
            matches!(heads[*i], "RUN" | "WHEN" | "CASES") || body.iter().any(|row| !row[*i].is_empty())
        })
        .collect();
    let widths: Vec<usize> = shown
        .iter()
        .map(|&i| body.iter().map(|row| columns(&row[i])).chain([heads[i].len()]).max().unwrap_or(0))
        .collect();
    let head: Vec<String> = heads.iter().map(|head| (*head).to_owned()).collect();
    let mut out = format!("{}\n", style.paint(Paint::Dim, &line(&head, &shown, &widths, style)));
    for row in &body {
        out.push_str(&line(row, &shown, &widths, style));
        out.push('\n');
    }
    out
}

/// Returns the runs as a JSON array with their full headers.
pub fn json(rows: &[RunRow]) -> String {
    crate::json::pretty(&rows)
}

fn cells(row: &RunRow, now_ms: i64, style: &Style) -> [String; 7] {
    let run = &row.header;
    let commit = run.commit.as_ref().map_or(String::new(), |commit| {
        let short: String = commit.hash.chars().take(7).collect();
        format!("{short}{}", if commit.dirty { "+" } else { "" })
    });
    let state = match run.status {
        RunStatus::Complete => None,
        RunStatus::Failed => Some("some failed"),
        RunStatus::Partial => Some("partial"),
        RunStatus::Running => Some("under way"),
    };
    let note =
        [state.map(str::to_owned), run.note.clone()].into_iter().flatten().collect::<Vec<_>>().join(": ");
    let several = run.variants.len() > 1;
    let names: Vec<&str> = run.variants.iter().map(|variant| variant.name.as_str()).collect();
    let variants = if several { names.join(" ") } else { terminal::runtimes(&run.runtimes) };
    [
        visible(&run.id).into_owned(),
        ago(now_ms - run.started_ms),
        visible(&commit).into_owned(),
        style.prose(&variants),
        row.cases.to_string(),
        visible(&row.baselines.join(" ")).into_owned(),
        style.prose(&note),
    ]
}

fn line(row: &[String], shown: &[usize], widths: &[usize], style: &Style) -> String {
    let mut text = String::new();
    for (&column, &width) in shown.iter().zip(widths) {
        let cell = &row[column];
        let pad = " ".repeat(width - columns(cell).min(width));
        // Only the number of cases is right-aligned.
        text.push_str(&if column == 4 { format!("{pad}{cell}  ") } else { format!("{cell}{pad}  ") });
    }
    shorten(text.trim_end(), style.width.unwrap_or(usize::MAX), style)
}

/// Formats an age in one unit: `2 min ago`, `yesterday`, `3 days ago`.
pub fn ago(ms: i64) -> String {
    let seconds = ms.max(0) / 1000;
    match seconds {
        0..60 => "just now".to_owned(),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..86_400 => format!("{} h ago", seconds / 3600),
        86_400..172_800 => "yesterday".to_owned(),
        172_800..5_184_000 => format!("{} days ago", seconds / 86_400),
        5_184_000..63_072_000 => format!("{} months ago", seconds / 2_592_000),
        _ => format!("{} years ago", seconds / 31_536_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_have_one_unit() {
        let hour = 3_600_000;
        let rows = [
            (0, "just now"),
            (-5, "just now"),
            (125_000, "2 min ago"),
            (5 * hour, "5 h ago"),
            (30 * hour, "yesterday"),
            (75 * hour, "3 days ago"),
            (24 * 90 * hour, "3 months ago"),
            (24 * 800 * hour, "2 years ago"),
        ];
        for (ms, expected) in rows {
            assert_eq!(ago(ms), expected);
        }
    }
}

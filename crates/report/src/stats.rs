//! Formats how a run spent its time: a line per part, and counts of the work done.

use crate::style::Paint;
use crate::{Style, numbers};
use derny_model::{Accounting, WorkCounts};

/// Returns the time of each part of the run, and the counts of the work done. Parts that took no time are
/// omitted.
pub fn stats(accounting: &Accounting, style: &Style) -> String {
    let Accounting { wall_ns, parts, counts } = accounting;
    let seconds = |ns: u64| format!("{:.3} s", ns as f64 / 1e9);
    let rows = std::iter::once(("wall time", *wall_ns)).chain(parts.named());
    let rows: Vec<(&str, u64)> = rows.filter(|(_, ns)| *ns > 0).collect();
    let label = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let time = rows.iter().map(|(_, ns)| seconds(*ns).len()).max().unwrap_or(0);
    let mut out = String::new();
    for (at, (name, ns)) in rows.iter().enumerate() {
        let line = format!("{name:<label$}  {:>time$}", seconds(*ns));
        if at == 0 {
            out.push_str(&style.paint(Paint::Strong, &line));
        } else {
            let share = 100.0 * *ns as f64 / (*wall_ns).max(1) as f64;
            out.push_str(&format!("{line}  {share:>3.0}{}", style.pick(" %", "%")));
        }
        out.push('\n');
    }
    out.push_str(&style.paint(Paint::Dim, &style.prose(&counted(counts))));
    out.push('\n');
    out
}

/// Formats the counts: `16 processes in 1 wave · 96 rounds · 192 measured turns · …`.
fn counted(counts: &WorkCounts) -> String {
    let of = |count: u32, one: &str, many: &str| numbers::counted(count as usize, one, many);
    [
        of(counts.processes, "process", "processes") + " in " + &of(counts.waves, "wave", "waves"),
        of(counts.rounds, "round", "rounds"),
        of(counts.measured_turns, "measured turn", "measured turns"),
        of(counts.warm_up_turns, "turn before them", "turns before them"),
        of(counts.exchanges, "exchange", "exchanges"),
    ]
    .join(" · ")
}

//! Explains the unclear verdicts in one line: the reason, and a command that settles most of them.

use super::rows;
use crate::Style;
use derny_model::{Change, Comparison, Reason, Settle};

/// Returns at most one line. For a single unclear verdict, it contains the full reason.
pub(crate) fn lines(comparison: &Comparison, style: &Style) -> Vec<String> {
    let open: Vec<&Change> = rows::unclear(comparison).collect();
    let count = open.len();
    let command = comparison.settle.as_ref().map(|settle| command(settle, count));
    match (&open[..], command) {
        ([], _) => Vec::new(),
        ([only], command) => {
            let why = rows::footnote(comparison, only, style);
            let parts = [why, command].into_iter().flatten().collect::<Vec<_>>();
            if parts.is_empty() { Vec::new() } else { vec![format!("unclear: {}", parts.join("; "))] }
        }
        (_, Some(command)) => vec![format!("{count} unclear: {command}")],
        (all, None) => {
            let counted = |(words, count): (&str, usize)| format!("{count} {words}");
            let reasons: Vec<String> = reasons(all).into_iter().map(counted).collect();
            vec![format!("{count} unclear: {}; -v explains each", reasons.join(", "))]
        }
    }
}

/// Code of the warning that other programs used the processors during the run.
const CONTENDED: &str = "DY101";

/// Returns the common reason if several verdicts are all unclear: the load of the machine if a warning
/// reports it, or else the most frequent reason.
pub(crate) fn why_all(comparison: &Comparison, style: &Style) -> Option<String> {
    let open: Vec<&Change> = rows::unclear(comparison).collect();
    let total: usize = rows::tally(comparison).iter().map(|(_, count)| count).sum();
    if open.len() < 2 || open.len() < total {
        return None;
    }
    let contended = comparison.warnings.iter().find(|warning| warning.code == CONTENDED);
    let most = || match reasons(&open)[..] {
        [(only, _)] => Some(only.to_owned()),
        [(most, _), ..] => Some(format!("mostly {most}")),
        [] => None,
    };
    contended.map(|warning| style.prose(&warning.sentence())).or_else(most)
}

fn command(settle: &Settle, unclear: usize) -> String {
    let settles = match settle.cases as usize {
        1 if unclear == 1 => "it".to_owned(),
        cases if cases >= unclear => "them".to_owned(),
        cases => format!("about {cases}"),
    };
    let total = typed(settle.total_ns);
    format!("`derny run --resume={} --total {total}` would settle {settles}", settle.run)
}

/// Formats a duration in whole minutes or seconds, as flags accept it: `3m`, `45s`.
fn typed(ns: u64) -> String {
    match ns / 1_000_000_000 {
        seconds if seconds % 60 == 0 => format!("{}m", seconds / 60),
        seconds => format!("{seconds}s"),
    }
}

fn reasons(all: &[&Change]) -> Vec<(&'static str, usize)> {
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    for change in all {
        let words = reason(change);
        match counts.iter_mut().find(|(other, _)| *other == words) {
            Some((_, count)) => *count += 1,
            None => counts.push((words, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| usize::MAX - count);
    counts
}

fn reason(change: &Change) -> &'static str {
    match change.reason {
        Some(Reason::Budget | Reason::Interrupted) => "out of time",
        Some(Reason::TooFewPairs) => "with too few pairs",
        Some(Reason::MultipleComparisons) => "not significant after correction for all comparisons",
        Some(Reason::AtFloor) => "indistinguishable from an empty body",
        Some(Reason::Collections) => "with too few collections",
        Some(Reason::StillWarming) => "still warming up",
        Some(Reason::Machine) => "not measured together; the machine may explain them",
        Some(Reason::NotTogether) => "not measured together, and it is unknown how the machine changed",
        Some(Reason::ChangedOnTheWay) => "contradictory between looks",
        Some(Reason::NoRatio | Reason::NotMeasured) => "without a ratio",
        Some(Reason::ControlFailed) => "not distinguishable from noise between identical programs",
        Some(Reason::NotAsked) => "without mean time, which was not requested",
        Some(Reason::Noise) | None => "too noisy",
        Some(_) => "for other reasons",
    }
}

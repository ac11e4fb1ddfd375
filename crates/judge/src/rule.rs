//! The rule that decides whether to keep a candidate.

use crate::composite::{self, judged};
use derny_model::{CaseOutcome, Comparison, Decision, Ground, Reason, Speedup, Verdict};

/// A decision with its ground, and the reason as one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ruling {
    pub verdict: Decision,
    pub ground: Ground,
    pub because: String,
    /// Further lines, such as the output of a build.
    pub details: Vec<String>,
}

impl Ruling {
    pub fn new(verdict: Decision, ground: Ground, because: impl Into<String>) -> Ruling {
        Ruling { verdict, ground, because: because.into(), details: Vec::new() }
    }

    pub fn with(self, text: impl Into<String>) -> Ruling {
        Ruling { details: vec![text.into()], ..self }
    }
}

/// The measurements of a candidate, as two comparisons of the same run. In both, the first side is the best
/// candidate so far, and the side at index `candidate` the new one.
pub(crate) struct Evidence<'a> {
    /// The comparison at the confidence that the session requires.
    pub strict: &'a Comparison,
    /// The comparison at the usual confidence, by which cases are called worse or the same.
    pub usual: &'a Comparison,
    pub candidate: u32,
    pub weights: &'a [(String, f64)],
    /// Failures of the run.
    pub failures: Vec<Failed>,
}

/// A failure of a case.
pub(crate) struct Failed {
    pub case: String,
    /// Index of the side that failed, if it is known.
    pub side: Option<u32>,
    pub why: String,
}

/// Decides about a candidate.
///
/// A candidate is kept if its composite is better by more than the margin, at the confidence that the session
/// requires, and no case is worse. All other decisions use the usual confidence, because a wrong one costs
/// only a candidate.
pub(crate) fn decide(evidence: &Evidence<'_>) -> Ruling {
    if let Some(ruling) = unmeasured(evidence) {
        return ruling;
    }
    let Evidence { strict, usual, candidate, weights, .. } = *evidence;
    let composite = composite::composite(usual, candidate, weights);
    let (Some(found), Some(sure)) = (composite, composite::composite(strict, candidate, weights)) else {
        return Ruling::new(Decision::Void, Ground::Incomplete, "no case has a time or a metric to judge by");
    };
    if let Some(worse) = judged(usual, candidate).iter().find(|row| row.verdict == Verdict::Worse) {
        let ratio = composite::speedup(worse.change, usual.confidence);
        let by = ratio.map_or(String::new(), |ratio| format!(": {}", times(ratio.speedup)));
        let name = worse.case.case.id.name();
        return match usual.cases.len() {
            1 => Ruling::new(Decision::Discard, Ground::Worse, format!("the candidate is slower{by}")),
            _ => Ruling::new(Decision::Discard, Ground::CaseWorse, format!("`{name}` is slower{by}")),
        };
    }
    let margin = usual.margin;
    let is_single = judged(usual, candidate).len() == 1;
    let is_better =
        |rows: &Comparison| judged(rows, candidate).iter().all(|row| row.verdict == Verdict::Better);
    if is_above(sure, margin) && (!is_single || is_better(strict)) {
        let because = format!("the candidate is faster: {}", times(sure.speedup));
        return Ruling::new(Decision::Keep, Ground::Better, because);
    }
    match (found.low, found.high) {
        (_, Some(high)) if high < 1.0 && found.speedup < 1.0 / (1.0 + margin) => {
            let because = format!("the candidate is slower: {}", times(found.speedup));
            Ruling::new(Decision::Discard, Ground::Worse, because)
        }
        (Some(low), Some(high)) if low > 1.0 / (1.0 + margin) && high < 1.0 + margin => {
            let because = format!("the candidate does not differ by more than {} %", percent(margin));
            Ruling::new(Decision::Neutral, Ground::WithinMargin, because)
        }
        _ if is_above(found, margin) => {
            let because = format!(
                "the candidate seems faster ({}), but this session requires a confidence of {} %",
                times(found.speedup),
                percent(strict.confidence)
            );
            Ruling::new(Decision::Retry, Ground::Unclear, because)
        }
        (low, high) => Ruling::new(Decision::Retry, Ground::Unclear, unclear(low, high)),
    }
}

/// Returns true if a speed-up is certain, and its estimate exceeds the margin.
fn is_above(speedup: Speedup, margin: f64) -> bool {
    speedup.low.is_some_and(|low| low > 1.0) && speedup.speedup > 1.0 + margin
}

fn unclear(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => {
            format!("the speed-up is between {} and {}", times(low), times(high))
        }
        _ => "there are too few measurements for an interval".to_owned(),
    }
}

/// Returns a decision if a case that the base has was not measured on both sides. What was requested and not
/// measured never passes.
fn unmeasured(evidence: &Evidence<'_>) -> Option<Ruling> {
    let Evidence { usual, candidate, .. } = *evidence;
    for missing in &usual.unmeasured {
        let name = missing.case.id.name();
        let failed = evidence.failures.iter().find(|failed| failed.case == name);
        let side = failed.and_then(|failed| failed.side);
        let why = failed.map_or_else(String::new, |failed| format!(": {}", failed.why));
        if missing.outcome == CaseOutcome::Skipped && missing.sides.len() == usual.sides.len() {
            continue;
        }
        return Some(match missing.outcome {
            CaseOutcome::Failed if side == Some(candidate) => Ruling::new(
                Decision::Discard,
                Ground::Failed,
                format!("`{name}` fails in the candidate{why}"),
            ),
            CaseOutcome::Failed => {
                let place =
                    side.and_then(|side| usual.sides.get(side as usize)).map_or("a side", |own| &own.name);
                let because = format!("`{name}` fails in {place}, so no decision is possible{why}");
                Ruling::new(Decision::Void, Ground::Incomplete, because)
            }
            _ if missing.reason == Reason::Budget || missing.reason == Reason::Interrupted => {
                let because = format!("`{name}` was not measured: {}", missing.because);
                Ruling::new(Decision::Retry, Ground::Incomplete, because)
            }
            _ => {
                let because = format!("`{name}` was not measured on both sides: {}", missing.because);
                Ruling::new(Decision::Void, Ground::Incomplete, because)
            }
        });
    }
    usual.cases.is_empty().then(|| {
        let why = usual.failures.first().map_or("no case was measured".to_owned(), |own| own.what.clone());
        Ruling::new(Decision::Void, Ground::Incomplete, why)
    })
}

/// Returns a ratio for a sentence: `1.034 times as fast`.
pub(crate) fn times(ratio: f64) -> String {
    let digits = if ratio < 0.1 { 5 } else { 3 };
    format!("{ratio:.digits$} times as fast")
}

/// Returns a share as percent, without superfluous zeros.
pub(crate) fn percent(share: f64) -> String {
    let text = format!("{:.4}", 100.0 * share);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

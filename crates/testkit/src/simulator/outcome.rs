//! The results of a rule in a run of several cases.

use derny_model::{Interval, Reason, Verdict};

/// Result of one statistic of a case.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistic {
    /// Verdict on the statistic.
    pub verdict: Verdict,
    /// Reason for an unclear verdict.
    pub reason: Option<Reason>,
    /// Interval of the logarithm of the ratio, if there is one.
    pub interval: Option<Interval>,
}

/// Result of one case.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CaseDecision {
    /// Number of pairs measured.
    pub pairs: usize,
    /// Verdict on the case.
    pub verdict: Verdict,
    /// Result for typical time.
    pub typical: Statistic,
    /// Result for mean time.
    pub mean: Statistic,
    /// True if measuring stopped at a verdict that the final report did not confirm.
    pub taken_back: bool,
}

/// Results of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunDecisions {
    /// Results of its cases.
    pub cases: Vec<CaseDecision>,
    /// Two flags: the gate would fail, and the gate is undecided.
    pub gate: (bool, bool),
}

impl Statistic {
    /// Returns true if the interval covers the truth, or `None` if there is no interval.
    #[must_use]
    pub fn holds(&self, truth: f64) -> Option<bool> {
        // Tolerate rounding to nanoseconds, which is not an error of the rule.
        self.interval.map(|interval| interval.lo <= truth + 1e-6 && truth <= interval.hi + 1e-6)
    }
}

/// Returns true if the verdict is worse or better, within the margin or beyond it.
#[must_use]
pub fn is_claim(verdict: Verdict) -> bool {
    is_worse(verdict) || is_better(verdict)
}

/// Returns true if the verdict is worse, within the margin or beyond it.
#[must_use]
pub fn is_worse(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Worse | Verdict::WorseWithinMargin)
}

/// Returns true if the verdict is better, within the margin or beyond it.
#[must_use]
pub fn is_better(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Better | Verdict::BetterWithinMargin)
}

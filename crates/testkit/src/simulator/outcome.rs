//! What a rule made of a run of cases.

use derny_model::{Interval, Reason, Verdict};

/// What became of one statistic of a case.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistic {
    /// What was reported.
    pub verdict: Verdict,
    /// Why it is unclear.
    pub reason: Option<Reason>,
    /// Interval of the logarithm of the ratio; none where there is none.
    pub interval: Option<Interval>,
}

/// What became of one case.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Pairs that were measured.
    pub pairs: usize,
    /// What was reported.
    pub verdict: Verdict,
    /// Typical time.
    pub typical: Statistic,
    /// Mean time.
    pub mean: Statistic,
    /// Measuring stopped at a verdict that was not reported in the end.
    pub taken_back: bool,
}

/// What became of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcomes {
    /// Its cases.
    pub cases: Vec<Outcome>,
    /// Whether a gate would fail, and whether it is left undecided.
    pub gate: (bool, bool),
}

impl Statistic {
    /// Whether the interval holds the truth; none where there is no interval.
    #[must_use]
    pub fn holds(&self, truth: f64) -> Option<bool> {
        // Rounding to whole nanoseconds is no error of the rule.
        self.interval.map(|interval| interval.lo <= truth + 1e-6 && truth <= interval.hi + 1e-6)
    }
}

/// Whether a verdict names a direction.
#[must_use]
pub fn is_claim(verdict: Verdict) -> bool {
    is_worse(verdict) || is_better(verdict)
}

/// Worse, by however little.
#[must_use]
pub fn is_worse(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Worse | Verdict::WorseWithinMargin)
}

/// Better, by however little.
#[must_use]
pub fn is_better(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Better | Verdict::BetterWithinMargin)
}

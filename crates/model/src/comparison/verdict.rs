//! Conclusions: the verdict on a change, the reason why it is unclear, and the outcome of a case for a gate.

use crate::Interval;
use serde::{Deserialize, Serialize};

/// The outcome of one side of a case. Exit status, JUnit, annotations and comments agree, because all of them
/// are derived from it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CaseOutcome {
    /// The measurements exclude that a judged quantity is worse by more than the margin.
    Passed,
    /// A judged quantity is certainly worse by more than the margin.
    Worse,
    /// No judged quantity is certainly worse by more than the margin, but one may be.
    #[default]
    Undecided,
    /// Too little was measured, or nothing is judged, so that no quantity could have a verdict of
    /// worse.
    Unjudged,
    /// The case was not measured because it failed.
    Failed,
    /// The case was not measured because the harness skipped it on every side.
    Skipped,
    /// The case was not measured for another reason. This includes a case that one side measured and
    /// another skipped.
    NotMeasured,
}

/// The conclusion about a change, from its interval and the margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The entire interval is better than no change.
    Better,
    /// The entire interval is worse than no change.
    Worse,
    /// The entire interval is within the margin.
    Same,
    /// Better, but by less than the margin.
    BetterWithinMargin,
    /// Worse, but by less than the margin.
    WorseWithinMargin,
    /// None of the above. A decision needs more measurements.
    Unclear,
}

/// The reason why a verdict is unclear. Readers must accept unknown codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The pairs differ too much from each other, and the maximum number of pairs was reached.
    Noise,
    /// The time ran out before a decision.
    Budget,
    /// Too few pairs or processes for an interval.
    TooFewPairs,
    /// With this many comparisons, some changes of this size occur by chance.
    MultipleComparisons,
    /// Looks at different times contradict each other.
    ChangedOnTheWay,
    /// No pair has the quantity on both sides.
    NotMeasured,
    /// A harness skipped the case.
    Skipped,
    /// Code was still being compiled.
    StillWarming,
    /// The time is indistinguishable from that of an empty body.
    AtFloor,
    /// The mean covers too few collection cycles.
    Collections,
    /// A change of the machine could have caused a change of this size.
    Machine,
    /// The sides were measured at different times.
    NotTogether,
    /// Neither direction of the quantity is better.
    NoDirection,
    /// The values have no ratio.
    NoRatio,
    /// The measurement ended because the gate was decided.
    GateDecided,
    /// Nothing required mean time, so it was not measured further.
    NotAsked,
    /// The user interrupted the run.
    Interrupted,
    /// The A/A control showed a difference.
    ControlFailed,
    /// A code of a later version.
    #[serde(other)]
    Unknown,
}

impl Reason {
    /// Returns the word for JSON and CSV, such as `too-few-pairs`.
    pub fn token(self) -> &'static str {
        match self {
            Reason::Noise => "noise",
            Reason::Budget => "budget",
            Reason::TooFewPairs => "too-few-pairs",
            Reason::MultipleComparisons => "multiple-comparisons",
            Reason::ChangedOnTheWay => "changed-on-the-way",
            Reason::NotMeasured => "not-measured",
            Reason::Skipped => "skipped",
            Reason::StillWarming => "still-warming",
            Reason::AtFloor => "at-floor",
            Reason::Collections => "collections",
            Reason::Machine => "machine",
            Reason::NotTogether => "not-together",
            Reason::NoDirection => "no-direction",
            Reason::NoRatio => "no-ratio",
            Reason::GateDecided => "gate-decided",
            Reason::NotAsked => "not-asked",
            Reason::Interrupted => "interrupted",
            Reason::ControlFailed => "control-failed",
            Reason::Unknown => "unknown",
        }
    }
}

impl Verdict {
    /// Returns the word for JSON and CSV, such as `better` or `worse-within-margin`.
    pub fn token(self) -> &'static str {
        match self {
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::Same => "same",
            Verdict::BetterWithinMargin => "better-within-margin",
            Verdict::WorseWithinMargin => "worse-within-margin",
            Verdict::Unclear => "unclear",
        }
    }

    /// Returns the verdict on a change with this interval and margin. Both are shares, and less is
    /// better. An interval that ends exactly at 0 or at the margin does not exclude it.
    pub fn of(interval: Interval, margin: f64) -> Verdict {
        let inside = interval.lo > -margin && interval.hi < margin;
        match (interval.hi < 0.0, interval.lo > 0.0) {
            (true, _) if inside => Verdict::BetterWithinMargin,
            (_, true) if inside => Verdict::WorseWithinMargin,
            (true, _) => Verdict::Better,
            (_, true) => Verdict::Worse,
            _ if inside => Verdict::Same,
            _ => Verdict::Unclear,
        }
    }

    /// Returns the verdict for the opposite direction, for quantities where more is better.
    pub fn turned(self) -> Verdict {
        match self {
            Verdict::Better => Verdict::Worse,
            Verdict::Worse => Verdict::Better,
            Verdict::BetterWithinMargin => Verdict::WorseWithinMargin,
            Verdict::WorseWithinMargin => Verdict::BetterWithinMargin,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_later_versions_are_accepted() {
        for reason in [Reason::NotTogether, Reason::TooFewPairs, Reason::GateDecided] {
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.token());
        }
        assert_eq!(serde_json::from_str::<Reason>(r#""phase-of-the-moon""#).unwrap(), Reason::Unknown);
    }

    #[test]
    fn the_verdict_is_read_from_the_interval() {
        let of = |lo: f64, hi: f64| Verdict::of(Interval { lo, hi }, 0.01);
        assert_eq!(of(-0.05, -0.002), Verdict::Better);
        assert_eq!(of(0.002, 0.05), Verdict::Worse);
        assert_eq!(of(-0.009, 0.009), Verdict::Same);
        assert_eq!(of(-0.009, -0.001), Verdict::BetterWithinMargin);
        assert_eq!(of(0.001, 0.009), Verdict::WorseWithinMargin);
        assert_eq!(of(-0.002, 0.02), Verdict::Unclear);
        assert_eq!(of(0.0, 0.02), Verdict::Unclear);
        assert_eq!(of(-0.01, 0.005), Verdict::Unclear);
        assert_eq!(of(0.002, 0.05).turned(), Verdict::Better);
    }
}

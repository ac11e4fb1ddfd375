//! The outcome of a command, and the rule that determines it. All commands use this rule.

use crate::config::gate::FailOn;
use derny_model::{CaseOutcome, CaseState, Comparison, Document};

/// How a command ended. If several outcomes apply, the greatest takes precedence: an interruption over a
/// failure, a failure over a verdict, and `Worse` over `Undecided`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Everything that was requested was done.
    Done,
    /// There was nothing to do, or nothing matches a requested name.
    Nothing,
    /// A case fails the gate because it is unclear, was not measured, or cannot be judged.
    Undecided,
    /// A case fails the gate because it is worse by more than the margin.
    Worse,
    /// The machine or the installation is not suitable for measurements.
    Unfit,
    /// A benchmark or a harness failed. The results of the other cases are stored.
    Failed,
    /// The user stopped the command. The results so far are stored.
    Interrupted,
}

/// The facts from which the outcome of a command follows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Happened {
    /// True if the user stopped the command.
    pub interrupted: bool,
    /// True if benchmarks or harnesses failed during the measurement.
    pub failed: bool,
    /// True if a compared case failed earlier, when it was measured.
    pub failed_before: bool,
    /// True if a case is worse by more than the margin.
    pub worse: bool,
    /// True if it is unclear whether some case is worse.
    pub unclear: bool,
    /// True if a requested case was not measured.
    pub unmeasured: bool,
    /// True if a case could not have been shown to be worse, or if no case can be judged at all.
    pub unjudged: bool,
    /// True if none of the requested cases was measured or could be compared.
    pub nothing: bool,
    /// True if no measured benchmark has a metric or mode that was requested by name.
    pub unknown: bool,
    /// True if parts of the plan are missing or cannot be used.
    pub incomplete: bool,
}

impl Happened {
    /// Returns the facts that a comparison shows.
    #[must_use]
    pub fn of_comparison(comparison: &Comparison) -> Happened {
        use CaseOutcome::{Failed, NotMeasured, Passed, Skipped, Undecided, Unjudged, Worse};
        let any = |outcome: CaseOutcome| comparison.outcomes().any(|other| other == outcome);
        let is_judged = |outcome| match outcome {
            Passed | Worse | Undecided => true,
            Unjudged | Failed | Skipped | NotMeasured => false,
        };
        Happened {
            failed_before: !comparison.failures.is_empty() || any(Failed),
            worse: any(Worse),
            unclear: any(Undecided),
            unmeasured: any(NotMeasured),
            unjudged: any(Unjudged) || !comparison.outcomes().any(is_judged),
            nothing: comparison.is_nothing(),
            ..Happened::default()
        }
    }

    /// Returns the facts that a document shows: those of its comparison, or else those of its measurements.
    #[must_use]
    pub fn of_document(document: &Document) -> Happened {
        if let Some(comparison) = &document.comparison {
            return Happened::of_comparison(comparison);
        }
        let any = |wanted: fn(&CaseState) -> bool| document.cases().any(|case| wanted(&case.state));
        let unmeasured = any(|state| *state == CaseState::Missing);
        let measured = any(|state| matches!(state, CaseState::Measured(_) | CaseState::Passed));
        // Without a second side, the gate cannot judge anything.
        Happened { unmeasured, unjudged: true, nothing: unmeasured && !measured, ..Happened::default() }
    }

    /// Returns the outcome under a gate that fails on `fail_on`. A requested case that was not measured, or
    /// could not be judged, does not pass a gate. If `fail_on` is empty, there is no gate, and verdicts do
    /// not matter.
    #[must_use]
    pub fn outcome(self, fail_on: &[FailOn]) -> Outcome {
        let fails = |happened: bool, outcome| happened && fails(outcome, fail_on);
        if self.interrupted {
            Outcome::Interrupted
        } else if self.failed
            || fails(self.failed_before, CaseOutcome::Failed)
            || (self.failed_before && self.nothing)
        {
            Outcome::Failed
        } else if fails(self.worse, CaseOutcome::Worse) {
            Outcome::Worse
        } else if self.unknown {
            Outcome::Nothing
        } else if self.nothing
            || self.incomplete
            || fails(self.unmeasured, CaseOutcome::NotMeasured)
            || fails(self.unjudged, CaseOutcome::Unjudged)
            || fails(self.unclear, CaseOutcome::Undecided)
        {
            Outcome::Undecided
        } else {
            Outcome::Done
        }
    }
}

/// Returns true if the outcome of a case fails the gate.
pub fn fails(outcome: CaseOutcome, fail_on: &[FailOn]) -> bool {
    match outcome {
        CaseOutcome::Passed | CaseOutcome::Skipped => false,
        CaseOutcome::Worse => fail_on.contains(&FailOn::Worse),
        CaseOutcome::Undecided => fail_on.contains(&FailOn::Unclear),
        CaseOutcome::Unjudged | CaseOutcome::Failed | CaseOutcome::NotMeasured => !fail_on.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_and_not_measured_never_passes() {
        const NONE: &[FailOn] = &[];
        const WORSE: &[FailOn] = &[FailOn::Worse];
        const BOTH: &[FailOn] = &[FailOn::Worse, FailOn::Unclear];
        let of = |words: &str| Happened {
            interrupted: words.contains("interrupted"),
            failed: words.contains("failed"),
            failed_before: words.contains("earlier"),
            worse: words.contains("worse"),
            unclear: words.contains("unclear"),
            unmeasured: words.contains("unmeasured"),
            unjudged: words.contains("unjudged"),
            nothing: words.contains("nothing"),
            unknown: words.contains("unknown"),
            incomplete: words.contains("incomplete"),
        };
        use Outcome::{Done, Failed, Interrupted, Nothing, Undecided, Worse};
        // The facts, followed by the outcomes with three gates: none, one that fails on `worse`, and one
        // that fails on both verdicts.
        for (words, outcomes) in [
            ("", [Done, Done, Done]),
            ("unclear", [Done, Done, Undecided]),
            ("unmeasured", [Done, Undecided, Undecided]),
            ("unjudged", [Done, Undecided, Undecided]),
            ("unjudged worse", [Done, Worse, Worse]),
            ("unmeasured nothing", [Undecided; 3]),
            ("nothing", [Undecided; 3]),
            ("unknown unclear", [Nothing; 3]),
            ("unknown worse", [Nothing, Worse, Worse]),
            ("incomplete", [Undecided; 3]),
            ("incomplete worse", [Undecided, Worse, Worse]),
            ("worse", [Done, Worse, Worse]),
            ("worse unclear", [Done, Worse, Worse]),
            ("worse unmeasured", [Done, Worse, Worse]),
            ("earlier", [Done, Failed, Failed]),
            ("earlier worse unmeasured", [Done, Failed, Failed]),
            ("earlier nothing", [Failed; 3]),
            ("failed", [Failed; 3]),
            ("failed worse unclear", [Failed; 3]),
            ("failed unmeasured nothing", [Failed; 3]),
            ("interrupted", [Interrupted; 3]),
            ("interrupted failed worse unmeasured nothing", [Interrupted; 3]),
        ] {
            let happened = of(words);
            assert_eq!([NONE, WORSE, BOTH].map(|fail_on| happened.outcome(fail_on)), outcomes, "{words}");
        }
    }

    #[test]
    fn of_several_runs_the_worst_tells() {
        assert_eq!(Outcome::Worse.max(Outcome::Undecided), Outcome::Worse);
        assert_eq!(Outcome::Done.max(Outcome::Undecided), Outcome::Undecided);
        assert_eq!(Outcome::Failed.max(Outcome::Worse), Outcome::Failed);
        assert_eq!(Outcome::Interrupted.max(Outcome::Failed), Outcome::Interrupted);
    }
}

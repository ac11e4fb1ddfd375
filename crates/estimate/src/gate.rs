//! The gate: finds changes that are certainly worse than the margin allows.

use derny_model::{CaseOutcome, Change, ComparedSide, Comparison, Direction, Quantity, Reason, Verdict};

/// The result of a gate for a comparison.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gate {
    /// Changes that are certainly worse by more than the margin, as indices of case, side of the case, and
    /// change.
    pub worse: Vec<(usize, usize, usize)>,
    /// Changes that are neither certainly worse nor certainly harmless.
    pub undecided: Vec<(usize, usize, usize)>,
    /// Undecided changes that could not have been called worse, whatever their value.
    pub unjudged: Vec<(usize, usize, usize)>,
}

/// The gate's decision on one side of a case, with the index of the deciding change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// A change is worse by more than the margin.
    Worse(usize),
    /// A change is neither certainly worse nor certainly harmless.
    Undecided(usize),
    /// A change could not have been called worse, whatever its value. Also used if nothing of the case is
    /// judged.
    Unjudged(usize),
    /// No change is worse by more than the margin, or there are no changes.
    Passes,
}

/// The limits of a gate.
#[derive(Debug, Clone, Copy)]
pub struct Limits<'a> {
    /// Margin, as a share.
    pub margin: f64,
    /// Margin of mean time, as a share.
    pub mean_margin: f64,
    /// Error allowed over all comparisons together.
    pub alpha: f64,
    /// Metrics to judge, in addition to time.
    pub metrics: &'a [String],
}

/// Returns the changes that are worse by more than the margin, and those that are undecided. Judges times and
/// the metrics in `metrics`. A control never fails.
///
/// A change is worse if the Holm-adjusted p-value for "no worse than the margin" is below the level. It is
/// harmless if its interval ends within the margin.
pub fn gate(comparison: &Comparison, metrics: &[String]) -> Gate {
    let limits = Limits {
        margin: comparison.margin,
        mean_margin: comparison.mean_margin,
        alpha: 1.0 - comparison.confidence,
        metrics,
    };
    let mut gate = Gate::default();
    for (index, case) in comparison.cases.iter().enumerate() {
        for (at, side) in case.sides.iter().enumerate() {
            if comparison.sides[side.side as usize].control {
                continue;
            }
            match decide(side, &limits, |_| true) {
                Decision::Worse(which) => gate.worse.push((index, at, which)),
                Decision::Undecided(which) => gate.undecided.push((index, at, which)),
                Decision::Unjudged(which) => gate.unjudged.push((index, at, which)),
                Decision::Passes => {}
            }
        }
    }
    gate
}

/// Sets the outcome of every side. A side that lacks a requested metric does not pass.
pub fn mark(comparison: &mut Comparison, metrics: &[String]) {
    let gate = gate(comparison, metrics);
    let controls: Vec<bool> = comparison.sides.iter().map(|side| side.control).collect();
    for side in comparison.cases.iter_mut().flat_map(|case| &mut case.sides) {
        let is_whole = side.lacks.is_empty() || controls[side.side as usize];
        let outcome = if is_whole { CaseOutcome::Passed } else { CaseOutcome::NotMeasured };
        (side.outcome, side.decided_by) = (outcome, None);
    }
    let less = [(CaseOutcome::Undecided, &gate.undecided), (CaseOutcome::Unjudged, &gate.unjudged)];
    for (outcome, found) in less.into_iter().chain([(CaseOutcome::Worse, &gate.worse)]) {
        for (case, side, change) in found {
            let side = &mut comparison.cases[*case].sides[*side];
            if side.outcome == CaseOutcome::Passed || outcome == CaseOutcome::Worse {
                (side.outcome, side.decided_by) = (outcome, Some(*change as u32));
            }
        }
    }
}

/// Returns the decision on one side of a case. If both sides are at the floor, no time can be worse.
/// `is_final` returns true if more pairs would not change a quantity.
pub fn decide(side: &ComparedSide, limits: &Limits, is_final: impl Fn(&Quantity) -> bool) -> Decision {
    let nothing = side.at_floor == [true; 2];
    let judged = || {
        side.changes.iter().enumerate().filter(|(_, change)| match &change.quantity {
            Quantity::Metric(name) => {
                limits.metrics.iter().any(|own| *name == *own) && change.direction != Direction::None
            }
            _ => !nothing && !change.only_shown,
        })
    };
    let is_worse = |change: &Change| change.worse_beyond(margin(change, limits), limits.alpha);
    if let Some((which, _)) = judged().find(|(_, change)| is_worse(change)) {
        return Decision::Worse(which);
    }
    if judged().next().is_none() {
        // A quantity where neither direction is better can still be `same`.
        let passes = nothing || side.changes.iter().all(|change| change.verdict == Verdict::Same);
        return if passes { Decision::Passes } else { Decision::Unjudged(0) };
    }
    let open = || judged().filter(|(_, change)| !is_harmless(change, limits, is_final(&change.quantity)));
    // If only mean time was not judged, typical time is enough to judge the side.
    if let Some((which, _)) = open().find(|(_, change)| change.unjudged && change.quantity != Quantity::Mean)
    {
        return Decision::Unjudged(which);
    }
    open().next().map_or(Decision::Passes, |(which, _)| Decision::Undecided(which))
}

fn margin(change: &Change, limits: &Limits) -> f64 {
    if change.quantity == Quantity::Mean { limits.mean_margin } else { limits.margin }
}

fn speaks(change: &Change) -> bool {
    matches!(
        change.reason,
        None | Some(Reason::Noise | Reason::Budget | Reason::Interrupted)
            | Some(Reason::MultipleComparisons | Reason::GateDecided)
    )
}

/// Returns true if the change is within the margin, or if the gate need not wait for it.
fn is_harmless(change: &Change, limits: &Limits, is_final: bool) -> bool {
    let within = worst_end(change).is_some_and(|end| end < margin(change, limits));
    let is_given_up = match change.reason {
        Some(Reason::Noise) => is_final,
        Some(Reason::GateDecided) => true,
        _ => false,
    };
    // If measuring gave up on mean time, typical time decides.
    (speaks(change) && within) || (change.quantity == Quantity::Mean && is_given_up)
}

fn worst_end(change: &Change) -> Option<f64> {
    let (estimate, scale) = match (change.change, change.difference) {
        (Some(share), _) => (share, 1.0),
        (None, Some(difference)) if change.base != 0.0 => (difference, change.base.abs()),
        // A difference of zero is a share of 0, even relative to a base of 0.
        (None, Some(difference)) => (difference, 0.0),
        (None, None) => return None,
    };
    let (lo, hi) = match estimate.interval {
        Some(interval) => (interval.lo, interval.hi),
        None if change.exact || estimate.value == 0.0 => (estimate.value, estimate.value),
        None => return None,
    };
    let worst = if change.direction == Direction::More { -lo } else { hi };
    let share = worst / scale;
    Some(if share.is_nan() { 0.0 } else { share })
}

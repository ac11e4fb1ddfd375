//! The gate: what is worse by more than the margin for certain.

use derny_model::{CaseOutcome, Change, ComparedSide, Comparison, Direction, Quantity, Reason, Verdict};

/// What a gate makes of a comparison.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gate {
    /// Worse by more than the margin for certain, as `(case, side of the case, change)` indices.
    pub worse: Vec<(usize, usize, usize)>,
    /// Neither that nor shown to be harmless.
    pub undecided: Vec<(usize, usize, usize)>,
    /// The same, and it could not have been called worse.
    pub unjudged: Vec<(usize, usize, usize)>,
}

/// What a gate makes of one side of a case, by the index of the change that decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Worse by more than the margin.
    Worse(usize),
    /// Neither that nor harmless.
    Undecided(usize),
    /// The same, and it could not have been called worse, whatever it is. So is a case of which nothing is judged.
    Unjudged(usize),
    /// No change reaches beyond the margin for the worse, or there is none.
    Passes,
}

/// What a gate judges by.
#[derive(Debug, Clone, Copy)]
pub struct Limits<'a> {
    /// The margin, as a share.
    pub margin: f64,
    /// That of mean time.
    pub mean_margin: f64,
    /// The error allowed over all comparisons.
    pub alpha: f64,
    /// Metrics that are judged beside time.
    pub metrics: &'a [String],
}

/// What got worse by more than the margin, and what cannot be told. Worse is a change whose Holm value of "no worse than the
/// margin", over the family, is below the level; harmless one whose interval ends within the margin. Times are judged, and the metrics
/// named in `metrics`. A control never fails.
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

/// Writes down with every side what the gate makes of it. What lacks a metric that was asked for passes no gate.
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

/// The gate's decision on one side of a case. What is at the floor on both sides has no time that could be worse. `is_final` says of
/// which quantities more pairs would tell no more.
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
        // What has no better and no worse may still be the same.
        let passes = nothing || side.changes.iter().all(|change| change.verdict == Verdict::Same);
        return if passes { Decision::Passes } else { Decision::Unjudged(0) };
    }
    let open = || judged().filter(|(_, change)| !is_harmless(change, limits, is_final(&change.quantity)));
    // Where mean time alone is known too little, typical time has been judged.
    if let Some((which, _)) = open().find(|(_, change)| change.unjudged && change.quantity != Quantity::Mean)
    {
        return Decision::Unjudged(which);
    }
    open().next().map_or(Decision::Passes, |(which, _)| Decision::Undecided(which))
}

fn margin(change: &Change, limits: &Limits) -> f64 {
    if change.quantity == Quantity::Mean { limits.mean_margin } else { limits.margin }
}

/// Whether its interval counts: not of few pairs, of code that is still compiled, at the floor, or where looks contradict each
/// other.
fn speaks(change: &Change) -> bool {
    matches!(
        change.reason,
        None | Some(Reason::Noise | Reason::Budget | Reason::Interrupted)
            | Some(Reason::MultipleComparisons | Reason::GateDecided)
    )
}

/// Whether a change is known to reach at most to the margin, or says nothing that a gate would wait for.
fn is_harmless(change: &Change, limits: &Limits, is_final: bool) -> bool {
    let within = worst_end(change).is_some_and(|end| end < margin(change, limits));
    let is_given_up = match change.reason {
        Some(Reason::Noise) => is_final,
        Some(Reason::GateDecided) => true,
        _ => false,
    };
    // Of a mean that was given up, typical time has the word.
    (speaks(change) && within) || (change.quantity == Quantity::Mean && is_given_up)
}

/// The end of the interval that is worst, for the worse positive, as a share; the value where it is exact.
fn worst_end(change: &Change) -> Option<f64> {
    let (estimate, scale) = match (change.change, change.difference) {
        (Some(share), _) => (share, 1.0),
        (None, Some(difference)) if change.base != 0.0 => (difference, change.base.abs()),
        // Nothing is a share of nothing.
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

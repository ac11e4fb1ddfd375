//! The gate: what is worse by more than the margin for certain.

use derny_model::{Change, Comparison, Direction, Quantity, Verdict};

/// What a gate makes of a comparison.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gate {
    /// Worse by more than the margin for certain, as `(case, side of the case, change)` indices.
    pub worse: Vec<(usize, usize, usize)>,
    /// Neither that nor shown to be harmless.
    pub undecided: Vec<(usize, usize, usize)>,
}

/// What got worse by more than the margin, and what cannot be told. Worse is a change whose whole interval lies
/// beyond the margin, with Holm's p-value over the family below the level; undecided what is `unclear`, and what may
/// lie beyond the margin or not. Times are judged, and the metrics named in `metrics`. A control never fails.
pub fn gate(comparison: &Comparison, metrics: &[String]) -> Gate {
    let mut gate = Gate::default();
    let alpha = 1.0 - comparison.confidence;
    for (index, case) in comparison.cases.iter().enumerate() {
        for (at, side) in case.sides.iter().enumerate() {
            if comparison.sides[side.side as usize].control {
                continue;
            }
            let judged = side.changes.iter().enumerate().filter(|(_, change)| match &change.quantity {
                Quantity::Metric(name) => metrics.contains(name) && change.direction != Direction::None,
                _ => true,
            });
            let mut undecided = None;
            let mut worse = false;
            for (which, change) in judged {
                if beyond(change, comparison.margin, alpha) {
                    gate.worse.push((index, at, which));
                    worse = true;
                    break;
                }
                // Mean time that says nothing leaves the word to typical time.
                let open = match change.quantity {
                    Quantity::Mean => {
                        change.verdict == Verdict::Worse || (side.split && side.verdict == Verdict::Unclear)
                    }
                    _ => matches!(change.verdict, Verdict::Unclear | Verdict::Worse),
                };
                if open && undecided.is_none() {
                    undecided = Some((index, at, which));
                }
            }
            if !worse {
                gate.undecided.extend(undecided);
            }
        }
    }
    gate
}

/// Whether a change is for the worse and beyond the margin with all of its interval.
fn beyond(change: &Change, margin: f64, alpha: f64) -> bool {
    let worse = |value: f64| if change.direction == Direction::More { -value } else { value };
    if change.exact {
        return change.verdict == Verdict::Worse
            && change.change.is_none_or(|estimate| worse(estimate.value) > margin);
    }
    let (estimate, margin) = match (change.change, change.difference) {
        (Some(share), _) => (share, margin),
        (None, Some(difference)) => (difference, margin * change.base.abs()),
        (None, None) => return false,
    };
    let Some(interval) = estimate.interval else { return false };
    let least = worse(interval.lo).min(worse(interval.hi));
    least > margin && change.holm.is_none_or(|holm| holm <= alpha)
}

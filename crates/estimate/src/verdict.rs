//! The verdict on a variant of a case. Combines typical and mean time, or metrics if there are no times.

use crate::change::Single;
use derny_model::{CaseOutcome, Change, ComparedSide, Direction, Quantity, Reason, Verdict};

/// Returns the verdict on a case from typical and mean time. Also returns the reason for an unclear verdict,
/// and true if the two times disagree.
///
/// Typical time is robust, so it hides effects on few turns. Mean time includes everything and is noisier.
/// If both are certain and disagree beyond the margin, the worse one counts. An unclear mean time does not
/// contradict a change of typical time. It contradicts `same`, unless the totals agree within `mean_margin`
/// and no collection was counted. Twice the garbage must never be reported as `same`.
pub fn both(
    typical: &Change,
    mean: &Change,
    mean_margin: f64,
    is_collecting: bool,
) -> (Verdict, Option<Reason>, bool) {
    let kind = |verdict| match verdict {
        Verdict::Better => 0,
        Verdict::Worse => 2,
        Verdict::Unclear => 3,
        Verdict::Same | Verdict::BetterWithinMargin | Verdict::WorseWithinMargin => 1,
    };
    let own = (typical.verdict, typical.reason, false);
    let split = (typical.verdict, typical.reason, true);
    match (kind(typical.verdict), kind(mean.verdict)) {
        (same, other) if same == other => own,
        // Mean time changes in the same direction, but less.
        (0, _) if mean.verdict == Verdict::BetterWithinMargin => own,
        (2, _) if mean.verdict == Verdict::WorseWithinMargin => own,
        (1, 3) => {
            let agrees = mean.change.is_some_and(|estimate| estimate.value.abs() < mean_margin);
            let unseen = is_collecting || mean.reason == Some(Reason::ChangedOnTheWay);
            if agrees && !unseen { split } else { (Verdict::Unclear, mean.reason, true) }
        }
        (_, 3) => own,
        // Mean time is certainly worse, although typical time is unclear. There is no verdict at the floor,
        // or while code is still being compiled.
        (3, 2) if !matches!(typical.reason, Some(Reason::AtFloor | Reason::StillWarming)) => {
            (Verdict::Worse, None, true)
        }
        (3, _) => own,
        (before, other) if other > before => (mean.verdict, mean.reason, true),
        _ => split,
    }
}

/// Returns the result of side `side`. `changes` were computed from `singles`. The verdict is that on time, or
/// the worst verdict on a metric if there are no times. Mean time that is only displayed does not count.
pub fn side(side: u32, changes: Vec<Change>, singles: &[Single], mean_margin: f64) -> ComparedSide {
    let of = |quantity: &Quantity| changes.iter().find(|change| change.quantity == *quantity);
    let (verdict, reason, split) = match (of(&Quantity::Typical), of(&Quantity::Mean)) {
        (Some(typical), Some(mean)) if !mean.only_shown => {
            both(typical, mean, mean_margin, singles.iter().any(|single| single.is_collecting))
        }
        (Some(typical), _) => (typical.verdict, typical.reason, false),
        _ => {
            let judged = judged(&changes);
            let verdict = worst(judged.iter().map(|change| change.verdict));
            let reason = judged.iter().find(|c| c.verdict == Verdict::Unclear).and_then(|c| c.reason);
            (verdict, reason.filter(|_| verdict == Verdict::Unclear), false)
        }
    };
    let observed = singles.iter().find_map(|single| single.observed);
    let at_floor =
        singles.iter().fold([false; 2], |all, one| [all[0] | one.at_floor[0], all[1] | one.at_floor[1]]);
    let (outcome, decided_by) = (CaseOutcome::Undecided, None);
    let lacks = Vec::new();
    ComparedSide { side, verdict, reason, split, changes, observed, at_floor, lacks, outcome, decided_by }
}

fn judged(changes: &[Change]) -> Vec<&Change> {
    let directed: Vec<&Change> = changes.iter().filter(|own| own.direction != Direction::None).collect();
    if directed.is_empty() { changes.iter().collect() } else { directed }
}

fn worst(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    let badness = |verdict: &Verdict| match verdict {
        Verdict::Worse => 5,
        Verdict::Unclear => 4,
        Verdict::WorseWithinMargin => 3,
        Verdict::Same => 2,
        Verdict::BetterWithinMargin => 1,
        Verdict::Better => 0,
    };
    verdicts.max_by_key(badness).unwrap_or(Verdict::Same)
}

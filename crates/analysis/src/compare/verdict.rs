//! Verdicts beyond one interval: typical and amortised time together, families of comparisons, and when to stop.

use super::judge::{self, Pair, Subject};
use crate::level::Levels;
use derny_model::{
    Change, ComparedCase, ComparedSide, Comparison, Direction, Quantity, Settings, Side, Verdict,
};
use derny_stats::{benjamini_hochberg, holm};
use std::collections::HashMap;

/// The verdict on a case from those on typical and on amortised time, and whether the two contradict each other.
///
/// Typical time is robust, and so blind to what hits few turns; amortised time sees all and is noisier. Where both
/// are definite and differ in more than the margin's fine print, the worse counts. Where amortised time is unclear it
/// says nothing against a change of typical time, but a claim of `same` does not stand if a collector may have run
/// (`collected`): twice the garbage must never read as `same`.
pub(crate) fn both(typical: Verdict, amortised: Option<Verdict>, collected: bool) -> (Verdict, bool) {
    let Some(amortised) = amortised else { return (typical, false) };
    let kind = |verdict| match verdict {
        Verdict::Faster => 0,
        Verdict::Slower => 2,
        Verdict::Unclear => 3,
        Verdict::Same | Verdict::FasterWithinMargin | Verdict::SlowerWithinMargin => 1,
    };
    match (kind(typical), kind(amortised)) {
        (same, other) if same == other => (typical, false),
        // The same direction, only less of it.
        (0, _) if amortised == Verdict::FasterWithinMargin => (typical, false),
        (2, _) if amortised == Verdict::SlowerWithinMargin => (typical, false),
        (1, 3) if collected => (Verdict::Unclear, true),
        (_, 3) => (typical, false),
        // Unclear, and all that is spent is definitely more.
        (3, 2) => (Verdict::Slower, true),
        (3, _) => (typical, false),
        (before, other) if other > before => (amortised, true),
        _ => (typical, true),
    }
}

/// Sets a side's verdict from its changes: that on time, else the worst of its metrics.
pub(crate) fn side(side: &mut ComparedSide, collected: bool) {
    let of = |quantity: &Quantity| side.changes.iter().find(|change| change.quantity == *quantity);
    (side.verdict, side.split) = match of(&Quantity::Typical) {
        Some(typical) => both(typical.verdict, of(&Quantity::Amortised).map(|c| c.verdict), collected),
        None => (worst(side.changes.iter().map(|change| change.verdict)), false),
    };
}

/// What a gate would mind most; `Same` where there is nothing.
fn worst(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    let badness = |verdict: &Verdict| match verdict {
        Verdict::Slower => 5,
        Verdict::Unclear => 4,
        Verdict::SlowerWithinMargin => 3,
        Verdict::Same => 2,
        Verdict::FasterWithinMargin => 1,
        Verdict::Faster => 0,
    };
    verdicts.max_by_key(badness).unwrap_or(Verdict::Same)
}

/// Adjusts for the number of comparisons: `q` by Benjamini and Hochberg (1995) for listings, Holm's (1979) values of
/// a change no worse than the margin for gates. A listing has a family per quantity: typical time is not asked twice
/// because amortised time is told beside it. A gate takes the worse of the two, so that they are one family there. A
/// control is in none. A verdict whose `q` is not below the level is taken back. Gives the size of the family of typical
/// time, or of the largest.
pub(crate) fn families(cases: &mut [ComparedCase], sides: &[Side], alpha: f64) -> u32 {
    let gated = |change: &Change| match change.quantity {
        Quantity::Amortised => (Quantity::Typical, false),
        _ => family(change),
    };
    for mut family in by(cases, sides, gated).into_values() {
        let at_margin: Vec<f64> = family.iter().filter_map(|change| change.holm).collect();
        family.iter_mut().zip(holm(&at_margin)).for_each(|(change, holm)| change.holm = Some(holm));
    }
    let (mut times, mut most) = (None, 0);
    for ((quantity, _), mut family) in by(cases, sides, family) {
        let p: Vec<f64> = family.iter().filter_map(|change| change.p).collect();
        let size = family.len() as u32;
        for (change, q) in family.iter_mut().zip(benjamini_hochberg(&p)) {
            change.q = Some(q);
            demote(change, q, alpha, size);
        }
        most = most.max(size);
        if quantity == Quantity::Typical {
            times = Some(size);
        }
    }
    times.unwrap_or(most)
}

/// What a change is listed among: its quantity, and whether either way is better.
fn family(change: &Change) -> (Quantity, bool) {
    (change.quantity.clone(), change.direction == Direction::None)
}

type Families<'a> = HashMap<(Quantity, bool), Vec<&'a mut Change>>;

/// The changes with a p-value, by family.
fn by<'a>(
    cases: &'a mut [ComparedCase],
    sides: &[Side],
    family: impl Fn(&Change) -> (Quantity, bool),
) -> Families<'a> {
    let mut families = Families::new();
    for side in cases.iter_mut().flat_map(|case| &mut case.sides) {
        if sides[side.side as usize].control {
            continue;
        }
        for change in side.changes.iter_mut().filter(|change| change.p.is_some()) {
            families.entry(family(change)).or_default().push(change);
        }
    }
    families
}

fn demote(change: &mut Change, q: f64, alpha: f64, family: u32) {
    if q <= alpha {
        return;
    }
    match change.verdict {
        Verdict::Faster | Verdict::Slower => {
            change.verdict = Verdict::Unclear;
            change.because = format!(
                "its interval leaves out no change, but of {family} comparisons some do by chance (q = {q:.2})"
            );
        }
        Verdict::FasterWithinMargin | Verdict::SlowerWithinMargin => change.verdict = Verdict::Same,
        Verdict::Same | Verdict::Unclear => {}
    }
}

/// Tells a measurement under way whether its pairs decide the comparison already. For the engine, between stages.
pub struct Stopping {
    levels: Levels,
    margin: f64,
}

impl Stopping {
    /// For a run with these settings; `margin` as a share.
    pub fn new(settings: &Settings, margin: f64) -> Stopping {
        Stopping { levels: Levels::new(settings), margin }
    }

    /// The verdict on log-ratios (new over base) of the complete pairs: of typical time, and of amortised time where
    /// it is known, and the build that each of them measured; `collected` where a collector ran in a turn or nobody
    /// could tell. What is stopped at the first verdict but `Unclear` has the error rates that it claims, at any number of
    /// pairs.
    pub fn verdict(
        &self,
        typical: &[f64],
        amortised: Option<&[f64]>,
        builds: &[u32],
        collected: bool,
    ) -> Verdict {
        let of = |logs: &[f64]| self.of(logs, builds);
        both(of(typical), amortised.map(of), collected).0
    }

    fn of(&self, logs: &[f64], builds: &[u32]) -> Verdict {
        let pair = |(log, build): (&f64, &u32)| Pair {
            block: 0,
            builds: (*build, *build),
            log: *log,
            // Far below every margin.
            resolution: 0.0,
        };
        let pairs: Vec<Pair> = logs.iter().zip(builds).map(pair).collect();
        let subject = Subject {
            quantity: Quantity::Typical,
            unit: String::new(),
            per_operation: true,
            direction: Direction::Less,
            base: 1.0,
            new: 1.0,
        };
        judge::paired(subject, &pairs, &self.levels, self.margin).verdict
    }
}

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
                // Amortised time that says nothing leaves the word to typical time.
                let open = match change.quantity {
                    Quantity::Amortised => {
                        change.verdict == Verdict::Slower || (side.split && side.verdict == Verdict::Unclear)
                    }
                    _ => matches!(change.verdict, Verdict::Unclear | Verdict::Slower),
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
        return change.verdict == Verdict::Slower
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

//! Families of comparisons. Among many comparisons, some differ by chance, so results are adjusted within a
//! family.
//!
//! Typical time of all cases and variants is one family, mean time that an indicator required is another,
//! and so is every other metric. If mean time is requested for every case, both times are one family. The
//! size of a family of time is fixed before anything is measured: comparisons that are never measured or
//! required have a p-value of 1. No case can therefore revoke the verdict of another.

use crate::change::{self, Single};
use derny_model::{Change, Direction, Quantity, Reason, Verdict, Word};
use derny_stats::{benjamini_hochberg, holm, special::normal_quantile};
use std::collections::HashMap;

/// The values of a comparison that its family needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Member {
    quantity: Quantity,
    is_directed: bool,
    p: Option<f64>,
    p_at_margin: Option<f64>,
    is_few: bool,
    is_control: bool,
}

/// The adjusted values of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Adjusted {
    q: f64,
    holm: f64,
    size: usize,
    weight: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum FamilyKind {
    /// Typical time, and mean time if it is requested for every case.
    Time,
    /// Mean time that an indicator required.
    CalledFor,
    /// A metric, and whether one direction of it is better.
    Metric(Word, bool),
}

impl Member {
    /// Creates the member for a comparison. A comparison with a control (`is_control`) belongs to no family.
    pub fn of(single: &Single, is_control: bool) -> Member {
        let Single { change, p_at_margin, is_few, .. } = single;
        let is_directed = change.direction != Direction::None;
        let (quantity, p) = (change.quantity, change.p);
        Member { quantity, is_directed, p, p_at_margin: *p_at_margin, is_few: *is_few, is_control }
    }

    /// Returns true for typical time with so few pairs that no other quantity may have a verdict.
    pub(crate) fn speaks_alone(&self) -> bool {
        self.is_few && self.quantity == Quantity::Typical && !self.is_control
    }

    /// Returns the family of the member. A metric named `time` does not belong to the family of time.
    fn kind(&self, mean: bool) -> FamilyKind {
        match self.quantity {
            Quantity::Mean if !mean => FamilyKind::CalledFor,
            Quantity::Typical | Quantity::Mean => FamilyKind::Time,
            Quantity::Metric(name) => FamilyKind::Metric(name, self.is_directed),
        }
    }
}

/// Adjusts for the number of comparisons. `q` follows Benjamini and Hochberg (1995), with weights, and is for
/// listings. Holm's (1979) adjusted p-values for a change no worse than the margin are for gates.
///
/// `times` is the size of the family of time. `mean` is true if mean time is requested for every case. Also
/// returns the size of the family of time, or of the largest family if there is none.
pub(crate) fn families(all: &[Member], times: usize, mean: bool) -> (Vec<Option<Adjusted>>, u32) {
    let mut members: HashMap<FamilyKind, Vec<usize>> = HashMap::new();
    for (index, member) in all.iter().enumerate() {
        if !member.is_control && member.p.is_some() {
            members.entry(member.kind(mean)).or_default().push(index);
        }
    }
    let mut found: Vec<Option<Adjusted>> = vec![None; all.len()];
    let mut most = 0;
    for (kind, places) in members {
        let is_time = !matches!(kind, FamilyKind::Metric(..));
        let least = if is_time { times } else { 0 };
        let size = places.len().max(least);
        let weights: Vec<f64> =
            places.iter().map(|place| weight(&all[*place].quantity, size, mean)).collect();
        let own = |of: fn(&Member) -> Option<f64>| {
            places.iter().map(|place| of(&all[*place]).unwrap_or(1.0)).collect::<Vec<f64>>()
        };
        let listed = own(|member| member.p);
        let weighed = listed.iter().zip(&weights).map(|(p, weight)| (p / weight).min(1.0));
        let missing = std::iter::repeat_n(1.0, size - places.len());
        let q = benjamini_hochberg(&weighed.chain(missing).collect::<Vec<f64>>());
        let others = size as f64 - weights.iter().sum::<f64>();
        let held = holm(&own(|member| member.p_at_margin), &weights, others.max(0.0));
        for (at, place) in places.iter().enumerate() {
            found[*place] = Some(Adjusted { q: q[at], holm: held[at], size, weight: weights[at] });
        }
        most = if kind == FamilyKind::Time { size } else { most.max(size) };
    }
    (found, if times > 0 { times.max(most) } else { most } as u32)
}

/// Returns the change adjusted for all comparisons. A verdict whose `q` is above `alpha` is attributed to
/// chance. A `quick` run cannot have more pairs, so its advice does not contain their number. `has_margin`
/// and `least_p` come from the comparison's [`Single`].
pub(crate) fn among(
    change: Change,
    (has_margin, least_p): (bool, f64),
    found: Option<Adjusted>,
    alpha: f64,
    quick: bool,
) -> Change {
    let holm = found.filter(|_| has_margin).map(|found| found.holm);
    // If its lowest possible p-value, adjusted for all comparisons, exceeds the level, a comparison can never
    // be called worse.
    let is_hopeless = |found: Adjusted| least_p * found.size as f64 / found.weight > alpha;
    let unjudged = change.unjudged || found.is_some_and(is_hopeless);
    let change = Change { q: found.map(|found| found.q), holm, unjudged, ..change::shown(change) };
    match found {
        Some(Adjusted { q, size, .. }) if q > alpha => demoted(change, q, size, alpha, quick),
        _ => change,
    }
}

/// Weight of typical time: twice its share of the error of a case's times. It is larger than the weight of
/// mean time, because typical time finds most differences. Compared with equal weights, this value finds a
/// change of 1 % in more benchmarks (0.506 instead of 0.490 of 586). False verdicts increase from
/// 0.027 to 0.037.
const TYPICAL: f64 = 4.0 / 3.0;

/// Returns the weight of a comparison in a family of this size. The weights add up to at most the size
/// (Genovese, Roeder and Wasserman, 2006). `mean` is true if mean time is requested for every case. Mean time
/// that only some cases require has the same share of the error.
fn weight(quantity: &Quantity, size: usize, mean: bool) -> f64 {
    match quantity {
        Quantity::Typical if size > 1 && mean => TYPICAL,
        Quantity::Mean if size > 1 && mean => 2.0 - TYPICAL,
        Quantity::Mean if !mean => (2.0 - TYPICAL) / 2.0,
        _ => 1.0,
    }
}

/// Returns the size of the family of time. It contains the typical time of each comparison and, with `mean`,
/// also its mean time.
pub(crate) fn times(comparisons: usize, mean: bool) -> usize {
    if mean { 2 * comparisons } else { comparisons }
}

/// Returns the share of the error for the typical time of one of this many comparisons. A p-value of at most
/// this share is significant, whatever the other comparisons show. `mean` is true if mean time is requested
/// for each.
pub(crate) fn share(comparisons: usize, mean: bool) -> f64 {
    let size = times(comparisons, mean).max(1);
    weight(&Quantity::Typical, size, mean) / size as f64
}

/// Removes a claim that may be due to chance among `family` comparisons.
fn demoted(change: Change, q: f64, family: usize, alpha: f64, quick: bool) -> Change {
    match change.verdict {
        Verdict::Better | Verdict::Worse => {
            let needed = needed(&change, q, alpha).filter(|_| !quick);
            let more = match needed {
                Some(pairs) => format!("; about {pairs} pairs would decide"),
                None if quick => "; more pairs would decide: omit --quick".to_owned(),
                None => String::new(),
            };
            Change {
                verdict: Verdict::Unclear,
                reason: Some(Reason::MultipleComparisons),
                because: format!(
                    "significant alone, but not after correction for {family} comparisons (q = {q:.2}){more}"
                ),
                needed,
                ..change
            }
        }
        Verdict::BetterWithinMargin | Verdict::WorseWithinMargin => {
            Change { verdict: Verdict::Same, ..change }
        }
        Verdict::Same | Verdict::Unclear => change,
    }
}

/// Returns the total number of pairs with which this change would probably be significant, or `None` if it
/// has no p-value. Assumes that the normal deviate grows with the square root of the number of pairs. The
/// rank-based p-value of `n` pairs is at least `2^(1 − n)`.
fn needed(change: &Change, q: f64, alpha: f64) -> Option<u32> {
    let p = change.p.filter(|p| *p > 0.0 && q > 0.0)?;
    let wanted = (p * alpha / q).min(p);
    let z = |p: f64| -normal_quantile(p / 2.0);
    let pairs = change.replicates as f64 * (z(wanted) / z(p)).powi(2);
    let by_ranks = 1.0 - libm::log2(wanted / LOOKS_COST);
    let all = pairs.max(by_ranks).ceil();
    (all.is_finite() && all < f64::from(u32::MAX)).then(|| (all as u32).max(change.replicates + 1))
}

/// Approximate factor by which a repeated rank-based p-value exceeds the nominal one at early looks.
const LOOKS_COST: f64 = 3.0;

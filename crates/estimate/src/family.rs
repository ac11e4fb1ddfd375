//! Families of comparisons. With many comparisons, some differ by chance. Results are therefore adjusted
//! within a family.
//!
//! Typical time of all cases and variants forms one family. Mean time that an indicator required forms
//! another, and so does every other metric. If mean time is requested for every case, both times form a
//! single family. The size of a family of times is fixed before the run: comparisons that are never measured
//! have a p-value of 1. No case can therefore revoke the verdict of another.

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

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Adjusted {
    q: f64,
    holm: f64,
    size: usize,
    weight: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum FamilyKind {
    Time,
    CalledFor,
    Metric(Word, bool),
}

impl Member {
    /// Creates the member for a comparison. A control belongs to no family.
    pub fn of(single: &Single, is_control: bool) -> Member {
        let Single { change, p_at_margin, is_few, .. } = single;
        let is_directed = change.direction != Direction::None;
        let (quantity, p) = (change.quantity, change.p);
        Member { quantity, is_directed, p, p_at_margin: *p_at_margin, is_few: *is_few, is_control }
    }

    pub(crate) fn speaks_alone(&self) -> bool {
        self.is_few && self.quantity == Quantity::Typical && !self.is_control
    }

    /// Returns the family of this member. A metric that is named `time` is not a time.
    fn kind(&self, mean: bool) -> FamilyKind {
        match self.quantity {
            Quantity::Mean if !mean => FamilyKind::CalledFor,
            Quantity::Typical | Quantity::Mean => FamilyKind::Time,
            Quantity::Metric(name) => FamilyKind::Metric(name, self.is_directed),
        }
    }
}

/// Adjusts for the number of comparisons. Listings use `q`, weighted after Benjamini and Hochberg (1995).
/// Gates use Holm's (1979) adjusted p-values for a change no worse than the margin.
///
/// `times` is the size of the family of times. `mean` is true if mean time is requested for every case. Also
/// returns the size of the family of times or, if there are no times, that of the largest family.
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

/// Returns the change adjusted for all comparisons. A verdict whose `q` exceeds `alpha` is attributed to
/// chance. A `quick` run cannot add pairs, so its advice omits their number. `has_margin` and `least_p` come
/// from the comparison's [`Single`].
pub(crate) fn among(
    change: Change,
    (has_margin, least_p): (bool, f64),
    found: Option<Adjusted>,
    alpha: f64,
    quick: bool,
) -> Change {
    let holm = found.filter(|_| has_margin).map(|found| found.holm);
    // Even the lowest possible p-value exceeds the level after adjustment, so no value would count as worse.
    let is_hopeless = |found: Adjusted| least_p * found.size as f64 / found.weight > alpha;
    let unjudged = change.unjudged || found.is_some_and(is_hopeless);
    let change = Change { q: found.map(|found| found.q), holm, unjudged, ..change::shown(change) };
    match found {
        Some(Adjusted { q, size, .. }) if q > alpha => demoted(change, q, size, alpha, quick),
        _ => change,
    }
}

/// Weight of typical time: twice its share of the error of a case's times. Typical time finds most
/// differences, so it weighs more than mean time. Compared with equal weights, more changes of 1 % are found
/// (0.506 instead of 0.490 of 586). False verdicts rise from 0.027 to 0.037.
const TYPICAL: f64 = 4.0 / 3.0;

/// Returns the weight of a comparison in a family of this size. Weights add up to at most the size (Genovese,
/// Roeder and Wasserman, 2006). `mean` is true if mean time is requested for every case.
fn weight(quantity: &Quantity, size: usize, mean: bool) -> f64 {
    match quantity {
        Quantity::Typical if size > 1 && mean => TYPICAL,
        Quantity::Mean if size > 1 && mean => 2.0 - TYPICAL,
        Quantity::Mean if !mean => (2.0 - TYPICAL) / 2.0,
        _ => 1.0,
    }
}

pub(crate) fn times(comparisons: usize, mean: bool) -> usize {
    if mean { 2 * comparisons } else { comparisons }
}

/// Returns the share of the error for the typical time of one comparison out of `comparisons`. A p-value up
/// to this share is significant whatever the other comparisons show. `mean` is true if mean time is requested
/// for each.
pub(crate) fn share(comparisons: usize, mean: bool) -> f64 {
    let size = times(comparisons, mean).max(1);
    weight(&Quantity::Typical, size, mean) / size as f64
}

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

/// Returns the total number of pairs that would probably make this change significant, or `None` without a
/// p-value. Assumes that the normal deviate grows with the square root of the number of pairs. A rank test of
/// `n` pairs cannot go below `2^(1 − n)`.
fn needed(change: &Change, q: f64, alpha: f64) -> Option<u32> {
    let p = change.p.filter(|p| *p > 0.0 && q > 0.0)?;
    let wanted = (p * alpha / q).min(p);
    let z = |p: f64| -normal_quantile(p / 2.0);
    let pairs = change.replicates as f64 * (z(wanted) / z(p)).powi(2);
    let by_ranks = 1.0 - libm::log2(wanted / LOOKS_COST);
    let all = pairs.max(by_ranks).ceil();
    (all.is_finite() && all < f64::from(u32::MAX)).then(|| (all as u32).max(change.replicates + 1))
}

/// Factor by which repeated looks raise the p-value of a rank test, approximately.
const LOOKS_COST: f64 = 3.0;

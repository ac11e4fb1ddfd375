//! Families of comparisons: what may be called different by chance when many are looked at.
//!
//! Typical time of all cases and sides is one family, mean time that a witness called for is another, and so is every other metric. Where mean
//! time is asked of every case, both times are one family. The size of a family of time is fixed before anything is measured: what is never
//! measured, or never called for, keeps a p-value of 1. So no case takes back the verdict of another.

use crate::change::{self, Single};
use derny_model::{Change, Direction, Quantity, Reason, Verdict, Word};
use derny_stats::{benjamini_hochberg, holm, special::normal_quantile};
use std::collections::HashMap;

/// All that a family needs of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Member {
    quantity: Quantity,
    is_directed: bool,
    p: Option<f64>,
    p_at_margin: Option<f64>,
    is_few: bool,
    is_control: bool,
}

/// What the number of comparisons makes of one of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Adjusted {
    q: f64,
    holm: f64,
    size: usize,
    weight: f64,
}

/// What a family is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    /// Typical time, and mean time where it is asked of every case.
    Time,
    /// Mean time that a witness called for.
    CalledFor,
    /// A metric, and whether one way is better.
    Metric(Word, bool),
}

impl Member {
    /// Of a comparison. That with a control, `is_control`, is in no family.
    pub fn of(single: &Single, is_control: bool) -> Member {
        let Single { change, p_at_margin, is_few, .. } = single;
        let is_directed = change.direction != Direction::None;
        let (quantity, p) = (change.quantity, change.p);
        Member { quantity, is_directed, p, p_at_margin: *p_at_margin, is_few: *is_few, is_control }
    }

    /// It is typical time of so few pairs that it alone may speak.
    pub(crate) fn speaks_alone(&self) -> bool {
        self.is_few && self.quantity == Quantity::Typical && !self.is_control
    }

    /// A metric called `time` is not the time.
    fn kind(&self, mean: bool) -> Kind {
        match self.quantity {
            Quantity::Mean if !mean => Kind::CalledFor,
            Quantity::Typical | Quantity::Mean => Kind::Time,
            Quantity::Metric(name) => Kind::Metric(name, self.is_directed),
        }
    }
}

/// Adjusts for the number of comparisons: `q` by Benjamini and Hochberg (1995), weighted, for listings, Holm's (1979) values of
/// a change no worse than the margin for gates. `times` is the size of the family of time, and `mean` says that mean time is asked of every
/// case. With the size of that family, or of the
/// largest.
pub(crate) fn families(all: &[Member], times: usize, mean: bool) -> (Vec<Option<Adjusted>>, u32) {
    let mut members: HashMap<Kind, Vec<usize>> = HashMap::new();
    for (index, member) in all.iter().enumerate() {
        if !member.is_control && member.p.is_some() {
            members.entry(member.kind(mean)).or_default().push(index);
        }
    }
    let mut found: Vec<Option<Adjusted>> = vec![None; all.len()];
    let mut most = 0;
    for (kind, places) in members {
        let is_time = !matches!(kind, Kind::Metric(..));
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
        most = if kind == Kind::Time { size } else { most.max(size) };
    }
    (found, if times > 0 { times.max(most) } else { most } as u32)
}

/// The change as it stands among all others. A verdict whose `q` is not below `alpha` is taken for chance. A `quick` run has no more pairs,
/// and is not told how many would tell. `has_margin` and `least_p` are those of its [`Single`].
pub(crate) fn among(
    change: Change,
    (has_margin, least_p): (bool, f64),
    found: Option<Adjusted>,
    alpha: f64,
    quick: bool,
) -> Change {
    let holm = found.filter(|_| has_margin).map(|found| found.holm);
    // Where the least value that it may have is not below the level of one among all, none of them is ever called worse.
    let is_hopeless = |found: Adjusted| least_p * found.size as f64 / found.weight > alpha;
    let unjudged = change.unjudged || found.is_some_and(is_hopeless);
    let change = Change { q: found.map(|found| found.q), holm, unjudged, ..change::shown(change) };
    match found {
        Some(Adjusted { q, size, .. }) if q > alpha => demoted(change, q, size, alpha, quick),
        _ => change,
    }
}

/// What share of the error of a case's times typical time has, times two: it finds most. Of 586 published benchmarks a change of 1 %
/// was found in .490 with equal shares and in .506 with 1.4, false verdicts .027 and .037.
const TYPICAL: f64 = 4.0 / 3.0;

/// The weight of a comparison in a family of that size; weights add up to it at most (Genovese, Roeder and Wasserman 2006). `mean` says that
/// mean time is asked of every case. Where it is called for, it has the same share of the error as there.
fn weight(quantity: &Quantity, size: usize, mean: bool) -> f64 {
    match quantity {
        Quantity::Typical if size > 1 && mean => TYPICAL,
        Quantity::Mean if size > 1 && mean => 2.0 - TYPICAL,
        Quantity::Mean if !mean => (2.0 - TYPICAL) / 2.0,
        _ => 1.0,
    }
}

/// The size of the family of time where so many comparisons are made: typical time of each, and mean time of each where `mean` says so.
pub(crate) fn times(comparisons: usize, mean: bool) -> usize {
    if mean { 2 * comparisons } else { comparisons }
}

/// The share of the error that is typical time's in one of so many comparisons: it is told from chance where its p-value is no more of the
/// error than that, whatever the others show. `mean` says that mean time is asked of each.
pub(crate) fn share(comparisons: usize, mean: bool) -> f64 {
    let size = times(comparisons, mean).max(1);
    weight(&Quantity::Typical, size, mean) / size as f64
}

/// The change without the claim that chance alone may have brought among `family` comparisons.
fn demoted(change: Change, q: f64, family: usize, alpha: f64, quick: bool) -> Change {
    match change.verdict {
        Verdict::Better | Verdict::Worse => {
            let needed = needed(&change, q, alpha).filter(|_| !quick);
            let more = match needed {
                Some(pairs) => format!("; about {pairs} pairs would tell"),
                None if quick => "; more pairs would tell: leave --quick away".to_owned(),
                None => String::new(),
            };
            Change {
                verdict: Verdict::Unclear,
                reason: Some(Reason::MultipleComparisons),
                because: format!(
                    "its interval leaves out no change, but of {family} comparisons some do by chance (q = {q:.2}){more}"
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

/// Pairs in all that would probably reject among so many comparisons: the deviate grows with the root of their number, and ranks of `n`
/// pairs tell no more than `2^(1 − n)`.
fn needed(change: &Change, q: f64, alpha: f64) -> Option<u32> {
    let p = change.p.filter(|p| *p > 0.0 && q > 0.0)?;
    let wanted = (p * alpha / q).min(p);
    let z = |p: f64| -normal_quantile(p / 2.0);
    let pairs = change.replicates as f64 * (z(wanted) / z(p)).powi(2);
    let by_ranks = 1.0 - libm::log2(wanted / LOOKS_COST);
    let all = pairs.max(by_ranks).ceil();
    (all.is_finite() && all < f64::from(u32::MAX)).then(|| (all as u32).max(change.replicates + 1))
}

/// By how much a repeated p-value of ranks exceeds the nominal one at early looks, about.
const LOOKS_COST: f64 = 3.0;

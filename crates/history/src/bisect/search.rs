//! The search: a pure function from the measurements so far to the next one. Knows neither git nor clocks.
//!
//! Commits are numbered from 0, the good end, to the number of commits, the bad end. Every probe compares a
//! commit with the good end. The search keeps a bracket of two commits with a change between them, and
//! continues in the half with the larger part of the change. If there are several changes, it therefore finds
//! a large one. The threshold is half of the total change until the bracket has moved past another change.

use derny_model::{Estimate, Interval};
use serde::{Deserialize, Serialize};

/// Largest probability of a wrong turn in a whole search.
const ERROR: f64 = 0.05;
/// Number of measurements of a search besides one per halving: both ends, the confirmation, and repetitions.
const FURTHER: u32 = 5;
/// Number of measurements of a pair before its commit is given up.
const ATTEMPTS: u32 = 3;
/// Number of failed confirmations that end the search.
const FAILED: usize = 2;

/// A measurement, or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fact {
    /// Change from commit `from` to commit `to`.
    Measured {
        /// Base of the change.
        from: usize,
        /// The changed commit.
        to: usize,
        /// True if the measurement is to confirm the change.
        #[serde(default)]
        confirms: bool,
        /// The change, as a share of the base.
        change: Estimate,
        /// The run with the measurements.
        run: String,
    },
    /// The commit cannot be measured.
    Skipped {
        /// The commit.
        at: usize,
        /// The reason as a clause.
        why: String,
    },
}

/// The next pair of commits to measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The base.
    pub from: usize,
    /// The other commit.
    pub to: usize,
    /// True if the measurement is to confirm a change.
    pub confirms: bool,
    /// Number of earlier measurements of the pair. Each one gets more time than the one before.
    pub attempt: u32,
    /// The change that the interval must exclude, as a share of the base. Without one, a verdict suffices.
    pub threshold: Option<f64>,
}

/// The end of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// The ends do not differ by more than the margin.
    NoChange,
    /// The interval of the ends is too wide.
    Unclear,
    /// The change is between these commits. All commits between them were skipped or remained unclear. A
    /// measurement confirms the change.
    Found {
        /// The last commit without the change.
        from: usize,
        /// The first commit with the change that was measured.
        to: usize,
    },
    /// Like `Found`, but measurements of this pair do not confirm the change.
    NotConfirmed {
        /// The last commit that seemed to be without the change.
        from: usize,
        /// The commit that seemed to have the change.
        to: usize,
    },
}

/// The next step of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step {
    /// Measure this pair.
    Measure(Pair),
    /// The search is over.
    Done(Finding),
}

/// The half in which the search continues after a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// The larger part of the change is after the commit.
    Later,
    /// The larger part of the change is at the commit or before it.
    Earlier,
    /// The interval is too wide.
    Unclear,
}

/// The two commits between which the change is, each with a level. A level is the change from the good end to
/// the commits on one side of the bracket.
///
/// It is the weighted mean of the measurements on that side that agree with each other. The level of a single
/// measurement would be noisy, and the following turns depend on it.
#[derive(Debug, Clone, Copy)]
pub struct Bracket {
    /// The last commit without the change, and its level.
    pub lo: (usize, Estimate),
    /// The first commit with the change, and its level.
    pub hi: (usize, Estimate),
}

/// A commit with its last measurement against the good end, and the number of measurements.
type Probed = (usize, Estimate, u32);

/// The facts of a search, without the probes that a failed confirmation refuted.
#[derive(Debug, Default)]
struct Standing {
    ends: Option<(Estimate, u32)>,
    probed: Vec<Probed>,
    skipped: Vec<usize>,
    /// Pairs whose change was not confirmed.
    failed: Vec<(usize, usize)>,
    /// The pair that is being confirmed, its last measurement, and the number of its measurements.
    confirmation: Option<(usize, usize, Estimate, u32)>,
}

/// Returns the confidence of each interval in a search over `commits` commits. A wrong turn needs an error on
/// one side of an interval, so the errors of all measurements together are at most 5 %.
pub fn confidence(commits: usize) -> f64 {
    let halvings = usize::BITS - commits.saturating_sub(1).leading_zeros();
    1.0 - 2.0 * ERROR / f64::from(halvings + FURTHER)
}

/// Returns the interval of a change. A change without an interval may have any size.
pub fn interval(change: &Estimate) -> Interval {
    change.interval.unwrap_or(Interval { lo: f64::NEG_INFINITY, hi: f64::INFINITY })
}

fn half_width(change: &Estimate) -> f64 {
    let Interval { lo, hi } = interval(change);
    (hi - lo) / 2.0
}

/// Returns true if the interval excludes 0, and is not within the margin.
pub fn is_change(change: &Estimate, margin: f64) -> bool {
    let Interval { lo, hi } = interval(change);
    (lo > 0.0 || hi < 0.0) && !is_within(change, margin)
}

fn is_within(change: &Estimate, margin: f64) -> bool {
    let Interval { lo, hi } = interval(change);
    lo >= -margin && hi <= margin
}

/// Returns true if `high` is certainly larger than `low`. The two changes must be independent.
fn is_above(low: &Estimate, high: &Estimate) -> bool {
    let apart = high.value - low.value;
    let (below, above) = (interval(low).hi - low.value, high.value - interval(high).lo);
    apart > 0.0 && apart > below.hypot(above)
}

/// Returns true if two independent changes certainly differ.
pub fn differ(one: &Estimate, other: &Estimate) -> bool {
    is_above(one, other) || is_above(other, one)
}

/// Returns the level of a side after another measurement on it. If the measurement differs from the level,
/// there is another change between them, and the measurement becomes the new level.
fn level(before: &Estimate, new: &Estimate) -> Estimate {
    let widths = (half_width(before), half_width(new));
    match widths {
        _ if differ(before, new) => *new,
        (known, other) if known == 0.0 || !other.is_finite() => *before,
        (known, other) if other == 0.0 || !known.is_finite() => *new,
        (known, other) => {
            let (mine, theirs) = (known.powi(-2), other.powi(-2));
            let value = (mine * before.value + theirs * new.value) / (mine + theirs);
            let half = (mine + theirs).sqrt().recip();
            Estimate { value, interval: Some(Interval { lo: value - half, hi: value + half }) }
        }
    }
}

impl Bracket {
    /// Returns the midpoint of the two levels, which is the threshold of probes.
    fn half(&self) -> f64 {
        self.lo.1.value.midpoint(self.hi.1.value)
    }

    /// Returns where the search continues after a commit inside the bracket was measured. `change` is the
    /// change from the good end to the commit. `is_last` is true if the commit will not be measured again.
    pub fn turn(&self, change: &Estimate, is_last: bool) -> Turn {
        let (lo, hi) = (self.lo.1, self.hi.1);
        let beyond = (change.value - self.half()) * (hi.value - lo.value).signum();
        let (nearer, far) = if beyond >= 0.0 { (Turn::Earlier, lo) } else { (Turn::Later, hi) };
        let excludes_half = |own: &Estimate| (own.value - self.half()).abs() > half_width(own);
        // After the last attempt, it is enough that one side certainly has a part of the change.
        match (differ(&lo, change), differ(change, &hi)) {
            _ if excludes_half(change) && excludes_half(&far) => nearer,
            // The commit has a level of its own, so both sides have a part of the change.
            (true, true) => nearer,
            (true, false) if is_last => Turn::Earlier,
            (false, true) if is_last => Turn::Later,
            _ => Turn::Unclear,
        }
    }
}

impl Standing {
    fn of(facts: &[Fact], commits: usize, margin: f64) -> Standing {
        let mut own = Standing::default();
        for fact in facts {
            match fact {
                Fact::Skipped { at, .. } => own.skipped.push(*at),
                Fact::Measured { from, to, confirms: true, change, .. } => {
                    own.confirm((*from, *to), *change, margin);
                }
                Fact::Measured { to, change, .. } if *to == commits => {
                    let first = (*change, 1);
                    let again = |(before, count)| (level(&before, change), count + 1);
                    own.ends = Some(own.ends.map_or(first, again));
                }
                Fact::Measured { to, change, .. } => match own.probed.iter_mut().find(|(at, ..)| at == to) {
                    Some(probed) => *probed = (*to, *change, probed.2 + 1),
                    None => own.probed.push((*to, *change, 1)),
                },
            }
        }
        own
    }

    /// Adds a measurement of a pair that is to be confirmed. If it refutes the change, or if a second
    /// measurement does not confirm it either, the probes that led to the pair no longer count.
    fn confirm(&mut self, (from, to): (usize, usize), change: Estimate, margin: f64) {
        let before = self.confirmation.filter(|(other, next, ..)| (*other, *next) == (from, to));
        let count = before.map_or(1, |(.., count)| count + 1);
        self.confirmation = Some((from, to, change, count));
        let is_refuted = is_within(&change, margin) && !is_change(&change, 0.0);
        if !self.is_confirmed(from, to) && (is_refuted || count >= 2) {
            self.failed.push((from, to));
            self.probed.retain(|(at, ..)| *at != from && *at != to);
            self.confirmation = None;
        }
    }

    fn is_confirmed(&self, from: usize, to: usize) -> bool {
        let direction = self.ends.map_or(1.0, |(change, _)| change.value);
        self.confirmation.is_some_and(|(other, next, change, _)| {
            (other, next) == (from, to) && is_change(&change, 0.0) && change.value * direction > 0.0
        })
    }

    /// Returns the commit to measure again because `probed` is unclear, and its number of measurements. It is
    /// the commit of `probed`, or an end of the bracket if the level there has a wider interval.
    fn widest(&self, bracket: &Bracket, probed: Probed) -> (usize, u32) {
        let (at, change, count) = probed;
        let known = |(end, level): (usize, Estimate)| {
            let own = self.probed.iter().find(|(other, ..)| *other == end);
            Some((end, half_width(&level), own?.2)).filter(|(_, _, count)| *count < ATTEMPTS)
        };
        let ends = [known(bracket.lo), known(bracket.hi)];
        let all = ends.into_iter().flatten().filter(|(_, half, _)| *half > half_width(&change));
        all.max_by(|a, b| a.1.total_cmp(&b.1)).map_or((at, count), |(end, _, count)| (end, count))
    }

    /// Returns the bracket, the commit in it that needs another measurement, and the commits whose
    /// measurements remained unclear.
    fn bracket(&self, commits: usize, ends: Estimate) -> (Bracket, Option<Probed>, Vec<usize>) {
        let zero = Estimate { value: 0.0, interval: Some(Interval { lo: 0.0, hi: 0.0 }) };
        let mut bracket = Bracket { lo: (0, zero), hi: (commits, ends) };
        let (mut again, mut unclear) = (None, Vec::new());
        for probed @ (at, change, count) in &self.probed {
            if *at <= bracket.lo.0 || *at >= bracket.hi.0 {
                continue;
            }
            match bracket.turn(change, *count >= ATTEMPTS) {
                Turn::Later => bracket.lo = (*at, level(&bracket.lo.1, change)),
                Turn::Earlier => bracket.hi = (*at, level(&bracket.hi.1, change)),
                Turn::Unclear if *count >= ATTEMPTS => unclear.push(*at),
                Turn::Unclear => again = Some(*probed),
            }
        }
        let again = again.filter(|(at, ..)| *at > bracket.lo.0 && *at < bracket.hi.0);
        (bracket, again, unclear)
    }
}

/// Returns the next step of a search over `commits` commits.
pub fn next(facts: &[Fact], commits: usize, margin: f64) -> Step {
    let own = Standing::of(facts, commits, margin);
    let (ends, count) = own.ends.map_or((None, 0), |(ends, count)| (Some(ends), count));
    let of_ends =
        |threshold| Step::Measure(Pair { from: 0, to: commits, confirms: false, attempt: count, threshold });
    let Some(ends) = ends else { return of_ends(None) };
    if is_within(&ends, margin) {
        return Step::Done(Finding::NoChange);
    }
    if !is_change(&ends, margin) {
        return if count < ATTEMPTS { of_ends(None) } else { Step::Done(Finding::Unclear) };
    }
    // The threshold is half of this change, so the change must be known more precisely than that.
    if commits > 1 && half_width(&ends) > 0.3 * ends.value.abs() && count < ATTEMPTS {
        return of_ends(Some(0.7 * ends.value));
    }
    let (bracket, again, unclear) = own.bracket(commits, ends);
    let threshold = Some(bracket.half());
    if let Some(probed) = again {
        let (at, attempt) = own.widest(&bracket, probed);
        return Step::Measure(Pair { from: 0, to: at, confirms: false, attempt, threshold });
    }
    let (lo, hi) = (bracket.lo.0, bracket.hi.0);
    let out = |at: &usize| own.skipped.contains(at) || unclear.contains(at);
    if let Some(at) = middle(lo, hi, out) {
        return Step::Measure(Pair { from: 0, to: at, confirms: false, attempt: 0, threshold });
    }
    // If the pair consists of the two ends, it was already measured.
    if (lo, hi) == (0, commits) || own.is_confirmed(lo, hi) {
        return Step::Done(Finding::Found { from: lo, to: hi });
    }
    if let Some((from, to)) = own.failed.last().filter(|_| own.failed.len() >= FAILED) {
        return Step::Done(Finding::NotConfirmed { from: *from, to: *to });
    }
    let before = own.confirmation.filter(|(from, to, ..)| (*from, *to) == (lo, hi));
    let attempt = before.map_or(0, |(.., count)| count);
    Step::Measure(Pair { from: lo, to: hi, confirms: true, attempt, threshold: None })
}

/// Returns the bracket of a search whose ends differ.
pub fn bracket(facts: &[Fact], commits: usize, margin: f64) -> Option<Bracket> {
    let own = Standing::of(facts, commits, margin);
    let (ends, _) = own.ends?;
    Some(own.bracket(commits, ends).0)
}

/// Returns the commit between `lo` and `hi` that is nearest to the middle, among those that are not `out`.
/// Commits that do not build are often adjacent, so the distance to keep from them doubles with each one.
fn middle(lo: usize, hi: usize, out: impl Fn(&usize) -> bool) -> Option<usize> {
    let middle = usize::midpoint(lo, hi);
    let skipped: Vec<usize> = (lo + 1..hi).filter(&out).collect();
    let distance = |at: &usize| skipped.iter().map(|other| other.abs_diff(*at)).min().unwrap_or(usize::MAX);
    let wanted = (1_usize << skipped.len().min(20)).min((hi - lo) / 8 + 1);
    let left = || (lo + 1..hi).filter(|at| !out(at));
    let nearest = |at: &usize| at.abs_diff(middle);
    left().filter(|at| distance(at) >= wanted).min_by_key(nearest).or_else(|| left().min_by_key(nearest))
}

#[cfg(test)]
mod tests;

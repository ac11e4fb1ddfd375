//! Turns an estimate into a verdict. Also counts replicates, forecasts the missing pairs, and applies the
//! limits of quick runs.

use crate::change::terms::Terms;
use crate::look::Repeated;
use derny_model::{Change, Direction, Estimate, Interval, Reason, Verdict};

pub(super) fn needs(terms: &Terms) -> &'static str {
    if terms.quick { MORE } else { "needs 8 pairs" }
}

const MORE: &str = "needs more pairs: omit --quick";

pub(super) fn different(units: impl Iterator<Item = (u32, u32)>) -> usize {
    let mut units: Vec<(u32, u32)> = units.collect();
    units.sort_unstable();
    units.dedup();
    units.len()
}

pub(super) fn machines(units: impl Iterator<Item = (u32, u32)>, terms: &Terms) -> u32 {
    if terms.machines { different(units) as u32 } else { 0 }
}

/// Returns the log-ratio at which a regression reaches the margin, and true if less is worse.
pub(super) fn worst_allowed(direction: Direction, margin: f64) -> (f64, bool) {
    match direction {
        Direction::More => (libm::log1p(-margin), true),
        _ => (libm::log1p(margin), false),
    }
}

pub(super) fn conclude(change: &mut Change, repeated: Repeated, margin: f64) {
    (change.level, change.p) = (repeated.level, repeated.p);
    judge(change, repeated.estimate, margin);
    if repeated.contradicts {
        change.unclear(Reason::ChangedOnTheWay);
        change.because = "the intervals of different looks do not overlap".to_owned();
    }
}

pub(super) fn judge(change: &mut Change, log: Estimate, margin: f64) {
    let interval = log.interval.map(|i| Interval { lo: libm::expm1(i.lo), hi: libm::expm1(i.hi) });
    change.change = Some(Estimate { value: libm::expm1(log.value), interval });
    change.verdict = interval.map_or(Verdict::Unclear, |interval| Verdict::of(interval, margin));
    directed(change);
}

pub(crate) fn directed(change: &mut Change) {
    change.reason = (change.verdict == Verdict::Unclear).then_some(Reason::Noise);
    match change.direction {
        Direction::Less => {}
        Direction::More => change.verdict = change.verdict.turned(),
        Direction::None if change.verdict != Verdict::Same => {
            change.verdict = Verdict::Unclear;
            change.reason = Some(Reason::NoDirection);
            change.because = "neither more nor less of it is better".to_owned();
        }
        Direction::None => {}
    }
}

/// Returns the total number of pairs that would probably decide the comparison. The interval must either
/// exclude 0 or lie within the margin, whichever needs fewer pairs. Assumes that its width shrinks with the
/// square root of the number of pairs.
pub(super) fn needed(change: &Change, n: usize, margin: f64) -> Option<u32> {
    if change.verdict != Verdict::Unclear || change.direction == Direction::None {
        return None;
    }
    let estimate = change.change?;
    let interval = estimate.interval?;
    let half = (interval.hi - interval.lo) / 2.0;
    let off = estimate.value.abs();
    let target = off.max(margin - off);
    let pairs = n as f64 * (half / target).powi(2);
    (pairs.is_finite() && pairs < f64::from(u32::MAX)).then(|| (pairs.ceil() as u32).max(n as u32 + 1))
}

pub(super) fn is_alike(change: &Change) -> bool {
    matches!(change.verdict, Verdict::Same | Verdict::BetterWithinMargin | Verdict::WorseWithinMargin)
}

pub(super) fn unhurried(change: &mut Change, terms: &Terms) {
    if terms.quick && is_alike(change) {
        change.unclear(Reason::TooFewPairs);
        change.because = "a quick run cannot show that sides are the same".to_owned();
    }
}

pub(super) fn has_no_more(change: &mut Change, terms: &Terms) {
    if terms.quick && change.needed.take().is_some() && change.because.is_empty() {
        change.because = MORE.to_owned();
    }
}

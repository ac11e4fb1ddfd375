//! Compares a quantity that is zero in one variant. A ratio does not exist, so the difference is judged.
//!
//! The margin is a share of the base's value. If that value is 0, every difference exceeds the margin.

use crate::change::{Single, Subject, Terms, directed, few, least_p};
use crate::look::Taken;
use crate::machine::Apart;
use crate::pair::Pair;
use crate::paired;
use derny_model::{Change, Direction, Estimate, Interval, Reason, Verdict};

/// Compares alternated processes by differences, as [`crate::change::paired`] does by log-ratios. The `log`
/// of a pair is then the new value minus the base's.
pub fn paired(subject: Subject, pairs: &[Pair], taken: &Taken, terms: &Terms) -> Single {
    let mut change = subject.change();
    change.replicates = pairs.len() as u32;
    let (worst, turned) = worst_allowed(&change, terms.margin);
    let at = |pairs: &[&Pair], alpha: f64| paired::nominal(pairs, alpha, &terms.levels, worst, turned);
    let Some(repeated) = taken.together(pairs, |pair| pair.block, at) else {
        change.reason = Some(Reason::NotMeasured);
        change.unjudged = true;
        change.because = "no complete pair has the quantity on both sides".to_owned();
        return change.into();
    };
    (change.level, change.p) = (repeated.level, repeated.p);
    conclude(&mut change, repeated.estimate, terms.margin);
    if repeated.contradicts {
        change.unclear(Reason::ChangedOnTheWay);
    }
    few(&mut change, pairs, terms);
    let (p_at_margin, least_p) = (repeated.p_at_margin, least_p(pairs, taken));
    Single { p_at_margin, least_p, ..change.into() }
}

/// Compares two runs by a difference, as [`crate::change::unpaired`] does by ratios. The change that the
/// machine may explain is a share of the larger value.
pub fn unpaired(subject: Subject, apart: &Apart) -> Single {
    let mut change = subject.change();
    (change.replicates, change.level) = (apart.processes, apart.alpha);
    let value = change.new - change.base;
    let largest = change.new.abs().max(change.base.abs());
    let interval = apart.known().map(|(drift, own)| {
        let range = drift.range(apart.alpha);
        let half = libm::hypot(own, largest * range.hi.max(-range.lo));
        Interval { lo: value - half, hi: value + half }
    });
    change.unjudged = interval.is_none();
    conclude(&mut change, Estimate { value, interval }, apart.margin);
    apart.conclude(&mut change);
    change.into()
}

fn worst_allowed(change: &Change, margin: f64) -> (f64, bool) {
    let allowed = margin * change.base.abs();
    if change.direction == Direction::More { (-allowed, true) } else { (allowed, false) }
}

fn conclude(change: &mut Change, difference: Estimate, margin: f64) {
    change.difference = Some(difference);
    change.verdict = match difference.interval {
        None => Verdict::Unclear,
        Some(interval) if interval.lo == 0.0 && interval.hi == 0.0 => Verdict::Same,
        Some(interval) => Verdict::of(interval, margin * change.base.abs()),
    };
    directed(change);
}

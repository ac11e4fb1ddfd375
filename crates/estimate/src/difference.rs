//! A quantity of which one side has nothing: there is no ratio, and the difference is judged in its place.
//!
//! The margin is a share of the base's value. Where the base is 0, no difference is within it.

use crate::between::Between;
use crate::change::{Single, Subject, directed};
use crate::level::Levels;
use derny_model::{Change, Direction, Estimate, Reason, Verdict};
use derny_stats::location::by_group;

/// One pair: its build on both sides, and the value of the new side less that of the base.
pub type Pair = ((u32, u32), f64);

/// From alternated processes: Hodges–Lehmann of the pairs' differences, with the interval and the p-values that
/// [`crate::change::paired`] makes of log-ratios.
pub fn paired(subject: Subject, pairs: &[Pair], levels: &Levels, margin: f64) -> Single {
    let n = pairs.len();
    let mut change = subject.change();
    let (builds, differences): (Vec<(u32, u32)>, Vec<f64>) = pairs.iter().copied().unzip();
    let values = by_group(&differences, &builds);
    let p = |shift: f64| {
        let shifted: Vec<f64> = values.iter().map(|value| value - shift).collect();
        levels.p(&shifted, n)
    };
    (change.replicates, change.level) = (n as u32, levels.alpha(n));
    change.p = p(0.0);
    let p_at_margin = p(worst_allowed(&change, margin));
    conclude(&mut change, levels.estimate(&values, n), margin);
    if change.difference.is_some_and(|difference| difference.interval.is_none()) {
        change.because = "so few pairs have no interval".to_owned();
        change.reason = Some(Reason::TooFewPairs);
    }
    Single { change, p_at_margin }
}

/// From two runs: `within` is the variance of the difference that the processes of the two runs show, and `between` says how
/// far runs of the same code differ. Without the latter there is neither interval nor verdict.
pub fn unpaired(
    subject: Subject,
    replicates: u32,
    within: f64,
    between: Option<Between>,
    confidence: f64,
    margin: f64,
) -> Single {
    let mut change = subject.change();
    (change.replicates, change.level) = (replicates, 1.0 - confidence);
    let value = change.new - change.base;
    let Some(between) = between else {
        change.difference = Some(Estimate { value, interval: None });
        change.because = Between::UNKNOWN.to_owned();
        change.reason = Some(Reason::NoHistory);
        return change.into();
    };
    let p = |shift: f64| between.p(value - shift, within);
    change.p = Some(p(0.0));
    let p_at_margin = Some(p(worst_allowed(&change, margin)));
    let interval = Some(between.interval(value, within, change.level));
    conclude(&mut change, Estimate { value, interval }, margin);
    Single { change, p_at_margin }
}

/// The difference at which a change for the worse reaches the margin.
fn worst_allowed(change: &Change, margin: f64) -> f64 {
    let allowed = margin * change.base.abs();
    if change.direction == Direction::More { -allowed } else { allowed }
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

//! One quantity of one side against the base: estimate, interval, p-value, verdict, and what more it would take.
//!
//! Ratios are judged as logarithms: a half and twice are equally far from no change, and a pair's noise, which comes
//! in shares, is symmetric.

use crate::between::Between;
use crate::level::{Levels, reaching};
use crate::pair::Pair;
use derny_model::{Change, Direction, Estimate, Interval, Quantity, Reason, Verdict};
use derny_stats::location::{by_group, median};

/// What is judged, and the two values it is shown with.
#[derive(Debug, Clone)]
pub struct Subject {
    /// What.
    pub quantity: Quantity,
    /// Unit of the two values.
    pub unit: String,
    /// The two values are per operation.
    pub per_operation: bool,
    /// Which way is better.
    pub direction: Direction,
    /// The base's value.
    pub base: f64,
    /// The other side's.
    pub new: f64,
}

/// A comparison by itself, before it is known among how many others it stands.
#[derive(Debug, Clone)]
pub struct Single {
    /// The change, with the verdict that it has alone. It has no values over a family.
    pub change: Change,
    /// Repeated p-value of a change no worse than the margin; none where `change` has no p-value.
    pub p_at_margin: Option<f64>,
}

impl From<Change> for Single {
    /// A change without p-values.
    fn from(change: Change) -> Single {
        Single { change, p_at_margin: None }
    }
}

impl Subject {
    pub(crate) fn change(self) -> Change {
        Change {
            quantity: self.quantity,
            unit: self.unit,
            per_operation: self.per_operation,
            direction: self.direction,
            base: self.base,
            new: self.new,
            change: None,
            difference: None,
            exact: false,
            replicates: 0,
            level: 0.0,
            p: None,
            q: None,
            holm: None,
            verdict: Verdict::Unclear,
            reason: Some(Reason::Noise),
            because: String::new(),
            needed: None,
            pairs: Vec::new(),
        }
    }
}

/// From alternated processes: Hodges–Lehmann of the pairs' log-ratios with the exact signed-rank interval at the
/// nominal level of this look. Where several builds were measured the build is the replicate: its pairs become one value.
///
/// The interval reaches at least as far as the clocks' steps may have moved every pair alike: pairs that are rounded to the
/// same steps agree exactly, which says nothing of what was rounded off.
pub fn paired(subject: Subject, pairs: &[Pair], levels: &Levels, margin: f64) -> Single {
    let n = pairs.len();
    let mut change = subject.change();
    change.replicates = n as u32;
    change.pairs = pairs.iter().map(|pair| libm::expm1(pair.log)).collect();
    if n == 0 {
        change.because = "no complete pair has it on both sides".to_owned();
        change.reason = Some(Reason::NotMeasured);
        return change.into();
    }
    let (logs, builds): (Vec<f64>, Vec<(u32, u32)>) =
        pairs.iter().map(|pair| (pair.log, pair.builds)).unzip();
    let values = by_group(&logs, &builds);
    let p = |shift: f64| {
        let shifted: Vec<f64> = values.iter().map(|value| value - shift).collect();
        levels.p(&shifted, n)
    };
    change.level = levels.alpha(n);
    let resolution = median(&pairs.iter().map(|pair| pair.resolution).collect::<Vec<f64>>());
    let estimate = levels.estimate(&values, n);
    // Rounding alone may have done it.
    change.p = p(0.0).map(|p| if estimate.value.abs() < resolution { 1.0 } else { p });
    let p_at_margin = p(worst_allowed(change.direction, margin));
    judge(&mut change, reaching(estimate, resolution), margin);
    change.needed = needed(&change, n, margin);
    if change.change.is_some_and(|estimate| estimate.interval.is_none()) {
        change.reason = Some(Reason::TooFewPairs);
        change.because = match values.len() {
            1 => "a single pair has no interval".to_owned(),
            2 if builds[0] != builds[n - 1] => "two builds have no interval".to_owned(),
            2 => "two pairs have no interval".to_owned(),
            _ => "so few pairs have no interval that can be read at any time".to_owned(),
        };
    }
    Single { change, p_at_margin }
}

/// The logarithm of the ratio at which a change for the worse reaches the margin.
fn worst_allowed(direction: Direction, margin: f64) -> f64 {
    if direction == Direction::More { libm::log1p(-margin) } else { libm::log1p(margin) }
}

/// From two runs: whatever changed between them is in the difference, so that the interval is made of what runs of
/// the same code differed by. `within` is the variance of the difference that the processes of the two runs show; it
/// bounds the interval from below. Without history there is neither interval nor verdict.
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
    let log = libm::log(change.new / change.base);
    if !log.is_finite() {
        change.because = no_ratio(change.base);
        change.reason = Some(Reason::NoRatio);
        return change.into();
    }
    let Some(between) = between else {
        change.change = Some(Estimate { value: libm::expm1(log), interval: None });
        change.because = Between::UNKNOWN.to_owned();
        change.reason = Some(Reason::NoHistory);
        return change.into();
    };
    let interval = between.interval(log, within, change.level);
    let p = |shift: f64| between.p(log - shift, within);
    change.p = Some(p(0.0));
    let p_at_margin = Some(p(worst_allowed(change.direction, margin)));
    judge(&mut change, Estimate { value: log, interval: Some(interval) }, margin);
    if change.verdict == Verdict::Unclear {
        change.because = format!(
            "runs of the same code differ by ±{:.1} % here, as far as {} of them tell",
            100.0 * libm::expm1(interval.hi - log),
            between.runs
        );
    }
    Single { change, p_at_margin }
}

/// Values that are the same on every turn and declared so.
pub fn exact(subject: Subject, replicates: u32, margin: f64) -> Single {
    let mut change = subject.change();
    (change.exact, change.replicates) = (true, replicates);
    let ratio = change.new / change.base - 1.0;
    if change.new == change.base {
        change.change = Some(Estimate { value: 0.0, interval: None });
        change.verdict = Verdict::Same;
    } else if ratio.is_finite() {
        change.change = Some(Estimate { value: ratio, interval: None });
        change.verdict = Verdict::of(Interval { lo: ratio, hi: ratio }, margin);
    } else {
        change.difference = Some(Estimate { value: change.new - change.base, interval: None });
        change.verdict = if change.new > change.base { Verdict::Worse } else { Verdict::Better };
    }
    directed(&mut change);
    change.into()
}

/// The same value on every turn of both sides.
pub fn alike(subject: Subject, replicates: u32) -> Single {
    let mut change = subject.change();
    change.replicates = replicates;
    change.change = Some(Estimate { value: 0.0, interval: None });
    (change.verdict, change.reason) = (Verdict::Same, None);
    change.into()
}

fn no_ratio(base: f64) -> String {
    if base == 0.0 { "the base is 0, so that there is no ratio" } else { "not every value is positive" }
        .to_owned()
}

/// Takes an estimate of the log-ratio, and reads the verdict.
fn judge(change: &mut Change, log: Estimate, margin: f64) {
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
            change.because = "more of it is neither better nor worse".to_owned();
        }
        Direction::None => {}
    }
}

/// Pairs in all that would probably decide: an interval shrinks with the root of their number, and the easier of two
/// ends is to leave out 0 or to lie within the margin.
fn needed(change: &Change, n: usize, margin: f64) -> Option<u32> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve pairs whose log-ratios are `log` to the last bit, on clocks that tell them to `resolution`.
    fn alike(log: f64, resolution: f64) -> Change {
        let pairs: Vec<Pair> = (0..12).map(|block| Pair { block, builds: (0, 0), log, resolution }).collect();
        let unit = "ns".to_owned();
        let (quantity, per_operation, direction) = (Quantity::Typical, true, Direction::Less);
        let subject = Subject { quantity, unit, per_operation, direction, base: 1.0, new: libm::exp(log) };
        paired(subject, &pairs, &Levels::at(12, 0.95), 0.01).change
    }

    #[test]
    fn pairs_that_were_rounded_alike_leave_what_was_rounded_off() {
        let same = alike(0.0, 5e-5);
        let interval = same.change.and_then(|change| change.interval).unwrap();
        assert!((interval.lo + 5e-5).abs() < 1e-8 && (interval.hi - 5e-5).abs() < 1e-8, "{interval:?}");
        assert_eq!((same.verdict, same.p), (Verdict::Same, Some(1.0)));
        // One step apart in all pairs: rounding alone may have done it.
        let step = alike(4e-5, 5e-5);
        assert_eq!((step.verdict, step.p), (Verdict::Same, Some(1.0)));
        let more = alike(2e-4, 5e-5);
        assert_eq!(more.verdict, Verdict::WorseWithinMargin);
        assert!(more.p.is_some_and(|p| p < 0.01));
        let exact = alike(0.0, 0.0).change.and_then(|change| change.interval).unwrap();
        assert_eq!((exact.lo, exact.hi), (0.0, 0.0));
    }
}

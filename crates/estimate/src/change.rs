//! Judges one quantity of a variant against the base: estimate, interval, p-value, verdict, and how many more
//! pairs are needed.
//!
//! Changes are judged as logarithms of ratios. Half and double are then equally far from no change, and the
//! noise of a pair, which is relative, is symmetric.

mod conclude;
mod mean_time;
mod terms;

pub(crate) use crate::change::conclude::directed;
use crate::change::conclude::{
    conclude, different, has_no_more, judge, machines, needed, needs, unhurried, worst_allowed,
};
use crate::change::mean_time::mean;
pub use crate::change::terms::{Single, Subject, Terms};
use crate::level::{ENOUGH, LEAST};
use crate::look::Taken;
use crate::machine::Apart;
use crate::pair::{Pair, Replicate};
use crate::rounds::LEAST_CLEAN;
use crate::{floor, paired, wave};
use derny_model::{Case, Change, Estimate, Interval, Quantity, Reason, Verdict};

/// Compares alternated processes over all looks taken: see [`crate::paired::nominal`].
pub fn paired(subject: Subject, pairs: &[Pair], taken: &Taken, terms: &Terms) -> Single {
    let mut change = subject.change();
    change.pairs = pairs.iter().map(|pair| libm::expm1(pair.log)).collect();
    change.replicates = pairs.len() as u32;
    change.machines = machines(pairs.iter().map(|pair| pair.units), terms);
    let (worst, turned) = worst_allowed(change.direction, terms.margin);
    let levels = &terms.levels;
    let at = |pairs: &[&Pair], alpha: f64| paired::nominal(pairs, alpha, levels, worst, turned);
    let Some(repeated) = taken.together(pairs, |pair| pair.block, at) else {
        change.because = "no complete pair has the quantity on both sides".to_owned();
        change.reason = Some(Reason::NotMeasured);
        change.unjudged = true;
        return change.into();
    };
    let p_at_margin = repeated.p_at_margin;
    let least_p = least_p(pairs, taken);
    conclude(&mut change, repeated, terms.margin);
    few(&mut change, pairs, terms);
    change.needed = needed(&change, pairs.len(), terms.margin);
    has_no_more(&mut change, terms);
    Single {
        p_at_margin,
        least_p,
        is_few: pairs.len() < enough(pairs) && !levels.is_anytime(),
        ..change.into()
    }
}

/// Returns the lowest p-value that these pairs allow ([`Single::least_p`]).
pub(crate) fn least_p(pairs: &[Pair], taken: &Taken) -> f64 {
    if replicates(pairs) < enough(pairs) { 0.0 } else { taken.least_p(pairs) }
}

fn enough(pairs: &[Pair]) -> usize {
    if paired::are_in_waves(pairs) { IN_WAVES } else { ENOUGH }
}

/// Compares typical and mean time of `case`, and returns them in this order. `typical` contains the displayed
/// values. `both` contains the processes of every pair.
pub fn times(
    case: &Case,
    typical: Subject,
    both: &[(&Replicate, &Replicate)],
    taken: &Taken,
    terms: &Terms,
) -> Vec<Single> {
    let typical = self::typical(typical, both, taken, terms);
    let mean = mean(both, &typical.change, taken, terms);
    let mut singles: Vec<Single> = [typical].into_iter().chain(mean).collect();
    let bases: Vec<&Replicate> = both.iter().map(|(base, _)| *base).collect();
    let others: Vec<&Replicate> = both.iter().map(|(_, new)| *new).collect();
    let sides = [bases, others].map(|own| {
        let times: Vec<f64> = own.iter().filter_map(|one| one.rounds.location()).map(libm::exp).collect();
        let floors: Vec<f64> = own.iter().filter_map(|one| one.floor).collect();
        floor::at_floor(&times, &floors, case, terms.cycle_ns)
    });
    at_floor(&mut singles, sides);
    singles
}

/// Removes the ratio and the verdict of times if either side is indistinguishable from an empty body.
pub fn at_floor(singles: &mut [Single], sides: [bool; 2]) {
    let words = match sides {
        [false, false] => return,
        [true, true] => "both sides are indistinguishable from an empty body",
        [true, false] => "the base is indistinguishable from an empty body",
        [false, true] => "this side is indistinguishable from an empty body",
    };
    for single in singles {
        single.at_floor = sides;
        single.is_final = true;
        single.change.unclear(Reason::AtFloor);
        single.change.because = words.to_owned();
        (single.change.change, single.change.needed) = (None, None);
        (single.change.p, single.p_at_margin) = (None, None);
    }
}

fn typical(subject: Subject, both: &[(&Replicate, &Replicate)], taken: &Taken, terms: &Terms) -> Single {
    let pairs = wave::pairs(both);
    let mut single = paired(subject, &pairs, taken, terms);
    let rounds = both.iter().map(|(base, new)| base.rounds.clean(&new.rounds));
    let (mut all, mut clean, mut lost) = (0, 0, 0);
    for (common, own) in rounds {
        (all, clean) = (all + common, clean + own);
        lost += usize::from(own < common && own < LEAST_CLEAN);
    }
    if 2 * clean < all || LOST_TO_COMPILING * lost > both.len() {
        single.change.unclear(Reason::StillWarming);
        single.change.because = format!("code was compiled in {} of {all} rounds", all - clean);
        single.change.needed = None;
    }
    single
}

/// Minimum number of pairs in waves that give one look an exact interval.
const IN_WAVES: usize = 4;

/// A case is still warming up if compilation spoils more than one pair in this many.
const LOST_TO_COMPILING: usize = 4;

fn replicates(pairs: &[Pair]) -> usize {
    let units = different(pairs.iter().map(|pair| pair.units));
    if units > 1 { units } else { pairs.len() }
}

/// Removes verdicts for which there are too few pairs. Up to three pairs allow no verdict. Four or five allow
/// only a verdict on typical time, never `same`, and only for a single comparison with balanced launch
/// orders.
pub(crate) fn few(change: &mut Change, pairs: &[Pair], terms: &Terms) {
    let has_interval =
        change.change.or(change.difference).is_some_and(|estimate| estimate.interval.is_some());
    if terms.levels.is_anytime() {
        if !has_interval {
            change.unjudged = true;
            change.unclear(Reason::TooFewPairs);
            change.because = "too few pairs for an interval that is valid at any time".to_owned();
        }
        return;
    }
    if pairs.len() >= enough(pairs) && has_interval {
        return unhurried(change, terms);
    }
    let all: Vec<&Pair> = pairs.iter().collect();
    let may_speak = pairs.len() > LEAST
        && has_interval
        && terms.comparisons == 1
        && change.quantity == Quantity::Typical
        && paired::is_balanced(&all);
    if may_speak && matches!(change.verdict, Verdict::Better | Verdict::Worse) {
        return;
    }
    change.unjudged = !may_speak;
    change.unclear(Reason::TooFewPairs);
    let values = replicates(pairs);
    let units = values < pairs.len();
    change.because = match values {
        _ if has_interval => needs(terms).to_owned(),
        2 if units && terms.machines => "two machines are too few for an interval".to_owned(),
        1 => "one pair is too few for an interval".to_owned(),
        2 if units => "two builds are too few for an interval".to_owned(),
        _ => "two pairs are too few for an interval".to_owned(),
    };
}

/// Compares two runs whose difference includes any change of the machine between them. The interval covers
/// only the program's part of the change. There is no p-value.
pub fn unpaired(subject: Subject, apart: &Apart) -> Single {
    let mut change = subject.change();
    (change.replicates, change.level) = (apart.processes, apart.alpha);
    let log = libm::log(change.new / change.base);
    if !log.is_finite() {
        change.because = no_ratio(change.base);
        change.reason = Some(Reason::NoRatio);
        change.unjudged = true;
        return change.into();
    }
    let interval = apart.known().map(|(drift, own)| drift.rest(log, own, apart.alpha));
    change.unjudged = interval.is_none();
    judge(&mut change, Estimate { value: log, interval }, apart.margin);
    apart.conclude(&mut change);
    change.into()
}

/// Compares values that are declared exact and never vary.
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

/// Returns the result if every turn of both variants has the same value.
pub fn alike(subject: Subject, replicates: u32) -> Single {
    let mut change = subject.change();
    change.replicates = replicates;
    change.change = Some(Estimate { value: 0.0, interval: None });
    (change.verdict, change.reason) = (Verdict::Same, None);
    change.into()
}

/// Prepares a change for display. In a paired measurement, the displayed new value is the base's value scaled
/// by the paired estimate. The new variant's raw value could contradict the estimate, because some
/// disturbances hit only one variant.
pub(crate) fn shown(change: Change) -> Change {
    let ratio = change.change.map(|estimate| change.base * (1.0 + estimate.value));
    match ratio.filter(|new| !change.pairs.is_empty() && new.is_finite()) {
        Some(new) => Change { new, new_alone: Some(change.new), ..change },
        None => change,
    }
}

fn no_ratio(base: f64) -> String {
    if base == 0.0 { "the base is 0, so there is no ratio" } else { "not every value is positive" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Levels;
    use derny_model::{Direction, Settings, Word};
    use std::sync::Arc;

    fn alike(log: f64, resolution: f64) -> Change {
        let pair =
            |block| Pair { block, units: (0, 0), base_first: block % 2 == 0, log, resolution, in_wave: None };
        let pairs: Vec<Pair> = (0..12).map(pair).collect();
        let unit = Word::new("ns");
        let (quantity, per_operation, direction) = (Quantity::Typical, true, Direction::Less);
        let subject = Subject { quantity, unit, per_operation, direction, base: 1.0, new: libm::exp(log) };
        let terms = Terms { levels: Levels::at(12, 0.95), ..Terms::new(&Settings::default(), 1) };
        let blocks: Vec<u32> = (0..12).collect();
        paired(subject, &pairs, &Taken::new(&terms.levels, &[], &blocks, None), &terms).change
    }

    #[test]
    fn the_new_value_of_pairs_is_the_base_changed_by_their_estimate() {
        let paired = Change { base: 108.0, new: 123.0, ..alike(libm::log(1.04), 0.0) };
        let agreed = shown(paired.clone());
        assert!((agreed.new - 108.0 * 1.04).abs() < 1e-9, "{}", agreed.new);
        assert_eq!(agreed.new_alone, Some(123.0));
        for change in [Change { change: None, ..paired.clone() }, Change { pairs: Arc::default(), ..paired }]
        {
            let agreed = shown(change);
            assert_eq!((agreed.new, agreed.new_alone), (123.0, None));
        }
    }

    #[test]
    fn pairs_that_were_rounded_alike_leave_what_was_rounded_off() {
        let same = alike(0.0, 5e-5);
        let interval = same.change.and_then(|change| change.interval).unwrap();
        assert!((interval.lo + 5e-5).abs() < 1e-8 && (interval.hi - 5e-5).abs() < 1e-8, "{interval:?}");
        assert_eq!((same.verdict, same.p), (Verdict::Same, Some(1.0)));
        let step = alike(4e-5, 5e-5);
        assert_eq!((step.verdict, step.p), (Verdict::Same, Some(1.0)));
        let more = alike(2e-4, 5e-5);
        assert_eq!(more.verdict, Verdict::WorseWithinMargin);
        assert!(more.p.is_some_and(|p| p < 0.01));
        let exact = alike(0.0, 0.0).change.and_then(|change| change.interval).unwrap();
        assert_eq!((exact.lo, exact.hi), (0.0, 0.0));
    }
}

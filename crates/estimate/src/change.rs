//! One quantity of one variant against the base: estimate, interval, p-value, verdict, and how many more
//! pairs it needs.
//!
//! Ratios are judged as logarithms: a half and a double are equally far from no change, and the noise of a
//! pair, which is relative, is symmetric.

use crate::level::{ENOUGH, LEAST, Levels};
use crate::look::{Repeated, Taken};
use crate::machine::Apart;
use crate::mean::Mean;
use crate::pair::{CostPair, Pair, Replicate};
use crate::rounds::LEAST_CLEAN;
use crate::{floor, paired, wave, witness};
use derny_model::{
    Case, Change, Direction, Estimate, Interval, Observed, Quantity, Reason, Settings, Verdict, Word,
};
use std::sync::Arc;

/// The quantity to judge, and the two values to display.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The quantity.
    pub quantity: Quantity,
    /// Unit of the two values.
    pub unit: Word,
    /// The two values are per operation.
    pub per_operation: bool,
    /// The direction of improvement.
    pub direction: Direction,
    /// The base's value.
    pub base: f64,
    /// The other variant's value.
    pub new: f64,
}

/// A comparison by itself, before adjustment for the number of comparisons.
#[derive(Debug, Clone)]
pub struct Single {
    /// The change with its own verdict, without values over a family.
    pub change: Change,
    /// Repeated p-value of a change no worse than the margin; `None` if `change` has no p-value.
    pub p_at_margin: Option<f64>,
    /// It is unclear, and more pairs would not change that.
    pub is_final: bool,
    /// So few pairs that only typical time may have a verdict.
    pub is_few: bool,
    /// The lowest repeated p-value possible with this many pairs; 0 if their number sets no limit.
    pub least_p: f64,
    /// A collection was counted.
    pub is_collecting: bool,
    /// The composition of mean time, for both variants.
    pub observed: Option<[Observed; 2]>,
    /// Whether the base and the other variant are indistinguishable from an empty body.
    pub at_floor: [bool; 2],
}

impl From<Change> for Single {
    /// Returns a comparison without p-values.
    fn from(change: Change) -> Single {
        Single {
            change,
            p_at_margin: None,
            is_final: false,
            is_few: false,
            least_p: 0.0,
            is_collecting: false,
            observed: None,
            at_floor: [false; 2],
        }
    }
}

/// The terms of judging changes.
pub struct Terms {
    /// The levels of looks.
    pub levels: Levels,
    /// The share below which changes do not matter.
    pub margin: f64,
    /// The share below which changes of mean time do not matter.
    pub mean_margin: f64,
    /// Mean time is decided in every case, not only if a witness requires it ([`crate::witness`]).
    pub mean: bool,
    /// Too few pairs to call anything `same`.
    pub quick: bool,
    /// Total number of comparisons: cases with times × variants besides the base, without controls.
    pub comparisons: usize,
    /// Measuring stops when a gate has decided.
    pub gate: bool,
    /// One clock cycle of the machine in ns, if known.
    pub cycle_ns: Option<f64>,
    /// Several machines measured, so they are the units of replication.
    pub machines: bool,
}

impl Terms {
    /// Returns the terms of a run with these settings and number of comparisons, on a machine with unknown
    /// clock cycle.
    pub fn new(settings: &Settings, comparisons: usize) -> Terms {
        Terms {
            levels: Levels::new(settings),
            margin: settings.margin,
            mean_margin: settings.mean_margin(),
            mean: settings.mean,
            quick: settings.quick,
            comparisons,
            gate: settings.gate.as_ref().is_some_and(|gate| !gate.fail_on.is_empty()),
            cycle_ns: None,
            machines: false,
        }
    }
}

impl Subject {
    /// Returns a subject whose two values do not matter.
    pub fn unknown(quantity: Quantity) -> Subject {
        let (unit, direction) = (Word::default(), Direction::Less);
        Subject { quantity, unit, per_operation: true, direction, base: 1.0, new: 1.0 }
    }

    pub(crate) fn change(self) -> Change {
        Change {
            quantity: self.quantity,
            unit: self.unit,
            per_operation: self.per_operation,
            direction: self.direction,
            base: self.base,
            new: self.new,
            new_alone: None,
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
            machine: None,
            machines: 0,
            unjudged: false,
            only_shown: false,
            pairs: Arc::default(),
        }
    }
}

/// Compares alternated processes, according to the looks taken: see [`crate::paired::nominal`].
pub fn paired(subject: Subject, pairs: &[Pair], taken: &Taken, terms: &Terms) -> Single {
    let mut change = subject.change();
    change.pairs = pairs.iter().map(|pair| libm::expm1(pair.log)).collect();
    change.replicates = pairs.len() as u32;
    change.machines = machines(pairs.iter().map(|pair| pair.units), terms);
    let (worst, turned) = worst_allowed(change.direction, terms.margin);
    let levels = &terms.levels;
    let at = |pairs: &[&Pair], alpha: f64| paired::nominal(pairs, alpha, levels, worst, turned);
    let Some(repeated) = taken.together(pairs, |pair| pair.block, at) else {
        change.because = "no complete pair has it on both sides".to_owned();
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

/// Returns [`Single::least_p`].
pub(crate) fn least_p(pairs: &[Pair], taken: &Taken) -> f64 {
    if replicates(pairs) < enough(pairs) { 0.0 } else { taken.least_p(pairs) }
}

/// Returns the number of pairs from which on they may be called the same, and be judged among others.
fn enough(pairs: &[Pair]) -> usize {
    if paired::are_in_waves(pairs) { IN_WAVES } else { ENOUGH }
}

/// Returns the comparisons of both times of `case`, typical first. `typical` contains the values to display,
/// and `both` the processes of every pair.
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

/// Removes ratio and verdict from times if a variant is indistinguishable from an empty body: the base, the
/// other one.
pub fn at_floor(singles: &mut [Single], sides: [bool; 2]) {
    let words = match sides {
        [false, false] => return,
        [true, true] => "neither side can be told from an empty body",
        [true, false] => "the base cannot be told from an empty body",
        [false, true] => "it cannot be told from an empty body",
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

/// Returns the comparison of typical time; `both` are the processes of every pair.
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

/// Returns the comparison of mean time, given that of typical time, or `None` if nothing was timed. `both`
/// are the processes of every pair.
fn mean(both: &[(&Replicate, &Replicate)], typical: &Change, taken: &Taken, terms: &Terms) -> Option<Single> {
    let pairs: Vec<CostPair> = both.iter().map(|(base, new)| base.costs(new)).collect();
    let all = Mean::of(&pairs);
    let (base, new) = all.times()?;
    let unit = Word::new("ns");
    let (quantity, per_operation, direction) = (Quantity::Mean, true, Direction::Less);
    let mut change = Subject { quantity, unit, per_operation, direction, base, new }.change();
    change.replicates = pairs.len() as u32;
    change.machines = machines(pairs.iter().map(|pair| pair.units), terms);
    change.pairs = pairs.iter().filter_map(CostPair::log).map(libm::expm1).collect();
    let (worst, _) = worst_allowed(direction, terms.mean_margin);
    let at = |pairs: &[&CostPair], alpha: f64| {
        let pairs: Vec<CostPair> = pairs.iter().map(|pair| **pair).collect();
        Mean::of(&pairs).nominal(alpha, worst)
    };
    let repeated = taken.together(&pairs, |pair| pair.block, at)?;
    conclude(&mut change, repeated, terms.mean_margin);
    change.needed = needed(&change, pairs.len(), terms.mean_margin);
    let values = if terms.levels.is_anytime() { ENOUGH } else { all.pairs() };
    if all.lacks_cycles {
        change.unclear(Reason::Collections);
        change.because =
            format!("{} of {} pairs hold no whole cycle of the collector", all.lost, pairs.len());
        change.needed = None;
    } else if values < ENOUGH {
        change.unclear(Reason::TooFewPairs);
        change.because = needs(terms).to_owned();
        // With so few, only typical time has a verdict.
        change.p = None;
    } else {
        unhurried(&mut change, terms);
    }
    // Known rare pauses may still show their frequency.
    let waits = all.is_collecting || (all.longest_ns.is_some() && pairs.len() < PAUSES_SHOW);
    let given_up = values >= ENOUGH && !waits && gives_up(&change, pairs.len(), terms);
    if given_up {
        let margin = share(terms.mean_margin);
        change.because = format!("as many pairs as are allowed would not decide it within {margin}");
        change.needed = None;
    }
    has_no_more(&mut change, terms);
    if given_up || change.verdict == Verdict::Same || !terms.mean {
        let unseen = unseen(&all, terms, repeated.level);
        let parts = [std::mem::take(&mut change.because), unseen];
        change.because = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
    }
    let calls = || witness::calls(&pairs, &all, terms.mean_margin) && !accounts_for(typical, new / base);
    let asked = terms.mean || calls();
    if !asked {
        only_show(&mut change);
    } else if !terms.mean && is_alike(&change) && witness::totals_differ(&all, terms.mean_margin) {
        change.unclear(Reason::ChangedOnTheWay);
        change.because = "its totals differ by more than an earlier look leaves".to_owned();
    }
    let ages = |of: fn(&(&Replicate, &Replicate)) -> u64| both.iter().map(of).max().unwrap_or(0);
    let ages = [ages(|(base, _)| base.age_ns), ages(|(_, new)| new.age_ns)];
    let observed = Some([all.shown.0.observed(ages[0]), all.shown.1.observed(ages[1])]);
    // The first look of a wave may be the first that requires whole cycles.
    let lacks_cycles = change.reason == Some(Reason::Collections) && (terms.mean || pairs.len() >= ENOUGH);
    let is_final = given_up || lacks_cycles;
    let is_collecting = all.is_collecting;
    let p_at_margin = repeated.p_at_margin.filter(|_| change.p.is_some());
    Some(Single { p_at_margin, is_final, is_collecting, observed, ..change.into() })
}

/// Returns true if typical time has shown a difference in the direction of the totals' ratio.
fn accounts_for(typical: &Change, ratio: f64) -> bool {
    match typical.verdict {
        Verdict::Better => ratio < 1.0,
        Verdict::Worse => ratio > 1.0,
        _ => false,
    }
}

/// Reduces mean time that nothing required to what is displayed beside typical time: no verdict except that
/// it is alike, and no advice.
fn only_show(change: &mut Change) {
    change.only_shown = true;
    change.needed = None;
    (change.p, change.unjudged) = (None, false);
    if matches!(change.verdict, Verdict::Better | Verdict::Worse | Verdict::Unclear) {
        change.verdict = Verdict::Unclear;
        change.reason = Some(Reason::NotAsked);
    }
}

/// Returns a clause about pauses, seen or possible.
fn unseen(mean: &Mean, terms: &Terms, level: f64) -> String {
    let pauses = match (mean.longest_ns, mean.unseen_ns(terms.mean_margin, level)) {
        (Some(longest), _) => Some(format!("a pause of {} was seen", time(longest))),
        (None, unseen) => unseen.map(|ns| format!("pauses of up to {} may have gone unseen", time(ns))),
    };
    let untold = mean.is_untold.then(|| "collections were not counted".to_owned());
    pauses.into_iter().chain(untold).collect::<Vec<String>>().join("; ")
}

fn time(ns: f64) -> String {
    match ns {
        1e9.. => format!("{:.1} s", ns / 1e9),
        1e6.. => format!("{:.1} ms", ns / 1e6),
        1e3.. => format!("{:.1} µs", ns / 1e3),
        _ => format!("{ns:.1} ns"),
    }
}

fn share(value: f64) -> String {
    format!("±{:.1} %", 100.0 * value)
}

/// Number of pairs of waves from which on there is an exact interval at one look.
const IN_WAVES: usize = 4;

/// Number of pairs from which on known pauses no longer keep mean time open.
const PAUSES_SHOW: usize = 15;

/// Returns why few pairs have no verdict.
fn needs(terms: &Terms) -> &'static str {
    if terms.quick { MORE } else { "needs 8 pairs" }
}

/// Advice of a quick run when more pairs would decide: it plans their number itself.
const MORE: &str = "needs more pairs: omit --quick";

/// A case counts as warming if more than one pair in this many is lost to compilation.
const LOST_TO_COMPILING: usize = 4;

/// Factor by which an interval may become narrower by chance, beyond the effect of its number of pairs.
const LUCK: f64 = 0.8;

/// Returns true if the last look could neither exclude zero nor lie within the margin.
fn gives_up(change: &Change, pairs: usize, terms: &Terms) -> bool {
    let known = change.change.and_then(|estimate| Some((estimate.value, estimate.interval?)));
    let Some((value, interval)) = known.filter(|_| change.reason == Some(Reason::Noise)) else {
        return false;
    };
    let half = LUCK * (interval.hi - interval.lo) / 2.0 * (pairs as f64 / terms.levels.most() as f64).sqrt();
    value.abs() < half && value.abs() + half > terms.mean_margin
}

/// Returns the number of replicates: pairs, or several machines or builds.
fn replicates(pairs: &[Pair]) -> usize {
    let units = different(pairs.iter().map(|pair| pair.units));
    if units > 1 { units } else { pairs.len() }
}

fn different(units: impl Iterator<Item = (u32, u32)>) -> usize {
    let mut units: Vec<(u32, u32)> = units.collect();
    units.sort_unstable();
    units.dedup();
    units.len()
}

/// Returns the number of machines of these pairs, if a run has several.
fn machines(units: impl Iterator<Item = (u32, u32)>, terms: &Terms) -> u32 {
    if terms.machines { different(units) as u32 } else { 0 }
}

/// Removes the verdict of too few pairs. With three or fewer there is none. Four or five have one only for
/// typical time, with a single comparison and balanced launch orders, and never `same`.
pub(crate) fn few(change: &mut Change, pairs: &[Pair], terms: &Terms) {
    let has_interval =
        change.change.or(change.difference).is_some_and(|estimate| estimate.interval.is_some());
    if terms.levels.is_anytime() {
        if !has_interval {
            change.unjudged = true;
            change.unclear(Reason::TooFewPairs);
            change.because = "so few pairs have no interval that can be read at any time".to_owned();
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
        2 if units && terms.machines => "two machines have no interval".to_owned(),
        1 => "a single pair has no interval".to_owned(),
        2 if units => "two builds have no interval".to_owned(),
        _ => "two pairs have no interval".to_owned(),
    };
}

fn is_alike(change: &Change) -> bool {
    matches!(change.verdict, Verdict::Same | Verdict::BetterWithinMargin | Verdict::WorseWithinMargin)
}

/// Removes a verdict of equality from a quick run.
fn unhurried(change: &mut Change, terms: &Terms) {
    if terms.quick && is_alike(change) {
        change.unclear(Reason::TooFewPairs);
        change.because = "a quick run calls nothing the same".to_owned();
    }
}

/// Replaces the number of missing pairs by advice in a quick run.
fn has_no_more(change: &mut Change, terms: &Terms) {
    if terms.quick && change.needed.take().is_some() && change.because.is_empty() {
        change.because = MORE.to_owned();
    }
}

/// Returns the logarithm of the ratio at which a change for the worse reaches the margin, and whether less is
/// worse.
fn worst_allowed(direction: Direction, margin: f64) -> (f64, bool) {
    match direction {
        Direction::More => (libm::log1p(-margin), true),
        _ => (libm::log1p(margin), false),
    }
}

/// Adds the looks' combined results on the log-ratio, and sets the verdict.
fn conclude(change: &mut Change, repeated: Repeated, margin: f64) {
    (change.level, change.p) = (repeated.level, repeated.p);
    judge(change, repeated.estimate, margin);
    if repeated.contradicts {
        change.unclear(Reason::ChangedOnTheWay);
        change.because = "the intervals of its looks have nothing in common".to_owned();
    }
}

/// Compares two runs: the difference includes changes of the machine between them. The interval is that of
/// the program alone, given what the machine may account for; there is no p-value.
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

/// Compares exact values, which are the same on every turn and declared so.
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

/// Compares values that were the same on every turn of both variants.
pub fn alike(subject: Subject, replicates: u32) -> Single {
    let mut change = subject.change();
    change.replicates = replicates;
    change.change = Some(Estimate { value: 0.0, interval: None });
    (change.verdict, change.reason) = (Verdict::Same, None);
    change.into()
}

/// Returns the change for display. The new value of paired measurements is the base's value changed by the
/// paired estimate: the variants' own values differ by disturbances of only one of them, and would contradict
/// the change beside them.
pub(crate) fn shown(change: Change) -> Change {
    let ratio = change.change.map(|estimate| change.base * (1.0 + estimate.value));
    match ratio.filter(|new| !change.pairs.is_empty() && new.is_finite()) {
        Some(new) => Change { new, new_alone: Some(change.new), ..change },
        None => change,
    }
}

fn no_ratio(base: f64) -> String {
    if base == 0.0 { "the base is 0, so that there is no ratio" } else { "not every value is positive" }
        .to_owned()
}

/// Sets the estimate from that of the log-ratio, and the verdict.
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

/// Returns the total number of pairs that would probably decide. An interval shrinks with the square root of
/// their number; the easier goal is either to exclude 0 or to lie within the margin.
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

    /// Returns the change of twelve pairs with bit-identical log-ratios `log`, on clocks with this
    /// `resolution`.
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
        // Without a ratio, as at the floor, or without pairs, there is nothing to reconcile.
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
        // One step of difference in all pairs may be due to rounding.
        let step = alike(4e-5, 5e-5);
        assert_eq!((step.verdict, step.p), (Verdict::Same, Some(1.0)));
        let more = alike(2e-4, 5e-5);
        assert_eq!(more.verdict, Verdict::WorseWithinMargin);
        assert!(more.p.is_some_and(|p| p < 0.01));
        let exact = alike(0.0, 0.0).change.and_then(|change| change.interval).unwrap();
        assert_eq!((exact.lo, exact.hi), (0.0, 0.0));
    }
}

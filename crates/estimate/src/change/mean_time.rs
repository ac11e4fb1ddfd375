//! Compares mean time, and decides whether a case needs it at all. Rare pauses and collections can keep the
//! verdict open.

use crate::change::conclude::{
    conclude, has_no_more, is_alike, machines, needed, needs, unhurried, worst_allowed,
};
use crate::change::terms::{Single, Subject, Terms};
use crate::indicator;
use crate::level::ENOUGH;
use crate::look::Taken;
use crate::mean::Mean;
use crate::pair::{CostPair, Replicate};
use derny_model::{Change, Direction, Quantity, Reason, Verdict, Word};

/// With this many pairs, known pauses no longer keep the verdict on mean time open.
const PAUSES_SHOW: usize = 15;

/// The interval of the last look may by chance be narrower than the current interval implies. It is assumed
/// to have at least this multiple of the implied width.
const LUCK: f64 = 0.8;

pub(super) fn mean(
    both: &[(&Replicate, &Replicate)],
    typical: &Change,
    taken: &Taken,
    terms: &Terms,
) -> Option<Single> {
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
            format!("{} of {} pairs contain no complete cycle of the collector", all.lost, pairs.len());
        change.needed = None;
    } else if values < ENOUGH {
        change.unclear(Reason::TooFewPairs);
        change.because = needs(terms).to_owned();
        // With few pairs, only typical time has a verdict.
        change.p = None;
    } else {
        unhurried(&mut change, terms);
    }
    // If rare pauses occurred, more pairs may show how frequent they are.
    let waits = all.is_collecting || (all.longest_ns.is_some() && pairs.len() < PAUSES_SHOW);
    let given_up = values >= ENOUGH && !waits && gives_up(&change, pairs.len(), terms);
    if given_up {
        let margin = share(terms.mean_margin);
        change.because = format!("even the maximum number of pairs would not decide it within {margin}");
        change.needed = None;
    }
    has_no_more(&mut change, terms);
    if given_up || change.verdict == Verdict::Same || !terms.mean {
        let unseen = unseen(&all, terms, repeated.level);
        let parts = [std::mem::take(&mut change.because), unseen];
        change.because = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
    }
    let calls = || indicator::calls(&pairs, &all, terms.mean_margin) && !accounts_for(typical, new / base);
    let asked = terms.mean || calls();
    if !asked {
        only_show(&mut change);
    } else if !terms.mean && is_alike(&change) && indicator::totals_differ(&all, terms.mean_margin) {
        change.unclear(Reason::ChangedOnTheWay);
        change.because = "the totals differ by more than the interval of an earlier look".to_owned();
    }
    let ages = |of: fn(&(&Replicate, &Replicate)) -> u64| both.iter().map(of).max().unwrap_or(0);
    let ages = [ages(|(base, _)| base.age_ns), ages(|(_, new)| new.age_ns)];
    let observed = Some([all.shown.0.observed(ages[0]), all.shown.1.observed(ages[1])]);
    // The first look of a wave may be the first that needs whole cycles, so their absence is not final.
    let lacks_cycles = change.reason == Some(Reason::Collections) && (terms.mean || pairs.len() >= ENOUGH);
    let is_final = given_up || lacks_cycles;
    let is_collecting = all.is_collecting;
    let p_at_margin = repeated.p_at_margin.filter(|_| change.p.is_some());
    Some(Single { p_at_margin, is_final, is_collecting, observed, ..change.into() })
}

fn accounts_for(typical: &Change, ratio: f64) -> bool {
    match typical.verdict {
        Verdict::Better => ratio < 1.0,
        Verdict::Worse => ratio > 1.0,
        _ => false,
    }
}

/// Keeps mean time as a plain figure next to typical time, because nothing required a verdict on it. Only
/// `same` and changes within the margin keep their verdict.
fn only_show(change: &mut Change) {
    change.only_shown = true;
    change.needed = None;
    (change.p, change.unjudged) = (None, false);
    if matches!(change.verdict, Verdict::Better | Verdict::Worse | Verdict::Unclear) {
        change.verdict = Verdict::Unclear;
        change.reason = Some(Reason::NotAsked);
    }
}

fn unseen(mean: &Mean, terms: &Terms, level: f64) -> String {
    let pauses = match (mean.longest_ns, mean.unseen_ns(terms.mean_margin, level)) {
        (Some(longest), _) => Some(format!("a pause of {} was seen", time(longest))),
        (None, unseen) => unseen.map(|ns| format!("pauses of up to {} may have been missed", time(ns))),
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

/// Returns true if even the last look could neither exclude zero nor confine the change to the margin.
fn gives_up(change: &Change, pairs: usize, terms: &Terms) -> bool {
    let known = change.change.and_then(|estimate| Some((estimate.value, estimate.interval?)));
    let Some((value, interval)) = known.filter(|_| change.reason == Some(Reason::Noise)) else {
        return false;
    };
    let half = LUCK * (interval.hi - interval.lo) / 2.0 * (pairs as f64 / terms.levels.most() as f64).sqrt();
    value.abs() < half && value.abs() + half > terms.mean_margin
}

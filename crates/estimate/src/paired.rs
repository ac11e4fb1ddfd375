//! Compares pairs at one look, as log-ratios or as differences.
//!
//! Pairs in waves are compared as two samples: each process with the others of its wave
//! ([`derny_stats::strata`]). This test needs fewer processes and tolerates two layouts per program. However,
//! it ignores what the processes of a pair have in common. With [`BOTH`] pairs or more, the ranks of the
//! pairs are therefore tested as well, and each test gets half of the level.
//!
//! In half of the pairs the base is launched first. If the launch order matters, pairs of one order are
//! compared with the mirrored pairs of the other. Otherwise the ranks of all pairs decide.

use crate::level::{Levels, Nominal, finite, nominal_p, reaching, robust};
use crate::pair::Pair;
use derny_model::{Estimate, Interval};
use derny_stats::location::{by_group, hodges_lehmann_shift, median};
use derny_stats::rank_sum;
use derny_stats::strata::{self, Stratum};
use std::collections::BTreeMap;

/// From this number of pairs in waves, the ranks of the pairs are tested too. Determined by the simulations
/// in docs/explain/verdicts.md.
pub const BOTH: usize = 11;
/// p-value below which the launch order matters.
const ORDER: f64 = 0.01;

/// Returns the result of pairs at the nominal two-sided level `alpha`: the Hodges–Lehmann estimate with the
/// exact signed-rank interval. `worst` is the largest allowed regression. `turned` is true if less is worse.
///
/// With several builds or machines, each of them is a replicate, and its pairs are averaged to one value.
/// The interval is then that of a two-level design with a random upper level, and generalises to other
/// machines of the kind. See Snedecor and Cochran (1989, chapter 13). With equal weights, it is that of
/// Hartung and Knapp (2001).
///
/// The interval covers at least the possible effect of the clock steps on all pairs. Pairs rounded to the
/// same step agree exactly, but share an unknown rounding error.
pub fn nominal(pairs: &[&Pair], alpha: f64, levels: &Levels, worst: f64, turned: bool) -> Option<Nominal> {
    let resolution = median(&pairs.iter().map(|pair| pair.resolution).collect::<Vec<f64>>());
    let shown = match waves(pairs).filter(|_| !levels.is_anytime()) {
        Some(waves) if pairs.len() < BOTH => Shown::of_waves(waves, alpha),
        Some(waves) => Shown::of_waves(waves, alpha / 2.0).and(Shown::of_pairs(pairs, alpha / 2.0, levels)?),
        None => Shown::of_pairs(pairs, alpha, levels)?,
    };
    let estimate = shown.estimate;
    let allowed = |estimate: f64| if turned { estimate >= worst } else { estimate <= worst };
    // The clock's rounding alone may explain the difference.
    let is_rounding = estimate.value.abs() < resolution;
    let none = (shown.p)(0.0).map(|p| if is_rounding { 1.0 } else { p });
    let p_at_margin = if allowed(estimate.value) { none.map(|_| 1.0) } else { (shown.p)(worst) };
    Some(Nominal { estimate: reaching(estimate, resolution), p: none, p_at_margin })
}

pub(crate) fn are_in_waves(pairs: &[Pair]) -> bool {
    waves(&pairs.iter().collect::<Vec<&Pair>>()).is_some()
}

/// Returns the lowest nominal p-value that these pairs and their waves allow.
pub(crate) fn least_p(pairs: &[&Pair]) -> f64 {
    let by_signs = |values: usize| 0.5_f64.powi(values as i32 - 1).min(1.0);
    match waves(pairs) {
        Some(waves) => {
            let sizes = waves.iter().map(|wave| (wave.first.len(), wave.second.len()));
            least_of(strata::least_p(sizes), pairs.len())
        }
        None => by_signs(values(pairs).map_or(0, |(values, _)| values.len())),
    }
}

/// Returns the lowest nominal p-value that waves of these sizes allow.
pub(crate) fn least_p_of_waves(waves: &[usize]) -> f64 {
    least_of(strata::least_p(waves.iter().map(|pairs| (*pairs, *pairs))), waves.iter().sum())
}

fn least_of(by_waves: f64, pairs: usize) -> f64 {
    if pairs < BOTH { by_waves } else { (2.0 * by_waves.min(0.5_f64.powi(pairs as i32 - 1))).min(1.0) }
}

fn waves(pairs: &[&Pair]) -> Option<Vec<Stratum>> {
    let first = pairs.first()?;
    if pairs.iter().any(|pair| pair.units != first.units) {
        return None;
    }
    let mut waves: BTreeMap<u32, Stratum> = BTreeMap::new();
    for pair in pairs {
        let own = pair.in_wave?;
        let wave = waves.entry(own.wave).or_default();
        wave.first.push(own.base);
        wave.second.push(own.new);
    }
    Some(waves.into_values().collect())
}

struct Shown<'a> {
    estimate: Estimate,
    p: Box<dyn Fn(f64) -> Option<f64> + 'a>,
}

impl<'a> Shown<'a> {
    fn of_waves(waves: Vec<Stratum>, alpha: f64) -> Shown<'a> {
        let interval = strata::interval(&waves, alpha).and_then(finite);
        let estimate = Estimate { value: strata::shift(&waves), interval };
        Shown { estimate, p: Box::new(move |shift| Some(strata::p_value(&waves, shift))) }
    }

    /// Combines two results: the intersection of their intervals, and the estimate of the narrower one.
    fn and(self, other: Shown<'a>) -> Shown<'a> {
        let (one, two) = (self.estimate, other.estimate);
        let estimate = match (one.interval, two.interval) {
            (Some(a), Some(b)) => {
                let narrower = if a.hi - a.lo <= b.hi - b.lo { one.value } else { two.value };
                let (lo, hi) = (a.lo.max(b.lo), a.hi.min(b.hi));
                // If the intervals are disjoint, cover both.
                let (lo, hi) = if lo <= hi { (lo, hi) } else { (a.lo.min(b.lo), a.hi.max(b.hi)) };
                Estimate { value: narrower.clamp(lo, hi), interval: Some(Interval { lo, hi }) }
            }
            (Some(_), None) => one,
            (None, _) => two,
        };
        let p = move |shift: f64| {
            let least = [(self.p)(shift), (other.p)(shift)].into_iter().flatten().reduce(f64::min)?;
            Some((2.0 * least).min(1.0))
        };
        Shown { estimate, p: Box::new(p) }
    }

    fn of_pairs(pairs: &[&Pair], alpha: f64, levels: &'a Levels) -> Option<Shown<'a>> {
        let (values, firsts): (Vec<f64>, Vec<bool>) = values(pairs)?;
        if levels.is_anytime() {
            let estimate = levels.any_time(&values).0;
            return Some(Shown {
                estimate,
                p: Box::new(move |shift| levels.any_time(&shifted(&values, shift)).1),
            });
        }
        let Some((first, mirrored)) = by_order(&values, &firsts) else {
            let estimate = robust(&values, alpha);
            return Some(Shown { estimate, p: Box::new(move |shift| nominal_p(&shifted(&values, shift))) });
        };
        let half = |i: derny_stats::Interval| Interval { lo: i.lo / 2.0, hi: i.hi / 2.0 };
        let value = hodges_lehmann_shift(&first, &mirrored) / 2.0;
        let interval = rank_sum::interval(&first, &mirrored, alpha).map(half);
        let p =
            move |shift: f64| Some(rank_sum::p_value(&shifted(&first, shift), &shifted(&mirrored, -shift)));
        Some(Shown { estimate: Estimate { value, interval }, p: Box::new(p) })
    }
}

fn shifted(values: &[f64], shift: f64) -> Vec<f64> {
    values.iter().map(|value| value - shift).collect()
}

fn values(pairs: &[&Pair]) -> Option<(Vec<f64>, Vec<bool>)> {
    let (first, units) = (pairs.first()?, pairs.iter().map(|pair| pair.units).collect::<Vec<_>>());
    let logs: Vec<f64> = pairs.iter().map(|pair| pair.log).collect();
    let own = || pairs.iter().map(|pair| pair.base_first).collect();
    let one_unit = units.iter().all(|unit| *unit == first.units);
    let values = by_group(&logs, &units);
    let firsts = if one_unit { own() } else { vec![true; values.len()] };
    Some((values, firsts))
}

/// If the launch order matters, splits the values by order and negates those of the second group.
fn by_order(values: &[f64], firsts: &[bool]) -> Option<(Vec<f64>, Vec<f64>)> {
    let of = |wanted: bool| {
        let own = values.iter().zip(firsts).filter(move |(_, first)| **first == wanted);
        own.map(|(value, _)| *value).collect::<Vec<f64>>()
    };
    let (first, second) = (of(true), of(false));
    let matters = !first.is_empty() && !second.is_empty() && rank_sum::p_value(&first, &second) <= ORDER;
    matters.then(|| (first, second.iter().map(|value| -value).collect()))
}

/// Returns true if the numbers of pairs with each launch order differ by at most one.
pub fn is_balanced(pairs: &[&Pair]) -> bool {
    let first = pairs.iter().filter(|pair| pair.base_first).count();
    first.abs_diff(pairs.len() - first) <= 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::InWave;

    fn in_waves(waves: &[(&[f64], &[f64])]) -> Vec<Pair> {
        let of = |(wave, (bases, others)): (u32, &(&[f64], &[f64]))| {
            let pair = move |(base, new): (&f64, &f64)| {
                let in_wave = Some(InWave { wave, base: *base, new: *new });
                let log = new - base;
                Pair { block: 0, units: (0, 0), base_first: true, log, resolution: 0.0, in_wave }
            };
            bases.iter().zip(*others).map(pair).collect::<Vec<Pair>>()
        };
        (0..).zip(waves).flat_map(of).collect()
    }

    fn shown(pairs: &[Pair], alpha: f64) -> Nominal {
        nominal(&pairs.iter().collect::<Vec<_>>(), alpha, &Levels::at(40, 0.95), 0.01, false).unwrap()
    }

    #[test]
    fn five_processes_a_side_that_do_not_overlap_are_told_apart() {
        let base = [0.00, 0.01, 0.02, 0.03, 0.04];
        let pairs = in_waves(&[(&base, &base.map(|value| value + 0.05))]);
        let found = shown(&pairs, 0.0097);
        assert!((found.p.unwrap() - 2.0 / 252.0).abs() < 1e-12);
        let interval = found.estimate.interval.unwrap();
        assert!(interval.lo > 0.0 && (found.estimate.value - 0.05).abs() < 1e-12, "{interval:?}");
        assert!((least_p(&pairs.iter().collect::<Vec<_>>()) - 2.0 / 252.0).abs() < 1e-15);
        assert!(shown(&pairs, 0.005).estimate.interval.is_none(), "2 of 252 is too much");
    }

    #[test]
    fn from_eleven_pairs_on_what_pairs_share_counts_too() {
        // The pairs share an effect that hides the difference from the test of waves, but not from the test
        // of pairs.
        let base: Vec<f64> = (0..11).map(|at| 0.03 * f64::from(at)).collect();
        let new: Vec<f64> = base.iter().map(|value| value + 0.011).collect();
        let apart = in_waves(&[(&base, &new)]);
        let found = shown(&apart, 0.02);
        assert!((found.p.unwrap() - 4.0 / 2048.0).abs() < 1e-12, "{found:?}");
        assert!(found.estimate.interval.unwrap().lo > 0.0);
        // The two layouts hide the difference from the test of pairs, but not from the test of waves.
        let layout = |at: u32, by: u32| if (at + by).is_multiple_of(2) { 0.0 } else { 0.02 };
        let base: Vec<f64> = (0..12).map(|at| layout(at, 0) + f64::from(at) / 1e5).collect();
        let new: Vec<f64> = (0..12).map(|at| 0.021 + layout(at, 1) + f64::from(at) / 1e5).collect();
        let mixed = in_waves(&[(&base, &new)]);
        assert!(shown(&mixed, 0.02).p.unwrap() < 0.02);
    }

    #[test]
    fn machines_in_waves_are_what_is_repeated_too() {
        let mut pairs = in_waves(&[(&[0.0; 4], &[0.1; 4])]);
        pairs[3].units = (1, 1);
        assert!(!are_in_waves(&pairs));
        pairs[3].units = (0, 0);
        assert!(are_in_waves(&pairs));
        pairs[0].in_wave = None;
        assert!(!are_in_waves(&pairs));
    }

    fn on_machines(machines: &[&[f64]]) -> Vec<Pair> {
        let of = |(unit, logs): (u32, &&[f64])| {
            let pair = move |log: &f64| Pair {
                block: 0,
                units: (unit, unit),
                base_first: true,
                log: *log,
                resolution: 0.0,
                in_wave: None,
            };
            logs.iter().map(pair).collect::<Vec<Pair>>()
        };
        (0..).zip(machines).flat_map(of).collect()
    }

    /// Reference: R, `t.test(c(0.012, 0.001, 0.020, 0.008))$conf.int`. These are the means of four machines.
    #[test]
    fn machines_are_what_is_repeated() {
        let machines: [&[f64]; 4] =
            [&[0.010, 0.012, 0.014], &[0.000, 0.002], &[0.020], &[0.006, 0.008, 0.010]];
        let pairs = on_machines(&machines);
        let shown =
            nominal(&pairs.iter().collect::<Vec<&Pair>>(), 0.05, &Levels::at(40, 0.95), 0.01, false).unwrap();
        let interval = shown.estimate.interval.unwrap();
        assert!((interval.lo - -0.002371586326).abs() < 1e-9, "{interval:?}");
        assert!((interval.hi - 0.022871586326).abs() < 1e-9, "{interval:?}");
        // The same number of pairs on one machine would give a much narrower interval.
        let alone: Vec<Pair> = pairs.iter().map(|pair| Pair { units: (0, 0), ..*pair }).collect();
        let alone =
            nominal(&alone.iter().collect::<Vec<&Pair>>(), 0.05, &Levels::at(40, 0.95), 0.01, false).unwrap();
        let alone = alone.estimate.interval.unwrap();
        assert!(alone.hi - alone.lo < interval.hi - interval.lo);
    }

    #[test]
    fn two_machines_have_no_interval() {
        let pairs = on_machines(&[&[0.01; 6], &[0.02; 6]]);
        let shown =
            nominal(&pairs.iter().collect::<Vec<&Pair>>(), 0.05, &Levels::at(40, 0.95), 0.01, false).unwrap();
        assert_eq!((shown.estimate.interval, shown.p), (None, None));
    }
}

//! Values of pairs, as logarithms of ratios or as differences: what they show at one look.
//!
//! Half of the pairs launch the base first, half the other side. Where that matters, pairs of one order are compared with the mirrored
//! pairs of the other; else the order is nothing, and the ranks of all pairs decide.

use crate::level::{Levels, nominal_p, reaching, robust};
use crate::look::Nominal;
use crate::pair::Pair;
use derny_model::{Estimate, Interval};
use derny_stats::location::{by_group, hodges_lehmann_shift, median};
use derny_stats::rank_sum;

/// Orders that differ as clearly as this matter.
const ORDER: f64 = 0.01;

/// What pairs show at the nominal two-sided level `alpha`: Hodges–Lehmann with the exact signed-rank interval. Where several builds
/// were measured the build is the replicate, and where several machines measured, the machine: its pairs become one value. That is
/// the interval of a two-level design with the upper level as a random effect, so that it holds for other machines of the kind (Snedecor
/// and Cochran 1989, chapter 13; with equal weights that of Hartung and Knapp 2001).
/// `worst` is the largest change for the worse that is allowed,
/// and `turned` says that less is worse.
///
/// The interval reaches at least as far as the clocks' steps may have moved every pair alike: pairs that are rounded to the
/// same steps agree exactly, which says nothing of what was rounded off.
pub fn nominal(pairs: &[&Pair], alpha: f64, levels: &Levels, worst: f64, turned: bool) -> Option<Nominal> {
    let (values, firsts): (Vec<f64>, Vec<bool>) = values(pairs)?;
    let resolution = median(&pairs.iter().map(|pair| pair.resolution).collect::<Vec<f64>>());
    let allowed = |estimate: f64| if turned { estimate >= worst } else { estimate <= worst };
    let shifted = |shift: f64| values.iter().map(|value| value - shift).collect::<Vec<f64>>();
    let (estimate, p): (Estimate, Box<dyn Fn(f64) -> Option<f64>>) = if levels.is_anytime() {
        (levels.any_time(&values).0, Box::new(|shift| levels.any_time(&shifted(shift)).1))
    } else if let Some((first, mirrored)) = by_order(&values, &firsts) {
        let p = move |shift: f64| {
            let moved = |values: &[f64], by: f64| values.iter().map(|v| v - by).collect::<Vec<f64>>();
            Some(rank_sum::p_value(&moved(&first, shift), &moved(&mirrored, -shift)))
        };
        let (first, mirrored) = by_order(&values, &firsts)?;
        let half = |i: derny_stats::Interval| Interval { lo: i.lo / 2.0, hi: i.hi / 2.0 };
        let value = hodges_lehmann_shift(&first, &mirrored) / 2.0;
        let interval = rank_sum::interval(&first, &mirrored, alpha).map(half);
        (Estimate { value, interval }, Box::new(p))
    } else {
        (robust(&values, alpha), Box::new(|shift| nominal_p(&shifted(shift))))
    };
    // Rounding alone may have done it.
    let is_rounding = estimate.value.abs() < resolution;
    let none = p(0.0).map(|p| if is_rounding { 1.0 } else { p });
    let p_at_margin = if allowed(estimate.value) { none.map(|_| 1.0) } else { p(worst) };
    Some(Nominal { estimate: reaching(estimate, resolution), p: none, p_at_margin })
}

/// The values that count, and which of them launched the base first; none where there are no pairs.
fn values(pairs: &[&Pair]) -> Option<(Vec<f64>, Vec<bool>)> {
    let (first, units) = (pairs.first()?, pairs.iter().map(|pair| pair.units).collect::<Vec<_>>());
    let logs: Vec<f64> = pairs.iter().map(|pair| pair.log).collect();
    let own = || pairs.iter().map(|pair| pair.base_first).collect();
    // The order of a unit's pairs is mixed.
    let one_unit = units.iter().all(|unit| *unit == first.units);
    let values = by_group(&logs, &units);
    let firsts = if one_unit { own() } else { vec![true; values.len()] };
    Some((values, firsts))
}

/// Values of pairs that launched the base first, and those of the others with their sign turned, where the order matters.
fn by_order(values: &[f64], firsts: &[bool]) -> Option<(Vec<f64>, Vec<f64>)> {
    let of = |wanted: bool| {
        let own = values.iter().zip(firsts).filter(move |(_, first)| **first == wanted);
        own.map(|(value, _)| *value).collect::<Vec<f64>>()
    };
    let (first, second) = (of(true), of(false));
    let matters = !first.is_empty() && !second.is_empty() && rank_sum::p_value(&first, &second) <= ORDER;
    matters.then(|| (first, second.iter().map(|value| -value).collect()))
}

/// Whether as many pairs launch the base first as launch it second, but for one.
pub fn is_balanced(pairs: &[&Pair]) -> bool {
    let first = pairs.iter().filter(|pair| pair.base_first).count();
    first.abs_diff(pairs.len() - first) <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of machines, by number.
    fn on_machines(machines: &[&[f64]]) -> Vec<Pair> {
        let of = |(unit, logs): (u32, &&[f64])| {
            let pair = move |log: &f64| Pair {
                block: 0,
                units: (unit, unit),
                base_first: true,
                log: *log,
                resolution: 0.0,
            };
            logs.iter().map(pair).collect::<Vec<Pair>>()
        };
        (0..).zip(machines).flat_map(of).collect()
    }

    /// Reference: R, `t.test(c(0.012, 0.001, 0.020, 0.008))$conf.int`: the middles of four machines with unequal numbers of pairs.
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
        // As many pairs of one machine would have said much more.
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

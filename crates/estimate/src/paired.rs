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
/// were measured the build is the replicate: its pairs become one value. `worst` is the largest change for the worse that is allowed,
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
    let (first, builds) = (pairs.first()?, pairs.iter().map(|pair| pair.builds).collect::<Vec<_>>());
    let logs: Vec<f64> = pairs.iter().map(|pair| pair.log).collect();
    let own = || pairs.iter().map(|pair| pair.base_first).collect();
    // The order of a build's pairs is mixed.
    let one_build = builds.iter().all(|build| *build == first.builds);
    let values = by_group(&logs, &builds);
    let firsts = if one_build { own() } else { vec![true; values.len()] };
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

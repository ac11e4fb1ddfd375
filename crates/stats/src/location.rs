//! Measures of location. All accept values in any order and unit. They return NaN for an empty slice or if a
//! value is NaN, and expect the other values to be finite. Those that sum or subtract pairs return NaN if a
//! value is infinite.

use crate::pairs::Pairs;
use crate::quantile::{clean, finite, quantile};

/// Returns the arithmetic mean.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns the median: the mean of the middle two if the number of values is even.
pub fn median(values: &[f64]) -> f64 {
    // Most calls are for the batches of a turn. There are millions of them, so avoid an allocation.
    let mut few = [0.0; FEW];
    match few.get_mut(..values.len()) {
        None => middle(&mut values.to_vec()),
        Some(copy) => {
            copy.copy_from_slice(values);
            middle(copy)
        }
    }
}

/// Returns the median, or NaN if there are no values or one is NaN. May reorder the values. Uses selection,
/// because sorting would dominate the cost of recording a turn.
fn middle(values: &mut [f64]) -> f64 {
    if values.is_empty() || values.iter().any(|value| value.is_nan()) {
        return f64::NAN;
    }
    let odd = values.len() % 2 == 1;
    let (below, &mut above, _) = values.select_nth_unstable_by(values.len() / 2, f64::total_cmp);
    if odd {
        return above;
    }
    let below = below.iter().copied().max_by(f64::total_cmp).unwrap_or(above);
    quantile(&[below, above], 0.5)
}

const FEW: usize = 128;

/// Returns the midmean: the mean of the middle half, with a quarter of the values (rounded down) cut at each
/// end.
pub fn midmean(values: &[f64]) -> f64 {
    trimmed_mean(values, 0.25)
}

/// Returns the mean after cutting `floor(proportion * n)` values at each end. `proportion` is in [0, 0.5).
pub fn trimmed_mean(values: &[f64], proportion: f64) -> f64 {
    let Some(sorted) = clean(values) else { return f64::NAN };
    let cut = (proportion * sorted.len() as f64) as usize;
    if 2 * cut >= sorted.len() {
        return quantile(&sorted, 0.5);
    }
    mean(&sorted[cut..sorted.len() - cut])
}

/// Largest clock step, as a share of a batch, at which the median of the batches is used.
const FINE_STEP: f64 = 0.0002;

/// Returns the value of a turn: the median of its batches, or their midmean if a clock step exceeds 0.02 % of
/// a batch. With coarser steps, batches have only a few different values, and the median jumps between them.
pub fn turn_location(values: &[f64], batch_ns: f64, clock_step_ns: u64) -> f64 {
    if clock_step_ns as f64 <= FINE_STEP * batch_ns { median(values) } else { midmean(values) }
}

/// Splits batches into `parts` consecutive runs of about equal length, and returns the [`turn_location`] of
/// each. With fewer values than `parts`, each value is a part.
pub fn part_locations(values: &[f64], batch_ns: f64, clock_step_ns: u64, parts: usize) -> Vec<f64> {
    let (n, parts) = (values.len(), parts.min(values.len()));
    let part = |i: usize| &values[i * n / parts..(i + 1) * n / parts];
    (0..parts).map(|i| turn_location(part(i), batch_ns, clock_step_ns)).collect()
}

/// Returns the smallest median of the groups with at least `least` values, or the median of all values if
/// fewer than two groups have that many. `groups[i]` is the group of `values[i]`.
///
/// Use it for times from several processors that differ in speed for reasons outside the program. The median
/// of the mixture would lie between two modes and jump with their shares. The smallest of `k` medians of
/// equal groups is too low by about half a standard error of one of them.
pub fn best_group_median(values: &[f64], groups: &[Option<u32>], least: usize) -> f64 {
    let mut by_group: std::collections::BTreeMap<u32, Vec<f64>> = std::collections::BTreeMap::new();
    for (value, group) in values.iter().zip(groups) {
        if let Some(group) = group {
            by_group.entry(*group).or_default().push(*value);
        }
    }
    by_group.retain(|_, values| values.len() >= least);
    if by_group.len() < 2 {
        return median(values);
    }
    by_group.values().map(|values| median(values)).fold(f64::INFINITY, f64::min)
}

/// Returns the Hodges–Lehmann estimate of location: the median of all Walsh averages `(x_i + x_j) / 2`,
/// `i <= j` (Hodges and Lehmann, 1963). Exact, in O(n log n). NaN if a value is not finite, because an
/// average of two infinities is undefined.
pub fn hodges_lehmann(values: &[f64]) -> f64 {
    let Some(sorted) = finite(values) else { return f64::NAN };
    Pairs::walsh_sums(&sorted).median() / 2.0
}

/// Returns the Hodges–Lehmann shift of `x` against `y`: the median of all differences `x_i - y_j`, positive
/// where `x` is larger. Exact, in O((n + m) log(n + m)). NaN if a value is not finite.
pub fn hodges_lehmann_shift(x: &[f64], y: &[f64]) -> f64 {
    let (Some(x), Some(y)) = (finite(x), finite(y)) else { return f64::NAN };
    Pairs::shifts(&x, &y).median()
}

/// Returns the geometric mean, `exp(mean(ln x))`: 0 if a value is 0, NaN if one is negative.
pub fn geometric_mean(values: &[f64]) -> f64 {
    let logs: f64 = values.iter().map(|&x| libm::log(x)).sum();
    libm::exp(logs / values.len() as f64)
}

/// Returns one value per group, in the order of the groups: the Hodges–Lehmann estimate of its values. With a
/// single group, returns the values themselves. `groups` is parallel to `values`.
pub fn by_group<G: Ord + Copy>(values: &[f64], groups: &[G]) -> Vec<f64> {
    let mut known = groups.to_vec();
    known.sort_unstable();
    known.dedup();
    if known.len() < 2 {
        return values.to_vec();
    }
    let of = |group: &G| {
        let own = values.iter().zip(groups).filter(|(_, other)| *other == group).map(|(value, _)| *value);
        hodges_lehmann(&own.collect::<Vec<f64>>())
    };
    known.iter().map(of).collect()
}

//! The density of a sample as a histogram between equally spaced quantiles, which has no bin width to choose.

use crate::quantile::{clean, hd_quantile_of_sorted};

/// One bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Where it begins, in the unit of the values.
    pub lo: f64,
    /// Where it ends; above `lo`.
    pub hi: f64,
    /// The density, per unit of the values: every bin of a density holds the same share of the probability.
    pub height: f64,
}

impl Bin {
    /// The middle of the bin.
    pub fn middle(&self) -> f64 {
        0.5 * (self.lo + self.hi)
    }
}

/// The quantile-respectful density (Akinshin, 2021): `count` bins between the Harrell–Davis quantiles at `0, 1/count,
/// …, 1`. Bins thinner than a billionth of the range (equal values) are left out. Empty where nothing varies or a value
/// is NaN.
pub fn quantile_density(values: &[f64], count: usize) -> Vec<Bin> {
    clean(values).map_or(Vec::new(), |sorted| of_sorted(&sorted, count))
}

pub(crate) fn of_sorted(sorted: &[f64], count: usize) -> Vec<Bin> {
    let share = 1.0 / count as f64;
    let edges: Vec<f64> = (0..=count).map(|i| hd_quantile_of_sorted(sorted, i as f64 * share)).collect();
    let thinnest = 1e-9 * (edges[count] - edges[0]);
    let bin = |edge: &[f64]| Bin { lo: edge[0], hi: edge[1], height: share / (edge[1] - edge[0]) };
    edges.windows(2).filter(|edge| edge[1] - edge[0] > thinnest).map(bin).collect()
}

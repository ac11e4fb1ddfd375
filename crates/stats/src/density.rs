//! The density of a sample: a histogram between equally spaced quantiles, which needs no bin width, and a
//! smoothed curve for display.

use crate::quantile::{clean, hd_quantiles};
use crate::scale::{iqr, standard_deviation};

/// One bin of a density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The lower edge, in the unit of the values.
    pub lo: f64,
    /// The upper edge; greater than `lo`.
    pub hi: f64,
    /// The density, per unit of the values. Every bin has the same share of the probability.
    pub height: f64,
}

impl Bin {
    /// Returns the middle of the bin.
    pub fn middle(&self) -> f64 {
        0.5 * (self.lo + self.hi)
    }
}

/// Returns the quantile-respectful density (Akinshin, 2021) of sorted values: `count` bins between the
/// Harrell–Davis quantiles at `0, 1/count, …, 1`. Omits bins narrower than a billionth of the range (equal
/// values). Returns no bin if all values are equal.
pub fn quantile_density(sorted: &[f64], count: usize) -> Vec<Bin> {
    let share = 1.0 / count as f64;
    let mut edges = vec![f64::NAN; count + 1];
    for i in 0..=count / 2 {
        [edges[i], edges[count - i]] = hd_quantiles(sorted, i as f64 * share);
    }
    let thinnest = 1e-9 * (edges[count] - edges[0]);
    let bin = |edge: &[f64]| Bin { lo: edge[0], hi: edge[1], height: share / (edge[1] - edge[0]) };
    edges.windows(2).filter(|edge| edge[1] - edge[0] > thinnest).map(bin).collect()
}

/// Returns a smoothed density at `count` equally spaced points from `lo` to `hi`, as pairs of point and
/// density per unit of the values. The kernel is Gaussian with the bandwidth of Silverman (1986, eq. 3.31),
/// `0.9 min(s, IQR / 1.34) n^(-1/5)`. Returns nothing if all values are equal, a value is NaN, or the range
/// is empty.
pub fn smooth(values: &[f64], lo: f64, hi: f64, count: usize) -> Vec<(f64, f64)> {
    let Some(sorted) = clean(values).filter(|sorted| sorted.len() > 1) else { return Vec::new() };
    let n = sorted.len() as f64;
    let quartiles = iqr(&sorted);
    let deviation = standard_deviation(&sorted);
    let spread = if quartiles > 0.0 { deviation.min(quartiles / 1.34) } else { deviation };
    let width = 0.9 * spread * libm::pow(n, -0.2);
    if !(width > 0.0 && hi > lo && count > 1) {
        return Vec::new();
    }
    let scale = 1.0 / (n * width * libm::sqrt(2.0 * std::f64::consts::PI));
    let density = |x: f64| {
        // Beyond eight bandwidths, a kernel is below 1e-14.
        let from = sorted.partition_point(|v| *v < x - 8.0 * width);
        let near = sorted[from..].iter().take_while(|v| **v <= x + 8.0 * width);
        scale * near.map(|v| libm::exp(-0.5 * ((x - v) / width) * ((x - v) / width))).sum::<f64>()
    };
    let place = |i: usize| lo + (hi - lo) * i as f64 / (count - 1) as f64;
    (0..count).map(|i| (place(i), density(place(i)))).collect()
}

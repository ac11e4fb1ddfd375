//! Modes: the levels that values cluster around, with the share of each.

use crate::density::{Bin, quantile_density};
use crate::quantile::{clean, quantile};

/// A lowland separates two modes if the ground fills less than this share of it.
const SENSITIVITY: f64 = 0.5;
const BINS: usize = 100;
/// Larger samples are replaced with this many quantiles. More values take more time, but hardly show more
/// detail.
const MOST: usize = 1000;

/// A range of values around one peak of the density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    /// Location of the peak.
    pub location: f64,
    /// Start of the range, which is the end of the previous one.
    pub lo: f64,
    /// End of the range.
    pub hi: f64,
    /// Share of the values within the range, in [0, 1].
    pub share: f64,
}

/// Returns the modes by the lowland method (Akinshin, 2020), in ascending order. Water fills the
/// quantile-respectful density between two peaks up to the lower one. Two modes are separate if the ground
/// makes up less than half of the filled range.
///
/// `step` is the resolution of the values, or 0. Equal values are spread over one step. Otherwise, every tick
/// of a coarse clock would be a mode. Returns one mode if all values are equal, and none for an empty slice
/// or if a value is NaN.
pub fn lowland(values: &[f64], step: f64) -> Vec<Mode> {
    let Some(mut sorted) = clean(values) else { return Vec::new() };
    spread_ties(&mut sorted, step);
    if sorted.len() > MOST {
        let place = |i: usize| quantile(&sorted, (i as f64 + 0.5) / MOST as f64);
        sorted = (0..MOST).map(place).collect();
    }
    let (lo, hi) = (sorted[0], sorted[sorted.len() - 1]);
    let bins = quantile_density(&sorted, BINS);
    let (peaks, cuts) = split(&bins);
    let edges: Vec<f64> =
        std::iter::once(lo).chain(cuts.iter().map(|&i| bins[i].middle())).chain([hi]).collect();
    let place = |x: f64| sorted.partition_point(|&v| v < x);
    let mode = |(i, location): (usize, f64)| {
        let first = if i == 0 { 0 } else { place(edges[i]) };
        let end = if i + 2 == edges.len() { sorted.len() } else { place(edges[i + 1]) };
        Mode { location, lo: edges[i], hi: edges[i + 1], share: (end - first) as f64 / sorted.len() as f64 }
    };
    peaks.iter().map(|&i| bins.get(i).map_or(lo, Bin::middle)).enumerate().map(mode).collect()
}

/// Returns the bins of the main peaks, and the bins between them at which to cut.
fn split(bins: &[Bin]) -> (Vec<usize>, Vec<usize>) {
    let height = |i: usize| bins[i].height;
    let is_peak = |&i: &usize| height(i) > height(i - 1) && height(i) >= height(i + 1);
    let found: Vec<usize> = (1..bins.len().saturating_sub(1)).filter(is_peak).collect();
    let Some((&first, rest)) = found.split_first() else {
        let highest = (0..bins.len()).max_by(|&a, &b| height(a).total_cmp(&height(b)));
        return (vec![highest.unwrap_or(0)], Vec::new());
    };
    let (mut peaks, mut cuts) = (Vec::new(), Vec::new());
    // Peaks of the current mode by descending height. The first is the summit. The others are kept because a
    // lowland may separate a later peak from them.
    let mut falling = vec![first];
    for &peak in rest {
        while let Some(&last) = falling.last() {
            let lower = height(last) < height(peak);
            if is_lowland(bins, last, peak) {
                peaks.push(falling[0]);
                cuts.extend((last..peak).min_by(|&a, &b| height(a).total_cmp(&height(b))));
                falling.clear();
            } else if lower {
                falling.pop();
            } else {
                break;
            }
        }
        falling.push(peak);
    }
    peaks.push(falling[0]);
    (peaks, cuts)
}

fn is_lowland(bins: &[Bin], left: usize, right: usize) -> bool {
    let level = bins[left].height.min(bins[right].height);
    let mut shores = (left..=right).filter(|&i| bins[i].height <= level);
    let (Some(from), to) = (shores.next(), shores.next_back()) else { return false };
    let to = to.unwrap_or(from);
    let ground = (to - from + 1) as f64 / bins.len() as f64;
    ground < SENSITIVITY * level * (bins[to].hi - bins[from].lo)
}

fn spread_ties(sorted: &mut [f64], step: f64) {
    if step > 0.0 {
        for tied in sorted.chunk_by_mut(|a, b| a == b) {
            let count = tied.len() as f64;
            for (i, x) in tied.iter_mut().enumerate() {
                *x += step * ((i as f64 + 0.5) / count - 0.5);
            }
        }
        // After spreading, values closer than one step may overlap.
        sorted.sort_unstable_by(f64::total_cmp);
    }
}

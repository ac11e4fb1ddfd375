//! The cost of a segment by its empirical distribution: what ED-PELT minimises.

use super::SegmentCost;
use crate::quantile::sorted;
use libm::{exp, log};

/// How many values before each position lie below each threshold, so that any segment is counted by differences.
pub(super) struct EmpiricalCost {
    /// Twice the number of values below, plus those equal: `thresholds` numbers for each of the `n + 1` positions.
    below: Vec<u32>,
    thresholds: usize,
    /// `i ln i`.
    entropy: Vec<f64>,
    scale: f64,
}

impl EmpiricalCost {
    pub(super) fn new(values: &[f64]) -> EmpiricalCost {
        let n = values.len() as f64;
        let thresholds = ((4.0 * log(n)).ceil() as usize).clamp(1, values.len().max(1));
        let odds = log(2.0 * n - 1.0);
        let ordered = sorted(values);
        let threshold = |k: usize| {
            let place = (2 * k + 1) as f64 / thresholds as f64 - 1.0;
            ordered[((n - 1.0) / (1.0 + exp(-place * odds))) as usize]
        };
        let levels: Vec<f64> =
            if values.is_empty() { vec![] } else { (0..thresholds).map(threshold).collect() };
        let mut below = vec![0; levels.len()];
        below.reserve(values.len() * levels.len());
        for (i, x) in values.iter().enumerate() {
            for (k, level) in levels.iter().enumerate() {
                let counted = u32::from(x < level) + u32::from(x <= level);
                below.push(below[i * levels.len() + k] + counted);
            }
        }
        let entropy = (0..=2 * values.len()).map(|i| if i == 0 { 0.0 } else { i as f64 * log(i as f64) });
        EmpiricalCost { below, thresholds, entropy: entropy.collect(), scale: odds / thresholds as f64 }
    }
}

impl SegmentCost for EmpiricalCost {
    fn of(&self, start: usize, end: usize) -> f64 {
        let counts = |position: usize| &self.below[position * self.thresholds..][..self.thresholds];
        let all = 2 * (end - start);
        let likelihood = |(before, after): (&u32, &u32)| {
            let low = (after - before) as usize;
            self.entropy[low] + self.entropy[all - low] - self.entropy[all]
        };
        // Counts are doubled, hence once the sum where the likelihood enters twice.
        -self.scale * counts(start).iter().zip(counts(end)).map(likelihood).sum::<f64>()
    }
}

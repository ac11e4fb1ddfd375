//! The spread of batch values, within and between processes.

use crate::process::Process;
use derny_model::Histogram;
use derny_stats::{location, plan, quantile, scale};

const BINS: usize = 24;

/// Upper limit of the histogram, in interquartile ranges above the third quartile. Twice the distance of
/// Tukey's outer fence.
const FENCE: f64 = 6.0;

pub(crate) struct Spread {
    sorted: Vec<f64>,
}

impl Spread {
    pub(crate) fn of(processes: &[Process]) -> Option<Spread> {
        let mut sorted: Vec<f64> = processes.iter().flat_map(|process| &process.batches).copied().collect();
        sorted.sort_unstable_by(f64::total_cmp);
        (!sorted.is_empty()).then_some(Spread { sorted })
    }

    pub(crate) fn quantile(&self, p: f64) -> f64 {
        quantile::quantile(&self.sorted, p)
    }

    pub(crate) fn minimum(&self) -> f64 {
        self.sorted[0]
    }

    pub(crate) fn maximum(&self) -> f64 {
        self.sorted[self.sorted.len() - 1]
    }

    pub(crate) fn mean(&self) -> f64 {
        location::mean(&self.sorted)
    }

    pub(crate) fn deviation(&self) -> f64 {
        if self.sorted.len() > 1 { scale::standard_deviation(&self.sorted) } else { 0.0 }
    }

    /// Returns the median absolute deviation. Selects instead of sorting, because a case has many values.
    pub(crate) fn mad(&self) -> f64 {
        let median = self.quantile(0.5);
        let mut distances: Vec<f64> = self.sorted.iter().map(|value| (value - median).abs()).collect();
        let middle = distances.len() / 2;
        let (below, upper, _) = distances.select_nth_unstable_by(middle, f64::total_cmp);
        let upper = *upper;
        if self.sorted.len() % 2 == 1 {
            return upper;
        }
        let lower = below.iter().copied().fold(0.0, f64::max);
        (lower + upper) / 2.0
    }

    /// Returns a histogram with bins of equal width. It ends at the 99th percentile, or at [`FENCE`] if that
    /// is less, but not below the 90th percentile. Larger values are only counted, because a few preempted
    /// batches would squeeze the others into the first bin.
    pub(crate) fn histogram(&self) -> Option<Histogram> {
        let (lo, most) = (self.minimum(), self.quantile(0.99));
        let (first, third) = (self.quantile(0.25), self.quantile(0.75));
        let fence = (third + FENCE * (third - first)).max(self.quantile(0.9));
        let hi = if fence > lo { most.min(fence) } else { most };
        let width = (hi - lo) / BINS as f64;
        if width <= 0.0 {
            return None;
        }
        let mut counts = vec![0; BINS];
        let mut above = 0;
        for value in &self.sorted {
            if *value > hi {
                above += 1;
            } else {
                counts[(((value - lo) / width) as usize).min(BINS - 1)] += 1;
            }
        }
        Some(Histogram { lo, hi, counts: counts.into(), above })
    }
}

/// Returns the standard deviation of turns within processes, and that between processes without the
/// contribution of the turns. Both are shares.
pub(crate) fn components(processes: &[Process]) -> (f64, f64) {
    let logs = processes.iter().map(|process| process.logs().to_vec());
    let groups: Vec<Vec<f64>> = logs.filter(|logs| !logs.is_empty()).collect();
    let components = plan::variance_components(&groups);
    (components.within.sqrt(), components.between.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_far_values_do_not_squeeze_a_histogram() {
        let near = (0..1000).map(|i| 130.0 + f64::from(i % 20) / 10.0);
        let spread = |far: usize| {
            let mut sorted: Vec<f64> = near.clone().chain(std::iter::repeat_n(12_000.0, far)).collect();
            sorted.sort_unstable_by(f64::total_cmp);
            Spread { sorted }.histogram().unwrap()
        };
        let histogram = spread(30);
        assert_eq!((histogram.above, histogram.counts.iter().sum::<u64>()), (30, 1000));
        assert!(histogram.hi < 150.0, "{histogram:?}");
        // A fifth of all values are too many to be outliers.
        assert_eq!(spread(250).hi, 12_000.0);
        assert_eq!(spread(0).above, 0);
    }
}

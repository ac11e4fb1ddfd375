//! Counts of outliers, and how much of a variance they make. Both describe; neither removes anything.

use crate::quantile::{clean, quantile};

/// How many values lie outside Tukey's fences. `Default` is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TukeyCounts {
    /// Below the first quartile by more than 3 interquartile ranges.
    pub low_severe: usize,
    /// Below the first quartile by more than 1.5 interquartile ranges, but not severe.
    pub low_mild: usize,
    /// Above the third quartile by more than 1.5 interquartile ranges, but not severe.
    pub high_mild: usize,
    /// Above the third quartile by more than 3 interquartile ranges.
    pub high_severe: usize,
}

impl TukeyCounts {
    /// All of them.
    pub fn total(&self) -> usize {
        self.low_severe + self.low_mild + self.high_mild + self.high_severe
    }
}

/// Counts by Tukey's fences around the type 7 quartiles; none for an empty slice or with a NaN among the values.
pub fn tukey(values: &[f64]) -> TukeyCounts {
    let Some(sorted) = clean(values) else { return TukeyCounts::default() };
    let (mild, severe) = (tukey_fences(&sorted, 1.5), tukey_fences(&sorted, 3.0));
    let below = |fence: f64| sorted.partition_point(|&x| x < fence);
    let above = |fence: f64| sorted.len() - sorted.partition_point(|&x| x <= fence);
    let (low_severe, high_severe) = (below(severe.0), above(severe.1));
    TukeyCounts {
        low_severe,
        low_mild: below(mild.0) - low_severe,
        high_mild: above(mild.1) - high_severe,
        high_severe,
    }
}

/// So many interquartile ranges (type 7) below the first quartile and above the third.
pub(crate) fn tukey_fences(sorted: &[f64], reach: f64) -> (f64, f64) {
    let (q1, q3) = (quantile(sorted, 0.25), quantile(sorted, 0.75));
    (q1 - reach * (q3 - q1), q3 + reach * (q3 - q1))
}

/// How much outliers swell a variance, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutlierEffect {
    /// Under 1 % of it.
    Unaffected,
    /// Under 10 %.
    Slight,
    /// Under half.
    Moderate,
    /// Half or more.
    Severe,
}

impl OutlierEffect {
    /// The word for a share of variance, as [`outlier_variance`] gives it.
    pub fn of(share: f64) -> OutlierEffect {
        match share {
            x if x < 0.01 => OutlierEffect::Unaffected,
            x if x < 0.1 => OutlierEffect::Slight,
            x if x < 0.5 => OutlierEffect::Moderate,
            _ => OutlierEffect::Severe,
        }
    }

    /// The word itself.
    pub fn as_str(self) -> &'static str {
        match self {
            OutlierEffect::Unaffected => "unaffected",
            OutlierEffect::Slight => "slight",
            OutlierEffect::Moderate => "moderate",
            OutlierEffect::Severe => "severe",
        }
    }
}

/// The share of the variance that outliers make, in [0, 1], as Haskell's criterion estimates it from the mean,
/// the standard deviation and the number of values. Kept for comparison with its reports: it divides the mean
/// by `n`, so that times per iteration read as more affected than they are. 0 where the deviation is 0.
pub fn outlier_variance(mean: f64, sd: f64, n: usize) -> f64 {
    let (n, variance) = (n as f64, sd * sd);
    if variance == 0.0 {
        return 0.0;
    }
    let share = mean / n;
    let good_mean = share / 2.0;
    let good_sd = (good_mean / 4.0).min(sd / n.sqrt());
    let good_variance = good_sd * good_sd;
    let most = |x: f64| {
        let d = (share - x) * (share - x);
        let k1 = variance - n * good_variance + n * d;
        let k0 = -n * n * d;
        (-2.0 * k0 / (k1 + (k1 * k1 - 4.0 * good_variance * k0).sqrt())).floor()
    };
    let left = |c: f64| (n - c) / n * (variance - (n - c) * good_variance);
    left(1.0).min(left(most(0.0).min(most(good_mean)))) / variance
}

//! Counts of outliers, and the share of a variance that outliers cause. Nothing is removed.

use crate::quantile::{clean, quantile};

/// Numbers of values outside Tukey's fences. All are 0 by default.
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
    /// Returns the number of all outliers.
    pub fn total(&self) -> usize {
        self.low_severe + self.low_mild + self.high_mild + self.high_severe
    }
}

/// Counts the values outside Tukey's fences around the type 7 quartiles. Returns zeros for an empty slice or
/// if a value is NaN.
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

pub(crate) fn tukey_fences(sorted: &[f64], reach: f64) -> (f64, f64) {
    let (q1, q3) = (quantile(sorted, 0.25), quantile(sorted, 0.75));
    (q1 - reach * (q3 - q1), q3 + reach * (q3 - q1))
}

/// The share of a variance that outliers cause, as a category.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutlierEffect {
    /// Less than 1 % of the variance.
    Unaffected,
    /// Less than 10 % of the variance.
    Slight,
    /// Less than half of the variance.
    Moderate,
    /// At least half of the variance.
    Severe,
}

impl OutlierEffect {
    /// Returns the category of a share of variance from [`outlier_variance`].
    pub fn of(share: f64) -> OutlierEffect {
        match share {
            x if x < 0.01 => OutlierEffect::Unaffected,
            x if x < 0.1 => OutlierEffect::Slight,
            x if x < 0.5 => OutlierEffect::Moderate,
            _ => OutlierEffect::Severe,
        }
    }

    /// Returns the category's name.
    pub fn as_str(self) -> &'static str {
        match self {
            OutlierEffect::Unaffected => "unaffected",
            OutlierEffect::Slight => "slight",
            OutlierEffect::Moderate => "moderate",
            OutlierEffect::Severe => "severe",
        }
    }
}

/// Returns the share of the variance that is due to outliers, in [0, 1], as Haskell's criterion estimates it.
/// Returns 0 if the standard deviation is 0.
///
/// Use it only for comparison with criterion's reports. It divides the mean by `n`, so it overstates the
/// effect on times per iteration.
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

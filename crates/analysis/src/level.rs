//! At which level an interval is made, and which interval it is.

use derny_model::{Estimate, Interval, Settings};
use derny_stats::{Looks, location, signed_rank, student};

/// Under this many processes the signed-rank interval does not exist at 95 % and Student's is used.
pub(crate) const ENOUGH: usize = 6;

/// The levels of one run.
pub(crate) struct Levels {
    looks: Looks,
    alpha: f64,
}

impl Levels {
    /// The plan of looks that the run's settings imply.
    pub(crate) fn new(settings: &Settings) -> Levels {
        let looks = Looks::plan(settings.processes as usize, settings.confidence);
        Levels { looks, alpha: 1.0 - settings.confidence }
    }

    /// The nominal two-sided level for `n` processes: that of the look at which the case may have been stopped,
    /// so that the interval still covers although it was looked at before; the plain level elsewhere.
    pub(crate) fn alpha(&self, n: usize) -> f64 {
        self.looks.alpha_at(n).unwrap_or(self.alpha)
    }

    /// Hodges–Lehmann and its exact signed-rank interval; Student's below [`ENOUGH`] values or where the level
    /// is out of the ranks' reach; no interval for a single value.
    pub(crate) fn robust(&self, values: &[f64]) -> Estimate {
        let alpha = self.alpha(values.len());
        let exact = if values.len() >= ENOUGH { signed_rank::interval(values, alpha) } else { None };
        let interval = exact.or_else(|| student::interval(values, alpha));
        Estimate { value: location::hodges_lehmann(values), interval: interval.and_then(finite) }
    }

    /// The same for the logarithms of positive values, given back as values.
    pub(crate) fn robust_log(&self, logs: &[f64]) -> Estimate {
        let estimate = self.robust(logs);
        let interval = estimate.interval.map(|i| Interval { lo: i.lo.exp(), hi: i.hi.exp() });
        Estimate { value: estimate.value.exp(), interval }
    }

    /// A ratio of totals, one pair of totals per process, with Student's interval of its linearisation (Cochran
    /// 1977, chapter 6): what a total cost per operation is, rare expensive events included.
    pub(crate) fn ratio(&self, totals: &[(f64, f64)]) -> Option<Estimate> {
        let n = totals.len() as f64;
        let (above, below) = totals.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        let value = above / below;
        if !value.is_finite() {
            return None;
        }
        let linear: Vec<f64> = totals.iter().map(|(a, b)| value + (a - value * b) / (below / n)).collect();
        let interval = student::interval(&linear, self.alpha(totals.len()));
        // Costs are not negative; the interval of three wild processes may be.
        let interval = interval.and_then(finite).map(|i| Interval { lo: i.lo.max(0.0), hi: i.hi });
        Some(Estimate { value, interval })
    }
}

fn finite(interval: derny_stats::Interval) -> Option<Interval> {
    (interval.lo.is_finite() && interval.hi.is_finite())
        .then_some(Interval { lo: interval.lo, hi: interval.hi })
}

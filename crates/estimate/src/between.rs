//! What runs of the same code differ by: the error of every comparison between runs.

use derny_model::Interval;
use derny_stats::student;

/// What between-run variance is known of a quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Between {
    /// Variance of a run's value, or of its logarithm, from run to run of the same code.
    pub variance: f64,
    /// Degrees of freedom that it rests on.
    pub df: f64,
    /// The runs that it was made of.
    pub runs: u32,
}

impl Between {
    /// Why there is no verdict where nothing is known of it.
    pub const UNKNOWN: &str = "nothing stored says how far runs of the same code differ here";

    /// The interval of a difference between two runs, by Student's distribution, with error `alpha`. `within` is the
    /// variance of the difference that the processes of the two runs show; it bounds the interval from below.
    pub fn interval(&self, difference: f64, within: f64, alpha: f64) -> Interval {
        let half = student::quantile(1.0 - alpha / 2.0, self.df) * self.error(within);
        Interval { lo: difference - half, hi: difference + half }
    }

    /// The two-sided p-value of no difference.
    pub fn p(&self, difference: f64, within: f64) -> f64 {
        let t = (difference / self.error(within)).abs();
        // Runs that never differed: any difference is certain, none is none.
        if t.is_nan() { 1.0 } else { 2.0 * student::cdf(-t, self.df) }
    }

    fn error(&self, within: f64) -> f64 {
        (2.0 * self.variance).max(within).sqrt()
    }
}

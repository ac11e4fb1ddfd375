//! An estimate with its standard error and degrees of freedom, and the tests and intervals that follow from
//! Student's t distribution.

use crate::interval::Interval;
use crate::student;
use crate::tail::Tail;

/// An estimate whose error is itself estimated, so that Student's t distribution applies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contrast {
    /// Estimate, usually a difference, in the unit of the values.
    pub estimate: f64,
    /// Standard error of the estimate, in the same unit.
    pub standard_error: f64,
    /// Degrees of freedom, not necessarily an integer.
    pub df: f64,
}

impl Contrast {
    /// Returns a sum or difference of independent estimates. `parts` contains the squared standard error and
    /// the positive degrees of freedom of each. The squares add up. The degrees of freedom are those of Welch
    /// (1938) and Satterthwaite (1946), or their sum if every error is zero.
    pub fn of_independent(estimate: f64, parts: impl IntoIterator<Item = (f64, f64)>) -> Contrast {
        let (mut square, mut weighted, mut all) = (0.0, 0.0, 0.0);
        for (part, df) in parts {
            square += part;
            weighted += part * part / df;
            all += df;
        }
        let df = if weighted == 0.0 { all } else { square * square / weighted };
        Contrast { estimate, standard_error: square.sqrt(), df }
    }

    /// Returns the p-value of the null hypothesis that the true value is `hypothesis`, against the
    /// alternative `tail`.
    pub fn p(&self, hypothesis: f64, tail: Tail) -> f64 {
        let t = (self.estimate - hypothesis) / self.standard_error;
        tail.p(student::cdf(t, self.df), student::cdf(-t, self.df))
    }

    /// Returns the half-width of the two-sided `1 - alpha` interval.
    pub fn half_width(&self, alpha: f64) -> f64 {
        student::quantile(1.0 - alpha / 2.0, self.df) * self.standard_error
    }

    /// Returns the two-sided `1 - alpha` interval. Each end alone is a one-sided bound at `1 - alpha / 2`.
    pub fn interval(&self, alpha: f64) -> Interval {
        let half = self.half_width(alpha);
        Interval { lo: self.estimate - half, hi: self.estimate + half }
    }
}

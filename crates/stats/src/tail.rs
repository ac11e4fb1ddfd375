//! The direction of a test: which departures from the null hypothesis count against it.

/// The alternative hypothesis of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// The parameter differs, in either direction.
    Both,
    /// The parameter is smaller than under the hypothesis.
    Less,
    /// The parameter is larger than under the hypothesis.
    Greater,
}

impl Tail {
    /// Returns the p-value. `as_small` and `as_large` are the probabilities, under the null hypothesis, that
    /// the statistic is at most and at least the observed value. If both directions count, the p-value is
    /// twice the smaller probability, at most 1.
    pub fn p(self, as_small: f64, as_large: f64) -> f64 {
        match self {
            Tail::Both => (2.0 * as_small.min(as_large)).min(1.0),
            Tail::Less => as_small,
            Tail::Greater => as_large,
        }
    }
}

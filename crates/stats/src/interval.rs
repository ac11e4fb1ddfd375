//! The interval type that every interval method returns.

/// A closed interval in the unit of the values; `lo <= hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
}

impl Interval {
    /// The distance between the ends.
    pub fn width(&self) -> f64 {
        self.hi - self.lo
    }

    /// Whether the value lies inside or on an end.
    pub fn contains(&self, value: f64) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// Both ends through an increasing function, such as `exp` for an interval of logarithms.
    pub fn map(&self, increasing: impl Fn(f64) -> f64) -> Interval {
        Interval { lo: increasing(self.lo), hi: increasing(self.hi) }
    }
}

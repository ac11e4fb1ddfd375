//! Classical statistics of process values, for the views of other tools. They decide nothing here: Derny's
//! verdicts are in the comparison.

use crate::Case;
use serde::{Deserialize, Serialize};

/// A set of process values in ns per operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClassicSample {
    /// Name of the variant or side.
    pub name: String,
    /// One value per process, in their order.
    pub values: Vec<f64>,
    /// Smallest.
    pub minimum: f64,
    /// First quartile.
    pub q1: f64,
    /// Median.
    pub median: f64,
    /// Third quartile.
    pub q3: f64,
    /// Largest.
    pub maximum: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation; none for a single value.
    pub standard_deviation: Option<f64>,
    /// Values more than 1.5 interquartile ranges below the first quartile.
    pub low_outliers: u32,
    /// Values more than 1.5 interquartile ranges above the third.
    pub high_outliers: u32,
    /// Share of the variance due to outliers, 0 to 1, and its category: `unaffected`, `slight`, `moderate`,
    /// `severe`. Absent for fewer than three values.
    pub outlier_variance: Option<(f64, String)>,
    /// Result of the tests against the base; absent for the base itself and if a side has a single value.
    pub against: Option<ClassicTest>,
}

/// Two classical tests of a sample against the base's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClassicTest {
    /// Welch's test on rates, in operations per second.
    pub welch: Welch,
    /// Student's test on times, assuming equal variances.
    pub student: Student,
}

/// Welch's two-sided t-test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Welch {
    /// New mean rate over old, minus 1.
    pub improvement: f64,
    /// Two-sided p-value of no difference.
    pub p: f64,
    /// Half-widths of the intervals for the improvement at 95, 99 and 99.9 %.
    pub accuracy: [f64; 3],
}

/// Student's two-sided t-test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Student {
    /// Confidence of the interval, 0 to 1.
    pub confidence: f64,
    /// New mean minus old, in ns per operation.
    pub difference: f64,
    /// Half-width of its interval.
    pub half: f64,
    /// Pooled standard deviation.
    pub pooled: f64,
    /// The usual levels, and whether the difference is significant at each.
    pub levels: Vec<(f64, bool)>,
}

/// One case in classical figures; the base comes first, if there is one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClassicCase {
    /// The case as declared.
    pub case: Case,
    /// Index of the case in the comparison or document.
    pub index: u32,
    /// The samples.
    pub samples: Vec<ClassicSample>,
}

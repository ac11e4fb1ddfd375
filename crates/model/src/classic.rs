//! Classical statistics of process values, for the views in the style of other tools. Derny's own verdicts do
//! not use them.

use crate::Case;
use serde::{Deserialize, Serialize};

/// The process values of a variant or side in ns per operation, with their statistics.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClassicSample {
    /// Name of the variant or side.
    pub name: String,
    /// One value per process, in the order of the processes.
    pub values: Vec<f64>,
    /// Smallest value.
    pub minimum: f64,
    /// First quartile.
    pub q1: f64,
    /// Median.
    pub median: f64,
    /// Third quartile.
    pub q3: f64,
    /// Largest value.
    pub maximum: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation. Absent for a single value.
    pub standard_deviation: Option<f64>,
    /// Number of values more than 1.5 interquartile ranges below the first quartile.
    pub low_outliers: u32,
    /// Number of values more than 1.5 interquartile ranges above the third quartile.
    pub high_outliers: u32,
    /// Share of the variance due to outliers, from 0 to 1, and its category: `unaffected`, `slight`,
    /// `moderate`, `severe`. Absent for fewer than three values.
    pub outlier_variance: Option<(f64, String)>,
    /// Tests against the base. Absent for the base itself, and if either side has a single value.
    pub against: Option<ClassicTest>,
}

/// Two classical tests that compare a sample with the base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClassicTest {
    /// Welch's test on rates, in operations per second.
    pub welch: Welch,
    /// Student's test on times, which assumes equal variances.
    pub student: Student,
}

/// Welch's two-sided t-test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Welch {
    /// Mean rate of the sample divided by that of the base, minus 1.
    pub improvement: f64,
    /// Two-sided p-value for the hypothesis of no difference.
    pub p: f64,
    /// Half-widths of the intervals for the improvement at 95, 99 and 99.9 %.
    pub accuracy: [f64; 3],
}

/// Student's two-sided t-test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Student {
    /// Confidence level of the interval, from 0 to 1.
    pub confidence: f64,
    /// Mean of the sample minus that of the base, in ns per operation.
    pub difference: f64,
    /// Half-width of the interval for the difference, in ns per operation.
    pub half: f64,
    /// Pooled standard deviation, in ns per operation.
    pub pooled: f64,
    /// Usual confidence levels, each with a flag that is true if the difference is significant at that
    /// level.
    pub levels: Vec<(f64, bool)>,
}

/// The classical statistics of one case. The base comes first, if there is one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClassicCase {
    /// The case as declared.
    pub case: Case,
    /// Index of the case in the comparison or document.
    pub index: u32,
    /// The samples, one per variant or side.
    pub samples: Vec<ClassicSample>,
}

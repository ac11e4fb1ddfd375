//! A case in the form of Haskell's criterion: growing measurements, a regression over them, and
//! resampled intervals. Only the views and files of that tool use it, not Derny's verdicts.

use crate::{Estimate, TukeyCounts};
use serde::{Deserialize, Serialize};

/// A measurement: the mean batch of a turn. The values are totals over its iterations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CriterionRow {
    /// Wall time in seconds.
    pub time_s: f64,
    /// Number of iterations, or of operations if the body times itself.
    pub iterations: f64,
    /// Processor time in seconds.
    pub cpu_s: Option<f64>,
    /// Cycles according to the processor's counter.
    pub cycles: Option<f64>,
    /// Number of bytes allocated.
    pub allocated_bytes: Option<f64>,
    /// Peak memory use so far, in MB.
    pub peak_mb: Option<f64>,
    /// Number of collections.
    pub collections: Option<f64>,
    /// Number of bytes copied by collections.
    pub copied_bytes: Option<f64>,
    /// Wall time outside collections, in seconds.
    pub mutator_s: Option<f64>,
    /// Processor time outside collections, in seconds.
    pub mutator_cpu_s: Option<f64>,
    /// Wall time of collections, in seconds.
    pub gc_s: Option<f64>,
    /// Processor time of collections, in seconds.
    pub gc_cpu_s: Option<f64>,
}

/// A least-squares regression over the measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CriterionRegression {
    /// The dependent variable: `time` or `allocated`.
    pub responder: String,
    /// Coefficients by predictor (`iters`), in units of the responder (seconds for times) per unit of
    /// the predictor.
    pub coefficients: Vec<(String, Estimate)>,
    /// Fixed cost of a measurement.
    pub intercept: Estimate,
    /// Share of the variance that the line explains.
    pub r_squared: Estimate,
}

/// The figures of criterion for one variant of a case. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CriterionCase {
    /// Index of the case in the document.
    pub index: u32,
    /// Name of the case as criterion would print it, with groups and benchmark joined by slashes.
    pub name: String,
    /// Measurements in time order, process by process.
    pub rows: Vec<CriterionRow>,
    /// Regressions, `time` first. Empty unless iterations grew, as they do with `--set ladder=yes`.
    pub regressions: Vec<CriterionRegression>,
    /// Reason why there is no regression, and a remedy. Empty if there is a regression.
    #[serde(default)]
    pub unfit: String,
    /// Mean of the times per iteration.
    pub mean: Estimate,
    /// Standard deviation of the times per iteration.
    pub deviation: Estimate,
    /// Values from which mean, deviation and outliers are computed: measurements of at least 30 ms, if
    /// there are enough of them.
    pub values: Vec<f64>,
    /// Number of outliers among these values.
    pub outliers: TukeyCounts,
    /// Share of the variance due to outliers, by criterion's measure.
    pub outlier_variance: f64,
    /// Confidence level of the intervals, from 0 to 1.
    pub confidence: f64,
    /// Times per iteration, and the estimated density at each of them.
    pub density: (Vec<f64>, Vec<f64>),
}

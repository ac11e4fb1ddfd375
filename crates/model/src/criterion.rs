//! A case as Haskell's criterion reports it: growing measurements, a regression over them, resampled
//! intervals. For the views and files of that tool; Derny's verdicts do not use it.

use crate::{Estimate, TukeyCounts};
use serde::{Deserialize, Serialize};

/// One measurement: the mean batch of a turn. Totals over its iterations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CriterionRow {
    /// Wall time in seconds.
    pub time_s: f64,
    /// Iterations; operations if the body times itself.
    pub iterations: f64,
    /// Processor time in seconds.
    pub cpu_s: Option<f64>,
    /// Cycles of the processor's counter.
    pub cycles: Option<f64>,
    /// Bytes allocated.
    pub allocated_bytes: Option<f64>,
    /// Peak memory use so far, in MB.
    pub peak_mb: Option<f64>,
    /// Collections.
    pub collections: Option<f64>,
    /// Bytes copied by collections.
    pub copied_bytes: Option<f64>,
    /// Wall time outside collections in seconds.
    pub mutator_s: Option<f64>,
    /// Processor time outside collections in seconds.
    pub mutator_cpu_s: Option<f64>,
    /// Wall time of collections in seconds.
    pub gc_s: Option<f64>,
    /// Processor time of collections in seconds.
    pub gc_cpu_s: Option<f64>,
}

/// Least squares over the measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CriterionRegression {
    /// The regressed quantity: `time`, `allocated`.
    pub responder: String,
    /// By predictor (`iters`), in the responder's unit (seconds for times) per unit of the predictor's.
    pub coefficients: Vec<(String, Estimate)>,
    /// Fixed cost of a measurement.
    pub intercept: Estimate,
    /// Share of the variance that the line explains.
    pub r_squared: Estimate,
}

/// One variant of a case. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CriterionCase {
    /// Index of the case in the document.
    pub index: u32,
    /// Its name as criterion would print it, groups and benchmark joined by slashes.
    pub name: String,
    /// Measurements in time order, process by process.
    pub rows: Vec<CriterionRow>,
    /// Regressions, `time` first; empty if iterations did not grow (`--ladder`).
    pub regressions: Vec<CriterionRegression>,
    /// Why there is no regression, and what to try; empty if there is one.
    #[serde(default)]
    pub unfit: String,
    /// Mean of the times per iteration.
    pub mean: Estimate,
    /// Their standard deviation.
    pub deviation: Estimate,
    /// Values that mean, deviation and outliers use: measurements of at least 30 ms if there are enough of
    /// them.
    pub values: Vec<f64>,
    /// Outliers among those values.
    pub outliers: TukeyCounts,
    /// Share of the variance due to outliers, by criterion's measure.
    pub outlier_variance: f64,
    /// Confidence of the intervals, 0 to 1.
    pub confidence: f64,
    /// Times per iteration, and their estimated density at each.
    pub density: (Vec<f64>, Vec<f64>),
}

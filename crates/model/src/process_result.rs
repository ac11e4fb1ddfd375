//! The result of one process for a case: a line in files with one line per process.

use crate::Metric;

/// One process of one case, by the values that intervals are computed from.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessResult {
    /// Index into the run's cases.
    pub case: u32,
    /// Index into the run's variants.
    pub variant: u32,
    /// Number within the run.
    pub process: u32,
    /// Measured iterations; operations if the body times itself.
    pub iterations: f64,
    /// Time per operation in ns; absent if nothing was timed.
    pub time_ns: Option<f64>,
    /// Every metric of the process: totals per operation, others unchanged.
    pub metrics: Vec<(Metric, f64)>,
}

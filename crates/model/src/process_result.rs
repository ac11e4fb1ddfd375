//! The result of one process for a case. File formats with a line per process use it.

use crate::Metric;

/// The result of one process for a case, with the values that intervals are computed from.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessResult {
    /// Index into the run's cases.
    pub case: u32,
    /// Index into the run's variants.
    pub variant: u32,
    /// Number of the process within the run.
    pub process: u32,
    /// Number of measured iterations, or of operations if the body times itself.
    pub iterations: f64,
    /// Time per operation in ns. Absent if nothing was timed.
    pub time_ns: Option<f64>,
    /// Values of all metrics: totals per operation, others unchanged.
    pub metrics: Vec<(Metric, f64)>,
}

//! What one process says of a case: a line of the files that have a line for each.

use crate::Metric;

/// One process of one case, by the values that intervals are made of.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessResult {
    /// Index into the run's cases.
    pub case: u32,
    /// Index into the run's variants.
    pub variant: u32,
    /// Number within the run.
    pub process: u32,
    /// Iterations that were measured; operations where the body times itself.
    pub iterations: f64,
    /// Time per operation in ns; none where nothing was timed.
    pub time_ns: Option<f64>,
    /// Every metric that the process has: a total per operation, anything else as it is.
    pub metrics: Vec<(Metric, f64)>,
}

use crate::Metric;

/// The result of one process for a case, with the values from which intervals are computed. File
/// formats with a line per process use it.
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
    /// Values of all metrics. Totals are per operation, other values unchanged.
    pub metrics: Vec<(Metric, f64)>,
}

//! Causes for measuring a turn again.

use derny_model::Metric;

/// Causes by their names on the command line, each with its metric. Any other name is that of a metric.
pub const CAUSES: [(&str, &str); 4] =
    [("gc", "gc"), ("compile", "compiled"), ("classload", "classes"), ("preempted", "preempted")];

/// Returns the metric for a cause.
pub fn metric_of(cause: &str) -> &str {
    CAUSES.iter().find(|(name, _)| *name == cause).map_or(cause, |(_, metric)| metric)
}

/// Returns true if the counter of one of the causes is positive. `metrics` describes the counters.
pub fn hit(causes: &[impl AsRef<str>], metrics: &[Metric], counters: &[Option<f64>]) -> bool {
    causes.iter().map(|cause| metric_of(cause.as_ref())).any(|name| {
        let mut told = metrics.iter().zip(counters);
        told.any(|(metric, value)| metric.name == name && value.is_some_and(|v| v > 0.0))
    })
}

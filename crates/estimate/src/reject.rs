//! Causes for which a turn is measured again.

use derny_model::Metric;

/// The causes, as people name them, with the metric that tells of each. Any other name is a metric's own.
pub const CAUSES: [(&str, &str); 4] =
    [("gc", "gc"), ("compile", "compiled"), ("classload", "classes"), ("preempted", "preempted")];

/// The metric that tells of a cause.
pub fn metric_of(cause: &str) -> &str {
    CAUSES.iter().find(|(name, _)| *name == cause).map_or(cause, |(_, metric)| metric)
}

/// Whether a turn with these counters, those of `metrics`, was hit by one of the causes.
pub fn hit(causes: &[impl AsRef<str>], metrics: &[Metric], counters: &[Option<f64>]) -> bool {
    causes.iter().map(|cause| metric_of(cause.as_ref())).any(|name| {
        let mut told = metrics.iter().zip(counters);
        told.any(|(metric, value)| metric.name == name && value.is_some_and(|v| v > 0.0))
    })
}

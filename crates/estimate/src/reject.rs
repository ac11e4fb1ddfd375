//! The causes for which a turn is measured again.

use derny_model::Metric;

/// The causes by their names on the command line, each with the metric that shows it. Any other name is the
/// name of a metric.
pub const CAUSES: [(&str, &str); 4] =
    [("gc", "gc"), ("compile", "compiled"), ("classload", "classes"), ("preempted", "preempted")];

/// Returns the metric of a cause.
pub fn metric_of(cause: &str) -> &str {
    CAUSES.iter().find(|(name, _)| *name == cause).map_or(cause, |(_, metric)| metric)
}

/// Returns true if the counters of a turn show one of the causes. `metrics` describes the counters.
pub fn hit(causes: &[impl AsRef<str>], metrics: &[Metric], counters: &[Option<f64>]) -> bool {
    causes.iter().map(|cause| metric_of(cause.as_ref())).any(|name| {
        let mut told = metrics.iter().zip(counters);
        told.any(|(metric, value)| metric.name == name && value.is_some_and(|v| v > 0.0))
    })
}

//! Numbers of a result: estimates, figures, and the results of processes.

use crate::{Direction, Kind, Metric, Word};
use serde::{Deserialize, Serialize};

/// A closed interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

/// A point estimate and its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The point estimate.
    pub value: f64,
    /// The interval; absent if the sample is too small. A single variant's value has one from six processes
    /// on.
    pub interval: Option<Interval>,
}

/// A figure: a number of a result with everything that a reporter needs to show it. Tables, details, CSV,
/// pages and JSON use the same list.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Figure {
    /// `time` (typical time), `mean`, `p95`, …, or the name of a metric.
    pub name: Word,
    /// The name in words: `95th percentile`. That of a metric is its name.
    pub label: Word,
    /// The figure is a metric that a harness reads, not a statistic of time.
    pub metric: bool,
    /// `ns`, `share`, `op/s`, `bytes`, ….
    pub unit: Word,
    /// How the values of the quantity combine.
    pub kind: Kind,
    /// The value is per operation.
    pub per_operation: bool,
    /// The direction of improvement.
    pub better: Direction,
    /// The value.
    pub value: f64,
    /// Its confidence interval; absent if the figure has none or there are fewer than six processes.
    pub interval: Option<Interval>,
    /// The smallest and the largest process value, for two to five processes. With three it contains the
    /// median with a probability of 75 %, with four 87 %, with five 94 %.
    #[serde(default)]
    pub range: Option<Interval>,
}

impl Figure {
    /// Returns the value with its interval.
    pub fn estimate(self) -> Estimate {
        Estimate { value: self.value, interval: self.interval }
    }

    /// Returns the value with its interval, or with the range of its few processes.
    pub fn reach(self) -> Estimate {
        Estimate { value: self.value, interval: self.interval.or(self.range) }
    }
}

/// Any other metric, per operation if it is a total over the turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MetricSummary {
    /// The metric.
    pub metric: Metric,
    /// The Hodges–Lehmann estimate over processes, or the median with fewer than six; for exact metrics the
    /// value itself.
    pub estimate: Estimate,
    /// The smallest and the largest process value, for two to five processes.
    #[serde(default)]
    pub range: Option<Interval>,
    /// Standard deviation of the logarithms of the process values; absent for fewer than two, or if one is
    /// not positive.
    #[serde(default)]
    pub deviation: Option<f64>,
    /// The value was the same on every turn of every process.
    pub constant: bool,
    /// Per operation (counters) or as reported (rates).
    pub per_operation: bool,
    /// Ordinary least squares of the turn's counter on its operations with `--ladder`: slope per operation
    /// and R². The fixed cost of a turn is in the intercept, not in the slope.
    #[serde(default)]
    pub ladder: Option<(f64, f64)>,
}

/// The first call in a fresh process, as configured, which the case's own program reports.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FirstCall {
    /// Time in ns per operation.
    pub time_ns: f64,
    /// Time of the whole call in ns.
    pub call_ns: f64,
}

/// The result of one process.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcessValue {
    /// Number within the run.
    pub process: u32,
    /// Typical time of its measured turns in ns per operation.
    pub time_ns: f64,
    /// Measured turns.
    pub turns: u32,
    /// Standard deviation of its turns, as a share.
    pub within: f64,
    /// `flat`, `warm-up`, `slowdown`, `no steady state`; empty if it has too few turns.
    pub class: Word,
    /// Total time of its measured turns, rejected ones included, in ns.
    #[serde(default)]
    pub measured_ns: f64,
    /// Its first call, for a case with a `runner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstCall>,
}

//! Numbers in a result: estimates, figures, and the results of processes.

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
    /// Confidence interval. Absent if the sample is too small. The value of a single variant has an
    /// interval from six processes on.
    pub interval: Option<Interval>,
}

/// A number of a result, with all data to display it. Tables, details, CSV, pages and JSON use the same
/// list of figures.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Figure {
    /// Name: `time` for typical time, `mean`, `p95` and so on, or the name of a metric.
    pub name: Word,
    /// Name in words, such as `95th percentile`. Equals `name` for a metric.
    pub label: Word,
    /// True for a metric that a harness reads, false for a statistic of time.
    pub metric: bool,
    /// Unit, such as `ns`, `share`, `op/s` or `bytes`.
    pub unit: Word,
    /// Rule by which the values of the quantity combine.
    pub kind: Kind,
    /// True if the value is per operation.
    pub per_operation: bool,
    /// Direction of improvement.
    pub better: Direction,
    /// The value.
    pub value: f64,
    /// Confidence interval. Absent if the figure has none, or with fewer than six processes.
    pub interval: Option<Interval>,
    /// Smallest and largest process value, for two to five processes. The range contains the median with a
    /// probability of 50 % for two processes, 75 % for three, 87 % for four and 94 % for five.
    #[serde(default)]
    pub range: Option<Interval>,
}

impl Figure {
    /// Returns the value with its interval.
    pub fn estimate(self) -> Estimate {
        Estimate { value: self.value, interval: self.interval }
    }

    /// Returns the value with its interval, or with its range if there are too few processes for an
    /// interval.
    pub fn reach(self) -> Estimate {
        Estimate { value: self.value, interval: self.interval.or(self.range) }
    }
}

/// The summary of a metric other than time. A total is divided by the operations of the turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MetricSummary {
    /// The metric.
    pub metric: Metric,
    /// Hodges–Lehmann estimate over processes, or the median with fewer than six. For an exact metric, the
    /// value itself.
    pub estimate: Estimate,
    /// Smallest and largest process value, for two to five processes.
    #[serde(default)]
    pub range: Option<Interval>,
    /// Standard deviation of the logarithms of the process values. Absent for fewer than two values, or
    /// if a value is not positive.
    #[serde(default)]
    pub deviation: Option<f64>,
    /// True if the value was the same in every turn of every process.
    pub constant: bool,
    /// True if the value is per operation, as for counters. False if it is unchanged, as for rates.
    pub per_operation: bool,
    /// With `--set ladder=yes`, slope per operation and R² of an ordinary least-squares fit of the
    /// turn's counter to its operations. The fixed cost of a turn is in the intercept, not in the slope.
    #[serde(default)]
    pub ladder: Option<(f64, f64)>,
}

/// The first call in a fresh process, as configured, which the case's own program would report.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FirstCall {
    /// Time in ns per operation.
    pub time_ns: f64,
    /// Time of the complete call in ns.
    pub call_ns: f64,
}

/// The result of a process for a case.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcessValue {
    /// Number of the process within the run.
    pub process: u32,
    /// Typical time of the measured turns, in ns per operation.
    pub time_ns: f64,
    /// Number of measured turns.
    pub turns: u32,
    /// Standard deviation of the turns, as a share.
    pub within: f64,
    /// Development of the times: `flat`, `warm-up`, `slowdown` or `no steady state`. Empty if there are
    /// too few turns.
    pub class: Word,
    /// Total time of the measured turns in ns, including rejected ones.
    #[serde(default)]
    pub measured_ns: f64,
    /// First call of the process, for a case with a `runner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstCall>,
}

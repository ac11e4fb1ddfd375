//! The result of one variant of a case: its times and its metrics.

use crate::{Estimate, Figure, Interval, MetricSummary, Packed, ProcessValue};
use serde::{Deserialize, Serialize};

/// Time per operation, with more than reporters need. In ns per operation unless stated otherwise. The other
/// statistics of time are figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeSummary {
    /// Robust: the Hodges–Lehmann estimate over processes of the log process location, or the median with
    /// fewer than six.
    pub typical: Estimate,
    /// All time over all operations of the measured turns, collections included.
    pub mean: Estimate,
    /// Median of all batch values.
    pub median: f64,
    /// Empty body.
    pub floor: Option<Floor>,
    /// Outliers among turn values.
    pub outliers: TukeyCounts,
    /// First calls.
    pub cold: Option<ColdSummary>,
    /// For a case with a `runner`: no process was warm, so all times are those of first calls and there is no
    /// steady time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unwarmed: bool,
    /// Steady state.
    pub steady: SteadyState,
    /// Every complete process, in the order of their numbers.
    #[serde(default)]
    pub processes: Packed<ProcessValue>,
    /// The distribution of the batch values.
    #[serde(default)]
    pub histogram: Option<Histogram>,
}

/// Tukey's outlier counts over the turn values of a case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TukeyCounts {
    /// More than 3 interquartile ranges below.
    pub low_severe: u32,
    /// More than 1.5 below.
    pub low_mild: u32,
    /// More than 1.5 above.
    pub high_mild: u32,
    /// More than 3 above.
    pub high_severe: u32,
}

/// The cost of an empty body through the same loop, or between the same start and stop.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Floor {
    /// Time per iteration of the empty body in ns, at least a clock cycle if a body that times itself counts
    /// calls.
    pub time_ns: f64,
    /// The case is indistinguishable from an empty body.
    pub indistinguishable: bool,
}

/// The first call in a fresh process.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ColdSummary {
    /// Median over processes of the first batch, ns per operation.
    pub time_ns: f64,
    /// Range from the fastest to the slowest process.
    pub range_ns: Interval,
    /// Number of processes.
    pub processes: u32,
}

/// Steady states of the processes of a case, by change points.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SteadyState {
    /// Processes without a change.
    pub flat: u32,
    /// Processes that became faster and stayed so.
    pub warm_up: u32,
    /// Processes that became slower and stayed so.
    pub slowdown: u32,
    /// Processes that never settled.
    pub unsteady: u32,
    /// One word for the case: `flat`, `warm-up`, `slowdown`, `no steady state`, `inconsistent`.
    pub class: String,
}

/// Counts of batch values in bins of equal width.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Histogram {
    /// Lower end of the first bin in ns per operation: the smallest value.
    pub lo: f64,
    /// Upper end of the last bin.
    pub hi: f64,
    /// Values per bin.
    pub counts: Packed<u64>,
    /// Values above `hi`.
    pub above: u64,
}

/// The result of one variant of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VariantResult {
    /// The variant's name.
    pub variant: String,
    /// Complete processes.
    pub processes: u32,
    /// Measured turns.
    pub turns: u32,
    /// Measured batches.
    pub batches: u64,
    /// Turns rejected, by cause.
    pub rejected: Vec<(String, u32)>,
    /// Times, if the body was timed.
    pub time: Option<TimeSummary>,
    /// All other declared or observed metrics.
    pub metrics: Packed<MetricSummary>,
    /// All figures that reporters show: statistics of time, then metrics.
    pub figures: Packed<Figure>,
    /// Texts that the benchmark reported in its last visit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<(String, String)>,
}

impl VariantResult {
    /// Returns the statistic of time called `name`.
    pub fn figure(&self, name: &str) -> Option<Figure> {
        self.figures.iter().find(|figure| !figure.metric && figure.name == name)
    }

    /// Returns the figure of the metric called `name`.
    pub fn metric(&self, name: &str) -> Option<Figure> {
        self.figures.iter().find(|figure| figure.metric && figure.name == name)
    }
}

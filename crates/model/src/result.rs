//! The result of a variant of a case: its times and its metrics.

use crate::{Estimate, Figure, Interval, MetricSummary, Packed, ProcessValue, Suspicion, Untested};
use serde::{Deserialize, Serialize};

/// Summary of the times of a case, in ns per operation unless stated otherwise. Further statistics of time
/// are figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeSummary {
    /// Typical time: the Hodges–Lehmann estimate of the processes' typical times, computed on logarithms.
    /// With fewer than six processes, their median.
    pub typical: Estimate,
    /// Mean time: total time divided by all operations of the measured turns, including collections.
    pub mean: Estimate,
    /// Median of the values of all batches.
    pub median: f64,
    /// Cost of an empty body.
    pub floor: Option<Floor>,
    /// Number of outliers among the values of turns.
    pub outliers: TukeyCounts,
    /// First calls in fresh processes.
    pub cold: Option<ColdSummary>,
    /// True if no process was warm, in a case with a `runner`. All times are then those of first calls,
    /// and there is no steady time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unwarmed: bool,
    /// Numbers of processes by the development of their times.
    pub steady: SteadyState,
    /// Results of all complete processes, in the order of their numbers.
    #[serde(default)]
    pub processes: Packed<ProcessValue>,
    /// Distribution of the values of batches.
    #[serde(default)]
    pub histogram: Option<Histogram>,
}

/// Numbers of outliers among the turn values of a case, by Tukey's rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TukeyCounts {
    /// Number of values more than 3 interquartile ranges below the first quartile.
    pub low_severe: u32,
    /// Number of values more than 1.5, but at most 3 interquartile ranges below the first quartile.
    pub low_mild: u32,
    /// Number of values more than 1.5, but at most 3 interquartile ranges above the third quartile.
    pub high_mild: u32,
    /// Number of values more than 3 interquartile ranges above the third quartile.
    pub high_severe: u32,
}

/// The cost of an empty body through the same loop, or between the same start and stop.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Floor {
    /// Time per iteration of the empty body, in ns. At least a clock cycle if a self-timed body counts
    /// calls.
    pub time_ns: f64,
    /// True if the case is indistinguishable from an empty body.
    pub indistinguishable: bool,
}

/// The first calls of a case in fresh processes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ColdSummary {
    /// Median over processes of the first batch, in ns per operation.
    pub time_ns: f64,
    /// Range from the fastest to the slowest process, in ns per operation.
    pub range_ns: Interval,
    /// Number of processes.
    pub processes: u32,
}

/// Numbers of processes of a case by the development of their times, according to change points.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SteadyState {
    /// Number of processes whose times did not change.
    pub flat: u32,
    /// Number of processes that became faster and stayed so.
    pub warm_up: u32,
    /// Number of processes that became slower and stayed so.
    pub slowdown: u32,
    /// Number of processes that reached no steady state.
    pub unsteady: u32,
    /// Classification of the case: `flat`, `warm-up`, `slowdown`, `no steady state` or `inconsistent`.
    pub class: String,
}

/// A histogram of batch values, with bins of equal width.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Histogram {
    /// Lower end of the first bin, in ns per operation: the smallest value.
    pub lo: f64,
    /// Upper end of the last bin, in ns per operation.
    pub hi: f64,
    /// Number of values in each bin.
    pub counts: Packed<u64>,
    /// Number of values above `hi`.
    pub above: u64,
}

/// The result of one variant of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VariantResult {
    /// Name of the variant.
    pub variant: String,
    /// Number of complete processes.
    pub processes: u32,
    /// Number of measured turns.
    pub turns: u32,
    /// Number of measured batches.
    pub batches: u64,
    /// Causes of rejection, each with its number of turns.
    pub rejected: Vec<(String, u32)>,
    /// Times. Absent if the body was not timed.
    pub time: Option<TimeSummary>,
    /// Summaries of all other metrics, declared or observed.
    pub metrics: Packed<MetricSummary>,
    /// All figures to display: the statistics of time, then the metrics.
    pub figures: Packed<Figure>,
    /// Texts that the benchmark reported in its last visit, as pairs of name and text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<(String, String)>,
    /// Tests of the witness that this variant failed: it may cheat the measurement. Always empty without
    /// the setting `witness`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suspicions: Vec<Suspicion>,
    /// Tests of the witness that were not possible for this variant, with the setting `witness`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untested: Vec<Untested>,
}

impl VariantResult {
    /// Returns the statistic of time with this name.
    pub fn figure(&self, name: &str) -> Option<Figure> {
        self.figures.iter().find(|figure| !figure.metric && figure.name == name)
    }

    /// Returns the figure of the metric with this name.
    pub fn metric(&self, name: &str) -> Option<Figure> {
        self.figures.iter().find(|figure| figure.metric && figure.name == name)
    }
}

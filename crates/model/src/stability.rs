//! Repeated runs of the same cases, compared with the precision that each run claimed.

use crate::CaseId;
use serde::{Deserialize, Serialize};

/// One case of a series of runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StabilityRow {
    /// The case.
    pub case: CaseId,
    /// The variant; empty if there is only one.
    pub variant: String,
    /// Runs that measured it.
    pub runs: u32,
    /// Mean of the runs' typical times, ns per operation.
    pub mean_ns: f64,
    /// Standard deviation between the runs' typical times, as a share of the mean.
    pub deviation: f64,
    /// Largest minus smallest typical time, as a share of the mean.
    pub range: f64,
    /// Mean half-width of the intervals that the runs claimed, as a share of the mean.
    pub claimed: Option<f64>,
    /// Runs that claimed an interval.
    pub intervals: u32,
    /// Number of intervals that contain the estimated mean of all runs.
    pub covering: u32,
    /// Number of disjoint pairs of intervals.
    pub apart: u32,
    /// The runs differ by more than their intervals allow.
    pub narrow: bool,
}

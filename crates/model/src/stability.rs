//! Repeated runs of the same cases: their agreement, compared with the precision that each run
//! reported.

use crate::CaseId;
use serde::{Deserialize, Serialize};

/// A case in a series of runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StabilityRow {
    /// Identity of the case.
    pub case: CaseId,
    /// Name of the variant. Empty if there is only one.
    pub variant: String,
    /// Number of runs that measured it.
    pub runs: u32,
    /// Mean of the runs' typical times, in ns per operation.
    pub mean_ns: f64,
    /// Standard deviation between the runs' typical times, as a share of the mean.
    pub deviation: f64,
    /// Largest minus smallest typical time of the runs, as a share of the mean.
    pub range: f64,
    /// Mean half-width of the runs' own intervals, as a share of the mean.
    pub claimed: Option<f64>,
    /// Number of runs with an interval.
    pub intervals: u32,
    /// Number of intervals that contain the estimated mean of all runs.
    pub covering: u32,
    /// Number of pairs of intervals that do not overlap.
    pub apart: u32,
    /// True if the runs differ by more than their intervals allow.
    pub narrow: bool,
}

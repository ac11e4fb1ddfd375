//! The history of cases: one figure of one case over commits, and changes that were confirmed.
//!
//! A store keeps *entries*. Each entry contains the points that were measured together, and each point
//! belongs to a *series*. A reader joins the series of a figure on one machine, in the order of commits, as a
//! [`History`].

use crate::{CaseId, Commit, Direction, Interval, RunId};
use serde::{Deserialize, Serialize};

/// A measurement of one version of the sources: a side of a run, or a result of an imported file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// Identity: `RUN:VARIANT`, or the hash of an imported file and the place in it.
    pub key: String,
    /// Id of the run. Absent for imported entries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// Imported file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Start of the measurement, milliseconds since the Unix epoch. For imported entries, the date in the
    /// file.
    pub measured_ms: i64,
    /// Commit of the sources. Absent outside git.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<Commit>,
    /// Geometric mean of the run's yardsticks in ns: how fast the machine was. Absent for imported entries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine_ns: Option<f64>,
}

/// The identity of a series in the store. Points of a series are comparable with each other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct HistorySeries {
    /// The case.
    pub case: CaseId,
    /// Name of the figure: `time`, `mean`, `p95`, or the name of a metric.
    pub figure: String,
    /// Unit, such as `ns` or `bytes`.
    pub unit: String,
    /// Direction of improvement.
    pub better: Direction,
    /// Host name of the machine. Empty if unknown.
    pub host: String,
    /// Name of the processor. Empty if unknown.
    pub cpu: String,
    /// Runtime, such as `javascript node/20.20.2`. Empty if unknown.
    pub runtime: String,
    /// Tool that measured, such as `derny` or `asv`.
    pub tool: String,
    /// Reason why the points are kept apart from those of commits: `uncommitted changes`, or `side NAME` of a
    /// comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apart: Option<String>,
    /// Release or age that the values are relative to. Only for the series of `derny history creep`, whose
    /// values are changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
}

/// A value with its interval, in the unit of the series.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HistoryValue {
    /// The value. Finite.
    pub value: f64,
    /// Confidence interval, if there is one.
    pub interval: Option<Interval>,
}

/// One figure of one case on one machine, in the order of commits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct History {
    /// The case.
    pub case: CaseId,
    /// Name of the figure: `time`, `mean`, `p95`, or the name of a metric.
    pub figure: String,
    /// Unit, such as `ns` or `bytes`.
    pub unit: String,
    /// Direction of improvement.
    pub better: Direction,
    /// Host name of the machine. Empty if unknown.
    pub host: String,
    /// Reason why the points are kept apart from those of commits: `uncommitted changes`, or `side NAME` of a
    /// comparison. Absent if they are not.
    pub apart: Option<String>,
    /// Release or age that the values are relative to. Only for the series of `derny history creep`, whose
    /// values are changes.
    pub against: Option<String>,
    /// Conditions of the measurements. Points under different conditions are not comparable.
    pub conditions: Vec<HistoryConditions>,
    /// Points in the order of commits, or by date outside a repository.
    pub points: Vec<HistoryPlace>,
    /// Changes of the level that were found or confirmed, in the order of their commits.
    pub changes: Vec<HistoryChange>,
    /// Remarks about omitted or doubtful points, as sentences.
    pub remarks: Vec<String>,
}

impl History {
    /// Returns the position of a point in the history: its commit, or its date if it has no commit.
    pub fn place(point: &HistoryPlace) -> (&str, i64) {
        (&point.commit, if point.commit.is_empty() { point.at_ms } else { 0 })
    }
}

/// The conditions of measurements.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryConditions {
    /// Name of the processor. Empty if unknown.
    pub cpu: String,
    /// Runtime, such as `javascript node/20.20.2`. Empty if unknown.
    pub runtime: String,
    /// Tool that measured, such as `derny` or `asv`.
    pub tool: String,
}

/// A point of a history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryPlace {
    /// Index into the conditions.
    pub conditions: u32,
    /// Date of the commit, or of the measurement if there is no commit. Milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// Start of the measurement, milliseconds since the Unix epoch.
    pub measured_ms: i64,
    /// Full hash of the commit. Empty if unknown.
    pub commit: String,
    /// Tags of the commit.
    pub releases: Vec<String>,
    /// Id of the run. Absent for imported points.
    pub run: Option<RunId>,
    /// The value. Finite.
    pub value: f64,
    /// Confidence interval, if there is one.
    pub interval: Option<Interval>,
    /// Geometric mean of the run's yardsticks in ns: how fast the machine was. Absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine_ns: Option<f64>,
}

/// The state of a change of the level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ChangeState {
    /// The detector found the change. The commits before and after it have not been measured together yet.
    New,
    /// A measurement of both commits shows the change.
    Confirmed,
    /// A measurement of both commits shows no change.
    NotConfirmed,
    /// The user accepts the change.
    Accepted,
    /// The user has fixed the change, or a later commit reverts it.
    Fixed,
    /// A state of a later version.
    #[serde(other)]
    Unknown,
}

/// A change of the level of a history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryChange {
    /// Full hash of the last commit before the change. Empty if unknown.
    pub from: String,
    /// Full hash of the first measured commit after the change. Empty if unknown.
    pub to: String,
    /// Date of the first point after the change, milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// State.
    pub state: ChangeState,
    /// Relative change, such as 0.05 for 5 % more.
    pub change: f64,
    /// Interval of the relative change, if both commits were measured.
    pub interval: Option<Interval>,
    /// Id of the run that measured both commits.
    pub run: Option<RunId>,
    /// True if the machine is the likely cause: its yardsticks, or almost all of its cases, change here too.
    pub is_machine: bool,
    /// Note of the user.
    pub note: Option<String>,
}

//! Visits, each of which is one case in one process, and looks, which are interim analyses of a case.

use crate::{Metric, Reported, Word};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A case that was opened in a process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Visit {
    /// Number of the visit within the run, from 0.
    pub visit: u32,
    /// Number of the process.
    pub process: u32,
    /// Index into the run's cases.
    pub case: u32,
    /// Number of cases that the process had opened before.
    pub position: u32,
    /// Time that opening the case took, in ns.
    pub open_ns: u64,
    /// Metrics of the counters in every turn, in order: the harness's, the case's own, then those that
    /// the engine observes.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Metric>"))]
    pub metrics: Arc<[Metric]>,
    /// Time since the start of the run, in ns.
    pub at_ns: u64,
    /// Mode of measuring, if it is not the harness's default. The results of other modes are separate
    /// quantities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Word>,
}

/// Undeclared values that a harness reported for a visit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VisitReport {
    /// Number of operations since the case was opened, for any purpose. Totals are divided by it.
    pub operations: f64,
    /// The values.
    pub values: Vec<Reported>,
    /// Texts of the case, as pairs of name and text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<(String, String)>,
}

/// The reason for a look, which decides whether a case continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LookReason {
    /// The plan has a look at this number of processes.
    Planned,
    /// The time limit of the case or of the run was reached.
    TimeOver,
    /// The user ended the run.
    Interrupted,
    /// The result of the case is different if its process has measured other cases before. The blocks of
    /// such processes no longer count.
    Neighbours,
}

/// A look, which is an interim analysis of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Look {
    /// Index into the run's cases.
    pub case: u32,
    /// Numbers of the complete blocks on which the look was based, in ascending order. For
    /// [`LookReason::Neighbours`], the removed blocks.
    pub blocks: Vec<u32>,
    /// Reason for the look.
    pub reason: LookReason,
}

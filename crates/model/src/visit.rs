//! A visit: one case in one process. A look at the visits of a case.

use crate::{Metric, Reported, Word};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One case opened in one process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Visit {
    /// Number within the run, from 0.
    pub visit: u32,
    /// Number of the process.
    pub process: u32,
    /// Index into the run's cases.
    pub case: u32,
    /// Number of cases that this process had opened before.
    pub position: u32,
    /// Time that `open` took.
    pub open_ns: u64,
    /// Every turn's counters, in order: the harness's, the case's own, then those that the engine observes.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Metric>"))]
    pub metrics: Arc<[Metric]>,
    /// Time since the run's start.
    pub at_ns: u64,
    /// The mode of measuring, if not the harness's default; its results are separate quantities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Word>,
}

/// Undeclared values of a whole visit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VisitReport {
    /// Operations since the case was opened, for any purpose: totals are divided by them.
    pub operations: f64,
    /// The values.
    pub values: Vec<Reported>,
    /// Texts of the case: name and text.
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
    /// The time of the case or of the run was spent.
    TimeOver,
    /// The user ended the run.
    Interrupted,
    /// The case's result differs if its process has measured other cases before. These blocks no longer
    /// count.
    Neighbours,
}

/// A look: an interim analysis of one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Look {
    /// Index into the run's cases.
    pub case: u32,
    /// The blocks that were complete then, in ascending order, on which the look was based. For
    /// [`LookReason::Neighbours`], the blocks set aside.
    pub blocks: Vec<u32>,
    /// The reason.
    pub reason: LookReason,
}

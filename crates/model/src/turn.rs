//! A turn: the answer to one request.

use crate::Metric;
use serde::{Deserialize, Serialize};

/// Number of parts of a warm-up turn that count as one value each when judging whether a process has settled.
pub const WARM_UP_PARTS: usize = 10;

/// The purpose of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The first call in a fresh process.
    Cold,
    /// Choice of the iterations per batch.
    Calibration,
    /// Warm-up: recorded, but not analysed as steady. Such turns may be longer than measured ones: each
    /// counts as [`WARM_UP_PARTS`] values.
    WarmUp,
    /// The measurement.
    Measured,
    /// The empty body.
    Overhead,
    /// Measured, but affected by an event that `--reject` names: kept, counted and measured again.
    Rejected,
    /// The forced collection after warm-up: one time, no iterations, no counters.
    Collection,
    /// Settling of the heap to its size in a process that has run for seconds: one time, no iterations, no
    /// counters.
    Settling,
    /// Measured for mean time alone, to cover whole collection cycles. It counts in totals, never in typical
    /// time.
    Window,
}

/// An undeclared value that a harness reported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reported {
    /// The metric that its key describes.
    pub metric: Metric,
    /// The value. A total covers all operations of the turn or, in the report of a visit, of the whole visit.
    pub value: f64,
}

/// The answer to one request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Turn {
    /// The visit.
    pub visit: u32,
    /// Its phase.
    pub phase: Phase,
    /// Round within the visit: turns of one block with the same round are adjacent in time.
    pub round: u32,
    /// Iterations per batch; 0 for a self-timed body run as configured.
    pub iterations: u64,
    /// Time of each batch.
    pub times_ns: Vec<u64>,
    /// Operations of each batch, for self-timed bodies.
    pub ops: Option<Vec<f64>>,
    /// Counters in the visit's metric order; absent if unreadable.
    pub counters: Vec<Option<f64>>,
    /// The processor that the measuring thread was pinned to.
    pub cpu: Option<u32>,
    /// Start of the request since the run's start.
    pub at_ns: u64,
    /// Time from the request to its answer, without the turn's lead.
    pub wall_ns: u64,
    /// Hash of the body's result, if requested.
    pub hash: Option<String>,
    /// The measuring thread, if it changed since the turn before. What the engine observes of a thread is
    /// unknown for this turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<u32>,
    /// Undeclared values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reported: Vec<Reported>,
}

impl Turn {
    /// Returns the operations of batch `index`, given the case's operations per iteration.
    pub fn operations(&self, index: usize, ops_per_iteration: f64) -> f64 {
        match &self.ops {
            Some(ops) => ops.get(index).copied().unwrap_or(f64::NAN),
            None => self.iterations.max(1) as f64 * ops_per_iteration,
        }
    }

    /// Returns the operations of all batches, given the case's operations per iteration.
    pub fn all_operations(&self, ops_per_iteration: f64) -> f64 {
        let batches = 0..self.times_ns.len();
        match &self.ops {
            Some(_) => batches.map(|index| self.operations(index, ops_per_iteration)).sum(),
            None => batches.len() as f64 * self.operations(0, ops_per_iteration),
        }
    }
}

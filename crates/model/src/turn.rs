//! A turn: the answer of a harness to one request.

use crate::{Metric, Outside};
use serde::{Deserialize, Serialize};

/// Number of parts of a warm-up turn. Each part counts as one value when deciding whether a process is
/// warm.
pub const WARM_UP_PARTS: usize = 10;

/// The purpose of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The first call in a fresh process.
    Cold,
    /// Choosing the number of iterations per batch.
    Calibration,
    /// Warm-up, which is recorded but not analysed as steady. A warm-up turn may be longer than a
    /// measured one, and counts as [`WARM_UP_PARTS`] values.
    WarmUp,
    /// The measurement.
    Measured,
    /// Measuring the empty body.
    Overhead,
    /// Measured, but affected by an event that `reject` names. Kept, counted and measured again.
    Rejected,
    /// A forced collection after warm-up. It has one time, no iterations and no counters.
    Collection,
    /// Settling of the heap to its size in a process that has run for seconds. It has one time, no
    /// iterations and no counters.
    Settling,
    /// A turn measured only for mean time, to complete collection cycles. It counts in totals, but not
    /// in typical time.
    Window,
}

/// An undeclared value that a harness reported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reported {
    /// The metric that the key of the value describes.
    pub metric: Metric,
    /// Value of the metric. A total covers all operations of the turn. In the report of a visit, it
    /// covers the visit.
    pub value: f64,
}

/// The answer of a harness to one request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Turn {
    /// Number of the visit.
    pub visit: u32,
    /// Purpose of the turn.
    pub phase: Phase,
    /// Number of the round within the visit. Turns of one block in the same round are adjacent in time.
    pub round: u32,
    /// Iterations per batch. 0 for a self-timed body that ran as configured.
    pub iterations: u64,
    /// Time of each batch, in ns.
    pub times_ns: Vec<u64>,
    /// Number of operations in each batch, for self-timed bodies.
    pub ops: Option<Vec<f64>>,
    /// Counters, in the order of the visit's metrics. A counter that could not be read has no value.
    pub counters: Vec<Option<f64>>,
    /// Processor to which the measuring thread was pinned.
    pub cpu: Option<u32>,
    /// Time of the request, in ns since the start of the run.
    pub at_ns: u64,
    /// Time from the request to its answer without the turn's lead, in ns.
    pub wall_ns: u64,
    /// Hash of the body's result, if it was requested.
    pub hash: Option<String>,
    /// Id of the measuring thread, if it changed since the previous turn. Counters that the engine reads for
    /// a thread are then unknown for this turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<u32>,
    /// Undeclared values that the harness reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reported: Vec<Reported>,
    /// Observations from outside the harness, with the setting `witness`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside: Option<Box<Outside>>,
}

impl Turn {
    /// Returns the number of operations in batch `index`, given the case's operations per iteration.
    pub fn operations(&self, index: usize, ops_per_iteration: f64) -> f64 {
        match &self.ops {
            Some(ops) => ops.get(index).copied().unwrap_or(f64::NAN),
            None => self.iterations.max(1) as f64 * ops_per_iteration,
        }
    }

    /// Returns the number of operations in all batches, given the case's operations per iteration.
    pub fn all_operations(&self, ops_per_iteration: f64) -> f64 {
        let batches = 0..self.times_ns.len();
        match &self.ops {
            Some(_) => batches.map(|index| self.operations(index, ops_per_iteration)).sum(),
            None => batches.len() as f64 * self.operations(0, ops_per_iteration),
        }
    }
}

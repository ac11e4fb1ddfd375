//! Records: what was measured, batch by batch.
//!
//! run › process › visit (one case in one process) › turn › batch. Ids are numbers unique within the run.

use crate::{Case, Failure, Metric, Observation, RunHeader, StopReason};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Whether a collector may run in a process's turns, and whether its harness tells of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Collector {
    /// None does.
    None,
    /// The counter `gc` has every collection.
    Counted,
    /// One may, and nobody tells.
    Untold,
}

/// A process of a harness that answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessStart {
    /// Number within the run, from 0.
    pub process: u32,
    /// Index into the run's variants.
    pub variant: u32,
    /// Processes that are alternated turn by turn share a block (a pair, for two variants).
    pub block: u32,
    /// Words of the command.
    pub command: Vec<String>,
    /// Operating-system id of the measuring process.
    pub pid: u32,
    /// `javascript`.
    pub language: String,
    /// `node/20.20.2`.
    pub runtime: String,
    /// Version of the harness.
    pub harness: String,
    /// Step of the harness's clock in ns.
    pub clock_step_ns: u64,
    /// From the launch to the harness's first line.
    pub launch_ns: u64,
    /// Bytes of random environment padding.
    pub padding: u32,
    /// Which of its variant's builds, from 0. With `Settings::builds` of 2 or more the build is the level above the block:
    /// all processes of a block have the same number, and a case's blocks take the numbers in turn.
    #[serde(default)]
    pub build: u32,
    /// Hash of the native programs that the command names; none where it names only scripts. Two variants with different
    /// hashes are different binaries, whose layouts differ.
    #[serde(default)]
    pub binary: Option<String>,
    /// What its runtime said that it runs with, where that may move times: heap, collector, flags.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// Whether a collector may run in its turns. Records of earlier versions do not say it; the store decides it when it reads them.
    #[serde(default)]
    pub collector: Option<Collector>,
    /// Since the run's start.
    pub at_ns: u64,
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessEnd {
    /// Number within the run.
    pub process: u32,
    /// `exit 0`, `signal 9`, …
    pub exit: String,
    /// User plus system time of the process and its waited-for children.
    pub cpu_ns: Option<u64>,
    /// Largest resident set in bytes.
    pub peak_bytes: Option<u64>,
    /// Resident set when the first measured turn began and when the last one ended, in bytes.
    pub resident_bytes: Option<(u64, u64)>,
    /// Bytes that it printed to its standard output and error between its first measured turns and its last.
    #[serde(default)]
    pub printed_bytes: Option<u64>,
    /// Since the run's start.
    pub at_ns: u64,
}

/// One case opened in one process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Visit {
    /// Number within the run, from 0.
    pub visit: u32,
    /// The process.
    pub process: u32,
    /// Index into the run's cases.
    pub case: u32,
    /// How many cases this process had opened before.
    pub position: u32,
    /// Time that `open` took.
    pub open_ns: u64,
    /// Every turn's counters, in order: the harness's, the case's own, then what the engine observes.
    pub metrics: Vec<Metric>,
    /// Since the run's start.
    pub at_ns: u64,
    /// Another way of measuring than the harness's first; what it shows are quantities of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
}

/// Parts of a warm-up turn that count as a value each when it is asked whether a process has come to rest.
pub const WARM_UP_PARTS: usize = 10;

/// What a turn was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The first call in a fresh process.
    Cold,
    /// Choosing iterations per batch.
    Calibration,
    /// Recorded, not analysed as steady. Such turns may be longer than measured ones: each stands for
    /// [`WARM_UP_PARTS`] values.
    WarmUp,
    /// The measurement.
    Measured,
    /// The empty body.
    Overhead,
    /// Measured, but hit by an event that `--reject` names: kept, counted and measured again.
    Rejected,
    /// The collection asked for after warm-up: one time, no iterations, no counters.
    Collection,
    /// The heap was brought to where it is in a process that has run for seconds: one time, no iterations, no counters.
    Settling,
}

/// The answer to one request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    /// The visit.
    pub visit: u32,
    /// What it was for.
    pub phase: Phase,
    /// Round within the visit: turns of one block with the same round are adjacent in time.
    pub round: u32,
    /// Iterations per batch; 0 for a self-timed body run as configured.
    pub iterations: u64,
    /// Time of each batch.
    pub times_ns: Vec<u64>,
    /// Operations of each batch, for self-timed bodies.
    pub ops: Option<Vec<f64>>,
    /// In the visit's metric order; none where it could not be read.
    pub counters: Vec<Option<f64>>,
    /// The processor that the measuring thread was put on.
    pub cpu: Option<u32>,
    /// Start of the request since the run's start.
    pub at_ns: u64,
    /// From the request to its answer, without the turn's lead.
    pub wall_ns: u64,
    /// Hash of the body's result, where asked for.
    pub hash: Option<String>,
}

impl Turn {
    /// Operations of batch `index`, given the case's operations per iteration.
    pub fn operations(&self, index: usize, ops_per_iteration: f64) -> f64 {
        match &self.ops {
            Some(ops) => ops.get(index).copied().unwrap_or(f64::NAN),
            None => self.iterations.max(1) as f64 * ops_per_iteration,
        }
    }

    /// Operations of all batches, given the case's operations per iteration.
    pub fn all_operations(&self, ops_per_iteration: f64) -> f64 {
        let batches = 0..self.times_ns.len();
        match &self.ops {
            Some(_) => batches.map(|index| self.operations(index, ops_per_iteration)).sum(),
            None => batches.len() as f64 * self.operations(0, ops_per_iteration),
        }
    }
}

/// A visit with its turns in time order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VisitRecord {
    /// Where.
    pub visit: Visit,
    /// It was closed (`Event::VisitEnded`) and counts as a replicate; false while it is under way, and when it was cut off.
    pub complete: bool,
    /// Old raw data were pruned: every batch of a turn shows the turn's median batch, counters are untouched.
    pub pruned: bool,
    /// What was measured, in time order.
    pub turns: Vec<Turn>,
}

/// All that a run recorded: what analysis reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Records {
    /// Context.
    pub header: RunHeader,
    /// Cases in catalogue order; `Visit::case` indexes it.
    pub cases: Vec<Case>,
    /// Why each case ended, as `(case, variant-independent reason)`; missing while under way.
    pub ended: Vec<(u32, StopReason)>,
    /// Processes.
    pub processes: Vec<ProcessStart>,
    /// How they ended.
    pub process_ends: Vec<ProcessEnd>,
    /// Visits with turns, in the order they were opened.
    pub visits: Vec<VisitRecord>,
    /// What failed.
    pub failures: Vec<Failure>,
    /// Load, steal and pressure over the run.
    pub observations: Vec<Observation>,
}

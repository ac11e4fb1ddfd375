//! The one stream of events that the engine emits; progress, store and `--format ndjson` consume it.

use crate::{
    Case, Failure, Look, Plan, ProcessEnd, ProcessStart, RunHeader, RunStatus, Turn, Visit, VisitReport,
};
use serde::{Deserialize, Serialize};

/// The reason why a case was finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// The interval is as narrow as requested.
    Precise,
    /// Every variant has a verdict against the first.
    Verdict,
    /// The case's or the run's time budget is spent.
    Budget,
    /// The processes so far predict that the budget cannot reach the requested precision. Only without
    /// variants.
    PrecisionPredicted,
    /// The maximum number of processes or rounds is reached.
    Maximum,
    /// `--once`: the check passed.
    Once,
    /// The harness skipped it.
    Skipped,
    /// It failed.
    Failed,
    /// The run was interrupted before it was done.
    Interrupted,
}

/// The machine's state at a moment between turns.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Observation {
    /// Time since the run's start.
    pub at_ns: u64,
    /// One-minute load average.
    pub load: Option<f64>,
    /// Share of processor time stolen by the hypervisor since the last observation, 0 to 1.
    pub steal: Option<f64>,
    /// Share of time since the last observation in which some runnable task waited for a processor, 0 to 1.
    pub pressure: Option<f64>,
    /// Share of processor time used by programs other than the engine and its harnesses since the last
    /// observation, 0 to 1.
    pub busy_others: Option<f64>,
    /// Time of the reference spin kernel in ns per step, by processor.
    pub spin_ns: Vec<(u32, f64)>,
    /// Yardsticks that were measured at that moment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub yardsticks: Vec<Yardstick>,
    /// Time that measuring them took. Records of earlier versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_ns: Option<u64>,
}

/// One of the engine's own kernels, measured in every run to distinguish a change of the machine from one of
/// the code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Yardstick {
    /// The resource that it exercises: `integer`, `branches`, `cache`, `memory` or `system-call`.
    pub name: String,
    /// Time per step in ns.
    pub time_ns: f64,
    /// Standard error of that time in ns.
    pub error_ns: f64,
}

/// Contention: what other programs and other machines on the same host took from a run, in the busier half of
/// its time. It may have slowed a program without showing in the yardsticks, which are read before and after.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contention {
    /// Share of processor time stolen by the hypervisor, 0 to 1.
    pub steal: f64,
    /// Share of processor time used by other programs, 0 to 1.
    pub others: f64,
    /// One-minute load average, including the run itself; absent if the system has none.
    pub load: Option<f64>,
}

/// A fact learned about a benchmark file, for later runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LearnedFact {
    /// Hash of the benchmark file's content together with its launch line.
    pub file_hash: String,
    /// Name of the case within its suite; empty for the whole file.
    pub case: String,
    /// `once-per-process`, `scale-followed`, …
    pub key: String,
    /// Its value.
    pub value: String,
}

/// An event of a run. Events are emitted in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// First event.
    RunStarted {
        /// Version of this format.
        format: u32,
        /// Context.
        run: Box<RunHeader>,
        /// The cases that will be measured.
        cases: Vec<Case>,
        /// The plan.
        plan: Box<Plan>,
    },
    /// A harness answered.
    ProcessStarted(ProcessStart),
    /// A case was opened in a process.
    VisitStarted(Visit),
    /// A turn was answered.
    Turn(Turn),
    /// A visit was closed with undeclared values.
    Reported {
        /// The visit.
        visit: u32,
        /// The values.
        report: VisitReport,
    },
    /// A visit was closed and is complete: it counts as a replicate.
    VisitEnded {
        /// The visit.
        visit: u32,
    },
    /// A process has ended.
    ProcessEnded(ProcessEnd),
    /// A look was taken at the results of a case.
    Looked(Look),
    /// A case has its result.
    CaseEnded {
        /// Index into the run's cases.
        case: u32,
        /// The reason why it is finished.
        reason: StopReason,
    },
    /// Something failed.
    Failed(Failure),
    /// A line for the user, from a harness.
    Log {
        /// The case.
        case: Option<u32>,
        /// Its text.
        message: String,
    },
    /// The machine's state.
    Observed(Observation),
    /// A fact was learned.
    Learned(LearnedFact),
    /// Progress for display: emitted between turns, never stored.
    Progress(Box<Progress>),
    /// Last event.
    RunEnded {
        /// Wall-clock end, ms since the epoch.
        ended_ms: i64,
        /// The final status.
        status: RunStatus,
    },
}

/// The progress of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Progress {
    /// The cases being measured, with their results so far.
    pub open: Vec<Standing>,
    /// Cases finished.
    pub done: u32,
    /// Share of the planned measurements done, 0 to 1.
    pub share: f64,
    /// Estimated time left in ns; absent while nothing is known. Never exceeds the run's own time limit.
    pub left_ns: Option<u64>,
}

/// The progress of a case. Its figures are provisional: they include incomplete visits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Standing {
    /// Index into the run's cases.
    pub case: u32,
    /// Processes (or pairs) measured; those in progress count as fractions.
    pub processes: f64,
    /// Number planned until the next look.
    pub planned: u32,
    /// Typical time of the first variant in ns per operation.
    pub typical_ns: Option<f64>,
    /// Half-width of the widest interval, as a share.
    pub half_width: Option<f64>,
    /// Change of each variant after the first, as a share.
    pub changes: Vec<f64>,
}

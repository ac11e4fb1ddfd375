//! The events of a run. The engine emits them in a single stream, which the progress display, the store and
//! `--format ndjson` use.

use crate::{
    Case, Failure, Look, Plan, ProcessEnd, ProcessStart, RunHeader, RunStatus, Turn, Visit, VisitReport,
};
use serde::{Deserialize, Serialize};

/// The reason why the measurement of a case ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// The interval is as narrow as requested.
    Precise,
    /// Every variant has a verdict against the first.
    Verdict,
    /// The time budget of the case or of the run is used up.
    Budget,
    /// The processes so far show that the budget cannot reach the requested precision. Occurs only
    /// without variants.
    PrecisionPredicted,
    /// The maximum number of processes or rounds is reached.
    Maximum,
    /// The check under `--once` passed.
    Once,
    /// The harness skipped the case.
    Skipped,
    /// The case failed.
    Failed,
    /// The run was interrupted before the case was done.
    Interrupted,
}

/// The state of the machine between two turns.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Observation {
    /// Time since the start of the run, in ns.
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
    /// Time of the reference spin kernel on each processor, as pairs of the processor's number and ns
    /// per step.
    pub spin_ns: Vec<(u32, f64)>,
    /// Yardsticks that were read at this time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub yardsticks: Vec<Yardstick>,
    /// Time that reading the yardsticks took, in ns. Records of earlier versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_ns: Option<u64>,
}

/// A yardstick: a built-in kernel that is timed in every run, to distinguish a change of the machine
/// from a change of the code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Yardstick {
    /// Name of the yardstick, after the resource that it uses: `integer`, `branches`, `cache`, `memory`
    /// or `system-call`.
    pub name: String,
    /// Time per step in ns.
    pub time_ns: f64,
    /// Standard error of that time, in ns.
    pub error_ns: f64,
}

/// Contention by other programs and by other virtual machines on the same host, in the busier half of a
/// run's time. It may have slowed a program without affecting the yardsticks, which are read while
/// nothing is measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contention {
    /// Share of processor time stolen by the hypervisor, 0 to 1.
    pub steal: f64,
    /// Share of processor time used by other programs, 0 to 1.
    pub others: f64,
    /// One-minute load average, including that of the run itself. Absent if the system has none.
    pub load: Option<f64>,
}

/// A fact about a benchmark file that a run learned for later runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LearnedFact {
    /// Hash of the content of the benchmark file and of its launch line.
    pub file_hash: String,
    /// Name of the case within its suite. Empty if the fact concerns the entire file.
    pub case: String,
    /// Kind of the fact, such as `once-per-process` or `scale-followed`.
    pub key: String,
    /// Value of the fact.
    pub value: String,
}

/// An event of a run. Events are emitted in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The run has started. This is the first event.
    RunStarted {
        /// Version of this format.
        format: u32,
        /// Header of the run.
        run: Box<RunHeader>,
        /// Cases that will be measured.
        cases: Vec<Case>,
        /// Plan of the run.
        plan: Box<Plan>,
    },
    /// A harness answered.
    ProcessStarted(ProcessStart),
    /// A case was opened in a process.
    VisitStarted(Visit),
    /// A harness answered a turn.
    Turn(Turn),
    /// A harness reported undeclared values when a visit was closed.
    Reported {
        /// Number of the visit.
        visit: u32,
        /// Reported values.
        report: VisitReport,
    },
    /// A complete visit was closed. It counts as a replicate.
    VisitEnded {
        /// Number of the visit.
        visit: u32,
    },
    /// A process has ended.
    ProcessEnded(ProcessEnd),
    /// A look, which is an interim analysis, was taken at a case.
    Looked(Look),
    /// The measurement of a case has ended.
    CaseEnded {
        /// Index into the run's cases.
        case: u32,
        /// Reason for the end.
        reason: StopReason,
    },
    /// A case or a file failed.
    Failed(Failure),
    /// A harness logged a message for the user.
    Log {
        /// Index of the case that the message concerns, if any.
        case: Option<u32>,
        /// Text of the message.
        message: String,
    },
    /// The state of the machine was observed.
    Observed(Observation),
    /// A fact was learned for later runs.
    Learned(LearnedFact),
    /// The progress to display. Emitted between turns and never stored.
    Progress(Box<Progress>),
    /// The run has ended. This is the last event.
    RunEnded {
        /// End of the run, milliseconds since the Unix epoch.
        ended_ms: i64,
        /// Final status of the run.
        status: RunStatus,
    },
}

/// The progress of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Progress {
    /// Cases that are being measured, with their results so far.
    pub open: Vec<Standing>,
    /// Number of cases that have ended.
    pub done: u32,
    /// Completed fraction of the planned measurements, from 0 to 1.
    pub share: f64,
    /// Estimate of the remaining time in ns. Absent while it is unknown. Never exceeds the time limit
    /// of the run.
    pub left_ns: Option<u64>,
}

/// The progress of a case. Its results are provisional, because they include incomplete visits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Standing {
    /// Index into the run's cases.
    pub case: u32,
    /// Number of measured processes (or pairs). Those in progress count as fractions.
    pub processes: f64,
    /// Number of planned processes (or pairs) until the next look.
    pub planned: u32,
    /// Typical time of the first variant in ns per operation.
    pub typical_ns: Option<f64>,
    /// Half-width of the widest interval, as a share.
    pub half_width: Option<f64>,
    /// Change of each variant after the first, as a share.
    pub changes: Vec<f64>,
}

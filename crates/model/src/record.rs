//! Records: what was measured, batch by batch.
//!
//! run › process › visit (one case in one process) › turn › batch. Ids are numbers unique within the run.

use crate::{Case, Event, Failure, Metric, Observation, RunHeader, StopReason, Turns, Word};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Garbage collection during a process's turns, and whether its harness reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Collector {
    /// No collector runs.
    None,
    /// The counter `gc` contains every collection.
    Counted,
    /// A collector may run, unreported.
    Untold,
}

/// A harness process that has answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Time from the launch to the harness's first line.
    pub launch_ns: u64,
    /// Bytes of random environment padding.
    pub padding: u32,
    /// Number of its variant's build, from 0. With `Settings::builds` of 2 or more, the build is the level
    /// above the block: all processes of a block have the same number, and a case's blocks take the numbers
    /// in turn.
    #[serde(default)]
    pub build: u32,
    /// Hash of the native programs that the command names; absent if it names only scripts. Variants with
    /// different hashes are different binaries with different layouts.
    #[serde(default)]
    pub binary: Option<String>,
    /// Settings of the runtime that may affect times: heap, collector, flags.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// Garbage collection during its turns. Records of earlier versions lack it; the store decides it on
    /// reading.
    #[serde(default)]
    pub collector: Option<Collector>,
    /// Its position in the launch order of its block, from 0. Records of earlier versions lack it: their
    /// blocks were launched in the order of the variants.
    #[serde(default)]
    pub place: Option<u32>,
    /// Index into [`RunHeader::machines`] of the machine it ran on, if the run has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<u32>,
    /// The wave in which it was alternated with all other processes of its only case; absent if it was
    /// alternated only within its block. Records of earlier versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wave: Option<u32>,
    /// Time since the run's start.
    pub at_ns: u64,
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcessEnd {
    /// Number within the run.
    pub process: u32,
    /// `exit 0`, `signal 9`, …
    pub exit: String,
    /// User plus system time of the process and of the children that it waited for.
    pub cpu_ns: Option<u64>,
    /// Largest resident set in bytes.
    pub peak_bytes: Option<u64>,
    /// Resident set at the start of the first measured turn and at the end of the last one, in bytes.
    pub resident_bytes: Option<(u64, u64)>,
    /// Bytes printed to standard output and error between its first and its last measured turn.
    #[serde(default)]
    pub printed_bytes: Option<u64>,
    /// Time from the close of its last case, or the request to end, to its end. Records of earlier versions
    /// lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending_ns: Option<u64>,
    /// Time since the run's start.
    pub at_ns: u64,
}

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

/// A visit with its turns in time order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VisitRecord {
    /// The visit itself.
    pub visit: Visit,
    /// True if it was closed (`Event::VisitEnded`) and counts as a replicate. False while in progress, if it
    /// was cut off, or if it was set aside for [`LookReason::Neighbours`].
    pub complete: bool,
    /// Old raw data were pruned: every batch of a turn shows the turn's median batch, counters are untouched.
    pub pruned: bool,
    /// What was measured, in time order.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Turn>"))]
    pub turns: Turns,
    /// What the harness reported when the visit was closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<Box<VisitReport>>,
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

/// Everything that a run recorded: the input of analysis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Records {
    /// The run and its context.
    pub header: RunHeader,
    /// Cases in catalogue order; `Visit::case` indexes it.
    pub cases: Vec<Case>,
    /// Why each case ended, as `(case, reason)`, for all variants; absent while in progress.
    pub ended: Vec<(u32, StopReason)>,
    /// Processes that started.
    pub processes: Vec<ProcessStart>,
    /// Processes that ended.
    pub process_ends: Vec<ProcessEnd>,
    /// Visits with turns, in the order of opening.
    pub visits: Vec<VisitRecord>,
    /// What failed.
    pub failures: Vec<Failure>,
    /// Load, steal and pressure over the run.
    pub observations: Vec<Observation>,
    /// Looks, in the order in which they were taken. Records of earlier versions have none.
    #[serde(default)]
    pub looks: Vec<Look>,
}

impl VisitRecord {
    /// Returns the visit with its turns loaded: a copy if they are stored elsewhere. When iterating over many
    /// visits, drop the copy before the next case.
    pub fn at_hand(&self) -> Cow<'_, VisitRecord> {
        if self.turns.are_here() {
            return Cow::Borrowed(self);
        }
        let own = self.clone();
        Cow::Owned(VisitRecord { turns: own.turns.into_iter().collect(), ..own })
    }

    /// Returns a visit that has just begun.
    pub fn new(visit: Visit) -> VisitRecord {
        VisitRecord { visit, complete: false, pruned: false, turns: Turns::default(), report: None }
    }
}

impl Records {
    /// Returns the records of a run that has just begun.
    pub fn new(header: RunHeader, cases: Vec<Case>) -> Records {
        Records {
            header,
            cases,
            ended: Vec::new(),
            processes: Vec::new(),
            process_ends: Vec::new(),
            visits: Vec::new(),
            failures: Vec::new(),
            observations: Vec::new(),
            looks: Vec::new(),
        }
    }

    /// Checks the numbers in records that others wrote. Not for a run in progress.
    ///
    /// # Errors
    /// The first number that refers to nothing, in one sentence.
    pub fn check(&self) -> Result<(), String> {
        let known: HashSet<u32> = self.processes.iter().map(|process| process.process).collect();
        let variants = self.header.variants.len().max(1);
        let is_case = |case: u32| (case as usize) < self.cases.len();
        if let Some(process) = self.processes.iter().find(|process| process.variant as usize >= variants) {
            return Err(format!("process {} is of a variant that the run has not", process.process));
        }
        let is_lost =
            |record: &&VisitRecord| !is_case(record.visit.case) || !known.contains(&record.visit.process);
        if let Some(record) = self.visits.iter().find(is_lost) {
            return Err(format!(
                "visit {} is of a case or a process that the run has not",
                record.visit.visit
            ));
        }
        let ended = self.ended.iter().map(|(case, _)| *case);
        match ended.chain(self.looks.iter().map(|look| look.case)).find(|case| !is_case(*case)) {
            Some(case) => Err(format!("the run has no case {case}")),
            None => Ok(()),
        }
    }

    /// Returns why turns could not be read on access ([`KeptTurns::trouble`](crate::KeptTurns::trouble)).
    pub fn trouble(&self) -> Option<String> {
        self.visits.iter().find_map(|record| record.turns.kept()?.0.trouble())
    }

    /// Adds what an event records, if anything. Ignores events about an unknown visit.
    pub fn take(&mut self, event: Event) {
        match event {
            Event::ProcessStarted(process) => {
                let runtime = format!("{} {}", process.language, process.runtime);
                if !self.header.runtimes.contains(&runtime) {
                    self.header.runtimes.push(runtime);
                }
                self.processes.push(process);
            }
            Event::ProcessEnded(end) => self.process_ends.push(end),
            Event::VisitStarted(visit) => self.visits.push(VisitRecord::new(visit)),
            Event::Turn(turn) => {
                if let Some(record) = self.visit(turn.visit) {
                    record.turns.to_mut().push(turn);
                }
            }
            Event::Reported { visit, report } => {
                if let Some(record) = self.visit(visit) {
                    record.report = Some(Box::new(report));
                }
            }
            Event::VisitEnded { visit } => {
                if let Some(record) = self.visit(visit) {
                    record.complete = true;
                }
            }
            Event::Looked(look) => {
                let sets_aside = look.reason == LookReason::Neighbours;
                self.looks.push(look);
                if sets_aside {
                    self.set_aside();
                }
            }
            Event::CaseEnded { case, reason } => self.ended.push((case, reason)),
            Event::Failed(failure) => self.failures.push(failure),
            Event::Observed(observation) => self.observations.push(observation),
            Event::RunEnded { ended_ms, status } => {
                (self.header.ended_ms, self.header.status) = (Some(ended_ms), status);
            }
            Event::RunStarted { .. } | Event::Log { .. } | Event::Learned(_) | Event::Progress(_) => {}
        }
    }

    /// Marks visits of blocks that were set aside ([`LookReason::Neighbours`]) as incomplete.
    pub fn set_aside(&mut self) {
        let looks = self.looks.iter().filter(|look| look.reason == LookReason::Neighbours);
        let aside: HashSet<(u32, u32)> =
            looks.flat_map(|look| look.blocks.iter().map(|block| (look.case, *block))).collect();
        if aside.is_empty() {
            return;
        }
        let blocks: HashMap<u32, u32> =
            self.processes.iter().map(|process| (process.process, process.block)).collect();
        let is_aside = |visit: &Visit| {
            blocks.get(&visit.process).is_some_and(|block| aside.contains(&(visit.case, *block)))
        };
        self.visits
            .iter_mut()
            .filter(|record| is_aside(&record.visit))
            .for_each(|record| record.complete = false);
    }

    /// Returns the visit with that number, searching from the most recent one.
    fn visit(&mut self, number: u32) -> Option<&mut VisitRecord> {
        self.visits.iter_mut().rfind(|record| record.visit.visit == number)
    }
}

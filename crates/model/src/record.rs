//! Records: the measurements, batch by batch.
//!
//! The levels are run › process › visit (one case in one process) › turn › batch. Ids are numbers that
//! are unique within the run.

use crate::{
    Case, Event, Failure, Look, LookReason, Observation, ProcessEnd, ProcessStart, RunHeader, StopReason,
    Turns, Visit, VisitReport,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// A visit with its turns, in order of time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VisitRecord {
    /// The case, the process and the start of the visit.
    pub visit: Visit,
    /// True if the visit was closed (`Event::VisitEnded`) and counts as a replicate. False while it is
    /// in progress, if it was aborted, or if it was removed for [`LookReason::Neighbours`].
    pub complete: bool,
    /// True if old raw data were pruned. Every batch of a turn then has the time of the turn's median
    /// batch. Counters are unchanged.
    pub pruned: bool,
    /// Turns, in order of time.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::Turn>"))]
    pub turns: Turns,
    /// Report of the harness when the visit was closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<Box<VisitReport>>,
}

/// All records of a run, which are the input of analysis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Records {
    /// Header of the run.
    pub header: RunHeader,
    /// Cases, in catalogue order. `Visit::case` is an index into this list.
    pub cases: Vec<Case>,
    /// The cases that have ended, by index, each with the reason. The reason applies to all variants.
    pub ended: Vec<(u32, StopReason)>,
    /// Processes that started.
    pub processes: Vec<ProcessStart>,
    /// Processes that ended.
    pub process_ends: Vec<ProcessEnd>,
    /// Visits with their turns, in the order in which they began.
    pub visits: Vec<VisitRecord>,
    /// Failures of the run.
    pub failures: Vec<Failure>,
    /// Load, steal and pressure during the run.
    pub observations: Vec<Observation>,
    /// Looks in chronological order. Records of earlier versions have none.
    #[serde(default)]
    pub looks: Vec<Look>,
}

impl VisitRecord {
    /// Returns the visit with its turns in memory. The visit is a copy if its turns are stored
    /// elsewhere. When iterating over many visits, drop the copy before the next case.
    pub fn at_hand(&self) -> Cow<'_, VisitRecord> {
        if self.turns.are_here() {
            return Cow::Borrowed(self);
        }
        let own = self.clone();
        Cow::Owned(VisitRecord { turns: own.turns.into_iter().collect(), ..own })
    }

    /// Creates the record of a visit that has just begun.
    pub fn new(visit: Visit) -> VisitRecord {
        VisitRecord { visit, complete: false, pruned: false, turns: Turns::default(), report: None }
    }
}

impl Records {
    /// Creates the records of a run that has just begun.
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

    /// Checks the indices in records from an external source. Not suitable for the records of a run in
    /// progress.
    ///
    /// # Errors
    /// Returns a sentence about the first index that refers to a missing entry.
    pub fn check(&self) -> Result<(), String> {
        let known: HashSet<u32> = self.processes.iter().map(|process| process.process).collect();
        let variants = self.header.variants.len().max(1);
        let is_case = |case: u32| (case as usize) < self.cases.len();
        if let Some(process) = self.processes.iter().find(|process| process.variant as usize >= variants) {
            return Err(format!("process {} has a variant that is not in the run", process.process));
        }
        let is_lost =
            |record: &&VisitRecord| !is_case(record.visit.case) || !known.contains(&record.visit.process);
        if let Some(record) = self.visits.iter().find(is_lost) {
            return Err(format!("visit {} has a case or process that is not in the run", record.visit.visit));
        }
        let ended = self.ended.iter().map(|(case, _)| *case);
        match ended.chain(self.looks.iter().map(|look| look.case)).find(|case| !is_case(*case)) {
            Some(case) => Err(format!("the run has no case {case}")),
            None => Ok(()),
        }
    }

    /// Returns the reason why turns could not be read from the store, if that has happened
    /// ([`KeptTurns::trouble`](crate::KeptTurns::trouble)).
    pub fn trouble(&self) -> Option<String> {
        self.visits.iter().find_map(|record| record.turns.kept()?.0.trouble())
    }

    /// Adds the content of an event. Ignores events about an unknown visit.
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

    /// Marks visits of removed blocks ([`LookReason::Neighbours`]) as incomplete.
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

    /// Returns the visit with this number, searching from the most recent one.
    fn visit(&mut self, number: u32) -> Option<&mut VisitRecord> {
        self.visits.iter_mut().rfind(|record| record.visit.visit == number)
    }
}

//! Input and output of detectors.

use super::series::TurnSeries;
use derny_estimate::level::Levels;
use derny_model::{CaseResult, Machine, ProcessEnd, ProcessStart, Records, VisitRecord, words};
use std::collections::{BTreeSet, HashMap};

/// The input of a case-level detector.
pub struct CaseView<'a> {
    /// All records of the run.
    pub records: &'a Records,
    /// Processes by number.
    pub processes: &'a HashMap<u32, &'a ProcessStart>,
    /// Ends of processes by process number.
    pub(super) ends: &'a HashMap<u32, &'a ProcessEnd>,
    /// Visits of this case in chronological order.
    pub visits: &'a [&'a VisitRecord],
    /// Result of the case.
    pub result: &'a CaseResult,
    pub(super) series: &'a [TurnSeries],
    pub(super) levels: &'a Levels,
}

impl CaseView<'_> {
    pub(super) fn machine(&self) -> &Machine {
        let header = &self.records.header;
        let first = self.visits.first().and_then(|record| self.processes.get(&record.visit.process));
        let own = first.and_then(|start| header.machines.get(start.machine? as usize));
        own.unwrap_or(&header.machine)
    }

    pub(crate) fn ends(&self) -> impl Iterator<Item = &ProcessEnd> {
        let processes: BTreeSet<u32> = self.visits.iter().map(|record| record.visit.process).collect();
        processes.into_iter().filter_map(|process| self.ends.get(&process).copied())
    }
}

/// The input of a run-level detector.
pub struct RunView<'a> {
    /// All records of the run.
    pub records: &'a Records,
    /// Measured turns of every measured case.
    pub(super) series: &'a [Vec<TurnSeries>],
}

/// The result of a detector. `message` completes a sentence that begins with the case or `this run`.
#[derive(Debug, Clone, PartialEq)]
pub struct Detected {
    /// The predicate, such as `waited for a processor 31 % of the time`.
    pub message: String,
    /// What to try, such as `close other programs`.
    pub remedy: String,
    /// Severity. Comparable only among results of the same detector: the larger, the worse.
    pub severity: f64,
}

pub(super) fn percent(share: f64) -> String {
    words::percent(share.abs())
}

//! A case open in a process: the metrics of its turns, how often its body may still run, and its results.

use crate::discover::wire;
use crate::measure::turn::{TurnRequest, TurnSummary};
use crate::observe::thread::Added;
use derny_estimate::pair::Replicate;
use derny_model::{Metric, Phase, Reported, Turn};

/// A case open in a process.
#[derive(Debug, Clone)]
pub struct OpenVisit {
    /// Number of the visit in the run.
    pub number: u32,
    /// Index into the cases.
    pub case: u32,
    pub(super) metrics: Vec<Metric>,
    pub(super) added: Added,
    pub(super) ops_per_iteration: f64,
    /// Operations of a batch of the last measured turn.
    pub(super) batch_operations: f64,
    /// The mode, if not the default.
    pub(super) mode: Option<String>,
    pub(super) round: u32,
    /// The harness declared when opening it that the body is called only once.
    pub(super) once: bool,
    /// Number of batches that the body may still run in this process; `None` if it does not wear out.
    pub(super) batches_left: Option<u32>,
    /// The maximum; `batches_left` of them remain.
    pub(super) max_batches: u32,
    pub(super) pinned: bool,
    /// Operations of all its turns.
    pub(super) operations: f64,
    /// Names of reported values that are declared and therefore ignored.
    pub(super) ignored: Vec<String>,
    /// The process's results for the case so far; its cost excludes the last turn, which has not been emitted
    /// yet.
    pub replicate: Replicate,
}

impl OpenVisit {
    /// Returns the number of batches that a turn for `phase` may have, if the body wears out. Calibration
    /// leaves three quarters of them, and warm-up half of them, for later phases.
    pub fn batches(&self, phase: Phase) -> Option<u32> {
        let kept = match phase {
            Phase::Calibration => self.max_batches - self.max_batches / 4,
            Phase::WarmUp => self.max_batches.div_ceil(2),
            _ => 0,
        };
        self.batches_left.map(|left| left.saturating_sub(kept))
    }

    /// Limits a request for a body that wears out: no more batches than it has left, and no lead.
    pub(super) fn within_limits(&self, request: TurnRequest) -> TurnRequest {
        match self.batches(request.phase).filter(|_| request.phase != Phase::Overhead) {
            Some(most) => TurnRequest { batches: request.batches.min(most), lead_ns: 0, ..request },
            None => request,
        }
    }

    /// Returns the undeclared values among `reported`, and the names of declared ones that were not logged
    /// before.
    pub(super) fn undeclared(
        &mut self,
        reported: Vec<derny_protocol::Reported>,
    ) -> (Vec<Reported>, Vec<String>) {
        let is_declared = |name: &str| self.metrics.iter().any(|metric| metric.name == name);
        let (declared, others): (Vec<_>, Vec<_>) =
            reported.into_iter().partition(|one| is_declared(&one.metric.name));
        let names = declared.into_iter().map(|one| one.metric.name);
        let new: Vec<String> = names.filter(|name| !self.ignored.contains(name)).collect();
        self.ignored.extend(new.iter().cloned());
        let reported =
            |one: derny_protocol::Reported| Reported { metric: wire::metric(&one.metric), value: one.value };
        (others.into_iter().map(reported).collect(), new)
    }

    /// Adds a measured turn.
    pub(super) fn count(&mut self, turn: &Turn, summary: &TurnSummary) {
        self.replicate.rounds.add(0, turn, &self.metrics, summary.worth);
        self.batch_operations = summary.operations / turn.times_ns.len().max(1) as f64;
        self.round += 1;
    }

    /// Returns true if it has a measured turn.
    pub fn has_measured(&self) -> bool {
        self.replicate.rounds.turns() > 0
    }
}

//! A case open in a process: what its turns are closed by, how often its body may still run, and what it has shown.

use crate::discover::catalogue;
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
    /// Another way of measuring than the first.
    pub(super) mode: Option<String>,
    pub(super) round: u32,
    /// Its body is called once, as it said when it was opened.
    pub(super) once: bool,
    /// Batches that the body may still run in this process; none where it does not wear out.
    pub(super) batches_left: Option<u32>,
    /// Of how many.
    pub(super) max_batches: u32,
    pub(super) pinned: bool,
    /// Operations of all its turns.
    pub(super) operations: f64,
    /// Names of values that came undeclared and are declared all the same.
    pub(super) ignored: Vec<String>,
    /// What the process says about the case so far; its cost lacks the last turn, which is not told yet.
    pub replicate: Replicate,
}

impl OpenVisit {
    /// How many batches a turn for `phase` may have, where the body wears out. Calibration leaves three quarters of them, and warm-up half
    /// of them, for what comes after.
    pub fn batches(&self, phase: Phase) -> Option<u32> {
        let kept = match phase {
            Phase::Calibration => self.max_batches - self.max_batches / 4,
            Phase::WarmUp => self.max_batches.div_ceil(2),
            _ => 0,
        };
        self.batches_left.map(|left| left.saturating_sub(kept))
    }

    /// What is asked of a body that wears out: no more batches than it has left, none of them untimed.
    pub(super) fn within_limits(&self, request: TurnRequest) -> TurnRequest {
        match self.batches(request.phase).filter(|_| request.phase != Phase::Overhead) {
            Some(most) => TurnRequest { batches: request.batches.min(most), lead_ns: 0, ..request },
            None => request,
        }
    }

    /// The values among `reported` that are not declared, and the names of those that are and were not told of before.
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
        let reported = |one: derny_protocol::Reported| Reported {
            metric: catalogue::metric(&one.metric),
            value: one.value,
        };
        (others.into_iter().map(reported).collect(), new)
    }

    /// Takes a measured turn.
    pub(super) fn count(&mut self, turn: &Turn, summary: &TurnSummary) {
        self.replicate.rounds.add(0, turn, &self.metrics, summary.worth);
        self.batch_operations = summary.operations / turn.times_ns.len().max(1) as f64;
        self.round += 1;
    }

    /// It has a measured turn.
    pub fn has_measured(&self) -> bool {
        self.replicate.rounds.turns() > 0
    }
}

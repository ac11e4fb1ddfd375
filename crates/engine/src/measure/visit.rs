//! A visit: a case that is open in a process. It contains the metrics of the turns, the remaining
//! batches of the body, and the results.

use crate::discover::wire;
use crate::measure::turn::{TurnRequest, TurnSummary};
use crate::observe::thread::Added;
use derny_estimate::pair::Replicate;
use derny_model::{Metric, Phase, Reported, Turn};

/// A case that is open in a process.
#[derive(Debug, Clone)]
pub struct OpenVisit {
    /// Number of the visit in the run.
    pub number: u32,
    pub case: u32,
    pub(super) metrics: Vec<Metric>,
    pub(super) added: Added,
    pub(super) ops_per_iteration: f64,
    /// Number of operations of a batch in the last measured turn.
    pub(super) batch_operations: f64,
    /// The mode, if it is not the harness's default.
    pub(super) mode: Option<String>,
    pub(super) round: u32,
    /// True if the harness declared, when opening the case, that the body is called only once.
    pub(super) once: bool,
    /// Number of batches that the body may still run in this process. `None` if it is not limited.
    pub(super) batches_left: Option<u32>,
    /// Total number of batches that the body may run in a process. 0 if it is not limited.
    pub(super) max_batches: u32,
    pub(super) pinned: bool,
    /// Number of operations of all turns.
    pub(super) operations: f64,
    /// Names of reported values that are ignored because they are also declared.
    pub(super) ignored: Vec<String>,
    /// Results of the process for the case so far. Their cost includes the last turn only once that
    /// turn is emitted.
    pub replicate: Replicate,
}

impl OpenVisit {
    /// Returns the number of batches that a turn for `phase` may have, if the body is limited.
    /// Calibration leaves three quarters of the batches for later phases, and warm-up leaves half.
    pub fn batches(&self, phase: Phase) -> Option<u32> {
        let kept = match phase {
            Phase::Calibration => self.max_batches - self.max_batches / 4,
            Phase::WarmUp => self.max_batches.div_ceil(2),
            _ => 0,
        };
        self.batches_left.map(|left| left.saturating_sub(kept))
    }

    /// Limits a request to the remaining batches of the body. A limited body also gets no lead.
    pub(super) fn within_limits(&self, request: TurnRequest) -> TurnRequest {
        match self.batches(request.phase).filter(|_| request.phase != Phase::Overhead) {
            Some(most) => TurnRequest { batches: request.batches.min(most), lead_ns: 0, ..request },
            None => request,
        }
    }

    /// Returns the `reported` values that are not declared, and the names of declared ones that were
    /// not logged before.
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

    pub fn has_measured(&self) -> bool {
        self.replicate.rounds.turns() > 0
    }
}

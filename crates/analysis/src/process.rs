//! A process that measured a case: the unit of replication.

use crate::cold;
use derny_estimate::pair::Replicate;
use derny_estimate::turn;
use derny_model::{Case, FirstCall, Phase, ProcessStart, Turn, VisitRecord};

#[derive(Debug, Clone, Default)]
pub(crate) struct Process {
    /// Number of the process in the run.
    pub process: u32,
    pub clock_step_ns: u64,
    pub turns: Vec<f64>,
    pub replicate: Replicate,
    pub timeline: Vec<f64>,
    pub batches: Vec<f64>,
    /// First batch of the first call, in ns per operation.
    pub cold: Option<f64>,
    /// First call, if another program would report it.
    pub first: Option<FirstCall>,
    /// True if warm-up turns preceded the measured ones.
    pub is_warm: bool,
    pub lowered: Option<u64>,
    /// Time of the first forced collection, in ns.
    pub collection: Option<f64>,
    /// Counts and times of the turns.
    pub observed: Observed,
    /// Number of iterations and batch time in ns of each turn. Omits turns that report their own number of
    /// operations.
    pub ladder: Vec<(f64, f64)>,
}

/// Counts and times of a process's measured, window and rejected turns.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Observed {
    /// Number of collections. `None` if they are not counted.
    pub collections: Option<f64>,
    pub ended_ns: u64,
}

impl Observed {
    fn of(visits: &[&VisitRecord]) -> Observed {
        let mut observed = Observed::default();
        for visit in visits {
            let counter = visit.visit.metrics.iter().position(|metric| metric.name == "gc");
            for turn in visit
                .turns
                .iter()
                .filter(|turn| matches!(turn.phase, Phase::Measured | Phase::Rejected | Phase::Window))
            {
                observed.ended_ns = observed.ended_ns.max(turn.at_ns.saturating_add(turn.wall_ns));
                if let Some(count) = counter.and_then(|at| turn.counters.get(at).copied().flatten()) {
                    *observed.collections.get_or_insert(0.0) += count;
                }
            }
        }
        observed
    }
}

impl Process {
    pub(crate) fn new(start: &ProcessStart, case: &Case, visits: &[&VisitRecord]) -> Process {
        let mut process =
            Process { process: start.process, clock_step_ns: start.clock_step_ns, ..Process::default() };
        let turns = || visits.iter().flat_map(|visit| &visit.turns);
        let measured = || turns().filter(|turn| turn.phase == Phase::Measured);
        process.batches.reserve(measured().map(|turn| turn.times_ns.len()).sum());
        process.observed = Observed::of(visits);
        process.first = cold::as_run(case, visits);
        process.is_warm = turns().any(|turn| turn.phase == Phase::WarmUp);
        // In a body that times itself, an iteration is one call with the configured parameter.
        let lowered = measured().filter(|turn| turn.ops.is_some() && turn.iterations > 1);
        process.lowered = lowered.map(|turn| turn.iterations).min().filter(|_| case.scale.is_some());
        process.replicate = Replicate::of(start, case, visits.iter().copied());
        for turn in turns() {
            process.add(turn, case.ops);
        }
        process
    }

    fn add(&mut self, turn: &Turn, ops: f64) {
        match turn.phase {
            Phase::Calibration | Phase::Settling | Phase::Rejected | Phase::Window | Phase::Overhead => {}
            Phase::Collection => {
                if self.collection.is_none() {
                    self.collection = turn.times_ns.first().map(|time| *time as f64);
                }
            }
            Phase::Cold => {
                if self.cold.is_none() {
                    self.cold = turn::values(turn, ops).next();
                }
            }
            Phase::WarmUp => {
                self.timeline.extend(turn::parts(turn, ops, self.clock_step_ns));
            }
            Phase::Measured => self.measured(turn, ops),
        }
    }

    fn measured(&mut self, turn: &Turn, ops: f64) {
        let start = self.batches.len();
        self.batches.extend(turn::values(turn, ops));
        if let Some(value) = turn::location(turn, &self.batches[start..], self.clock_step_ns) {
            self.turns.push(value);
            self.timeline.push(value);
            if turn.ops.is_none() {
                self.ladder.push((turn.iterations as f64, value * turn.iterations as f64 * ops));
            }
        }
    }

    pub(crate) fn logs(&self) -> &[f64] {
        self.replicate.rounds.logs()
    }

    /// Returns the logarithm of the process's time per operation, or `None` if no time was measurable.
    pub(crate) fn location(&self) -> Option<f64> {
        self.replicate.rounds.location()
    }
}

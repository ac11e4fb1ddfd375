//! One process of one case: the replicate.

use crate::cold;
use derny_estimate::pair::Replicate;
use derny_estimate::turn;
use derny_model::{Case, FirstCall, Phase, ProcessStart, Turn, VisitRecord};

/// What one process says about a case. A process that visited the case more than once counts once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Process {
    /// Number within the run.
    pub process: u32,
    /// Step of its clock in ns.
    pub clock_step_ns: u64,
    /// Values of the measured turns, ns per operation, in time order.
    pub turns: Vec<f64>,
    /// The same as rounds, and what the process spent in all.
    pub replicate: Replicate,
    /// Values of all turns but the cold one, calibration and the empty body, in time order.
    pub timeline: Vec<f64>,
    /// Values of all measured batches, ns per operation.
    pub batches: Vec<f64>,
    /// First batch of the cold turn, ns per operation.
    pub cold: Option<f64>,
    /// The first call, where another program would report that.
    pub first: Option<FirstCall>,
    /// Its measured turns came after a warm-up.
    pub is_warm: bool,
    /// The value of the parameter that iterations set, where measured turns had another one than the configured.
    pub lowered: Option<u64>,
    /// Time of the first collection asked for, in ns.
    pub collection: Option<f64>,
    /// What was seen beside their times.
    pub observed: Observed,
    /// Median time of a batch over iterations, by turn: `(iterations, ns)`.
    pub ladder: Vec<(f64, f64)>,
}

/// What happened while a process was looked at, in its measured turns, those of windows and rejected ones.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Observed {
    /// Collections counted in them; none where nobody counts.
    pub collections: Option<f64>,
    /// When the last of them ended, in ns since the run's start.
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
    /// The visits of one process to one case.
    pub(crate) fn new(start: &ProcessStart, case: &Case, visits: &[&VisitRecord]) -> Process {
        let mut process =
            Process { process: start.process, clock_step_ns: start.clock_step_ns, ..Process::default() };
        let turns = || visits.iter().flat_map(|visit| &visit.turns);
        let measured = || turns().filter(|turn| turn.phase == Phase::Measured);
        process.batches.reserve(measured().map(|turn| turn.times_ns.len()).sum());
        process.observed = Observed::of(visits);
        process.first = cold::as_run(case, visits);
        process.is_warm = turns().any(|turn| turn.phase == Phase::WarmUp);
        // One iteration of a body that times itself is a call as configured.
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

    /// Logarithms of the turn values that took measurable time.
    pub(crate) fn logs(&self) -> &[f64] {
        self.replicate.rounds.logs()
    }

    /// Logarithm of the process's time per operation; none where no turn took measurable time.
    pub(crate) fn location(&self) -> Option<f64> {
        self.replicate.rounds.location()
    }
}

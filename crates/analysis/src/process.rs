//! One process of one case: the replicate.

use crate::turn;
use derny_model::{Case, Phase, ProcessStart, Turn, VisitRecord};
use derny_stats::location::best_group_median;

/// A processor counts by itself from this many turns on.
const LEAST_TURNS: usize = 3;

/// What one process says about a case. A process that visited the case more than once counts once.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Process {
    /// Number within the run.
    pub process: u32,
    /// Step of its clock in ns.
    pub clock_step_ns: u64,
    /// Values of the measured turns, ns per operation, in time order.
    pub turns: Vec<f64>,
    /// Processor of each of them, where it was chosen.
    pub processors: Vec<Option<u32>>,
    /// Logarithms of the turn values that took measurable time.
    pub logs: Vec<f64>,
    /// Values of all turns but the cold one, calibration and the empty body, in time order.
    pub timeline: Vec<f64>,
    /// Values of all measured batches, ns per operation.
    pub batches: Vec<f64>,
    /// By how much a step of the clock may move all turns alike ([`turn::resolution`]).
    pub resolution: f64,
    /// Time and operations of the measured turns, rejected ones included.
    pub total: (f64, f64),
    /// First batch of the cold turn, ns per operation.
    pub cold: Option<f64>,
    /// Time of the first collection asked for, in ns.
    pub collection: Option<f64>,
    /// Values of the empty body's turns, ns per iteration.
    pub floor: Vec<f64>,
    /// Median time of a batch over iterations, by turn: `(iterations, ns)`.
    pub ladder: Vec<(f64, f64)>,
}

impl Process {
    /// The visits of one process to one case.
    pub(crate) fn new(start: &ProcessStart, case: &Case, visits: &[&VisitRecord]) -> Process {
        let mut process =
            Process { process: start.process, clock_step_ns: start.clock_step_ns, ..Process::default() };
        let turns = || visits.iter().flat_map(|visit| &visit.turns);
        let measured = || turns().filter(|turn| turn.phase == Phase::Measured);
        process.batches.reserve(measured().map(|turn| turn.times_ns.len()).sum());
        process.resolution = turn::resolution(measured(), start.clock_step_ns);
        for turn in turns() {
            process.add(turn, case.ops);
        }
        process.logs =
            process.turns.iter().filter(|value| **value > 0.0).map(|value| libm::log(*value)).collect();
        process
    }

    fn add(&mut self, turn: &Turn, ops: f64) {
        match turn.phase {
            Phase::Calibration | Phase::Settling => {}
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
            Phase::Overhead => {
                // The first turns compile the empty loop: the last one of a visit counts.
                self.floor = turn::value(turn, 1.0, self.clock_step_ns).into_iter().collect();
            }
            Phase::Rejected => self.add_total(turn, ops),
            Phase::Measured => self.measured(turn, ops),
        }
    }

    fn measured(&mut self, turn: &Turn, ops: f64) {
        let start = self.batches.len();
        self.batches.extend(turn::values(turn, ops));
        if let Some(value) = turn::location(turn, &self.batches[start..], self.clock_step_ns) {
            self.turns.push(value);
            self.processors.push(turn.cpu);
            self.timeline.push(value);
            if turn.ops.is_none() {
                self.ladder.push((turn.iterations as f64, value * turn.iterations as f64 * ops));
            }
        }
        self.add_total(turn, ops);
    }

    /// Rejected turns count here: leaving out what `--reject` measured again would hide the very cost that
    /// amortised time is there to show.
    fn add_total(&mut self, turn: &Turn, ops: f64) {
        let (time, operations) = turn::totals(turn, ops);
        self.total.0 += time;
        self.total.1 += operations;
    }

    /// Logarithm of the process's time per operation: the median over its turns on the processor where that is
    /// least. None where no turn took measurable time.
    ///
    /// One processor: on one virtual machine the same loop differed by up to a factor of two between processors, for
    /// seconds at a time and for no cause that could be seen from inside; a median over both would jump between them.
    ///
    /// The median, although Hodges–Lehmann needs a third fewer turns where noise is normal: beside busy
    /// programs a third to a half of a process's turns are slowed, some twofold, and none is quickened. With six
    /// busy loops on two processors the median stayed within 0.4 % of the quiet time and its spread over
    /// processes at 1.4 %; Hodges–Lehmann, which bears 29 % of outliers, was 4.5 % off and spread 8 %.
    pub(crate) fn location(&self) -> Option<f64> {
        let took = |value: &f64| *value > 0.0;
        let processors = self.turns.iter().zip(&self.processors).filter(|(value, _)| took(value));
        let processors: Vec<Option<u32>> = processors.map(|(_, processor)| *processor).collect();
        (!self.logs.is_empty()).then(|| best_group_median(&self.logs, &processors, LEAST_TURNS))
    }
}

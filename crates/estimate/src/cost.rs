//! The total cost of a process, from which mean time is computed.
//!
//! Mean time includes every turn, however rare its cost. Turns that `reject` measured again count too.
//! Otherwise, mean time would hide what they cost.

use crate::turn;
use derny_model::{Collector, Metric, Phase, Turn};
use derny_stats::median;
use std::ops::Range;

/// The contribution of a turn to mean time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// A warm-up turn. It reveals collections and pauses, but is not part of totals.
    WarmUp,
    /// A measured turn, rejected or not.
    Measured,
    /// A turn measured only for mean time.
    Window,
}

/// The cost of a timed turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spent {
    /// Contribution of the turn to mean time.
    pub used: Use,
    /// Time of its batches, in ns.
    pub ns: f64,
    /// Number of operations.
    pub operations: f64,
    /// Number of collections. `None` if they are not counted.
    pub collections: Option<f64>,
    /// Processor time of the thread in ns. `None` if unknown.
    pub cpu_ns: Option<f64>,
    /// True if the thread was preempted. `None` if unknown.
    pub preempted: Option<bool>,
    /// True if code was compiled or loaded.
    pub compiled: bool,
    /// Time in ns by which the longest batch exceeds the median batch, or 0 if it takes at most twice as
    /// long. Only set for warm-up turns.
    pub excess_ns: f64,
}

/// The cost of the turns of a process.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cost {
    /// The process's declaration about its garbage collector, if any.
    pub collector: Option<Collector>,
    /// Timed turns in chronological order: warm-up, measured, rejected, and those of windows.
    pub turns: Vec<Spent>,
    /// Number of turns before the heap settled. `None` if it never did.
    pub young: Option<usize>,
    /// Bytes that the turns of the totals allocated, and the operations of these turns. `None` if bytes are
    /// not counted.
    pub allocated: Option<(f64, f64)>,
}

/// The frequency of a variant's collections.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pace {
    processes: f64,
    planned: f64,
    operations: f64,
    collections: f64,
}

impl Pace {
    /// If a process has fewer collections than this on average, they are too rare to form cycles. They then
    /// count as pauses.
    const RARE: f64 = 0.25;

    /// Adds a process.
    pub fn add(&mut self, cost: &Cost) {
        self.processes += 1.0;
        self.planned += cost.planned();
        for turn in cost.telling() {
            self.operations += turn.operations;
            self.collections += turn.collections.unwrap_or(0.0);
        }
    }

    /// Returns the number of operations in one collection cycle, averaged over the variant's processes.
    /// Returns `None` if collections are so rare that they count as pauses. A body that allocates nothing
    /// still shows an occasional collection of its harness's garbage.
    pub fn cycle(self) -> Option<f64> {
        let cycle = self.operations / self.collections;
        (self.collections >= 2.0 && self.planned > Pace::RARE * self.processes * cycle).then_some(cycle)
    }
}

impl Spent {
    /// Returns the time per operation in ns.
    pub fn each(&self) -> f64 {
        self.ns / self.operations
    }

    /// Returns true if a collection was counted.
    pub fn collected(&self) -> bool {
        self.collections.is_some_and(|count| count > 0.0)
    }

    /// Returns true if the thread was preempted and no collection or compilation explains the time.
    pub fn is_only_preempted(&self) -> bool {
        self.preempted == Some(true) && !self.collected() && !self.compiled
    }

    /// Returns true if code was compiled, and no collection explains the time.
    pub fn is_only_compiled(&self) -> bool {
        self.compiled && !self.collected()
    }
}

impl Cost {
    /// Creates an empty cost for a process with this collector.
    pub fn new(collector: Option<Collector>) -> Cost {
        Cost { collector, ..Cost::default() }
    }

    /// Adds a turn. `metrics` describes its counters. Ignores first calls, calibration, the empty body and
    /// forced collections.
    pub fn add(&mut self, turn: &Turn, metrics: &[Metric], ops_per_iteration: f64) {
        let used = match turn.phase {
            Phase::WarmUp => Use::WarmUp,
            Phase::Measured | Phase::Rejected => Use::Measured,
            Phase::Window => Use::Window,
            Phase::Settling => {
                self.young = Some(self.turns.len());
                return;
            }
            Phase::Cold | Phase::Calibration | Phase::Overhead | Phase::Collection => return,
        };
        let (ns, operations) = turn::totals(turn, ops_per_iteration);
        if turn.times_ns.is_empty() || operations.is_nan() || operations <= 0.0 {
            return;
        }
        let told = |count: fn(&Metric) -> bool| {
            let own = metrics.iter().zip(&turn.counters).filter(|(metric, _)| count(metric));
            own.filter_map(|(_, value)| *value).reduce(|sum, value| sum + value)
        };
        if used != Use::WarmUp
            && let Some(bytes) = told(|metric| metric.name == "allocated")
        {
            let (before, of) = self.allocated.unwrap_or_default();
            self.allocated = Some((before + bytes, of + operations));
        }
        let compiled = |metric: &Metric| metric.name == "compiled" || metric.name == "classes";
        let compiled = told(compiled).is_some_and(|count| count > 0.0);
        let warms = used == Use::WarmUp && !compiled;
        self.turns.push(Spent {
            used,
            ns,
            operations,
            collections: told(|metric| metric.name == "gc")
                .or_else(|| told(|metric| metric.counts_collections() && metric.unit == "count"))
                .or_else(|| told(Metric::counts_collections).map(|time| f64::from(time > 0.0))),
            cpu_ns: told(|metric| metric.name == "cpu" && metric.unit == "ns"),
            preempted: told(|metric| metric.name == "preempted").map(|count| count > 0.0),
            compiled,
            excess_ns: if warms { longest_excess(turn, ops_per_iteration) } else { 0.0 },
        });
    }

    /// Returns the turns that are part of totals, in chronological order: measured, rejected, and those of
    /// windows.
    pub fn spent(&self) -> impl Iterator<Item = &Spent> {
        self.turns.iter().filter(|turn| turn.used != Use::WarmUp)
    }

    /// Returns the wall time of all turns that are part of totals, in ns.
    pub fn wall_ns(&self) -> f64 {
        self.spent().map(|turn| turn.ns).sum()
    }

    /// Returns true if a collection was counted in a warm-up or measured turn.
    pub fn is_collecting(&self) -> bool {
        self.turns.iter().any(Spent::collected)
    }

    /// Returns the number of representative turns with and without a collection.
    pub fn collected_turns(&self) -> [u64; 2] {
        let hit = self.telling().filter(|turn| turn.collected()).count();
        [hit as u64, (self.telling().count() - hit) as u64]
    }

    /// Returns the number of collections in the representative turns, and the operations of these turns.
    /// `None` if collections are not counted.
    pub fn collections(&self) -> Option<(f64, f64)> {
        let counted = self.telling().filter_map(|turn| Some((turn.collections?, turn.operations)));
        counted.reduce(|sum, own| (sum.0 + own.0, sum.1 + own.1))
    }

    /// Returns true if the collector may run without reporting it.
    pub fn is_untold(&self) -> bool {
        self.collector != Some(Collector::None)
            && (matches!(self.collector, None | Some(Collector::Untold))
                || self.turns.iter().all(|turn| turn.collections.is_none()))
    }

    /// Returns the turns that are representative of the collector. They exclude the warm-up before the heap
    /// settled, or half of the warm-up if it never did. A young heap is collected more often, and
    /// interpreters allocate where compiled code does not.
    fn telling(&self) -> impl Iterator<Item = &Spent> {
        let from = self.young.unwrap_or_else(|| self.warm().count() / 2);
        let tells = move |(at, turn): &(usize, &Spent)| turn.used != Use::WarmUp || *at >= from;
        self.turns.iter().enumerate().filter(tells).map(|(_, turn)| turn)
    }

    /// Returns the warm-up turns.
    pub fn warm(&self) -> impl Iterator<Item = &Spent> {
        self.turns.iter().filter(|turn| turn.used == Use::WarmUp)
    }

    /// Returns the planned number of operations: those of all measured turns.
    pub fn planned(&self) -> f64 {
        self.turns.iter().filter(|turn| turn.used == Use::Measured).map(|turn| turn.operations).sum()
    }

    /// Returns the turns of whole collection cycles, as positions in [`Cost::spent`]. The window begins after
    /// the first measured turn with a collection. It ends with the first such turn after the planned
    /// operations, so it contains the last collection but not the first. Returns `None` if no cycle is
    /// complete.
    pub fn window(&self) -> Option<Range<usize>> {
        let turns: Vec<&Spent> = self.spent().collect();
        let planned = self.planned();
        let start = turns.iter().position(|turn| turn.collected())? + 1;
        let mut operations = 0.0;
        for (at, turn) in turns.iter().enumerate().skip(start) {
            // The turn that completes the planned operations may also end the window.
            operations += turn.operations;
            if operations >= planned && turn.collected() {
                return Some(start..at + 1);
            }
        }
        None
    }

    /// Returns the longest pause of the second half of the warm-up in ns, or 0. With `collections`, a
    /// collection counts as a pause, because collections form no cycles.
    pub fn warm_pause(&self, collections: bool) -> f64 {
        let half = self.warm().count() / 2;
        let counts = |turn: &&Spent| collections || !turn.collected();
        self.warm().skip(half).filter(counts).map(|turn| turn.excess_ns).fold(0.0, f64::max)
    }
}

/// Returns the time in ns by which the longest batch exceeds the median batch, or 0 if it takes at most twice
/// as long.
fn longest_excess(turn: &Turn, ops_per_iteration: f64) -> f64 {
    let values: Vec<f64> = turn::values(turn, ops_per_iteration).collect();
    if values.is_empty() {
        return 0.0;
    }
    let middle = median(&values);
    let excess = |(index, value): (usize, &f64)| {
        let operations = turn.operations(index, ops_per_iteration);
        if *value > 2.0 * middle { (value - middle) * operations } else { 0.0 }
    };
    values.iter().enumerate().map(excess).filter(|ns| ns.is_finite()).fold(0.0, f64::max)
}

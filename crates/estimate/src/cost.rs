//! What a process spent: what mean time is made of.
//!
//! Mean time asks what a program pays in total, so that nothing is left out because it is rare. Rejected turns count: leaving out what
//! `--reject` measured again would hide the very cost that mean time is there to show.

use crate::turn;
use derny_model::{Collector, Metric, Phase, Turn};
use derny_stats::median;
use std::ops::Range;

/// What a turn was for, as far as mean time is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Warm-up: it tells of collections and pauses, and is in no total.
    WarmUp,
    /// Measured, or measured and rejected.
    Measured,
    /// Measured for mean time alone.
    Window,
}

/// A timed turn as a cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spent {
    /// What for.
    pub used: Use,
    /// Timed time in ns.
    pub ns: f64,
    /// Operations.
    pub operations: f64,
    /// Collections; none where nobody counts them.
    pub collections: Option<f64>,
    /// The thread was preempted; none where that is not known.
    pub preempted: Option<bool>,
    /// Code was compiled or loaded.
    pub compiled: bool,
    /// By how much its longest batch exceeds the median of them, in ns, where it is above twice that; for warm-up turns only.
    pub excess_ns: f64,
}

/// What the turns of a process have cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cost {
    /// Whether a collector may run, and whether anybody tells; none where that is not known.
    pub collector: Option<Collector>,
    /// Timed turns: warm-up, measured, rejected and those of windows, in time order.
    pub turns: Vec<Spent>,
    /// How many of them came before its heap was settled; none where it was not.
    pub young: Option<usize>,
    /// Bytes that turns in totals have allocated, and their operations; none where nothing counts them.
    pub allocated: Option<(f64, f64)>,
}

/// How often the processes of one side collect.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pace {
    processes: f64,
    planned: f64,
    operations: f64,
    collections: f64,
}

impl Pace {
    /// With fewer collections in the planned operations of a process, collections are pauses: too rare for cycles.
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

    /// Operations of one cycle of the collector, over all processes of the side. None where collections are so rare that they are pauses:
    /// a body that allocates nothing meets the garbage of its harness now and then.
    pub fn cycle(self) -> Option<f64> {
        let cycle = self.operations / self.collections;
        (self.collections >= 2.0 && self.planned > Pace::RARE * self.processes * cycle).then_some(cycle)
    }
}

impl Spent {
    /// Time per operation in ns.
    pub fn each(&self) -> f64 {
        self.ns / self.operations
    }

    /// A collection was counted.
    pub fn collected(&self) -> bool {
        self.collections.is_some_and(|count| count > 0.0)
    }

    /// Preempted, and neither a collection nor a compilation accounts for its time.
    pub fn is_only_preempted(&self) -> bool {
        self.preempted == Some(true) && !self.collected() && !self.compiled
    }

    /// Code was compiled, and no collection accounts for its time.
    pub fn is_only_compiled(&self) -> bool {
        self.compiled && !self.collected()
    }
}

impl Cost {
    /// Nothing yet, of a process of which this is known.
    pub fn new(collector: Option<Collector>) -> Cost {
        Cost { collector, ..Cost::default() }
    }

    /// Adds a turn whose counters are those of `metrics`; cold, calibration and empty ones are nothing.
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
            preempted: told(|metric| metric.name == "preempted").map(|count| count > 0.0),
            compiled,
            excess_ns: if warms { longest_excess(turn, ops_per_iteration) } else { 0.0 },
        });
    }

    /// Turns that are in totals, in time order: measured, rejected, and those of windows.
    pub fn spent(&self) -> impl Iterator<Item = &Spent> {
        self.turns.iter().filter(|turn| turn.used != Use::WarmUp)
    }

    /// Wall time in ns of all turns that are in totals.
    pub fn wall_ns(&self) -> f64 {
        self.spent().map(|turn| turn.ns).sum()
    }

    /// A collection was counted in a warm-up or measured turn.
    pub fn is_collecting(&self) -> bool {
        self.turns.iter().any(Spent::collected)
    }

    /// Of the turns that show how often the collector comes: those in which a collection was counted, and the others.
    pub fn collected_turns(&self) -> [u64; 2] {
        let hit = self.telling().filter(|turn| turn.collected()).count();
        [hit as u64, (self.telling().count() - hit) as u64]
    }

    /// Collections in the same turns, and their operations; none where collections are not counted.
    pub fn collections(&self) -> Option<(f64, f64)> {
        let counted = self.telling().filter_map(|turn| Some((turn.collections?, turn.operations)));
        counted.reduce(|sum, own| (sum.0 + own.0, sum.1 + own.1))
    }

    /// A collector may run, and nobody tells.
    pub fn is_untold(&self) -> bool {
        self.collector != Some(Collector::None)
            && (matches!(self.collector, None | Some(Collector::Untold))
                || self.turns.iter().all(|turn| turn.collections.is_none()))
    }

    /// The turns that show how often the collector comes. Of warm-up: those since the heap was settled, or else the last half. An
    /// interpreter allocates where compiled code does not, and a young heap is collected more often.
    fn telling(&self) -> impl Iterator<Item = &Spent> {
        let from = self.young.unwrap_or_else(|| self.warm().count() / 2);
        let tells = move |(at, turn): &(usize, &Spent)| turn.used != Use::WarmUp || *at >= from;
        self.turns.iter().enumerate().filter(tells).map(|(_, turn)| turn)
    }

    fn warm(&self) -> impl Iterator<Item = &Spent> {
        self.turns.iter().filter(|turn| turn.used == Use::WarmUp)
    }

    /// Operations that were planned: those of all measured turns.
    pub fn planned(&self) -> f64 {
        self.turns.iter().filter(|turn| turn.used == Use::Measured).map(|turn| turn.operations).sum()
    }

    /// The turns of whole cycles, as places in [`Cost::spent`]: from after the first measured turn in which a collection was
    /// counted, to the first such turn after as many operations as were planned, which are those of all measured turns. The first
    /// collection lies outside, the last one inside. None where they are not whole.
    pub fn window(&self) -> Option<Range<usize>> {
        let turns: Vec<&Spent> = self.spent().collect();
        let planned = self.planned();
        let start = turns.iter().position(|turn| turn.collected())? + 1;
        let mut operations = 0.0;
        for (at, turn) in turns.iter().enumerate().skip(start) {
            // The turn in which the planned length is reached may end the window.
            operations += turn.operations;
            if operations >= planned && turn.collected() {
                return Some(start..at + 1);
            }
        }
        None
    }

    /// The longest pause of the last half of warm-up, in ns; 0 where there was none. Collections are pauses only where they
    /// make up no cycles.
    pub fn warm_pause(&self, collections: bool) -> f64 {
        let half = self.warm().count() / 2;
        let counts = |turn: &&Spent| collections || !turn.collected();
        self.warm().skip(half).filter(counts).map(|turn| turn.excess_ns).fold(0.0, f64::max)
    }
}

/// By how much the longest batch of a turn exceeds the median of them, in ns; 0 where it is not above twice that.
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

//! Determines which turns of a process count towards mean time.

use crate::cost::{Cost, Pace, Spent};
use crate::pair::CostPair;
use derny_model::Observed;
use derny_stats::{fisher, median};

/// A turn that takes more than this multiple of the median of similar turns contains a pause.
const PAUSE: f64 = 2.0;
/// If the variants differ in preempted turns with a p-value below this, the turns are kept.
const PREEMPTED: f64 = 0.01;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Way {
    Pauses,
    Cycles,
}

/// The totals of one variant, for the details of a row.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Shown {
    /// Wall time in ns of the included turns, plus the usual time of the operations in excluded turns.
    pub ns: f64,
    /// Number of operations of the included and excluded turns.
    pub operations: f64,
    /// Number of collections counted in these turns.
    pub collections: f64,
    /// Number of pauses: turns that take more than twice the median of similar turns.
    pub pauses: u32,
    /// Time by which the pauses exceed that median, in ns.
    pub paused_ns: f64,
    /// Number of turns excluded because the thread was preempted or code was compiled.
    pub left_out: u32,
    /// Sum of the squares of the pauses' excess times.
    pub(super) squares: f64,
}

impl Shown {
    /// Converts the totals for reports. `age_ns` is the age of the oldest process.
    pub fn observed(&self, age_ns: u64) -> Observed {
        Observed {
            wall_ns: self.ns,
            collections: self.collections,
            pauses: self.pauses,
            paused_ns: self.paused_ns,
            left_out: self.left_out,
            age_ns,
        }
    }
}

pub(super) struct Counted<'a> {
    turns: Vec<&'a Spent>,
    left_out: u32,
    /// Time in ns and operations of excluded turns, corrected by [`Calm::instead`].
    instead: (f64, f64),
    /// Median time per operation of the turns without a collection, or of all turns if each has one.
    middle: f64,
}

pub(super) fn counted<'a>(
    pairs: &[CostPair<'a>],
    ways: [Way; 2],
    drops: Drops,
) -> Vec<(CostPair<'a>, [Counted<'a>; 2])> {
    let of = |side: usize, cost| Counted::of(cost, ways[side], drops);
    pairs.iter().filter_map(|pair| Some((*pair, [of(0, pair.base)?, of(1, pair.new)?]))).collect()
}

pub(super) fn way<'a>(costs: impl Iterator<Item = &'a Cost>) -> Way {
    let mut pace = Pace::default();
    costs.for_each(|cost| pace.add(cost));
    if pace.cycle().is_some() { Way::Cycles } else { Way::Pauses }
}

/// Returns the time in ns and the operations of each process of a variant. Uses only whole collection cycles
/// if there are any. Operations in turns with preemption or compilation count with their usual time.
pub fn totals(costs: &[&Cost]) -> Vec<(f64, f64)> {
    let way = way(costs.iter().copied());
    let drops = Drops { preempted: true, compiled: Drops::leaves_compiled(costs) };
    let one = |cost: &&Cost| {
        let counted = Counted::of(cost, way, drops).or_else(|| Counted::of(cost, Way::Pauses, drops));
        counted.map_or((0.0, 0.0), |counted| counted.total())
    };
    costs.iter().map(one).collect()
}

fn sum<'a>(turns: impl Iterator<Item = &'a Spent>) -> (f64, f64) {
    turns.fold((0.0, 0.0), |sum, turn| (sum.0 + turn.ns, sum.1 + turn.operations))
}

/// Kinds of turns that are excluded from both variants.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drops {
    /// True to exclude turns whose only disturbance is a preempted thread. They are kept if one variant has
    /// more of them, because it may cause them.
    preempted: bool,
    /// True to exclude turns in which code was compiled, because a program compiles only once. They are kept
    /// if they are the majority, because the body then causes them.
    compiled: bool,
}

impl Drops {
    pub(super) fn of(sides: [Vec<&Cost>; 2]) -> Drops {
        let preempted = |costs: &[&Cost]| count(costs, Spent::is_only_preempted);
        let alike = fisher::p_value([preempted(&sides[0]), preempted(&sides[1])]) >= PREEMPTED;
        Drops { preempted: alike, compiled: sides.iter().all(|costs| Drops::leaves_compiled(costs)) }
    }

    fn leaves_compiled(costs: &[&Cost]) -> bool {
        let [hit, others] = count(costs, Spent::is_only_compiled);
        hit < others
    }

    fn leave_out(self, turn: &Spent) -> bool {
        (self.preempted && turn.is_only_preempted()) || (self.compiled && turn.is_only_compiled())
    }
}

fn count(costs: &[&Cost], of: fn(&Spent) -> bool) -> [u64; 2] {
    let turns = || costs.iter().flat_map(|cost| cost.spent());
    let hit = turns().filter(|turn| of(turn)).count() as u64;
    [hit, turns().count() as u64 - hit]
}

/// Returns the usual duration of a collection in ns: the median excess of turns with a collection over those
/// without. Turns have unequal numbers of operations, because a collection soon ends a turn. A ratio of times
/// per operation would therefore be wrong.
pub(super) fn collecting_ns<'a>(visits: impl Iterator<Item = &'a Counted<'a>>) -> f64 {
    let excess = |visit: &'a Counted<'a>| {
        visit.turns.iter().filter(|turn| turn.collected()).map(move |turn| visit.excess(turn))
    };
    let all: Vec<f64> = visits.flat_map(excess).collect();
    if all.is_empty() { 0.0 } else { median(&all) }
}

/// The usual times of a process, from its included turns without a collection.
struct Calm {
    each_ns: f64,
    /// Ratio of wall time to processor time, if processor time is known.
    per_cpu: Option<f64>,
}

impl Calm {
    fn of(kept: &[&Spent]) -> Option<Calm> {
        let calm = || kept.iter().copied().filter(|turn| !turn.collected());
        let (ns, operations) = sum(calm());
        let cpu_ns = calm().map(|turn| turn.cpu_ns).sum::<Option<f64>>().filter(|cpu_ns| *cpu_ns > 0.0);
        let (each_ns, per_cpu) = (ns / operations, cpu_ns.map(|cpu_ns| ns / cpu_ns));
        (operations > 0.0).then_some(Calm { each_ns, per_cpu })
    }

    /// Returns the time in ns that an excluded turn would have taken on an idle machine. The turn's own
    /// processor time is the basis, because long turns are preempted more often than short ones. Turns with
    /// compilation, and preempted turns without processor time, count with the usual time per operation.
    fn instead(&self, turn: &Spent) -> f64 {
        let usual_ns = turn.operations * self.each_ns;
        match turn.cpu_ns.zip(self.per_cpu).filter(|_| !turn.compiled) {
            Some((cpu_ns, per_cpu)) => (cpu_ns * per_cpu).min(turn.ns),
            None => usual_ns,
        }
    }
}

impl<'a> Counted<'a> {
    /// Counts the turns of a process. Returns `None` if whole cycles are needed and there is none, or if
    /// nothing was measured.
    fn of(cost: &'a Cost, way: Way, drops: Drops) -> Option<Counted<'a>> {
        let all: Vec<&Spent> = cost.spent().collect();
        let within = match way {
            Way::Cycles => cost.window()?,
            Way::Pauses => 0..all.len(),
        };
        let measured = &all[within];
        let (out, kept): (Vec<&Spent>, Vec<&Spent>) =
            measured.iter().copied().partition(|turn| drops.leave_out(turn));
        // If only turns with a collection would remain, keep all turns.
        let (left_out, turns, instead) = match Calm::of(&kept) {
            Some(calm) => {
                let instead =
                    |sum: (f64, f64), turn: &&Spent| (sum.0 + calm.instead(turn), sum.1 + turn.operations);
                (out.len() as u32, kept, out.iter().fold((0.0, 0.0), instead))
            }
            None => (0, measured.to_vec(), (0.0, 0.0)),
        };
        let calm: Vec<f64> = turns.iter().filter(|turn| !turn.collected()).map(|turn| turn.each()).collect();
        let every = || turns.iter().map(|turn| turn.each()).collect::<Vec<f64>>();
        let middle = if calm.is_empty() { every() } else { calm };
        (!turns.is_empty()).then(|| Counted { middle: median(&middle), left_out, instead, turns })
    }

    fn total(&self) -> (f64, f64) {
        let (ns, operations) = sum(self.turns.iter().copied());
        (ns + self.instead.0, operations + self.instead.1)
    }

    fn excess(&self, turn: &Spent) -> f64 {
        (turn.each() - self.middle) * turn.operations
    }

    /// Adds the process to `shown`, its variant's totals, and returns its time and operations. Raises
    /// `longest` to its longest pause in ns. If collections form cycles, `like` is the usual duration of a
    /// collection in ns. A turn with a collection is then a pause only if its excess is more than twice that.
    pub(super) fn add(&self, shown: &mut Shown, longest: &mut f64, way: Way, like: f64) -> (f64, f64) {
        shown.left_out += self.left_out;
        for turn in &self.turns {
            shown.collections += turn.collections.unwrap_or(0.0);
            let usual = if way == Way::Cycles && turn.collected() { like.max(0.0) } else { 0.0 };
            let excess = self.excess(turn);
            if turn.each() > PAUSE * self.middle && excess > PAUSE * usual {
                let excess = excess - usual;
                shown.pauses += 1;
                shown.paused_ns += excess;
                shown.squares += excess * excess;
                *longest = longest.max(excess);
            }
        }
        let total = self.total();
        shown.ns += total.0;
        shown.operations += total.1;
        total
    }

    pub(super) fn longest_collection(&self) -> f64 {
        let collecting = self.turns.iter().filter(|turn| turn.collected());
        collecting.map(|turn| self.excess(turn)).fold(0.0, f64::max)
    }
}

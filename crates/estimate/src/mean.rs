//! Mean time of a side against the base: what a program pays in total, by wall time.
//!
//! Totals per pair, and Fieller's interval of their ratio ([`crate::ratio`]). Two things make totals treacherous, and both are part of
//! the interval. A collector runs once in many turns: where collections were counted, a visit's totals are those of whole cycles. And
//! a pause may be so rare that few turns or none show it: what they add is bounded as the intensity of a rare event is.

use crate::cost::{Cost, Pace, Spent};
use crate::look::Nominal;
use crate::ratio::{Ratio, Totals};
use derny_model::{Estimate, Interval, Observed};
use derny_stats::{fisher, gamma, median};
use std::collections::BTreeMap;

/// A turn above this many times the median of its like holds a pause.
const PAUSE: f64 = 2.0;
/// More lost pairs than this share, and than one, leave the mean open.
const LOST: f64 = 0.05;
/// Sides whose shares of preempted turns differ as clearly as this keep theirs.
const PREEMPTED: f64 = 0.01;
/// Steps of halving the logarithm of a level: to a thousandth of itself.
const STEPS: u32 = 16;

/// What both processes of one pair have cost.
#[derive(Debug, Clone, Copy)]
pub struct CostPair<'a> {
    /// Its block.
    pub block: u32,
    /// What is repeated above the pair, of the base and of the new side: machines or builds.
    pub units: (u32, u32),
    /// The process of the base.
    pub base: &'a Cost,
    /// The process of the other side.
    pub new: &'a Cost,
}

impl CostPair<'_> {
    /// Logarithm of the ratio of its mean times; none where one of them is not positive.
    pub fn log(&self) -> Option<f64> {
        let each = |cost: &Cost| totals(&[cost]).iter().map(|(ns, operations)| ns / operations).sum::<f64>();
        let log = libm::log(each(self.new) / each(self.base));
        log.is_finite().then_some(log)
    }
}

/// What one side has shown in all: for the details of a row.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Shown {
    /// Wall time of the turns that count, in ns; of those left out, what their operations took elsewhere.
    pub ns: f64,
    /// Operations in them.
    pub operations: f64,
    /// Collections counted in them.
    pub collections: f64,
    /// Pauses: turns above twice the median of their like.
    pub pauses: u32,
    /// What the pauses took beyond that median, in ns.
    pub paused_ns: f64,
    /// Turns that were left out because the thread was preempted or code was compiled.
    pub left_out: u32,
    /// Sum of the squares of the pauses' excesses.
    squares: f64,
}

impl Shown {
    /// The same for readers of results; `age_ns` is how old the oldest of its processes became.
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

/// The costs of some pairs, put together.
#[derive(Debug, Clone)]
pub struct Mean {
    /// Both sides: the base, and the other.
    pub shown: (Shown, Shown),
    /// Too many pairs hold no whole cycle of the collector.
    pub lacks_cycles: bool,
    /// Pairs that hold none.
    pub lost: usize,
    /// A collector may have run, and nobody tells.
    pub is_untold: bool,
    /// Collections were counted, and they make up cycles or may come as rare pauses.
    pub is_collecting: bool,
    /// The longest pause known, in ns; none where there was none.
    pub longest_ns: Option<f64>,
    /// The ratio of all that was spent.
    all: Option<Ratio>,
    /// The same without pauses.
    calm: Option<Ratio>,
    /// Pairs that count.
    pairs: usize,
    /// The same, or machines or builds where there are several.
    replicates: usize,
}

/// How the collections of a side are treated.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// There are none, or they are as rare as pauses.
    Pauses,
    /// Whole cycles.
    Cycles,
}

/// A process with the turns of it that count.
struct Counted<'a> {
    turns: Vec<&'a Spent>,
    left_out: u32,
    /// Time in ns and operations of the turns that are left out: their operations at what the others without a collection took. Turns
    /// with a collection are never left out, and would be too large a share of the rest.
    instead: (f64, f64),
    /// Median time per operation of turns without a collection; of all, where all have one.
    middle: f64,
}

impl Mean {
    /// Puts pairs together.
    pub fn of(pairs: &[CostPair]) -> Mean {
        let costs = |side: usize| pairs.iter().map(move |pair| if side == 0 { pair.base } else { pair.new });
        let is_collecting = (0..2).any(|side| costs(side).any(Cost::is_collecting));
        let mut ways = [0, 1].map(|side| way(costs(side)));
        let drops = Drops::of([0, 1].map(|side| costs(side).collect()));
        let mut whole = counted(pairs, ways, drops);
        let lost = pairs.len() - whole.len();
        let lacks_cycles = ways.contains(&Way::Cycles) && lost as f64 > (LOST * pairs.len() as f64).max(1.0);
        let has_cycles = ways.contains(&Way::Cycles);
        if lacks_cycles {
            // What is shown is all that was measured.
            ways = [Way::Pauses; 2];
            whole = counted(pairs, ways, drops);
        }
        let like = [0, 1].map(|side| collecting_ns(whole.iter().map(|(_, both)| &both[side])));
        let mut shown = [Shown::default(); 2];
        let mut longest: f64 = 0.0;
        let (mut all, mut calm) = (Vec::new(), Vec::new());
        for (_, both) in &whole {
            let mut totals = [[(0.0, 0.0); 2]; 2];
            for side in 0..2 {
                let before = shown[side].paused_ns;
                let spent = both[side].add(&mut shown[side], &mut longest, ways[side], like[side]);
                totals[0][side] = spent;
                totals[1][side] = (spent.0 - (shown[side].paused_ns - before), spent.1);
            }
            let [total, without] = totals.map(|[base, new]| Totals { base, new });
            all.push(total);
            calm.push(without);
        }
        for (side, way) in ways.iter().enumerate() {
            let collections = *way == Way::Pauses;
            longest = costs(side).map(|cost| cost.warm_pause(collections)).fold(longest, f64::max);
        }
        // A side without collections is not known to have none as long as those of the other.
        if ways[0] != ways[1] {
            let cycling = usize::from(ways[1] == Way::Cycles);
            let excess = whole.iter().map(|(_, both)| both[cycling].longest_collection());
            longest = excess.fold(longest, f64::max);
        }
        let units: Vec<(u32, u32)> = whole.iter().map(|(pair, _)| pair.units).collect();
        let [all, calm] = [all, calm].map(|totals| by_unit(&totals, &units));
        let replicates = all.len();
        Mean {
            shown: (shown[0], shown[1]),
            lacks_cycles,
            lost,
            is_untold: (0..2).any(|side| costs(side).any(Cost::is_untold)),
            is_collecting: is_collecting && (has_cycles || longest > 0.0),
            longest_ns: (longest > 0.0).then_some(longest),
            all: Ratio::of(&all),
            calm: Ratio::of(&calm),
            pairs: whole.len(),
            replicates,
        }
    }

    /// Pairs that count.
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// Time per operation in ns of the base and of the other side; none where one has no time.
    pub fn times(&self) -> Option<(f64, f64)> {
        let each = |shown: Shown| Some(shown.ns / shown.operations).filter(|ns| ns.is_finite() && *ns > 0.0);
        Some((each(self.shown.0)?, each(self.shown.1)?))
    }

    /// The logarithm of the ratio, with its interval at the two-sided level `alpha`.
    pub fn estimate(&self, alpha: f64) -> Option<Estimate> {
        let all = self.all.as_ref()?.estimate(alpha);
        if self.lacks_cycles {
            return Some(Estimate { value: all.value, interval: None });
        }
        let joined = || {
            let calm = self.calm.as_ref()?.estimate(alpha);
            let (fieller, own) = (all.interval?, calm.interval?);
            let (base, new) = (self.share(self.shown.0, alpha), self.share(self.shown.1, alpha));
            let centre = calm.value + new.value - base.value;
            let far = |a: f64, b: f64, c: f64| (a * a + b * b + c * c).sqrt();
            let lo = centre - far(calm.value - own.lo, new.value - new.lo, base.hi - base.value);
            let hi = centre + far(own.hi - calm.value, new.hi - new.value, base.value - base.lo);
            // Never narrower than the interval of the totals.
            Some(Interval { lo: lo.min(fieller.lo), hi: hi.max(fieller.hi) })
        };
        Some(Estimate { value: all.value, interval: joined() })
    }

    /// Logarithm of one plus the share that pauses add to a side's time, with the limits of the sum of rare events of different
    /// sizes (Fay and Feuer 1997).
    fn share(&self, shown: Shown, alpha: f64) -> Share {
        let calm_ns = shown.ns - shown.paused_ns;
        let log = |ns: f64| libm::log1p(ns / calm_ns);
        let (sum, squares, most) = (shown.paused_ns, shown.squares, self.longest_ns.unwrap_or(0.0));
        let limit = |p: f64, sum: f64, squares: f64| match sum > 0.0 {
            true => gamma::quantile(p, sum * sum / squares) * squares / sum,
            false => 0.0,
        };
        let lo = limit(alpha / 2.0, sum, squares);
        let hi = limit(1.0 - alpha / 2.0, sum + most, squares + most * most);
        Share { value: log(sum), lo: log(lo.min(sum)), hi: log(hi.max(sum)) }
    }

    /// The two-sided p-value of the logarithm being `at`: the level at which the interval just reaches it, and at least `2^(1 − P)`: a
    /// few pairs that agree closely may share an error.
    pub fn p(&self, at: f64) -> Option<f64> {
        let all =
            self.all.as_ref().filter(|_| !self.lacks_cycles && self.replicates >= crate::level::LEAST)?;
        let least = libm::exp2(1.0 - self.pairs as f64);
        let fieller = all.p(at);
        let p = if self.longest_ns.is_none() { fieller } else { self.level_reaching(at, fieller) };
        Some(p.max(least).min(1.0))
    }

    /// The level at which the joined interval just reaches `at`. It is at least `from`, since the interval is never narrower than
    /// that of the totals.
    fn level_reaching(&self, at: f64, from: f64) -> f64 {
        let reaches = |alpha: f64| {
            let interval = self.estimate(alpha).and_then(|estimate| estimate.interval);
            interval.is_none_or(|i| i.lo <= at && at <= i.hi)
        };
        let (mut reached, mut beyond) = (libm::log(from.max(1e-13)), 0.0);
        if !reaches(libm::exp(reached)) {
            return from;
        }
        for _ in 0..STEPS {
            let middle = (reached + beyond) / 2.0;
            if reaches(libm::exp(middle)) { reached = middle } else { beyond = middle }
        }
        libm::exp(beyond)
    }

    /// What both say at a look; `worst` is the logarithm of the largest change that is allowed, for the worse.
    pub fn nominal(&self, alpha: f64, worst: f64) -> Option<Nominal> {
        let estimate = self.estimate(alpha)?;
        let p_at_margin = if estimate.value > worst { self.p(worst) } else { self.p(0.0).map(|_| 1.0) };
        Some(Nominal { estimate, p: self.p(0.0), p_at_margin })
    }

    /// Pauses of up to how many ns may have gone unseen although they would have added `margin` to the time of a side; `level` is
    /// two-sided. None where a pause is known, which the interval contains.
    pub fn unseen_ns(&self, margin: f64, level: f64) -> Option<f64> {
        let least = self.shown.0.ns.min(self.shown.1.ns);
        self.longest_ns.is_none().then(|| margin * least / -libm::log(level / 2.0))
    }
}

struct Share {
    value: f64,
    lo: f64,
    hi: f64,
}

/// The totals of pairs, or of machines or builds where there are several.
fn by_unit(totals: &[Totals], units: &[(u32, u32)]) -> Vec<Totals> {
    if units.windows(2).all(|two| two[0] == two[1]) {
        return totals.to_vec();
    }
    let mut sums: BTreeMap<(u32, u32), Totals> = BTreeMap::new();
    for (totals, unit) in totals.iter().zip(units) {
        let sum = sums.entry(*unit).or_default();
        let add = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);
        *sum = Totals { base: add(sum.base, totals.base), new: add(sum.new, totals.new) };
    }
    sums.into_values().collect()
}

/// The pairs of which both processes count.
fn counted<'a>(
    pairs: &[CostPair<'a>],
    ways: [Way; 2],
    drops: Drops,
) -> Vec<(CostPair<'a>, [Counted<'a>; 2])> {
    let of = |side: usize, cost| Counted::of(cost, ways[side], drops);
    pairs.iter().filter_map(|pair| Some((*pair, [of(0, pair.base)?, of(1, pair.new)?]))).collect()
}

/// How the collections of a side's processes are treated.
fn way<'a>(costs: impl Iterator<Item = &'a Cost>) -> Way {
    let mut pace = Pace::default();
    costs.for_each(|cost| pace.add(cost));
    if pace.cycle().is_some() { Way::Cycles } else { Way::Pauses }
}

/// Time in ns and operations that each of a side's processes has by itself: of whole cycles where collections make up such and the
/// process holds one. Turns in which the thread was preempted or code was compiled count with their operations at what the others took.
pub fn totals(costs: &[&Cost]) -> Vec<(f64, f64)> {
    let way = way(costs.iter().copied());
    let drops = Drops { preempted: true, compiled: Drops::leaves_compiled(costs) };
    let one = |cost: &&Cost| {
        let counted = Counted::of(cost, way, drops).or_else(|| Counted::of(cost, Way::Pauses, drops));
        counted.map_or((0.0, 0.0), |counted| counted.total())
    };
    costs.iter().map(one).collect()
}

/// Time in ns and operations of some turns.
fn sum<'a>(turns: impl Iterator<Item = &'a Spent>) -> (f64, f64) {
    turns.fold((0.0, 0.0), |sum, turn| (sum.0 + turn.ns, sum.1 + turn.operations))
}

/// Which turns are left out of both sides.
#[derive(Debug, Clone, Copy)]
struct Drops {
    /// Those in which the thread was preempted, and nothing else happened: not where one side has more of them, which may be its own
    /// doing.
    preempted: bool,
    /// Those in which code was compiled: a program pays that once. Not where most turns are such, which the body's own doing then is.
    compiled: bool,
}

impl Drops {
    fn of(sides: [Vec<&Cost>; 2]) -> Drops {
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

/// The turns of a side that are such, and the others.
fn count(costs: &[&Cost], of: fn(&Spent) -> bool) -> [u64; 2] {
    let turns = || costs.iter().flat_map(|cost| cost.spent());
    let hit = turns().filter(|turn| of(turn)).count() as u64;
    [hit, turns().count() as u64 - hit]
}

/// What a collection of a side takes, in ns: the median, over its turns with one, of what they took beyond those of their visit without.
/// Not as a ratio of times per operation: a turn ends soon after a collection, with fewer operations.
fn collecting_ns<'a>(visits: impl Iterator<Item = &'a Counted<'a>>) -> f64 {
    let excess = |visit: &'a Counted<'a>| {
        visit.turns.iter().filter(|turn| turn.collected()).map(move |turn| visit.excess(turn))
    };
    let all: Vec<f64> = visits.flat_map(excess).collect();
    if all.is_empty() { 0.0 } else { median(&all) }
}

impl<'a> Counted<'a> {
    /// None where whole cycles are wanted and there is none, or nothing was measured.
    fn of(cost: &'a Cost, way: Way, drops: Drops) -> Option<Counted<'a>> {
        let all: Vec<&Spent> = cost.spent().collect();
        let within = match way {
            Way::Cycles => cost.window()?,
            Way::Pauses => 0..all.len(),
        };
        let measured = &all[within];
        let (out, kept): (Vec<&Spent>, Vec<&Spent>) =
            measured.iter().copied().partition(|turn| drops.leave_out(turn));
        let (calm_ns, calm_operations) = sum(kept.iter().copied().filter(|turn| !turn.collected()));
        // Where nothing without a collection would be left, all counts.
        let (left_out, turns, instead) = if calm_operations > 0.0 {
            let operations = sum(out.iter().copied()).1;
            (out.len() as u32, kept, (operations * calm_ns / calm_operations, operations))
        } else {
            (0, measured.to_vec(), (0.0, 0.0))
        };
        let calm: Vec<f64> = turns.iter().filter(|turn| !turn.collected()).map(|turn| turn.each()).collect();
        let every = || turns.iter().map(|turn| turn.each()).collect::<Vec<f64>>();
        let middle = if calm.is_empty() { every() } else { calm };
        (!turns.is_empty()).then(|| Counted { middle: median(&middle), left_out, instead, turns })
    }

    /// Time in ns and operations of it all.
    fn total(&self) -> (f64, f64) {
        let (ns, operations) = sum(self.turns.iter().copied());
        (ns + self.instead.0, operations + self.instead.1)
    }

    /// What a turn took beyond one without a collection, in ns.
    fn excess(&self, turn: &Spent) -> f64 {
        (turn.each() - self.middle) * turn.operations
    }

    /// Adds the process to what its side has shown, and gives its time and operations. `like` is what a collection takes in ns, where
    /// they make up cycles: there a pause is one that takes more than twice that.
    fn add(&self, shown: &mut Shown, longest: &mut f64, way: Way, like: f64) -> (f64, f64) {
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

    /// The longest collection, by how much longer its turn took than those without, in ns.
    fn longest_collection(&self) -> f64 {
        let collecting = self.turns.iter().filter(|turn| turn.collected());
        collecting.map(|turn| self.excess(turn)).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Use;
    use derny_model::Collector;

    const TURN: Spent = Spent {
        used: Use::Measured,
        ns: 2e6,
        operations: 1000.0,
        collections: Some(0.0),
        preempted: Some(false),
        compiled: false,
        excess_ns: 0.0,
    };

    /// A process whose turns take 2 ms; `change` makes one of them something else.
    fn cost(turns: usize, seed: u32, change: impl Fn(usize, &mut Spent)) -> Cost {
        let noise = |at: usize| 1.0 + 0.0005 * f64::from((at as u32 * 7 + seed * 13) % 11);
        let turn = |at: usize| {
            let mut turn = Spent { ns: TURN.ns * noise(at), ..TURN };
            change(at, &mut turn);
            turn
        };
        Cost { collector: Some(Collector::Counted), turns: (0..turns).map(turn).collect(), ..Cost::default() }
    }

    fn mean(base: &[Cost], new: &[Cost]) -> Mean {
        let pair = |(block, (base, new))| CostPair { block, units: (0, 0), base, new };
        Mean::of(&(0..).zip(base.iter().zip(new)).map(pair).collect::<Vec<CostPair>>())
    }

    fn eight(of: impl Fn(u32) -> Cost) -> Vec<Cost> {
        (0..8).map(of).collect()
    }

    fn plain() -> Vec<Cost> {
        eight(|seed| cost(12, seed, |_, _| {}))
    }

    fn interval(mean: &Mean) -> (f64, f64) {
        let interval = mean.estimate(0.0126).unwrap().interval.unwrap();
        (interval.lo, interval.hi)
    }

    #[test]
    fn what_is_alike_is_narrow_and_its_pauses_unseen() {
        let same = mean(&plain(), &plain());
        let (lo, hi) = interval(&same);
        assert!(lo <= 0.0 && 0.0 <= hi && hi - lo < 0.01, "{lo} {hi}");
        assert!(same.p(0.0).unwrap() > 0.9);
        assert!(same.longest_ns.is_none() && !same.is_untold && !same.is_collecting);
        // 2 % of 192 ms over 5 half-lives or so.
        let unseen = same.unseen_ns(0.02, 0.0126).unwrap();
        assert!((0.7e6..0.9e6).contains(&unseen), "{unseen}");
    }

    #[test]
    fn one_pause_widens_what_both_sides_may_hide() {
        let paused = |seed: u32| {
            cost(12, seed, move |at, turn| turn.ns += if (seed, at) == (3, 5) { 10e6 } else { 0.0 })
        };
        let once = mean(&plain(), &eight(paused));
        assert_eq!((once.shown.0.pauses, once.shown.1.pauses), (0, 1));
        assert!(once.longest_ns.is_some_and(|ns| (9.9e6..10.1e6).contains(&ns)));
        let (lo, hi) = interval(&once);
        // One pause of 5 % on one side, up to several on both.
        assert!(lo < -0.05 && hi > 0.15, "{lo} {hi}");
        assert!(once.unseen_ns(0.02, 0.05).is_none());
    }

    #[test]
    fn whole_cycles_are_what_a_collector_costs() {
        // Every tenth turn collects for 1 ms, from a place of its own; measured as long as a window needs.
        let of = |ns: f64| {
            move |seed: u32| {
                cost(36, seed, move |at, turn| {
                    if (at as u32 + 3 * seed).is_multiple_of(10) {
                        (turn.ns, turn.collections) = (turn.ns + ns, Some(1.0));
                    }
                    turn.used = if at < 12 { Use::Measured } else { Use::Window };
                })
            }
        };
        let both = mean(&eight(of(1e6)), &eight(of(2e6)));
        assert!(!both.lacks_cycles && both.longest_ns.is_none(), "usual collections are no pauses");
        let truth = libm::log(22.0 / 21.0);
        let (lo, hi) = interval(&both);
        // The turns of both sides have the same noise, which makes them half a percent longer.
        assert!(lo > truth - 0.001 && hi < truth + 0.001, "{lo} {hi} {truth}");
        assert_eq!(both.shown.0.collections, 16.0);
        // Visits that end with the plan hold no whole cycle.
        let short = |seed: u32| {
            let mut whole = of(1e6)(seed);
            whole.turns.truncate(12);
            whole
        };
        let cut = mean(&eight(short), &eight(short));
        assert!(cut.lacks_cycles && cut.estimate(0.05).unwrap().interval.is_none() && cut.p(0.0).is_none());
        assert!(cut.times().is_some(), "what was measured is shown all the same");
    }

    /// As JavaScript's bodies that allocate nothing: interpreted code collected in the first of two warm-up turns, each as long as eight
    /// measured ones, and the harness's garbage was collected in a turn of some visits.
    fn harness_garbage(collected: &'static [(u32, usize)], turns: usize) -> impl Fn(u32) -> Cost {
        move |seed: u32| {
            let mut all = cost(turns, seed, |at, turn| {
                if collected.contains(&(seed, at)) {
                    (turn.ns, turn.collections) = (turn.ns + 0.3e6, Some(1.0));
                }
                turn.used = if at < 12 { Use::Measured } else { Use::Window };
            });
            let warm =
                Spent { used: Use::WarmUp, ns: 8.0 * TURN.ns, operations: 8.0 * TURN.operations, ..TURN };
            let first = Spent { collections: Some(2.0), excess_ns: 0.5e6, ..warm };
            all.turns.splice(0..0, [first, warm]);
            all
        }
    }

    fn pace(costs: &[Cost]) -> Option<f64> {
        let mut pace = Pace::default();
        costs.iter().for_each(|cost| pace.add(cost));
        pace.cycle()
    }

    #[test]
    fn collections_of_interpreted_code_are_neither_cycles_nor_pauses() {
        let costs = eight(harness_garbage(&[], 12));
        assert_eq!(pace(&costs), None);
        let same = mean(&costs, &costs);
        assert!(!same.lacks_cycles && !same.is_collecting && same.longest_ns.is_none());
        assert!(same.estimate(0.05).unwrap().interval.is_some());
    }

    #[test]
    fn a_few_collections_of_the_harness_are_pauses_however_long_visits_were() {
        for turns in [12, 400] {
            let costs = eight(harness_garbage(&[(2, 5), (3, 7), (6, 5)], turns));
            assert_eq!(pace(&costs), None);
            let mixed = mean(&costs, &eight(harness_garbage(&[], turns)));
            assert!(!mixed.lacks_cycles && mixed.pairs() == 8, "{turns}");
            let (lo, hi) = interval(&mixed);
            assert!(lo < 0.0 && hi > 0.0 && hi - lo < 0.02, "{turns}: {lo} {hi}");
        }
    }

    #[test]
    fn a_cycle_that_is_longer_than_a_visit_is_known_by_the_end_of_warm_up() {
        // A collection was forced before measuring, so that none comes in the twelve turns after it.
        let costs = eight(|seed| {
            let mut all = harness_garbage(&[], 12)(seed);
            all.turns[1].collections = Some(if seed % 2 == 0 { 1.0 } else { 0.0 });
            all
        });
        assert_eq!(pace(&costs), Some(40_000.0));
        assert!(mean(&costs, &costs).lacks_cycles);
        // A heap that was settled afterwards is collected less often.
        let settled = costs.into_iter().map(|cost| Cost { young: Some(2), ..cost }).collect::<Vec<Cost>>();
        assert_eq!(pace(&settled), None);
    }

    #[test]
    fn a_side_without_collections_may_hide_one_of_the_other() {
        let collecting = |seed: u32| {
            cost(36, seed, |at, turn| {
                if at.is_multiple_of(10) {
                    (turn.ns, turn.collections) = (turn.ns + 1e6, Some(1.0));
                }
                turn.used = if at < 12 { Use::Measured } else { Use::Window };
            })
        };
        let mixed = mean(&eight(collecting), &plain());
        assert!(!mixed.lacks_cycles);
        assert!(mixed.longest_ns.is_some_and(|ns| ns > 0.9e6));
    }

    #[test]
    fn preempted_turns_are_left_out_unless_one_side_has_more() {
        let hit = |every: u32| {
            move |seed: u32| {
                cost(12, seed, move |at, turn| {
                    if (at as u32 + seed).is_multiple_of(every) {
                        (turn.ns, turn.preempted) = (turn.ns + 1e6, Some(true));
                    }
                })
            }
        };
        let alike = mean(&eight(hit(6)), &eight(hit(6)));
        assert_eq!((alike.shown.0.left_out, alike.shown.1.left_out), (16, 16));
        let own_doing = mean(&plain(), &eight(hit(3)));
        assert_eq!(own_doing.shown.1.left_out, 0);
        assert!(interval(&own_doing).0 > 0.1);
    }

    #[test]
    fn leaving_out_preempted_turns_makes_collections_no_larger_a_share() {
        // Every tenth turn collects for 1 ms; of the others, one side in three is preempted, which takes as long again.
        let of = |every: u32| {
            move |seed: u32| {
                cost(36, seed, move |at, turn| {
                    let place = at as u32 + 3 * seed;
                    if place.is_multiple_of(10) {
                        (turn.ns, turn.collections) = (turn.ns + 1e6, Some(1.0));
                    } else if place % every == 1 {
                        (turn.ns, turn.preempted) = (2.0 * turn.ns, Some(true));
                    }
                    turn.used = if at < 12 { Use::Measured } else { Use::Window };
                })
            }
        };
        let quiet = totals(&[&of(1000)(1)])[0];
        let busy = totals(&[&of(3)(1)])[0];
        let change = (busy.0 / busy.1) / (quiet.0 / quiet.1) - 1.0;
        assert!(change.abs() < 0.001, "{change}");
        let both = mean(&eight(of(3)), &eight(of(3)));
        assert!(both.shown.0.left_out > 30 && both.shown.0.operations == 160_000.0, "{:?}", both.shown.0);
    }

    #[test]
    fn where_every_turn_was_preempted_all_count() {
        let hit = |seed| cost(2, seed, |_, turn| turn.preempted = Some(true));
        assert!(totals(&[&hit(1)])[0].0 > 0.0);
        let all = mean(&eight(hit), &eight(hit));
        assert_eq!((all.pairs(), all.shown.0.left_out), (8, 0));
    }

    #[test]
    fn few_pairs_that_agree_say_no_more_than_ranks() {
        let slower = |seed| cost(12, seed, |_, turn| turn.ns *= 1.5);
        let clear = mean(&plain(), &eight(slower));
        assert_eq!(clear.p(0.0), Some(libm::exp2(-7.0)));
    }
}

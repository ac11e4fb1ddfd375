//! Mean time of a variant compared with the base: the total wall time of a program.
//!
//! Each pair yields two totals, and the interval of their ratio is Fieller's ([`crate::ratio`]). Two
//! effects distort totals. First, a collector runs only once in many turns. If collections are counted, the
//! totals of a visit therefore cover whole cycles. Second, a pause may be so rare that few or no turns
//! contain it. It is therefore bounded like the rate of a rare event.

mod counted;

use crate::cost::Cost;
use crate::level::Nominal;
use crate::mean::counted::{Drops, Way, collecting_ns, counted, way};
pub use crate::mean::counted::{Shown, totals};
use crate::pair::CostPair;
use crate::ratio::{Ratio, Totals};
use derny_model::{Estimate, Interval};
use derny_stats::gamma;
use std::collections::BTreeMap;

/// Largest share of pairs without a whole cycle that still allows a verdict on mean time. One such pair is
/// always allowed.
const LOST: f64 = 0.05;
const STEPS: u32 = 16;

impl CostPair<'_> {
    /// Returns the log-ratio of the pair's mean times, or `None` if one is not positive.
    pub fn log(&self) -> Option<f64> {
        let each = |cost: &Cost| totals(&[cost]).iter().map(|(ns, operations)| ns / operations).sum::<f64>();
        let log = libm::log(each(self.new) / each(self.base));
        log.is_finite().then_some(log)
    }
}

/// The combined costs of some pairs.
#[derive(Debug, Clone)]
pub struct Mean {
    /// Totals of the base and of the other variant.
    pub shown: (Shown, Shown),
    /// True if too many pairs lack a whole collection cycle.
    pub lacks_cycles: bool,
    /// Number of pairs without a whole collection cycle.
    pub lost: usize,
    /// True if a collector may have run without reporting it.
    pub is_untold: bool,
    /// True if collections were counted, whether regular or rare.
    pub is_collecting: bool,
    /// Longest known pause in ns. `None` if there was none.
    pub longest_ns: Option<f64>,
    /// Ratio of all costs.
    all: Option<Ratio>,
    /// Ratio of the costs without pauses.
    calm: Option<Ratio>,
    pairs: usize,
    /// Number of replicates: these pairs, or the machines or builds if there are several.
    replicates: usize,
}

impl Mean {
    /// Combines the costs of pairs.
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
            // With too few whole cycles, show everything that was measured.
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
        // A variant without observed collections may still have some that take as long as those of the other.
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

    /// Returns the number of pairs that count.
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// Returns the times per operation of the base and of the other variant in ns, or `None` if one has no
    /// time.
    pub fn times(&self) -> Option<(f64, f64)> {
        let each = |shown: Shown| Some(shown.ns / shown.operations).filter(|ns| ns.is_finite() && *ns > 0.0);
        Some((each(self.shown.0)?, each(self.shown.1)?))
    }

    /// Returns the log-ratio, with its interval at the two-sided level `alpha`.
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
            // Pauses can only widen the interval of the totals.
            Some(Interval { lo: lo.min(fieller.lo), hi: hi.max(fieller.hi) })
        };
        Some(Estimate { value: all.value, interval: joined() })
    }

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

    /// Returns the two-sided p-value for the hypothesis that the log-ratio is `at`. This is the level at
    /// which the interval just reaches `at`. With P pairs it is at least `2^(1 − P)`, because a few pairs
    /// that agree closely may share an error.
    pub fn p(&self, at: f64) -> Option<f64> {
        let all =
            self.all.as_ref().filter(|_| !self.lacks_cycles && self.replicates >= crate::level::LEAST)?;
        let least = libm::exp2(1.0 - self.pairs as f64);
        let fieller = all.p(at);
        let p = if self.longest_ns.is_none() { fieller } else { self.level_reaching(at, fieller) };
        Some(p.max(least).min(1.0))
    }

    /// Returns the level at which the joint interval just reaches `at`. It is at least `from`, because pauses
    /// can only widen the interval.
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

    /// Returns the result at a look. `worst` is the logarithm of the largest allowed regression.
    pub fn nominal(&self, alpha: f64, worst: f64) -> Option<Nominal> {
        let estimate = self.estimate(alpha)?;
        let p_at_margin = if estimate.value > worst { self.p(worst) } else { self.p(0.0).map(|_| 1.0) };
        Some(Nominal { estimate, p: self.p(0.0), p_at_margin })
    }

    /// Returns the longest pause in ns that may still have been missed although it would add `margin` to a
    /// variant's time. `level` is two-sided. Returns `None` if a pause is known, because the interval then
    /// includes pauses.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{Pace, Spent, Use};
    use derny_model::Collector;

    const TURN: Spent = Spent {
        used: Use::Measured,
        ns: 2e6,
        operations: 1000.0,
        cpu_ns: None,
        collections: Some(0.0),
        preempted: Some(false),
        compiled: false,
        excess_ns: 0.0,
    };

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
        // The limit is 2 % of 192 ms, divided by −ln(0.0126 / 2), which is about 5.
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
        // The interval allows for a pause of 5 % in one variant.
        assert!(lo < -0.05 && hi > 0.15, "{lo} {hi}");
        assert!(once.unseen_ns(0.02, 0.05).is_none());
    }

    #[test]
    fn whole_cycles_are_what_a_collector_costs() {
        // Every tenth turn collects for 1 ms, at a different position in each process. The visit is as long
        // as a window needs.
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
        // Noise lengthens the turns of both variants by up to half a percent.
        assert!(lo > truth - 0.001 && hi < truth + 0.001, "{lo} {hi} {truth}");
        assert_eq!(both.shown.0.collections, 16.0);
        // A visit that ends after the planned turns may contain no whole cycle.
        let short = |seed: u32| {
            let mut whole = of(1e6)(seed);
            whole.turns.truncate(12);
            whole
        };
        let cut = mean(&eight(short), &eight(short));
        assert!(cut.lacks_cycles && cut.estimate(0.05).unwrap().interval.is_none() && cut.p(0.0).is_none());
        assert!(cut.times().is_some(), "what was measured is shown all the same");
    }

    /// Returns processes of a JavaScript body that allocates nothing. The first of two long warm-up turns
    /// collects the garbage of interpreted code. The turns in `collected`, each given by seed and index,
    /// collect the harness's garbage.
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
        // The forced collection before measuring delays the next one by twelve turns.
        let costs = eight(|seed| {
            let mut all = harness_garbage(&[], 12)(seed);
            all.turns[1].collections = Some(if seed % 2 == 0 { 1.0 } else { 0.0 });
            all
        });
        assert_eq!(pace(&costs), Some(40_000.0));
        assert!(mean(&costs, &costs).lacks_cycles);
        // A settled heap is collected less often.
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
        // Every tenth turn collects for 1 ms. In one variant, a third of the other turns is preempted and
        // takes twice as long.
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
    fn a_preempted_turn_counts_by_its_processor_time() {
        // Two of three turns are preempted and take twice as long, including the rare long turns of one
        // variant.
        let of = |long: f64| {
            move |seed: u32| {
                cost(12, seed, move |at, turn| {
                    turn.ns *= if at == 4 { long } else { 1.0 };
                    (turn.cpu_ns, turn.preempted) = (Some(0.9 * turn.ns), Some(at % 3 > 0));
                    turn.ns *= if at % 3 > 0 { 2.0 } else { 1.0 };
                })
            }
        };
        let both = mean(&eight(of(1.0)), &eight(of(5.0)));
        assert_eq!((both.shown.0.left_out, both.shown.1.left_out), (64, 64));
        let (base, new) = both.times().unwrap();
        let quiet = mean(&eight(|seed| cost(12, seed, |_, _| {})), &plain()).times().unwrap().0;
        assert!((base / quiet - 1.0).abs() < 0.01, "{base} of {quiet}");
        assert!((new / base - 4.0 / 3.0).abs() < 0.01, "{}", new / base);
    }

    #[test]
    fn few_pairs_that_agree_say_no_more_than_ranks() {
        let slower = |seed| cost(12, seed, |_, turn| turn.ns *= 1.5);
        let clear = mean(&plain(), &eight(slower));
        assert_eq!(clear.p(0.0), Some(libm::exp2(-7.0)));
    }
}

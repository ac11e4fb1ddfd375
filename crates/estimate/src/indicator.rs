//! Indicators: signs that mean time may differ although typical time does not. The run then measures mean
//! time.
//!
//! Typical time ignores effects on few turns. Allocated bytes, collections and total time reveal them.
//! While these agree, mean time is reported from the data at hand. If one differs, the run continues until
//! mean time is decided.

use crate::cost::Cost;
use crate::mean::Mean;
use crate::pair::CostPair;
use derny_stats::{fisher, rank_sum};

/// p-value below which two counts differ. A higher level would cost time for nothing, and a lower one would
/// miss garbage.
const CLEARLY: f64 = 0.1;
/// A difference above this multiple of the margin is never attributed to chance. Only mean time can then show
/// that the variants are equal.
const PLAINLY: f64 = 3.0;
/// With fewer collections, no difference is significant at the level [`CLEARLY`].
const FEW: u64 = 16;
/// Maximum cost of allocating and collecting one byte, in ns.
const BYTE_NS: f64 = 4.0;

/// Returns true if the measurement needs mean time. `mean` is the combined result of `pairs`, and `margin`
/// the largest change of mean time that does not matter.
pub fn calls(pairs: &[CostPair], mean: &Mean, margin: f64) -> bool {
    totals_differ(mean, margin) || garbage_differs(pairs, mean, margin)
}

/// Returns true if the totals of both variants differ by more than `margin`.
pub fn totals_differ(mean: &Mean, margin: f64) -> bool {
    mean.times().is_some_and(|(base, new)| (new / base - 1.0).abs() > margin)
}

/// Returns true if the variants allocate or collect differently. Compares allocated bytes if both variants
/// count them, because byte counts are exact.
pub fn garbage_differs(pairs: &[CostPair], mean: &Mean, margin: f64) -> bool {
    let bytes = |side: fn(&CostPair) -> Option<(f64, f64)>| {
        let sum = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);
        let counted = pairs.iter().map(side).collect::<Option<Vec<_>>>()?;
        let (bytes, operations) = counted.into_iter().reduce(sum)?;
        Some(bytes / operations)
    };
    let bytes = bytes(|pair| pair.base.allocated).zip(bytes(|pair| pair.new.allocated));
    let by_bytes = bytes.zip(mean.times()).is_some_and(|((base, new), (before, after))| {
        let more = (new - base).abs();
        more > margin * base.max(new) && more * BYTE_NS > margin * before.max(after)
    });
    by_bytes || collections_differ(pairs, mean, margin) || warm_up_differs(pairs, margin)
}

/// Returns true if collections take shares of the warm-up that differ by more than `margin`. A short
/// measurement may miss the collections that a variant's warm-up shows. Both variants start with a young
/// heap, so their warm-ups are comparable.
fn warm_up_differs(pairs: &[CostPair], margin: f64) -> bool {
    let of = |side: fn(&CostPair<'_>) -> WarmUp| pairs.iter().map(side).collect::<Vec<WarmUp>>();
    let warm = [of(|pair| WarmUp::of(pair.base)), of(|pair| WarmUp::of(pair.new))];
    let [base, new] = warm.each_ref().map(|all| all.iter().fold(WarmUp::default(), |sum, one| sum.and(*one)));
    let (Some(before), Some(after)) = (base.share(), new.share()) else {
        return false;
    };
    if (before - after).abs() <= margin {
        return false;
    }
    let shares = |all: &[WarmUp]| all.iter().filter_map(|one| one.share()).collect::<Vec<f64>>();
    base.collections + new.collections < FEW
        || rank_sum::p_value(&shares(&warm[0]), &shares(&warm[1])) <= CLEARLY
}

#[derive(Debug, Clone, Copy, Default)]
struct WarmUp {
    collections: u64,
    paused_ns: f64,
    ns: f64,
}

impl WarmUp {
    fn of(cost: &Cost) -> WarmUp {
        cost.warm().fold(WarmUp::default(), |sum, turn| {
            let collected = turn.collected();
            let paused_ns = if collected { turn.excess_ns } else { 0.0 };
            sum.and(WarmUp { collections: collected.into(), paused_ns, ns: turn.ns })
        })
    }

    fn and(self, other: WarmUp) -> WarmUp {
        WarmUp {
            collections: self.collections + other.collections,
            paused_ns: self.paused_ns + other.paused_ns,
            ns: self.ns + other.ns,
        }
    }

    fn share(self) -> Option<f64> {
        (self.ns > 0.0).then(|| self.paused_ns / self.ns)
    }
}

/// Returns true if one variant collects more often, and if that may take more than `margin` of the time. The
/// collection rate of each process shows a difference of a regular collector early. The counts of turns with
/// a collection take longer to exclude chance. With few collections, any difference that may take this much
/// time counts.
fn collections_differ(pairs: &[CostPair], mean: &Mean, margin: f64) -> bool {
    let base: Vec<&Cost> = pairs.iter().map(|pair| pair.base).collect();
    let new: Vec<&Cost> = pairs.iter().map(|pair| pair.new).collect();
    let turns = |costs: &[&Cost]| {
        costs
            .iter()
            .map(|cost| cost.collected_turns())
            .fold([0, 0], |sum, own| [sum[0] + own[0], sum[1] + own[1]])
    };
    let hit = [turns(&base), turns(&new)];
    let (Some((before, after)), Some(rates)) = (mean.times(), rate(&base).zip(rate(&new))) else {
        return false;
    };
    // If a collection took longer than a turn, it would count as a pause.
    let shown = [mean.shown.0, mean.shown.1];
    let measured = base.iter().chain(&new).map(|cost| cost.spent().count()).sum::<usize>();
    let turn_ns = shown.iter().map(|side| side.ns).sum::<f64>() / measured.max(1) as f64;
    let each_ns = mean.longest_ns.unwrap_or(turn_ns);
    let share = (rates.0 - rates.1).abs() * each_ns / before.max(after);
    if share <= margin {
        return false;
    }
    if hit[0][0] + hit[1][0] < FEW || share > PLAINLY * margin {
        return true;
    }
    let each = |costs: &[&Cost]| costs.iter().filter_map(|cost| rate(&[*cost])).collect::<Vec<f64>>();
    fisher::p_value(hit) <= CLEARLY || rank_sum::p_value(&each(&base), &each(&new)) <= CLEARLY
}

fn rate(costs: &[&Cost]) -> Option<f64> {
    let counted = costs.iter().filter_map(|cost| cost.collections());
    let (count, operations) = counted.reduce(|sum, own| (sum.0 + own.0, sum.1 + own.1))?;
    (operations > 0.0).then(|| count / operations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{Spent, Use};

    fn cost(turns: u32, ns: f64, bytes: Option<f64>, collections: impl Fn(u32) -> f64) -> Cost {
        let turn = |at: u32| Spent {
            used: Use::Measured,
            ns: 1000.0 * ns,
            operations: 1000.0,
            cpu_ns: None,
            collections: Some(collections(at)),
            preempted: Some(false),
            compiled: false,
            excess_ns: 0.0,
        };
        let allocated = bytes.map(|bytes| (bytes * 1000.0 * f64::from(turns), 1000.0 * f64::from(turns)));
        Cost { turns: (0..turns).map(turn).collect(), allocated, ..Cost::default() }
    }

    fn called(base: &[Cost], new: &[Cost]) -> bool {
        let pair = |(block, (base, new)): (u32, (_, _))| CostPair { block, units: (0, 0), base, new };
        let pairs: Vec<CostPair> = (0..).zip(base.iter().zip(new)).map(pair).collect();
        calls(&pairs, &Mean::of(&pairs), 0.02)
    }

    #[test]
    fn sides_that_agree_call_for_nothing() {
        let none = vec![cost(12, 1000.0, None, |_| 0.0); 5];
        assert!(!called(&none, &none));
        let regular = vec![cost(12, 1000.0, Some(64.0), |at| f64::from(at % 3 == 0)); 5];
        assert!(!called(&regular, &regular));
        let (one, two) = (|at| f64::from(at == 3), |at| f64::from(at == 3 || at == 9));
        let cheap = |collections: fn(u32) -> f64| vec![cost(500, 1000.0, None, collections); 1];
        assert!(!called(&cheap(one), &cheap(two)), "one collection less than a turn long, in 500 turns");
        // The start of the first turn within a cycle can explain one more collection among many.
        let mut one_more = regular.clone();
        one_more[0] = cost(12, 1000.0, Some(64.0), |at| f64::from(at % 3 == 0 || at == 1));
        assert!(!called(&regular, &one_more));
    }

    #[test]
    fn totals_beyond_the_margin_call() {
        let base = vec![cost(12, 1000.0, None, |_| 0.0); 5];
        assert!(called(&base, &vec![cost(12, 1021.0, None, |_| 0.0); 5]));
        assert!(called(&base, &vec![cost(12, 979.0, None, |_| 0.0); 5]));
        assert!(!called(&base, &vec![cost(12, 1019.0, None, |_| 0.0); 5]));
    }

    #[test]
    fn twice_the_garbage_calls_by_collections_and_by_bytes() {
        let once = vec![cost(12, 1000.0, None, |at| f64::from(at % 6 == 0)); 5];
        let twice = vec![cost(12, 1000.0, None, |at| f64::from(at % 3 == 0)); 5];
        assert!(called(&once, &twice) && called(&twice, &once));
        let pauses = |own: &'static [u32]| {
            let mut process = cost(80, 1000.0, None, move |at| f64::from(own.contains(&at)));
            for turn in process.turns.iter_mut().filter(|turn| turn.collected()) {
                turn.ns += 3e7;
            }
            process
        };
        let none = vec![pauses(&[]); 4];
        let seldom = [none.clone(), vec![pauses(&[7])]].concat();
        let often = [none, vec![pauses(&[7, 20, 33])]].concat();
        assert!(called(&seldom, &often) && !called(&seldom, &seldom));
        // 7 and 13 collections may differ by chance, and the total times are equal. However, a collection may
        // take as long as 30 turns.
        let some = |counts: [u32; 5], ns: f64| {
            counts.map(|count| {
                let mut process = cost(80, 1000.0, None, |at| f64::from(at % 10 == 0 && at < 10 * count));
                process.turns.iter_mut().filter(|turn| turn.collected()).for_each(|turn| turn.ns += ns);
                process
            })
        };
        assert!(called(&some([3, 0, 4, 0, 0], 3e7), &some([0, 6, 0, 7, 0], 3e7 * 7.0 / 13.0)));
        let bytes = |bytes| vec![cost(12, 1000.0, Some(bytes), |_| 0.0); 5];
        assert!(called(&bytes(64.0), &bytes(128.0)));
        assert!(!called(&bytes(64.0), &bytes(65.0)), "2 % more bytes are no more than the margin");
        assert!(!called(&bytes(0.001), &bytes(0.5)), "what takes no time worth speaking of");
    }

    #[test]
    fn pauses_of_warm_up_call_although_measured_turns_have_none() {
        let calm = vec![cost(12, 1000.0, None, |_| 0.0); 5];
        // Each collection takes `excess` beyond a turn of 1 ms.
        let warm = |pauses: u32, excess: f64| {
            let mut processes = calm.clone();
            for (at, process) in (0..).zip(&mut processes) {
                let turn = |number: u32| Spent {
                    used: Use::WarmUp,
                    ns: 1e6,
                    collections: Some(f64::from(number == 3 && at < pauses)),
                    excess_ns: if number == 3 && at < pauses { excess } else { 0.0 },
                    ..process.turns[0]
                };
                let turns: Vec<Spent> = (0..20).map(turn).collect();
                process.turns.splice(0..0, turns);
                process.young = Some(20);
            }
            processes
        };
        assert!(called(&warm(0, 0.0), &warm(1, 1e7)) && called(&warm(1, 1e7), &warm(0, 0.0)));
        assert!(!called(&warm(3, 1e7), &warm(3, 1e7)), "both pause alike");
        assert!(!called(&warm(0, 0.0), &warm(5, 1e5)), "half a percent of the time");
        let often = |more: [u32; 5]| {
            let mut processes = calm.clone();
            for (more, process) in more.into_iter().zip(&mut processes) {
                let turn =
                    Spent { used: Use::WarmUp, excess_ns: 1e6, collections: Some(1.0), ..process.turns[0] };
                let quiet = Spent { excess_ns: 0.0, collections: Some(0.0), ..turn };
                process.turns.splice(0..0, (0..20).map(|at| if at < more { turn } else { quiet }));
                process.young = Some(20);
            }
            processes
        };
        assert!(!called(&often([4, 6, 5, 4, 6]), &often([5, 7, 4, 6, 5])));
        assert!(called(&often([4, 6, 5, 4, 6]), &often([9, 12, 10, 8, 11])));
    }
}

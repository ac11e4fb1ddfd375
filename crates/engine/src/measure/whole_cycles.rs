//! Extends visits beyond the plan to measure mean time: until they contain complete collection cycles,
//! and until rare pauses have shown their frequency.

use crate::measure::block::OpenBlock;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::visit::OpenVisit;
use derny_estimate::cost::{Cost, Pace, Spent};
use derny_estimate::indicator;
use derny_estimate::mean::Mean;
use derny_estimate::pair::CostPair;
use derny_estimate::pair::Replicate;
use derny_estimate::rounds::{are_beyond, is_plain};
use derny_model::{Phase, Settings};
use derny_stats::signed_rank;

/// Number of pauses that all pairs of the first look together should show, in the variant with the most
/// pauses.
const PAUSES: f64 = 10.0;
/// Number of pairs assumed for the first look.
const PAIRS: f64 = 8.0;
/// Maximum number of rounds of a visit that waits for rare pauses, as a multiple of its measured rounds or
/// of [`FEWEST`], whichever is more. The first value applies if collections were observed, and the second
/// if not. Example: if every fortieth turn of a variant has a pause, eight pairs of four times twelve rounds
/// show about ten pauses.
const LONGER: [f64; 2] = [8.0, 4.0];
/// Minimum number of rounds that [`LONGER`] multiplies.
const FEWEST: f64 = 12.0;
/// Number of cycles after which no collection is expected any more. If collections come at random, one
/// in four hundred comes later.
const LATE: f64 = 6.0;
/// Largest possible effect of unseen pauses, as a fraction of the margin of mean time.
const WITHIN: f64 = 0.6;
/// Error of the interval by which typical time is decided before mean time is measured, as a multiple of
/// the verdict's error. The smallest error that five pairs allow is 0.0625.
const TYPICAL: f64 = 2.0;

impl OpenBlock<'_> {
    pub(crate) fn visits(&self) -> Vec<&OpenVisit> {
        self.processes.iter().filter_map(|process| process.visit.as_ref()).collect()
    }

    /// Returns true if visits may last longer than planned to measure mean time. They may not if the
    /// body has a limited number of calls or batches, or is measured in a series of growing batches.
    fn may_last(&self, cx: &Context<'_>, state: &CaseState) -> bool {
        let single = state.calibration.calls.once() || state.calibration.is_single_call();
        !single && !cx.settings.ladder && self.batches(Phase::Measured).is_none()
    }

    /// Returns true if mean time needs another round, because a collection cycle is incomplete. The
    /// cycle must be known and its rest must fit into `left_ns`. A process that never collects needs no
    /// cycles.
    pub(crate) fn wants_whole_cycles(
        &self,
        cx: &Context<'_>,
        state: &CaseState,
        cycles: &Cycles,
        left_ns: u64,
    ) -> bool {
        if !self.may_last(cx, state) {
            return false;
        }
        let visits = self.visits();
        let missing = |(visit, variant): (&&OpenVisit, usize)| {
            missing(&visit.replicate.cost, cycles.of(variant, state)?)
        };
        let open: Vec<f64> = visits.iter().zip(0..).filter_map(missing).collect();
        let most = open.into_iter().fold(0.0, f64::max);
        most > 0.0 && most * visits.len() as f64 <= left_ns as f64
    }

    /// Returns the number of rounds beyond the plan that rare pauses require, according to all pairs of
    /// the case so far.
    pub(crate) fn rounds_for_pauses(
        &self,
        cx: &Context<'_>,
        state: &CaseState,
        open: &[Vec<Cost>],
        left_ns: u64,
    ) -> u32 {
        let measured = self.visits().first().map_or(0, |visit| visit.replicate.rounds.turns());
        if !self.may_last(cx, state) || measured == 0 || self.processes.len() < 2 {
            return 0;
        }
        let all = state.samples.replicates();
        let wanted = (1..self.processes.len()).map(|variant| {
            let (base, new) = (&all[0], &all[variant]);
            let complete = base.iter().zip(new).map(|(base, new)| base.costs(new));
            let open = open.iter().map(|costs| CostPair {
                block: u32::MAX,
                units: (0, 0),
                base: &costs[0],
                new: &costs[variant],
            });
            rounds_for(&complete.chain(open).collect::<Vec<CostPair>>(), f64::from(measured), cx.settings)
        });
        let more = wanted.fold(0.0, f64::max) - f64::from(measured);
        let round_ns = (cx.settings.turn_ns * self.processes.len() as u64).max(1);
        more.clamp(0.0, (left_ns / round_ns) as f64) as u32
    }

    /// Returns the results of the open visits so far, by variant.
    pub(crate) fn replicates(&self) -> Vec<Replicate> {
        self.visits().into_iter().map(|visit| visit.replicate.clone()).collect()
    }

    /// Returns the costs of the open visits so far, by variant.
    pub(crate) fn costs(&self) -> Vec<Cost> {
        self.visits().into_iter().map(|visit| visit.replicate.cost.clone()).collect()
    }
}

/// Returns true if mean time must be computed from the open visits of a case. `open` contains these
/// visits by block. A look or the current results must require mean time ([`indicator`]). Returns false
/// while typical time is undecided, because a difference in typical time may make mean time
/// unnecessary.
pub(crate) fn asks_for_mean(state: &CaseState, open: &[Vec<Replicate>], settings: &Settings) -> bool {
    let all = state.samples.replicates();
    (1..state.samples.variants()).any(|side| {
        let both = both(&all, open, side);
        match typical(&ratios(&both), settings) {
            Typical::Open => false,
            Typical::Found => state.calls_for_mean,
            Typical::Within => {
                let pairs: Vec<CostPair> = both.iter().map(|(base, new)| base.costs(new)).collect();
                state.calls_for_mean || indicator::calls(&pairs, &Mean::of(&pairs), settings.mean_margin())
            }
        }
    })
}

/// Returns true if every variant differs so clearly that the next look decides it without more rounds
/// ([`is_plain`]).
pub(crate) fn are_plain(state: &CaseState, open: &[Vec<Replicate>], settings: &Settings) -> bool {
    let all = state.samples.replicates();
    let mut sides = 1..state.samples.variants();
    !sides.is_empty() && sides.all(|side| is_plain(&ratios(&both(&all, open, side)), settings.margin))
}

/// Returns the complete and open pairs of a variant with the base.
fn both<'a>(
    complete: &'a [Vec<Replicate>],
    open: &'a [Vec<Replicate>],
    side: usize,
) -> Vec<(&'a Replicate, &'a Replicate)> {
    let complete = complete[0].iter().zip(&complete[side]);
    complete.chain(open.iter().map(|block| (&block[0], &block[side]))).collect()
}

fn ratios(both: &[(&Replicate, &Replicate)]) -> Vec<f64> {
    both.iter().filter_map(|(base, new)| base.rounds.ratio(&new.rounds)).collect()
}

/// What the pairs so far show about typical time. It affects only the next measurements.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Typical {
    /// The side differs from the base by more than the margin, in all pairs and in one direction.
    Found,
    /// The side agrees with the base within the margin.
    Within,
    /// Neither is shown yet.
    Open,
}

fn typical(ratios: &[f64], settings: &Settings) -> Typical {
    let (margin, alpha) = (settings.margin, TYPICAL * (1.0 - settings.confidence));
    if are_beyond(ratios, margin) {
        return Typical::Found;
    }
    let interval = signed_rank::interval(ratios, alpha);
    let is_within = interval.is_some_and(|interval| -margin < interval.lo && interval.hi < margin);
    if is_within { Typical::Within } else { Typical::Open }
}

/// The frequency of collections in the open visits of a case, by variant.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cycles(Vec<Pace>);

impl Cycles {
    /// Adds the visits of a block.
    pub(crate) fn add(&mut self, costs: &[Cost]) {
        self.0.resize(costs.len(), Pace::default());
        self.0.iter_mut().zip(costs).for_each(|(pace, cost)| pace.add(cost));
    }

    /// Returns the number of operations in one collection cycle, over all processes of the variant.
    fn of(&self, variant: usize, state: &CaseState) -> Option<f64> {
        let mut pace = self.0.get(variant).copied().unwrap_or_default();
        state.samples.replicates()[variant].iter().for_each(|replicate| pace.add(&replicate.cost));
        pace.cycle()
    }
}

/// Returns the approximate time in ns until the window of a process is complete. `cycle` is the number
/// of operations in a cycle. Returns `None` if the window is complete. Also returns `None` if measured
/// turns collect less often than the warm-up did, because a runtime may collect between turns.
fn missing(cost: &Cost, cycle: f64) -> Option<f64> {
    if cost.window().is_some() {
        return None;
    }
    let add = |sum: (f64, f64), turn: &Spent| (sum.0 + turn.ns, sum.1 + turn.operations);
    let (ns, operations) = cost.spent().fold((0.0, 0.0), add);
    let begun = cost.spent().position(|turn| turn.collected());
    let since = begun.map_or(0.0, |at| cost.spent().skip(at + 1).map(|turn| turn.operations).sum());
    let planned = cost.planned();
    let late = if begun.is_some() { since - planned } else { operations };
    if late > LATE * cycle || operations <= 0.0 {
        return None;
    }
    // On average, half a cycle passes until the first collection, and half a cycle from the planned
    // length to the last one.
    let first = if begun.is_some() { 0.0 } else { cycle / 2.0 };
    Some((first + (planned - since).max(0.0) + cycle / 2.0) * ns / operations)
}

/// Returns the number of rounds per visit that will probably show enough pauses for a reliable mean.
/// Returns 0 if no pauses are known, or if mean time is decided without them.
fn rounds_for(pairs: &[CostPair], measured: f64, settings: &Settings) -> f64 {
    let mean = Mean::of(pairs);
    let (margin, alpha) = (settings.mean_margin(), (1.0 - settings.confidence) / 4.0);
    let interval = mean.estimate(alpha).and_then(|estimate| estimate.interval);
    let decided = interval.is_some_and(|i| i.lo > 0.0 || i.hi < 0.0 || (i.lo > -margin && i.hi < margin));
    let Some(longest) = mean.longest_ns.filter(|_| !decided && !mean.lacks_cycles) else { return 0.0 };
    let seen = f64::from(mean.shown.0.pauses.max(mean.shown.1.pauses));
    let wanted = if seen > 0.0 {
        let a_round = seen / (pairs.len() as f64 * measured);
        PAUSES / (PAIRS * a_round)
    } else {
        let bound = std::f64::consts::SQRT_2 * longest * -libm::log(alpha / 2.0) / (WITHIN * margin);
        bound / (PAIRS * settings.turn_ns as f64)
    };
    wanted.ceil().min(LONGER[usize::from(!mean.is_collecting)] * measured.max(FEWEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_come_before_mean_time_while_typical_time_is_open() {
        let settings = Settings { margin: 0.01, ..Settings::default() };
        let typical = |ratios: &[f64]| typical(ratios, &settings);
        assert_eq!(typical(&[0.05, 0.04, 0.06, 0.05, 0.02]), Typical::Found);
        assert_eq!(typical(&[-0.05, -0.04, -0.06, -0.05, -0.02]), Typical::Found);
        assert_eq!(typical(&[0.001, -0.002, 0.0, 0.002, -0.001]), Typical::Within);
        assert_eq!(typical(&[0.05, -0.04, 0.12, 0.0, 0.08]), Typical::Open);
        assert_eq!(typical(&[0.009, 0.012, 0.011, 0.008, 0.01]), Typical::Open);
        assert_eq!(typical(&[0.001]), Typical::Open, "a single pair says nothing");
    }
}

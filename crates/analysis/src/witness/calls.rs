//! Compares single calls. A program that works only in some of its calls has quick and slow ones.

use super::side::{LEAST_BLOCKS, Side, SideVisit, Tested, time};
use derny_model::{Phase, Suspicion, Turn, WitnessTest};
use derny_stats::{median, sorted};
use std::collections::{BTreeMap, BTreeSet};

const LEAST: usize = 60;
/// The first calls of a turn are ignored, because caches are cold.
const COLD: usize = 2;
/// Minimum time of a slow call, as a share of the base's typical call.
const SLOW: f64 = 0.5;
/// Maximum time of a quick call, as a share of the slow ones.
const QUICK: f64 = 0.3;
/// A share of slow calls in this range is suspicious. Fewer slow calls may be interruptions.
const SHARES: std::ops::RangeInclusive<f64> = 0.04..=0.7;
/// Minimum share of blocks with both slow and quick calls.
const BLOCKS: f64 = 0.75;
/// Minimum share of the base's calls that are not quick. They take at least [`SLOW`] of its typical time.
const EVEN: f64 = 0.9;

type Call = (u32, f64);

pub(super) struct Single {
    calls: Vec<Call>,
}

impl Single {
    /// Returns the calls of turns with a single iteration per batch. `measured` adds those of measured turns.
    pub(super) fn of(side: &Side, measured: bool) -> Single {
        let of = |visit: &SideVisit| {
            let turns = visit.turns.iter().zip(&visit.collected);
            let apt = turns.filter(|(turn, collected)| is_single(turn, measured) && !**collected);
            let calls = apt.flat_map(|(turn, _)| turn.times_ns.iter().skip(COLD));
            calls.map(|ns| (visit.block, *ns as f64)).collect::<Vec<_>>()
        };
        Single { calls: side.visits.iter().flat_map(of).collect() }
    }

    fn typical(&self) -> Option<f64> {
        let all: Vec<f64> = self.calls.iter().map(|(_, ns)| *ns).collect();
        (all.len() >= LEAST).then(|| median(&all))
    }

    /// Returns the median calls of the quickest and the slowest block, in ns. `None` with too few calls or
    /// blocks.
    pub(super) fn range(&self) -> Option<[f64; 2]> {
        let mut blocks: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        self.calls.iter().for_each(|(block, ns)| blocks.entry(*block).or_default().push(*ns));
        let medians = sorted(&blocks.values().map(|calls| median(calls)).collect::<Vec<f64>>());
        let is_enough = self.calls.len() >= LEAST && medians.len() >= LEAST_BLOCKS;
        is_enough.then(|| [medians[0], medians[medians.len() - 1]])
    }
}

fn is_single(turn: &Turn, measured: bool) -> bool {
    let is_apt = match turn.phase {
        Phase::Calibration => turn.round > 0,
        Phase::Measured => measured,
        _ => false,
    };
    is_apt && turn.iterations == 1 && turn.outside.is_some()
}

pub(super) struct Calls<'a> {
    pub base: &'a Side<'a>,
    pub side: &'a Side<'a>,
}

impl Calls<'_> {
    pub(super) fn test(&self) -> Tested {
        let (base, side) = (Single::of(self.base, true), Single::of(self.side, true));
        let (Some(usual), Some(_)) = (base.typical(), side.typical()) else {
            return Err("too few of its calls were timed alone".to_owned());
        };
        let even = base.calls.iter().filter(|(_, ns)| *ns >= SLOW * usual).count() as f64;
        if even < EVEN * base.calls.len() as f64 {
            return Err("the calls of the base differ as well".to_owned());
        }
        let (slow, quick): (Vec<Call>, Vec<Call>) =
            side.calls.iter().partition(|(_, ns)| *ns >= SLOW * usual);
        let blocks = |calls: &[Call]| calls.iter().map(|call| call.0).collect::<BTreeSet<u32>>().len();
        let share = slow.len() as f64 / side.calls.len() as f64;
        let (all, mixed) = (blocks(&side.calls), blocks(&slow).min(blocks(&quick)));
        if !SHARES.contains(&share) || mixed < LEAST_BLOCKS || (mixed as f64) < BLOCKS * all as f64 {
            return Ok(None);
        }
        let typical = |calls: &[Call]| median(&calls.iter().map(|call| call.1).collect::<Vec<f64>>());
        let (slow_ns, quick_ns) = (typical(&slow), typical(&quick));
        if quick_ns > QUICK * slow_ns {
            return Ok(None);
        }
        let ops = self.side.case.ops;
        Ok(Some(Suspicion {
            test: WitnessTest::Calls,
            claimed: quick_ns / ops,
            observed: slow_ns / ops,
            turns: side.calls.len() as u32,
            message: format!(
                "does its work in only {} of {} calls, which take {}; the others take {}",
                slow.len(),
                side.calls.len(),
                time(slow_ns),
                time(quick_ns)
            ),
        }))
    }
}

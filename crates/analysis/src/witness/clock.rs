//! Compares the times that a harness claims with the engine's clock and the thread's CPU time.

use super::side::{LEAST_BLOCKS, Side, SideVisit, Tested, time};
use derny_model::{Suspicion, Timing, Turn, WitnessTest};
use derny_stats::median;
use std::collections::BTreeSet;

const LEAST: usize = 6;
const MOST: f64 = 0.7;
/// Minimum hidden time of a turn, as a share of its claimed time.
const HIDDEN: f64 = 0.2;
/// Minimum hidden time of a turn, as a share of the base's untimed time.
const ASIDE: f64 = 0.3;
/// Minimum hidden time of a turn in ns, in addition to both shares.
const LEAST_NS: f64 = 50_000.0;
/// Minimum CPU time of a busy thread, as a share of the claimed time.
const BUSY: f64 = 0.7;
/// Minimum ratio of iterations between compared turns.
const ALIKE: f64 = 0.75;
/// Maximum ratio of the claimed time to the time that passed on the engine's clock.
const FAST: f64 = 1.02;

struct Times {
    block: u32,
    iterations: f64,
    /// Claimed time. The sum of the batches may include waits, but the typical batch does not.
    claimed: f64,
    bracket: f64,
    cpu: Option<f64>,
    batches: f64,
    operations: f64,
}

impl Times {
    fn of(turn: &Turn, block: u32, ops: f64) -> Option<Times> {
        let outside = turn.outside.as_ref()?;
        let wait_ns = outside.wait_ns.unwrap_or(0);
        let without_lead = |ns: u64| ns.saturating_sub(outside.lead_ns) as f64;
        let batches = turn.times_ns.len() as f64;
        let typical = median(&turn.times_ns.iter().map(|ns| *ns as f64).collect::<Vec<f64>>());
        let sum = turn.times_ns.iter().sum::<u64>();
        Some(Times {
            block,
            iterations: turn.iterations as f64,
            claimed: (typical * batches).min(sum as f64).max(sum.saturating_sub(wait_ns) as f64),
            bracket: without_lead(outside.wall_ns.saturating_sub(wait_ns)),
            cpu: outside.cpu_ns.map(without_lead),
            batches,
            operations: turn.all_operations(ops).max(1.0),
        })
    }

    fn all(side: &Side) -> Vec<Times> {
        let of = |visit: &SideVisit| {
            let turns = visit.measured().filter_map(|turn| Times::of(turn, visit.block, side.case.ops));
            turns.collect::<Vec<Times>>()
        };
        side.visits.iter().flat_map(of).collect()
    }

    fn is_busy(&self) -> bool {
        self.cpu.is_some_and(|cpu| cpu >= BUSY * self.claimed)
    }
}

/// Untimed time in ns of the base's turns with a similar number of iterations.
struct Usual {
    aside: f64,
    cpu: Option<f64>,
    batches: f64,
}

impl Usual {
    fn of(base: &[Times], iterations: f64) -> Usual {
        let is_alike =
            |turn: &&Times| (ALIKE..=1.0 / ALIKE).contains(&(turn.iterations / iterations.max(1.0)));
        let alike: Vec<&Times> = base.iter().filter(is_alike).collect();
        let base = if alike.is_empty() { base.iter().collect() } else { alike };
        let of = |value: &dyn Fn(&Times) -> f64| {
            median(&base.iter().map(|turn| value(turn)).collect::<Vec<f64>>())
        };
        let is_busy = 2 * base.iter().filter(|turn| turn.is_busy()).count() > base.len();
        Usual {
            aside: of(&|turn| (turn.bracket - turn.claimed).max(0.0)),
            cpu: is_busy.then(|| of(&|turn| (turn.cpu.unwrap_or(0.0) - turn.claimed).max(0.0))),
            batches: of(&|turn| turn.batches).max(1.0),
        }
    }

    /// Returns the time per operation that the engine observed, if the turn hides time. For a busy thread,
    /// CPU time counts too, because the engine's clock includes delays of a loaded machine.
    fn hidden(&self, turn: &Times) -> Option<f64> {
        // Some untimed work may be done once per batch, and this turn may have more batches than the base's
        // turns.
        let more = (turn.batches / self.batches).max(1.0);
        let cpu = self.cpu.zip(turn.cpu.filter(|_| turn.is_busy()));
        let (aside, spent) = cpu.unwrap_or((self.aside, turn.bracket));
        let observed = spent.min(turn.bracket) - aside * more;
        let least = (1.0 + HIDDEN) * turn.claimed + ASIDE * aside * more + LEAST_NS;
        (observed >= least).then_some(observed / turn.operations)
    }
}

pub(super) struct Clock<'a> {
    pub base: Option<&'a Side<'a>>,
    pub side: &'a Side<'a>,
}

impl Clock<'_> {
    /// Reports a harness that claims more time than has passed.
    pub(super) fn claims_more(&self) -> Option<Suspicion> {
        let (all, more) = too_long(self.side);
        let is_shown = |all: usize, more: &[(f64, f64)]| more.len() >= 3 && 2 * more.len() >= all;
        // Some self-timed bodies report another time, such as that of a graphics processor.
        let is_custom = self.side.case.timing == Timing::SelfTimed;
        let is_usual = match self.base {
            Some(base) => {
                let (all, more) = too_long(base);
                is_custom && is_shown(all, &more)
            }
            None => is_custom,
        };
        if !is_shown(all, &more) || is_usual {
            return None;
        }
        let [claimed, observed] = medians(&more);
        Some(Suspicion {
            test: WitnessTest::Clock,
            claimed,
            observed,
            turns: more.len() as u32,
            message: format!(
                "claims {} per operation in {} of {all} turns in which only {} had passed",
                time(claimed),
                more.len(),
                time(observed)
            ),
        })
    }

    /// Reports a harness that hides time that has passed.
    pub(super) fn claims_less(&self, base: &Side) -> Tested {
        let (base, side) = (Times::all(base), Times::all(self.side));
        let blocks = side.iter().map(|turn| turn.block).collect::<BTreeSet<u32>>().len();
        if base.len().min(side.len()) < LEAST || blocks < LEAST_BLOCKS {
            return Err(format!("there are only {} turns to compare with the base", side.len()));
        }
        let hidden = |turn: &Times| {
            let observed = Usual::of(&base, turn.iterations).hidden(turn)?;
            Some((turn.claimed / turn.operations, observed))
        };
        let shown: Vec<(f64, f64)> = side.iter().filter_map(hidden).collect();
        if (shown.len() as f64) < MOST * side.len() as f64 {
            return Ok(None);
        }
        let [claimed, observed] = medians(&shown);
        Ok(Some(Suspicion {
            test: WitnessTest::Clock,
            claimed,
            observed,
            turns: shown.len() as u32,
            message: format!(
                "claims {} per operation, but took {} by the engine's clocks in {} of {} turns",
                time(claimed),
                time(observed),
                shown.len(),
                side.len()
            ),
        }))
    }
}

/// Returns the number of turns. Also returns the claimed and true time per operation of each turn that claims
/// more than the time from request to answer.
fn too_long(side: &Side) -> (usize, Vec<(f64, f64)>) {
    let turns = side.visits.iter().flat_map(SideVisit::measured);
    let times: Vec<(f64, f64, f64)> = turns
        .filter_map(|turn| {
            let outside = turn.outside.as_ref()?;
            let claimed = turn.times_ns.iter().sum::<u64>() as f64;
            // A wait for a processor may fall inside or outside the timed part of the turn.
            let has_waited = outside.wait_ns.unwrap_or(0) > outside.wall_ns / 20;
            if has_waited && claimed <= outside.wall_ns as f64 {
                return None;
            }
            let wall_ns = outside.wall_ns as f64;
            let operations = turn.all_operations(side.case.ops).max(1.0);
            let most = FAST * wall_ns + (turn.times_ns.len() + 1) as f64 * side.step_ns + 2_000.0;
            Some((claimed - most, claimed / operations, wall_ns / operations))
        })
        .collect();
    let more = times.iter().filter(|(beyond, ..)| *beyond > 0.0);
    (times.len(), more.map(|(_, claimed, observed)| (*claimed, *observed)).collect())
}

fn medians(pairs: &[(f64, f64)]) -> [f64; 2] {
    let of = |value: fn(&(f64, f64)) -> f64| median(&pairs.iter().map(value).collect::<Vec<f64>>());
    [of(|pair| pair.0), of(|pair| pair.1)]
}

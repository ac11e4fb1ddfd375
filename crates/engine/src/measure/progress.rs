//! The progress of a run, for display. Emitted between turns, so that nothing else runs during a timed turn.

use crate::measure::allowance;
use crate::measure::block::Block;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::HarnessProcess;
use crate::measure::samples::Samples;
use derny_estimate::pair::Replicate;
use derny_model::{Event, LEAST_REPLICATES, Progress, Standing};
use derny_stats::location;
use std::time::{Duration, Instant};

/// Minimum time between two progress events.
const EVERY: Duration = Duration::from_millis(200);
/// Part of a visit's progress that the steps before its measured rounds account for.
const BEFORE_ROUNDS: f64 = 0.4;
/// Largest fraction of a visit to show before it is closed, because collection cycles may take more
/// rounds than planned.
const UNTIL_CLOSED: f64 = 0.95;
/// Fraction of the run below which no remaining time is shown.
const FIRST_SHARE: f64 = 0.02;

/// Emits the progress while these blocks are alive. Does nothing if the last event was recent.
pub fn tell(cx: &mut Context<'_>, states: &[CaseState], blocks: &[Block]) {
    if cx.watch.told.is_some_and(|at| at.elapsed() < EVERY) {
        return;
    }
    cx.watch.told = Some(Instant::now());
    let mut open: Vec<u32> = blocks.iter().filter_map(Block::case).collect();
    open.sort_unstable();
    open.dedup();
    let open: Vec<Standing> = open.into_iter().map(|case| standing(cx, states, blocks, case)).collect();
    let done = states.iter().filter(|state| state.ended.is_some()).count() as u32;
    let of_case = |(case, state): (usize, &CaseState)| match state.ended {
        Some(_) => 1.0,
        None => {
            let own = open.iter().find(|standing| standing.case == case as u32);
            let complete = own.map_or(f64::from(state.samples.complete), |standing| standing.processes);
            (complete / f64::from(cx.watch.next(state.samples.complete))).min(1.0)
        }
    };
    let share = states.iter().enumerate().map(of_case).sum::<f64>() / states.len().max(1) as f64;
    // The time until collection cycles are complete is unpredictable.
    let is_known = share >= FIRST_SHARE
        && !blocks.iter().filter_map(|block| block.open.as_ref()).any(|open| open.is_beyond_plan);
    let left_ns = is_known.then(|| {
        let left = cx.now_ns() as f64 * (1.0 - share) / share;
        let open = states.iter().filter(|state| state.ended.is_none());
        let allowed = open.map(|state| still_to_come(cx, state)).fold(0, u64::saturating_add);
        (left as u64).min(cx.time.left_ns()).min(allowed)
    });
    let progress = Box::new(Progress { open, done, share, left_ns });
    cx.watch.last = Some(progress.clone());
    cx.emit(Event::Progress(progress));
}

/// Returns the maximum remaining time of a case, in ns. It is the rest of its budget or, if that is
/// more, the time of the processes that the case gets regardless of its budget.
fn still_to_come(cx: &Context<'_>, state: &CaseState) -> u64 {
    let (spent_ns, account) = (state.account.spent_ns, &state.account);
    let known = u64::from(account.begun.max(1));
    let owed = u64::from(LEAST_REPLICATES.saturating_sub(state.samples.complete));
    let owed_ns = (spent_ns / known * owed).min(allowance::left_ns(cx, state));
    allowance::allowed_ns(cx, state).saturating_sub(spent_ns).max(owed_ns)
}

/// Returns the progress of a case, as if its open visits ended now.
fn standing(cx: &Context<'_>, states: &[CaseState], blocks: &[Block], case: u32) -> Standing {
    let state = &states[case as usize];
    let mut samples: Samples = state.samples.clone();
    let mut processes = f64::from(samples.complete);
    let own = blocks.iter().filter_map(|block| Some((block, block.open.as_ref()?)));
    for (block, open) in own.filter(|(_, open)| open.case == case) {
        let rounds = block.processes.iter().map(measured).min().unwrap_or(0);
        let planned = f64::from(state.rounds.max(1));
        processes += match rounds {
            0 if open.rounds_left == 0 => 0.0,
            0 => {
                let share_ns = allowance::share_ns(cx, state).max(1) as f64;
                BEFORE_ROUNDS.min(open.spent_ns as f64 / share_ns)
            }
            rounds => {
                let measured = BEFORE_ROUNDS + (1.0 - BEFORE_ROUNDS) * f64::from(rounds) / planned;
                measured.min(UNTIL_CLOSED)
            }
        };
        if rounds > 0 {
            let open: Option<Vec<Replicate>> = block.processes.iter().map(so_far).collect();
            open.into_iter().for_each(|open| samples.complete_block(open));
        }
    }
    let changes = (1..samples.variants()).filter_map(|variant| {
        let logs: Vec<f64> = samples.pairs(variant).iter().map(|pair| pair.log).collect();
        (!logs.is_empty()).then(|| libm::expm1(location::hodges_lehmann(&logs)))
    });
    Standing {
        case,
        processes,
        planned: cx.watch.next(state.samples.complete),
        typical_ns: samples.typical_ns(),
        half_width: samples.half_width(&cx.watch.levels).filter(|half| half.is_finite()),
        changes: changes.collect(),
    }
}

fn measured(process: &HarnessProcess) -> u32 {
    process.visit.as_ref().map_or(0, |visit| visit.replicate.rounds.turns())
}

fn so_far(process: &HarnessProcess) -> Option<Replicate> {
    process.visit.as_ref().map(|visit| visit.replicate.clone())
}

//! A wave: blocks alive together. Launch, take their cases one step after another with rounds interleaved over all
//! blocks, and leave.

use crate::block::Block;
use crate::context::Context;
use crate::observe::spin;
use crate::observe::system::System;
use crate::plan::ONCE_PER_PROCESS;
use crate::seat::{Seat, Trouble};
use crate::settle;
use crate::sitting::Sitting;
use crate::state::CaseState;
use derny_model::{Event, Failure, LEAST_REPLICATES, StopReason, Timing, Trait};
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// A block to launch: its number and its cases in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// Number of the block in the run.
    pub block: u32,
    /// Cases in the order in which they are opened.
    pub cases: VecDeque<u32>,
}

/// Measures the blocks of one wave. Blocks whose process was lost with cases still to take come back.
pub fn measure(
    cx: &mut Context<'_>,
    states: &mut [CaseState],
    system: &mut System,
    pending: Vec<Pending>,
) -> Vec<Pending> {
    cx.aside.back();
    let spin = spin::by_processor(&cx.settings.pin);
    let mut lost = Vec::new();
    let mut blocks = launch(cx, states, pending, &mut lost);
    while !blocks.is_empty() {
        step(cx, states, &mut blocks, &mut lost);
        let going = !cx.stopped() && !cx.over();
        let (stay, mut leave): (Vec<Block>, Vec<Block>) =
            blocks.into_iter().partition(|block| going && !block.todo.is_empty());
        // A runtime takes milliseconds to end: all at once.
        leave.iter_mut().for_each(|block| block.dismiss(cx));
        for block in leave {
            block.leave(cx, true);
        }
        blocks = stay;
    }
    let observation = system.observe(spin);
    cx.tell(Event::Observed(observation));
    lost
}

/// Starts all programs, as many at a time as there are processors: nothing is being measured yet.
fn launch(
    cx: &mut Context<'_>,
    states: &mut [CaseState],
    pending: Vec<Pending>,
    lost: &mut Vec<Pending>,
) -> Vec<Block> {
    let at_once = std::thread::available_parallelism().map_or(1, |n| n.get());
    let variants = cx.variants.len() as u32;
    let mut blocks = Vec::new();
    let mut waiting: VecDeque<(Pending, Vec<Sitting>)> = VecDeque::new();
    let mut coming = pending.into_iter();
    loop {
        while waiting.len() * (variants as usize) < at_once
            && let Some(next) = coming.next()
        {
            match start(cx, states, next, variants) {
                Ok(Some(entry)) => waiting.push_back(entry),
                Ok(None) => {}
                Err(again) => lost.extend(again),
            }
        }
        let Some((pending, sittings)) = waiting.pop_front() else { return blocks };
        let seats: Result<Vec<Seat>, Failure> =
            sittings.into_iter().map(|sitting| sitting.seat(cx)).collect();
        match seats {
            Ok(seats) => {
                let launch_ns = seats.iter().map(Seat::launch_ns).sum();
                for &case in &pending.cases {
                    states[case as usize].launch_ns = launch_ns;
                }
                let share = launch_ns / pending.cases.len().max(1) as u64;
                for &case in &pending.cases {
                    let state = &mut states[case as usize];
                    (state.spent_ns, state.launches_ns) = (state.spent_ns + share, state.launches_ns + share);
                    state.launched += 1;
                }
                let (block, todo) = (pending.block, pending.cases);
                blocks.push(Block::new(block, seats, todo));
            }
            // What starts slowly is no failure where the run's time is over.
            Err(failure) if cx.stopped() || cx.over() => drop(failure),
            Err(failure) => lost.extend(failed(cx, states, failure, pending)),
        }
    }
}

type Started = Option<(Pending, Vec<Sitting>)>;

fn start(
    cx: &mut Context<'_>,
    states: &mut [CaseState],
    mut pending: Pending,
    variants: u32,
) -> Result<Started, Option<Pending>> {
    pending.cases.retain(|&case| {
        let state = &mut states[case as usize];
        // No more are launched where launches alone have spent the budget; those that are there are measured.
        state.cut |= state.launched >= LEAST_REPLICATES && state.launches_ns > cx.settings.budget_ns;
        state.ended.is_none() && !state.cut
    });
    let Some(&first) = pending.cases.front() else { return Ok(None) };
    if cx.stopped() || cx.over() {
        return Ok(None);
    }
    let sittings: Result<Vec<Sitting>, Failure> =
        (0..variants).map(|variant| Sitting::start(cx, first, variant, pending.block)).collect();
    match sittings {
        Ok(sittings) => Ok(Some((pending, sittings))),
        Err(failure) if cx.stopped() || cx.over() => {
            drop(failure);
            Ok(None)
        }
        Err(failure) => Err(failed(cx, states, failure, pending)),
    }
}

/// The first case of a block has failed with its process; the others get another process.
fn failed(
    cx: &mut Context<'_>,
    states: &mut [CaseState],
    failure: Failure,
    mut pending: Pending,
) -> Option<Pending> {
    let case = pending.cases.pop_front()?;
    fail(cx, states, case, failure);
    (!pending.cases.is_empty()).then_some(pending)
}

/// A case has failed: told once, measured no more.
pub fn fail(cx: &mut Context<'_>, states: &mut [CaseState], case: u32, failure: Failure) {
    let state = &mut states[case as usize];
    if state.ended.is_none() {
        state.ended = Some(StopReason::Failed);
        cx.tell(Event::Failed(failure));
        cx.tell(Event::CaseEnded { case, reason: StopReason::Failed });
    }
}

/// Time that one stay may take, in ns: the case's part shared over the processes of its first stage.
fn share_ns(cx: &Context<'_>, state: &CaseState) -> u64 {
    let planned = cx.first_look.max(1);
    // Where starts are slow, or slow just now, half of the time is still for measuring.
    let budget = cx.case_ns;
    let share =
        budget.saturating_sub(state.launch_ns * u64::from(planned)).max(budget / 2) / u64::from(planned);
    match cx.deadline {
        Some(deadline) => {
            let left = deadline.saturating_duration_since(Instant::now()).as_nanos() as u64;
            share.min(left / 2)
        }
        None => share,
    }
}

/// Time that a case may take in ns: its budget, or half of it beside the launches where those have taken more.
fn allowed_ns(cx: &Context<'_>, state: &CaseState) -> u64 {
    cx.settings.budget_ns.max(state.launches_ns + cx.settings.budget_ns / 2)
}

/// One case in every block: open, cold, calibrate, warm up, rounds, other modes, empty body, close.
fn step(cx: &mut Context<'_>, states: &mut [CaseState], blocks: &mut Vec<Block>, lost: &mut Vec<Pending>) {
    each(cx, states, blocks, lost, |block, cx, states| {
        while let Some(case) = block.todo.pop_front() {
            let state = &mut states[case as usize];
            let spent = state.spent_ns + state.call_ns > allowed_ns(cx, state);
            let unaffordable = state.begun >= LEAST_REPLICATES && spent;
            state.cut |= unaffordable;
            if state.ended.is_some() || unaffordable || cx.over() {
                continue;
            }
            state.begun += 1;
            match block.open(cx, case)? {
                None => break,
                Some(reason) => {
                    state.ended = Some(StopReason::Skipped);
                    cx.tell(Event::Log { case: Some(case), message: format!("skipped: {reason}") });
                    cx.tell(Event::CaseEnded { case, reason: StopReason::Skipped });
                }
            }
        }
        Ok(())
    });
    // What the first calls of this step have taken, by case. Only they show how long calls are.
    let mut called: BTreeMap<u32, (u32, u64)> = BTreeMap::new();
    on_open(cx, states, blocks, lost, |block, cx, state| {
        let (blocks, ns) = called.entry(block.case.unwrap_or(0)).or_default();
        let next = state.call_ns * block.seats.len() as u64;
        if state.complete + *blocks >= LEAST_REPLICATES && state.spent_ns + *ns + next > allowed_ns(cx, state)
        {
            state.cut = true;
            return block.close(cx, state);
        }
        let before = block.spent_ns;
        block.cold(cx, state, share_ns(cx, state))?;
        (*blocks, *ns) = (*blocks + 1, *ns + block.spent_ns - before);
        Ok(())
    });
    on_open(cx, states, blocks, lost, warm);
    settle::all(cx, states, blocks, lost);
    on_open(cx, states, blocks, lost, |block, cx, state| {
        block.come_to_rest(cx, state)?;
        // Compiled code in a heap at rest is faster than the first calls: look once more.
        if block.is_first { block.calibrate(cx, state) } else { Ok(()) }
    });
    on_open(cx, states, blocks, lost, |block, cx, _| block.note_footprint(cx));
    while !cx.stopped() {
        let mut order: Vec<usize> = (0..blocks.len()).collect();
        cx.rng.shuffle(&mut order);
        let mut any = false;
        // The same for all blocks: moving threads from one processor to another costs more than all else that a turn needs.
        let processor = cx.draw();
        on_some(cx, states, blocks, lost, &order, |block, cx, state| {
            let measured = block.seats.iter().all(Seat::has_measured);
            if block.rounds_left == 0 || (measured && (cx.over() || block.spent_ns > share_ns(cx, state))) {
                block.rounds_left = 0;
                return Ok(());
            }
            any = true;
            block.round(cx, state, processor)
        });
        if !any {
            break;
        }
    }
    on_open(cx, states, blocks, lost, |block, cx, _| block.note_footprint(cx));
    on_open(cx, states, blocks, lost, |block, cx, state| {
        if state.once {
            return Ok(());
        }
        block.modes(cx, state, share_ns(cx, state))?;
        block.overhead(cx, state)
    });
    on_open(cx, states, blocks, lost, |block, cx, state| block.close(cx, state));
}

/// Calibration by the first visit of a case, warm-up.
fn warm(block: &mut Block, cx: &mut Context<'_>, state: &mut CaseState) -> Result<(), Trouble> {
    let share = share_ns(cx, state);
    if state.once || block.rounds_left == 0 {
        return Ok(());
    }
    if state.call_ns > share / 3 && state.complete == 0 && state.call_ns < cx.settings.budget_ns / 4 {
        // A first call may have been slow for another's sake: ask once more before taking the body for a slow one.
        block.second_call(cx, state)?;
    }
    if state.call_ns > share / 3 {
        // One call fills the share: no warm-up, and the rounds end when the share is spent.
        state.iterations.get_or_insert(1);
        state.batch_ns = state.call_ns as f64;
        return Ok(());
    }
    let first = state.iterations.is_none();
    if first {
        block.calibrate(cx, state)?;
    }
    let limit = cx.settings.warmup_ns.unwrap_or(share * 2 / 5);
    block.is_first = first && limit > 0;
    let start = Instant::now();
    block.warm_up(cx, state, limit, first)?;
    // A body that was still compiling until its time was over has not come to rest: half as much again is for that.
    let limit = Duration::from_nanos(limit);
    block.warm_left = Some(limit.saturating_sub(start.elapsed()).max(limit / 2));
    Ok(())
}

type Step<'s> = dyn FnMut(&mut Block, &mut Context<'_>, &mut CaseState) -> Result<(), Trouble> + 's;

fn on_open(
    cx: &mut Context<'_>,
    states: &mut [CaseState],
    blocks: &mut Vec<Block>,
    lost: &mut Vec<Pending>,
    mut act: impl FnMut(&mut Block, &mut Context<'_>, &mut CaseState) -> Result<(), Trouble>,
) {
    let order: Vec<usize> = (0..blocks.len()).collect();
    on_some(cx, states, blocks, lost, &order, &mut act);
}

/// Does something in the blocks of `order` that have a case open.
pub(crate) fn on_some(
    cx: &mut Context<'_>,
    states: &mut [CaseState],
    blocks: &mut Vec<Block>,
    lost: &mut Vec<Pending>,
    order: &[usize],
    mut act: impl FnMut(&mut Block, &mut Context<'_>, &mut CaseState) -> Result<(), Trouble>,
) {
    let act: &mut Step<'_> = &mut act;
    in_order(cx, states, blocks, lost, order, &mut |block, cx, states| match block.case {
        Some(case) => act(block, cx, &mut states[case as usize]),
        None => Ok(()),
    });
}

fn each(
    cx: &mut Context<'_>,
    states: &mut [CaseState],
    blocks: &mut Vec<Block>,
    lost: &mut Vec<Pending>,
    mut act: impl FnMut(&mut Block, &mut Context<'_>, &mut [CaseState]) -> Result<(), Trouble>,
) {
    let order: Vec<usize> = (0..blocks.len()).collect();
    in_order(cx, states, blocks, lost, &order, &mut act);
}

type Act<'s> = dyn FnMut(&mut Block, &mut Context<'_>, &mut [CaseState]) -> Result<(), Trouble> + 's;

/// Does something in blocks; a block in trouble is dealt with and, if its process is lost, removed.
fn in_order(
    cx: &mut Context<'_>,
    states: &mut [CaseState],
    blocks: &mut Vec<Block>,
    lost: &mut Vec<Pending>,
    order: &[usize],
    act: &mut Act<'_>,
) {
    let mut gone = Vec::new();
    for &i in order {
        if let Err(trouble) = act(&mut blocks[i], cx, states)
            && !survives(cx, states, &mut blocks[i], trouble, lost)
        {
            gone.push(i);
        }
    }
    gone.sort_unstable();
    for i in gone.into_iter().rev() {
        blocks.remove(i).leave(cx, false);
    }
}

/// Deals with trouble. False: the block's processes must be ended.
fn survives(
    cx: &mut Context<'_>,
    states: &mut [CaseState],
    block: &mut Block,
    trouble: Trouble,
    lost: &mut Vec<Pending>,
) -> bool {
    let (failure, usable) = match trouble {
        Trouble::Failed { failure, usable } => (failure, usable),
        Trouble::Rejected | Trouble::Gone => return true,
        Trouble::Interrupted => return false,
    };
    let case = block.case.take().or(failure.case).unwrap_or(0);
    let state = &mut states[case as usize];
    // Rounds are still to come only where the first call was good. One that was learnt to run once has none.
    let called = block.rounds_left > 0 || (!state.once && block.seats.iter().any(Seat::has_measured));
    state.spent_ns += block.spent_ns;
    let declared = &cx.catalogue.cases[case as usize];
    if declared.timing == Timing::SelfTimed && called {
        // The first call was good and a later one was not: this body runs once in a process. Another block of the wave
        // may have learnt it already; such a block is measured again like the first.
        if !state.once {
            state.once = true;
            let file_hash = cx.catalogue.source(case).hash.clone();
            let (case_name, key, value) =
                (declared.id.name(), ONCE_PER_PROCESS.to_string(), failure.what.clone());
            cx.tell(Event::Learned(Trait { file_hash, case: case_name, key, value }));
        }
        lost.push(Pending {
            block: block.block,
            cases: std::iter::once(case).chain(block.todo.drain(..)).collect(),
        });
        return false;
    }
    fail(cx, states, case, *failure);
    if usable {
        let closed = block.seats.iter_mut().all(|seat| seat.visit.is_none() || seat.close(cx).is_ok());
        if closed {
            return true;
        }
    }
    if !block.todo.is_empty() {
        lost.push(Pending { block: block.block, cases: std::mem::take(&mut block.todo) });
    }
    false
}

//! A wave: the blocks that are alive together. Launches them, measures their cases step by step with the
//! rounds of all blocks interleaved, and ends them.

use crate::measure::allowance::{
    affords_launch, affords_next, left_ns, share_ns, takes_from_others, visit_ns,
};
use crate::measure::block::{Block, OpenBlock, OpenCase};
use crate::measure::calls;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::{HarnessProcess, StepError};
use crate::measure::launching::Launching;
use crate::measure::neighbours;
use crate::measure::other_modes::OtherModes;
use crate::measure::progress;
use crate::measure::whole_cycles::{self, Cycles};
use crate::observe::machine;
use crate::observe::spin;
use crate::observe::system::System;
use crate::plan::{
    self,
    launch_order::{self, LaunchOrders},
};
use derny_estimate::cost::Cost;
use derny_estimate::pair::Replicate;
use derny_model::{Event, Failure, LEAST_REPLICATES, StopReason, Timing};
use std::collections::{BTreeMap, VecDeque};

/// A block to launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// Number of the block in the run.
    pub block: u32,
    /// Indices of the cases to measure, in order.
    pub cases: VecDeque<u32>,
}

/// The blocks of a wave, with the state that their steps change.
pub struct Wave<'w, 'a> {
    pub(super) cx: &'w mut Context<'a>,
    pub(super) states: &'w mut [CaseState],
    pub(super) blocks: Vec<Block>,
    /// Blocks to launch again: their processes were lost before their cases were measured, or their
    /// cases must wait for the next wave.
    lost: Vec<Pending>,
    /// Estimated time of the launched blocks, in ns.
    launched_ns: u64,
}

/// A block that is being launched, its launch order, and its programs in that order.
type Started = (Pending, Vec<usize>, Vec<Launching>);
type Step<'s> = dyn FnMut(&mut Block, &mut Context<'_>, &mut [CaseState]) -> Result<(), StepError> + 's;

impl<'w, 'a> Wave<'w, 'a> {
    /// Creates a wave without blocks.
    pub fn new(cx: &'w mut Context<'a>, states: &'w mut [CaseState]) -> Wave<'w, 'a> {
        // Listing, calibration and the overhead of visits have also taken time of the run. Divide the
        // rest among the remaining visits.
        let open = || states.iter().filter(|state| state.ended.is_none());
        cx.time.cases = open().count() as u64;
        cx.time.visits =
            open().map(|state| u64::from(cx.time.pairs.saturating_sub(state.account.begun))).sum();
        Wave { cx, states, blocks: Vec::new(), lost: Vec::new(), launched_ns: 0 }
    }

    /// Measures blocks. Returns the blocks that must be launched again, with their remaining cases.
    pub fn measure(mut self, system: &mut System, pending: Vec<Pending>) -> Vec<Pending> {
        self.cx.processors.engine.back();
        let spin = spin::by_processor(&self.cx.settings.pin);
        self.launch(pending);
        while !self.blocks.is_empty() {
            self.take_cases();
            let going = !self.cx.stopped() && !self.cx.over();
            let (stay, mut leave): (Vec<Block>, Vec<Block>) =
                self.blocks.drain(..).partition(|block| going && !block.todo.is_empty());
            self.blocks = stay;
            // A runtime takes milliseconds to end. Ask all processes to end before waiting for any.
            leave.iter_mut().for_each(|block| block.dismiss(self.cx));
            for block in leave {
                block.leave(self.cx, true);
            }
        }
        let observation = system.observe(spin);
        self.cx.observed(observation);
        self.lost
    }

    /// Starts all programs. As many start in parallel as there are processors, because nothing is being
    /// measured yet.
    fn launch(&mut self, pending: Vec<Pending>) {
        let at_once = machine::at_once();
        let variants = self.cx.variants.len();
        let mut waiting: VecDeque<Started> = VecDeque::new();
        let mut coming = pending.into_iter();
        loop {
            while waiting.len() * variants < at_once
                && let Some(next) = coming.next()
            {
                match self.start(next) {
                    Ok(Some(entry)) => waiting.push_back(entry),
                    Ok(None) => {}
                    Err(again) => self.lost.extend(again),
                }
            }
            let Some((pending, order, launchings)) = waiting.pop_front() else { return };
            let processes: Result<Vec<HarnessProcess>, Failure> =
                launchings.into_iter().map(|launching| launching.wait(self.cx)).collect();
            match processes {
                Ok(processes) => self.add(processes, order, pending),
                // A slow start is not a failure if the time of the run is over.
                Err(failure) if self.cx.stopped() || self.cx.over() => drop(failure),
                Err(failure) => {
                    let again = self.failed(failure, pending);
                    self.lost.extend(again);
                }
            }
        }
    }

    /// Starts the programs of a block. `Ok(None)` if the block has no cases left or the run is over. If the
    /// block cannot be started now, it is the error.
    fn start(&mut self, mut pending: Pending) -> Result<Option<Started>, Option<Pending>> {
        let shares = pending.cases.len() > 1;
        pending.cases.retain(|&case| {
            let state = &mut self.states[case as usize];
            // If launches alone have used the budget, launch nothing more, and measure only in the
            // existing processes.
            state.account.cut |= !affords_launch(self.cx, &state.account);
            state.ended.is_none() && !state.account.cut && !(shares && state.is_alone())
        });
        let Some(&first) = pending.cases.front() else { return Ok(None) };
        if self.cx.stopped() || self.cx.over() {
            return Ok(None);
        }
        if !self.has_time(&mut pending) {
            return if pending.cases.is_empty() { Ok(None) } else { Err(Some(pending)) };
        }
        let order = self.launch_order(&pending);
        let launchings: Result<Vec<Launching>, Failure> = (0..)
            .zip(&order)
            .map(|(place, &variant)| Launching::start(self.cx, first, variant as u32, pending.block, place))
            .collect();
        match launchings {
            Ok(launchings) => Ok(Some((pending, order, launchings))),
            Err(failure) if self.cx.stopped() || self.cx.over() => {
                drop(failure);
                Ok(None)
            }
            Err(failure) => Err(self.failed(failure, pending)),
        }
    }

    /// Returns true if there is time to launch a block and visit one of its cases after the other
    /// blocks of this wave. If the time is too short even for the first block of a wave, removes all
    /// cases from `pending`.
    fn has_time(&mut self, pending: &mut Pending) -> bool {
        let states = &self.states;
        let visits = pending.cases.iter().map(|&case| visit_ns(self.cx, &states[case as usize], case));
        let cost_ns = self.launch_ns(pending) + visits.min().unwrap_or(0);
        if self.launched_ns.saturating_add(cost_ns) <= self.cx.time.left_ns() {
            self.launched_ns += cost_ns;
            return true;
        }
        if self.launched_ns == 0 {
            for case in pending.cases.drain(..) {
                self.states[case as usize].account.cut = true;
            }
        }
        false
    }

    /// Returns the time to launch a block in ns. Prefers the time observed for its cases, then that of
    /// another case, then the planned time.
    fn launch_ns(&self, pending: &Pending) -> u64 {
        if self.cx.launcher.attached.is_some() {
            return 0;
        }
        let own = pending.cases.iter().map(|&case| self.states[case as usize].account.launch_ns).max();
        let other = || self.states.iter().map(|state| state.account.launch_ns).max();
        let known = own.filter(|ns| *ns > 0).or_else(|| other().filter(|ns| *ns > 0));
        known.unwrap_or(plan::LAUNCH_NS * self.cx.variants.len() as u64)
    }

    /// Returns the order in which to launch the variants of a block. A block keeps its order if it is
    /// launched again.
    fn launch_order(&mut self, pending: &Pending) -> Vec<usize> {
        let orders: Vec<&LaunchOrders> =
            pending.cases.iter().map(|&case| &self.states[case as usize].account.orders).collect();
        let earlier = orders.iter().find_map(|orders| orders.of(pending.block)).cloned();
        let order =
            earlier.unwrap_or_else(|| launch_order::next(self.cx.variants.len(), &orders, &mut self.cx.rng));
        for &case in &pending.cases {
            self.states[case as usize].account.orders.note(pending.block, order.clone());
        }
        order
    }

    /// Adds a block whose processes have answered. Its cases share the cost of the launch.
    fn add(&mut self, mut processes: Vec<HarnessProcess>, order: Vec<usize>, pending: Pending) {
        let launch_ns: u64 = processes.iter().map(HarnessProcess::launch_ns).sum();
        let share = launch_ns / pending.cases.len().max(1) as u64;
        for &case in &pending.cases {
            let account = &mut self.states[case as usize].account;
            account.launch_ns = launch_ns;
            account.spent_ns += share;
            account.launches_ns += share;
            account.launched += 1;
        }
        processes.sort_by_key(HarnessProcess::variant);
        self.blocks.push(Block::new(pending.block, processes, order, pending.cases));
    }

    /// Ends the first case of a block whose launch failed. Returns the block if it has other cases.
    fn failed(&mut self, failure: Failure, mut pending: Pending) -> Option<Pending> {
        let case = pending.cases.pop_front()?;
        self.cx.fail(&mut self.states[case as usize], case, failure);
        (!pending.cases.is_empty()).then_some(pending)
    }

    /// Measures one case in every block: open, first call, calibration, warm-up, rounds, other modes, empty
    /// body, close.
    fn take_cases(&mut self) {
        // Estimated total time of the visits that this step opens, in ns.
        let mut opened_ns = 0;
        self.for_each(|block, cx, states| open_next(block, cx, states, &mut opened_ns));
        let open: Vec<u32> = self.blocks.iter().filter_map(Block::case).collect();
        open.iter().for_each(|case| self.states[*case as usize].samples.load());
        self.call_first();
        self.warm_up();
        self.settle();
        self.rest();
        self.for_open(|block, cx, _| block.note_footprint(cx));
        self.rounds();
        self.for_open(|block, cx, _| block.note_footprint(cx));
        self.for_open(|block, cx, state| {
            if state.calibration.calls.once() {
                return Ok(());
            }
            let share_ns = share_ns(cx, state) + block.open.borrowed_ns;
            OtherModes::of(block, cx, state).measure(cx, state, share_ns)?;
            block.single_calls(cx, state)?;
            block.overhead(cx, state)
        });
        self.for_open(|block, cx, _| block.begin_closing(cx));
        self.for_open(|block, cx, state| block.close(cx, state));
        open.iter().for_each(|case| self.states[*case as usize].samples.spill());
    }

    /// Runs the measured rounds: the planned rounds, then those that the noise within processes
    /// requires. If mean time is needed, adds rounds for rare pauses and to complete collection cycles.
    fn rounds(&mut self) {
        self.for_open(|block, _, _| {
            block.open.warm_ns = block.open.spent_ns;
            Ok(())
        });
        self.rounds_left();
        self.add_rounds();
        self.rounds_left();
        self.ask_for_mean();
        self.wait_for_pauses();
        self.rounds_left();
        let cycles = self.cycles();
        while self.wait_for_cycles(&cycles) && !self.cx.stopped() {
            self.rounds_left();
        }
    }

    /// Adds rounds to all blocks of a case, as many as the noise within its processes requires. Adds
    /// none if the difference between the variants is obvious without them.
    fn add_rounds(&mut self) {
        let open = self.open_replicates();
        let mut noise: BTreeMap<u32, Vec<Vec<f64>>> = BTreeMap::new();
        self.for_open(|block, cx, state| {
            if block.may_have_more_rounds(cx, state) {
                noise.entry(block.open.case).or_default().extend(block.noise());
            }
            Ok(())
        });
        self.for_open(|block, cx, state| {
            let own = noise.get(&block.open.case).map_or(&[][..], Vec::as_slice);
            let is_plain = || whole_cycles::are_plain(state, of_case(&open, block.open.case), cx.settings);
            if block.may_have_more_rounds(cx, state) && !is_plain() {
                block.open.rounds_left = block.more_rounds(cx, state, own);
            }
            Ok(())
        });
    }

    /// Records for every block whether the mean time of its case is needed. The user, a look or the current
    /// results may require it.
    fn ask_for_mean(&mut self) {
        let open = self.open_replicates();
        self.for_open(|block, cx, state| {
            block.open.asks_for_mean = cx.settings.mean
                || block.processes.len() < 2
                || whole_cycles::asks_for_mean(state, of_case(&open, block.open.case), cx.settings);
            Ok(())
        });
    }

    /// Returns the results of the open visits so far, by case, block and variant.
    fn open_replicates(&mut self) -> BTreeMap<u32, Vec<Vec<Replicate>>> {
        let mut open: BTreeMap<u32, Vec<Vec<Replicate>>> = BTreeMap::new();
        self.for_open(|block, _, _| {
            open.entry(block.open.case).or_default().push(block.replicates());
            Ok(())
        });
        open
    }

    /// Returns the collection cycles that the open visits showed, by case.
    fn cycles(&mut self) -> BTreeMap<u32, Cycles> {
        let mut cycles: BTreeMap<u32, Cycles> = BTreeMap::new();
        self.for_open(|block, _, _| {
            cycles.entry(block.open.case).or_default().add(&block.costs());
            Ok(())
        });
        cycles
    }

    /// Adds rounds to blocks whose case has pauses so rare that few turns show them.
    fn wait_for_pauses(&mut self) {
        let mut costs: BTreeMap<u32, Vec<Vec<Cost>>> = BTreeMap::new();
        self.for_open(|block, _, _| {
            costs.entry(block.open.case).or_default().push(block.costs());
            Ok(())
        });
        self.for_open(|block, cx, state| {
            let open = costs.get(&block.open.case).map_or(&[][..], Vec::as_slice);
            // Reserve half of the visit's time for further pairs and cycles.
            let left_ns = (share_ns(cx, state) / 2).saturating_sub(block.open.spent_ns);
            let is_asked = block.open.asks_for_mean;
            block.open.rounds_left =
                if is_asked { block.rounds_for_pauses(cx, state, open, left_ns) } else { 0 };
            Ok(())
        });
    }

    /// Adds one more round to every block that waits for complete cycles. Returns true if any block does.
    fn wait_for_cycles(&mut self, cycles: &BTreeMap<u32, Cycles>) -> bool {
        let mut any = false;
        self.for_open(|block, cx, state| {
            // Reserve half of the visit's time for measuring, however long the warm-up took.
            let share_ns = share_ns(cx, state);
            let measured_ns = block.open.spent_ns - block.open.warm_ns;
            let left_ns = (share_ns + block.open.borrowed_ns).saturating_sub(block.open.spent_ns);
            let left_ns = left_ns.max((share_ns / 2).saturating_sub(measured_ns));
            let Some(own) = cycles.get(&block.open.case) else { return Ok(()) };
            if !cx.over() && block.open.asks_for_mean && block.wants_whole_cycles(cx, state, own, left_ns) {
                (block.open.is_beyond_plan, block.open.rounds_left) = (true, 1);
                any = true;
            }
            Ok(())
        });
        any
    }

    /// Runs the remaining rounds of the blocks, interleaved over all of them.
    fn rounds_left(&mut self) {
        while !self.cx.stopped() {
            let mut order: Vec<usize> = (0..self.blocks.len()).collect();
            self.cx.rng.shuffle(&mut order);
            let mut any = false;
            // All blocks use the same processor, because moving threads costs more than everything else that
            // a turn needs.
            let processor = self.cx.draw();
            self.for_some(&order, |block, cx, state| {
                let is_spent = block.open.spent_ns > share_ns(cx, state) + block.open.borrowed_ns;
                let ends = cx.over() || (is_spent && !block.open.is_beyond_plan) || left_ns(cx, state) == 0;
                let is_late = cx.is_past_total() || (ends && block.is_whole(state));
                if block.open.rounds_left == 0 || is_late {
                    block.open.rounds_left = 0;
                    return Ok(());
                }
                any = true;
                block.round(cx, state, processor)
            });
            if !any {
                break;
            }
        }
    }

    /// Calls `act` for every block.
    fn for_each(
        &mut self,
        mut act: impl FnMut(&mut Block, &mut Context<'_>, &mut [CaseState]) -> Result<(), StepError>,
    ) {
        let order: Vec<usize> = (0..self.blocks.len()).collect();
        self.in_order(&order, &mut act);
    }

    /// Calls `act` for every block with an open case.
    pub(super) fn for_open(
        &mut self,
        act: impl FnMut(&mut OpenBlock<'_>, &mut Context<'_>, &mut CaseState) -> Result<(), StepError>,
    ) {
        let order: Vec<usize> = (0..self.blocks.len()).collect();
        self.for_some(&order, act);
    }

    /// Returns the current indices of the blocks with these numbers. Indices change when failing blocks are
    /// removed.
    pub(super) fn places(&self, numbers: &[Option<u32>]) -> Vec<usize> {
        (0..self.blocks.len()).filter(|&at| numbers.contains(&self.blocks[at].number())).collect()
    }

    /// Calls `act` for the blocks of `order` that have an open case.
    pub(super) fn for_some(
        &mut self,
        order: &[usize],
        mut act: impl FnMut(&mut OpenBlock<'_>, &mut Context<'_>, &mut CaseState) -> Result<(), StepError>,
    ) {
        self.in_order(order, &mut |block, cx, states| match block.opened() {
            Some(mut block) => {
                let state = &mut states[block.open.case as usize];
                act(&mut block, cx, state)
            }
            None => Ok(()),
        });
    }

    /// Calls `act` for the blocks of `order`, handles errors, and removes blocks that lost a process.
    fn in_order(&mut self, order: &[usize], act: &mut Step<'_>) {
        let mut gone = Vec::new();
        for &i in order {
            if gone.contains(&i) {
                continue;
            }
            let before = self.blocks[i].case();
            let done = act(&mut self.blocks[i], self.cx, self.states);
            let block = &mut self.blocks[i];
            if let Some(open) = &mut block.open {
                open.charge(&mut self.states[open.case as usize]);
            }
            if let Err(error) = done
                && !self.survives(i, error)
            {
                gone.push(i);
                gone.extend(before.map(|case| self.share_its_fate(case)).into_iter().flatten());
            }
            self.blocks[i].open.take_if(|open| open.is_closed);
            progress::tell(self.cx, self.states, &self.blocks);
        }
        gone.sort_unstable();
        gone.dedup();
        for i in gone.into_iter().rev() {
            self.blocks.remove(i).leave(self.cx, false);
        }
    }

    /// Returns the other blocks with the same open case, if the case has ended with this process or no
    /// longer shares processes. These blocks would hang or crash in the same way, so they end too. Their
    /// remaining cases are measured in other processes.
    fn share_its_fate(&mut self, case: u32) -> Vec<usize> {
        let state = &self.states[case as usize];
        if state.ended.is_none() && !state.is_alone() {
            return Vec::new();
        }
        let same = |(_, block): &(usize, &mut Block)| block.case() == Some(case);
        let others: Vec<(usize, &mut Block)> = self.blocks.iter_mut().enumerate().filter(same).collect();
        let mut gone = Vec::new();
        for (at, block) in others {
            block.open = None;
            if !block.todo.is_empty() {
                self.lost.push(Pending { block: block.block, cases: std::mem::take(&mut block.todo) });
            }
            gone.push(at);
        }
        gone
    }

    /// Handles an error of a block. Returns false if the processes of the block must be ended.
    fn survives(&mut self, i: usize, error: StepError) -> bool {
        let Wave { cx, states, blocks, lost, .. } = self;
        let block = &mut blocks[i];
        let (failure, usable) = match error {
            StepError::Failed { failure, usable } => (failure, usable),
            StepError::Skipped(reason) => {
                let Some(OpenCase { case, .. }) = block.open.take() else { return true };
                cx.skip(&mut states[case as usize], case, &reason);
                return self.closes(i, true);
            }
            StepError::Rejected | StepError::Gone => return true,
            StepError::Interrupted => return false,
            StepError::Late => {
                if let Some(OpenCase { case, .. }) = block.open.take() {
                    let state = &mut states[case as usize];
                    state.account.cut = true;
                    // If the case has earlier results, they are evaluated after the stage.
                    if state.samples.complete == 0 {
                        state.ended = Some(StopReason::Budget);
                        cx.emit(Event::CaseEnded { case, reason: StopReason::Budget });
                    }
                }
                if !block.todo.is_empty() {
                    lost.push(Pending { block: block.block, cases: std::mem::take(&mut block.todo) });
                }
                return false;
            }
        };
        let open = block.open.take();
        let Some(case) = open.as_ref().map(|open| open.case).or(failure.case) else { return false };
        let state = &mut states[case as usize];
        // Rounds remain only if the first call succeeded. A case that is known to run only once has no
        // rounds left.
        let has_measured = block.processes.iter().any(HarnessProcess::has_measured);
        let has_rounds = open.as_ref().is_some_and(|open| open.rounds_left > 0);
        let called = has_rounds || (!state.calibration.calls.once() && has_measured);
        let declared = &cx.catalogue.cases[case as usize];
        if declared.timing == Timing::SelfTimed && called {
            // The first call succeeded and a later one failed, so the body can be called only once in a
            // process. Measure the block again under that assumption.
            if state.calibration.calls.learn_once() {
                let hash = &cx.catalogue.source(case).hash;
                cx.emit(Event::Learned(calls::fact(declared, hash, &failure.what)));
            }
            let cases = std::iter::once(case).chain(block.todo.drain(..)).collect();
            lost.push(Pending { block: block.block, cases });
            return false;
        }
        let has_neighbours = open.is_some_and(|open| open.has_neighbours);
        if !has_neighbours || !neighbours::excuses(cx, state, case, &failure) {
            cx.fail(state, case, *failure);
        }
        self.closes(i, usable)
    }

    /// Closes a case that has ended early in the processes of a block, if the processes can continue. Returns
    /// false if they must be ended.
    fn closes(&mut self, i: usize, usable: bool) -> bool {
        let Wave { cx, blocks, lost, .. } = self;
        let block = &mut blocks[i];
        if usable {
            let is_closed =
                |process: &mut HarnessProcess| process.visit.is_none() || process.close(cx).is_ok();
            if block.processes.iter_mut().all(is_closed) {
                return true;
            }
        }
        if !block.todo.is_empty() {
            lost.push(Pending { block: block.block, cases: std::mem::take(&mut block.todo) });
        }
        false
    }
}

/// Returns the results of the open visits of a case, by block and variant.
fn of_case(open: &BTreeMap<u32, Vec<Vec<Replicate>>>, case: u32) -> &[Vec<Replicate>] {
    open.get(&case).map_or(&[][..], Vec::as_slice)
}

/// Opens the next case of a block for which there is time. `opened_ns` is the time of the cases that
/// this step has already opened. A case that does not fit after them waits for the next step. A case
/// that does not fit even alone is not visited again.
fn open_next(
    block: &mut Block,
    cx: &mut Context<'_>,
    states: &mut [CaseState],
    opened_ns: &mut u64,
) -> Result<(), StepError> {
    while let Some(case) = block.todo.pop_front() {
        let state = &mut states[case as usize];
        if state.is_alone() && (block.has_opened() || !block.todo.is_empty()) {
            continue;
        }
        let next_ns = state.account.open_ns + state.calibration.call_ns * block.processes.len() as u64;
        let unaffordable = !affords_next(cx, state, state.account.begun, next_ns);
        state.account.cut |= unaffordable;
        // A waiting case may continue after the decision about all cases.
        let waits = state.account.begun >= LEAST_REPLICATES && takes_from_others(cx, state, case);
        if state.ended.is_some() || unaffordable || waits || cx.over() {
            continue;
        }
        let visit_ns = visit_ns(cx, state, case);
        if opened_ns.saturating_add(visit_ns) > cx.time.left_ns() {
            if *opened_ns > 0 {
                block.todo.push_front(case);
                break;
            }
            state.account.cut = true;
            continue;
        }
        *opened_ns += visit_ns;
        state.account.begun += 1;
        cx.time.visits = cx.time.visits.saturating_sub(u64::from(state.account.begun <= cx.time.pairs));
        let opened = block.open(cx, case)?;
        match opened {
            None => {
                state.account.open_ns = block.open.as_ref().map_or(0, |open| open.spent_ns);
                if block.processes.iter().any(|process| process.visit.as_ref().is_some_and(|it| it.once)) {
                    state.calibration.calls.learn_once();
                }
                break;
            }
            Some(reason) => cx.skip(state, case, &reason),
        }
    }
    Ok(())
}

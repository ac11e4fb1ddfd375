//! The steps of a wave before the measured rounds: first calls, calibration, warm-up, settling, rest.
//! First calls are results, so each runs alone on the machine. The other steps are not results, so
//! several processes run at once.

use crate::measure::allowance::{affords_next, left_ns, share_ns};
use crate::measure::at_once::{self, Processors};
use crate::measure::block::{Block, OpenBlock, OpenCase};
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::{HarnessProcess, StepError};
use crate::measure::warm_up;
use crate::measure::wave::Wave;
use crate::observe::{machine, memory};
use std::collections::{BTreeMap, BTreeSet};

/// Number of the first process of each block, which identifies the block. Indices change when failing
/// blocks are removed.
type Numbers = Vec<Option<u32>>;

impl Wave<'_, '_> {
    /// Makes the first call of every open case, or closes the case if there is no time for it. Only first
    /// calls show how long calls take.
    pub(super) fn call_first(&mut self) {
        // Number of blocks that have made their first calls in this step, by case.
        let mut called: BTreeMap<u32, u32> = BTreeMap::new();
        self.for_open(|block, cx, state| {
            let blocks = called.entry(block.open.case).or_default();
            let next = state.calibration.call_ns * block.processes.len() as u64;
            let known = state.samples.complete + *blocks;
            if !affords_next(cx, state, known, next) {
                state.account.cut = true;
                return block.close(cx, state);
            }
            *blocks += 1;
            block.cold(cx, state)?;
            block.open.charge(state);
            block.decide_calls(cx, state, share_ns(cx, state))
        });
    }

    /// Calibrates on the first visit of a case, and warms up. The block that calibrates warms up before the
    /// other blocks of its case, so that they can use its verified number of iterations.
    pub(super) fn warm_up(&mut self) {
        self.for_open(prepare);
        let of = |wave: &Self, first: bool| -> Numbers {
            let is_due = |open: &OpenCase| open.is_first == first && open.warm_limit_ns.is_some();
            let blocks = wave.blocks.iter().filter(|block| block.open.as_ref().is_some_and(is_due));
            blocks.map(Block::number).collect()
        };
        for first in [true, false] {
            let numbers = of(self, first);
            self.in_groups(&numbers, |block, cx, state, processors| {
                if let Some(limit_ns) = block.open.warm_limit_ns {
                    block.begin_warm_up(cx, state, limit_ns, first, processors);
                }
            });
            let places = self.places(&numbers);
            self.for_some(&places, prove);
        }
    }

    /// Waits until all warmed-up blocks have come to rest.
    pub(super) fn rest(&mut self) {
        let numbers: Numbers = self.blocks.iter().map(Block::number).collect();
        self.in_groups(&numbers, |block, cx, _, processors| block.begin_rest(cx, processors));
        // Compiled code with a settled heap is faster than at the first calibration, so calibrate
        // again.
        self.for_open(
            |block, cx, state| if block.open.is_first { block.calibrate(cx, state) } else { Ok(()) },
        );
    }

    /// Runs the warm-up that `begin` starts in these blocks. As many blocks run at a time as there are
    /// processors for their processes.
    fn in_groups(
        &mut self,
        numbers: &[Option<u32>],
        mut begin: impl FnMut(&mut OpenBlock<'_>, &mut Context<'_>, &CaseState, &mut Processors),
    ) {
        let size = (at_once::most(self.cx) / self.cx.variants.len().max(1)).max(1);
        for group in numbers.chunks(size) {
            let mut processors = Processors::of(self.cx);
            let places = self.places(group);
            self.for_some(&places, |block, cx, state| {
                begin(block, cx, state, &mut processors);
                Ok(())
            });
            while self.turn_in(group) {}
            let places = self.places(group);
            self.for_some(&places, |block, _, _| {
                block.end_turns();
                Ok(())
            });
        }
    }

    /// Runs a warm-up turn in each process of those blocks that still need one. Returns false if no block
    /// needed one.
    fn turn_in(&mut self, numbers: &[Option<u32>]) -> bool {
        let places = self.places(numbers);
        let Wave { cx, states, blocks, .. } = self;
        let mut due = Vec::new();
        let mut going: Vec<(OpenBlock<'_>, &CaseState)> = Vec::new();
        for (at, block) in blocks.iter_mut().enumerate().filter(|(at, _)| places.contains(at)) {
            let Some(block) = block.opened() else { continue };
            let state = &states[block.open.case as usize];
            if block.wants_turns(cx, state) {
                due.push(at);
                going.push((block, state));
            }
        }
        let asked: Numbers = going.iter().map(|(block, _)| block.number()).collect();
        let going = going.iter_mut().map(|(block, state)| (block, *state)).collect();
        let mut answers: BTreeMap<Option<u32>, _> =
            asked.into_iter().zip(warm_up::turn_of_each(cx, going)).collect();
        self.for_some(&due, |block, cx, state| match answers.remove(&block.number()) {
            Some(answers) => block.take_answers(cx, state, answers),
            None => Ok(()),
        });
        !due.is_empty()
    }

    /// Settles the processes of all blocks that need it. There are as many in parallel as there are
    /// processors, because nothing is being measured.
    pub(super) fn settle(&mut self) {
        self.cx.processors.engine.back();
        let processors = machine::at_once();
        let variants = self.cx.variants.len().max(1);
        let mut taken: BTreeSet<Option<u32>> = BTreeSet::new();
        while !self.cx.stopped() && !self.cx.over() {
            let left = self.blocks.iter().map(Block::number).filter(|number| !taken.contains(number));
            let numbers: Numbers = left.take((processors / variants).max(1)).collect();
            if numbers.is_empty() {
                break;
            }
            taken.extend(&numbers);
            let some = self.places(&numbers);
            self.for_some(&some, |block, cx, state| match left_ns(cx, state) {
                0 => Ok(()),
                _ => block.begin_settling(cx, state),
            });
            let begun = self.places(&numbers);
            self.for_some(&begun, |block, cx, state| block.end_settling(cx, state));
            // A settled heap is entirely resident, so stop before memory runs out.
            let largest = self.blocks.iter().flat_map(|block| &block.processes);
            let largest = largest.map(HarnessProcess::resident_bytes).max().unwrap_or(0);
            let next = largest.saturating_mul((numbers.len() * variants) as u64);
            if memory::available_bytes().is_some_and(|available| next > available / 2) {
                break;
            }
        }
    }
}

/// Calibrates on the first visit of a case, and sets the time limit of its warm-up. Does neither if one call
/// fills the visit, or if the body can be called only once.
fn prepare(block: &mut OpenBlock<'_>, cx: &mut Context<'_>, state: &mut CaseState) -> Result<(), StepError> {
    let share = share_ns(cx, state);
    if state.calibration.calls.once() || block.open.rounds_left == 0 {
        return Ok(());
    }
    if state.calibration.is_single_call() {
        // There is no warm-up, and the rounds end when the time of the visit is used.
        state.calibration.iterations.get_or_insert(1);
        state.calibration.batch_ns = state.calibration.call_ns as f64;
        return Ok(());
    }
    let first = state.calibration.iterations.is_none();
    if first {
        block.calibrate(cx, state)?;
    }
    let limit_ns = cx.settings.warmup_ns.unwrap_or(share * 2 / 5);
    (block.open.warm_limit_ns, block.open.is_first) = (Some(limit_ns), first && limit_ns > 0);
    Ok(())
}

/// Verifies the assumptions of the calibration in warm processes.
fn prove(block: &mut OpenBlock<'_>, cx: &mut Context<'_>, state: &mut CaseState) -> Result<(), StepError> {
    let Some(limit_ns) = block.open.warm_limit_ns else { return Ok(()) };
    if block.open.is_first {
        block.prove_count(cx, state)?;
    }
    if state.calibration.is_unproven() {
        if limit_ns > 0 {
            block.prove_workload(cx, state)?;
        } else {
            state.calibration.keep_configured(state.calibration.call_ns as f64);
        }
        if state.calibration.iterations == Some(1) {
            block.warm_up_alone(cx, state, limit_ns)?;
        }
    }
    Ok(())
}

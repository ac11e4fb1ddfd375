//! A block: one process of every variant, alive together and alternated turn by turn.
//!
//! A case passes through the steps of a visit: first call, calibration, warm-up, measured rounds, empty
//! body, close. Each step runs in every process, so the compared processes always have the same age.

use crate::measure::allowance;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::{HarnessProcess, StepError};
use crate::measure::lead::Trial;
use crate::measure::turn::{MOST_BATCHES, TurnRequest, TurnSummary};
use crate::measure::varied_count::VariedCount;
use crate::measure::visit::OpenVisit;
use crate::measure::warming::WarmUp;
use crate::measure::warmth::Warmth;
use derny_estimate::floor;
use derny_estimate::pair::Replicate;
use derny_model::{Case, Event, LEAST_REPLICATES, LEAST_ROUNDS, Phase, Timing};
use derny_stats::median;
use derny_stats::plan::rounds_by_pilot;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Turns of the empty body: iterations of a batch, batches of a turn, and number of turns. The first turns
/// compile the loop, and the last one counts. The second entry is for interpreted code, which is not compiled
/// and has longer calls.
const OVERHEAD: [(u64, u32, u32); 2] = [(10_000, 10, 3), (1_000, 10, 1)];
/// Maximum number of rounds of a noisy pair. The second value is for turns of half length.
const MOST_ROUNDS: [u32; 2] = [20, 32];
/// Maximum number of rounds of a noisy process without variants.
const MOST_ROUNDS_ALONE: u32 = 12;
/// Share of a measured turn spent on first touches of memory above which the heap is settled again.
const TOUCHING: f64 = 0.05;
/// Maximum number of times that the heap is settled again.
const SETTLINGS: u32 = 2;
/// Maximum number of times that a rejected turn is repeated in a round.
const AGAIN: u32 = 5;

/// Target time of a batch of a self-timed body, in ns. It is long compared with starting and stopping the
/// body's clock.
const SELF_BATCH_NS: f64 = 100_000.0;
/// Target time of a batch of a looped body, in ns.
const BATCH_NS: f64 = 20_000.0;
/// Minimum time of a batch, as a multiple of the clock's step.
const STEPS: f64 = 1_000.0;

/// Live processes of all variants, with the cases that they still have to measure.
#[derive(Debug)]
pub struct Block {
    pub block: u32,
    /// The processes, one per variant, in the order of the variants.
    pub processes: Vec<HarnessProcess>,
    /// Launch order of the processes, as indices of `processes`. Opening, calibration, forced
    /// collections and closing follow the same order.
    pub launch_order: Vec<usize>,
    /// Indices of the cases that the block still has to measure.
    pub todo: VecDeque<u32>,
    pub open: Option<OpenCase>,
}

/// The state of a visit in a block, from opening the case to closing it.
#[derive(Debug)]
pub struct OpenCase {
    pub case: u32,
    /// True if the block's processes opened other cases before.
    pub has_neighbours: bool,
    /// Number of rounds still to be measured.
    pub rounds_left: u32,
    /// Wall time spent on the visit so far, in ns.
    pub spent_ns: u64,
    /// Part of `spent_ns` that was already charged to the case's account, in ns.
    charged_ns: u64,
    /// Time spent on settling, in ns. Not included in `spent_ns`.
    pub settling_ns: u64,
    /// Time by which the warm-up exceeded its part of the visit, in ns.
    pub borrowed_ns: u64,
    /// True if the body cannot run more batches in these processes.
    pub is_worn_out: bool,
    /// Observations of the warm-up, by process.
    pub warmth: Vec<Warmth>,
    /// Time limit of the warm-up, in ns. `None` without a warm-up.
    pub warm_limit_ns: Option<u64>,
    /// The warm-up in progress.
    pub(crate) warm_up: Option<WarmUp>,
    /// Time limit of further warm-up turns, in ns: the time that the warm-up left unused, but at least
    /// half of its limit. `None` without a warm-up.
    pub warm_left_ns: Option<u64>,
    /// True if the heaps of the processes were settled for this case.
    pub is_settled: bool,
    /// The state of the trial round without a lead.
    pub(crate) trial: Trial,
    /// Remaining number of times that the heaps may be settled again because measured turns touch new memory.
    pub settlings_left: u32,
    /// True if this is the first block to measure the case. It calibrates for the other blocks.
    pub is_first: bool,
    /// Part of `spent_ns` before the first measured round, in ns.
    pub warm_ns: u64,
    /// True if the planned rounds are done and further rounds are only for mean time.
    pub is_beyond_plan: bool,
    /// True if a look or the user needs the mean time of the case.
    pub asks_for_mean: bool,
    /// Variations of the iterations for the next rounds. Used only with the setting `witness`.
    pub(crate) counts: Vec<VariedCount>,
    /// True if the case is closed in every process.
    pub is_closed: bool,
}

impl OpenCase {
    fn new(case: u32, has_neighbours: bool) -> OpenCase {
        OpenCase {
            case,
            has_neighbours,
            rounds_left: 0,
            spent_ns: 0,
            charged_ns: 0,
            settling_ns: 0,
            borrowed_ns: 0,
            is_worn_out: false,
            warmth: Vec::new(),
            warm_limit_ns: None,
            warm_up: None,
            warm_left_ns: None,
            is_settled: false,
            trial: Trial::ToCome,
            settlings_left: SETTLINGS,
            is_first: false,
            warm_ns: 0,
            is_beyond_plan: false,
            asks_for_mean: false,
            counts: Vec::new(),
            is_closed: false,
        }
    }

    pub(crate) fn spend(&mut self, since: Instant) {
        self.spent_ns += since.elapsed().as_nanos() as u64;
    }

    /// Returns the time spent on the visit since the last charge, in ns.
    pub(crate) fn uncharged_ns(&self) -> u64 {
        self.spent_ns - self.charged_ns
    }

    /// Charges the case for the time spent on the visit since the last charge.
    pub(crate) fn charge(&mut self, state: &mut CaseState) {
        state.account.spent_ns += self.uncharged_ns();
        self.charged_ns = self.spent_ns;
    }
}

/// A block with an open case. The steps of a visit are its methods.
#[derive(Debug)]
pub struct OpenBlock<'b> {
    pub block: u32,
    pub processes: &'b mut [HarnessProcess],
    pub launch_order: &'b [usize],
    /// Number of cases that the processes still have to measure after this one.
    pub to_come: usize,
    pub open: &'b mut OpenCase,
}

impl Block {
    /// Creates a block of processes that have answered, with the cases to measure.
    pub fn new(
        block: u32,
        processes: Vec<HarnessProcess>,
        launch_order: Vec<usize>,
        todo: VecDeque<u32>,
    ) -> Block {
        Block { block, processes, launch_order, todo, open: None }
    }

    /// Returns the number of the first process, which identifies the block.
    pub(crate) fn number(&self) -> Option<u32> {
        self.processes.first().map(|process| process.number)
    }

    pub(crate) fn case(&self) -> Option<u32> {
        self.open.as_ref().map(|open| open.case)
    }

    /// Returns the block with its open case, or `None` if no case is open.
    pub(crate) fn opened(&mut self) -> Option<OpenBlock<'_>> {
        let Block { block, processes, launch_order, todo, open } = self;
        let open = open.as_mut()?;
        Some(OpenBlock { block: *block, processes, launch_order, to_come: todo.len(), open })
    }

    /// Returns true if the processes have opened a case.
    pub fn has_opened(&self) -> bool {
        self.processes.iter().any(|process| process.opened() > 0)
    }

    /// Opens a case in every process. If the harness skips the case, returns the reason that it gives.
    pub fn open(&mut self, cx: &mut Context<'_>, case: u32) -> Result<Option<String>, StepError> {
        let open =
            self.open.insert(OpenCase::new(case, self.processes.iter().any(|process| process.opened() > 0)));
        let start = Instant::now();
        let mut skipped = None;
        for &k in &self.launch_order {
            let reason = self.processes[k].open(cx, case)?;
            skipped = skipped.take().or(reason);
        }
        open.spend(start);
        if skipped.is_some() {
            for &k in &self.launch_order {
                self.processes[k].close(cx)?;
            }
            self.open = None;
        }
        Ok(skipped)
    }

    /// Asks every process of the block to end. [`Block::leave`] waits for them.
    pub fn dismiss(&mut self, cx: &mut Context<'_>) {
        self.processes.iter_mut().for_each(|process| process.dismiss(cx));
    }

    /// Ends every process of the block. If `politely`, each process gets time to quit.
    pub fn leave(self, cx: &mut Context<'_>, politely: bool) {
        for process in self.processes {
            process.leave(cx, politely);
        }
    }
}

impl OpenBlock<'_> {
    /// Returns the number of the first process, which identifies the block.
    pub(crate) fn number(&self) -> Option<u32> {
        self.processes.first().map(|process| process.number)
    }

    /// Calls `act` for every process in launch order.
    pub(crate) fn as_launched(
        &mut self,
        mut act: impl FnMut(&mut HarnessProcess) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        self.launch_order.iter().try_for_each(|&k| act(&mut self.processes[k]))
    }

    pub(crate) fn spend(&mut self, since: Instant) {
        self.open.spend(since);
    }

    /// Returns the maximum wall time of a batch in ns, including untimed work. A visit has one batch in
    /// every round and two in its warm-up, and together these may take three fifths of its time. The
    /// limit is never less than two turns or two calls.
    pub(crate) fn most_batch_ns(&self, cx: &Context<'_>, state: &CaseState) -> f64 {
        let turns = u64::from(state.rounds + 2) * self.processes.len() as u64;
        let of_share = allowance::share_ns(cx, state) / turns * 3 / 5;
        of_share.max(2 * cx.settings.turn_ns).max(2 * state.calibration.call_ns) as f64
    }

    /// Returns the number of batches that a turn for `phase` may have. Returns `None` if the body is
    /// not limited.
    pub(crate) fn batches(&self, phase: Phase) -> Option<u32> {
        let visits = self.processes.iter().filter_map(|process| process.visit.as_ref());
        visits.filter_map(|visit| visit.batches(phase)).min()
    }

    /// Returns true if the body may still run for `phase`.
    pub(crate) fn may_run(&self, phase: Phase) -> bool {
        self.batches(phase).is_none_or(|batches| batches > 0)
    }

    pub(crate) fn declared<'a>(&self, cx: &Context<'a>) -> &'a Case {
        &cx.catalogue.cases[self.open.case as usize]
    }

    /// Runs a measured turn. A rejected turn is repeated a few times. The last repetition always counts,
    /// and its counters show the reason for the rejection.
    pub(crate) fn measured_turn(
        &mut self,
        cx: &mut Context<'_>,
        process: usize,
        request: TurnRequest,
    ) -> Result<TurnSummary, StepError> {
        // Do not repeat the turn of a body that can run only a limited number of batches.
        let again = if self.batches(Phase::Measured).is_none() { AGAIN } else { 0 };
        for _ in 0..again {
            match self.processes[process].turn(cx, request) {
                Err(StepError::Rejected) => {}
                other => return other,
            }
        }
        self.processes[process].turn(cx, TurnRequest { reject: false, ..request })
    }

    /// Returns the request for a turn of the body. The iterations vary randomly by up to a tenth. The
    /// turn has as many batches as fit into its time.
    pub(crate) fn request(&mut self, cx: &mut Context<'_>, state: &CaseState, phase: Phase) -> TurnRequest {
        let n = state.calibration.iterations.unwrap_or(1);
        // If a body times itself, its work may depend on the parameter that sets the iterations.
        let spread = if self.declared(cx).timing == Timing::SelfTimed { 0 } else { n / 10 };
        let iterations = n - spread + cx.rng.below(2 * spread + 1);
        let turn_ns = self.turn_ns(cx);
        let batches = match self.declared(cx).fresh {
            // Alternate after every call. Many short turns are better than a few long ones, and
            // requesting a turn takes little time compared with such a call.
            true => 1,
            false => {
                (turn_ns as f64 / state.calibration.batch_ns.max(1.0)).ceil().clamp(1.0, MOST_BATCHES) as u32
            }
        };
        TurnRequest {
            phase,
            iterations,
            batches,
            within_ns: turn_ns,
            lead_ns: 0,
            processor: None,
            timeout: self.turn_timeout(cx, state),
            reject: true,
        }
    }

    /// Returns the length of a measured turn, in ns. In a comparison of code that is not compiled at run
    /// time, turns are half as long, because such code runs at full speed immediately. Twice as many rounds
    /// then give more ratios.
    fn turn_ns(&self, cx: &Context<'_>) -> u64 {
        if self.has_half_turns(cx) { cx.settings.turn_ns / 2 } else { cx.settings.turn_ns }
    }

    fn has_half_turns(&self, cx: &Context<'_>) -> bool {
        let is_as_it_will_be = self.is_compiled(cx) || self.is_interpreted(cx);
        is_as_it_will_be && self.processes.len() > 1 && cx.settings.chooses_rounds()
    }

    pub(crate) fn is_compiled(&self, cx: &Context<'_>) -> bool {
        self.processes.iter().all(|process| process.is_ahead_of_time(cx))
    }

    /// Returns true if no process of the block compiles code at run time.
    pub(crate) fn is_interpreted(&self, cx: &Context<'_>) -> bool {
        self.processes.iter().all(|process| process.is_interpreter(cx))
    }

    /// Returns a shorter time limit for a turn, or `None` if the limit of the case applies. Until a
    /// block is complete, a self-timed body has a shorter limit after its first call, because the second
    /// call may never return.
    fn turn_timeout(&self, cx: &Context<'_>, state: &CaseState) -> Option<Duration> {
        let is_first = self.declared(cx).timing == Timing::SelfTimed && state.samples.complete == 0;
        is_first.then(|| Duration::from_nanos((20 * state.calibration.call_ns).max(5_000_000_000)))
    }

    pub(crate) fn order(&self, cx: &mut Context<'_>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.processes.len()).collect();
        cx.rng.shuffle(&mut order);
        order
    }

    /// Forces a collection in every process.
    pub fn collect(&mut self, cx: &mut Context<'_>) -> Result<(), StepError> {
        let start = Instant::now();
        self.as_launched(|process| process.collect(cx))?;
        self.spend(start);
        Ok(())
    }

    /// Records the memory of every process.
    pub fn note_footprint(&mut self, cx: &mut Context<'_>) -> Result<(), StepError> {
        self.as_launched(|process| process.note_footprint(cx))
    }

    /// Runs a measured round: a turn of every variant on one processor, one directly after the other, in
    /// random order.
    pub fn round(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
        processor: Option<u32>,
    ) -> Result<(), StepError> {
        if !self.may_run(Phase::Measured) {
            (self.open.rounds_left, self.open.is_worn_out) = (0, true);
            return Ok(());
        }
        self.count_trial(cx, state);
        if self.open.rounds_left == 0 {
            return Ok(());
        }
        let start = Instant::now();
        if cx.settings.gc == "round" {
            self.collect(cx)?;
        }
        let is_trial = self.tries_without_lead(cx, state);
        let (phase, lead_ns) = match is_trial {
            true => (Phase::WarmUp, 0),
            false if self.open.is_beyond_plan => (Phase::Window, self.lead_ns(cx, state)),
            false => (Phase::Measured, self.lead_ns(cx, state)),
        };
        let mut request = TurnRequest { processor, lead_ns, ..self.request(cx, state, phase) };
        if self.open.is_beyond_plan {
            request = request.of_any_length(&mut cx.rng);
        }
        self.vary_count(cx, state, &mut request);
        if cx.settings.ladder {
            // Increase the iterations by 5 % per round, similar to the growing samples of criterion.
            let step = state.rounds.saturating_sub(self.open.rounds_left);
            request.iterations = (request.iterations as f64 * 1.05_f64.powi(step as i32)).ceil() as u64;
        }
        let mut touching = false;
        let mut starts = vec![None; self.processes.len()];
        for k in self.order(cx) {
            let turn = self.measured_turn(cx, k, request)?;
            touching |= turn.touched * cx.first_touch_ns > TOUCHING * turn.timed_ns;
            starts[k] = turn.start;
        }
        if is_trial {
            self.has_tried(cx, state, &starts);
        } else {
            self.open.rounds_left = self.open.rounds_left.saturating_sub(1);
        }
        self.spend(start);
        if touching && self.open.rounds_left > 0 { self.settle_again(cx, state) } else { Ok(()) }
    }

    /// Returns true if the visit may have more rounds than planned. This requires that the planned
    /// rounds are done and that the engine chooses the number of rounds.
    pub(crate) fn may_have_more_rounds(&self, cx: &Context<'_>, state: &CaseState) -> bool {
        let turns = |visit: &OpenVisit| visit.replicate.rounds.turns();
        let is_at_plan = self.visits().first().is_some_and(|visit| turns(visit) == state.rounds);
        is_at_plan && !state.calibration.calls.once() && cx.settings.chooses_rounds()
    }

    /// Returns the number of additional rounds that the visit needs. It depends on the noise of all rounds of
    /// its case for each variant ([`rounds_by_pilot`]).
    pub(crate) fn more_rounds(&self, cx: &Context<'_>, state: &CaseState, noise: &[Vec<f64>]) -> u32 {
        let others = self.processes.len().saturating_sub(1);
        let (most, margin) = match others {
            0 => (MOST_ROUNDS_ALONE, cx.settings.precision),
            _ => (MOST_ROUNDS[usize::from(self.has_half_turns(cx))], cx.settings.margin),
        };
        let of_side =
            |side: usize| noise.iter().skip(side).step_by(others.max(1)).flatten().copied().collect();
        let wanted = (0..others.max(1)).map(|side| {
            let noise: Vec<f64> = of_side(side);
            rounds_by_pilot(&noise, margin, most)
        });
        wanted.max().unwrap_or(0).saturating_sub(state.rounds)
    }

    /// Returns the noise of the rounds for each variant: the logarithms of the ratios to the base, minus
    /// their median. For a single variant, the logarithms of the rounds are used instead.
    pub(crate) fn noise(&self) -> Vec<Vec<f64>> {
        let visits = self.visits();
        let Some((base, others)) = visits.split_first() else { return Vec::new() };
        let centred = |logs: Vec<f64>| {
            let middle = if logs.is_empty() { 0.0 } else { median(&logs) };
            logs.into_iter().map(|log| log - middle).collect()
        };
        if others.is_empty() {
            return vec![centred(base.replicate.rounds.logs().to_vec())];
        }
        others.iter().map(|other| centred(base.replicate.rounds.ratios(&other.replicate.rounds))).collect()
    }

    /// Measures the empty body through the same loop, or between the same start and stop of the body's
    /// clock. Only as many blocks do this as an interval needs, or a single one if the body takes far
    /// longer than the empty body. The empty body of a self-timed case reports as many operations as the
    /// batches of the case.
    pub fn overhead(&mut self, cx: &mut Context<'_>, state: &mut CaseState) -> Result<(), StepError> {
        let case = self.declared(cx);
        if cx.stopped() || cx.over() || allowance::left_ns(cx, state) == 0 {
            return Ok(());
        }
        let times_itself = case.timing == Timing::SelfTimed;
        // The body's state may be usable only a few times, or may come from a global set-up.
        let is_delicate = times_itself && (case.max_batches.is_some() || case.global_setup.is_some());
        if is_delicate || state.account.is_far_from_floor || state.account.floors >= LEAST_REPLICATES {
            return Ok(());
        }
        state.account.floors += 1;
        // One empty call is enough for a case that is set up again for every call. A loop needs many
        // iterations.
        let (least, batches, turns) = OVERHEAD[usize::from(self.is_interpreted(cx))];
        let least = if case.fresh { 1 } else { least };
        let loops = state.calibration.iterations.unwrap_or(1).max(least);
        for k in 0..self.processes.len() {
            let iterations = if times_itself { self.processes[k].batch_operations() } else { loops };
            match self.overhead_turns(cx, k, (iterations, batches, turns)) {
                // Not every harness has an empty body that times itself. The case can still be measured.
                Err(StepError::Failed { usable: true, .. }) if times_itself => {}
                other => other?,
            }
        }
        let is_far = |visit: &&OpenVisit| {
            let Replicate { rounds, floor, .. } = &visit.replicate;
            rounds.location().zip(*floor).is_some_and(|(log, floor)| floor::is_far(libm::exp(log), floor))
        };
        state.account.is_far_from_floor = self.visits().iter().all(is_far);
        Ok(())
    }

    fn overhead_turns(
        &mut self,
        cx: &mut Context<'_>,
        k: usize,
        (iterations, batches, turns): (u64, u32, u32),
    ) -> Result<(), StepError> {
        let turns = if self.processes[k].can("overhead") { turns } else { 0 };
        for _ in 0..turns {
            let request = TurnRequest::plain(Phase::Overhead, iterations, batches, cx.settings.turn_ns);
            self.processes[k].turn(cx, request)?;
        }
        Ok(())
    }

    /// Returns true if every process has enough measured rounds for a process value: [`LEAST_ROUNDS`], or all
    /// rounds if the plan or the body allows fewer.
    pub fn is_whole(&self, state: &CaseState) -> bool {
        let single = state.calibration.is_single_call() || self.open.is_worn_out;
        let least = if single { 1 } else { LEAST_ROUNDS.min(state.rounds) };
        let rounds = |process: &HarnessProcess| {
            process.visit.as_ref().map_or(0, |visit| visit.replicate.rounds.turns())
        };
        self.processes.iter().all(|process| rounds(process) >= least)
    }

    /// Sends `close` to every process, so that long tear-downs run in parallel. [`OpenBlock::close`] waits
    /// for the answers.
    pub fn begin_closing(&mut self, cx: &mut Context<'_>) -> Result<(), StepError> {
        self.as_launched(|process| {
            process.begin_closing(cx);
            Ok(())
        })
    }

    /// Closes the case in every process. If the visit is complete, the block counts as a replicate.
    pub fn close(&mut self, cx: &mut Context<'_>, state: &mut CaseState) -> Result<(), StepError> {
        let whole = self.is_whole(state);
        let start = Instant::now();
        let visits: Vec<OpenVisit> =
            self.processes.iter_mut().filter_map(|process| process.measured(cx)).collect();
        let mut error = Ok(());
        for &k in self.launch_order {
            // The measurements are valid even if the tear-down fails. A body that runs only once may
            // end its process (`process.exit`) after its work.
            if let Err(failed) = self.processes[k].close(cx)
                && !state.calibration.calls.once()
            {
                error = Err(failed);
            }
        }
        self.spend(start);
        self.open.charge(state);
        if whole {
            state.account.visits += 1;
            state.account.visits_ns += self.open.spent_ns + self.open.settling_ns;
            for &k in self.launch_order {
                cx.emit(Event::VisitEnded { visit: visits[k].number });
            }
            if self.open.has_neighbours {
                state.samples.note_neighbours(self.block);
            }
            state.samples.complete_block(visits.into_iter().map(|visit| visit.replicate).collect());
        } else {
            state.account.orders.forget(self.block);
        }
        self.open.is_closed = true;
        error
    }
}

/// Returns the target time of a batch in ns: the user's setting or the default, but always long compared with
/// the clock's step.
pub(crate) fn target_ns(cx: &Context<'_>, process: &HarnessProcess, case: &Case) -> f64 {
    let usual = if case.timing == Timing::Loop { BATCH_NS } else { SELF_BATCH_NS };
    let least = case.least_batch_ns.map_or(usual, |ns| usual.max(ns as f64));
    let by_clock = STEPS * process.clock_step_ns() as f64;
    cx.settings.batch_ns.map_or(least, |ns| ns as f64).max(by_clock)
}

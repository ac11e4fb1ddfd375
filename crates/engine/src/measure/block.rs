//! A block: one process of every variant, alive together and alternated turn by turn; and the steps of a case's visit in
//! it. Cold, calibration, warm-up, measured rounds, the empty body, close: each step asks every process, so that variants
//! are always compared at equal age.

use crate::measure::allowance;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::{HarnessProcess, StepError};
use crate::measure::lead::Trial;
use crate::measure::turn::{TurnRequest, TurnSummary};
use crate::measure::visit::OpenVisit;
use crate::measure::warm_up::WarmUp;
use crate::measure::warmth::Warmth;
use crate::measure::whole_cycles;
use derny_model::{Case, Event, LEAST_REPLICATES, LEAST_ROUNDS, Phase, Timing};
use derny_stats::median;
use derny_stats::plan::rounds_by_pilot;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Iterations of the empty body, batches of it, and turns: the first ones compile its loop, the last one counts. And those of interpreted
/// code, where there is nothing to compile and a call takes longer.
const OVERHEAD: [(u64, u32, u32); 2] = [(10_000, 10, 3), (1_000, 10, 1)];
/// Batches of a turn at most.
pub(crate) const MOST_BATCHES: f64 = 4096.0;
/// Rounds of a pair at most where it takes more of them than planned; and where its turns are half as long.
const MOST_ROUNDS: [u32; 2] = [20, 32];
/// The same of a process that is compared with none.
const MOST_ROUNDS_ALONE: u32 = 12;
/// Share of a measured turn that first touches may take before the heap is settled again, and how often that is done.
const TOUCHING: f64 = 0.05;
const SETTLINGS: u32 = 2;
/// Rejected turns are asked again at most this many times per round.
const AGAIN: u32 = 5;

/// Aimed time of a batch of a self-timed body: long against the cost of starting and ending its clock.
const SELF_BATCH_NS: f64 = 100_000.0;
/// Shortest batch of a looped body.
const BATCH_NS: f64 = 20_000.0;
/// A batch is at least this many steps of the clock.
const STEPS: f64 = 1_000.0;

/// Live processes of all variants, with the cases they still have to take.
#[derive(Debug)]
pub struct Block {
    /// Number of the block in the run.
    pub block: u32,
    /// One per variant, in the variants' order.
    pub processes: Vec<HarnessProcess>,
    /// The order in which they were launched, as indices of `processes`. They are opened, calibrated, collected and closed in it.
    pub launch_order: Vec<usize>,
    /// Cases to come.
    pub todo: VecDeque<u32>,
    /// The case that is open.
    pub open: Option<OpenCase>,
}

/// The state of an open case's visit in a block. It begins when the case is opened and ends when it is closed.
#[derive(Debug)]
pub struct OpenCase {
    /// Which case.
    pub case: u32,
    /// Its processes had opened other cases before.
    pub has_neighbours: bool,
    /// Rounds still to be measured.
    pub rounds_left: u32,
    /// Wall time spent on it so far, in ns.
    pub spent_ns: u64,
    /// Of that, what its case's account has already.
    charged_ns: u64,
    /// Time that settling took beside it, in ns.
    pub settling_ns: u64,
    /// Time that warm-up took beyond its part of the share, in ns.
    pub borrowed_ns: u64,
    /// The body may run no more in its processes.
    pub is_worn_out: bool,
    /// What its warm-up has shown, by process.
    pub warmth: Vec<Warmth>,
    /// How long it may be warmed up, in ns; none where it is not.
    pub warm_limit_ns: Option<u64>,
    /// The warm-up that is under way.
    pub(crate) warm_up: Option<WarmUp>,
    /// What warm-up has left of its time, in ns; none where there was none.
    pub warm_left_ns: Option<u64>,
    /// The heaps of its processes were settled for it.
    pub is_settled: bool,
    /// Its round that is tried without a lead.
    pub(crate) trial: Trial,
    /// How often they may still be settled, where measured turns touch memory for the first time all the same.
    pub settlings_left: u32,
    /// Its block is the first that takes it, and calibrates for the others.
    pub is_first: bool,
    /// Of the time spent, what came before its first measured round, in ns.
    pub warm_ns: u64,
    /// The planned rounds are measured; what comes is for mean time alone.
    pub is_beyond_plan: bool,
    /// It needs mean time.
    pub asks_for_mean: bool,
    /// It is closed in every process.
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
            is_closed: false,
        }
    }

    pub(crate) fn spend(&mut self, since: Instant) {
        self.spent_ns += since.elapsed().as_nanos() as u64;
    }

    /// What was spent on it since that was charged last, in ns.
    pub(crate) fn uncharged_ns(&self) -> u64 {
        self.spent_ns - self.charged_ns
    }

    /// Charges its case for what was spent on it since it was charged last.
    pub(crate) fn charge(&mut self, state: &mut CaseState) {
        state.account.spent_ns += self.uncharged_ns();
        self.charged_ns = self.spent_ns;
    }
}

/// A block with the case that is open in it: what the steps of a visit work on.
#[derive(Debug)]
pub struct OpenBlock<'b> {
    /// See [`Block`].
    pub block: u32,
    /// See [`Block`].
    pub processes: &'b mut [HarnessProcess],
    /// See [`Block`].
    pub launch_order: &'b [usize],
    /// How many cases the processes have still to take after this one.
    pub to_come: usize,
    /// The open case.
    pub open: &'b mut OpenCase,
}

impl Block {
    /// Processes that have answered, with the cases they are to take.
    pub fn new(
        block: u32,
        processes: Vec<HarnessProcess>,
        launch_order: Vec<usize>,
        todo: VecDeque<u32>,
    ) -> Block {
        Block { block, processes, launch_order, todo, open: None }
    }

    /// The number of its first process: no other block has it.
    pub(crate) fn number(&self) -> Option<u32> {
        self.processes.first().map(|process| process.number)
    }

    /// The case that is open.
    pub(crate) fn case(&self) -> Option<u32> {
        self.open.as_ref().map(|open| open.case)
    }

    /// The block with its open case; none where none is open.
    pub(crate) fn opened(&mut self) -> Option<OpenBlock<'_>> {
        let Block { block, processes, launch_order, todo, open } = self;
        let open = open.as_mut()?;
        Some(OpenBlock { block: *block, processes, launch_order, to_come: todo.len(), open })
    }

    /// Whether its processes have opened a case.
    pub fn has_opened(&self) -> bool {
        self.processes.iter().any(|process| process.opened() > 0)
    }

    /// Opens a case in every process. `Ok(Some(reason))`: the harness skips it.
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

    /// Tells every process of the block to end; [`Block::leave`] waits for them.
    pub fn dismiss(&mut self, cx: &mut Context<'_>) {
        self.processes.iter_mut().for_each(|process| process.dismiss(cx));
    }

    /// Ends every process of the block.
    pub fn leave(self, cx: &mut Context<'_>, politely: bool) {
        for process in self.processes {
            process.leave(cx, politely);
        }
    }
}

impl OpenBlock<'_> {
    /// The number of its first process: no other block has it.
    pub(crate) fn number(&self) -> Option<u32> {
        self.processes.first().map(|process| process.number)
    }

    /// Does something in every process, in the order in which they were launched.
    pub(crate) fn as_launched(
        &mut self,
        mut act: impl FnMut(&mut HarnessProcess) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        self.launch_order.iter().try_for_each(|&k| act(&mut self.processes[k]))
    }

    pub(crate) fn spend(&mut self, since: Instant) {
        self.open.spend(since);
    }

    /// Wall time in ns that a batch may take, untimed work included: a visit has one in every round and two in its warm-up, and three
    /// fifths of its share are for them. More where a call alone takes longer than half of that.
    pub(crate) fn most_batch_ns(&self, cx: &Context<'_>, state: &CaseState) -> f64 {
        let turns = u64::from(state.rounds + 2) * self.processes.len() as u64;
        let of_share = allowance::share_ns(cx, state) / turns * 3 / 5;
        of_share.max(2 * cx.settings.turn_ns).max(2 * state.calibration.call_ns) as f64
    }

    /// How many batches a turn for `phase` may have, where the body wears out.
    pub(crate) fn batches(&self, phase: Phase) -> Option<u32> {
        let visits = self.processes.iter().filter_map(|process| process.visit.as_ref());
        visits.filter_map(|visit| visit.batches(phase)).min()
    }

    /// Whether the body may run for `phase`, or run on.
    pub(crate) fn may_run(&self, phase: Phase) -> bool {
        self.batches(phase).is_none_or(|batches| batches > 0)
    }

    pub(crate) fn declared<'a>(&self, cx: &Context<'a>) -> &'a Case {
        &cx.catalogue.cases[self.open.case as usize]
    }

    /// A turn that is asked again while it is rejected, a few times; then it is taken as it is, marked by its counters.
    pub(crate) fn measured_turn(
        &mut self,
        cx: &mut Context<'_>,
        process: usize,
        request: TurnRequest,
    ) -> Result<TurnSummary, StepError> {
        // What wears out is not asked again.
        let again = if self.batches(Phase::Measured).is_none() { AGAIN } else { 0 };
        for _ in 0..again {
            match self.processes[process].turn(cx, request) {
                Err(StepError::Rejected) => {}
                other => return other,
            }
        }
        self.processes[process].turn(cx, TurnRequest { reject: false, ..request })
    }

    /// The question for one turn of steady work: iterations jittered by up to a tenth, batches to fill the turn.
    pub(crate) fn request(&mut self, cx: &mut Context<'_>, state: &CaseState, phase: Phase) -> TurnRequest {
        let n = state.calibration.iterations.unwrap_or(1);
        // What a body that times itself does may depend on the parameter that they set.
        let spread = if self.declared(cx).timing == Timing::SelfTimed { 0 } else { n / 10 };
        let iterations = n - spread + cx.rng.below(2 * spread + 1);
        let turn_ns = self.turn_ns(cx);
        let batches = match self.declared(cx).fresh {
            // A turn more costs less than such a call, and turns are what is alternated.
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

    /// Length of a measured turn. Where code is compared that nobody compiles while it runs, it is half as long: such a harness is at its
    /// work again at once, and twice as many ratios of rounds tell more than as much time in half of them.
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

    /// No code of theirs is compiled while it runs.
    pub(crate) fn is_interpreted(&self, cx: &Context<'_>) -> bool {
        self.processes.iter().all(|process| process.is_interpreter(cx))
    }

    /// A second call of a self-timed body may never come back: do not wait for it as long as for a first.
    fn turn_timeout(&self, cx: &Context<'_>, state: &CaseState) -> Option<Duration> {
        let is_first = self.declared(cx).timing == Timing::SelfTimed && state.samples.complete == 0;
        is_first.then(|| Duration::from_nanos((20 * state.calibration.call_ns).max(5_000_000_000)))
    }

    pub(crate) fn order(&self, cx: &mut Context<'_>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.processes.len()).collect();
        cx.rng.shuffle(&mut order);
        order
    }

    /// Asks every process for a collection.
    pub fn collect(&mut self, cx: &mut Context<'_>) -> Result<(), StepError> {
        let start = Instant::now();
        self.as_launched(|process| process.collect(cx))?;
        self.spend(start);
        Ok(())
    }

    /// Notes every process's memory.
    pub fn note_footprint(&mut self, cx: &mut Context<'_>) -> Result<(), StepError> {
        self.as_launched(|process| process.note_footprint(cx))
    }

    /// One measured round: a turn of every variant, adjacent, in random order, on one processor.
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
            request = whole_cycles::of_any_length(request, &mut cx.rng);
        }
        if cx.settings.ladder {
            // criterion's series: iterations grow by 5 % from one round to the next.
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

    /// Whether it may have more rounds than planned: their number is the engine's to choose, and it has had those planned.
    pub(crate) fn may_have_more_rounds(&self, cx: &Context<'_>, state: &CaseState) -> bool {
        let turns = |visit: &OpenVisit| visit.replicate.rounds.turns();
        let is_at_plan = self.visits().first().is_some_and(|visit| turns(visit) == state.rounds);
        is_at_plan && !state.calibration.calls.once() && cx.settings.chooses_rounds()
    }

    /// How many rounds more than planned it needs by the noise of all rounds of its case, by side ([`rounds_by_pilot`]).
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

    /// Logarithms of the ratios of its rounds over their median, of each side with the base; of the rounds themselves without sides.
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

    /// The empty body through the same loop, or between the same start and stop, in as many processes as give it an
    /// interval. The empty body of a case that times itself has as many operations as the case's batches have had.
    pub fn overhead(&mut self, cx: &mut Context<'_>, state: &mut CaseState) -> Result<(), StepError> {
        let case = self.declared(cx);
        if cx.stopped() || cx.over() || allowance::left_ns(cx, state) == 0 {
            return Ok(());
        }
        let times_itself = case.timing == Timing::SelfTimed;
        // Such a body may hold what it has worn out, or what a global set-up has made for it.
        let is_delicate = times_itself && (case.max_batches.is_some() || case.global_setup.is_some());
        if is_delicate || state.account.floors >= LEAST_REPLICATES {
            return Ok(());
        }
        state.account.floors += 1;
        // An empty call that begins anew is as long as it is; of a loop there must be many.
        let (least, batches, turns) = OVERHEAD[usize::from(self.is_interpreted(cx))];
        let least = if case.fresh { 1 } else { least };
        let loops = state.calibration.iterations.unwrap_or(1).max(least);
        for k in 0..self.processes.len() {
            let iterations = if times_itself { self.processes[k].batch_operations() } else { loops };
            match self.overhead_turns(cx, k, (iterations, batches, turns)) {
                // Not every harness has an empty body that times itself; the case is measured all the same.
                Err(StepError::Failed { usable: true, .. }) if times_itself => {}
                other => other?,
            }
        }
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

    /// Every process has as many measured rounds as make it a process value: [`LEAST_ROUNDS`], or all where by the plan, or by the wear of
    /// the body, there are fewer.
    pub fn is_whole(&self, state: &CaseState) -> bool {
        let single = state.calibration.is_single_call() || self.open.is_worn_out;
        let least = if single { 1 } else { LEAST_ROUNDS.min(state.rounds) };
        let rounds = |process: &HarnessProcess| {
            process.visit.as_ref().map_or(0, |visit| visit.replicate.rounds.turns())
        };
        self.processes.iter().all(|process| rounds(process) >= least)
    }

    /// Asks every process to close the case; [`Block::close`] waits for that. So tear-downs that take long do not add up.
    pub fn begin_closing(&mut self, cx: &mut Context<'_>) -> Result<(), StepError> {
        self.as_launched(|process| {
            process.begin_closing(cx);
            Ok(())
        })
    }

    /// Closes the case in every process. The block counts as a replicate if it is whole.
    pub fn close(&mut self, cx: &mut Context<'_>, state: &mut CaseState) -> Result<(), StepError> {
        let whole = self.is_whole(state);
        let start = Instant::now();
        let visits: Vec<OpenVisit> =
            self.processes.iter_mut().filter_map(|process| process.measured(cx)).collect();
        let mut error = Ok(());
        for &k in self.launch_order {
            // What was measured is good whether or not the tear-down works; a process that ends here (`process.exit` in
            // a once-only body) has done its work.
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

/// The time that a batch should have: long against the clock's step, or as set.
pub(crate) fn target_ns(cx: &Context<'_>, process: &HarnessProcess, case: &Case) -> f64 {
    let usual = if case.timing == Timing::Loop { BATCH_NS } else { SELF_BATCH_NS };
    let least = case.least_batch_ns.map_or(usual, |ns| usual.max(ns as f64));
    let by_clock = STEPS * process.clock_step_ns() as f64;
    cx.settings.batch_ns.map_or(least, |ns| ns as f64).max(by_clock)
}

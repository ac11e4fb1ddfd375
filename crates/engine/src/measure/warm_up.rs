//! Warm-up: turns of a block's processes whose times are not results. They run until no process gets
//! faster, and later until memory has come to rest. All processes run them in parallel, because nothing
//! is measured yet.

use crate::measure::allowance;
use crate::measure::at_once::{self, Ask, Done, Processors};
use crate::measure::block::{OpenBlock, target_ns};
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::{HarnessProcess, StepError};
use crate::measure::turn::{MOST_BATCHES, TurnRequest};
use crate::measure::warming::{Until, WarmUp};
use crate::measure::warmth::Warmth;
use crate::plan;
use derny_model::{Phase, Timing, WARM_UP_PARTS};
use derny_stats::steady;

/// Maximum number of warm-up turns for code that is not compiled at run time.
const MOST_WARM: usize = 6;
/// Length of a warm-up turn and of its batches for code compiled at run time, as a multiple of those in
/// measuring. Warm-up turns are not results, so they may be longer. Fewer exchanges save time.
const LONG: u64 = WARM_UP_PARTS as u64;
/// Length of a turn after settling, as a multiple of a measured turn. The turn is long enough to show
/// first touches.
const AFTER: u64 = 2;
/// Number of calls after which a runtime has fully compiled a body, if it ever does. For a short body
/// that calls built-in functions, V8 needs 5,500 calls and HotSpot 5,000.
const CALLS_TO_COMPILE: f64 = 8_000.0;

/// Results of turns, each with the position of its process in the block.
type Answers = Vec<(usize, Done)>;

impl OpenBlock<'_> {
    /// Starts a warm-up that continues until all processes are at full speed or `limit_ns` is used. While
    /// code is still being compiled, the limit is [`OpenBlock::most_warm_up_ns`]. `first` is true on the
    /// first visit of the case.
    pub(crate) fn begin_warm_up(
        &mut self,
        cx: &mut Context<'_>,
        state: &CaseState,
        limit_ns: u64,
        first: bool,
        processors: &mut Processors,
    ) {
        self.open.warmth = vec![Warmth::default(); self.processes.len()];
        // Compiled code only has to warm caches and branch predictors. Turns of half length are enough,
        // and only as many of them as the check for steadiness needs.
        let turn_ns = cx.settings.turn_ns;
        let of_turns = |turns: u64| (turn_ns * turns).min(limit_ns.max(turn_ns));
        let (within_ns, least) = match (self.is_compiled(cx), self.is_interpreted(cx)) {
            (true, _) => (turn_ns / 2, steady::LEAST),
            (_, true) => (of_turns(1), steady::LEAST), // nothing becomes faster after the first calls
            _ => (of_turns(LONG), plan::first_checkpoint(cx.settings)),
        };
        let most_ns = self.most_warm_up_ns(cx, state, limit_ns);
        self.begin_turns(Until::Level { first }, processors, within_ns, (limit_ns, most_ns), least);
    }

    /// Starts a warm-up that continues until memory has come to rest. After settling it has at least
    /// one turn, which restores the caches.
    pub(crate) fn begin_rest(&mut self, cx: &Context<'_>, processors: &mut Processors) {
        let Some(left_ns) = self.open.warm_left_ns else { return };
        let within_ns = cx.settings.turn_ns * if self.open.is_settled { AFTER } else { LONG };
        self.begin_turns(Until::Rest, processors, within_ns, (left_ns, left_ns), usize::MAX);
    }

    fn begin_turns(
        &mut self,
        until: Until,
        processors: &mut Processors,
        within_ns: u64,
        (limit_ns, most_ns): (u64, u64),
        least: usize,
    ) {
        self.open.warm_up = Some(WarmUp {
            until,
            processors: processors.take(self.processes.len()),
            within_ns,
            limit_ns,
            most_ns,
            turns_ns: 0,
            turns: 0,
            least,
            check: least,
            asked: (1, 1),
            before_ns: self.open.spent_ns,
            is_over: false,
        });
    }

    /// Returns true if the warm-up in progress continues.
    pub(crate) fn wants_turns(&self, cx: &Context<'_>, state: &CaseState) -> bool {
        let Some(warm_up) = &self.open.warm_up else { return false };
        if cx.stopped() || cx.over() || !self.may_run(Phase::WarmUp) {
            return false;
        }
        let is_first = warm_up.turns == 0;
        match warm_up.until {
            Until::Level { .. } => {
                // There is always one turn, however little time is left. Otherwise a delay of the
                // machine would leave the process cold.
                let is_due = warm_up.turns_ns < warm_up.limit_ns || (is_first && warm_up.limit_ns > 0);
                let is_late = !is_first && allowance::left_ns(cx, state) <= self.open.uncharged_ns();
                let compiles = || warm_up.turns_ns < warm_up.most_ns && self.is_compiling();
                !warm_up.is_over && !is_late && (is_due || compiles())
            }
            Until::Rest => {
                (is_first && self.open.is_settled)
                    || (!self.is_resting() && warm_up.turns_ns < warm_up.limit_ns)
            }
        }
    }

    fn is_compiling(&self) -> bool {
        !self.open.warmth.iter().all(Warmth::is_quiet)
    }

    fn is_resting(&self) -> bool {
        self.open.warmth.iter().all(|warmth| !warmth.is_touching() && !warmth.is_collecting_less())
    }

    /// Continues the current warm-up to its end.
    pub(crate) fn keep_warming(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
    ) -> Result<(), StepError> {
        while self.wants_turns(cx, state) {
            let answers = turn_of_each(cx, vec![(&mut *self, &*state)]);
            for answers in answers {
                self.take_answers(cx, state, answers)?;
            }
        }
        self.end_turns();
        Ok(())
    }

    /// Warms up until all processes are at full speed, as [`OpenBlock::begin_warm_up`] describes.
    pub(crate) fn warm_up_alone(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
        limit_ns: u64,
    ) -> Result<(), StepError> {
        let mut processors = Processors::of(cx);
        self.begin_warm_up(cx, state, limit_ns, false, &mut processors);
        self.keep_warming(cx, state)
    }

    /// Returns the turns that are due, in random order.
    fn asks(&mut self, cx: &mut Context<'_>, state: &CaseState) -> Vec<(usize, Ask<'_>)> {
        let within_ns = self.open.warm_up.as_ref().map_or(0, |warm_up| warm_up.within_ns);
        let (request, times) = self.warm_up_request(cx, state, within_ns);
        let order = self.order(cx);
        let Some(warm_up) = &mut self.open.warm_up else { return Vec::new() };
        warm_up.asked = (request.iterations, times);
        let mut processes: Vec<Option<&mut HarnessProcess>> = self.processes.iter_mut().map(Some).collect();
        let ask = |k: usize| {
            let request = TurnRequest { processor: warm_up.processors[k], ..request };
            processes[k].take().map(|process| (k, Ask { process, request }))
        };
        order.into_iter().filter_map(ask).collect()
    }

    /// Evaluates a turn of each process.
    pub(crate) fn take_answers(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
        answers: Answers,
    ) -> Result<(), StepError> {
        let (case, target) = (self.declared(cx), target_ns(cx, &self.processes[0], self.declared(cx)));
        let (processes, is_short) =
            (self.processes.len() as f64, self.is_compiled(cx) || self.is_interpreted(cx));
        let Some(warm_up) = &mut self.open.warm_up else { return Ok(()) };
        let (iterations, times) = warm_up.asked;
        warm_up.turns += 1;
        for (k, done) in answers {
            warm_up.turns_ns += done.wall_ns;
            let mut summary = done.summary?;
            if let Until::Level { first } = warm_up.until {
                // Do not wait for a compilation that cannot finish in time.
                let call_ns = summary.batch_ns / iterations as f64;
                summary.pending &= call_ns * CALLS_TO_COMPILE * processes <= warm_up.limit_ns as f64;
                if k == 0 {
                    state.calibration.untimed.see(iterations, summary.aside_ns);
                    if first {
                        state.calibration.grow(case, target, summary.batch_ns / times as f64);
                    }
                }
            }
            if k == 0 {
                state.calibration.batch_ns = summary.cost_ns / times as f64;
            }
            self.open.warmth[k].add(&summary, cx.first_touch_ns);
        }
        let known = self.open.warmth[0].len();
        // More turns would not make this code faster. Its times vary for other reasons.
        warm_up.is_over = is_short && warm_up.turns >= MOST_WARM;
        if known >= warm_up.check {
            warm_up.is_over |= self.open.warmth.iter().all(|warmth| warmth.is_quiet() && warmth.is_level());
            let next = steady::checkpoints(warm_up.least).find(|next| *next > known);
            warm_up.check = next.unwrap_or(usize::MAX);
        }
        Ok(())
    }

    /// Ends the current warm-up. Records as borrowed the time by which it exceeded its part of the
    /// visit.
    pub(crate) fn end_turns(&mut self) {
        let Some(warm_up) = self.open.warm_up.take() else { return };
        if let Until::Level { .. } = warm_up.until {
            self.open.borrowed_ns = (self.open.spent_ns - warm_up.before_ns).saturating_sub(warm_up.limit_ns);
            // A body that was still being compiled when its time ended has not come to rest, so it gets
            // half as much time again.
            let left_ns = warm_up.limit_ns.saturating_sub(warm_up.turns_ns);
            self.open.warm_left_ns = Some(left_ns.max(warm_up.limit_ns / 2));
        }
    }

    /// Returns the time limit in ns of a warm-up during which code is still being compiled when
    /// `limit_ns` is over. It is twice that limit if the case's budget allows as many such visits as a
    /// useful look needs. A limit that the user has set is never doubled.
    fn most_warm_up_ns(&self, cx: &Context<'_>, state: &CaseState, limit_ns: u64) -> u64 {
        let rounds_ns = cx.settings.turn_ns * u64::from(state.rounds) * self.processes.len() as u64;
        let visit_ns = state.account.launch_ns + self.open.spent_ns + 2 * limit_ns + rounds_ns;
        let has_room = visit_ns.saturating_mul(cx.time.pairs.into()) <= cx.settings.budget_ns;
        if cx.settings.warmup_ns.is_none() && has_room { 2 * limit_ns } else { limit_ns }
    }

    /// Returns the request for a warm-up turn of this length, and the iterations of its batches as a
    /// multiple of those in a measured turn. Every part of the turn has at least one batch.
    fn warm_up_request(
        &mut self,
        cx: &mut Context<'_>,
        state: &CaseState,
        within_ns: u64,
    ) -> (TurnRequest, u64) {
        let request = self.request(cx, state, Phase::WarmUp);
        let case = self.declared(cx);
        let batches = within_ns as f64 / state.calibration.batch_ns.max(1.0);
        let times = match case.timing {
            Timing::Loop => {
                let most = case.max_iterations.unwrap_or(u64::MAX) / request.iterations.max(1);
                let longer = (batches / WARM_UP_PARTS as f64) as u64;
                let most = if state.calibration.is_bounded { 1 } else { most };
                longer.min(within_ns / cx.settings.turn_ns).min(most).max(1)
            }
            Timing::SelfTimed => 1,
        };
        let batches = (batches / times as f64).ceil().clamp(1.0, MOST_BATCHES) as u32;
        (TurnRequest { iterations: request.iterations * times, batches, within_ns, ..request }, times)
    }
}

/// Runs a turn of every process of these blocks, as many at a time as there are processors. Returns the
/// answers by block.
pub(super) fn turn_of_each(
    cx: &mut Context<'_>,
    blocks: Vec<(&mut OpenBlock<'_>, &CaseState)>,
) -> Vec<Answers> {
    let mut blocks = blocks;
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut asks: Vec<Ask<'_>> = Vec::new();
    for (at, (block, state)) in blocks.iter_mut().enumerate() {
        for (k, ask) in block.asks(cx, state) {
            places.push((at, k));
            asks.push(ask);
        }
    }
    let done = at_once::turns(cx, asks);
    let mut answers: Vec<Answers> = blocks.iter().map(|_| Vec::new()).collect();
    for ((at, k), done) in places.into_iter().zip(done) {
        blocks[at].0.open.spent_ns += done.share_ns;
        answers[at].push((k, done));
    }
    answers
}

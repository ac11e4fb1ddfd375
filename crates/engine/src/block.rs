//! A block: one process of every variant, alive together and alternated turn by turn; and the steps of a case's stay in
//! it. Cold, calibration, warm-up, measured rounds, the empty body, close: each step asks every seat, so that variants
//! are always compared at equal age.

use crate::calibrate;
use crate::context::Context;
use crate::plan;
use crate::seat::{Seat, Stay, Trouble};
use crate::state::{CaseState, Scale};
use crate::turn::{Ask, Told};
use crate::warmth::Warmth;
use derny_model::{Case, Event, LEAST_REPLICATES, Phase, Timing, WARM_UP_PARTS};
use derny_stats::plan::rounds_by_pilot;
use derny_stats::steady;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Iterations of the empty body, batches of it, and turns: the first ones compile its loop, the last one counts.
const OVERHEAD: (u64, u32, u32) = (10_000, 10, 3);
/// Batches of a turn at most.
const MOST_BATCHES: f64 = 4096.0;
/// Warm-up turns of compiled code at most.
const MOST_WARM: usize = 6;
/// A warm-up turn of code that the runtime compiles is as long as this many measured ones, and its batches as this many: nobody
/// measures by them, and each exchange costs.
pub(crate) const LONG: u64 = WARM_UP_PARTS as u64;
/// Share of a turn, as a fraction, that is run before it without being timed.
const LEAD: (u64, u64) = (3, 20);
/// Rounds of a pair at most where it takes more of them than planned; and where its turns are half as long.
const MOST_ROUNDS: [u32; 2] = [20, 32];
/// After so many calls a runtime has compiled a body as well as it can, if it ever does. V8 needs 5,500 of a body that is short
/// itself and does its work in functions that are built in, HotSpot 5,000.
const CALLS_TO_COMPILE: f64 = 8_000.0;
/// Rejected turns are asked again at most this many times per round.
const AGAIN: u32 = 5;

/// Live processes of all variants, with the cases they still have to take.
#[derive(Debug)]
pub struct Block {
    /// Number of the block in the run.
    pub block: u32,
    /// One per variant, in the variants' order.
    pub seats: Vec<Seat>,
    /// Cases to come.
    pub todo: VecDeque<u32>,
    /// The case that is open.
    pub case: Option<u32>,
    /// Rounds of the open case still to be measured.
    pub rounds_left: u32,
    /// Wall time spent on the open case so far, in ns.
    pub spent_ns: u64,
    /// What the warm-up of the open case has shown, by seat.
    pub warmth: Vec<Warmth>,
    /// What that warm-up has left of its time; none where there was none.
    pub warm_left: Option<Duration>,
    /// The heaps of its processes were settled for the open case.
    pub is_settled: bool,
    /// It is the first that takes the open case, and calibrates for the others.
    pub is_first: bool,
}

impl Block {
    /// Processes that have answered, with the cases they are to take.
    pub fn new(block: u32, seats: Vec<Seat>, todo: VecDeque<u32>) -> Block {
        let (case, warmth, warm_left) = (None, Vec::new(), None);
        let (rounds_left, spent_ns, is_settled, is_first) = (0, 0, false, false);
        Block { block, seats, todo, case, rounds_left, spent_ns, warmth, warm_left, is_settled, is_first }
    }

    /// Opens a case in every seat. `Ok(Some(reason))`: the harness skips it.
    pub fn open(&mut self, cx: &mut Context<'_>, case: u32) -> Result<Option<String>, Trouble> {
        self.case = Some(case);
        self.spent_ns = 0;
        (self.warmth, self.warm_left) = (Vec::new(), None);
        (self.is_settled, self.is_first) = (false, false);
        let start = Instant::now();
        let mut skipped = None;
        for seat in &mut self.seats {
            skipped = skipped.or(seat.open(cx, case)?);
        }
        self.spend(start);
        if skipped.is_some() {
            for seat in &mut self.seats {
                seat.close(cx)?;
            }
            self.case = None;
        }
        Ok(skipped)
    }

    pub(crate) fn spend(&mut self, since: Instant) {
        self.spent_ns += since.elapsed().as_nanos() as u64;
    }

    /// The first call in every process. Where calls are so long that the block's share of time holds hardly more than
    /// this one, or where a body runs only once, it is the measurement.
    pub fn cold(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
        share_ns: u64,
    ) -> Result<(), Trouble> {
        let start = Instant::now();
        let long = state.once || state.call_ns > share_ns / 3;
        let phase = if long { Phase::Measured } else { Phase::Cold };
        let processor = cx.processor();
        self.rounds_left = 0;
        // Where this is the measurement, no variant may always be the first.
        for k in self.order(cx) {
            let ask = Ask {
                phase,
                iterations: 1,
                batches: 1,
                within_ns: cx.settings.turn_ns,
                lead_ns: 0,
                processor,
                timeout: cx.timeout(),
                reject: true,
            };
            let told = self.measured_turn(cx, k, ask)?;
            // The quickest of the first calls: what a call costs when nothing disturbs it.
            let call_ns = (told.cost_ns as u64).max(1);
            state.call_ns = if state.call_ns == 0 { call_ns } else { state.call_ns.min(call_ns) };
        }
        self.spend(start);
        if !state.once {
            self.rounds_left = state.rounds;
        }
        Ok(())
    }

    /// One more single call in the first seat, to see whether calls are as long as the first one was.
    pub fn second_call(&mut self, cx: &mut Context<'_>, state: &mut CaseState) -> Result<(), Trouble> {
        let start = Instant::now();
        let told = self.probe(cx, 1, 1)?;
        state.call_ns = state.call_ns.min((told.cost_ns as u64).max(1));
        self.spend(start);
        Ok(())
    }

    pub(crate) fn declared<'a>(&self, cx: &Context<'a>) -> &'a Case {
        &cx.catalogue.cases[self.case.unwrap_or(0) as usize]
    }

    /// A turn that is asked again while it is rejected, a few times; then it is taken as it is, marked by its counters.
    fn measured_turn(&mut self, cx: &mut Context<'_>, seat: usize, ask: Ask) -> Result<Told, Trouble> {
        for _ in 0..AGAIN {
            match self.seats[seat].turn(cx, ask) {
                Err(Trouble::Rejected) => {}
                other => return other,
            }
        }
        self.seats[seat].turn(cx, Ask { reject: false, ..ask })
    }

    /// The question for one turn of steady work: iterations jittered by up to a tenth, batches to fill the turn.
    pub(crate) fn ask(&mut self, cx: &mut Context<'_>, state: &CaseState, phase: Phase) -> Ask {
        let n = state.iterations.unwrap_or(1);
        let spread = if state.scale == Scale::Fixed && self.declared(cx).timing == Timing::SelfTimed {
            0
        } else {
            n / 10
        };
        let iterations = n - spread + cx.rng.below(2 * spread + 1);
        let turn_ns = self.turn_ns(cx);
        let batches = (turn_ns as f64 / state.batch_ns.max(1.0)).ceil().clamp(1.0, MOST_BATCHES) as u32;
        Ask {
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

    /// Length of a measured turn. Where compiled code is compared it is half as long: such a harness is at its work again at once, and
    /// twice as many ratios of rounds tell more than as much time in half of them.
    fn turn_ns(&self, cx: &Context<'_>) -> u64 {
        if self.has_half_turns(cx) { cx.settings.turn_ns / 2 } else { cx.settings.turn_ns }
    }

    /// How long a measured turn runs before it is timed. A process that has waited while others ran has
    /// lost its caches, and the first tenths of a millisecond would contain the cost of loading them.
    /// 0 for bodies that time themselves, and for batches that are about as long as this.
    fn lead_ns(&self, cx: &Context<'_>, state: &CaseState) -> u64 {
        let lead_ns = cx.settings.turn_ns * LEAD.0 / LEAD.1;
        let is_short = state.batch_ns * 2.0 <= lead_ns as f64;
        if is_short && self.declared(cx).timing == Timing::Loop { lead_ns } else { 0 }
    }

    fn has_half_turns(&self, cx: &Context<'_>) -> bool {
        self.is_compiled(cx) && self.seats.len() > 1 && cx.settings.chooses_rounds()
    }

    fn is_compiled(&self, cx: &Context<'_>) -> bool {
        self.seats.iter().all(|seat| seat.is_ahead_of_time(cx))
    }

    /// A second call of a self-timed body may never come back: do not wait for it as long as for a first.
    fn turn_timeout(&self, cx: &Context<'_>, state: &CaseState) -> Duration {
        let usual = cx.timeout();
        if self.declared(cx).timing == Timing::SelfTimed && state.complete == 0 {
            return usual.min(Duration::from_nanos((20 * state.call_ns).max(5_000_000_000)));
        }
        usual
    }

    /// Turns of all seats until none becomes faster any more, by the parts of its turns, and, where that is told, compiles no code and
    /// loads no classes any more; or until `limit_ns` is spent. In the `first` visit of a case iterations grow as the code
    /// becomes faster.
    pub fn warm_up(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
        limit_ns: u64,
        first: bool,
    ) -> Result<(), Trouble> {
        let start = Instant::now();
        let case = self.declared(cx);
        let target = calibrate::target_ns(cx, &self.seats[0], case.timing);
        self.warmth = vec![Warmth::default(); self.seats.len()];
        // Compiled code warms caches and branch predictors, no more: half turns, and the fewest that can be looked at.
        let compiled = self.is_compiled(cx);
        let turn_ns = cx.settings.turn_ns;
        let (within_ns, least) = if compiled {
            (turn_ns / 2, steady::LEAST)
        } else {
            ((turn_ns * LONG).min(limit_ns.max(turn_ns)), plan::first_checkpoint(cx.settings))
        };
        let mut turns = 0;
        let mut checkpoints = steady::checkpoints(least);
        let mut check = checkpoints.next().unwrap_or(usize::MAX);
        // One processor for the whole warm-up: where processors differ in speed, moving would look like unsteadiness.
        let processor = cx.processor();
        while (start.elapsed().as_nanos() as u64) < limit_ns && !cx.stopped() && !cx.over() {
            let (ask, times) = self.warm_up_ask(cx, state, within_ns);
            turns += 1;
            for k in self.order(cx) {
                let mut told = self.seats[k].turn(cx, Ask { processor, ..ask })?;
                // Nobody waits for a compilation that will not come in time.
                let call_ns = told.batch_ns / ask.iterations as f64;
                told.pending &= call_ns * CALLS_TO_COMPILE * self.seats.len() as f64 <= limit_ns as f64;
                self.warmth[k].add(&told, cx.first_touch_ns);
                if k == 0 {
                    state.batch_ns = told.cost_ns / times as f64;
                    if first {
                        state.grow(case, target, told.batch_ns / times as f64);
                    }
                }
            }
            if compiled && turns >= MOST_WARM {
                break; // unsteady for another's sake: more of it would not make the code any faster
            }
            let known = self.warmth[0].len();
            if known >= check {
                if self.warmth.iter().all(|warmth| warmth.is_quiet() && warmth.is_level()) {
                    break;
                }
                check = checkpoints.find(|next| *next > known).unwrap_or(usize::MAX);
            }
        }
        self.spend(start);
        Ok(())
    }

    /// The question for a warm-up turn of that length, and how many times as many iterations as in a measured one its
    /// batches have: as many as leave one for each part.
    pub(crate) fn warm_up_ask(
        &mut self,
        cx: &mut Context<'_>,
        state: &CaseState,
        within_ns: u64,
    ) -> (Ask, u64) {
        let ask = self.ask(cx, state, Phase::WarmUp);
        let case = self.declared(cx);
        let batches = within_ns as f64 / state.batch_ns.max(1.0);
        let times = match case.timing {
            Timing::Loop => {
                let most = case.max_iterations.unwrap_or(u64::MAX) / ask.iterations.max(1);
                ((batches / WARM_UP_PARTS as f64) as u64)
                    .min(within_ns / cx.settings.turn_ns)
                    .min(most)
                    .max(1)
            }
            Timing::SelfTimed => 1,
        };
        let batches = (batches / times as f64).ceil().clamp(1.0, MOST_BATCHES) as u32;
        (Ask { iterations: ask.iterations * times, batches, within_ns, ..ask }, times)
    }

    pub(crate) fn order(&self, cx: &mut Context<'_>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.seats.len()).collect();
        cx.rng.shuffle(&mut order);
        order
    }

    /// Asks every seat for a collection.
    pub fn collect(&mut self, cx: &mut Context<'_>) -> Result<(), Trouble> {
        let start = Instant::now();
        for seat in &mut self.seats {
            seat.collect(cx)?;
        }
        self.spend(start);
        Ok(())
    }

    /// Notes every seat's memory.
    pub fn note_footprint(&mut self, cx: &mut Context<'_>) -> Result<(), Trouble> {
        self.seats.iter_mut().try_for_each(|seat| seat.note_footprint(cx))
    }

    /// One measured round: a turn of every variant, adjacent, in random order, on one processor.
    pub fn round(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
        processor: Option<u32>,
    ) -> Result<(), Trouble> {
        let start = Instant::now();
        if cx.settings.gc == "round" {
            self.collect(cx)?;
        }
        let lead_ns = self.lead_ns(cx, state);
        let mut ask = Ask { processor, lead_ns, ..self.ask(cx, state, Phase::Measured) };
        if cx.settings.ladder {
            // criterion's series: iterations grow by 5 % from one round to the next.
            let step = state.rounds.saturating_sub(self.rounds_left);
            ask.iterations = (ask.iterations as f64 * 1.05_f64.powi(step as i32)).ceil() as u64;
        }
        for k in self.order(cx) {
            self.measured_turn(cx, k, ask)?;
        }
        self.rounds_left = self.rounds_left.saturating_sub(1);
        if self.rounds_left == 0 {
            self.rounds_left = self.more_rounds(cx, state);
        }
        self.spend(start);
        Ok(())
    }

    /// How many rounds more than planned a comparison needs whose rounds nobody has set ([`rounds_by_pilot`]); asked once.
    fn more_rounds(&self, cx: &Context<'_>, state: &CaseState) -> u32 {
        let stays: Vec<&Stay> = self.seats.iter().filter_map(|seat| seat.visit.as_ref()).collect();
        let Some((base, others)) = stays.split_first() else { return 0 };
        if state.once || base.replicate.rounds.turns() != state.rounds || !cx.settings.chooses_rounds() {
            return 0;
        }
        let most = MOST_ROUNDS[usize::from(self.has_half_turns(cx))];
        let wanted = others.iter().map(|other| {
            let ratios = base.replicate.rounds.ratios(&other.replicate.rounds);
            rounds_by_pilot(&ratios, cx.settings.margin, most)
        });
        wanted.max().unwrap_or(0).saturating_sub(state.rounds)
    }

    /// The empty body through the same loop, in as many processes as give it an interval.
    pub fn overhead(&mut self, cx: &mut Context<'_>, state: &mut CaseState) -> Result<(), Trouble> {
        if self.declared(cx).timing != Timing::Loop || state.floors >= LEAST_REPLICATES {
            return Ok(());
        }
        state.floors += 1;
        let iterations = state.iterations.unwrap_or(1).max(OVERHEAD.0);
        for k in 0..self.seats.len() {
            let turns = if self.seats[k].can("overhead") { OVERHEAD.2 } else { 0 };
            for _ in 0..turns {
                let (within_ns, timeout) = (cx.settings.turn_ns, cx.timeout());
                let ask = Ask::plain(Phase::Overhead, iterations, OVERHEAD.1, within_ns, timeout);
                self.seats[k].turn(cx, ask)?;
            }
        }
        Ok(())
    }

    /// Closes the case in every seat. The block counts as a replicate if every seat has measured something.
    pub fn close(&mut self, cx: &mut Context<'_>, state: &mut CaseState) -> Result<(), Trouble> {
        let mut stays: Vec<Stay> = Vec::new();
        let mut trouble = Ok(());
        for seat in &mut self.seats {
            stays.extend(seat.measured(cx));
            // What was measured is good whether or not the tear-down works; a process that ends here (`process.exit` in
            // a once-only body) has done its work.
            if let Err(failed) = seat.close(cx)
                && !state.once
            {
                trouble = Err(failed);
            }
        }
        let whole = stays.len() == self.seats.len() && stays.iter().all(Stay::has_measured);
        if whole {
            for stay in &stays {
                cx.tell(Event::VisitEnded { visit: stay.visit });
            }
            state.complete_block(stays.into_iter().map(|stay| stay.replicate).collect());
        }
        state.spent_ns += self.spent_ns;
        self.case = None;
        trouble
    }

    /// Tells every process of the block to end; [`Block::leave`] waits for them.
    pub fn dismiss(&mut self, cx: &mut Context<'_>) {
        self.seats.iter_mut().for_each(|seat| seat.dismiss(cx));
    }

    /// Ends every process of the block.
    pub fn leave(self, cx: &mut Context<'_>, politely: bool) {
        for seat in self.seats {
            seat.leave(cx, politely);
        }
    }
}

//! The first calls of a case in a process. Only they show how long calls take, and whether one call
//! fills a visit.

use crate::measure::allowance;
use crate::measure::block::OpenBlock;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::StepError;
use crate::measure::turn::TurnRequest;
use derny_model::{Phase, Timing};
use std::time::Instant;

/// Minimum length of a long call including its untimed work, as a multiple of a turn.
const LONG_CALL: u64 = 10;

impl OpenBlock<'_> {
    /// Makes the first call in every process. This call is the measurement if one call fills a visit,
    /// or if the body runs only once.
    pub fn cold(&mut self, cx: &mut Context<'_>, state: &mut CaseState) -> Result<(), StepError> {
        let start = Instant::now();
        let phase = if state.calibration.is_single_call() { Phase::Measured } else { Phase::Cold };
        // A benchmark that brings its own runner must run as under that runner: on any processor, with
        // all its threads.
        let is_free = self.declared(cx).runner.is_some() && cx.settings.pin.len() > 1;
        let processor = if is_free { None } else { cx.processor() };
        self.open.rounds_left = 0;
        // Use several iterations only if the calls of a batch share a set-up that takes all of the
        // visit's time.
        let of_batch = state.calibration.iterations.filter(|_| phase == Phase::Measured);
        let iterations = of_batch.filter(|_| self.declared(cx).timing == Timing::Loop).unwrap_or(1);
        // Use a random order, because this may be the measurement.
        for k in self.order(cx) {
            let request = TurnRequest {
                phase,
                iterations,
                batches: 1,
                within_ns: cx.settings.turn_ns,
                lead_ns: 0,
                processor,
                timeout: None,
                reject: true,
            };
            let summary = self.measured_turn(cx, k, request)?;
            state.calibration.see_call(&summary, LONG_CALL * cx.settings.turn_ns);
        }
        self.spend(start);
        if !state.calibration.calls.once() {
            self.open.rounds_left = state.rounds;
        }
        Ok(())
    }

    /// On the first visit of a case, decides whether one call takes all of `share_ns`, the planned time
    /// of a visit. The first call may have been slow for other reasons, so a second call must confirm
    /// it. If the untimed work of a loop decides, a third call is needed, because that work may have
    /// waited for a processor.
    ///
    /// If the first call exceeded the budget and the second is slow too, the second is the measurement.
    pub fn decide_calls(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
        share_ns: u64,
    ) -> Result<(), StepError> {
        if self.declared(cx).fresh {
            self.open.rounds_left = self.fresh_rounds(cx, state) - 1;
            return Ok(());
        }
        if state.calibration.calls.once() || state.calibration.one_call_fills.is_some() {
            return Ok(());
        }
        let fills = |state: &CaseState| state.calibration.call_ns > share_ns / 3;
        let is_loop = self.declared(cx).timing == Timing::Loop;
        let is_short = |call_ns: u64| call_ns < cx.settings.budget_ns / 4;
        let beyond = state.calibration.call_ns > allowance::most_ns(cx, state);
        let start = Instant::now();
        for call in 0..if is_loop { 2 } else { 1 } {
            let is_due = is_short(state.calibration.call_ns) || (beyond && call == 0);
            if !fills(state) || !is_due || !self.may_run(Phase::Calibration) {
                break;
            }
            let before_ns = state.calibration.call_ns;
            // The call may become the measurement, so each process runs alone.
            let summary = self.probe_all(cx, 1, 1)?.swap_remove(0);
            state.calibration.see_call(&summary, LONG_CALL * cx.settings.turn_ns);
            state.calibration.untimed.see(1, summary.aside_ns);
            if summary.whole_ns() > before_ns as f64 / 2.0 {
                break; // about as long as before
            }
        }
        self.spend(start);
        state.calibration.one_call_fills = Some(fills(state));
        if fills(state) && beyond {
            let counted: Vec<bool> =
                self.processes.iter_mut().map(|process| process.count_last_turn(cx)).collect();
            if counted.into_iter().all(|is_counted| is_counted) {
                self.open.rounds_left = 0;
            }
        } else if fills(state) && is_loop && state.calibration.call_ns < cx.time.case_ns / 4 {
            // If there is only one set-up per batch, a batch may have time for more calls.
            state.calibration.iterations = Some(2);
            self.calibrate(cx, state)?;
        }
        Ok(())
    }

    /// Returns the number of rounds of a visit of a fresh case, including the first. Unless the user has
    /// set it, the visit must leave time for the maximum number of processes, because more processes give
    /// more information than more calls per process. The estimated time of a round is the time that this
    /// block has taken so far.
    fn fresh_rounds(&self, cx: &Context<'_>, state: &CaseState) -> u32 {
        let processes = u64::from(cx.settings.processes) * self.open.spent_ns.max(1);
        let affordable = (cx.settings.budget_ns / processes).clamp(1, state.rounds.max(1).into()) as u32;
        cx.settings.rounds.unwrap_or(affordable)
    }
}

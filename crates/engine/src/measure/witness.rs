//! The engine's part of the witness: turns whose numbers of iterations show if a program does all of the work
//! that it is asked for. Analysis compares the variants (`analysis/witness`).
//!
//! The batches of a measured turn have half, all or twice the calibrated iterations. The order is random, and
//! the same in all variants. The number of batches changes inversely, so that the turn takes as long as
//! before. If a program works only in the first iteration of a batch, its time per operation falls as the
//! number of iterations rises. After the last round, each process also runs a turn whose batches have a
//! single iteration. This turn shows each call alone.

use crate::measure::block::OpenBlock;
use crate::measure::calibration;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::StepError;
use crate::measure::turn::TurnRequest;
use crate::measure::varied_count::VariedCount;
use derny_model::{Phase, Timing};
use std::time::Instant;

/// Range of the random number of batches in a turn of single calls.
const CALLS: std::ops::Range<u64> = 30..50;
/// Minimum time of an iteration in ns for a turn of single calls. The clock cannot resolve shorter ones.
const LEAST_CALL_NS: f64 = 100.0;
/// Maximum time of a batch as a multiple of a turn. The iterations of longer batches are not doubled.
const LONG: f64 = 4.0;

impl OpenBlock<'_> {
    /// Changes the number of iterations of a measured round, if the case allows it.
    pub(crate) fn vary_count(&mut self, cx: &mut Context<'_>, state: &CaseState, request: &mut TurnRequest) {
        if request.phase != Phase::Measured || !self.may_vary(cx, state) {
            return;
        }
        if self.open.counts.is_empty() {
            self.open.counts = vec![VariedCount::Half, VariedCount::Whole, VariedCount::Double];
            cx.rng.shuffle(&mut self.open.counts);
        }
        let is_long = state.calibration.batch_ns > LONG * cx.settings.turn_ns as f64;
        let most = self.declared(cx).max_iterations.unwrap_or(u64::MAX);
        if let Some(count) = self.open.counts.pop().filter(|count| *count != VariedCount::Double || !is_long)
        {
            count.apply(request, most);
        }
    }

    /// Returns true if the witness may choose the number of iterations.
    fn may_vary(&self, cx: &Context<'_>, state: &CaseState) -> bool {
        let case = self.declared(cx);
        let is_free = state.calibration.count == calibration::Count::Free && !state.calibration.calls.once();
        cx.settings.witness && !cx.settings.ladder && case.timing == Timing::Loop && !case.fresh && is_free
    }

    /// Runs a turn of every process whose batches have a single iteration, with the setting `witness`.
    pub(crate) fn single_calls(&mut self, cx: &mut Context<'_>, state: &CaseState) -> Result<(), StepError> {
        let iterations = state.calibration.iterations.unwrap_or(1);
        let each_ns = state.calibration.batch_ns / iterations as f64;
        let is_apt = iterations > 1 && each_ns >= LEAST_CALL_NS && self.batches(Phase::Measured).is_none();
        if !is_apt || !self.may_vary(cx, state) || cx.stopped() || cx.over() {
            return Ok(());
        }
        let start = Instant::now();
        let batches = (CALLS.start + cx.rng.below(CALLS.end - CALLS.start)) as u32;
        let request = TurnRequest {
            processor: cx.processor(),
            ..TurnRequest::plain(Phase::Calibration, 1, batches, cx.settings.turn_ns)
        };
        for k in self.order(cx) {
            self.processes[k].turn(cx, request)?;
        }
        self.spend(start);
        Ok(())
    }
}

//! Calibration: how many iterations make a batch long enough for the clock and short enough to fit between preemptions;
//! and, for a body that times itself, whether its parameter can be lowered so that a run of it is such a batch. That it can
//! must be shown: the workload that is measured is the configured one (see `workload`).

use crate::measure::block::{Block, target_ns};
use crate::measure::calibration::{Count, Scale};
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::StepError;
use crate::measure::turn::{TurnRequest, TurnSummary};
use derny_model::{Case, Phase, Timing};
use std::time::Instant;

/// A batch is made as long as its set-up takes, up to so many turns.
const SETUP: f64 = 10.0;

/// What two batches of different length take beside their time, without the part that grows with it.
fn fixed((few, aside): (u64, f64), (many, more): (u64, f64)) -> Option<f64> {
    let share = (more - aside) / (many as f64 - few as f64);
    (few != many).then(|| (aside - share.max(0.0) * few as f64).clamp(0.0, aside.min(more)))
}

impl Block {
    /// Chooses iterations per batch by the first variant; the others do the same turns, and take the same number. Done by the
    /// first visit of a case, and checked again after its warm-up, when the code has become faster.
    pub fn calibrate(&mut self, cx: &mut Context<'_>, state: &mut CaseState) -> Result<(), StepError> {
        if !self.may_run(Phase::Calibration) {
            // A body that may hardly run at all is called once in a batch.
            state.calibration.iterations.get_or_insert(1);
            return Ok(());
        }
        let start = Instant::now();
        let case = self.declared(cx);
        let result = match case.timing {
            Timing::Loop => self.calibrate_loop(cx, state, case),
            Timing::SelfTimed => self.calibrate_self(cx, state, case),
        };
        self.spend(start);
        result
    }

    /// A turn of every process, in the order in which they were launched; what that of the first variant has shown.
    pub(crate) fn probe(
        &mut self,
        cx: &mut Context<'_>,
        iterations: u64,
        batches: u32,
    ) -> Result<TurnSummary, StepError> {
        Ok(self.probe_all(cx, iterations, batches)?.swap_remove(0))
    }

    /// A turn of every process; what each of them has shown, in the order of the variants.
    pub(crate) fn probe_all(
        &mut self,
        cx: &mut Context<'_>,
        iterations: u64,
        batches: u32,
    ) -> Result<Vec<TurnSummary>, StepError> {
        let request = TurnRequest::plain(Phase::Calibration, iterations, batches, cx.settings.turn_ns);
        let request = TurnRequest { processor: cx.processor(), ..request };
        let mut summaries = vec![TurnSummary::default(); self.processes.len()];
        for &k in &self.launch_order {
            summaries[k] = self.processes[k].turn(cx, request)?;
        }
        Ok(summaries)
    }

    fn calibrate_loop(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
        case: &Case,
    ) -> Result<(), StepError> {
        if state.calibration.count == Count::Needed {
            return Ok(());
        }
        let least = target_ns(cx, &self.processes[0], case);
        let most = case.max_iterations.unwrap_or(u64::MAX).max(1);
        let mut n = state.calibration.iterations.unwrap_or(1).clamp(1, most);
        let mut before: Option<(u64, f64)> = None;
        for _ in 0..16 {
            if !self.may_run(Phase::Calibration) {
                break;
            }
            let summary = self.probe(cx, n, 16)?;
            state.calibration.batch_ns = summary.cost_ns;
            if let Some(setup_ns) = before.and_then(|before| fixed(before, (n, summary.aside_ns))) {
                state.calibration.setup_ns = setup_ns;
            }
            before = Some((n, summary.aside_ns));
            // A batch that is short beside its own set-up would leave little of a run to measure.
            let target = least.max(state.calibration.setup_ns.min(SETUP * cx.settings.turn_ns as f64));
            let wanted = (n as f64 * target / summary.batch_ns.max(1.0)).ceil() as u64;
            let wanted = wanted.clamp(1, n.saturating_mul(16)).min(most);
            if (0.7..=1.6).contains(&(wanted as f64 / n as f64)) || cx.stopped() {
                break;
            }
            n = wanted;
        }
        state.calibration.iterations = Some(n);
        Ok(())
    }

    /// Finds out whether the body follows the parameter that `iterations` sets, and how far to lower it.
    fn calibrate_self(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
        case: &Case,
    ) -> Result<(), StepError> {
        let is_fixed = state.calibration.scale == Scale::Fixed;
        let configured = case.configured().filter(|n| *n >= 2.0 && !is_fixed);
        let whole = self.probe(cx, 1, 1)?;
        state.calibration.batch_ns = whole.cost_ns;
        let target = target_ns(cx, &self.processes[0], case);
        let (Some(configured), Some(ops)) = (configured, whole.ops) else {
            state.calibration.keep_configured(whole.cost_ns);
            return Ok(());
        };
        if whole.batch_ns <= 2.0 * target {
            state.calibration.keep_configured(whole.cost_ns);
            return Ok(());
        }
        let known = self.known_workload(cx, case);
        state.calibration.same_from = state.calibration.same_from.or(known);
        let least = state.calibration.same_from.unwrap_or(2).clamp(2, configured as u64);
        let mut n = ((configured * target / whole.batch_ns) as u64).clamp(least, configured as u64);
        for _ in 0..10 {
            if !self.may_run(Phase::Calibration) {
                break;
            }
            let summary = self.probe(cx, n, 4)?;
            let follows =
                summary.ops.is_some_and(|summary| (summary / ops * configured / n as f64 - 1.0).abs() < 0.01);
            if !follows {
                state.calibration.keep_configured(whole.cost_ns);
                return Ok(());
            }
            state.calibration.scale = Scale::Followed;
            state.calibration.batch_ns = summary.cost_ns;
            let wanted = (n as f64 * target / summary.batch_ns.max(1.0)).ceil();
            let wanted = wanted.clamp(least as f64, configured) as u64;
            if (0.6..=1.6).contains(&(wanted as f64 / n as f64)) {
                break;
            }
            n = wanted;
        }
        state.calibration.iterations = Some(n);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_up_of_a_batch_is_told_from_that_of_each_call() {
        assert_eq!(fixed((1, 5e6), (16, 5e6)), Some(5e6), "of a batch");
        assert_eq!(fixed((1, 1000.0), (16, 16_000.0)), Some(0.0), "of each call");
        assert_eq!(fixed((1, 3000.0), (11, 13_000.0)), Some(2000.0), "both");
        assert_eq!(fixed((16, 5e6), (1, 5e6)), Some(5e6));
        assert_eq!(fixed((1, 5e6), (1, 5e6)), None);
    }
}

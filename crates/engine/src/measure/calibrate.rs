//! Calibration: finds the number of iterations that makes a batch long enough for the clock, and short
//! enough to fit between preemptions.
//!
//! For a self-timed body, also finds out whether a lower value of its parameter makes one run a batch
//! of that length. This must be proven, because the measured workload is the configured one (see
//! `workload`).

use crate::measure::at_once::{self, Ask, Processors};
use crate::measure::block::{OpenBlock, target_ns};
use crate::measure::calibration::{Count, Scale};
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::StepError;
use crate::measure::turn::{TurnRequest, TurnSummary};
use derny_model::{Case, Phase, Timing};
use std::time::{Duration, Instant};

/// Maximum length of a batch that is extended to match its set-up time, as a multiple of a turn.
const SETUP: f64 = 10.0;
/// Number of times that calibration tries again if wall time limits the iterations.
const AGAIN: u32 = 2;

/// Returns the number of iterations to try after `n`. Wall time allows `wanted`, and `before` was tried
/// before `n`. Untimed work may grow faster than the iterations, so if `n` is too large, the next number
/// is at least the geometric mean of `before` and `n`. `due` is true if only one number was tried: a
/// second number is needed to separate the untimed work per batch from that per iteration.
fn bounded(wanted: u64, n: u64, before: Option<u64>, due: bool) -> u64 {
    match before {
        _ if due => wanted.max(2 * n),
        Some(less) if wanted < n && less < n => wanted.max(libm::sqrt(less as f64 * n as f64) as u64),
        _ => wanted,
    }
}

impl OpenBlock<'_> {
    /// Chooses the iterations of a batch from turns of the first variant. The other variants run the same
    /// turns and use the same number. The first visit of a case does this, and repeats it after its warm-up,
    /// when the code has become faster.
    pub fn calibrate(&mut self, cx: &mut Context<'_>, state: &mut CaseState) -> Result<(), StepError> {
        if !self.may_run(Phase::Calibration) {
            // A body that can run only a few times gets one call per batch.
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

    /// Runs a turn of every process in parallel. Returns the result of the first variant.
    fn probe(
        &mut self,
        cx: &mut Context<'_>,
        iterations: u64,
        batches: u32,
    ) -> Result<TurnSummary, StepError> {
        let request = TurnRequest::plain(Phase::Calibration, iterations, batches, cx.settings.turn_ns);
        let processors = Processors::of(cx).take(self.processes.len());
        let asks = self.processes.iter_mut().zip(processors);
        let asks =
            asks.map(|(process, processor)| Ask { process, request: TurnRequest { processor, ..request } });
        let done = at_once::turns(cx, asks.collect());
        let summaries: Result<Vec<TurnSummary>, StepError> =
            done.into_iter().map(|done| done.summary).collect();
        Ok(summaries?.swap_remove(0))
    }

    /// Runs a turn of every process alone, in launch order. Returns the results in the order of the variants.
    pub(crate) fn probe_all(
        &mut self,
        cx: &mut Context<'_>,
        iterations: u64,
        batches: u32,
    ) -> Result<Vec<TurnSummary>, StepError> {
        self.probe_all_within(cx, iterations, batches, cx.settings.turn_ns)
    }

    /// Runs turns as [`OpenBlock::probe_all`] does. Each turn ends after the batch during which `within_ns`
    /// have passed.
    pub(crate) fn probe_all_within(
        &mut self,
        cx: &mut Context<'_>,
        iterations: u64,
        batches: u32,
        within_ns: u64,
    ) -> Result<Vec<TurnSummary>, StepError> {
        let request = TurnRequest::plain(Phase::Calibration, iterations, batches, within_ns);
        let request = TurnRequest { processor: cx.processor(), ..request };
        let mut summaries = vec![TurnSummary::default(); self.processes.len()];
        for &k in self.launch_order {
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
        let (start, limit) = (Instant::now(), Duration::from_nanos(cx.time.case_ns / 2));
        let least = target_ns(cx, &self.processes[0], case);
        let most = case.max_iterations.unwrap_or(u64::MAX).max(1);
        let most_ns = self.most_batch_ns(cx, state);
        let mut n = state.calibration.iterations.unwrap_or(1).clamp(1, most);
        let (mut before, mut again) = (None, AGAIN);
        for _ in 0..16 {
            if !self.may_run(Phase::Calibration) {
                break;
            }
            let summary = self.probe(cx, n, 16)?;
            let calibration = &mut state.calibration;
            calibration.batch_ns = summary.cost_ns;
            calibration.untimed.see(n, summary.aside_ns);
            let timed_ns = summary.batch_ns / n as f64;
            // A batch that is shorter than its own set-up would leave little time for measuring.
            let setup_ns = calibration.untimed.setup_ns().min(SETUP * cx.settings.turn_ns as f64);
            let by_time = (least.max(setup_ns) / timed_ns.max(1.0 / n as f64)).ceil() as u64;
            let by_wall = calibration.untimed.iterations_within(most_ns, timed_ns);
            calibration.is_bounded = by_wall < by_time;
            let mut wanted = by_time.min(by_wall).clamp(1, n.saturating_mul(16)).min(most);
            if calibration.is_bounded {
                wanted = bounded(wanted, n, before, !calibration.untimed.is_told_apart()).min(most);
            }
            let next_ns = calibration.untimed.batch_ns(wanted, timed_ns) * self.processes.len() as f64;
            if cx.stopped() || cx.over() || start.elapsed() + Duration::from_nanos(next_ns as u64) > limit {
                calibration.is_bounded |= by_time > 2 * n;
                break;
            }
            if (0.7..=1.6).contains(&(wanted as f64 / n as f64)) {
                // A turn that waited for a processor looks like one with much untimed work, so try the
                // same number again.
                if !calibration.is_bounded || again == 0 {
                    break;
                }
                again -= 1;
                continue;
            }
            (before, n) = (Some(n), wanted);
        }
        state.calibration.iterations = Some(n);
        Ok(())
    }

    /// Finds out whether the time of the body follows the parameter that `iterations` sets, and how far
    /// the parameter can be lowered.
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
    fn untimed_work_that_grows_faster_than_iterations_is_approached_from_both_sides() {
        assert_eq!(bounded(1, 1, None, true), 2, "one number alone shows nothing");
        assert_eq!(bounded(3, 16, Some(1), false), 4);
        assert_eq!(bounded(12, 16, Some(1), false), 12);
        assert_eq!(bounded(40, 16, Some(1), false), 40);
    }
}

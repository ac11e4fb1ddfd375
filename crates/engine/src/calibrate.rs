//! Calibration: how many iterations make a batch long enough for the clock and short enough to fit between preemptions;
//! and, for a body that times itself, whether its parameter can be lowered so that a run of it is such a batch.

use crate::block::Block;
use crate::context::Context;
use crate::seat::{Seat, Trouble};
use crate::state::{CaseState, Scale};
use crate::turn::{Ask, Told};
use derny_model::{Case, Phase, Timing};
use std::time::Instant;

/// Aimed time of a batch of a self-timed body: long against the cost of starting and ending its clock.
const SELF_BATCH_NS: f64 = 100_000.0;
/// Shortest batch of a looped body.
const BATCH_NS: f64 = 20_000.0;
/// A batch is at least this many steps of the clock.
const STEPS: f64 = 1_000.0;

/// The time that a batch should have: long against the clock's step, or as set.
pub(crate) fn target_ns(cx: &Context<'_>, seat: &Seat, timing: Timing) -> f64 {
    let least = if timing == Timing::Loop { BATCH_NS } else { SELF_BATCH_NS };
    let by_clock = STEPS * seat.clock_step_ns() as f64;
    cx.settings.batch_ns.map_or(least, |ns| ns as f64).max(by_clock)
}

impl Block {
    /// Chooses iterations per batch, on the first seat; the others take the same number. Done by the first visit of a
    /// case, and checked again after its warm-up, when the code has become faster.
    pub fn calibrate(&mut self, cx: &mut Context<'_>, state: &mut CaseState) -> Result<(), Trouble> {
        let start = Instant::now();
        let case = self.declared(cx);
        let result = match case.timing {
            Timing::Loop => self.calibrate_loop(cx, state, case),
            Timing::SelfTimed => self.calibrate_self(cx, state, case),
        };
        self.spend(start);
        result
    }

    pub(crate) fn probe(
        &mut self,
        cx: &mut Context<'_>,
        iterations: u64,
        batches: u32,
    ) -> Result<Told, Trouble> {
        let (within_ns, timeout) = (cx.settings.turn_ns, cx.timeout());
        let ask = Ask::plain(Phase::Calibration, iterations, batches, within_ns, timeout);
        let ask = Ask { processor: cx.processor(), ..ask };
        self.seats[0].turn(cx, ask)
    }

    fn calibrate_loop(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
        case: &Case,
    ) -> Result<(), Trouble> {
        let target = target_ns(cx, &self.seats[0], Timing::Loop);
        let most = case.max_iterations.unwrap_or(u64::MAX).max(1);
        let mut n = state.iterations.unwrap_or(1).clamp(1, most);
        for _ in 0..16 {
            let told = self.probe(cx, n, 16)?;
            state.batch_ns = told.cost_ns;
            let wanted = (n as f64 * target / told.batch_ns.max(1.0)).ceil() as u64;
            let wanted = wanted.clamp(1, n.saturating_mul(16)).min(most);
            if (0.7..=1.6).contains(&(wanted as f64 / n as f64)) || cx.stopped() {
                break;
            }
            n = wanted;
        }
        state.iterations = Some(n);
        Ok(())
    }

    /// Finds out whether the body follows the parameter that `iterations` sets, and how far to lower it.
    fn calibrate_self(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
        case: &Case,
    ) -> Result<(), Trouble> {
        let configured = case.scale.as_ref().and_then(|name| {
            let (_, value) = case.id.params.iter().find(|(key, _)| key == name)?;
            value.parse::<f64>().ok().filter(|n| *n >= 2.0)
        });
        let whole = self.probe(cx, 1, 1)?;
        state.batch_ns = whole.cost_ns;
        let target = target_ns(cx, &self.seats[0], Timing::SelfTimed);
        let (Some(configured), Some(ops)) = (configured, whole.ops) else {
            state.scale = Scale::Fixed;
            state.iterations = Some(1);
            return Ok(());
        };
        if whole.batch_ns <= 2.0 * target {
            state.scale = Scale::Fixed;
            state.iterations = Some(1);
            return Ok(());
        }
        let mut n = ((configured * target / whole.batch_ns) as u64).max(2);
        for _ in 0..10 {
            let told = self.probe(cx, n, 4)?;
            let follows =
                told.ops.is_some_and(|told| (told / ops * configured / n as f64 - 1.0).abs() < 0.01);
            if !follows {
                state.scale = Scale::Fixed;
                state.iterations = Some(1);
                return Ok(());
            }
            state.scale = Scale::Followed;
            state.batch_ns = told.cost_ns;
            let wanted = ((n as f64 * target / told.batch_ns.max(1.0)).ceil()).clamp(2.0, configured) as u64;
            if (0.6..=1.6).contains(&(wanted as f64 / n as f64)) {
                break;
            }
            n = wanted;
        }
        state.iterations = Some(n);
        Ok(())
    }
}

//! Between warm-up and measured rounds: memory and collector are brought to rest.
//!
//! A young process that allocates pays for the first touch of its heap, and its young generation is small, so that it collects
//! often. A program that has run for seconds does neither. So a body that allocates has its heap settled by the harness, where the
//! harness can (`settle`); else its warm-up goes on until neither becomes less, bounded by the time for warm-up. A forced
//! collection comes before that, never after: where it gives memory back, the first touch would begin again.

use crate::measure::allowance;
use crate::measure::at_once::Processors;
use crate::measure::block::OpenBlock;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::{HarnessProcess, StepError};
use crate::measure::warmth::Warmth;

impl OpenBlock<'_> {
    fn allocates(&self) -> bool {
        self.open.warmth.iter().any(Warmth::allocates)
    }

    /// What each process may allocate from now on in its visit, in bytes: the body that allocates most counts for all, so that their heaps
    /// are alike. None where bytes are not counted.
    fn bytes_to_come(&self, cx: &Context<'_>, state: &CaseState) -> Option<u64> {
        let rates: Option<Vec<f64>> = self.open.warmth.iter().map(Warmth::bytes_per_ns).collect();
        let most = rates?.into_iter().fold(0.0, f64::max);
        // Noisy pairs have more rounds than planned. Where mean time is needed, half of a visit's share is for measuring.
        let may_last = cx.settings.mean || state.calls_for_mean || self.processes.len() < 2;
        let share_ns = allowance::share_ns(cx, state) / 2 / self.processes.len() as u64 * u64::from(may_last);
        let rounds_ns = 2 * cx.settings.turn_ns * u64::from(state.rounds);
        Some((most * share_ns.max(rounds_ns) as f64) as u64)
    }

    /// All can, and some are not settled yet for so many bytes. The heap of a session that was there before is left as it is.
    fn can_settle(&self, cx: &Context<'_>, bytes: Option<u64>) -> bool {
        cx.launcher.attached.is_none()
            && self.processes.iter().all(|process| process.can("settle"))
            && !self.processes.iter().all(|process| process.is_settled(bytes))
    }

    /// Forces a collection, where one is due, and sends for settled heaps.
    pub(crate) fn begin_settling(
        &mut self,
        cx: &mut Context<'_>,
        state: &CaseState,
    ) -> Result<(), StepError> {
        if self.open.warm_left_ns.is_none() {
            return Ok(()); // One call fills the share, or the body runs once: there was no warm-up.
        }
        let allocates = self.allocates() && cx.settings.gc != "never";
        let bytes = self.bytes_to_come(cx, state);
        // Where an interpreter's collector has not run, there is nothing to collect: what is unused is freed at once. Collecting all the
        // same would take tens of milliseconds in a process that has imported much. Nor is there where the counts show it.
        let is_clean = self.open.warmth.iter().all(Warmth::is_clean);
        let collects = match cx.settings.gc.as_str() {
            "process" => true,
            "auto" => {
                !(allocates && self.can_settle(cx, bytes))
                    && (allocates || !(is_clean || self.is_interpreted(cx)))
                    && self.processes.iter().all(|process| !process.gives_back())
            }
            _ => false,
        };
        if collects {
            self.collect(cx)?;
        }
        // After the collection, which may have given back what was settled.
        if allocates && self.can_settle(cx, bytes) {
            self.begin_settling_all(cx, bytes)?;
        }
        Ok(())
    }

    /// Waits for all of them, also where one fails. What it took counts as a cost of the launch, since the processes of other
    /// blocks settle at the same time: the time for rounds is not shortened by it.
    pub(crate) fn end_settling(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
    ) -> Result<(), StepError> {
        let ends: Vec<_> = self.processes.iter_mut().map(|process| process.end_settling(cx)).collect();
        let mut settled_ns = 0;
        for end in ends {
            settled_ns = settled_ns.max(end?.unwrap_or(0));
        }
        if settled_ns > 0 {
            self.open.is_settled = true;
            self.open.settling_ns += settled_ns;
            self.open.warmth.fill(Warmth::default());
            state.account.spent_ns += settled_ns;
            state.account.launches_ns += settled_ns;
        }
        Ok(())
    }

    /// Settles once more where measured turns touch memory for the first time: a heap that has grown meanwhile, by the decision of its
    /// collector, is young again. One warm-up turn brings the caches back.
    pub(crate) fn settle_again(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
    ) -> Result<(), StepError> {
        if !self.open.is_settled || self.open.settlings_left == 0 {
            return Ok(());
        }
        self.open.settlings_left -= 1;
        self.processes.iter_mut().for_each(HarnessProcess::unsettle);
        // The heap has grown, and needs as much again. Where that was not enough either: all of it.
        let bytes = self.bytes_to_come(cx, state).filter(|_| self.open.settlings_left > 0);
        self.begin_settling_all(cx, bytes)?;
        self.end_settling(cx, state)?;
        let mut processors = Processors::of(cx);
        self.begin_rest(cx, &mut processors);
        self.keep_warming(cx, state)
    }

    /// Sends for settled heaps, each process on a processor of its own as far as there are enough.
    fn begin_settling_all(&mut self, cx: &mut Context<'_>, bytes: Option<u64>) -> Result<(), StepError> {
        let visits = 1 + self.to_come as u64;
        let processors = cx.settings.pin.clone();
        let first = self.block as usize * self.processes.len();
        for &k in self.launch_order {
            let processor = processors.get((first + k) % processors.len().max(1)).copied();
            self.processes[k].begin_settling(cx, processor, bytes, visits)?;
        }
        Ok(())
    }
}

//! Settling: memory and garbage collector come to rest between warm-up and measured rounds.
//!
//! A young process that allocates pays for the first touch of its heap. Its young generation is small,
//! so it collects often. A process that has run for seconds has neither cost. The harness therefore
//! settles the heap of a body that allocates, if it supports `settle`. Otherwise the warm-up continues
//! until neither effect decreases, or until its time is over.
//!
//! A forced collection comes before settling, never after. If the collection returned memory to the
//! system, first touches would start again.

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

    /// Returns the number of bytes that each process may still allocate in its visit. All heaps use the
    /// number of the variant that allocates most. Returns `None` if bytes are not counted.
    fn bytes_to_come(&self, cx: &Context<'_>, state: &CaseState) -> Option<u64> {
        let rates: Option<Vec<f64>> = self.open.warmth.iter().map(Warmth::bytes_per_ns).collect();
        let most = rates?.into_iter().fold(0.0, f64::max);
        // Noisy pairs have more rounds than planned. If mean time is needed, measuring takes half of a
        // visit's time.
        let may_last = cx.settings.mean || state.calls_for_mean || self.processes.len() < 2;
        let share_ns = allowance::share_ns(cx, state) / 2 / self.processes.len() as u64 * u64::from(may_last);
        let rounds_ns = 2 * cx.settings.turn_ns * u64::from(state.rounds);
        Some((most * share_ns.max(rounds_ns) as f64) as u64)
    }

    /// Returns true if all processes can settle, and at least one is not settled for this many bytes.
    /// The heap of an attached session is never settled.
    fn can_settle(&self, cx: &Context<'_>, bytes: Option<u64>) -> bool {
        cx.launcher.attached.is_none()
            && self.processes.iter().all(|process| process.can("settle"))
            && !self.processes.iter().all(|process| process.is_settled(bytes))
    }

    /// Forces a collection if one is due, and sends `settle` if the body allocates.
    pub(crate) fn begin_settling(
        &mut self,
        cx: &mut Context<'_>,
        state: &CaseState,
    ) -> Result<(), StepError> {
        if self.open.warm_left_ns.is_none() {
            return Ok(()); // There was no warm-up: one call fills the share, or the body runs once.
        }
        let allocates = self.allocates() && cx.settings.gc != "never";
        let bytes = self.bytes_to_come(cx, state);
        // An interpreter that has not run its collector has nothing to collect, because it frees unused
        // objects at once. A forced collection would take tens of milliseconds in a process with many
        // imports. Counters may also show that there is nothing to collect.
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
        // Settle after the collection, which may have returned settled memory to the system.
        if allocates && self.can_settle(cx, bytes) {
            self.begin_settling_all(cx, bytes)?;
        }
        Ok(())
    }

    /// Waits until all processes have settled or failed. Processes of other blocks settle at the same
    /// time. The time therefore counts like a launch and does not reduce the time for rounds.
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

    /// Settles again because measured turns touch new memory: the heap has grown. A warm-up turn then
    /// restores the caches. Does nothing if the heap was not settled, or was settled too often already.
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
        // The heap has grown and needs as much memory again. The second attempt settles all of it.
        let bytes = self.bytes_to_come(cx, state).filter(|_| self.open.settlings_left > 0);
        self.begin_settling_all(cx, bytes)?;
        self.end_settling(cx, state)?;
        let mut processors = Processors::of(cx);
        self.begin_rest(cx, &mut processors);
        self.keep_warming(cx, state)
    }

    /// Sends `settle` to each process, on different processors if there are enough.
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

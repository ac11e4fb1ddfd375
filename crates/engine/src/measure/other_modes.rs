//! Measures a case in the other modes of its harness (`modes` of its hello), after the measured rounds
//! and before the case is closed. Runs a few turns in each mode in every process. Without variants, a
//! few processes are enough. The results are separate quantities.

use crate::measure::allowance;
use crate::measure::block::OpenBlock;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::{HarnessProcess, StepError};
use crate::measure::turn::TurnRequest;
use crate::measure::visit::OpenVisit;
use crate::observe::thread::Added;
use derny_estimate::cost::Cost;
use derny_estimate::pair::Replicate;
use derny_estimate::rounds::Rounds;
use derny_model::{Event, LEAST_REPLICATES, Phase, Visit};

/// Number of measured turns in a mode that the user did not name. It is enough for one value per
/// process, which is the unit of replication. The second number is for interpreted code, which has the
/// same counts in every call and is slow to trace.
const FEW: [u32; 2] = [3, 1];
/// Divisor that shortens the turns of interpreted code in a mode that the user did not name.
const PART: u64 = 4;

/// The other modes in which a block measures one case.
pub struct OtherModes<'w, 'b> {
    block: &'w mut OpenBlock<'b>,
    names: Vec<String>,
    /// Number of measured turns in each mode.
    rounds: u32,
    /// True if the user named the modes. They may then take as much time as the first mode.
    is_asked: bool,
}

impl<'w, 'b> OtherModes<'w, 'b> {
    /// Selects the requested modes that all processes of the block have.
    pub fn of(block: &'w mut OpenBlock<'b>, cx: &Context<'_>, state: &mut CaseState) -> OtherModes<'w, 'b> {
        let asked = cx.settings.modes.as_ref();
        let mut names =
            block.processes.first().map_or_else(Vec::new, |process| process.other_modes().to_vec());
        names.retain(|mode| block.processes.iter().all(|process| process.other_modes().contains(mode)));
        names.retain(|mode| asked.is_none_or(|asked| asked.contains(mode)));
        // Without variants, a few processes are enough to count in a mode that the user did not name.
        if asked.is_none() && block.processes.len() < 2 && state.account.other_modes >= LEAST_REPLICATES {
            names.clear();
        }
        state.account.other_modes += u32::from(!names.is_empty());
        let few = FEW[usize::from(block.is_interpreted(cx))];
        let rounds = if asked.is_some() { state.rounds.max(few) } else { few };
        OtherModes { block, names, rounds, is_asked: asked.is_some() }
    }

    /// Measures in each mode. `share_ns` is the time of the visit. Modes that the user did not name
    /// take only what is left of it.
    pub fn measure(
        mut self,
        cx: &mut Context<'_>,
        state: &CaseState,
        share_ns: u64,
    ) -> Result<(), StepError> {
        for mode in std::mem::take(&mut self.names) {
            let is_late =
                (!self.is_asked && self.block.open.spent_ns > share_ns) || allowance::left_ns(cx, state) == 0;
            if cx.stopped() || cx.over() || is_late {
                break;
            }
            self.measure_in(cx, state, &mode)?;
        }
        Ok(())
    }

    /// Measures in one mode. If the process can continue after a failure, the failure is only logged, because
    /// the case can still be measured in the first mode.
    fn measure_in(&mut self, cx: &mut Context<'_>, state: &CaseState, mode: &str) -> Result<(), StepError> {
        let processes = self.block.processes.iter_mut();
        let visits: Vec<Option<OpenVisit>> = processes.map(|process| process.begin_mode(cx, mode)).collect();
        let result = self.rounds(cx, state);
        for (process, visit) in self.block.processes.iter_mut().zip(visits) {
            if let Some(visit) = visit {
                process.end_mode(cx, visit, result.is_ok());
            }
        }
        match result {
            Err(StepError::Failed { failure, usable: true }) => {
                let message = format!("mode {mode}: {}: {}", failure.what, failure.why);
                cx.emit(Event::Log { case: Some(self.block.open.case), message });
                Ok(())
            }
            other => other,
        }
    }

    /// Runs one warm-up round, and then the measured rounds. In a round, the turns of all variants are
    /// adjacent in time.
    fn rounds(&mut self, cx: &mut Context<'_>, state: &CaseState) -> Result<(), StepError> {
        let is_short = !self.is_asked && self.block.is_interpreted(cx);
        let block = &mut *self.block;
        for round in 0..=self.rounds {
            if !block.may_run(Phase::Measured) {
                break;
            }
            let phase = if round == 0 { Phase::WarmUp } else { Phase::Measured };
            let processor = cx.draw();
            let mut request = TurnRequest { processor, reject: false, ..block.request(cx, state, phase) };
            if is_short {
                request.within_ns /= PART;
                request.batches = request.batches.div_ceil(PART as u32);
            }
            for k in block.order(cx) {
                block.processes[k].turn(cx, request)?;
            }
        }
        Ok(())
    }
}

impl HarnessProcess {
    pub fn other_modes(&self) -> &[String] {
        self.link.as_ref().and_then(|link| link.hello.modes.get(1..)).unwrap_or_default()
    }

    /// Starts measuring the open case in another mode, as a separate visit. Returns the interrupted
    /// visit for [`HarnessProcess::end_mode`].
    pub fn begin_mode(&mut self, cx: &mut Context<'_>, mode: &str) -> Option<OpenVisit> {
        self.emit_turn(cx);
        let visit = self.visit.take()?;
        let number = cx.next_visit;
        cx.next_visit += 1;
        // The engine's own observations of the thread are reported only in the first mode.
        let own = visit.metrics.len() - visit.added.metrics().count();
        let metrics = visit.metrics[..own].to_vec();
        let at_ns = cx.now_ns();
        cx.emit(Event::VisitStarted(Visit {
            visit: number,
            process: self.number,
            case: visit.case,
            position: self.position.saturating_sub(1),
            open_ns: 0,
            metrics: metrics.clone().into(),
            at_ns,
            mode: Some(mode.into()),
        }));
        self.visit = Some(OpenVisit {
            number,
            case: visit.case,
            metrics,
            added: Added::none(),
            ops_per_iteration: visit.ops_per_iteration,
            batch_operations: 0.0,
            mode: Some(mode.into()),
            round: 0,
            once: visit.once,
            batches_left: visit.batches_left,
            max_batches: visit.max_batches,
            pinned: visit.pinned,
            operations: 0.0,
            ignored: visit.ignored.clone(),
            replicate: Replicate {
                rounds: Rounds::default(),
                cost: Cost::default(),
                ..visit.replicate.clone()
            },
        });
        Some(visit)
    }

    /// Restores the visit that [`HarnessProcess::begin_mode`] returned. If `complete`, the visit in the other
    /// mode counts.
    pub fn end_mode(&mut self, cx: &mut Context<'_>, mut visit: OpenVisit, complete: bool) {
        self.emit_turn(cx);
        visit.batches_left = self.visit.as_ref().and_then(|other| other.batches_left);
        visit.operations += self.visit.as_ref().map_or(0.0, |other| other.operations);
        if let Some(other) = self.visit.replace(visit)
            && complete
        {
            cx.emit(Event::VisitEnded { visit: other.number });
        }
        self.counters = self.read_thread();
    }
}

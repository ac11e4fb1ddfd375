//! Other ways of measuring that a harness has (`modes` of its first line), after the measured rounds of a case and before
//! it is closed: a few turns in each, in every process. What they show are quantities of their own.

use crate::measure::block::Block;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::{OpenVisit, StepError};
use crate::measure::turn::TurnRequest;
use derny_model::{Event, Phase};

/// Measured turns in each way that was not asked for by name: enough for a value per process, which is what counts.
const FEW: u32 = 3;

impl Block {
    /// Measures in every other way that is asked for and that all processes have.
    pub fn modes(&mut self, cx: &mut Context<'_>, state: &CaseState, share_ns: u64) -> Result<(), StepError> {
        let asked = cx.settings.modes.clone();
        let mut modes =
            self.processes.first().map_or_else(Vec::new, |process| process.other_modes().to_vec());
        modes.retain(|mode| self.processes.iter().all(|process| process.other_modes().contains(mode)));
        modes.retain(|mode| asked.as_ref().is_none_or(|asked| asked.contains(mode)));
        let rounds = if asked.is_some() { state.rounds.max(FEW) } else { FEW };
        for mode in modes {
            // What nobody asked for must not cost the time of what is asked for.
            if cx.stopped() || cx.over() || (asked.is_none() && self.spent_ns > share_ns) {
                break;
            }
            self.mode(cx, state, &mode, rounds)?;
        }
        Ok(())
    }

    /// A case that cannot be measured in this way can still be in the first.
    fn mode(
        &mut self,
        cx: &mut Context<'_>,
        state: &CaseState,
        mode: &str,
        rounds: u32,
    ) -> Result<(), StepError> {
        let visits: Vec<Option<OpenVisit>> =
            self.processes.iter_mut().map(|process| process.begin_mode(cx, mode)).collect();
        let result = self.mode_rounds(cx, state, rounds);
        for (process, visit) in self.processes.iter_mut().zip(visits) {
            if let Some(visit) = visit {
                process.end_mode(cx, visit, result.is_ok());
            }
        }
        match result {
            Err(StepError::Failed { failure, usable: true }) => {
                let message = format!("mode {mode}: {}: {}", failure.what, failure.why);
                cx.emit(Event::Log { case: self.case, message });
                Ok(())
            }
            other => other,
        }
    }

    /// One turn to settle in, then the measured ones, every variant's adjacent.
    fn mode_rounds(&mut self, cx: &mut Context<'_>, state: &CaseState, rounds: u32) -> Result<(), StepError> {
        for round in 0..=rounds {
            if !self.may_run(Phase::Measured) {
                break;
            }
            let phase = if round == 0 { Phase::WarmUp } else { Phase::Measured };
            let processor = cx.draw();
            let request = TurnRequest { processor, reject: false, ..self.request(cx, state, phase) };
            for k in self.order(cx) {
                self.processes[k].turn(cx, request)?;
            }
        }
        Ok(())
    }
}

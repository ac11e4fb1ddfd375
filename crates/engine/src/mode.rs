//! Other ways of measuring that a harness has (`modes` of its first line), after the measured rounds of a case and before
//! it is closed: a few turns in each, in every process. What they show are quantities of their own.

use crate::block::Block;
use crate::context::Context;
use crate::seat::{Stay, Trouble};
use crate::state::CaseState;
use crate::turn::Ask;
use derny_model::{Event, Phase};

/// Measured turns in each way that was not asked for by name: enough for a value per process, which is what counts.
const FEW: u32 = 3;

impl Block {
    /// Measures in every other way that is asked for and that all seats have.
    pub fn modes(&mut self, cx: &mut Context<'_>, state: &CaseState, share_ns: u64) -> Result<(), Trouble> {
        let asked = cx.settings.modes.clone();
        let mut modes = self.seats.first().map_or_else(Vec::new, |seat| seat.other_modes().to_vec());
        modes.retain(|mode| self.seats.iter().all(|seat| seat.other_modes().contains(mode)));
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
    ) -> Result<(), Trouble> {
        let stays: Vec<Option<Stay>> = self.seats.iter_mut().map(|seat| seat.begin_mode(cx, mode)).collect();
        let result = self.mode_rounds(cx, state, rounds);
        for (seat, stay) in self.seats.iter_mut().zip(stays) {
            if let Some(stay) = stay {
                seat.end_mode(cx, stay, result.is_ok());
            }
        }
        match result {
            Err(Trouble::Failed { failure, usable: true }) => {
                let message = format!("mode {mode}: {}: {}", failure.what, failure.why);
                cx.tell(Event::Log { case: self.case, message });
                Ok(())
            }
            other => other,
        }
    }

    /// One turn to settle in, then the measured ones, every variant's adjacent.
    fn mode_rounds(&mut self, cx: &mut Context<'_>, state: &CaseState, rounds: u32) -> Result<(), Trouble> {
        for round in 0..=rounds {
            let phase = if round == 0 { Phase::WarmUp } else { Phase::Measured };
            let processor = cx.draw();
            let ask = Ask { processor, reject: false, ..self.ask(cx, state, phase) };
            for k in self.order(cx) {
                self.seats[k].turn(cx, ask)?;
            }
        }
        Ok(())
    }
}

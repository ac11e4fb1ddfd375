//! The trial round without a lead, which shows whether a case needs a lead ([`crate::measure::lead`]).

use crate::measure::block::OpenBlock;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::lead::{Lead, Trial};
use derny_model::{Phase, Timing};

/// Length of the lead as a fraction of a turn: numerator and denominator.
const LEAD: (u64, u64) = (3, 20);

impl OpenBlock<'_> {
    /// Returns the length of the lead before a measured turn in ns, or 0 if there is none. There is none
    /// for self-timed bodies, if a batch takes more than half of the lead, or if wall time limits the
    /// iterations of a batch.
    pub(crate) fn lead_ns(&self, cx: &Context<'_>, state: &CaseState) -> u64 {
        if state.calibration.lead == Lead::Spared { 0 } else { self.usual_lead_ns(cx, state) }
    }

    fn usual_lead_ns(&self, cx: &Context<'_>, state: &CaseState) -> u64 {
        let lead_ns = cx.settings.turn_ns * LEAD.0 / LEAD.1;
        let is_short = state.calibration.batch_ns * 2.0 <= lead_ns as f64 && !state.calibration.is_bounded;
        if is_short && self.declared(cx).timing == Timing::Loop { lead_ns } else { 0 }
    }

    /// Returns true if the next round is the trial without a lead. The trial requires that its turns
    /// may count: no rejection of turns, no code compiled at run time, and no limit of the body's
    /// batches. The first blocks of a case decide for all.
    pub(crate) fn tries_without_lead(&self, cx: &Context<'_>, state: &CaseState) -> bool {
        self.open.trial == Trial::ToCome
            && matches!(state.calibration.lead, Lead::Tried(_))
            && self.usual_lead_ns(cx, state) > 0
            && (self.is_compiled(cx) || self.is_interpreted(cx))
            && self.batches(Phase::Measured).is_none()
            && cx.settings.reject.is_empty()
    }

    /// Records the relative starts of the trial's turns.
    pub(crate) fn has_tried(&mut self, cx: &Context<'_>, state: &mut CaseState, starts: &[Option<f64>]) {
        self.open.trial = Trial::Untold;
        state.calibration.lead.see(starts, cx.settings.margin);
    }

    /// Counts the trial as a measured round if the case needs no lead. Otherwise it counts as warm-up.
    pub(crate) fn count_trial(&mut self, cx: &Context<'_>, state: &CaseState) {
        if self.open.trial != Trial::Untold {
            return;
        }
        self.open.trial = Trial::Told;
        if state.calibration.lead == Lead::Spared {
            self.processes.iter_mut().for_each(|process| _ = process.count_last_turn(cx));
            self.open.rounds_left = self.open.rounds_left.saturating_sub(1);
        }
    }
}

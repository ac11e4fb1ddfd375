//! The round that is measured without a lead, to find out whether the case needs one
//! ([`crate::measure::lead`]).

use crate::measure::block::OpenBlock;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::lead::{Lead, Trial};
use derny_model::{Phase, Timing};

/// Length of the untimed lead, as a fraction of a turn.
const LEAD: (u64, u64) = (3, 20);

impl OpenBlock<'_> {
    /// Returns the length of the lead before a measured turn, if it needs one. 0 for bodies that time
    /// themselves, and for batches about as long as the lead.
    pub(crate) fn lead_ns(&self, cx: &Context<'_>, state: &CaseState) -> u64 {
        if state.calibration.lead == Lead::Spared { 0 } else { self.usual_lead_ns(cx, state) }
    }

    fn usual_lead_ns(&self, cx: &Context<'_>, state: &CaseState) -> u64 {
        let lead_ns = cx.settings.turn_ns * LEAD.0 / LEAD.1;
        let is_short = state.calibration.batch_ns * 2.0 <= lead_ns as f64 && !state.calibration.is_bounded;
        if is_short && self.declared(cx).timing == Timing::Loop { lead_ns } else { 0 }
    }

    /// Returns true if the next round is the trial without a lead. Not for code that is compiled at run time,
    /// for a body that wears out, or if turns may be rejected: those could not count. The first blocks of a
    /// case decide for all of them.
    pub(crate) fn tries_without_lead(&self, cx: &Context<'_>, state: &CaseState) -> bool {
        self.open.trial == Trial::ToCome
            && matches!(state.calibration.lead, Lead::Tried(_))
            && self.usual_lead_ns(cx, state) > 0
            && (self.is_compiled(cx) || self.is_interpreted(cx))
            && self.batches(Phase::Measured).is_none()
            && cx.settings.reject.is_empty()
    }

    /// Records the starts of the trial's turns.
    pub(crate) fn has_tried(&mut self, cx: &Context<'_>, state: &mut CaseState, starts: &[Option<f64>]) {
        self.open.trial = Trial::Untold;
        state.calibration.lead.see(starts, cx.settings.margin);
    }

    /// Counts the trial as a measured round if the case needs no lead; otherwise it was warm-up.
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

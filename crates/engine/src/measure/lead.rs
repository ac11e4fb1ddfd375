//! Whether turns of a case need a lead: batches that run before a turn and are not timed.
//!
//! A process that has waited while others ran has lost its caches. The first tenths of a millisecond of its turn would contain the cost of
//! loading them, which a program that runs alone does not have. A body that works in registers loses nothing, and its lead is wasted. So
//! the first round of a case is tried without one. Where that changes nothing, the round counts like any other.

use crate::measure::block::OpenBlock;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use derny_model::{Phase, Timing};

/// Share of a turn, as a fraction, that is run before it without being timed.
const LEAD: (u64, u64) = (3, 20);
/// Turns of each variant that decide.
const TURNS: usize = 5;
/// A start is slower where it is so by more than this part of the margin. It is a tenth of the turn, so that a mean moves by a
/// twentieth of the margin at most, and a median less. The first batch of a body that works in registers is slower by 1 %: its code
/// comes back too.
const PART: f64 = 0.5;

/// What is known of a case's need of a lead, for all variants alike.
#[derive(Debug, Clone, PartialEq)]
pub enum Lead {
    /// How turns without it began, in shares of their rest, by variant.
    Tried(Vec<Vec<f64>>),
    /// Its turns begin more slowly, or do not tell.
    Needed,
    /// No variant's turns begin more slowly.
    Spared,
}

/// The round of an open case that is tried without a lead.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Trial {
    /// It has not been.
    #[default]
    ToCome,
    /// Its turns are not told yet, and may come to count.
    Untold,
    /// They are told.
    Told,
}

impl Lead {
    /// Takes how a turn without a lead has begun, of every variant; none of a turn that does not tell.
    pub fn see(&mut self, starts: &[Option<f64>], margin: f64) {
        let Lead::Tried(tried) = self else { return };
        if starts.iter().any(Option::is_none) {
            *self = Lead::Needed;
            return;
        }
        tried.resize(starts.len(), Vec::new());
        tried.iter_mut().zip(starts).for_each(|(own, start)| own.extend(start));
        let is_slow = |own: &mut Vec<f64>| median(own) > 1.0 + PART * margin;
        if tried.iter().all(|own| own.len() >= TURNS) {
            *self = if tried.iter_mut().any(is_slow) { Lead::Needed } else { Lead::Spared };
        }
    }
}

/// The upper one of an even number.
fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

impl OpenBlock<'_> {
    /// How long a measured turn runs before it is timed, where it needs that. 0 for bodies that time themselves, and for batches that are
    /// about as long as this.
    pub(crate) fn lead_ns(&self, cx: &Context<'_>, state: &CaseState) -> u64 {
        if state.calibration.lead == Lead::Spared { 0 } else { self.usual_lead_ns(cx, state) }
    }

    fn usual_lead_ns(&self, cx: &Context<'_>, state: &CaseState) -> u64 {
        let lead_ns = cx.settings.turn_ns * LEAD.0 / LEAD.1;
        let is_short = state.calibration.batch_ns * 2.0 <= lead_ns as f64 && !state.calibration.is_bounded;
        if is_short && self.declared(cx).timing == Timing::Loop { lead_ns } else { 0 }
    }

    /// Whether the coming round is the one without a lead. Not where code becomes faster while it runs, where the body wears out, or where
    /// turns may be rejected, since these cannot come to count. The first blocks of a case decide for all of them.
    pub(crate) fn tries_without_lead(&self, cx: &Context<'_>, state: &CaseState) -> bool {
        self.open.trial == Trial::ToCome
            && matches!(state.calibration.lead, Lead::Tried(_))
            && self.usual_lead_ns(cx, state) > 0
            && (self.is_compiled(cx) || self.is_interpreted(cx))
            && self.batches(Phase::Measured).is_none()
            && cx.settings.reject.is_empty()
    }

    /// Notes how the turns of that round began.
    pub(crate) fn has_tried(&mut self, cx: &Context<'_>, state: &mut CaseState, starts: &[Option<f64>]) {
        self.open.trial = Trial::Untold;
        state.calibration.lead.see(starts, cx.settings.margin);
    }

    /// The round without a lead is a measured one where the case needs none; else it was warm-up.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn after(turns: usize, starts: [f64; 2]) -> Lead {
        let mut lead = Lead::Tried(Vec::new());
        for at in 0..turns {
            assert!(matches!(lead, Lead::Tried(_)), "{at}");
            lead.see(&starts.map(Some), 0.01);
        }
        lead
    }

    #[test]
    fn turns_that_begin_as_they_go_on_need_none() {
        assert!(matches!(after(TURNS - 1, [1.0, 1.0]), Lead::Tried(_)));
        assert_eq!(after(TURNS, [1.0, 1.004]), Lead::Spared);
        assert_eq!(after(TURNS, [0.9, 0.99]), Lead::Spared);
    }

    #[test]
    fn one_variant_that_begins_slowly_gives_all_of_them_a_lead() {
        assert_eq!(after(TURNS, [1.0, 1.006]), Lead::Needed);
        assert_eq!(after(TURNS, [1.2, 1.0]), Lead::Needed);
    }

    #[test]
    fn turns_of_few_batches_do_not_tell() {
        let mut lead = Lead::Tried(Vec::new());
        lead.see(&[Some(1.0), None], 0.01);
        assert_eq!(lead, Lead::Needed);
        lead.see(&[Some(1.0), Some(1.0)], 0.01);
        assert_eq!(lead, Lead::Needed);
    }
}

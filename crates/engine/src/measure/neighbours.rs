//! Checks cases that share processes: each must be measured as if it were alone.
//!
//! Other cases cannot influence a case that comes first in a process. If its results in processes that
//! opened other cases before are different, the case gets its own processes. Its blocks in shared processes
//! then no longer count.

use crate::measure::case_state::{CaseState, Sharing};
use crate::measure::context::Context;
use derny_estimate::neighbours;
use derny_model::{Event, Failure, LEAST_REPLICATES, Look, LookReason};

/// Returns the cases that need their own processes before their first look, each with the number of
/// these processes. Such a case came first in no process, or has different results in shared processes.
/// Called after the first stage.
pub(crate) fn check(cx: &mut Context<'_>, states: &mut [CaseState], processes: u32) -> Vec<(u32, u32)> {
    if cx.over() {
        return Vec::new();
    }
    let places: Vec<Option<(Vec<f64>, Vec<f64>)>> =
        states.iter().map(|state| is_due(state).then(|| state.samples.by_place())).collect();
    let compared = places.iter().flatten().filter(|(first, _)| !first.is_empty()).count();
    let error = (1.0 - cx.settings.confidence) / compared.max(1) as f64;
    let least = cx.settings.margin.max(cx.settings.precision);
    let mut own = Vec::new();
    for (case, (state, places)) in (0..).zip(states.iter_mut().zip(places)) {
        let planned = state.planned(processes);
        let Some((first, beside)) = places else { continue };
        let came_first = state.samples.with_neighbours() < state.samples.complete as usize;
        if !came_first && affords(cx, state, 1) {
            own.push((case, 1));
        } else if neighbours::differ(&first, &beside, error, least) && affords(cx, state, LEAST_REPLICATES) {
            isolate(cx, state, case);
        }
        if state.is_alone() && affords(cx, state, 1) {
            own.push((case, planned.saturating_sub(state.samples.complete)));
        }
    }
    own.retain(|(_, more)| *more > 0);
    own
}

/// Removes the blocks of a case that shared processes. From now on, the case has its own processes.
fn isolate(cx: &mut Context<'_>, state: &mut CaseState, case: u32) {
    state.sharing = Sharing::Alone;
    let blocks = state.samples.set_aside();
    cx.emit(Event::Looked(Look { case, blocks, reason: LookReason::Neighbours }));
}

/// Handles the failure of a case in a process that had opened other cases before. Returns true if the case
/// does not have to share processes. It is then measured alone from now on, instead of failing.
pub(crate) fn excuses(cx: &mut Context<'_>, state: &mut CaseState, case: u32, failure: &Failure) -> bool {
    if state.ended.is_some() || state.sharing == Sharing::Planned {
        return false;
    }
    if !state.is_alone() {
        isolate(cx, state, case);
        let message =
            format!("fails after other cases of its process, so it is measured alone: {}", failure.what);
        cx.emit(Event::Log { case: Some(case), message });
    }
    true
}

/// Returns true if a case must still be checked: it has had no look, and has results from shared processes
/// or is measured alone.
fn is_due(state: &CaseState) -> bool {
    let is_open = state.ended.is_none() && !state.account.cut && state.samples.looks.is_empty();
    let has_neighbours = state.samples.with_neighbours() > 0 && !state.samples.locations.is_empty();
    match state.sharing {
        Sharing::Planned => false,
        Sharing::Checked => is_open && has_neighbours,
        Sharing::Alone => is_open,
    }
}

/// Returns true if the budget allows this many more processes, at their cost so far.
fn affords(cx: &Context<'_>, state: &CaseState, more: u32) -> bool {
    let (account, known) = (&state.account, u64::from(state.account.begun.max(1)));
    let unbounded = cx.settings.is_unbounded(cx.variants.len());
    unbounded || account.spent_ns + account.spent_ns / known * u64::from(more) <= cx.settings.budget_ns
}

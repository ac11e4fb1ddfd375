//! The time limits of a case: those of its visits, its budget, and its maximum time. All are wall times
//! that include untimed work.

use crate::measure::case_state::{Account, CaseState};
use crate::measure::context::Context;
use crate::plan;
use derny_model::LEAST_REPLICATES;

/// Maximum time of a case as a multiple of its budget, including the turn that is in progress.
const BEYOND: u64 = 2;
/// Lower limit of the maximum time, in ns. On a busy machine, a budget of milliseconds would otherwise end
/// before the processes that a result needs have started.
const LEAST_NS: u64 = 3_000_000_000;

/// Returns true if a case with `known` complete blocks has time for another visit, which takes at least
/// `next_ns`. The visit must fit into the case's allowed time or, if it has few blocks, into its
/// maximum. There is always time for the first visit.
pub(crate) fn affords_next(cx: &Context<'_>, state: &CaseState, known: u32, next_ns: u64) -> bool {
    match known {
        0 => true,
        few if few < LEAST_REPLICATES => next_ns <= left_ns(cx, state),
        _ => state.account.spent_ns + next_ns <= allowed_ns(cx, state),
    }
}

/// Returns true if a case has used its part of the run's time, and another visit would exceed its part
/// of the rest. Always returns false after the first stage, because later stages measure only cases
/// with allotted time.
pub(crate) fn takes_from_others(cx: &Context<'_>, state: &CaseState, case: u32) -> bool {
    if !cx.time.is_first_stage {
        return false;
    }
    let part_ns = cx.time.left_ns() / cx.time.cases.max(1);
    state.account.spent_ns > cx.time.case_ns && visit_ns(cx, state, case) > part_ns
}

/// Returns the cost of a further block of a case in ns. It is the average of its blocks so far, or the
/// planned cost.
pub(crate) fn block_ns(cx: &Context<'_>, state: &CaseState, case: u32) -> u64 {
    let planned = || visit_ns(cx, state, case) + plan::LAUNCH_NS * cx.variants.len() as u64;
    state.account.each().unwrap_or_else(planned)
}

/// Returns the time in ns that a complete visit of a case takes in a block. It is the average so far. Before
/// the first visit, it is one call of each variant if one call fills a visit, or else the plan's estimate.
pub(crate) fn visit_ns(cx: &Context<'_>, state: &CaseState, case: u32) -> u64 {
    let (account, variants) = (&state.account, cx.variants.len() as u32);
    account.visits_ns.checked_div(account.visits.into()).unwrap_or_else(|| {
        let declared = &cx.catalogue.cases[case as usize];
        let known = Some(state.calibration.call_ns).filter(|ns| *ns > 0).or(declared.about_ns);
        if let Some(call_ns) = known.filter(|_| state.calibration.is_single_call()) {
            return call_ns.saturating_mul(variants.into());
        }
        plan::least_visit_ns(declared, cx.settings, state.rounds, variants)
    })
}

/// Returns the planned time of a visit in ns: the case's time divided by its pairs, but at most the
/// remaining time of the run divided by the remaining visits. The time of the last launch is subtracted
/// from it.
pub(crate) fn share_ns(cx: &Context<'_>, state: &CaseState) -> u64 {
    let left_ns = cx.time.left_ns() / (1 + cx.time.visits);
    let visit_ns = (cx.time.case_ns / u64::from(cx.time.pairs.max(1))).min(left_ns);
    // Even if launches are slow, half of the time remains for measuring.
    visit_ns.saturating_sub(state.account.launch_ns).max(visit_ns / 2)
}

/// Returns the time that a case may take, in ns: its budget, or its launches plus half of the budget if that
/// is more. Unlimited if the case continues until it is precise.
pub(crate) fn allowed_ns(cx: &Context<'_>, state: &CaseState) -> u64 {
    if cx.settings.is_unbounded(cx.variants.len()) {
        return u64::MAX;
    }
    cx.settings.budget_ns.max(state.account.launches_ns + cx.settings.budget_ns / 2)
}

/// Returns the maximum time in ns for a case with this budget: twice the budget, but at least
/// [`LEAST_NS`].
pub(crate) fn beyond_ns(budget_ns: u64) -> u64 {
    budget_ns.saturating_mul(BEYOND).max(LEAST_NS)
}

/// Returns the maximum time of a case in ns: [`beyond_ns`] of its budget, or [`allowed_ns`] if that is
/// more. After that time, the running protocol command of the case is aborted, and no other begins.
pub(crate) fn most_ns(cx: &Context<'_>, state: &CaseState) -> u64 {
    allowed_ns(cx, state).max(beyond_ns(cx.settings.budget_ns))
}

/// Returns true if a case has time for another launch. Launches that a result needs may take the maximum time
/// of the case. Further launches must fit into its budget.
pub(crate) fn affords_launch(cx: &Context<'_>, account: &Account) -> bool {
    let budget_ns = cx.settings.budget_ns;
    let most_ns = if account.launched < LEAST_REPLICATES { beyond_ns(budget_ns) } else { budget_ns };
    cx.settings.is_unbounded(cx.variants.len()) || account.launches_ns <= most_ns
}

/// Returns the time in ns until the case reaches its maximum.
pub(crate) fn left_ns(cx: &Context<'_>, state: &CaseState) -> u64 {
    most_ns(cx, state).saturating_sub(state.account.spent_ns)
}

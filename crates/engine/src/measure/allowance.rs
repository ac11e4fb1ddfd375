//! What a case may take: its share of a visit, its budget, and the most that it ever takes. All is wall time, untimed work included.

use crate::measure::case_state::{Account, CaseState};
use crate::measure::context::Context;
use crate::plan;
use derny_model::LEAST_REPLICATES;

/// A case takes so many times its budget at most, with what it has begun.
const BEYOND: u64 = 2;
/// So much it has in any case, in ns: a budget of milliseconds would end before the processes of a result have started, on a busy machine.
const LEAST_NS: u64 = 3_000_000_000;

/// Whether a case that is known from so many blocks has time for another visit, which takes `next_ns` at least: within what it may take,
/// or, where it is known from few, within the most that it may ever take. The first is always begun.
pub(crate) fn affords_next(cx: &Context<'_>, state: &CaseState, known: u32, next_ns: u64) -> bool {
    match known {
        0 => true,
        few if few < LEAST_REPLICATES => next_ns <= left_ns(cx, state),
        _ => state.account.spent_ns + next_ns <= allowed_ns(cx, state),
    }
}

/// Whether a case has had its part of the run's time, and one more visit is more than its part of what is left.
pub(crate) fn takes_from_others(cx: &Context<'_>, state: &CaseState, case: u32) -> bool {
    let part_ns = cx.time.left_ns() / cx.time.cases.max(1);
    state.account.spent_ns > cx.time.case_ns && visit_ns(cx, state, case) > part_ns
}

/// Time that a whole visit of a case takes in a block, in ns: what those so far have taken, else what the plan knows.
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

/// Time that one visit may take by the plan, in ns: the case's part shared over its pairs, or what is left of the run's time where that is
/// less.
pub(crate) fn share_ns(cx: &Context<'_>, state: &CaseState) -> u64 {
    let left_ns = cx.time.left_ns() / (1 + cx.time.visits);
    let visit_ns = (cx.time.case_ns / u64::from(cx.time.pairs.max(1))).min(left_ns);
    // Where starts are slow, or slow just now, half of the time is still for measuring.
    visit_ns.saturating_sub(state.account.launch_ns).max(visit_ns / 2)
}

/// Time that a case may take in ns: its budget, or half of it beside the launches where those have taken more. As long as it likes where it
/// goes on to the precision.
pub(crate) fn allowed_ns(cx: &Context<'_>, state: &CaseState) -> u64 {
    if cx.settings.is_unbounded(cx.variants.len()) {
        return u64::MAX;
    }
    cx.settings.budget_ns.max(state.account.launches_ns + cx.settings.budget_ns / 2)
}

/// The most that a case of this budget may ever take, in ns.
pub(crate) fn beyond_ns(budget_ns: u64) -> u64 {
    budget_ns.saturating_mul(BEYOND).max(LEAST_NS)
}

/// The most that a case may ever take, in ns: twice its budget, or half of it beside the launches where those have taken more. What it has
/// begun then is ended; nothing is begun for it.
pub(crate) fn most_ns(cx: &Context<'_>, state: &CaseState) -> u64 {
    allowed_ns(cx, state).max(beyond_ns(cx.settings.budget_ns))
}

/// Whether launches have left a case time for another one: it has those that a result needs until they take twice its budget, and more
/// within its budget.
pub(crate) fn affords_launch(cx: &Context<'_>, account: &Account) -> bool {
    let budget_ns = cx.settings.budget_ns;
    let most_ns = if account.launched < LEAST_REPLICATES { beyond_ns(budget_ns) } else { budget_ns };
    cx.settings.is_unbounded(cx.variants.len()) || account.launches_ns <= most_ns
}

/// What is left of that, in ns.
pub(crate) fn left_ns(cx: &Context<'_>, state: &CaseState) -> u64 {
    most_ns(cx, state).saturating_sub(state.account.spent_ns)
}

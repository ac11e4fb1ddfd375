//! Cases that sides were asked for and did not measure.

use super::View;
use derny_model::{CaseId, CaseOutcome, CaseResult, CaseState, Reason, Side, StopReason, Unmeasured};
use std::collections::{HashMap, HashSet};

/// Every case that at least two sides were asked for and that one of them has no complete process of, in the order in which
/// sides list their cases. Controls are not asked, and what was only checked (`--once`) was not to be measured.
pub(crate) fn unmeasured(views: &[View], sides: &[Side]) -> Vec<Unmeasured> {
    let proper: Vec<(u32, &View)> =
        (0..).zip(views).filter(|(side, _)| !sides[*side as usize].control).collect();
    let asked: Vec<(u32, &View, HashMap<&CaseId, &CaseResult>)> =
        proper.iter().map(|(side, view)| (*side, *view, listed(view))).collect();
    let mut seen = HashSet::new();
    let all = proper.iter().flat_map(|(_, view)| view.input.document.cases());
    all.filter(|case| seen.insert(&case.case.id)).filter_map(|case| one(&asked, &case.case.id)).collect()
}

fn listed<'a>(view: &View<'a>) -> HashMap<&'a CaseId, &'a CaseResult> {
    let cases = view.input.document.cases().filter(|case| case.state != CaseState::Passed);
    cases.map(|case| (&case.case.id, case)).collect()
}

fn one(asked: &[(u32, &View, HashMap<&CaseId, &CaseResult>)], id: &CaseId) -> Option<Unmeasured> {
    let own: Vec<(u32, &View, &CaseResult)> =
        asked.iter().filter_map(|(side, view, listed)| Some((*side, *view, *listed.get(id)?))).collect();
    let lacking: Vec<_> = own.iter().filter(|(_, view, _)| view.result(id).is_none()).collect();
    let is_skipped = |case: &CaseResult| case.state == CaseState::Skipped;
    // A case that one side skips is that of the others alone, and decides nothing.
    let lacking: Vec<_> = match lacking.iter().any(|(_, _, case)| !is_skipped(case)) {
        true => lacking.into_iter().filter(|(_, _, case)| !is_skipped(case)).collect(),
        false => lacking,
    };
    let (_, view, case) = lacking.first().filter(|_| own.len() > 1)?;
    let failed = lacking.iter().any(|(_, _, case)| case.state == CaseState::Failed);
    let (outcome, reason, because) = if failed { FAILED } else { why(view, case) };
    Some(Unmeasured {
        case: case.case.clone(),
        sides: lacking.iter().map(|(side, ..)| *side).collect(),
        outcome,
        reason,
        because: because.to_owned(),
    })
}

type Why = (CaseOutcome, Reason, &'static str);

/// Why a side has no process of a case that has not failed.
fn why(view: &View, case: &CaseResult) -> Why {
    let is_merged = !view.input.document.run.machines.is_empty();
    match (&case.state, view.ended(&case.case.id)) {
        (CaseState::Failed, _) => FAILED,
        (CaseState::Skipped, _) => SKIPPED,
        (_, Some(Some(StopReason::Budget))) => BUDGET,
        (_, Some(None)) if is_merged => IN_NO_PART,
        (_, Some(None | Some(StopReason::Interrupted))) => INTERRUPTED,
        (CaseState::Measured(StopReason::Budget), _) => BUDGET,
        (CaseState::Measured(StopReason::Interrupted), _) => INTERRUPTED,
        (_, Some(Some(_))) => INCOMPLETE,
        (_, None) => ENDED,
    }
}

const FAILED: Why = (CaseOutcome::Failed, Reason::NotMeasured, "it failed before");
const SKIPPED: Why = (CaseOutcome::Skipped, Reason::NotMeasured, "its harness skipped it");
const BUDGET: Why = (CaseOutcome::NotMeasured, Reason::Budget, "the time was over before it was measured");
const INTERRUPTED: Why =
    (CaseOutcome::NotMeasured, Reason::Interrupted, "the run was interrupted before it was measured");
const IN_NO_PART: Why =
    (CaseOutcome::NotMeasured, Reason::NotMeasured, "no part that was given has measured it");
const INCOMPLETE: Why = (CaseOutcome::NotMeasured, Reason::NotMeasured, "no process of it was complete");
const ENDED: Why = (CaseOutcome::NotMeasured, Reason::NotMeasured, "the run ended before it was measured");

//! Finds cases that were requested of a side but not measured.

use super::view::View;
use derny_model::{CaseId, CaseOutcome, CaseResult, CaseState, Reason, Side, StopReason, Unmeasured};
use std::collections::{HashMap, HashSet};

/// Returns the cases requested of at least two sides that lack a complete process on one of them, in
/// catalogue order. A case that all sides skipped is ignored. So are controls, and cases that were only
/// checked (`--once`).
pub(crate) fn unmeasured(views: &[View], sides: &[Side]) -> Vec<Unmeasured> {
    let proper: Vec<(u32, &View)> =
        (0..).zip(views).filter(|(side, _)| !sides[*side as usize].control).collect();
    let asked: Vec<Asked> = proper.iter().map(|(side, view)| Asked::new(*side, view)).collect();
    let mut seen = HashSet::new();
    let all = proper.iter().flat_map(|(_, view)| view.input.document.cases());
    all.filter(|case| seen.insert(&case.case.id)).filter_map(|case| one(&asked, &case.case.id)).collect()
}

struct Asked<'a> {
    side: u32,
    view: &'a View<'a>,
    listed: HashMap<&'a CaseId, &'a CaseResult>,
    /// Cases that the side opened. Empty if the run skipped no case, because only skipped cases need it.
    opened: HashSet<u32>,
}

impl<'a> Asked<'a> {
    fn new(side: u32, view: &'a View<'a>) -> Asked<'a> {
        let cases = || view.input.document.cases().filter(|case| case.state != CaseState::Passed);
        let records = view.input.records.filter(|_| cases().any(|case| case.state == CaseState::Skipped));
        let processes = records.iter().flat_map(|records| &records.processes);
        let own = processes.filter(|process| process.variant == view.input.variant);
        let own: HashSet<u32> = own.map(|process| process.process).collect();
        let visits = records.iter().flat_map(|records| &records.visits).map(|record| &record.visit);
        let opened = visits.filter(|visit| own.contains(&visit.process)).map(|visit| visit.case).collect();
        Asked { side, view, listed: cases().map(|case| (&case.case.id, case)).collect(), opened }
    }

    /// Returns true if this side's own harness skipped the case. A case that one side skips ends for all
    /// sides, but the sides that would measure it have opened it by then.
    fn skips(&self, case: &CaseResult) -> bool {
        let is_opened = self.view.place(&case.case.id).is_some_and(|place| self.opened.contains(&place));
        case.state == CaseState::Skipped && !is_opened
    }
}

fn one(asked: &[Asked<'_>], id: &CaseId) -> Option<Unmeasured> {
    let own: Vec<(&Asked<'_>, &CaseResult)> =
        asked.iter().filter_map(|side| Some((side, *side.listed.get(id)?))).collect();
    let lacking: Vec<_> = own.iter().filter(|(side, _)| side.view.result(id).is_none()).collect();
    // If one side skips a case, the others lack results only for that reason.
    let is_skipped = |case: &CaseResult| case.state == CaseState::Skipped;
    let (skipping, others): (Vec<_>, Vec<_>) = lacking
        .iter()
        .copied()
        .filter(|(side, case)| !is_skipped(case) || side.skips(case))
        .partition(|(_, case)| is_skipped(case));
    let lacking = if others.is_empty() { skipping } else { others };
    let (side, case) = lacking.first().filter(|_| own.len() > 1)?;
    let failed = lacking.iter().any(|(_, case)| case.state == CaseState::Failed);
    let (outcome, reason, because) = match why(side.view, case) {
        _ if failed => FAILED,
        SKIPPED if lacking.len() < own.len() => SKIPPED_HERE,
        why => why,
    };
    Some(Unmeasured {
        case: case.case.clone(),
        sides: lacking.iter().map(|(side, _)| side.side).collect(),
        outcome,
        reason,
        because: because.to_owned(),
    })
}

type Why = (CaseOutcome, Reason, &'static str);

/// Returns why a side has no complete process for a case.
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
const SKIPPED: Why = (CaseOutcome::Skipped, Reason::Skipped, "its harness skipped it");
const SKIPPED_HERE: Why = (CaseOutcome::NotMeasured, Reason::Skipped, "its harness skipped it");
const BUDGET: Why = (CaseOutcome::NotMeasured, Reason::Budget, "the time ran out before it was measured");
const INTERRUPTED: Why =
    (CaseOutcome::NotMeasured, Reason::Interrupted, "the run was interrupted before it was measured");
const IN_NO_PART: Why =
    (CaseOutcome::NotMeasured, Reason::NotMeasured, "none of the given parts measured it");
const INCOMPLETE: Why =
    (CaseOutcome::NotMeasured, Reason::NotMeasured, "none of its processes was completed");
const ENDED: Why = (CaseOutcome::NotMeasured, Reason::NotMeasured, "the run ended before it was measured");

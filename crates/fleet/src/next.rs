//! The plan of the next wave, with the cases that more pairs may decide. Waves end only at planned looks,
//! with their planned numbers of pairs, so the error over all looks stays at the requested level.

use crate::make::{each, named};
use crate::merge::{Fault, Merged};
use crate::{balance, costs};
use derny_engine::plan::looks;
use derny_model::{
    CaseId, CaseOutcome, ComparedCase, ComparedSide, Comparison, FleetPlan, PlannedBlock, Reason, Records,
    Verdict,
};
use std::collections::{HashMap, HashSet};

/// Returns the plan of another wave with the same number of shards, for the run in `records`. `None` if more
/// pairs cannot decide anything.
pub fn next(merged: &Merged, records: &Records, comparison: &Comparison) -> Option<FleetPlan> {
    let plan = &merged.plan;
    let mut open: HashSet<&CaseId> = open(comparison, plan.settings.gate.is_some());
    // Cases that were not measured probably belong to the missing shards, so do not plan them again.
    if merged.faults.iter().any(Fault::counts) {
        let missing = comparison.unmeasured.iter().map(|case| &case.case.id);
        missing.for_each(|id| _ = open.remove(id));
    }
    let mut pairs: HashMap<u32, u32> = HashMap::new();
    records.looks.iter().for_each(|look| _ = pairs.insert(look.case, look.blocks.len() as u32));
    let expected = costs::planned(plan);
    let schedule = schedule(&looks(&plan.settings, plan.sides.len() as u32));
    let copies = plan.machines_per_case;
    let block = |(case, declared): (u32, &derny_model::Case)| {
        let have = pairs.get(&case).copied().unwrap_or(0);
        let until = *schedule.iter().find(|look| **look > have)?;
        let own = each(until - have, copies);
        let cost_ns = scaled(expected.get(&case).copied()?, merged.spent_ns) * u64::from(own);
        open.contains(&declared.id).then_some(PlannedBlock { case, pairs: own, cost_ns })
    };
    let blocks: Vec<PlannedBlock> = (0..).zip(&records.cases).filter_map(block).collect();
    if blocks.is_empty() {
        return None;
    }
    let shards = balance::balance(blocks, copies, plan.shards.len() as u32, plan.setup_ns);
    Some(named(FleetPlan { wave: merged.waves + 1, shards, build_ns: 0, ..plan.clone() }))
}

fn scaled(cost_ns: u64, (planned_ns, spent_ns): (u64, u64)) -> u64 {
    if planned_ns == 0 || spent_ns == 0 {
        return cost_ns;
    }
    (cost_ns as f64 * spent_ns as f64 / planned_ns as f64) as u64
}

/// Returns the looks at which waves end: every other look of a run, and the last. A wave costs more machine
/// time than a look within a run.
fn schedule(looks: &[u32]) -> Vec<u32> {
    let mut some: Vec<u32> = looks.iter().copied().step_by(2).collect();
    some.extend(looks.last().filter(|last| some.last() != Some(last)));
    some
}

/// Returns the undecided cases that more pairs may decide. With a gate, returns those that it leaves
/// undecided.
fn open(comparison: &Comparison, gate: bool) -> HashSet<&CaseId> {
    let is_open = |side: &ComparedSide| {
        let undecided = match gate {
            true => matches!(side.outcome, CaseOutcome::Undecided | CaseOutcome::Unjudged),
            false => side.verdict == Verdict::Unclear,
        };
        let control = comparison.sides.get(side.side as usize).is_some_and(|side| side.control);
        undecided && !control && side.reason.is_none_or(helps)
    };
    let compared = comparison.cases.iter().filter(|case: &&ComparedCase| case.sides.iter().any(is_open));
    let unmeasured = comparison.unmeasured.iter();
    let unmeasured = unmeasured.filter(|case| case.outcome == CaseOutcome::NotMeasured && helps(case.reason));
    compared.map(|case| &case.case.id).chain(unmeasured.map(|case| &case.case.id)).collect()
}

/// Returns true if more pairs may resolve an unclear verdict with this reason.
fn helps(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::Noise
            | Reason::Budget
            | Reason::TooFewPairs
            | Reason::MultipleComparisons
            | Reason::ChangedOnTheWay
            | Reason::NotMeasured
            | Reason::StillWarming
            | Reason::Interrupted
            | Reason::GateDecided
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_have_every_other_look_and_the_last() {
        assert_eq!(schedule(&[8, 11, 15, 21, 29, 40]), [8, 15, 29, 40]);
        assert_eq!(schedule(&[4]), [4]);
        assert_eq!(schedule(&[6, 8]), [6, 8]);
    }

    #[test]
    fn costs_follow_what_was_spent() {
        assert_eq!((scaled(10, (100, 250)), scaled(10, (0, 250)), scaled(10, (100, 0))), (25, 10, 10));
    }
}

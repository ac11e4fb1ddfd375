//! Resuming a run: restores the state of each case from its records, as if the run had not stopped. In a
//! complete run, only the cases whose time ran out before they were decided continue.

use crate::measure::calls::Calls;
use crate::measure::case_state::{CaseState, Sharing};
use crate::measure::decision;
use derny_estimate::floor;
use derny_estimate::judge::{self, Judged, Side};
use derny_estimate::pair::Replicate;
use derny_model::{LookReason, ProcessStart, Records, StopReason, VisitRecord};
use std::collections::{BTreeMap, HashMap};

/// Restores the states of a partial run's cases: the complete blocks, and the reasons why cases have
/// ended.
pub(crate) fn restore(states: &mut [CaseState], prior: &Records) {
    for (case, blocks) in complete(prior) {
        let state = &mut states[case as usize];
        let variants = state.samples.variants();
        for (block, mut members) in blocks.into_iter().filter(|(_, own)| own.len() == variants) {
            members.sort_by_key(|(process, _)| process.variant);
            if members.iter().any(|(_, record)| record.visit.position > 0) {
                state.samples.note_neighbours(block);
            }
            let of = |(process, record): (&ProcessStart, &VisitRecord)| {
                Replicate::of(process, &prior.cases[case as usize], [record.at_hand().as_ref()])
            };
            let members: Vec<Replicate> = members.into_iter().map(of).collect();
            let places: Vec<u32> = members.iter().map(|replicate| replicate.place).collect();
            state.account.orders.note_places(block, &places);
            state.samples.complete_block(members);
            state.account.begun += 1;
        }
        state.samples.spill();
    }
    for look in &prior.looks {
        let state = &mut states[look.case as usize];
        match look.reason {
            LookReason::Neighbours => state.sharing = Sharing::Alone,
            _ => state.samples.looks.push(look.clone()),
        }
    }
    for &(case, reason) in &prior.ended {
        if !matches!(reason, StopReason::Interrupted) {
            states[case as usize].ended = Some(reason);
        }
    }
}

/// Returns the cases of a complete run that more time may decide. Their time ran out while their
/// comparison was open or, in a run of one variant, before they were as precise as requested.
///
/// They continue at the planned levels, although their last look has already spent the remaining error.
/// The total error is at most that of measuring them again in a second run.
pub fn open(prior: &Records) -> Vec<u32> {
    let judged = judged(prior);
    let is_open = |case: u32| match &judged[case as usize][..] {
        [] => true,
        sides => sides.iter().any(|judged| judged.is_open),
    };
    let cases = 0..prior.cases.len() as u32;
    cases.filter(|case| ended(prior, *case) == Some(StopReason::Budget) && is_open(*case)).collect()
}

/// Returns the last reason why a case ended. A resumed case may have ended before.
fn ended(prior: &Records, case: u32) -> Option<StopReason> {
    prior.ended.iter().rev().find(|(of, _)| *of == case).map(|(_, reason)| *reason)
}

/// Returns the judgements with which a resumed run would begin, by case and variant. They decide which
/// cases continue.
pub fn judged(prior: &Records) -> Vec<Vec<Judged>> {
    let variants = &prior.header.variants;
    let mut states: Vec<CaseState> = prior
        .cases
        .iter()
        .map(|case| {
            let mut state = CaseState::new(case, variants.len(), 0, Calls::Repeated);
            state.samples.controls = variants.iter().skip(1).map(|variant| variant.control).collect();
            state
        })
        .collect();
    restore(&mut states, prior);
    let terms = decision::terms(&prior.header.settings, &states, floor::cycle_ns(&prior.observations));
    let cases: Vec<Vec<Side>> = states
        .iter()
        .enumerate()
        .map(|(case, state)| state.samples.sides(&prior.cases[case], &terms, ended(prior, case as u32)))
        .collect();
    judge::judge(&cases, &terms).0
}

/// Returns the first block number that a run has not used. With reused numbers, a block could contain
/// two processes of one variant, which would be paired with the wrong partners.
pub(crate) fn blocks(prior: &Records) -> u32 {
    prior.processes.iter().map(|process| process.block + 1).max().unwrap_or(0)
}

/// The processes of a block, each with its record of a case.
type Members<'a> = Vec<(&'a ProcessStart, &'a VisitRecord)>;

/// Returns the complete visits of a run in its first mode, by case and block.
fn complete(prior: &Records) -> BTreeMap<u32, BTreeMap<u32, Members<'_>>> {
    let processes: HashMap<u32, &ProcessStart> =
        prior.processes.iter().map(|process| (process.process, process)).collect();
    let counts = |record: &&VisitRecord| record.complete && record.visit.mode.is_none();
    let mut cases: BTreeMap<u32, BTreeMap<u32, Members>> = BTreeMap::new();
    for record in prior.visits.iter().filter(counts) {
        let Some(process) = processes.get(&record.visit.process) else { continue };
        let blocks = cases.entry(record.visit.case).or_default();
        blocks.entry(process.block).or_default().push((process, record));
    }
    cases
}

#[cfg(test)]
mod agreement;

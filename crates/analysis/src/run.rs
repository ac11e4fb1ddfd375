//! The records of a run, sorted by case.

use crate::case;
use crate::diagnose::{self, OfCase};
use crate::scope::{self, Scope};
use derny_estimate::floor;
use derny_estimate::level::{Levels, LookPlan};
use derny_model::{CaseResult, Records, StopReason, VisitRecord};
use std::borrow::Cow;
use std::collections::HashSet;

pub(crate) struct IndexedRun<'a> {
    pub records: &'a Records,
    pub scope: Scope<'a>,
    /// Visits of each case.
    pub visits: Vec<Vec<&'a VisitRecord>>,
    /// Reason why each case ended.
    pub ended: Vec<Option<StopReason>>,
    /// Cases that failed.
    pub failed: HashSet<u32>,
}

impl<'a> IndexedRun<'a> {
    pub(crate) fn new(records: &'a Records) -> IndexedRun<'a> {
        let scope = Scope {
            processes: records.processes.iter().map(|process| (process.process, process)).collect(),
            ends: records.process_ends.iter().map(|end| (end.process, end)).collect(),
            begun: scope::begun(&records.visits),
            variants: records.header.variants.iter().map(|variant| variant.name.as_str()).collect(),
            levels: LookPlan::new(Levels::of_run(&records.header.settings, records.header.variants.len())),
            cycle_ns: floor::cycle_ns(&records.observations),
            machines: records.header.machines.len() > 1,
            ladder: records.header.settings.ladder,
            reject: &records.header.settings.reject,
            witness: records.header.settings.witness,
        };
        let mut visits: Vec<Vec<&VisitRecord>> = vec![Vec::new(); records.cases.len()];
        for record in &records.visits {
            if let Some(list) = visits.get_mut(record.visit.case as usize) {
                list.push(record);
            }
        }
        let mut ended: Vec<Option<StopReason>> = vec![None; records.cases.len()];
        for (case, reason) in &records.ended {
            if let Some(last) = ended.get_mut(*case as usize) {
                *last = Some(*reason);
            }
        }
        let failed = records.failures.iter().filter_map(|failure| failure.case).collect();
        IndexedRun { records, scope, visits, ended, failed }
    }

    pub(crate) fn conclude(&self, case: usize) -> (CaseResult, Option<OfCase>) {
        let failed = self.failed.contains(&(case as u32));
        let at_hand: Vec<Cow<'_, VisitRecord>> =
            self.visits[case].iter().map(|record| record.at_hand()).collect();
        let mut own: Vec<&VisitRecord> = at_hand.iter().map(AsRef::as_ref).collect();
        let result = case::result(&self.scope, &self.records.cases[case], &own, self.ended[case], failed);
        // Warnings concern only the default mode.
        own.retain(|record| record.visit.mode.is_none());
        let found = (!result.variants.is_empty())
            .then(|| diagnose::of_case(self.records, &self.scope, &own, &result));
        (result, found)
    }
}

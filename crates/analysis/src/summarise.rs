//! Records in, document out.

use crate::case;
use crate::diagnose::{self, OfCase};
use crate::digest::{self, Digests};
use crate::parallel;
use crate::ranking;
use crate::scope::{self, Scope};
use derny_estimate::level::{Levels, LookPlan};
use derny_estimate::{contention, floor, machine};
use derny_model::{CaseResult, Document, Records, StopReason, SuiteResult, VisitRecord};
use std::borrow::Cow;
use std::collections::HashSet;

/// Returns every case's estimates and warnings. Cases stay in catalogue order, grouped by suite in order of
/// first appearance. The document is not compared with another run.
pub fn summarise(records: &Records) -> Document {
    summarise_by(records, None)
}

/// Does the same as [`summarise()`], but uses `digests` instead of reading turns if possible.
pub fn summarise_by(records: &Records, digests: Option<&dyn Digests>) -> Document {
    let run = Run::new(records);
    let one = |index: usize| {
        let known = digests.and_then(|digests| digest::concluded(&run, index, digests));
        let (result, found) = known.unwrap_or_else(|| run.conclude(index));
        let is_part = diagnose::is_part(records, index);
        (result, found.map(|found| if is_part { found } else { found.without_turns() }))
    };
    let (results, mut found): (Vec<CaseResult>, Vec<_>) =
        parallel::map(records.cases.len(), one).into_iter().unzip();
    let (results, order) = by_suite(results);
    let found = order.iter().map(|index| found[*index as usize].take()).collect();
    let mut warnings = diagnose::diagnose(records, &results, found);
    warnings.sort_by_key(|warning| warning.case);
    let mut failures = records.failures.clone();
    for failure in &mut failures {
        failure.case = failure.case.map(|case| position(&order, case));
    }
    let listed: Vec<&CaseResult> = results.iter().collect();
    let rankings = ranking::rankings(&listed, &records.header);
    Document {
        format: Document::FORMAT,
        run: records.header.clone(),
        suites: suites(results),
        failures,
        warnings,
        baseline: None,
        yardsticks: machine::of_run(&records.observations),
        contention: contention::of_run(&records.observations),
        rankings,
        comparison: None,
        stats: None,
    }
}

/// Run with the data that its cases share.
pub(crate) struct Run<'a> {
    pub records: &'a Records,
    pub scope: Scope<'a>,
    /// Visits of each case.
    pub visits: Vec<Vec<&'a VisitRecord>>,
    /// Stop reason of each case.
    pub ended: Vec<Option<StopReason>>,
    /// Cases that failed.
    pub failed: HashSet<u32>,
}

impl<'a> Run<'a> {
    pub(crate) fn new(records: &'a Records) -> Run<'a> {
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
        Run { records, scope, visits, ended, failed }
    }

    /// Returns the result of a case, and its findings if it was measured.
    pub(crate) fn conclude(&self, case: usize) -> (CaseResult, Option<OfCase>) {
        let failed = self.failed.contains(&(case as u32));
        let at_hand: Vec<Cow<'_, VisitRecord>> =
            self.visits[case].iter().map(|record| record.at_hand()).collect();
        let mut own: Vec<&VisitRecord> = at_hand.iter().map(AsRef::as_ref).collect();
        let result = case::result(&self.scope, &self.records.cases[case], &own, self.ended[case], failed);
        // Warnings concern the default mode only.
        own.retain(|record| record.visit.mode.is_none());
        let found = (!result.variants.is_empty())
            .then(|| diagnose::of_case(self.records, &self.scope, &own, &result));
        (result, found)
    }
}

/// Groups results by suite and returns the record index of each. Catalogues usually list suite by suite, but
/// nothing guarantees it.
fn by_suite(results: Vec<CaseResult>) -> (Vec<CaseResult>, Vec<u32>) {
    let mut names: Vec<String> = Vec::new();
    for result in &results {
        if names.last() != Some(&result.case.id.suite) && !names.contains(&result.case.id.suite) {
            names.push(result.case.id.suite.clone());
        }
    }
    let mut indexed: Vec<(usize, u32, CaseResult)> = results
        .into_iter()
        .enumerate()
        .map(|(index, result)| {
            let suite = names.iter().position(|name| *name == result.case.id.suite).unwrap_or(0);
            (suite, index as u32, result)
        })
        .collect();
    indexed.sort_by_key(|(suite, index, _)| (*suite, *index));
    let order = indexed.iter().map(|(_, index, _)| *index).collect();
    (indexed.into_iter().map(|(_, _, result)| result).collect(), order)
}

fn position(order: &[u32], case: u32) -> u32 {
    order.iter().position(|index| *index == case).map_or(case, |position| position as u32)
}

fn suites(results: Vec<CaseResult>) -> Vec<SuiteResult> {
    let mut suites: Vec<SuiteResult> = Vec::new();
    for result in results {
        match suites.last_mut() {
            Some(suite) if suite.suite == result.case.id.suite => suite.cases.push(result),
            _ => suites.push(SuiteResult { suite: result.case.id.suite.clone(), cases: vec![result] }),
        }
    }
    suites
}

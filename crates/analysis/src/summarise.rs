//! Records in, document out.

use crate::case;
use crate::diagnose;
use crate::parallel;
use crate::ranking;
use crate::scope::{self, Scope};
use derny_estimate::level::{Levels, LookPlan};
use derny_estimate::{floor, machine};
use derny_model::{CaseResult, Document, Records, StopReason, SuiteResult, VisitRecord};
use std::borrow::Cow;
use std::collections::HashSet;

/// What a run came to: every case's estimates and every doubt about them. Cases stay in catalogue order, grouped
/// by suite in the order in which suites first appear. There is no other run that it is held against.
pub fn summarise(records: &Records) -> Document {
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
    let failed: HashSet<u32> = records.failures.iter().filter_map(|failure| failure.case).collect();
    let one = |index: usize| {
        let failed = failed.contains(&(index as u32));
        let at_hand: Vec<Cow<'_, VisitRecord>> =
            visits[index].iter().map(|record| record.at_hand()).collect();
        let mut own: Vec<&VisitRecord> = at_hand.iter().map(AsRef::as_ref).collect();
        let result = case::result(&scope, &records.cases[index], &own, ended[index], failed);
        // Warnings are about the first way of measuring.
        own.retain(|record| record.visit.mode.is_none());
        let found =
            (!result.variants.is_empty()).then(|| diagnose::of_case(records, &scope, &own, &result, index));
        (result, found)
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
        rankings,
        comparison: None,
    }
}

/// Results brought together by suite, and the record index of each: catalogues list suite by suite, but nothing
/// forces them to.
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

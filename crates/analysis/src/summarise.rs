//! Turns records into a document.

use crate::diagnose;
use crate::digest::{self, Digests};
use crate::parallel;
use crate::ranking;
use crate::run::IndexedRun;
use derny_estimate::{contention, machine};
use derny_model::{CaseResult, Document, Records, SuiteResult};

/// Computes the estimates and warnings of every case. Cases are in catalogue order, grouped by suite. The
/// document contains no comparison with another run.
pub fn summarise(records: &Records) -> Document {
    summarise_by(records, None)
}

/// Summarises a run like [`summarise()`], but uses `digests` instead of turns where possible.
pub fn summarise_by(records: &Records, digests: Option<&dyn Digests>) -> Document {
    let run = IndexedRun::new(records);
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

/// Groups results by suite, and returns their indices in the records. Catalogues usually list suite by suite,
/// but the protocol does not guarantee it.
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

//! Computes the results of a case from its valid visits.

use crate::process::Process;
use crate::scope::Scope;
use crate::time::{self, Timed};
use crate::{figures, metrics, witness};
use derny_estimate::level::Levels;
use derny_estimate::reject;
use derny_model::{Case, CaseResult, CaseState, Figure, Phase, StopReason, Turn, VariantResult, VisitRecord};
use std::collections::BTreeMap;

pub(crate) fn result(
    scope: &Scope,
    case: &Case,
    visits: &[&VisitRecord],
    ended: Option<StopReason>,
    failed: bool,
) -> CaseResult {
    let mut variants: BTreeMap<u32, BTreeMap<u32, Vec<&VisitRecord>>> = BTreeMap::new();
    let whole = |record: &&&VisitRecord| record.complete && measured(record).next().is_some();
    let (other_modes, first): (Vec<&VisitRecord>, Vec<&VisitRecord>) =
        visits.iter().filter(whole).copied().partition(|record| record.visit.mode.is_some());
    for record in first {
        if let Some(process) = scope.processes.get(&record.visit.process) {
            variants.entry(process.variant).or_default().entry(process.process).or_default().push(record);
        }
    }
    let levels = scope.levels.after(ended);
    let mut results: Vec<VariantResult> = variants
        .iter()
        .map(|(variant, processes)| {
            let name = scope.variants.get(*variant as usize).copied().unwrap_or_default();
            variant_result(scope, levels, case, name, processes, &other_modes)
        })
        .collect();
    if scope.witness {
        witness::test(scope, case, &variants, &mut results);
    }
    let state = state(ended, failed, !results.is_empty());
    CaseResult { case: case.clone(), state, variants: results, change: None }
}

fn state(ended: Option<StopReason>, failed: bool, measured: bool) -> CaseState {
    match ended {
        Some(StopReason::Failed) => CaseState::Failed,
        Some(StopReason::Skipped) => CaseState::Skipped,
        Some(StopReason::Once) => CaseState::Passed,
        Some(reason) if measured => CaseState::Measured(reason),
        None if failed => CaseState::Failed,
        None if measured => CaseState::Measured(StopReason::Interrupted),
        Some(_) | None => CaseState::Missing,
    }
}

fn measured<'a>(record: &'a VisitRecord) -> impl Iterator<Item = &'a Turn> + use<'a> {
    record.turns.iter().filter(|turn| turn.phase == Phase::Measured)
}

fn variant_result(
    scope: &Scope,
    levels: &Levels,
    case: &Case,
    name: &str,
    visits: &BTreeMap<u32, Vec<&VisitRecord>>,
    other_modes: &[&VisitRecord],
) -> VariantResult {
    let processes: Vec<Process> =
        visits.iter().map(|(id, records)| Process::new(scope.processes[id], case, records)).collect();
    let records: Vec<Vec<&VisitRecord>> = visits.values().cloned().collect();
    let with_modes: Vec<Vec<&VisitRecord>> = visits
        .iter()
        .map(|(id, records)| {
            let others = other_modes.iter().filter(|record| record.visit.process == *id);
            records.iter().chain(others).copied().collect()
        })
        .collect();
    let turns = records.iter().flatten().map(|record| measured(record).count()).sum::<usize>();
    let batches =
        records.iter().flatten().flat_map(|record| measured(record)).map(|turn| turn.times_ns.len());
    let timed = time::time(case, &processes, scope, levels);
    let (time, of_time) = timed.map(|Timed { summary, figures }| (summary, figures)).unzip();
    let of_time: Vec<Figure> = of_time.unwrap_or_default();
    let metrics = metrics::metrics(case, &with_modes, scope, levels);
    let told = records.iter().flatten().filter_map(|record| record.report.as_ref());
    VariantResult {
        texts: told.map(|report| &report.texts).rfind(|texts| !texts.is_empty()).cloned().unwrap_or_default(),
        variant: name.to_owned(),
        processes: processes.len() as u32,
        turns: turns as u32,
        batches: batches.sum::<usize>() as u64,
        rejected: rejected(&records, scope.reject),
        figures: of_time.into_iter().chain(figures::of_metrics(&metrics)).collect(),
        time,
        metrics: metrics.into(),
        suspicions: Vec::new(),
        untested: Vec::new(),
    }
}

fn rejected(records: &[Vec<&VisitRecord>], reject: &[String]) -> Vec<(String, u32)> {
    let causes = reject::CAUSES.iter().filter(|(cause, _)| reject.iter().any(|asked| asked == cause));
    let count = |counter: &str| {
        let turns = records.iter().flatten().flat_map(|record| {
            let position = record.visit.metrics.iter().position(|metric| metric.name == counter);
            let turns = record.turns.iter().filter(|turn| turn.phase == Phase::Rejected);
            turns.filter_map(move |turn| turn.counters.get(position?).copied().flatten())
        });
        turns.filter(|value| *value > 0.0).count() as u32
    };
    let counts = causes.map(|(cause, counter)| (cause.to_string(), count(counter)));
    counts.filter(|(_, count)| *count > 0).collect()
}

//! One case: which visits count, and what each variant came to.

use crate::level::Levels;
use crate::process::Process;
use crate::{metrics, time};
use derny_model::{
    Case, CaseResult, CaseState, Phase, ProcessStart, StopReason, Turn, VariantResult, VisitRecord,
};
use std::collections::{BTreeMap, HashMap};

/// What analysis needs to know of the run that a case belongs to.
pub(crate) struct Context<'a> {
    /// Processes by number.
    pub processes: HashMap<u32, &'a ProcessStart>,
    /// Names of the variants.
    pub variants: Vec<&'a str>,
    /// Levels of intervals.
    pub levels: Levels,
}

/// Fewer measured turns than this, where other visits of the case have more, mean that the visit was cut short.
const COMPLETE: usize = 3;
/// A case whose turns take this long, in ns, has few turns because it is slow.
const SLOW_NS: u64 = 100_000_000;

/// The result of one case from its visits, in the order in which they were opened.
pub(crate) fn result(
    context: &Context,
    case: &Case,
    visits: &[&VisitRecord],
    ended: Option<StopReason>,
    failed: bool,
) -> CaseResult {
    let mut variants: BTreeMap<u32, BTreeMap<u32, Vec<&VisitRecord>>> = BTreeMap::new();
    for record in visits {
        if let Some(process) = context.processes.get(&record.visit.process) {
            variants.entry(process.variant).or_default().entry(process.process).or_default().push(record);
        }
    }
    let least = if complete_turns(visits) { COMPLETE } else { 1 };
    let variants: Vec<VariantResult> = variants
        .iter()
        .map(|(variant, processes)| {
            let name = context.variants.get(*variant as usize).copied().unwrap_or_default();
            variant_result(context, case, name, processes, least)
        })
        .filter(|result| result.processes > 0)
        .collect();
    let state = state(ended, failed, !variants.is_empty());
    CaseResult { case: case.clone(), state, variants, change: None }
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

/// Whether the case's visits have many turns each, so that one with hardly any was cut short.
fn complete_turns(visits: &[&VisitRecord]) -> bool {
    let most = visits.iter().map(|record| measured(record).count()).max().unwrap_or(0);
    let slowest =
        visits.iter().flat_map(|record| measured(record)).map(|turn| turn.wall_ns).min().unwrap_or(0);
    most >= COMPLETE && slowest < SLOW_NS
}

fn measured<'a>(record: &'a VisitRecord) -> impl Iterator<Item = &'a Turn> + use<'a> {
    record.turns.iter().filter(|turn| turn.phase == Phase::Measured)
}

fn variant_result(
    context: &Context,
    case: &Case,
    name: &str,
    visits: &BTreeMap<u32, Vec<&VisitRecord>>,
    least: usize,
) -> VariantResult {
    let complete: Vec<(&ProcessStart, Vec<&VisitRecord>)> = visits
        .iter()
        .filter(|(_, records)| records.iter().map(|record| measured(record).count()).sum::<usize>() >= least)
        .map(|(process, records)| (context.processes[process], records.clone()))
        .collect();
    let processes: Vec<Process> =
        complete.iter().map(|(start, records)| Process::new(start, case, records)).collect();
    let records: Vec<Vec<&VisitRecord>> = complete.into_iter().map(|(_, records)| records).collect();
    let turns = records.iter().flatten().map(|record| measured(record).count()).sum::<usize>();
    let batches =
        records.iter().flatten().flat_map(|record| measured(record)).map(|turn| turn.times_ns.len());
    VariantResult {
        variant: name.to_owned(),
        processes: processes.len() as u32,
        turns: turns as u32,
        batches: batches.sum::<usize>() as u64,
        rejected: rejected(&records),
        time: time::time(case, &processes, &records, &context.levels),
        metrics: metrics::metrics(case, &records, &context.levels),
    }
}

/// Counters that name a cause for which turns are measured again.
const CAUSES: [(&str, &str); 4] =
    [("gc", "gc"), ("compiled", "compile"), ("classes", "classload"), ("preempted", "preempted")];

/// Rejected turns by cause: every cause whose counter moved in the turn; `other` where none did.
fn rejected(records: &[Vec<&VisitRecord>]) -> Vec<(String, u32)> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for record in records.iter().flatten() {
        for turn in record.turns.iter().filter(|turn| turn.phase == Phase::Rejected) {
            let mut found = false;
            for (counter, cause) in CAUSES {
                let position = record.visit.metrics.iter().position(|metric| metric.name == counter);
                let value = position.and_then(|position| turn.counters.get(position).copied().flatten());
                if value.is_some_and(|value| value > 0.0) {
                    *counts.entry(cause).or_default() += 1;
                    found = true;
                }
            }
            if !found {
                *counts.entry("other").or_default() += 1;
            }
        }
    }
    counts.into_iter().map(|(cause, count)| (cause.to_owned(), count)).collect()
}

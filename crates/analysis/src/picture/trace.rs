//! Turns in time order, process by process.

use super::{Quantified, facts, name};
use crate::turn;
use derny_model::picture::{Panel, Picture, ProcessTrace, Shape, TurnPoint};
use derny_model::{CaseId, Document, Phase, ProcessStart, Records, Turn, VisitRecord};
use std::collections::HashMap;

/// The turns of one case.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseTrace {
    /// Index into the document's cases.
    pub case: usize,
    /// Its processes in the order of their numbers.
    pub processes: Vec<ProcessTrace>,
}

/// The warm-up, measured and rejected turns of every case of `document`, which was made of `records`. Visits that were cut off
/// are left out, as they are in every estimate.
pub fn traces(document: &Document, records: &Records) -> Vec<CaseTrace> {
    let starts: HashMap<u32, &ProcessStart> =
        records.processes.iter().map(|process| (process.process, process)).collect();
    let places: HashMap<&CaseId, usize> =
        document.cases().enumerate().map(|(place, case)| (&case.case.id, place)).collect();
    let mut all: Vec<CaseTrace> =
        (0..places.len()).map(|case| CaseTrace { case, processes: Vec::new() }).collect();
    for record in records.visits.iter().filter(|record| record.complete) {
        let case = records.cases.get(record.visit.case as usize);
        let Some(case) = case else { continue };
        let (Some(place), Some(start)) = (places.get(&case.id), starts.get(&record.visit.process)) else {
            continue;
        };
        let processes = &mut all[*place].processes;
        let points =
            record.turns.iter().filter_map(|turn| point(record, turn, case.ops, start.clock_step_ns));
        match processes.iter_mut().find(|trace| trace.process == start.process) {
            Some(trace) => trace.turns.extend(points),
            None => processes.push(ProcessTrace {
                process: start.process,
                block: start.block,
                variant: start.variant,
                turns: points.collect(),
            }),
        }
    }
    for trace in &mut all {
        trace.processes.sort_by_key(|process| process.process);
    }
    all
}

fn point(record: &VisitRecord, turn: &Turn, ops: f64, clock_step_ns: u64) -> Option<TurnPoint> {
    if !matches!(turn.phase, Phase::WarmUp | Phase::Measured | Phase::Rejected) {
        return None;
    }
    let values: Vec<f64> = turn::values(turn, ops).collect();
    let value = turn::location(turn, &values, clock_step_ns)?;
    let ends = values.iter().fold((value, value), |(lo, hi), v| (v.min(lo), v.max(hi)));
    Some(TurnPoint { at_ns: turn.at_ns, value, range: ends, phase: turn.phase, causes: causes(record, turn) })
}

fn causes(record: &VisitRecord, turn: &Turn) -> u8 {
    let counted = |name: &str| {
        let position = record.visit.metrics.iter().position(|metric| metric.name == name);
        position.and_then(|position| turn.counters.get(position).copied().flatten()).is_some_and(|n| n > 0.0)
    };
    let causes = TurnPoint::CAUSES.iter().enumerate();
    causes.filter(|(_, (_, counter))| counted(counter)).fold(0, |bits, (bit, _)| bits | 1 << bit)
}

/// The same as a chart.
pub fn traced(document: &Document, records: &Records) -> Picture {
    let several = document.suites.len() > 1;
    let names: Vec<String> = document.cases().map(|case| name(case, several)).collect();
    let panels = traces(document, records)
        .into_iter()
        .filter(|trace| trace.processes.iter().any(|process| !process.turns.is_empty()))
        .map(|trace| Panel { name: names[trace.case].clone(), content: trace.processes });
    let mut facts = facts(document);
    facts.push("each dot a turn, its line from the quickest to the slowest batch".to_owned());
    Picture {
        title: "Turns in time order".to_owned(),
        facts,
        quantity: Quantified::new("time", false).words(),
        unit: "ns".to_owned(),
        series: document.run.variants.iter().map(|variant| variant.name.clone()).collect(),
        log: false,
        shape: Shape::Traces(panels.collect()),
    }
}

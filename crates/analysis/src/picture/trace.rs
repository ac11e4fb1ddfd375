//! Turns in time order, process by process.

use super::{Quantified, facts, name};
use crate::metrics;
use derny_estimate::turn;
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
    traces_of(document, records, None)
}

/// Times, or the values of a metric.
fn traces_of(document: &Document, records: &Records, metric: Option<&str>) -> Vec<CaseTrace> {
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
        let one = |turn| match metric {
            None => point(record, turn, case.ops, start.clock_step_ns),
            Some(name) => counted(record, turn, case.ops, name),
        };
        let points = record.turns.iter().filter_map(one);
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

fn is_drawn(turn: &Turn) -> bool {
    matches!(turn.phase, Phase::WarmUp | Phase::Measured | Phase::Rejected)
}

fn point(record: &VisitRecord, turn: &Turn, ops: f64, clock_step_ns: u64) -> Option<TurnPoint> {
    if !is_drawn(turn) {
        return None;
    }
    let values: Vec<f64> = turn::values(turn, ops).collect();
    let value = turn::location(turn, &values, clock_step_ns)?;
    let ends = values.iter().fold((value, value), |(lo, hi), v| (v.min(lo), v.max(hi)));
    Some(TurnPoint { at_ns: turn.at_ns, value, range: ends, phase: turn.phase, causes: causes(record, turn) })
}

/// A counter at the end of a turn: a total per operation, another as it is.
fn counted(record: &VisitRecord, turn: &Turn, ops: f64, name: &str) -> Option<TurnPoint> {
    let position = record.visit.metrics.iter().position(|metric| metric.name == name)?;
    let counter = turn.counters.get(position).copied().flatten().filter(|_| is_drawn(turn))?;
    let value = counter / metrics::operations(&record.visit.metrics[position], turn, ops).unwrap_or(1.0);
    let phase = turn.phase;
    let causes = causes(record, turn);
    value.is_finite().then_some(TurnPoint { at_ns: turn.at_ns, value, range: (value, value), phase, causes })
}

fn causes(record: &VisitRecord, turn: &Turn) -> u8 {
    let counted = |name: &str| {
        let position = record.visit.metrics.iter().position(|metric| metric.name == name);
        position.and_then(|position| turn.counters.get(position).copied().flatten()).is_some_and(|n| n > 0.0)
    };
    let causes = TurnPoint::CAUSES.iter().enumerate();
    causes.filter(|(_, (_, counter))| counted(counter)).fold(0, |bits, (bit, _)| bits | 1 << bit)
}

/// The same as a chart, of times or of a metric.
pub fn traced(document: &Document, records: &Records, quantity: &Quantified) -> Picture {
    let several = document.suites.len() > 1;
    let names: Vec<String> = document.cases().map(|case| name(case, several)).collect();
    let time = quantity.is_time();
    let panels = traces_of(document, records, (!time).then(|| quantity.name()))
        .into_iter()
        .filter(|trace| trace.processes.iter().any(|process| !process.turns.is_empty()))
        .map(|trace| Panel { name: names[trace.case].clone(), content: trace.processes });
    let mut facts = facts(document);
    let line = if time { ", its line from the quickest to the slowest batch" } else { "" };
    facts.push(format!("each dot a turn{line}"));
    Picture {
        title: "Turns in time order".to_owned(),
        facts,
        quantity: quantity.words(),
        unit: quantity.unit(document),
        series: document.run.variants.iter().map(|variant| variant.name.clone()).collect(),
        log: false,
        shape: Shape::Traces(panels.collect()),
    }
}

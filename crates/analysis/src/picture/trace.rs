//! Charts of turns in chronological order, by process.

use super::facts::{facts, name};
use super::quantity::Quantified;
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
    /// Processes, in the order of their numbers.
    pub processes: Vec<ProcessTrace>,
}

/// Returns the warm-up, measured and rejected turns of every case of `document`, which was made from
/// `records`. Omits incomplete visits, as estimates do.
pub fn traces(document: &Document, records: &Records) -> Vec<CaseTrace> {
    Traces::new(document, records).all(None)
}

/// Gives access to the turns of a run, case by case.
pub struct Traces<'a> {
    records: &'a Records,
    starts: HashMap<u32, &'a ProcessStart>,
    /// Complete visits of every case in the document.
    visits: Vec<Vec<&'a VisitRecord>>,
}

impl<'a> Traces<'a> {
    /// Indexes the cases of `document`, which was made from `records`.
    pub fn new(document: &Document, records: &'a Records) -> Traces<'a> {
        let starts = records.processes.iter().map(|process| (process.process, process)).collect();
        let places: HashMap<&CaseId, usize> =
            document.cases().enumerate().map(|(place, case)| (&case.case.id, place)).collect();
        let mut visits = vec![Vec::new(); places.len()];
        for record in records.visits.iter().filter(|record| record.complete) {
            let case = records.cases.get(record.visit.case as usize);
            if let Some(place) = case.and_then(|case| places.get(&case.id)) {
                visits[*place].push(record);
            }
        }
        Traces { records, starts, visits }
    }

    /// Returns the number of turns of all cases, with and without warm-up.
    pub fn count(&self) -> (usize, usize) {
        let facts = self.visits.iter().flatten().map(|record| record.turns.facts());
        facts.fold((0, 0), |(all, without), facts| {
            let other = (facts.measured + facts.rejected) as usize;
            (all + facts.warm_up as usize + other, without + other)
        })
    }

    /// Returns the processes of the case at index `case`, in order of their numbers.
    pub fn of(&self, case: usize) -> Vec<ProcessTrace> {
        self.of_case(case, None)
    }

    fn of_case(&self, case: usize, metric: Option<&str>) -> Vec<ProcessTrace> {
        let mut processes: Vec<ProcessTrace> = Vec::new();
        for record in self.visits.get(case).into_iter().flatten() {
            let Some(start) = self.starts.get(&record.visit.process) else { continue };
            let record = record.at_hand();
            let ops = self.records.cases[record.visit.case as usize].ops;
            let one = |turn| match metric {
                None => point(&record, turn, ops, start.clock_step_ns),
                Some(name) => counted(&record, turn, ops, name),
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
        processes.sort_by_key(|process| process.process);
        processes
    }

    fn all(&self, metric: Option<&str>) -> Vec<CaseTrace> {
        let one = |case| CaseTrace { case, processes: self.of_case(case, metric) };
        (0..self.visits.len()).map(one).collect()
    }
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

/// Returns a chart of turns over time, with their times or a metric.
pub fn traced(document: &Document, records: &Records, quantity: &Quantified) -> Picture {
    let several = document.suites.len() > 1;
    let names: Vec<String> = document.cases().map(|case| name(case, several)).collect();
    let time = quantity.is_time();
    let panels = Traces::new(document, records)
        .all((!time).then(|| quantity.name()))
        .into_iter()
        .filter(|trace| trace.processes.iter().any(|process| !process.turns.is_empty()))
        .map(|trace| Panel { name: names[trace.case].clone(), content: trace.processes });
    let mut facts = facts(document);
    let line = if time { ", with a line from its fastest to its slowest batch" } else { "" };
    facts.push(format!("one dot per turn{line}"));
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

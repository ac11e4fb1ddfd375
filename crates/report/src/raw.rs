//! Raw data: one row per batch, in chronological order.

use crate::csv;
use derny_model::{Case, Metric, Phase, ProcessStart, Records, Turn, VisitRecord};
use serde::{Serialize, Serializer};
use std::collections::HashMap;

/// A batch. A turn whose values were reported by a tool has no batches, and is one row without a time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurnRow<'a> {
    /// Name of the suite.
    pub suite: &'a str,
    /// Name of the benchmark.
    pub benchmark: &'a str,
    /// Names and values of the parameters.
    #[serde(serialize_with = "map")]
    pub params: &'a [(String, String)],
    /// Name of the variant.
    pub variant: &'a str,
    /// Number of the process within the run.
    pub process: u32,
    /// Number of the visit within the run.
    pub visit: u32,
    /// True if the visit was completed. Analysis ignores the rows of other visits.
    pub complete: bool,
    /// Number of the round within the visit.
    pub round: u32,
    /// Phase of the turn.
    pub phase: Phase,
    /// Iterations of the batch. 0 if the body timed itself and used its own configuration.
    pub iterations: u64,
    /// Index of the batch within its turn.
    pub batch: Option<u32>,
    /// Operations of the batch.
    pub operations: Option<f64>,
    /// Time of the batch, in ns.
    pub time_ns: Option<u64>,
    /// Processor to which the measuring thread was pinned.
    pub cpu: Option<u32>,
    /// Start of the turn, in ns since the start of the run.
    pub at_ns: u64,
    /// Names and values of the counters that could be read. They are totals over the turn, repeated for each
    /// of its batches.
    #[serde(serialize_with = "counters")]
    pub counters: Vec<(&'a str, f64)>,
    /// Measuring mode, unless it is the harness's default.
    pub mode: Option<&'a str>,
}

const HEAD: [&str; 14] = [
    "variant",
    "process",
    "visit",
    "complete",
    "round",
    "phase",
    "iterations",
    "batch",
    "operations",
    "time_ns",
    "cpu",
    "at_ns",
    "counters",
    "mode",
];

/// Returns the batches of a run, in the order of its visits.
pub fn rows(records: &Records) -> impl Iterator<Item = TurnRow<'_>> {
    let starts: HashMap<u32, &ProcessStart> =
        records.processes.iter().map(|process| (process.process, process)).collect();
    records.visits.iter().flat_map(move |record| {
        let case = records.cases.get(record.visit.case as usize);
        let variant = starts.get(&record.visit.process).map_or(0, |start| start.variant as usize);
        let variant = records.header.variants.get(variant).map_or("", |variant| variant.name.as_str());
        let turns: &[Turn] = if case.is_some() { &record.turns } else { &[] };
        turns.iter().flat_map(move |turn| {
            let batches = turn.times_ns.len().max(1);
            (0..batches).filter_map(move |batch| Some(row(case?, variant, record, turn, batch)))
        })
    })
}

fn row<'a>(
    case: &'a Case,
    variant: &'a str,
    record: &'a VisitRecord,
    turn: &'a Turn,
    batch: usize,
) -> TurnRow<'a> {
    let time_ns = turn.times_ns.get(batch).copied();
    TurnRow {
        suite: &case.id.suite,
        benchmark: &case.id.benchmark,
        params: &case.id.params,
        variant,
        process: record.visit.process,
        visit: record.visit.visit,
        complete: record.complete,
        round: turn.round,
        phase: turn.phase,
        iterations: turn.iterations,
        batch: time_ns.map(|_| batch as u32),
        operations: time_ns.map(|_| turn.operations(batch, case.ops)).filter(|value| value.is_finite()),
        time_ns,
        cpu: turn.cpu,
        at_ns: turn.at_ns,
        counters: joined(&record.visit.metrics, &turn.counters),
        mode: record.visit.mode.as_deref(),
    }
}

fn joined<'a>(metrics: &'a [Metric], counters: &[Option<f64>]) -> Vec<(&'a str, f64)> {
    let values = metrics.iter().zip(counters);
    values.filter_map(|(metric, value)| value.map(|value| (metric.name.as_str(), value))).collect()
}

/// Returns the batches of a run as lines of CSV with a header. `counters` is one field of `name=value` pairs.
pub fn csv(records: &Records) -> impl Iterator<Item = String> {
    let parameters = csv::Parameters::of(records.cases.iter().map(|case| case.id.params.as_slice()));
    let head = csv::row(&parameters.head(&HEAD));
    std::iter::once(head).chain(rows(records).map(move |row| csv_row(&row, &parameters)))
}

fn csv_row(row: &TurnRow, parameters: &csv::Parameters) -> String {
    let optional = |value: Option<String>| value.unwrap_or_default();
    let counters = row.counters.iter().map(|(name, value)| format!("{}={value}", csv::encode(name)));
    let mut cells = parameters.row(row.suite, row.benchmark, row.params);
    cells.extend([
        row.variant.to_owned(),
        row.process.to_string(),
        row.visit.to_string(),
        row.complete.to_string(),
        row.round.to_string(),
        phase(row.phase).to_owned(),
        row.iterations.to_string(),
        optional(row.batch.map(|batch| batch.to_string())),
        optional(row.operations.map(|operations| operations.to_string())),
        optional(row.time_ns.map(|time| time.to_string())),
        optional(row.cpu.map(|cpu| cpu.to_string())),
        row.at_ns.to_string(),
        counters.collect::<Vec<_>>().join(" "),
        row.mode.unwrap_or_default().to_owned(),
    ]);
    csv::row(&cells)
}

/// Returns the batches as lines of NDJSON, with `params` and `counters` as objects.
pub fn ndjson(records: &Records) -> impl Iterator<Item = String> {
    rows(records).map(|row| {
        let mut line = crate::json::line(&row);
        line.push('\n');
        line
    })
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Cold => "cold",
        Phase::Calibration => "calibration",
        Phase::WarmUp => "warm-up",
        Phase::Measured => "measured",
        Phase::Overhead => "overhead",
        Phase::Rejected => "rejected",
        Phase::Collection => "collection",
        Phase::Settling => "settling",
        Phase::Window => "window",
    }
}

fn map<S: Serializer>(pairs: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(key, value)| (key, value)))
}

fn counters<S: Serializer>(pairs: &Vec<(&str, f64)>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().copied())
}

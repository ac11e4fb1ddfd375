//! Google Benchmark's JSON: repetitions as samples of one process, counters as metrics, aggregates as what the tool states.

use crate::cases::Own;
use crate::foreign::{Foreign, Sample, Stated, metric, stated};
use crate::json::{self, Number};
use crate::{Input, ReadError, time};
use derny_model::{Direction, Kind, Metric, Reported};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;

const SUITE: &str = "google-benchmark";
/// Parts of a name that say how it was measured.
const HOW: [&str; 4] = ["repeats", "iterations", "min_time", "min_warmup_time"];
/// Forms of a document that are known.
const SCHEMA: u64 = 1;

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    context: Map<String, Value>,
}

#[derive(Deserialize)]
struct Row {
    name: String,
    run_name: Option<String>,
    run_type: Option<String>,
    aggregate_name: Option<String>,
    aggregate_unit: Option<String>,
    threads: Option<u32>,
    iterations: Option<Number>,
    real_time: Option<Number>,
    cpu_time: Option<Number>,
    time_unit: Option<String>,
    #[serde(default)]
    error_occurred: bool,
    error_message: Option<String>,
    skip_message: Option<String>,
    label: Option<String>,
    /// Counters, and what is of no use here.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// Keys that are no counters.
const KNOWN: [&str; 9] = [
    "family_index",
    "per_family_instance_index",
    "repetitions",
    "repetition_index",
    "big_o",
    "rms",
    "cpu_coefficient",
    "real_coefficient",
    "skipped",
];

/// What every file has.
pub(crate) const KEYS: &[&[&str]] = &[&["context.num_cpus"]];

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let file: File = json::document(input)?;
    let context = |key: &str| file.context.get(key).map(json::text).unwrap_or_default();
    if let Some(schema) =
        file.context.get("json_schema_version").and_then(Value::as_u64).filter(|s| *s > SCHEMA)
    {
        return Err(ReadError::whole(format!(
            "its json_schema_version is {schema}, and up to {SCHEMA} are known: a newer Google Benchmark wrote it"
        )));
    }
    let tool = format!("google-benchmark {}", context("library_version"));
    let mut foreign = Foreign::new(tool.trim(), "c++");
    describe(&mut foreign, &file.context);
    foreign.says("whether other processes would differ: all repetitions are of one process");
    foreign.says("which way is better of user counters that are no rates: they have no verdict");
    let mut rows = Rows::default();
    let mut aggregates = Vec::new();
    json::each(input, Some("benchmarks"), &mut |row: Row| {
        rows.take(&mut foreign, &row)?;
        if is_aggregate(&row) {
            aggregates.push(row);
        }
        Ok(())
    })?;
    rows.means_only(&mut foreign, &aggregates)?;
    let process = foreign.process(0, 0);
    for Taken { case, metrics, samples, stated } in rows.all {
        foreign.visit((process, case), &metrics, &samples, stated);
    }
    Ok(foreign)
}

/// What becomes a visit: the rows of one case need not follow one another.
struct Taken {
    case: usize,
    metrics: Arc<[Metric]>,
    samples: Vec<Sample>,
    stated: Vec<Stated>,
}

/// The rows of a file, which are taken one after the other.
#[derive(Default)]
struct Rows {
    all: Vec<Taken>,
    /// The visit of a case whose samples have these metrics.
    visits: HashMap<(usize, Vec<String>), usize>,
    /// The last visit of each case that has one.
    last: Vec<Option<usize>>,
}

fn is_aggregate(row: &Row) -> bool {
    row.run_type.as_deref() == Some("aggregate") || row.aggregate_name.is_some()
}

fn case_of(foreign: &mut Foreign, row: &Row) -> usize {
    let printed = row.run_name.as_deref().unwrap_or(&row.name);
    let (benchmark, params) = name(printed);
    let case = foreign.case(Own::Named(printed), SUITE, &benchmark, params);
    foreign.cases.change(case, |own| {
        own.printed = Some(printed.to_owned());
        own.threads = row.threads;
        if let Some(label) = row.label.as_ref().filter(|label| !own.tags.contains(label)) {
            own.tags.push(label.clone());
        }
    });
    case
}

impl Rows {
    fn take(&mut self, foreign: &mut Foreign, row: &Row) -> Result<(), ReadError> {
        let case = case_of(foreign, row);
        let wrong = |what: &str| ReadError::whole(format!("`{}` has {what}", row.name));
        if row.error_occurred || row.skip_message.is_some() {
            let why = row.error_message.as_ref().or(row.skip_message.as_ref());
            let why = why.filter(|why| !why.is_empty()).cloned();
            foreign.failed.push((case, why.unwrap_or_else(|| "it was skipped".to_owned())));
            return Ok(());
        }
        let unit = unit(row).ok_or_else(|| wrong("a time_unit that is none of ns, us, ms and s"))?;
        if is_aggregate(row) {
            if let Some((own, said)) = self.of(case).zip(statement(row, unit)) {
                let said = foreign.said([said]);
                self.all[own].stated.extend(said);
            }
            return Ok(());
        }
        let each = row.real_time.and_then(Number::time).ok_or_else(|| wrong("no real_time"))? * unit;
        let iterations = row.iterations.and_then(Number::time).unwrap_or(1.0).max(1.0) as u64;
        let timed = Sample::of(each, iterations);
        let operations = timed.operations.unwrap_or(timed.iterations as f64);
        let mut metrics = vec![metric("cpu", "ns", Kind::Total, Direction::Less)];
        let mut counters = vec![row.cpu_time.and_then(Number::time).map(|time| time * unit * operations)];
        for (name, value) in counted(row) {
            metrics.push(counter(name));
            counters.push(value.finite());
        }
        foreign.declare(case, &metrics[1..]);
        let own = self.visit(foreign, case, metrics);
        self.all[own].samples.push(Sample { counters: counters.into(), ..timed });
        Ok(())
    }

    /// The last visit of a case.
    fn of(&self, case: usize) -> Option<usize> {
        self.last.get(case).copied().flatten()
    }

    /// The visit of a case whose samples have these metrics. A metric is known by its name.
    fn visit(&mut self, foreign: &mut Foreign, case: usize, metrics: Vec<Metric>) -> usize {
        let names = metrics.iter().map(|metric| metric.name.clone()).collect();
        let own = *self.visits.entry((case, names)).or_insert_with(|| {
            let (metrics, samples, stated) = (foreign.shared(&metrics), Vec::new(), Vec::new());
            self.all.push(Taken { case, metrics, samples, stated });
            self.all.len() - 1
        });
        self.last.resize(self.last.len().max(case + 1), None);
        self.last[case] = self.last[case].max(Some(own));
        own
    }

    /// Of benchmarks that have aggregates only, the mean is all there is.
    fn means_only(&mut self, foreign: &mut Foreign, rows: &[Row]) -> Result<(), ReadError> {
        let mut aggregates: HashMap<Option<&str>, Vec<&Row>> = HashMap::new();
        for row in rows {
            aggregates.entry(row.run_name.as_deref()).or_default().push(row);
        }
        let mut any = false;
        for row in rows.iter().filter(|row| row.aggregate_name.as_deref() == Some("mean")) {
            let case = case_of(foreign, row);
            let Some(unit) = unit(row).filter(|_| self.of(case).is_none()) else { continue };
            let each = row.real_time.and_then(Number::time);
            let each = each.ok_or_else(|| ReadError::whole(format!("`{}` has no real_time", row.name)))?;
            let own = self.visit(foreign, case, Vec::new());
            self.all[own].samples.push(Sample::of(each * unit, 1));
            let same = aggregates.get(&row.run_name.as_deref()).into_iter().flatten();
            let said = foreign.said(same.filter_map(|other| statement(other, unit)));
            self.all[own].stated = said;
            any = true;
        }
        if any {
            foreign.says("repetitions of some benchmarks: of these there are only a mean and its deviation");
        }
        Ok(())
    }
}

fn statement(row: &Row, unit: f64) -> Option<Reported> {
    let name = match row.aggregate_name.as_deref()? {
        "stddev" => "sd",
        "BigO" | "RMS" => return None,
        other => other,
    };
    let value = row.real_time?.finite()?;
    Some(match row.aggregate_unit.as_deref() {
        Some("percentage") => stated(name, "share", value),
        _ => stated(name, "ns", value * unit),
    })
}

/// ns in one of its units.
fn unit(row: &Row) -> Option<f64> {
    crate::units::ns(row.time_unit.as_deref().unwrap_or("ns"))
}

fn counted(row: &Row) -> impl Iterator<Item = (&String, Number)> {
    let numbers = row.rest.iter().filter(|(key, _)| !KNOWN.contains(&key.as_str()));
    numbers.filter_map(|(key, value)| Some((key, serde_json::from_value(value.clone()).ok()?)))
}

fn counter(name: &str) -> Metric {
    match name {
        "bytes_per_second" => metric(name, "B/s", Kind::Rate, Direction::More),
        "items_per_second" => metric(name, "items/s", Kind::Rate, Direction::More),
        "allocs_per_iter" => metric(name, "count", Kind::Rate, Direction::Less),
        "max_bytes_used" => metric(name, "B", Kind::Peak, Direction::Less),
        _ => metric(name, "", Kind::Level, Direction::None),
    }
}

/// `BM_Str/n:8/64/repeats:3` is the benchmark `BM_Str/64` with the parameter `n`.
fn name(printed: &str) -> (String, Vec<(String, String)>) {
    let mut parts = printed.split('/');
    let mut benchmark = parts.next().unwrap_or_default().to_owned();
    let mut params: Vec<(String, String)> = Vec::new();
    for part in parts {
        match part.split_once(':') {
            Some((key, _)) if HOW.contains(&key) => {}
            Some((key, value))
                if !key.is_empty()
                    && !value.starts_with(':')
                    && !params.iter().any(|(known, _)| known == key) =>
            {
                params.push((key.to_owned(), value.to_owned()));
            }
            _ => {
                benchmark.push('/');
                benchmark.push_str(part);
            }
        }
    }
    (benchmark, params)
}

fn describe(foreign: &mut Foreign, context: &Map<String, Value>) {
    foreign.started_ms = context.get("date").and_then(Value::as_str).and_then(time::parse);
    let machine = &mut foreign.machine;
    machine.host = context.get("host_name").map(json::text).unwrap_or_default();
    machine.cores = context.get("num_cpus").and_then(Value::as_u64).unwrap_or(0) as u32;
    for (key, value) in context {
        machine.facts.insert(key.clone(), json::text(value));
    }
}

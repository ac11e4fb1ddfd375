//! Reads Google Benchmark's JSON. Repetitions become samples of one process, counters become metrics, and
//! aggregates become computed values.

mod row;

use crate::cases::CaseIdentity;
use crate::foreign::{Foreign, NO_TIME, Sample, Stated, metric, stated};
use crate::json::{self, Number};
use crate::{Input, ReadError, time};
use derny_model::{Direction, Kind, Metric, Reported};
use row::{Older, Row};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

const SUITE: &str = "google-benchmark";
/// Newest known version of the schema.
const SCHEMA: u64 = 1;

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    context: Map<String, Value>,
}

pub(crate) const KEYS: &[&[&str]] = &[&["context.num_cpus"]];

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let file: File = json::document(input)?;
    let context = |key: &str| file.context.get(key).map(json::text).unwrap_or_default();
    if let Some(schema) =
        file.context.get("json_schema_version").and_then(Value::as_u64).filter(|s| *s > SCHEMA)
    {
        return Err(ReadError::whole(format!(
            "its json_schema_version is {schema}, but only versions up to {SCHEMA} are supported"
        )));
    }
    let tool = format!("google-benchmark {}", context("library_version"));
    let mut foreign = Foreign::new(tool.trim(), "c++");
    describe(&mut foreign, &file.context);
    foreign.says("differences between processes (all repetitions come from one process)");
    foreign.says("better direction of user counters that are not rates (they have no verdict)");
    let executable = Some(context("executable")).filter(|path| !path.is_empty());
    let (mut rows, mut older) = (Rows { executable, ..Rows::default() }, Older::default());
    json::each(input, Some("benchmarks"), &mut |row: Row| {
        older.take(row).into_iter().try_for_each(|row| rows.take(&mut foreign, row))
    })?;
    older.rest().into_iter().try_for_each(|row| rows.take(&mut foreign, row))?;
    rows.means_only(&mut foreign);
    rows.none(&mut foreign);
    let process = foreign.process(0, 0);
    for Taken { case, metrics, samples, stated } in rows.all {
        foreign.visit((process, case), &metrics, &samples, stated);
    }
    Ok(foreign)
}

struct Taken {
    case: usize,
    metrics: Arc<[Metric]>,
    samples: Vec<Sample>,
    stated: Vec<Stated>,
}

/// State of the rows with the same key.
#[derive(Clone, Default)]
struct Same {
    count: u32,
    case: usize,
    repetition: Option<u64>,
    has_mean: bool,
}

#[derive(Default)]
struct Rows {
    executable: Option<String>,
    all: Vec<Taken>,
    /// State of benchmarks with equal keys, by the index of their first case.
    same: HashMap<usize, Same>,
    visits: HashMap<(usize, Vec<String>), usize>,
    last: Vec<Option<usize>>,
    aggregates: Vec<(usize, Row)>,
    none: BTreeSet<usize>,
}

impl Rows {
    /// Returns the case of a row. A repeated repetition index or mean begins another benchmark with the same
    /// name.
    fn case(&mut self, foreign: &mut Foreign, row: &Row) -> usize {
        let (key, (benchmark, params)) = (row.key(), row.named());
        let first = foreign.case(CaseIdentity::Named(&key), SUITE, &benchmark, params.clone());
        let same = self.same.entry(first).or_insert_with(|| Same { case: first, ..Same::default() });
        let is_mean = row.own.aggregate_name.as_deref() == Some("mean");
        let repetition = row.own.repetition_index.filter(|_| !row.is_aggregate());
        let again = repetition.is_some() && repetition <= same.repetition || is_mean && same.has_mean;
        if again {
            same.count += 1;
            let own = format!("{key}\0{}", same.count);
            same.case = foreign.case(CaseIdentity::Named(&own), SUITE, &benchmark, params);
            same.repetition = None;
        }
        same.repetition = repetition.or(same.repetition);
        same.has_mean = is_mean || same.has_mean && !again;
        let case = same.case;
        foreign.cases.change(case, |own| {
            own.printed = Some(row.run_name().to_owned());
            own.file.clone_from(&self.executable);
            own.threads = row.own.threads;
            if let Some(label) = row.own.label.as_ref().filter(|label| !own.tags.contains(label)) {
                own.tags.push(label.clone());
            }
        });
        case
    }

    fn take(&mut self, foreign: &mut Foreign, row: Row) -> Result<(), ReadError> {
        let case = self.case(foreign, &row);
        let own = &row.own;
        let wrong = |what: &str| ReadError::whole(format!("`{}` has {what}", own.name));
        if own.error_occurred || own.skip_message.is_some() {
            let why = own.error_message.as_ref().or(own.skip_message.as_ref());
            let why = why.filter(|why| !why.is_empty()).cloned();
            foreign.fail(case, why.unwrap_or_else(|| "it was skipped".to_owned()));
            return Ok(());
        }
        let unit = unit(&row).ok_or_else(|| wrong("a time_unit other than ns, us, ms and s"))?;
        if row.is_aggregate() {
            if let Some((at, said)) = self.of(case).zip(statement(&row, unit)) {
                let said = foreign.said([said]);
                self.all[at].stated.extend(said);
            }
            self.aggregates.push((case, row));
            return Ok(());
        }
        let each = own.real_time.ok_or_else(|| wrong("no real_time"))?;
        let Some(each) = each.time() else {
            foreign.leave_out(case, 1);
            self.none.insert(case);
            return Ok(());
        };
        let iterations = own.iterations.and_then(Number::time).unwrap_or(1.0).max(1.0) as u64;
        let mut metrics = vec![metric("cpu", "ns", Kind::Total, Direction::Less)];
        let mut counters =
            vec![own.cpu_time.and_then(Number::time).map(|time| time * unit * iterations as f64)];
        for (name, value) in row.counters() {
            metrics.push(counter(name));
            counters.push(value.finite());
        }
        foreign.declare(case, &metrics[1..]);
        let at = self.visit(foreign, case, metrics);
        let sample = Sample { counters: counters.into(), ..Sample::of(each * unit, iterations) };
        self.all[at].samples.push(sample);
        Ok(())
    }

    fn of(&self, case: usize) -> Option<usize> {
        self.last.get(case).copied().flatten()
    }

    /// Returns the visit of a case whose samples have metrics of these names.
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

    /// Uses the mean of benchmarks that have only aggregates.
    fn means_only(&mut self, foreign: &mut Foreign) {
        let mut alone: BTreeMap<usize, Vec<Row>> = BTreeMap::new();
        for (case, row) in std::mem::take(&mut self.aggregates) {
            if self.of(case).is_none() {
                alone.entry(case).or_default().push(row);
            }
        }
        let mut any = false;
        for (case, rows) in alone {
            let mean = rows.iter().find(|row| row.own.aggregate_name.as_deref() == Some("mean"));
            let Some((mean, unit)) = mean.and_then(|row| Some((row, unit(row)?))) else { continue };
            let Some(each) = mean.own.real_time.and_then(Number::time) else {
                foreign.leave_out(case, 1);
                self.none.insert(case);
                continue;
            };
            let own = self.visit(foreign, case, Vec::new());
            self.all[own].samples.push(Sample::of(each * unit, 1));
            self.all[own].stated = foreign.said(rows.iter().filter_map(|row| statement(row, unit)));
            any = true;
        }
        if any {
            foreign.says("repetitions of some benchmarks (these have only a mean and its deviation)");
        }
    }

    fn none(&self, foreign: &mut Foreign) {
        for case in &self.none {
            if self.of(*case).is_none() {
                foreign.fail(*case, NO_TIME);
            }
        }
    }
}

fn statement(row: &Row, unit: f64) -> Option<Reported> {
    let name = match row.own.aggregate_name.as_deref()? {
        "stddev" => "sd",
        "BigO" | "RMS" => return None,
        other => other,
    };
    let value = row.own.real_time?.finite()?;
    Some(match row.own.aggregate_unit.as_deref() {
        Some("percentage") => stated(name, "share", value),
        _ => stated(name, "ns", value * unit),
    })
}

fn unit(row: &Row) -> Option<f64> {
    crate::units::ns(row.own.time_unit.as_deref().unwrap_or("ns"))
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

fn describe(foreign: &mut Foreign, context: &Map<String, Value>) {
    foreign.started_ms = context.get("date").and_then(Value::as_str).and_then(time::parse);
    let machine = &mut foreign.machine;
    machine.host = context.get("host_name").map(json::text).unwrap_or_default();
    machine.cores = context.get("num_cpus").and_then(Value::as_u64).unwrap_or(0) as u32;
    for (key, value) in context {
        machine.facts.insert(key.clone(), json::text(value));
    }
}

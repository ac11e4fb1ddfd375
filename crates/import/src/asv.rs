//! Reads asv results: one file per machine, commit and environment. Units and parameter names are in
//! `benchmarks.json`, in the same folder or its parent. Case names are those that asv prints and that live
//! runs use: the full name, and values in Python's notation.

use crate::cases::CaseIdentity;
use crate::foreign::{Foreign, Sample, stated};
use crate::json::{self, Number};
use crate::python::without_addresses;
use crate::single::interval;
use crate::{Input, ReadError, TakeResult};
use derny_model::{Commit, Direction, Kind, Metric};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

pub(crate) const BESIDE: &[&str] = &["benchmarks.json"];

const SUITE: &str = "asv";
/// Columns with the limits of the 99 % interval.
const LOW: &str = "stats_ci_99_a";
const HIGH: &str = "stats_ci_99_b";
const NS: f64 = 1e9;
/// Maximum number of combinations of parameters that are listed for a benchmark if all of them failed.
const MOST_FAILED: usize = 1 << 12;

#[derive(Deserialize)]
struct File {
    commit_hash: String,
    #[serde(default)]
    env_name: String,
    date: Option<i64>,
    #[serde(default)]
    params: Map<String, Value>,
    python: Option<Value>,
    #[serde(default)]
    requirements: Map<String, Value>,
    #[serde(default)]
    env_vars: Map<String, Value>,
    #[serde(default)]
    result_columns: Vec<String>,
    /// Versions of benchmarks in version 1 of the format.
    #[serde(default)]
    benchmark_version: Map<String, Value>,
    version: Option<u64>,
}

const VERSION: u64 = 2;

/// Keys of `params` that describe the machine. The others are conditions of the measurement.
const MACHINE: [&str; 8] = ["arch", "branch", "cpu", "machine", "num_cpu", "os", "ram", "version"];

/// Number of digits of a benchmark's version that are kept.
const DIGITS: usize = 8;

#[derive(Deserialize)]
struct Definition {
    #[serde(default)]
    param_names: Vec<String>,
    #[serde(default)]
    unit: String,
}

#[derive(Default)]
struct Columns(HashMap<String, Value>);

impl Columns {
    /// Reads the entry of a benchmark. In version 2 it is a list, whose column names are elsewhere. In
    /// version 1 it is an object, a number or null.
    fn of(names: &[String], row: Value) -> Columns {
        match row {
            Value::Array(row) => Columns(names.iter().cloned().zip(row).collect()),
            Value::Object(mut row) => {
                let stats = row.remove("stats").unwrap_or_default();
                let own = |column: &str, place: &str| -> (String, Value) {
                    let all = stats.as_array().into_iter().flatten();
                    let value = |one: &Value| one.pointer(place).cloned().unwrap_or_default();
                    (column.to_owned(), all.map(value).collect())
                };
                let stats = [own("stats_number", "/number"), own(LOW, "/ci_99/0"), own(HIGH, "/ci_99/1")];
                let mut columns: HashMap<String, Value> = row.into_iter().chain(stats).collect();
                if let Some(result) = columns.get_mut("result").filter(|result| result.is_number()) {
                    *result = vec![result.take()].into();
                }
                Columns(columns)
            }
            Value::Null => Columns::default(),
            one => Columns([("result".to_owned(), vec![one].into())].into()),
        }
    }

    fn number(&self, name: &str, at: usize) -> Option<f64> {
        number(self.list(name).get(at)?)
    }

    fn list(&self, name: &str) -> &[Value] {
        self.0.get(name).and_then(|value| value.as_array()).map_or(&[], Vec::as_slice)
    }
}

pub(crate) const KEYS: &[&[&str]] = &[&["commit_hash", "params", "results"]];

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let (mut foreign, _) = read_with(input, add_samples)?;
    foreign.says(
        "processes of the samples (asv does not record where its rounds end, so all count as one \
            process)",
    );
    Ok(foreign)
}

/// Reads the results that asv computed, with their intervals. A series is split where the requirements of the
/// environment or the source of the benchmark change.
pub(crate) fn history(input: &Input<'_>, take: TakeResult<'_>) -> Result<(), ReadError> {
    let (mut foreign, file) = read_with(input, add_result)?;
    foreign.runtime = Some(conditions(&file));
    take(foreign)
}

fn read_with(input: &Input<'_>, add: Add) -> Result<(Foreign, File), ReadError> {
    let file: File = json::document(input)?;
    if let Some(version) = file.version.filter(|version| *version > VERSION) {
        return Err(ReadError::whole(format!(
            "its format is version {version}, but only versions up to {VERSION} are supported"
        )));
    }
    let definitions = definitions(input)?;
    let mut foreign = Foreign::new("asv", "python");
    describe(&mut foreign, &file);
    if definitions.is_none() {
        foreign.says(
            "units and names of parameters (without benchmarks.json next to the file, they are \
            derived from the names of benchmarks)",
        );
    }
    let definitions = definitions.unwrap_or_default();
    let process = foreign.process(0, 0);
    json::members(input, Some("results"), &mut |(name, row): (String, Value)| {
        let mut columns = Columns::of(&file.result_columns, row);
        if let Some(version) = file.benchmark_version.get(&name) {
            columns.0.insert("version".to_owned(), version.clone());
        }
        benchmark(&mut foreign, process, &Benchmark::new(&name, &columns, definitions.get(&name)), add);
        Ok(())
    })?;
    Ok((foreign, file))
}

fn definitions(input: &Input<'_>) -> Result<Option<HashMap<String, Definition>>, ReadError> {
    let Some(part) = input.parts.iter().find(|part| part.path.ends_with(BESIDE[0])) else { return Ok(None) };
    let all: Map<String, Value> = json::part(&part.bytes).map_err(|error| ReadError {
        reason: format!("of benchmarks.json next to it: {}", error.reason),
        ..error
    })?;
    let known = all.into_iter().filter_map(|(name, value)| Some((name, serde_json::from_value(value).ok()?)));
    Ok(Some(known.collect()))
}

struct Benchmark<'a> {
    name: &'a str,
    columns: &'a Columns,
    definition: Option<&'a Definition>,
    unit: String,
    /// Metric of results that are not times.
    metric: Option<Metric>,
    version: Option<Arc<str>>,
}

impl<'a> Benchmark<'a> {
    fn new(name: &'a str, columns: &'a Columns, definition: Option<&'a Definition>) -> Benchmark<'a> {
        let unit = definition.map_or_else(|| usual(name).to_owned(), |known| known.unit.clone());
        let metric = Some(&unit).filter(|unit| *unit != "seconds").map(metric);
        let version = columns.0.get("version").and_then(Value::as_str);
        let version = version.map(|text| text.chars().take(DIGITS).collect::<String>().into());
        Benchmark { name, columns, definition, unit, metric, version }
    }
}

/// Adds a result to a process and a case. The last two arguments are the index of the combination of
/// parameters and the result.
type Add = fn(&mut Foreign, (usize, usize), &Benchmark<'_>, usize, f64);

fn benchmark(foreign: &mut Foreign, process: usize, own: &Benchmark<'_>, add: Add) {
    let columns = own.columns;
    let failed = columns.0.get("result").is_none_or(|result| result.is_null());
    // A small file may claim more combinations than fit into memory.
    let most = if failed { MOST_FAILED } else { columns.list("result").len().max(1) };
    let all = combinations(columns.list("params"), own.definition, most);
    for (at, params) in all.into_iter().enumerate() {
        // asv itself numbers equal values of a list, so each combination is a case.
        let case = foreign.case(CaseIdentity::Row, SUITE, own.name, params);
        foreign.cases.print(case, Some(own.name));
        let result = columns.list("result").get(at);
        if failed || result.is_some_and(Value::is_null) {
            foreign.fail(case, "asv reports that it failed");
            continue;
        }
        // A benchmark skipped by its set-up has NaN.
        let Some(result) = columns.number("result", at).filter(|value| value.is_finite()) else { continue };
        add(foreign, (process, case), own, at, result);
    }
}

fn add_samples(foreign: &mut Foreign, place: (usize, usize), own: &Benchmark<'_>, at: usize, result: f64) {
    let Benchmark { columns, unit, .. } = own;
    let samples = columns.list("samples").get(at).and_then(Value::as_array);
    let values: Vec<f64> = match samples.filter(|samples| !samples.is_empty()) {
        Some(samples) => samples.iter().map(|sample| number(sample).unwrap_or(f64::NAN)).collect(),
        None => vec![result],
    };
    let calls = columns.number("stats_number", at).filter(|calls| *calls >= 1.0).unwrap_or(1.0) as u64;
    let said = match unit.as_str() {
        "seconds" => stated("median", "ns", result * NS),
        unit => stated("median", unit, result),
    };
    let samples = foreign.numbers(place.1, values.iter().map(|value| sample(unit, *value, calls)));
    foreign.declare(place.1, own.metric.iter());
    if !samples.is_empty() {
        foreign.long_visit(place, own.metric.as_slice(), &samples, vec![said]);
    }
}

fn add_result(foreign: &mut Foreign, place: (usize, usize), own: &Benchmark<'_>, at: usize, result: f64) {
    let is_time = own.metric.is_none();
    let scale = if is_time { NS } else { 1.0 };
    let sample = if is_time { Sample::exact(result * NS) } else { counted(result) };
    let limit = |column: &str| own.columns.number(column, at).unwrap_or(f64::NAN) * scale;
    foreign.declare(place.1, own.metric.iter());
    foreign.long_visit(place, own.metric.as_slice(), &[sample], interval(limit(LOW), limit(HIGH)));
    if let Some(version) = &own.version {
        foreign.versions.insert(place.1, version.clone());
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| Some(Number::deserialize(value).ok()?.0))
}

fn metric(unit: &String) -> Metric {
    let is_memory = unit == "bytes";
    let (name, unit) = if is_memory { ("memory", "B") } else { ("value", unit.as_str()) };
    crate::foreign::metric(name, unit, Kind::Level, Direction::Less)
}

fn sample(unit: &str, value: f64, calls: u64) -> Option<Sample> {
    if unit == "seconds" {
        return (value.is_finite() && value >= 0.0).then(|| Sample::of(value * NS, calls));
    }
    value.is_finite().then(|| counted(value))
}

fn counted(value: f64) -> Sample {
    Sample { untimed: true, iterations: 1, counters: [Some(value)].into(), ..Sample::default() }
}

/// Returns the unit that the prefix of a benchmark's name implies.
fn usual(name: &str) -> &'static str {
    let own = name.rsplit('.').next().unwrap_or(name).to_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| own.starts_with(word));
    if begins(&["time"]) {
        "seconds"
    } else if begins(&["mem", "peakmem"]) {
        "bytes"
    } else {
        ""
    }
}

/// Returns the name that the parameter has in live runs. Replaces characters that would end a word by `_`.
fn called(name: &str) -> String {
    let mut word = String::new();
    for letter in name.trim().chars() {
        match letter {
            ' ' | '=' | '%' | '\t' | '\n' | '\r' if word.ends_with('\0') => {}
            ' ' | '=' | '%' | '\t' | '\n' | '\r' => word.push('\0'),
            letter => word.push(letter),
        }
    }
    if word.is_empty() { "param".to_owned() } else { word.replace('\0', "_") }
}

fn names(count: usize, definition: Option<&Definition>) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let name = |place: usize| {
        let named = definition.and_then(|known| known.param_names.get(place));
        let name = named.map_or_else(|| format!("param{}", place + 1), |name| called(name));
        let number = seen.entry(name.clone()).or_default();
        *number += 1;
        if *number == 1 { name } else { format!("{name}_{number}") }
    };
    (0..count).map(name).collect()
}

/// Returns the first `most` combinations of parameters. The last parameter changes fastest, as in asv.
fn combinations(axes: &[Value], definition: Option<&Definition>, most: usize) -> Vec<Vec<(String, String)>> {
    let mut names = names(axes.len(), definition);
    let axis = |(place, axis): (usize, &Value)| {
        let values = axis.as_array().map_or(&[][..], Vec::as_slice);
        // asv writes values in Python's notation.
        let texts = values.iter().map(|value| without_addresses(&json::text(value)));
        (std::mem::take(&mut names[place]), texts.collect())
    };
    let axes: Vec<(String, Vec<String>)> = axes.iter().enumerate().map(axis).collect();
    let all = axes.iter().fold(1, |all: usize, (_, values)| all.saturating_mul(values.len()));
    let at = |number: usize| {
        let mut left = number;
        let value = |(name, values): &(String, Vec<String>)| {
            let value = values[left % values.len()].clone();
            left /= values.len();
            (name.clone(), value)
        };
        let mut params: Vec<(String, String)> = axes.iter().rev().map(value).collect();
        params.reverse();
        params
    };
    (0..all.min(most)).map(at).collect()
}

/// Returns the versions of Python and of the requirements of the environment, such as `python/3.11
/// numpy/2.0`.
fn conditions(file: &File) -> String {
    let own = file.params.iter().filter(|(key, _)| !MACHINE.contains(&key.as_str()) && *key != "python");
    let mut words: BTreeMap<&str, String> = BTreeMap::new();
    for (key, value) in own.chain(&file.requirements).chain(&file.env_vars) {
        let value = if value.is_null() { String::new() } else { json::text(value) };
        words.insert(key, if value.is_empty() { key.clone() } else { format!("{key}/{value}") });
    }
    let python = file.python.as_ref().or(file.params.get("python")).map(json::text);
    let python = python.map_or_else(|| "python".to_owned(), |version| format!("python/{version}"));
    std::iter::once(python).chain(words.into_values()).collect::<Vec<_>>().join(" ")
}

fn describe(foreign: &mut Foreign, file: &File) {
    let word = |key: &str| file.params.get(key).map(json::text).unwrap_or_default();
    foreign.started_ms = file.date;
    foreign.commit = Some(Commit { hash: file.commit_hash.clone(), branch: None, dirty: false });
    let machine = &mut foreign.machine;
    let system = word("os");
    let (os, kernel) = system.split_once(' ').unwrap_or((&system, ""));
    machine.os = os.to_lowercase();
    machine.kernel = kernel.to_owned();
    machine.host = word("machine");
    machine.cpu = word("cpu");
    machine.cores = word("num_cpu").parse().unwrap_or(0);
    machine.memory_bytes = word("ram").parse().unwrap_or(0);
    machine.facts.insert("environment".to_owned(), file.env_name.clone());
    for (key, value) in file.params.iter().chain(&file.requirements).chain(&file.env_vars) {
        machine.facts.insert(key.clone(), json::text(value));
    }
    if let Some(python) = &file.python {
        foreign.runtime = Some(format!("python/{}", json::text(python)));
    }
}

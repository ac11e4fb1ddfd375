//! A result of asv: one file per machine, commit and environment. `benchmarks.json` beside it has units and the names of parameters.

use crate::cases::Own;
use crate::foreign::{Foreign, Sample, stated};
use crate::json::{self, Number};
use crate::{Input, ReadError};
use derny_model::{Commit, Direction, Kind, Metric};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// What is looked for beside a result.
pub(crate) const BESIDE: &[&str] = &["benchmarks.json"];

const NS: f64 = 1e9;
/// Combinations of parameters that are named where all of them have failed.
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
    version: Option<u64>,
}

/// Newest form of a file that is known.
const VERSION: u64 = 2;

#[derive(Deserialize)]
struct Definition {
    #[serde(default)]
    param_names: Vec<String>,
    #[serde(default)]
    unit: String,
}

/// The columns of one benchmark, by name.
struct Columns<'a>(HashMap<&'a str, &'a Value>);

impl Columns<'_> {
    fn list(&self, name: &str) -> &[Value] {
        self.0.get(name).and_then(|value| value.as_array()).map_or(&[], Vec::as_slice)
    }
}

pub(crate) fn matches(input: &Input<'_>) -> bool {
    let head = input.head();
    json::begins(input, "{\"commit_hash\":") && head.contains("\"env_name\"")
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let file: File = json::document(input)?;
    if let Some(version) = file.version.filter(|version| *version > VERSION) {
        return Err(ReadError::whole(format!(
            "it is of form {version}, and up to {VERSION} are known: a newer asv wrote it"
        )));
    }
    let definitions = definitions(input)?;
    let mut foreign = Foreign::new("asv", "python");
    describe(&mut foreign, &file);
    foreign
        .says("which samples are of one process: asv does not say where its rounds end, all count as of one");
    if definitions.is_none() {
        foreign.says("units and names of parameters: there is no benchmarks.json beside the file, the names of benchmarks decide");
    }
    let definitions = definitions.unwrap_or_default();
    let process = foreign.process(0, 0);
    json::members(input, Some("results"), &mut |(name, row): (String, Vec<Value>)| {
        let columns = file.result_columns.iter().map(String::as_str).zip(&row);
        benchmark(&mut foreign, process, &name, &Columns(columns.collect()), definitions.get(&name))
    })?;
    Ok(foreign)
}

fn definitions(input: &Input<'_>) -> Result<Option<HashMap<String, Definition>>, ReadError> {
    let Some(part) = input.parts.iter().find(|part| part.path.ends_with(BESIDE[0])) else { return Ok(None) };
    let all: Map<String, Value> = json::part(&part.bytes).map_err(|error| ReadError {
        reason: format!("of benchmarks.json beside it: {}", error.reason),
        ..error
    })?;
    let known = all.into_iter().filter_map(|(name, value)| Some((name, serde_json::from_value(value).ok()?)));
    Ok(Some(known.collect()))
}

fn benchmark(
    foreign: &mut Foreign,
    process: usize,
    name: &str,
    columns: &Columns<'_>,
    definition: Option<&Definition>,
) -> Result<(), ReadError> {
    let unit = definition.map_or_else(|| usual(name).to_owned(), |known| known.unit.clone());
    let failed = columns.0.get("result").is_none_or(|result| result.is_null());
    // A file of a few lines may claim more combinations than memory has room for.
    let most = if failed { MOST_FAILED } else { columns.list("result").len().max(1) };
    let all = combinations(columns.list("params"), definition, most);
    for (at, params) in all.iter().enumerate() {
        let (module, own) = name.split_once('.').unwrap_or(("asv", name));
        let case = foreign.case(Own::Named(&format!("{name}\0{params:?}")), module, own, params.clone());
        foreign.cases.change(case, |own| own.printed = Some(name.to_owned()));
        let number = |column: &str| -> Option<f64> { number(columns.list(column).get(at)?) };
        let result = columns.list("result").get(at);
        if failed || result.is_some_and(Value::is_null) {
            foreign.failed.push((case, "asv says that it failed".to_owned()));
            continue;
        }
        // What set-up skipped is no number.
        let Some(result) = number("result").filter(|value| value.is_finite()) else { continue };
        let samples = columns.list("samples").get(at).and_then(Value::as_array);
        let values: Vec<f64> = match samples.filter(|samples| !samples.is_empty()) {
            Some(samples) => {
                let values: Option<Vec<f64>> = samples.iter().map(self::number).collect();
                values.ok_or_else(|| ReadError::whole(format!("`{name}` has a sample that is no number")))?
            }
            None => vec![result],
        };
        let calls = number("stats_number").filter(|calls| *calls >= 1.0).unwrap_or(1.0) as u64;
        let said = match unit.as_str() {
            "seconds" => stated("median", "ns", result * NS),
            unit => stated("median", unit, result),
        };
        let (metrics, samples) = measured(&unit, &values, calls)
            .ok_or_else(|| ReadError::whole(format!("`{name}` has a time that is none")))?;
        foreign.declare(case, metrics.iter());
        foreign.long_visit((process, case), &metrics, &samples, vec![said]);
    }
    Ok(())
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| Some(Number::deserialize(value).ok()?.0))
}

fn measured(unit: &str, values: &[f64], calls: u64) -> Option<(Vec<Metric>, Vec<Sample>)> {
    if unit == "seconds" {
        let time = |value: &f64| (value.is_finite() && *value >= 0.0).then(|| Sample::of(value * NS, calls));
        return Some((Vec::new(), values.iter().map(time).collect::<Option<_>>()?));
    }
    // asv takes more of anything for worse.
    let metric = Metric {
        name: if unit == "bytes" { "memory" } else { "value" }.to_owned(),
        unit: if unit == "bytes" { "B" } else { unit }.to_owned(),
        kind: Kind::Level,
        direction: Direction::Less,
        exact: false,
    };
    let one = |value: &f64| Sample {
        untimed: true,
        iterations: 1,
        counters: [Some(*value).filter(|value| value.is_finite())].into(),
        ..Sample::default()
    };
    Some((vec![metric], values.iter().map(one).collect()))
}

/// The unit that a benchmark has by its name.
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

/// The first combinations of parameters in asv's order, at most so many: the last changes first.
fn combinations(axes: &[Value], definition: Option<&Definition>, most: usize) -> Vec<Vec<(String, String)>> {
    let axis = |(place, axis): (usize, &Value)| {
        let named = definition.and_then(|known| known.param_names.get(place)).cloned();
        let values = axis.as_array().map_or(&[][..], Vec::as_slice);
        // asv writes the source of a value.
        let texts = values.iter().map(|value| json::text(value).trim_matches('\'').to_owned());
        (named.unwrap_or_else(|| format!("param{}", place + 1)), texts.collect())
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

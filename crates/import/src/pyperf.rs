//! pyperf's JSON (`-o FILE`): every value of every worker process, with its warm-ups and what was known of the machine.

use crate::cases::Own;
use crate::foreign::{Foreign, Sample};
use crate::json::{self, Number};
use crate::{Input, ReadError, time};
use derny_model::{Commit, Direction, Kind, Metric, Reported};
use serde::Deserialize;
use serde_json::{Map, Value};

const SUITE: &str = "pyperf";
const NS: f64 = 1e9;

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    metadata: Map<String, Value>,
}

#[derive(Deserialize)]
struct Benchmark {
    #[serde(default)]
    metadata: Map<String, Value>,
    #[serde(default)]
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    #[serde(default)]
    metadata: Map<String, Value>,
    #[serde(default)]
    warmups: Vec<(Number, Number)>,
    #[serde(default)]
    values: Vec<Number>,
}

/// What values are.
#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Seconds,
    Bytes,
    Count,
}

pub(crate) fn matches(input: &Input<'_>) -> bool {
    let head = input.head();
    (json::begins(input, "{\"benchmarks\":[{") && head.contains("\"runs\""))
        || (json::begins(input, "{\"metadata\":{") && head.contains("\"perf_version\""))
        || (json::begins(input, "{\"version\":\"1.0\"") && head.contains("\"benchmarks\""))
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let file: File = json::document(input)?;
    let word = |key: &str| file.metadata.get(key).map(json::text);
    let tool = format!("pyperf {}", word("perf_version").or(word("pyperf_version")).unwrap_or_default());
    let mut foreign = Foreign::new(tool.trim(), "python");
    foreign.says("the time zone of its dates: they are taken for UTC");
    describe(&mut foreign, &file);
    json::each(input, Some("benchmarks"), &mut |one: Benchmark| {
        benchmark(&mut foreign, &one, &file.metadata)
    })?;
    Ok(foreign)
}

fn benchmark(foreign: &mut Foreign, one: &Benchmark, common: &Map<String, Value>) -> Result<(), ReadError> {
    let of = |key: &str| one.metadata.get(key).or_else(|| common.get(key));
    let name = of("name").map_or_else(|| "benchmark".to_owned(), json::text);
    let unit = match of("unit").and_then(Value::as_str) {
        None | Some("second") => Unit::Seconds,
        Some("byte") => Unit::Bytes,
        Some(_) => Unit::Count,
    };
    let case = foreign.case(Own::Named(&name), SUITE, &name, Vec::new());
    let metrics = foreign.shared(&metrics(unit));
    foreign.declare(case, metrics.iter());
    for (number, run) in one.runs.iter().enumerate() {
        foreign.started_ms = begun(&run.metadata).into_iter().chain(foreign.started_ms).min();
        let loops = run.metadata.get("loops").or_else(|| of("loops")).and_then(Value::as_u64).unwrap_or(1);
        let inner = run.metadata.get("inner_loops").or_else(|| of("inner_loops")).and_then(Value::as_u64);
        let inner = inner.unwrap_or(1);
        let wrong = || ReadError::whole(format!("run {number} of `{name}` has a value that is none"));
        let warm = run.warmups.iter().map(|(loops, value)| {
            let loops = loops.time().ok_or_else(wrong)? as u64;
            let sample = sample(unit, *value, loops.saturating_mul(inner)).ok_or_else(wrong)?;
            Ok(Sample { warm_up: true, ..sample })
        });
        let values = run
            .values
            .iter()
            .map(|value| sample(unit, *value, loops.saturating_mul(inner)).ok_or_else(wrong));
        let samples: Vec<Sample> = warm.chain(values).collect::<Result<_, ReadError>>()?;
        if samples.is_empty() {
            continue;
        }
        let process = foreign.process(0, foreign.processes.len());
        let stated = foreign.said(told(&run.metadata));
        foreign.visit((process, case), &metrics, &samples, stated);
    }
    Ok(())
}

fn metrics(unit: Unit) -> Vec<Metric> {
    let metric = |name: &str, unit: &str, direction| Metric {
        name: name.to_owned(),
        unit: unit.to_owned(),
        kind: Kind::Level,
        direction,
        exact: false,
    };
    match unit {
        Unit::Seconds => Vec::new(),
        Unit::Bytes => vec![metric("memory", "B", Direction::Less)],
        Unit::Count => vec![metric("value", "count", Direction::None)],
    }
}

fn sample(unit: Unit, value: Number, loops: u64) -> Option<Sample> {
    let value = value.time()?;
    Some(match unit {
        Unit::Seconds => Sample::of(value * NS, loops.max(1)),
        _ => Sample { untimed: true, iterations: loops, counters: [Some(value)].into(), ..Sample::default() },
    })
}

/// What a worker says of itself.
fn told(metadata: &Map<String, Value>) -> Vec<Reported> {
    let value = |name: &str, unit: &str, direction| {
        let value = metadata.get(name)?.as_f64().filter(|value| value.is_finite())?;
        let (name, unit) = (name.to_owned(), unit.to_owned());
        Some(Reported { metric: Metric { name, unit, kind: Kind::Level, direction, exact: false }, value })
    };
    let all = [
        value("mem_max_rss", "B", Direction::Less),
        value("runnable_threads", "count", Direction::None),
        value("load_avg_1min", "", Direction::None),
    ];
    all.into_iter().flatten().collect()
}

/// When it began, ms since the epoch.
fn begun(metadata: &Map<String, Value>) -> Option<i64> {
    time::parse(metadata.get("date")?.as_str()?)
}

fn describe(foreign: &mut Foreign, file: &File) {
    let word = |key: &str| file.metadata.get(key).map(json::text);
    foreign.started_ms = begun(&file.metadata);
    let branch = word("commit_branch");
    foreign.commit = word("commit_id").map(|hash| Commit { hash, branch, dirty: false });
    let machine = &mut foreign.machine;
    let platform = word("platform").unwrap_or_default();
    let (os, kernel) = platform.split_once('-').unwrap_or((&platform, ""));
    machine.os = os.to_lowercase();
    machine.kernel = kernel.to_owned();
    machine.host = word("hostname").unwrap_or_default();
    machine.cpu = word("cpu_model_name").unwrap_or_default();
    machine.cores = file.metadata.get("cpu_count").and_then(Value::as_u64).unwrap_or(0) as u32;
    for (key, value) in &file.metadata {
        machine.facts.insert(key.clone(), json::text(value));
    }
    let name = word("python_implementation").unwrap_or_default();
    if let Some(version) = word("python_version").filter(|_| !name.is_empty()) {
        let version = version.split_whitespace().next().unwrap_or_default();
        foreign.runtime = Some(format!("{name}/{version}"));
    }
}

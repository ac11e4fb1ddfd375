//! Reads pyperf's JSON (`-o FILE`), with every value of every worker process, including warm-ups and metadata
//! of the machine. Like pyperf, it also reads the file versions 5 and 6 from before 1.0, but no older ones.

use crate::cases::CaseIdentity;
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
    version: Option<Value>,
}

#[derive(Deserialize)]
struct Benchmark {
    /// Metadata of all runs, called `common_metadata` up to version 5.
    #[serde(default, alias = "common_metadata")]
    metadata: Map<String, Value>,
    #[serde(default)]
    runs: Vec<PyperfRun>,
}

#[derive(Deserialize)]
struct PyperfRun {
    #[serde(default)]
    metadata: Map<String, Value>,
    #[serde(default)]
    warmups: Vec<(Number, Number)>,
    /// Measured values, called `samples` up to version 5.
    #[serde(default, alias = "samples")]
    values: Vec<Number>,
}

#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Seconds,
    Bytes,
    Count,
}

pub(crate) const KEYS: &[&[&str]] = &[&["version", "benchmarks[].runs"], &["version", "runs"]];

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let file: File = json::document(input)?;
    let is_raw = match file.version.as_ref().map(json::text).as_deref() {
        None | Some("1.0") => false,
        Some("5" | "6") => true,
        Some(other) => {
            return Err(ReadError::whole(format!(
                "its format is version {other}, but only 5, 6 and 1.0 are supported"
            )));
        }
    };
    let word = |key: &str| file.metadata.get(key).map(json::text);
    let tool = format!("pyperf {}", word("perf_version").or(word("pyperf_version")).unwrap_or_default());
    let mut foreign = Foreign::new(tool.trim(), "python");
    foreign.says("time zone of the dates (they are read as UTC)");
    describe(&mut foreign, &file);
    json::each(input, Some("benchmarks"), &mut |one: Benchmark| {
        benchmark(&mut foreign, &one, &file.metadata, is_raw);
        Ok(())
    })?;
    Ok(foreign)
}

/// Adds a benchmark. If `is_raw` is true, the values of warm-ups are total times of their loops.
fn benchmark(foreign: &mut Foreign, one: &Benchmark, common: &Map<String, Value>, is_raw: bool) {
    let first = one.runs.first().map(|run| &run.metadata);
    let of = |key: &str| {
        let own = one.metadata.get(key).or_else(|| common.get(key));
        own.or_else(|| first.and_then(|first| first.get(key)))
    };
    let name = of("name").map_or_else(|| "benchmark".to_owned(), json::text);
    let unit = match of("unit").and_then(Value::as_str) {
        None | Some("second") => Unit::Seconds,
        Some("byte") => Unit::Bytes,
        Some(_) => Unit::Count,
    };
    // pyperf itself adds runs to the benchmark with the same name.
    let case = foreign.case(CaseIdentity::Row, SUITE, &name, Vec::new());
    let metrics = foreign.shared(&metrics(unit));
    foreign.declare(case, metrics.iter());
    let (mut taken, mut left_out) = (0, 0);
    for run in &one.runs {
        foreign.started_ms = begun(&run.metadata).into_iter().chain(foreign.started_ms).min();
        let number =
            |key: &str| run.metadata.get(key).or_else(|| of(key)).and_then(Value::as_u64).unwrap_or(1);
        let (loops, inner) = (number("loops"), number("inner_loops"));
        let warm = run.warmups.iter().map(|(loops, value)| {
            let loops = (loops.time()? as u64).saturating_mul(inner);
            let value = if is_raw { Number(value.0 / loops.max(1) as f64) } else { *value };
            Some(Sample { warm_up: true, ..sample(unit, value, loops)? })
        });
        let values = run.values.iter().map(|value| sample(unit, *value, loops.saturating_mul(inner)));
        let all: Vec<Option<Sample>> = warm.chain(values).collect();
        let samples: Vec<&Sample> = all.iter().flatten().collect();
        left_out += all.len() - samples.len();
        taken += samples.iter().filter(|sample| !sample.warm_up).count();
        if samples.is_empty() {
            continue;
        }
        let process = foreign.process(0, foreign.processes.len());
        let stated = foreign.said(told(&run.metadata));
        foreign.visit((process, case), &metrics, samples, stated);
    }
    if taken == 0 {
        foreign.fail(case, format!("none of its {} runs has a value that is a number", one.runs.len()));
    } else {
        foreign.leave_out(case, left_out);
    }
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

//! BenchmarkDotNet's full JSON (`JsonExporter.Full`): every iteration of every launch. A launch is a process.

use crate::cases::Own;
use crate::foreign::{Foreign, Sample, metric, stated};
use crate::json::{self, Number};
use crate::{Input, ReadError};
use derny_model::{Direction, Kind, Metric, Reported};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

const SUITE: &str = "benchmark-dotnet";

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct File {
    #[serde(default)]
    host_environment_info: Map<String, Value>,
    benchmarks: Vec<Benchmark>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Benchmark {
    display_info: Option<String>,
    namespace: Option<String>,
    r#type: String,
    method: String,
    parameters: Option<String>,
    full_name: Option<String>,
    statistics: Option<Statistics>,
    memory: Option<Memory>,
    #[serde(default)]
    measurements: Vec<Measurement>,
    #[serde(default)]
    metrics: Vec<Further>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Statistics {
    #[serde(default)]
    original_values: Vec<Number>,
    mean: Number,
    median: Option<Number>,
    standard_deviation: Option<Number>,
    standard_error: Option<Number>,
    min: Option<Number>,
    max: Option<Number>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Memory {
    bytes_allocated_per_operation: Option<Number>,
    gen0_collections: Option<Number>,
    gen1_collections: Option<Number>,
    gen2_collections: Option<Number>,
    total_operations: Option<Number>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Measurement {
    iteration_mode: String,
    iteration_stage: Option<String>,
    launch_index: u32,
    operations: Number,
    nanoseconds: Number,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Further {
    value: Number,
    descriptor: Descriptor,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Descriptor {
    id: String,
    #[serde(default)]
    unit: String,
    the_greater_is_better: Option<bool>,
}

/// What a measurement is of, the best first: workload without overhead, workload, and the names that older versions gave them.
const KINDS: [(&str, Option<&str>); 4] =
    [("Workload", Some("Result")), ("Result", None), ("Workload", Some("Actual")), ("MainTarget", None)];
/// What is said of allocations elsewhere in a benchmark.
const ALLOCATED: &str = "Allocated Memory";

pub(crate) fn matches(input: &Input<'_>) -> bool {
    json::begins(input, "{\"Title\":") && input.head().contains("\"BenchmarkDotNetVersion\"")
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let file: File = json::document(input)?;
    let host = |key: &str| file.host_environment_info.get(key).map(plain).unwrap_or_default();
    let mut foreign =
        Foreign::new(format!("benchmark-dotnet {}", host("BenchmarkDotNetVersion")).trim(), "c#");
    foreign.says("when it was measured");
    foreign.says("that launches of different benchmarks were alternated: they follow one another");
    foreign.runtime = Some(host("RuntimeVersion")).filter(|runtime| !runtime.is_empty());
    foreign.machine.cpu = host("ProcessorName");
    foreign.machine.cores =
        host("LogicalCoreCount").parse().or_else(|_| host("ProcessorCount").parse()).unwrap_or(0);
    for (key, value) in &file.host_environment_info {
        foreign.machine.facts.insert(key.clone(), plain(value));
    }
    let mut seen: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    for benchmark in &file.benchmarks {
        *seen.entry(key(benchmark)).or_default() += 1;
    }
    for benchmark in &file.benchmarks {
        take(&mut foreign, benchmark, seen[&key(benchmark)] > 1)?;
    }
    if file.benchmarks.iter().any(|one| one.measurements.is_empty()) {
        foreign.says("measurements of some benchmarks: of these there are only values or a mean");
    }
    Ok(foreign)
}

fn key(benchmark: &Benchmark) -> (String, String, String) {
    let params = benchmark.parameters.clone().unwrap_or_default();
    (benchmark.r#type.clone(), benchmark.method.clone(), params)
}

/// `{"IsValueCreated":true,"Value":"…"}` of older versions is its value.
fn plain(value: &Value) -> String {
    json::text(value.get("Value").unwrap_or(value))
}

fn take(foreign: &mut Foreign, benchmark: &Benchmark, several_jobs: bool) -> Result<(), ReadError> {
    let class = match benchmark.namespace.as_deref().filter(|space| !space.is_empty()) {
        Some(space) => format!("{space}.{}", benchmark.r#type),
        None => benchmark.r#type.clone(),
    };
    let suite = if class.is_empty() { SUITE } else { &class };
    let mut params = params(benchmark.parameters.as_deref().unwrap_or_default());
    // Of one method with several jobs only the title tells them apart: `Class.Method: Job-ABC(Runtime=…)`.
    let job = benchmark.display_info.as_deref().and_then(|info| info.split_once(": "));
    if let Some((_, job)) = job.filter(|_| several_jobs) {
        params.push(("job".to_owned(), job.split(" [").next().unwrap_or(job).to_owned()));
    }
    let case = foreign.case(Own::Row, suite, &benchmark.method, params);
    foreign.cases.change(case, |own| own.printed.clone_from(&benchmark.full_name));
    let Some(statistics) = &benchmark.statistics else {
        foreign.failed.push((case, "it has no result".to_owned()));
        return Ok(());
    };
    let wrong = |what: &str| ReadError::whole(format!("`{class}.{}` has {what}", benchmark.method));
    let launches = launches(benchmark, statistics).ok_or_else(|| wrong("a value that is no time"))?;
    let mut said = statements(statistics);
    let first = foreign.processes.len();
    for samples in launches {
        let process = foreign.process(0, foreign.processes.len());
        foreign.long_visit((process, case), &[], &samples, std::mem::take(&mut said));
    }
    further(foreign, (first, case), benchmark);
    Ok(())
}

/// `N=10&Text=a`.
fn params(text: &str) -> Vec<(String, String)> {
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    let mut params: Vec<(String, String)> = Vec::new();
    for (key, value) in pairs {
        if !params.iter().any(|(known, _)| known == key) {
            params.push((key.to_owned(), value.to_owned()));
        }
    }
    params
}

/// The samples of each launch.
fn launches(benchmark: &Benchmark, statistics: &Statistics) -> Option<Vec<Vec<Sample>>> {
    let of_kind = |(mode, stage): (&str, Option<&str>)| {
        let is_meant = move |one: &&Measurement| {
            one.iteration_mode == mode && (stage.is_none() || one.iteration_stage.as_deref() == stage)
        };
        benchmark.measurements.iter().filter(is_meant).collect::<Vec<_>>()
    };
    let best = KINDS.into_iter().map(of_kind).find(|all| !all.is_empty()).unwrap_or_default();
    let indices: BTreeSet<u32> = best.iter().map(|one| one.launch_index).collect();
    if indices.is_empty() {
        let values = &statistics.original_values;
        let all: Option<Vec<Sample>> =
            values.iter().map(|value| Some(Sample::of(value.time()?, 1))).collect();
        let all = all.filter(|all| !all.is_empty());
        return Some(vec![all.or_else(|| Some(vec![Sample::of(statistics.mean.time()?, 1)]))?]);
    }
    let one = |measurement: &&Measurement| {
        let operations = measurement.operations.time().filter(|count| *count >= 1.0)?;
        // What is left of an empty body, once its overhead is taken off, may be below nothing.
        let each = measurement.nanoseconds.finite()?.max(0.0) / operations;
        Some(Sample::of(each, operations as u64))
    };
    let launch = |index| best.iter().filter(|one| one.launch_index == index).map(one).collect();
    indices.into_iter().map(launch).collect()
}

/// Memory and what diagnosers report: one value each, of a launch of their own that the file does not number. The first has them here.
fn further(foreign: &mut Foreign, (process, case): (usize, usize), benchmark: &Benchmark) {
    let mut all: Vec<(Metric, f64)> = Vec::new();
    if let Some(memory) = &benchmark.memory {
        let operations = memory.total_operations.and_then(Number::finite).filter(|count| *count > 0.0);
        let bytes = memory.bytes_allocated_per_operation.and_then(Number::finite);
        all.extend(bytes.map(|bytes| (metric("allocated", "B", Kind::Level, Direction::Less), bytes)));
        let generations = [memory.gen0_collections, memory.gen1_collections, memory.gen2_collections];
        for (generation, count) in generations.into_iter().enumerate() {
            let each =
                count.and_then(Number::finite).zip(operations).map(|(count, operations)| count / operations);
            let name = format!("gen{generation}");
            all.extend(each.map(|each| (metric(&name, "count", Kind::Level, Direction::Less), each)));
        }
    }
    for one in benchmark.metrics.iter().filter(|one| one.descriptor.id != ALLOCATED) {
        let direction = match one.descriptor.the_greater_is_better {
            Some(true) => Direction::More,
            Some(false) => Direction::Less,
            None => Direction::None,
        };
        let Some(value) = one.value.finite() else { continue };
        let is_known = |(known, _): &(Metric, f64)| {
            known.name.eq_ignore_ascii_case(one.descriptor.id.trim_end_matches("Collects"))
        };
        if !all.iter().any(is_known) {
            all.push((metric(&one.descriptor.id, &one.descriptor.unit, Kind::Level, direction), value));
        }
    }
    if all.is_empty() {
        return;
    }
    let (metrics, counters): (Vec<Metric>, Vec<Option<f64>>) =
        all.into_iter().map(|(metric, value)| (metric, Some(value))).unzip();
    foreign.declare(case, &metrics);
    let sample = Sample { untimed: true, iterations: 1, counters: counters.into(), ..Sample::default() };
    let metrics = foreign.shared(&metrics);
    foreign.visit((process, case), &metrics, &[sample], Vec::new());
}

fn statements(statistics: &Statistics) -> Vec<Reported> {
    let all = [
        ("mean", Some(statistics.mean)),
        ("median", statistics.median),
        ("sd", statistics.standard_deviation),
        ("error", statistics.standard_error),
        ("min", statistics.min),
        ("max", statistics.max),
    ];
    all.into_iter().filter_map(|(name, value)| Some(stated(name, "ns", value?.finite()?))).collect()
}

//! Reads BenchmarkDotNet's full JSON (`JsonExporter.Full`), with every iteration of every launch. A launch is
//! a process.

use crate::cases::{CaseIdentity, add_param};
use crate::foreign::{Foreign, NO_TIME, Sample, metric, stated};
use crate::json::{self, Number};
use crate::{Input, ReadError};
use derny_model::{Direction, Kind, Metric, Reported, param_text};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};

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

/// Modes and stages of measurements, best first: the workload without overhead, then the workload with it.
/// Each is followed by its older name.
const KINDS: [(&str, Option<&str>); 4] =
    [("Workload", Some("Result")), ("Result", None), ("Workload", Some("Actual")), ("MainTarget", None)];
/// Metric that repeats allocations that are also given elsewhere.
const ALLOCATED: &str = "Allocated Memory";

pub(crate) const KEYS: &[&[&str]] = &[&["HostEnvironmentInfo", "Benchmarks"]];

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let file: File = json::document(input)?;
    let host = |key: &str| file.host_environment_info.get(key).map(plain).unwrap_or_default();
    let mut foreign =
        Foreign::new(format!("benchmark-dotnet {}", host("BenchmarkDotNetVersion")).trim(), "c#");
    foreign.says("date of the measurement");
    foreign.says("order of launches (benchmarks run one after another)");
    foreign.runtime = Some(host("RuntimeVersion")).filter(|runtime| !runtime.is_empty());
    foreign.machine.cpu = host("ProcessorName");
    foreign.machine.cores =
        host("LogicalCoreCount").parse().or_else(|_| host("ProcessorCount").parse()).unwrap_or(0);
    for (key, value) in &file.host_environment_info {
        foreign.machine.facts.insert(key.clone(), plain(value));
    }
    // If a benchmark has several jobs, the job becomes part of its name.
    let mut jobs: HashMap<Name, BTreeSet<&str>> = HashMap::new();
    for benchmark in &file.benchmarks {
        jobs.entry(name(benchmark)).or_default().insert(job(benchmark));
    }
    for benchmark in &file.benchmarks {
        let mut own = name(benchmark);
        if jobs[&own].len() > 1 {
            add_param(&mut own.2, SUITE, "job", job(benchmark).to_owned());
        }
        take(&mut foreign, benchmark, own)?;
    }
    if file.benchmarks.iter().any(|one| one.measurements.is_empty()) {
        foreign.says("measurements of some benchmarks (these have only values or a mean)");
    }
    Ok(foreign)
}

type Name = (String, String, Vec<(String, String)>);

fn name(benchmark: &Benchmark) -> Name {
    let class = match benchmark.namespace.as_deref().filter(|space| !space.is_empty()) {
        Some(space) => format!("{space}.{}", benchmark.r#type),
        None => benchmark.r#type.clone(),
    };
    (class, benchmark.method.clone(), params(benchmark))
}

fn job(benchmark: &Benchmark) -> &str {
    let info = benchmark.display_info.as_deref().unwrap_or_default();
    let job = info.split_once(": ").map_or("", |(_, job)| job);
    job.split(" [").next().unwrap_or(job)
}

fn plain(value: &Value) -> String {
    json::text(value.get("Value").unwrap_or(value))
}

fn take(
    foreign: &mut Foreign,
    benchmark: &Benchmark,
    (class, method, params): Name,
) -> Result<(), ReadError> {
    let suite = if class.is_empty() { SUITE } else { &class };
    // Only launches are repeated, so each row is a separate case.
    let case = foreign.case(CaseIdentity::Row, suite, &method, params);
    foreign.cases.change(case, |own| own.printed.clone_from(&benchmark.full_name));
    let Some(statistics) = &benchmark.statistics else {
        foreign.fail(case, "it has no result");
        return Ok(());
    };
    let launches = launches(benchmark, statistics);
    let left_out: usize = launches.iter().flatten().filter(|sample| sample.is_none()).count();
    let mut said = statements(statistics);
    let first = foreign.processes.len();
    for samples in launches {
        let samples: Vec<Sample> = samples.into_iter().flatten().collect();
        if !samples.is_empty() {
            let process = foreign.process(0, foreign.processes.len());
            foreign.long_visit((process, case), &[], &samples, std::mem::take(&mut said));
        }
    }
    if first == foreign.processes.len() {
        foreign.fail(case, NO_TIME);
        return Ok(());
    }
    foreign.leave_out(case, left_out);
    further(foreign, (first, case), benchmark);
    Ok(())
}

/// Parses parameters such as `N=10&Text=a`. A value may contain any of these characters, and is truncated if
/// it is long. The full name `Class.Method(N: 10, Text: "a")` shows where each value ends, and its full text.
/// The display text `[N=10, Text=a]` is the fallback.
fn params(benchmark: &Benchmark) -> Vec<(String, String)> {
    let text = benchmark.parameters.as_deref().unwrap_or_default();
    let full = benchmark.full_name.as_deref().and_then(|name| name.split_once('(')?.1.strip_suffix(')'));
    let shown = benchmark.display_info.as_deref().and_then(|info| info.split_once(" [")?.1.strip_suffix(']'));
    let full = full.and_then(|full| divided(text, full, ": ")).map(|all| {
        let whole = |(name, value): (String, String)| (name, literal(&value));
        all.into_iter().map(whole).collect()
    });
    full.or_else(|| divided(text, shown?, "=")).unwrap_or_else(|| {
        let mut params: Vec<(String, String)> = Vec::new();
        for piece in text.split('&').filter(|piece| !piece.is_empty()) {
            match (piece.split_once('='), params.last_mut()) {
                (Some((name, value)), _) => params.push((name.to_owned(), value.to_owned())),
                (None, Some((_, value))) => value.extend(["&", piece]),
                (None, None) => params.push((piece.to_owned(), String::new())),
            }
        }
        params
    })
}

/// Splits `list` into the parameters of `text`. In the list, `, ` separates parameters, and `sign` separates
/// a name from its value. Returns `None` if the list does not begin with the first parameter.
fn divided(text: &str, list: &str, sign: &str) -> Option<Vec<(String, String)>> {
    let mut params: Vec<(String, String)> = Vec::new();
    let mut rest = list;
    for name in text.split('&').filter_map(|piece| Some(piece.split_once('=')?.0)) {
        match params.last_mut() {
            None => rest = rest.strip_prefix(name)?.strip_prefix(sign)?,
            Some((_, value)) => {
                // Text that is not the name of a parameter belongs to the previous value.
                let Some((before, after)) = rest.split_once(&format!(", {name}{sign}")) else { continue };
                before.clone_into(value);
                rest = after;
            }
        }
        params.push((name.to_owned(), rest.to_owned()));
    }
    Some(params)
}

fn literal(value: &str) -> String {
    let text = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    text.map_or_else(|| value.to_owned(), |text| param_text(text).into_owned())
}

fn launches(benchmark: &Benchmark, statistics: &Statistics) -> Vec<Vec<Option<Sample>>> {
    let of_kind = |(mode, stage): (&str, Option<&str>)| {
        let is_meant = move |one: &&Measurement| {
            one.iteration_mode == mode && (stage.is_none() || one.iteration_stage.as_deref() == stage)
        };
        benchmark.measurements.iter().filter(is_meant).collect::<Vec<_>>()
    };
    let best = KINDS.into_iter().map(of_kind).find(|all| !all.is_empty()).unwrap_or_default();
    let indices: BTreeSet<u32> = best.iter().map(|one| one.launch_index).collect();
    if indices.is_empty() {
        let value = |value: &Number| Some(Sample::of(value.time()?, 1));
        let values = &statistics.original_values[..];
        return vec![if values.is_empty() {
            vec![value(&statistics.mean)]
        } else {
            values.iter().map(value).collect()
        }];
    }
    let one = |measurement: &&Measurement| {
        let operations = measurement.operations.time().filter(|count| *count >= 1.0)?;
        // The time of an empty body may be negative after the overhead is subtracted.
        let each = measurement.nanoseconds.finite()?.max(0.0) / operations;
        Some(Sample::of(each, operations as u64))
    };
    let launch = |index| best.iter().filter(|one| one.launch_index == index).map(one).collect();
    indices.into_iter().map(launch).collect()
}

/// Adds memory and the values of diagnosers. Each comes from a separate launch that the file does not
/// identify, so it is assigned to the first launch.
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

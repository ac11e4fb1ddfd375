//! Reads mitata's JSON (`run({ format: 'json' })`): sorted samples of every benchmark and set of arguments,
//! in ns per iteration.

use crate::cases::CaseIdentity;
use crate::foreign::{Foreign, Sample, metric, stated};
use crate::json::{self, Number};
use crate::{Input, ReadError};
use derny_model::{Direction, Kind, Reported};
use serde::Deserialize;
use serde_json::{Map, Value};

const SUITE: &str = "mitata";

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    layout: Vec<Layout>,
    benchmarks: Vec<Benchmark>,
    #[serde(default)]
    context: Context,
}

#[derive(Deserialize)]
struct Layout {
    name: Option<String>,
}

#[derive(Deserialize, Default)]
struct Context {
    now: Option<f64>,
    arch: Option<String>,
    runtime: Option<String>,
    version: Option<String>,
    cpu: Option<Cpu>,
}

#[derive(Deserialize)]
struct Cpu {
    name: Option<String>,
}

#[derive(Deserialize)]
struct Benchmark {
    alias: String,
    group: Option<usize>,
    runs: Vec<MitataRun>,
}

#[derive(Deserialize)]
struct MitataRun {
    stats: Option<Stats>,
    error: Option<Value>,
    #[serde(default)]
    args: Map<String, Value>,
}

#[derive(Deserialize)]
struct Stats {
    samples: Vec<Number>,
    ticks: Option<Number>,
    avg: Option<Number>,
    min: Option<Number>,
    max: Option<Number>,
    p50: Option<Number>,
    p75: Option<Number>,
    p99: Option<Number>,
    p999: Option<Number>,
    heap: Option<Spread>,
    gc: Option<Spread>,
}

#[derive(Deserialize)]
struct Spread {
    avg: Option<Number>,
}

pub(crate) const KEYS: &[&[&str]] = &[&["layout", "benchmarks"]];

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let file: File = json::document(input)?;
    let mut foreign = Foreign::new("mitata", "javascript");
    foreign.says("differences between processes (all benchmarks come from one process)");
    foreign.says("order of the samples, and the two smallest and two largest samples of each benchmark");
    let Context { now, arch, runtime, version, cpu } = &file.context;
    foreign.started_ms = now.filter(|ms| *ms > 0.0).map(|ms| ms as i64);
    foreign.runtime =
        runtime.as_ref().zip(version.as_ref()).map(|(name, version)| format!("{name}/{version}"));
    foreign.machine.cpu = cpu.as_ref().and_then(|cpu| cpu.name.clone()).unwrap_or_default();
    foreign.machine.facts.extend(arch.iter().map(|arch| ("arch".to_owned(), arch.clone())));
    let process = foreign.process(0, 0);
    for benchmark in &file.benchmarks {
        let group = benchmark.group.and_then(|at| file.layout.get(at)?.name.clone());
        for run in &benchmark.runs {
            let params = run.args.iter().map(|(key, value)| (key.clone(), json::typed(value))).collect();
            let name = match &group {
                Some(group) => format!("{group}/{}", benchmark.alias),
                None => benchmark.alias.clone(),
            };
            let case = foreign.case(CaseIdentity::Row, SUITE, &name, params);
            foreign.cases.change(case, |own| own.group.clone_from(&group));
            take(&mut foreign, (process, case), run);
        }
    }
    Ok(foreign)
}

fn take(foreign: &mut Foreign, (process, case): (usize, usize), run: &MitataRun) {
    let Some(stats) = &run.stats else {
        let why = run
            .error
            .as_ref()
            .map(|error| error.get("message").map_or_else(|| json::text(error), json::text));
        return foreign.fail(case, why.unwrap_or_else(|| "it has no result".to_owned()));
    };
    let calls =
        stats.ticks.and_then(Number::time).map_or(1.0, |ticks| ticks / stats.samples.len().max(1) as f64);
    let calls = (calls.round() as u64).max(1);
    let one = |time: &Number| Some(Sample::of(time.time()?, calls));
    let samples = foreign.numbers(case, stats.samples.iter().map(one));
    foreign.long_visit((process, case), &[], &samples, statements(stats));
    // The file contains only the means of memory and garbage collection over the whole benchmark.
    let means = [("heap", "B", &stats.heap), ("gc", "ns", &stats.gc)];
    for (name, unit, spread) in means {
        let Some(value) = spread.as_ref().and_then(|spread| spread.avg?.finite()) else { continue };
        let metrics = [metric(name, unit, Kind::Level, Direction::Less)];
        foreign.declare(case, &metrics);
        let sample =
            Sample { untimed: true, iterations: 1, counters: [Some(value)].into(), ..Sample::default() };
        let metrics = foreign.shared(&metrics);
        foreign.visit((process, case), &metrics, &[sample], Vec::new());
    }
}

fn statements(stats: &Stats) -> Vec<Reported> {
    let all = [
        ("mean", stats.avg),
        ("median", stats.p50),
        ("min", stats.min),
        ("max", stats.max),
        ("p75", stats.p75),
        ("p99", stats.p99),
        ("p99.9", stats.p999),
    ];
    all.into_iter().filter_map(|(name, value)| Some(stated(name, "ns", value?.finite()?))).collect()
}

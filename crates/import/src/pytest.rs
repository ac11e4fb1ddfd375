//! Reads pytest-benchmark's JSON (`--benchmark-json`, `--benchmark-save`), with every round if the file
//! contains them.

use crate::cases::CaseIdentity;
use crate::foreign::{Foreign, Sample, stated};
use crate::json::{self, Number};
use crate::python::without_addresses;
use crate::{Input, ReadError, time};
use derny_model::{Commit, Reported};
use serde::Deserialize;
use serde_json::{Map, Value};

const SUITE: &str = "pytest";
const NS: f64 = 1e9;

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    machine_info: Map<String, Value>,
    commit_info: Option<CommitInfo>,
    benchmarks: Vec<Benchmark>,
    datetime: Option<String>,
    version: Option<String>,
}

#[derive(Deserialize)]
struct CommitInfo {
    id: Option<String>,
    #[serde(default)]
    dirty: bool,
    branch: Option<String>,
}

#[derive(Deserialize)]
struct Benchmark {
    group: Option<String>,
    name: String,
    fullname: Option<String>,
    #[serde(default)]
    extra_info: Map<String, Value>,
    stats: Stats,
}

#[derive(Deserialize)]
struct Stats {
    min: Option<Number>,
    max: Option<Number>,
    mean: Number,
    stddev: Option<Number>,
    median: Option<Number>,
    rounds: Option<u64>,
    iterations: Option<u64>,
    #[serde(default)]
    data: Option<Vec<Number>>,
}

pub(crate) const KEYS: &[&[&str]] = &[&["machine_info", "benchmarks"]];

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let file: File = json::document(input)?;
    let version = file.version.as_deref().unwrap_or_default();
    let mut foreign = Foreign::new(format!("pytest-benchmark {version}").trim(), "python");
    foreign.started_ms = file.datetime.as_deref().and_then(time::parse);
    foreign.commit = file.commit_info.and_then(|info| {
        let hash = info.id.filter(|id| !matches!(id.as_str(), "unknown" | "unversioned"))?;
        Some(Commit { hash, branch: info.branch.filter(|name| name != "(unknown)"), dirty: info.dirty })
    });
    machine(&mut foreign, &file.machine_info);
    foreign.says("differences between processes (all rounds come from one process)");
    if file.benchmarks.iter().any(|one| one.stats.data.as_ref().is_none_or(Vec::is_empty)) {
        foreign.says(
            "single rounds of some tests (these have only a mean and its deviation; \
            `--benchmark-save-data` keeps rounds)",
        );
    }
    let process = foreign.process(0, 0);
    for one in file.benchmarks {
        let stated = statements(&one.stats);
        let (suite, benchmark) = name(&one);
        // Every test has a unique id in pytest. Only an address in it may differ between processes.
        let case = foreign.case(CaseIdentity::Row, &suite, &benchmark, Vec::new());
        foreign.cases.change(case, |own| {
            let tags = one.extra_info.iter().map(|(key, value)| format!("{key}={}", json::text(value)));
            own.tags = tags.collect();
            own.printed = Some(one.fullname.unwrap_or(one.name));
            own.group = one.group;
        });
        let samples = foreign.numbers(case, samples(&one.stats));
        if !samples.is_empty() {
            foreign.long_visit((process, case), &[], &samples, stated);
        }
    }
    Ok(foreign)
}

/// Splits `tests/deep/test_a.py::test_x[1-b]` into suite and benchmark: the first folder, and the rest. Live
/// runs follow the same rule, and their names contain parameters too.
fn name(one: &Benchmark) -> (String, String) {
    let full = without_addresses(one.fullname.as_deref().unwrap_or(&one.name));
    let (file, test) = full.split_once("::").unwrap_or(("", &full));
    match file.split_once('/') {
        Some((folder, below)) => (folder.to_owned(), format!("{below}::{test}")),
        None if file.is_empty() => (SUITE.to_owned(), test.to_owned()),
        None => (file.strip_suffix(".py").unwrap_or(file).to_owned(), test.to_owned()),
    }
}

fn samples(stats: &Stats) -> Vec<Option<Sample>> {
    let iterations = stats.iterations.unwrap_or(1).max(1);
    match stats.data.as_ref().filter(|data| !data.is_empty()) {
        Some(data) => data.iter().map(|each| Some(Sample::of(each.time()? * NS, iterations))).collect(),
        None => {
            let all = iterations.saturating_mul(stats.rounds.unwrap_or(1).max(1));
            vec![stats.mean.time().map(|mean| Sample::of(mean * NS, all))]
        }
    }
}

fn statements(stats: &Stats) -> Vec<Reported> {
    let time = |name: &str, value: Option<Number>| Some(stated(name, "ns", value?.finite()? * NS));
    let all = [
        time("mean", Some(stats.mean)),
        time("median", stats.median),
        time("sd", stats.stddev),
        time("min", stats.min),
        time("max", stats.max),
    ];
    all.into_iter().flatten().collect()
}

fn machine(foreign: &mut Foreign, info: &Map<String, Value>) {
    let word = |key: &str| info.get(key).map(json::text).unwrap_or_default();
    let cpu = |key: &str| info.get("cpu").and_then(|cpu| cpu.get(key));
    let machine = &mut foreign.machine;
    machine.os = word("system").to_lowercase();
    machine.kernel = word("release");
    machine.host = word("node");
    machine.cpu = cpu("brand_raw").or(cpu("brand")).map(json::text).unwrap_or_default();
    machine.cores = cpu("count").and_then(Value::as_u64).unwrap_or(0) as u32;
    for (key, value) in info.iter().filter(|(key, _)| *key != "cpu") {
        machine.facts.insert(key.clone(), json::text(value));
    }
    let (name, version) = (word("python_implementation"), word("python_implementation_version"));
    if !name.is_empty() {
        foreign.runtime = Some(format!("{}/{version}", name.to_lowercase()));
    }
}

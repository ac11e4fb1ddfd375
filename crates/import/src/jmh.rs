//! JMH's JSON (`-rf json`): every iteration of every fork. A fork is a process. A throughput stays a rate: a mean of rates is not the
//! inverse of a mean of times.

use crate::foreign::{Foreign, Sample, Visit, metric, stated};
use crate::json::{self, Number};
use crate::{Input, ReadError, units};
use derny_model::{Direction, Kind, Metric, Reported};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};

const SUITE: &str = "jmh";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    jmh_version: Option<String>,
    benchmark: String,
    mode: String,
    threads: Option<u32>,
    jdk_version: Option<String>,
    vm_name: Option<String>,
    vm_version: Option<String>,
    #[serde(default)]
    jvm_args: Vec<String>,
    #[serde(default)]
    params: BTreeMap<String, String>,
    primary_metric: Score,
    #[serde(default)]
    secondary_metrics: BTreeMap<String, Score>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Score {
    score: Number,
    score_error: Option<Number>,
    score_unit: String,
    #[serde(default)]
    raw_data: Vec<Vec<Number>>,
    #[serde(default)]
    raw_data_histogram: Vec<Vec<Vec<(Number, Number)>>>,
}

pub(crate) fn matches(input: &Input<'_>) -> bool {
    json::begins(input, "[{\"jmhVersion\":")
        || (json::begins(input, "[{\"benchmark\":") && input.head().contains("\"measurementIterations\""))
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let entries: Vec<Entry> = json::document(input)?;
    let version = entries.iter().find_map(|entry| entry.jmh_version.as_deref()).unwrap_or_default();
    let mut foreign = Foreign::new(format!("jmh {version}").trim(), "java");
    foreign.says("how many calls an iteration had: each counts as one operation");
    foreign.says("warm-up iterations: the file has none of them");
    let machine = entries.first();
    let java = machine.and_then(|entry| entry.jdk_version.as_deref());
    foreign.runtime = java.map(|version| format!("java/{version}"));
    for (key, value) in [
        ("vm", machine.and_then(|entry| entry.vm_name.clone())),
        ("vm version", machine.and_then(|entry| entry.vm_version.clone())),
        ("jvm arguments", machine.map(|entry| entry.jvm_args.join(" ")).filter(|args| !args.is_empty())),
    ] {
        foreign.machine.facts.extend(value.map(|value| (key.to_owned(), value)));
    }
    let mut modes: HashMap<(&str, &BTreeMap<String, String>), HashSet<&str>> = HashMap::new();
    for entry in &entries {
        modes.entry((entry.benchmark.as_str(), &entry.params)).or_default().insert(entry.mode.as_str());
    }
    let has_no_raw = |entry: &Entry| forks(&entry.primary_metric).next().is_none();
    if entries.iter().any(has_no_raw) {
        foreign.says("iterations of some benchmarks: of these there is only a score");
    }
    for entry in &entries {
        let several = modes[&(entry.benchmark.as_str(), &entry.params)].len() > 1;
        take(&mut foreign, entry, several)?;
    }
    Ok(foreign)
}

/// Iterations of every fork: their values, each with how often it was seen.
fn forks(score: &Score) -> impl Iterator<Item = Vec<(Number, f64)>> {
    let raw = score.raw_data.iter().map(|fork| fork.iter().map(|value| (*value, 1.0)).collect());
    let counted = score.raw_data_histogram.iter().map(|fork| {
        let all = fork.iter().flatten();
        all.map(|(value, count)| (*value, count.0)).collect()
    });
    raw.chain(counted)
}

fn take(foreign: &mut Foreign, entry: &Entry, several: bool) -> Result<(), ReadError> {
    let mut params: Vec<(String, String)> = entry.params.clone().into_iter().collect();
    if several {
        params.push(("mode".to_owned(), entry.mode.clone()));
    }
    // As a jar's cases are called where Derny measures them itself.
    let case = foreign.case(SUITE, &entry.benchmark, params);
    let own = &mut foreign.cases[case];
    own.module = entry.benchmark.rsplit_once('.').map(|(class, _)| class.to_owned());
    own.printed = Some(entry.benchmark.clone());
    own.threads = entry.threads;
    own.tags = vec![entry.mode.clone()];
    let primary = &entry.primary_metric;
    let unit = primary.score_unit.as_str();
    let time = units::ns_per_operation(unit);
    let mut metrics: Vec<Metric> =
        entry.secondary_metrics.iter().map(|(name, score)| secondary(name, score)).collect();
    if time.is_none() {
        let direction = if units::is_rate(unit) { Direction::More } else { Direction::None };
        metrics.insert(0, metric("score", unit, Kind::Rate, direction));
    }
    foreign.declare(case, metrics.iter());
    let mut said = statements(primary, time);
    let mut all: Vec<Vec<(Number, f64)>> = forks(primary).collect();
    if all.is_empty() {
        all = vec![vec![(primary.score, 1.0)]];
    }
    for (fork, values) in all.iter().enumerate() {
        let mut samples = Vec::with_capacity(values.len());
        for (iteration, (value, count)) in values.iter().enumerate() {
            let wrong = || ReadError::whole(format!("`{}` has a value that is no number", entry.benchmark));
            let value = value.time().ok_or_else(wrong)?;
            let others = entry.secondary_metrics.values().map(|score| {
                score.raw_data.get(fork).and_then(|fork| fork.get(iteration)).and_then(|value| value.finite())
            });
            let count = if *count >= 1.0 { *count as u64 } else { 1 };
            samples.push(match time {
                Some(ns) => Sample { counters: others.collect(), ..Sample::of(value * ns, count) },
                None => Sample {
                    untimed: true,
                    iterations: count,
                    counters: std::iter::once(Some(value)).chain(others).collect(),
                    ..Sample::default()
                },
            });
        }
        let process = foreign.process(0, foreign.processes.len());
        let (metrics, stated) = (metrics.clone().into(), std::mem::take(&mut said));
        foreign.visits.push(Visit { process, case, metrics, samples, stated });
    }
    Ok(())
}

fn statements(score: &Score, time: Option<f64>) -> Vec<Reported> {
    let (unit, ns) = time.map_or((score.score_unit.as_str(), 1.0), |ns| ("ns", ns));
    let one = |name: &str, value: Option<Number>| Some(stated(name, unit, value?.finite()? * ns));
    [one("score", Some(score.score)), one("error", score.score_error)].into_iter().flatten().collect()
}

/// A profiler's metric. Older versions put a dot before its name.
fn secondary(name: &str, score: &Score) -> Metric {
    let name = name.trim_start_matches(['·', ':']);
    let direction = match name {
        "gc.alloc.rate.norm" | "gc.count" | "gc.time" => Direction::Less,
        _ => Direction::None,
    };
    metric(name, &score.score_unit, Kind::Level, direction)
}

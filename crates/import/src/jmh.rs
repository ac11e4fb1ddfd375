//! Reads JMH's JSON (`-rf json`), with every iteration of every fork. A fork is a process. JMH repeats
//! nothing else, so each entry is a separate case. A throughput remains a rate, because a mean of rates is
//! not the inverse of a mean of times.

use crate::cases::{CaseIdentity, add_param};
use crate::foreign::{Foreign, NO_TIME, Sample, metric, stated};
use crate::json::{self, Number};
use crate::{Input, ReadError, units};
use derny_model::{Direction, Kind, Metric, Reported};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

const SUITE: &str = "jmh";
const AVERAGE_TIME: &str = "avgt";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
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
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    benchmark: String,
    mode: String,
    threads: Option<u32>,
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

/// Keys of every entry. `jmhVersion` is not among them, because versions before 1.19 do not write it.
pub(crate) const KEYS: &[&[&str]] = &[&["[].benchmark", "[].mode", "[].primaryMetric"]];

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let mut foreign = Foreign::new("jmh", "java");
    foreign.says("number of calls per iteration (each iteration counts as one operation)");
    foreign.says("warm-up iterations (they are not in the file)");
    // If a benchmark has several modes or thread counts, they become part of its name. A first pass collects
    // them.
    let mut ways: HashMap<String, Ways> = HashMap::new();
    let mut described = false;
    json::each(input, None, &mut |entry: Head| {
        if !std::mem::replace(&mut described, true) {
            describe(&mut foreign, &entry);
        }
        if let Some(version) = entry.jmh_version.as_ref().filter(|_| foreign.tool == "jmh") {
            foreign.tool = format!("jmh {version}").trim().to_owned();
        }
        let ways = ways.entry(key(&entry.benchmark, &entry.params)).or_default();
        ways.modes.insert(entry.mode);
        ways.threads.extend(entry.threads);
        Ok(())
    })?;
    let mut has_no_raw = false;
    json::each(input, None, &mut |entry: Entry| {
        has_no_raw |= forks(&entry.primary_metric).next().is_none();
        take(&mut foreign, &entry, &ways[&key(&entry.benchmark, &entry.params)]);
        Ok(())
    })?;
    if has_no_raw {
        foreign.says("iterations of some benchmarks (these have only a score)");
    }
    Ok(foreign)
}

#[derive(Default)]
struct Ways {
    modes: BTreeSet<String>,
    threads: BTreeSet<u32>,
}

impl Ways {
    /// Returns the parameters that distinguish an entry from others with the same benchmark and parameters.
    /// Average time needs none, because live runs measure it.
    fn of(&self, entry: &Entry) -> impl Iterator<Item = (&'static str, String)> {
        let is_told = self.modes.len() > 1 && entry.mode != AVERAGE_TIME;
        let mode = Some(("mode", entry.mode.clone())).filter(|_| is_told);
        let threads = entry.threads.filter(|_| self.threads.len() > 1);
        mode.into_iter().chain(threads.map(|threads| ("threads", threads.to_string())))
    }
}

fn key(benchmark: &str, params: &BTreeMap<String, String>) -> String {
    params.iter().fold(benchmark.to_owned(), |text, (key, value)| format!("{text}\0{key}\0{value}"))
}

fn describe(foreign: &mut Foreign, entry: &Head) {
    foreign.runtime = entry.jdk_version.as_ref().map(|version| format!("java/{version}"));
    for (key, value) in [
        ("vm", entry.vm_name.clone()),
        ("vm version", entry.vm_version.clone()),
        ("jvm arguments", Some(entry.jvm_args.join(" ")).filter(|args| !args.is_empty())),
    ] {
        foreign.machine.facts.extend(value.map(|value| (key.to_owned(), value)));
    }
}

fn forks(score: &Score) -> impl Iterator<Item = Vec<(Number, f64)>> {
    let raw = score.raw_data.iter().map(|fork| fork.iter().map(|value| (*value, 1.0)).collect());
    let counted = score.raw_data_histogram.iter().map(|fork| {
        let all = fork.iter().flatten();
        all.map(|(value, count)| (*value, count.0)).collect()
    });
    raw.chain(counted)
}

/// Adds an entry. An entry whose values are all NaN counts as failed.
fn take(foreign: &mut Foreign, entry: &Entry, ways: &Ways) {
    let mut params: Vec<(String, String)> = entry.params.clone().into_iter().collect();
    for (name, value) in ways.of(entry) {
        add_param(&mut params, SUITE, name, value);
    }
    // Live runs of a jar use the same name.
    let case = foreign.case(CaseIdentity::Row, SUITE, &entry.benchmark, params);
    foreign.cases.change(case, |own| {
        own.module = entry.benchmark.rsplit_once('.').map(|(class, _)| class.to_owned());
        own.printed = Some(entry.benchmark.clone());
        own.threads = entry.threads;
        own.tags = vec![entry.mode.clone()];
    });
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
    let metrics = foreign.shared(&metrics);
    let mut said = foreign.said(statements(primary, time));
    let mut all: Vec<Vec<(Number, f64)>> = forks(primary).collect();
    if all.is_empty() {
        all = vec![vec![(primary.score, 1.0)]];
    }
    let mut left_out = 0;
    for (fork, values) in all.iter().enumerate() {
        let mut samples = Vec::with_capacity(values.len());
        for (iteration, (value, count)) in values.iter().enumerate() {
            let Some(value) = value.time() else {
                left_out += 1;
                continue;
            };
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
        if samples.is_empty() {
            continue;
        }
        let process = foreign.process(0, foreign.processes.len());
        foreign.visit((process, case), &metrics, &samples, std::mem::take(&mut said));
    }
    if left_out == all.iter().map(Vec::len).sum::<usize>() {
        foreign.fail(case, NO_TIME);
    } else {
        foreign.leave_out(case, left_out);
    }
}

fn statements(score: &Score, time: Option<f64>) -> Vec<Reported> {
    let (unit, ns) = time.map_or((score.score_unit.as_str(), 1.0), |ns| ("ns", ns));
    let one = |name: &str, value: Option<Number>| Some(stated(name, unit, value?.finite()? * ns));
    [one("score", Some(score.score)), one("error", score.score_error)].into_iter().flatten().collect()
}

/// Defines the metric of a profiler. Older versions put a dot before its name.
fn secondary(name: &str, score: &Score) -> Metric {
    let name = name.trim_start_matches(['·', ':']);
    let direction = match name {
        "gc.alloc.rate.norm" | "gc.count" | "gc.time" => Direction::Less,
        _ => Direction::None,
    };
    metric(name, &score.score_unit, Kind::Level, direction)
}

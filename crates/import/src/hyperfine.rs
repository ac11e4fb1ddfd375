//! Reads hyperfine's JSON (`--export-json`), with every run of every command. Each run is a process.

use crate::cases::CaseIdentity;
use crate::foreign::{Foreign, Sample, metric, stated};
use crate::json::{self, Number};
use crate::{Input, ReadError};
use derny_model::{Direction, Kind, Metric};
use serde::Deserialize;
use std::collections::BTreeMap;

const SUITE: &str = "hyperfine";
const NS: f64 = 1e9;

#[derive(Deserialize)]
struct Command {
    command: String,
    mean: Number,
    stddev: Option<Number>,
    median: Option<Number>,
    user: Option<Number>,
    system: Option<Number>,
    min: Option<Number>,
    max: Option<Number>,
    #[serde(default)]
    times: Option<Vec<Number>>,
    #[serde(default)]
    memory_usage_byte: Option<Vec<Number>>,
    #[serde(default)]
    exit_codes: Option<Vec<Option<i64>>>,
    #[serde(default)]
    parameters: Option<BTreeMap<String, serde_json::Value>>,
}

pub(crate) const KEYS: &[&[&str]] = &[&["results[].command"]];

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let mut foreign = Foreign::new("hyperfine", "command");
    foreign.says("subtraction of the shell's time, and warm-up runs");
    foreign.says("order of runs (hyperfine measures one command after the other)");
    let mut means = false;
    json::each(input, Some("results"), &mut |command: Command| {
        means |= command.times.as_ref().is_none_or(Vec::is_empty);
        take(&mut foreign, &command);
        Ok(())
    })?;
    if means {
        foreign.says("single runs of some commands (these have only a mean and its deviation)");
    }
    Ok(foreign)
}

fn take(foreign: &mut Foreign, command: &Command) {
    let params = command.parameters.iter().flatten().map(|(key, value)| (key.clone(), json::text(value)));
    let case = foreign.case(CaseIdentity::Row, SUITE, &command.command, params.collect());
    let samples = foreign.numbers(case, samples(command));
    let metrics = foreign.shared(&metrics(command));
    foreign.declare(case, metrics.iter());
    let mut stated = foreign.said(statements(command));
    for (block, sample) in samples.into_iter().enumerate() {
        if block == foreign.processes.len() {
            foreign.process(0, block);
        }
        foreign.visit((block, case), &metrics, &[sample], std::mem::take(&mut stated));
    }
}

fn samples(command: &Command) -> Vec<Option<Sample>> {
    let Some(times) = command.times.as_ref().filter(|times| !times.is_empty()) else {
        let counters = vec![None; metrics(command).len()].into();
        return vec![command.mean.time().map(|mean| Sample { counters, ..Sample::of(mean * NS, 1) })];
    };
    let statuses = statuses(command);
    let one = |(run, time): (usize, &Number)| {
        let memory = command.memory_usage_byte.as_ref().map(|list| list.get(run)?.finite());
        let status = statuses.map(|list| Some(list.get(run).copied().flatten()? as f64));
        let counters = memory.into_iter().chain(status).collect();
        Some(Sample { counters, ..Sample::of(time.time()? * NS, 1) })
    };
    times.iter().enumerate().map(one).collect()
}

fn statuses(command: &Command) -> Option<&Vec<Option<i64>>> {
    command.exit_codes.as_ref().filter(|codes| codes.iter().any(|code| *code != Some(0)))
}

fn metrics(command: &Command) -> Vec<Metric> {
    let memory = command.memory_usage_byte.as_ref().map(|_| metric("peak", "B", Kind::Peak, Direction::Less));
    let status = statuses(command).map(|_| metric("exit_code", "count", Kind::Level, Direction::None));
    memory.into_iter().chain(status).collect()
}

fn statements(command: &Command) -> Vec<derny_model::Reported> {
    let time = |name: &str, value: Option<Number>| Some(stated(name, "ns", value?.finite()? * NS));
    let all = [
        time("mean", Some(command.mean)),
        time("median", command.median),
        time("sd", command.stddev),
        time("min", command.min),
        time("max", command.max),
        time("user", command.user),
        time("system", command.system),
    ];
    all.into_iter().flatten().collect()
}

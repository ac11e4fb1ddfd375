//! Reads Benchee's files: suites saved with `save: [path: …]` as Erlang terms, and the JSON of benchee_json.
//! Reads run times, memory and reductions of every scenario, with all samples.

use crate::cases::CaseIdentity;
use crate::foreign::{Foreign, LONGEST, NO_TIME, Sample, metric, stated};
use crate::json::{self, Number};
use crate::term::{Term, term};
use crate::{Input, ReadError};
use derny_model::{Direction, Kind, Reported};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

const SUITE: &str = "benchee";
const NO_INPUT: [&str; 2] = ["__no_input", "Elixir.Benchee.Benchmark.NoInput"];
const STATED: [(&str, &str); 6] = [
    ("average", "mean"),
    ("median", "median"),
    ("std_dev", "sd"),
    ("minimum", "min"),
    ("maximum", "max"),
    ("ips", "ips"),
];

#[derive(Deserialize)]
struct Scenario {
    name: Option<String>,
    job_name: Option<String>,
    input_name: Option<Value>,
    tag: Option<Value>,
    #[serde(default)]
    run_time_data: Data,
    #[serde(default)]
    memory_usage_data: Data,
    #[serde(default)]
    reductions_data: Data,
}

#[derive(Deserialize, Default)]
struct Data {
    #[serde(default)]
    samples: Option<Vec<Number>>,
    #[serde(default)]
    statistics: Option<BTreeMap<String, Value>>,
}

/// The older JSON format, which maps each job's name to its data. The newest format is a list of scenarios.
#[derive(Deserialize)]
struct Jobs {
    run_times: BTreeMap<String, Vec<Number>>,
    statistics: BTreeMap<String, BTreeMap<String, Value>>,
}

pub(crate) const KEYS: &[&[&str]] = &[&["[].run_time_data"], &["run_times", "statistics"]];

pub(crate) fn matches(input: &Input<'_>) -> bool {
    input.bytes.first() == Some(&131) && is_saved(input)
}

pub(crate) fn is_saved(input: &Input<'_>) -> bool {
    let start = &input.bytes[..input.bytes.len().min(512)];
    let name = b"Elixir.Benchee.Suite";
    start.windows(name.len()).any(|window| window == name)
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let mut foreign = Foreign::new("benchee", "elixir");
    foreign.says("date of the measurement, and differences between processes");
    foreign.says("number of calls per run time of fast functions (each run time counts as one call)");
    let process = foreign.process(0, 0);
    if input.bytes.first() == Some(&131) {
        saved(&mut foreign, process, term(input.bytes)?)?;
    } else if json::begins(input, "[") {
        json::each(input, None, &mut |scenario: Scenario| take(&mut foreign, process, &scenario))?;
    } else {
        let Jobs { run_times, statistics } = json::document(input)?;
        for scenario in jobs(run_times, &statistics) {
            take(&mut foreign, process, &scenario)?;
        }
    }
    Ok(foreign)
}

fn jobs(
    run_times: BTreeMap<String, Vec<Number>>,
    statistics: &BTreeMap<String, BTreeMap<String, Value>>,
) -> impl Iterator<Item = Scenario> {
    // The older JSON contains microseconds.
    let ns = |times: Vec<Number>| times.into_iter().map(|time| Number(time.0 * 1e3)).collect();
    let scaled = move |name: &str| {
        let own = statistics.get(name)?;
        let ns = |(key, value): (&String, &Value)| {
            let factor = if key.contains("ips") || key.contains("ratio") { 1.0 } else { 1e3 };
            Some((key.clone(), Value::from(value.as_f64()? * factor)))
        };
        Some(own.iter().filter_map(ns).collect())
    };
    let one = move |(name, times): (String, Vec<Number>)| Scenario {
        run_time_data: Data { statistics: scaled(&name), samples: Some(ns(times)) },
        name: Some(name),
        job_name: None,
        input_name: None,
        tag: None,
        memory_usage_data: Data::default(),
        reductions_data: Data::default(),
    };
    run_times.into_iter().map(one)
}

fn saved(foreign: &mut Foreign, process: usize, mut suite: Term) -> Result<(), ReadError> {
    if let Some(system) = suite.get("system") {
        let says = |key: &str| system.get(key).and_then(Term::text);
        foreign.runtime = says("elixir").map(|version| format!("elixir/{version}"));
        foreign.machine.cpu = says("cpu_speed").unwrap_or_default();
        foreign.machine.cores = system.get("num_cores").and_then(Term::number).unwrap_or(0.0) as u32;
        foreign.machine.facts.extend(
            ["elixir", "erlang", "os", "available_memory", "jit_enabled?"]
                .iter()
                .filter_map(|key| Some(((*key).to_owned(), says(key)?))),
        );
    }
    let data = |scenario: &mut Term, key: &str| {
        let mut data = scenario.take(key);
        let numbers = data.as_mut().and_then(|data| data.take("samples")).and_then(Term::numbers);
        let statistics = data.as_ref().and_then(|data| data.get("statistics")).map(|all| {
            let one = |(key, _): &(&str, &str)| {
                let value = all.get(key)?.number()?;
                Some(((*key).to_owned(), Value::from(value)))
            };
            STATED.iter().filter_map(one).collect()
        });
        Data { samples: numbers.map(|all| all.into_iter().map(Number).collect()), statistics }
    };
    let text = |scenario: &Term, key: &str| scenario.get(key).and_then(Term::text);
    let title = suite.get("configuration").and_then(|all| text(all, "title")).filter(|title| title != "nil");
    let titled = |job: String| title.as_ref().map_or(job.clone(), |title| format!("{title}/{job}"));
    let one = |scenario: &mut Term| Scenario {
        name: text(scenario, "name"),
        job_name: text(scenario, "job_name").map(titled),
        input_name: text(scenario, "input_name").map(Value::from),
        tag: text(scenario, "tag").map(Value::from),
        run_time_data: data(scenario, "run_time_data"),
        memory_usage_data: data(scenario, "memory_usage_data"),
        reductions_data: data(scenario, "reductions_data"),
    };
    let Some(Term::List(scenarios)) = suite.take("scenarios") else {
        return Err(ReadError::whole("the suite has no scenarios"));
    };
    scenarios.into_iter().try_for_each(|mut scenario| take(foreign, process, &one(&mut scenario)))
}

fn take(foreign: &mut Foreign, process: usize, scenario: &Scenario) -> Result<(), ReadError> {
    let text = |value: &Option<Value>| value.as_ref().and_then(Value::as_str).map(str::to_owned);
    let name = scenario.job_name.as_ref().or(scenario.name.as_ref());
    let name = name.ok_or_else(|| ReadError::whole("a scenario has no name"))?;
    let input =
        text(&scenario.input_name).filter(|input| !NO_INPUT.contains(&input.as_str()) && input != "nil");
    let tag = text(&scenario.tag).filter(|tag| tag != "nil");
    let params = [("input", input), ("tag", tag)];
    let params = params.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
    let case = foreign.case(CaseIdentity::Row, SUITE, name, params);
    let times = scenario.run_time_data.samples.as_deref().unwrap_or_default();
    let mut said = statements(&scenario.run_time_data);
    let mut any = false;
    if let Some(mean) =
        said.iter().find(|said| said.metric.name == "stated mean").filter(|_| times.is_empty())
    {
        let sample = Sample::of(mean.value.max(0.0), 1);
        foreign.long_visit((process, case), &[], &[sample], std::mem::take(&mut said));
        any = true;
    }
    // Create one visit at a time, because samples take several times the memory of plain numbers.
    for some in times.chunks(LONGEST) {
        let all = some.iter().filter_map(|time| Some(Sample::of(time.time()?, 1)));
        let samples: Vec<Sample> = all.collect();
        foreign.leave_out(case, some.len() - samples.len());
        any |= !samples.is_empty();
        foreign.long_visit((process, case), &[], &samples, std::mem::take(&mut said));
    }
    let others =
        [("memory", "B", &scenario.memory_usage_data), ("reductions", "count", &scenario.reductions_data)];
    for (quantity, unit, data) in others {
        let values = data.samples.as_deref().unwrap_or_default();
        let metrics = [metric(quantity, unit, Kind::Total, Direction::Less)];
        let one = |value: &Number| Sample {
            untimed: true,
            iterations: 1,
            counters: [value.finite()].into(),
            ..Sample::default()
        };
        if !values.is_empty() {
            foreign.declare(case, &metrics);
            let metrics = foreign.shared(&metrics);
            foreign.visit((process, case), &metrics, values.iter().map(one), Vec::new());
            any = true;
        }
    }
    if !any {
        foreign.fail(case, if times.is_empty() { "no samples" } else { NO_TIME });
    }
    Ok(())
}

fn statements(data: &Data) -> Vec<Reported> {
    let one = |(key, name): &(&str, &str)| {
        let value = data.statistics.as_ref()?.get(*key)?.as_f64().filter(|value| value.is_finite())?;
        let unit = if *name == "ips" { "op/s" } else { "ns" };
        Some(stated(name, unit, value))
    };
    STATED.iter().filter_map(one).collect()
}

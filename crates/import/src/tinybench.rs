//! Reads tinybench's results as users save them: tasks of version 2 and later, or rows of its table. Times
//! are in ms, except in the table.

use crate::cases::CaseIdentity;
use crate::foreign::{Foreign, Sample, stated};
use crate::json::{self, Number};
use crate::{Input, ReadError};
use derny_model::Reported;
use serde::Deserialize;
use serde_json::{Map, Value};

const SUITE: &str = "tinybench";
const NS: f64 = 1e6;
const NAME: &str = "Task name";
const COLUMNS: [(&[&str], &str); 2] =
    [(&["Latency av", "Average Time"], "mean"), (&["Latency med"], "median")];

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Figures {
    samples: Option<Vec<Number>>,
    mean: Option<Number>,
    #[serde(alias = "p50")]
    median: Option<Number>,
    min: Option<Number>,
    max: Option<Number>,
    sd: Option<Number>,
    moe: Option<Number>,
    mad: Option<Number>,
    p75: Option<Number>,
    p99: Option<Number>,
    p995: Option<Number>,
    p999: Option<Number>,
}

#[derive(Deserialize)]
struct Task {
    name: String,
    result: Option<TaskResult>,
    /// The fields of `{name, ...result}` other than the name.
    #[serde(flatten)]
    beside: TaskResult,
}

#[derive(Deserialize)]
struct TaskResult {
    /// Present from version 3 on. Earlier versions put these figures into the result itself.
    latency: Option<Figures>,
    error: Option<Value>,
    runtime: Option<String>,
    #[serde(rename = "runtimeVersion")]
    runtime_version: Option<String>,
    #[serde(flatten)]
    own: Figures,
}

pub(crate) const KEYS: &[&[&str]] = &[
    &["[].name", "[].result.latency"],
    &["[].name", "[].result.totalTime"],
    &["[].name", "[].result.error"],
    &["[].name", "[].latency"],
    &["[].name", "[].totalTime"],
    &["[].Task name"],
];

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let mut foreign = Foreign::new("tinybench", "javascript");
    say_what_is_unknown(&mut foreign);
    let process = foreign.process(0, 0);
    json::each(input, None, &mut |row: Map<String, Value>| {
        if row.contains_key(NAME) {
            return table_row(&mut foreign, process, &row);
        }
        let task = Task::deserialize(Value::Object(row))
            .map_err(|why| ReadError::whole(format!("unexpected content: {why}")))?;
        // A bench may have several tasks with the same name, and runs each of them once.
        let case = foreign.case(CaseIdentity::Row, SUITE, &task.name, Vec::new());
        let has_any =
            task.beside.latency.is_some() || task.beside.own.mean.is_some() || task.beside.error.is_some();
        let Some(result) = task.result.as_ref().or(Some(&task.beside).filter(|_| has_any)) else {
            foreign.fail(case, "it was not run");
            return Ok(());
        };
        if let Some((name, version)) = result.runtime.as_ref().zip(result.runtime_version.as_ref()) {
            foreign.runtime = Some(format!("{name}/{version}"));
        }
        let figures = result.latency.as_ref().unwrap_or(&result.own);
        take(&mut foreign, (process, case), figures, result.error.as_ref().map(reason));
        Ok(())
    })?;
    say_where_only_means_are(&mut foreign);
    Ok(foreign)
}

pub(crate) fn say_what_is_unknown(foreign: &mut Foreign) {
    foreign.says("differences between processes (all benchmarks come from one process)");
    foreign.says("order of the samples (tinybench sorts them)");
}

pub(crate) fn say_where_only_means_are(foreign: &mut Foreign) {
    if foreign.visits.iter().any(|visit| visit.samples < 2) {
        foreign.says("single samples of some benchmarks (these have only a mean and its deviation)");
    }
}

fn reason(error: &Value) -> String {
    error.get("message").map_or_else(|| json::text(error), json::text)
}

/// Adds the figures of a task. A task without figures counts as failed.
pub(crate) fn take(
    foreign: &mut Foreign,
    (process, case): (usize, usize),
    figures: &Figures,
    error: Option<String>,
) {
    let Some(mean) = figures.mean.filter(|_| error.is_none()) else {
        return foreign.fail(case, error.unwrap_or_else(|| "it has no result".to_owned()));
    };
    let times =
        figures.samples.as_deref().filter(|times| !times.is_empty()).unwrap_or(std::slice::from_ref(&mean));
    let samples = foreign.numbers(case, times.iter().map(|time| Some(Sample::of(time.time()? * NS, 1))));
    if !samples.is_empty() {
        foreign.long_visit((process, case), &[], &samples, statements(figures));
    }
}

fn statements(figures: &Figures) -> Vec<Reported> {
    let Figures { mean, median, min, max, sd, moe, mad, p75, p99, p995, p999, .. } = figures;
    let all = [
        ("mean", mean),
        ("median", median),
        ("sd", sd),
        ("min", min),
        ("max", max),
        ("moe", moe),
        ("mad", mad),
        ("p75", p75),
        ("p99", p99),
        ("p99.5", p995),
        ("p99.9", p999),
    ];
    all.into_iter().filter_map(|(name, value)| Some(stated(name, "ns", (*value)?.finite()? * NS))).collect()
}

/// Adds a row such as `"Latency avg (ns)": "639.68 ± 120.18%"`.
fn table_row(foreign: &mut Foreign, process: usize, row: &Map<String, Value>) -> Result<(), ReadError> {
    let name = row.get(NAME).map(json::text).unwrap_or_default();
    let case = foreign.case(CaseIdentity::Row, SUITE, &name, Vec::new());
    if let Some(error) = row.get("Error") {
        foreign.fail(case, json::text(error));
        return Ok(());
    }
    let mut said = Vec::new();
    for (column, statistic) in &COLUMNS {
        let is_meant = |title: &String| column.iter().any(|begins| title.starts_with(begins));
        let Some((title, cell)) = row.iter().find(|(title, _)| is_meant(title)) else { continue };
        let unit = title.split(['(', ')']).nth(1).and_then(crate::units::ns);
        let text = json::text(cell);
        let value = text.split('±').next().and_then(|first| first.trim().parse::<f64>().ok());
        let wrong =
            || ReadError::whole(format!("`{name}` has `{text}` under `{title}`, which is not a duration"));
        if value.is_some_and(|value| !value.is_finite()) {
            foreign.fail(case, format!("`{title}` is not a number"));
            return Ok(());
        }
        let ns = unit.zip(value).map(|(unit, value)| unit * value).filter(|ns| *ns >= 0.0);
        said.push(stated(statistic, "ns", ns.ok_or_else(wrong)?));
    }
    let mean = said.iter().find(|said| said.metric.name.ends_with("mean")).map(|mean| mean.value);
    let Some(mean) = mean else {
        return Err(ReadError::whole(format!("`{name}` has no column for the mean latency")));
    };
    foreign.long_visit((process, case), &[], &[Sample::of(mean, 1)], said);
    Ok(())
}

//! The JSON report of Haskell's criterion: every measurement of every benchmark. Both forms: `["criterion", version, [report, …]]`
//! as `--json` writes it, and the bare list of reports that the template `json` makes. Rows have 11 figures up to 1.5 and 12
//! since 1.6.

use crate::{Foreign, Input, ReadError, Sample};
use derny_model::{Direction, Kind, Metric};
use serde_json::Value;

/// criterion leaves shorter measurements out of its mean.
const LEAST_S: f64 = 0.030;
/// Where fewer are left than this, all count.
const ENOUGH: usize = 4;

/// criterion's keys as Derny's metrics: key, name, unit, what one of its units is in ours.
const METRICS: [(&str, &str, &str, f64); 10] = [
    ("cpuTime", "cpu", "ns", 1e9),
    ("cycles", "cycles", "count", 1.0),
    ("allocated", "allocated", "B", 1.0),
    ("peakMbAllocated", "peak", "B", 1_048_576.0),
    ("numGcs", "gc", "count", 1.0),
    ("bytesCopied", "copied", "B", 1.0),
    ("mutatorWallSeconds", "mutator", "ns", 1e9),
    ("mutatorCpuSeconds", "mutator_cpu", "ns", 1e9),
    ("gcWallSeconds", "gc_time", "ns", 1e9),
    ("gcCpuSeconds", "gc_cpu", "ns", 1e9),
];

pub(crate) fn matches(input: &Input<'_>) -> bool {
    let head = input.head();
    head.trim_start().starts_with('[')
        && (head.contains("\"criterion\"")
            || head.contains("\"reportMeasured\"")
            || head.contains("\"reportAnalysis\""))
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let value: Value = serde_json::from_str(input.text()?)
        .map_err(|error| ReadError::at(error.line(), format!("it is no JSON: {error}")))?;
    let (tool, reports) = reports(&value).ok_or_else(|| {
        ReadError::whole("it is neither `[\"criterion\", version, reports]` nor a list of reports")
    })?;
    let mut foreign = Foreign::new(tool, "haskell");
    foreign.ladder = true;
    foreign.says("version and flags of GHC");
    foreign.says("whether other processes would differ: all measurements are of one process");
    let process = foreign.process(0, 0);
    for (number, report) in reports.iter().enumerate() {
        let name = report.get("reportName").and_then(Value::as_str);
        let name = name.ok_or_else(|| ReadError::whole(format!("report {number} has no `reportName`")))?;
        let why = |why: String| ReadError::whole(format!("report `{name}`: {why}"));
        let keys = keys(report).ok_or_else(|| why("its `reportKeys` are no list of texts".to_owned()))?;
        let rows = report.get("reportMeasured").and_then(Value::as_array);
        let rows = rows.ok_or_else(|| why("it has no `reportMeasured`".to_owned()))?;
        let mut samples = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            samples.push(sample(&keys, row).map_err(|reason| why(format!("measurement {index}: {reason}")))?);
        }
        let long = |sample: &Sample| sample.time_ns as f64 >= LEAST_S * 1e9;
        if samples.iter().filter(|sample| long(sample)).count() >= ENOUGH {
            samples.iter_mut().for_each(|sample| sample.warm_up = !long(sample));
        }
        let case = foreign.case("criterion", name, Vec::new());
        foreign.visit(process, case, metrics(&keys), samples);
    }
    Ok(foreign)
}

/// The tool with its version, and the reports, of either form.
fn reports(value: &Value) -> Option<(String, &Vec<Value>)> {
    let list = value.as_array()?;
    if list.first().and_then(Value::as_str) == Some("criterion") {
        return Some((format!("criterion {}", list.get(1)?.as_str()?), list.get(2)?.as_array()?));
    }
    list.iter().all(Value::is_object).then(|| ("criterion".to_owned(), list))
}

fn keys(report: &Value) -> Option<Vec<&str>> {
    report.get("reportKeys")?.as_array()?.iter().map(Value::as_str).collect()
}

fn metrics(keys: &[&str]) -> Vec<Metric> {
    let known = METRICS.iter().filter(|(key, ..)| keys.contains(key));
    let metric = |(_, name, unit, _): &(&str, &str, &str, f64)| Metric {
        name: (*name).to_owned(),
        unit: (*unit).to_owned(),
        // Figures of the rows of a report are per iteration, but for this one.
        kind: if *name == "peak" { Kind::Peak } else { Kind::Total },
        direction: Direction::Less,
        exact: false,
    };
    known.map(metric).collect()
}

fn sample(keys: &[&str], row: &Value) -> Result<Sample, String> {
    let row = row.as_array().ok_or("it is no list")?;
    if row.len() != keys.len() {
        return Err(format!("{} figures for {} keys", row.len(), keys.len()));
    }
    let figure =
        |key: &str| keys.iter().position(|known| *known == key).and_then(|place| row[place].as_f64());
    let time = figure("time").filter(|time| *time >= 0.0).ok_or("it has no `time`")?;
    let iterations = figure("iters").filter(|count| *count >= 1.0).ok_or("it has no `iters`")?;
    let known = METRICS.iter().filter(|(key, ..)| keys.contains(key));
    Ok(Sample {
        time_ns: (time * 1e9).round() as u64,
        iterations: iterations as u64,
        counters: known.map(|(key, _, _, unit)| figure(key).map(|value| value * unit)).collect(),
        ..Sample::default()
    })
}

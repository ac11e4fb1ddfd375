//! hyperfine's files: JSON with the time per operation of every batch, CSV, and a Markdown table.

use super::batches::{Batches, batches};
use super::of_variant;
use crate::csv;
use derny_model::{CaseResult, Document, Records, VariantResult};
use serde_json::{Map, Value, json};

/// Returns the run as JSON. Each batch becomes what hyperfine calls a run. Values that were not measured are
/// null.
pub fn json(document: &Document, records: &Records) -> String {
    let several = document.run.variants.len() > 1;
    let batches = batches(records);
    let mut results = Vec::new();
    for case in document.cases() {
        for variant in &case.variants {
            let own = batches.get(&(&case.case.id, variant.variant.as_str()));
            results.extend(own.map(|own| result(case, variant, own, several)));
        }
    }
    let mut text = serde_json::to_string_pretty(&json!({ "results": results })).unwrap_or_default();
    text.push('\n');
    text
}

fn result(case: &CaseResult, variant: &VariantResult, measured: &Batches, several: bool) -> Value {
    let id = &case.case.id;
    let command = command(case, variant, several);
    let seconds = |name: &str| variant.figure(name).map(|figure| figure.value / 1e9);
    let metric = |name: &str| variant.metric(name).map(|figure| figure.value / 1e9);
    let parameters: Map<String, Value> =
        id.params.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str()))).collect();
    let times: Vec<f64> = measured.turns().flat_map(|turn| &turn.times).map(|time| time / 1e9).collect();
    // Counters belong to turns, so the share of each of several batches is unknown.
    let single = || measured.turns().filter(|turn| turn.times.len() == 1);
    let peaks = single().map(|turn| turn.peak).collect::<Option<Vec<f64>>>();
    let statuses = single().map(|turn| turn.status).collect::<Option<Vec<f64>>>();
    let statuses = statuses.or_else(|| all_zero(case, variant).then(|| vec![0.0; times.len()]));
    let of_each = |values: Option<Vec<f64>>| values.filter(|values| values.len() == times.len());
    let whole =
        |values: Vec<f64>| values.into_iter().map(|value| Value::from(value as i64)).collect::<Vec<Value>>();
    let mut result = json!({
        "command": command,
        "mean": seconds("batch_mean"),
        "stddev": seconds("standard_deviation").filter(|_| times.len() > 1),
        "median": seconds("median"),
        "user": metric("user").or_else(|| metric("stated user")),
        "system": metric("system").or_else(|| metric("stated system")),
        "min": seconds("minimum"),
        "max": seconds("maximum"),
        "times": times,
    });
    for (name, values) in [("memory_usage_byte", peaks), ("exit_codes", statuses)] {
        if let Some(values) = of_each(values) {
            result[name] = Value::from(whole(values));
        }
    }
    if !parameters.is_empty() {
        result["parameters"] = Value::Object(parameters);
    }
    result
}

/// Returns true for a whole command without recorded exit codes, because all of its runs then ended with 0.
fn all_zero(case: &CaseResult, variant: &VariantResult) -> bool {
    case.case.id.suite == "command" && variant.metric("exit_code").is_none()
}

/// Returns the name of the command. Parameters have a separate field. Imported commands keep their name. A
/// whole command is named after its variant if there are several.
fn command(case: &CaseResult, variant: &VariantResult, several: bool) -> String {
    let id = &case.case.id;
    match id.suite.as_str() {
        "command" if several => variant.variant.clone(),
        "command" | "hyperfine" => of_variant(id.benchmark.clone(), variant, several),
        suite => of_variant(format!("{suite}/{}", id.benchmark), variant, several),
    }
}

/// Returns a CSV row per case and variant, in seconds.
pub fn csv(document: &Document, records: &Records) -> String {
    let rows = rows(document, records);
    let mut names: Vec<&str> = Vec::new();
    for name in rows.iter().flat_map(|row| row.parameters.iter().map(|(name, _)| name.as_str())) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut text = "command,mean,stddev,median,user,system,min,max".to_owned();
    names.iter().for_each(|name| text.push_str(&format!(",{}", csv::quote(&format!("parameter_{name}")))));
    text.push('\n');
    for row in &rows {
        text.push_str(&csv::quote(&row.command));
        for value in [row.mean, row.sd, row.median, row.user, row.system, row.min, row.max] {
            text.push_str(&value.map_or(",".to_owned(), |ns| format!(",{}", ns / 1e9)));
        }
        for name in &names {
            let value = row.parameters.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value);
            text.push_str(&format!(",{}", csv::quote(value)));
        }
        text.push('\n');
    }
    text
}

#[derive(Clone, Copy)]
enum Unit {
    Microsecond,
    Millisecond,
    Second,
}

impl Unit {
    fn of(ns: f64) -> Unit {
        match ns {
            ns if ns < 1e6 => Unit::Microsecond,
            ns if ns < 1e9 => Unit::Millisecond,
            _ => Unit::Second,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Unit::Microsecond => "µs",
            Unit::Millisecond => "ms",
            Unit::Second => "s",
        }
    }

    fn text(self, ns: f64) -> String {
        match self {
            Unit::Microsecond => format!("{:.1}", ns / 1e3),
            Unit::Millisecond => format!("{:.1}", ns / 1e6),
            Unit::Second => format!("{:.3}", ns / 1e9),
        }
    }
}

/// Returns a Markdown table with the mean, the range, and the ratio to the fastest command.
pub fn table(document: &Document, records: &Records) -> String {
    let rows = rows(document, records);
    let quickest = rows.iter().filter_map(|row| row.mean).fold(f64::INFINITY, f64::min);
    let unit = Unit::of(quickest);
    let timed = |title: &str| format!("{title} [{}]", unit.name());
    let line = |cells: [String; 5]| format!("| {} |\n", cells.join(" | "));
    let head = ["Command".to_owned(), timed("Mean"), timed("Min"), timed("Max"), "Relative".to_owned()];
    let mut text = line(head) + "|:---|---:|---:|---:|---:|\n";
    for row in &rows {
        let time = |ns: Option<f64>| ns.map_or(String::new(), |ns| unit.text(ns));
        let mean = match row.sd {
            Some(sd) => format!("{} ± {}", time(row.mean), unit.text(sd)),
            None => time(row.mean),
        };
        let relative = row.mean.map_or(String::new(), |mean| format!("{:.2}", mean / quickest));
        let command = format!("`{}`", row.command.replace('|', "\\|"));
        text.push_str(&line([command, mean, time(row.min), time(row.max), relative]));
    }
    text
}

struct Row {
    command: String,
    parameters: Vec<(String, String)>,
    mean: Option<f64>,
    sd: Option<f64>,
    median: Option<f64>,
    user: Option<f64>,
    system: Option<f64>,
    min: Option<f64>,
    max: Option<f64>,
}

fn rows(document: &Document, records: &Records) -> Vec<Row> {
    let several = records.header.variants.len() > 1;
    let of_case = |case: &CaseResult| {
        let row = |variant: &VariantResult| {
            let figure = |name: &str| variant.figure(name).map(|figure| figure.value);
            let metric = |name: &str| variant.metric(name).map(|figure| figure.value);
            Row {
                command: command(case, variant, several),
                parameters: case.case.id.params.clone(),
                mean: figure("batch_mean"),
                sd: figure("standard_deviation"),
                median: figure("median"),
                user: metric("user"),
                system: metric("system"),
                min: figure("minimum"),
                max: figure("maximum"),
            }
        };
        case.variants.iter().map(row).collect::<Vec<Row>>()
    };
    document.cases().flat_map(of_case).collect()
}

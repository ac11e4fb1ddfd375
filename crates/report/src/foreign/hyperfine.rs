//! hyperfine's JSON, for its scripts: a result per case and variant, with the time of every batch per operation.

use super::batches::{Batches, batches};
use super::of_variant;
use derny_model::{CaseResult, Document, Records, VariantResult};
use serde_json::{Map, Value, json};

/// The whole run. What is a run there is a batch here; what hyperfine reads from a process and nobody measured is null.
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
    // What was imported from hyperfine is a command by itself; elsewhere the case stands for one. Parameters have a place of their own.
    let own = if id.suite == "hyperfine" { String::new() } else { format!("{}/", id.suite) };
    let command = of_variant(format!("{own}{}", id.benchmark), variant, several);
    let seconds = |name: &str| variant.figure(name).map(|figure| figure.value / 1e9);
    let metric = |name: &str| variant.metric(name).map(|figure| figure.value / 1e9);
    let parameters: Map<String, Value> =
        id.params.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str()))).collect();
    let times: Vec<f64> = measured.turns().flatten().map(|time| time / 1e9).collect();
    let mut result = json!({
        "command": command,
        "mean": seconds("batch_mean"),
        "stddev": seconds("standard_deviation").filter(|_| times.len() > 1),
        "median": seconds("median"),
        "user": metric("stated user"),
        "system": metric("stated system"),
        "min": seconds("minimum"),
        "max": seconds("maximum"),
        "times": times,
    });
    if !parameters.is_empty() {
        result["parameters"] = Value::Object(parameters);
    }
    result
}

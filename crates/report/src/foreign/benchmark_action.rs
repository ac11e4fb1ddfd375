//! JSON for github-action-benchmark's tool `customSmallerIsBetter`: a list of values with units. The action
//! itself maintains its `data.js`.

use super::name;
use derny_model::{Direction, Document, Figure};
use serde_json::{Value, json};

/// Unit of a time per call, as for Rust benchmarks in the action.
const TIME: &str = "ns/iter";

/// Returns typical times, followed by the metrics for which less is better. The action would report
/// improvements of other metrics as regressions.
///
/// # Errors
///
/// Fails if no case has a value.
pub fn json(document: &Document) -> Result<String, String> {
    let several = document.run.variants.len() > 1;
    let mut all: Vec<Value> = Vec::new();
    for case in document.cases() {
        for variant in &case.variants {
            let name = name(&case.case, variant, several, "benchmark-action");
            let processes = variant.processes;
            let time = variant.figure("time");
            all.extend(time.and_then(|figure| entry(&name, TIME, &figure, processes)));
            let metrics = variant.figures.iter();
            for figure in metrics.filter(|figure| figure.metric && figure.better == Direction::Less) {
                let unit = if figure.per_operation {
                    format!("{}/iter", figure.unit)
                } else {
                    figure.unit.to_string()
                };
                all.extend(entry(&format!("{name} · {}", figure.label), &unit, &figure, processes));
            }
        }
    }
    if all.is_empty() {
        return Err("none of its cases has a value".to_owned());
    }
    let mut text = serde_json::to_string_pretty(&all).unwrap_or_default();
    text.push('\n');
    Ok(text)
}

fn entry(name: &str, unit: &str, figure: &Figure, processes: u32) -> Option<Value> {
    figure.value.is_finite().then(|| {
        let mut own = json!({ "name": name, "unit": unit, "value": figure.value });
        if let Some(interval) = figure.interval {
            own["range"] = format!("± {}", (interval.hi - interval.lo) / 2.0).into();
            own["extra"] = format!("{} … {}, {processes} processes", interval.lo, interval.hi).into();
        }
        own
    })
}

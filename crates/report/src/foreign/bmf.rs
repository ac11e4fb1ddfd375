//! Bencher Metric Format, for Bencher: typical time as the measure `latency`, and every metric as a measure
//! with its name.

use super::name;
use derny_model::{Document, Figure};
use serde_json::{Map, Value};

const TIME: &str = "latency";

/// Returns the run, with one object per case and variant. The bounds are those of Derny's interval. A value
/// without an interval has no bounds.
///
/// # Errors
///
/// Fails if no case has a value.
pub fn json(document: &Document) -> Result<String, String> {
    let several = document.run.variants.len() > 1;
    let mut all = Map::new();
    for case in document.cases() {
        for variant in &case.variants {
            let time = variant.figure("time").map(|figure| (TIME.to_owned(), figure));
            let metrics = variant.figures.iter().filter(|figure| figure.metric);
            let measures = time.into_iter().chain(metrics.map(|figure| (figure.name.to_string(), figure)));
            let measures: Map<String, Value> = measures
                .filter(|(_, figure)| figure.value.is_finite())
                .map(|(measure, figure)| (measure, value(&figure)))
                .collect();
            if !measures.is_empty() {
                all.insert(name(&case.case, variant, several, "bmf"), Value::Object(measures));
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

fn value(figure: &Figure) -> Value {
    let mut own = Map::new();
    own.insert("value".to_owned(), figure.value.into());
    if let Some(interval) = figure.interval {
        own.insert("lower_value".to_owned(), interval.lo.into());
        own.insert("upper_value".to_owned(), interval.hi.into());
    }
    Value::Object(own)
}

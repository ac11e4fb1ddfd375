//! JMH's JSON, for tools such as jmh-visualizer. A fork is a process, and an iteration is the mean of a
//! turn's batches.

use super::batches::{Batches, batches};
use derny_model::{CaseResult, Direction, Document, Figure, Records, VariantResult};
use serde_json::{Map, Value, json};

/// Version of JMH that the JSON claims.
const VERSION: &str = "1.37";

/// Returns the run, with times in the mode `avgt`. A case with a rate but no time has the mode `thrpt`.
pub fn json(document: &Document, records: &Records) -> String {
    let several = document.run.variants.len() > 1;
    let batches = batches(records);
    let mut entries = Vec::new();
    for case in document.cases() {
        for variant in &case.variants {
            let own = batches.get(&(&case.case.id, variant.variant.as_str()));
            entries.extend(own.and_then(|own| entry(document, case, variant, own, several)));
        }
    }
    let mut text = serde_json::to_string_pretty(&entries).unwrap_or_default();
    text.push('\n');
    text
}

fn entry(
    document: &Document,
    case: &CaseResult,
    variant: &VariantResult,
    own: &Batches,
    several: bool,
) -> Option<Value> {
    let id = &case.case.id;
    let mut params: Map<String, Value> =
        id.params.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str()))).collect();
    if several {
        params.insert("variant".to_owned(), Value::from(variant.variant.as_str()));
    }
    let (mode, primary) = match (variant.figure("batch_mean"), variant.metric("score")) {
        (Some(_), _) => ("avgt", timed(variant, own)),
        (None, Some(score)) if score.better == Direction::More => ("thrpt", rated(&score, own)),
        _ => return None,
    };
    let is_whole =
        |class: &String| id.benchmark.strip_prefix(class).is_some_and(|rest| rest.starts_with('.'));
    let own_name = case.case.module.as_ref().filter(|class| is_whole(class)).map(|_| id.benchmark.clone());
    let benchmark = case.case.printed.clone().or(own_name).unwrap_or_else(|| name(&id.suite, &id.benchmark));
    let most = own.processes.iter().map(|(_, turns)| turns.len()).max().unwrap_or(0);
    let mut entry = json!({
        "jmhVersion": VERSION,
        "benchmark": benchmark,
        "mode": mode,
        "threads": case.case.threads.unwrap_or(1).max(1),
        "forks": own.processes.len(),
        "jvm": document.run.runtimes.join(", "),
        "jvmArgs": case.case.args,
        "jdkVersion": "",
        "vmName": "",
        "vmVersion": "",
        "warmupIterations": 0,
        "warmupTime": "0 ms",
        "warmupBatchSize": 1,
        "measurementIterations": most,
        "measurementTime": "0 ms",
        "measurementBatchSize": 1,
        "primaryMetric": primary,
        "secondaryMetrics": secondary(variant),
    });
    if !params.is_empty() {
        entry["params"] = Value::Object(params);
    }
    Some(entry)
}

/// Returns a name of the form `package.Class.method`, which readers of these files expect.
fn name(suite: &str, benchmark: &str) -> String {
    let word = |text: &str| text.replace(['/', ' ', '.'], "_");
    format!("{}.{}", suite.replace('/', "."), word(benchmark))
}

fn timed(variant: &VariantResult, own: &Batches) -> Value {
    let value = |name: &str| variant.figure(name).map_or(Value::from("NaN"), |figure| number(figure.value));
    let mean = variant.figure("mean");
    // Use the value that the interval belongs to.
    let own_mean = mean.as_ref().map_or_else(|| value("batch_mean"), |mean| number(mean.value));
    let mut percentiles = Map::new();
    for (share, name) in
        [("0.0", "minimum"), ("50.0", "median"), ("95.0", "p95"), ("99.0", "p99"), ("100.0", "maximum")]
    {
        percentiles.insert(share.to_owned(), value(name));
    }
    score(own_mean, mean.as_ref(), "ns/op", own, percentiles)
}

fn rated(figure: &Figure, own: &Batches) -> Value {
    score(number(figure.value), Some(figure), &figure.unit, own, Map::new())
}

fn score(
    score: Value,
    figure: Option<&Figure>,
    unit: &str,
    own: &Batches,
    percentiles: Map<String, Value>,
) -> Value {
    let interval = figure.and_then(|figure| figure.interval);
    let bounds = interval.map_or((f64::NAN, f64::NAN), |interval| (interval.lo, interval.hi));
    let raw: Vec<Vec<Value>> = own
        .processes
        .iter()
        .map(|(_, turns)| turns.iter().map(|turn| number(middle(&turn.times))).collect())
        .collect();
    json!({
        "score": score,
        "scoreError": number((bounds.1 - bounds.0) / 2.0),
        "scoreConfidence": [number(bounds.0), number(bounds.1)],
        "scorePercentiles": percentiles,
        "scoreUnit": unit,
        "rawData": raw,
    })
}

/// Returns the mean of a turn's batches, which stands for an iteration of JMH.
fn middle(turn: &[f64]) -> f64 {
    turn.iter().sum::<f64>() / turn.len() as f64
}

fn secondary(variant: &VariantResult) -> Value {
    let allocated = variant.metric("allocated").map(|figure| ("gc.alloc.rate.norm", figure.value));
    let reported = variant.metric("gc.alloc.rate.norm").map(|figure| ("gc.alloc.rate.norm", figure.value));
    let one = |(name, value): (&str, f64)| {
        let own = json!({
            "score": number(value),
            "scoreError": "NaN",
            "scoreConfidence": ["NaN", "NaN"],
            "scorePercentiles": {},
            "scoreUnit": "B/op",
            "rawData": [[number(value)]],
        });
        (name.to_owned(), own)
    };
    Value::Object(allocated.or(reported).into_iter().map(one).collect())
}

/// Formats a number. NaN and infinite values become the text `NaN`, as in JMH.
fn number(value: f64) -> Value {
    if value.is_finite() { Value::from(value) } else { Value::from("NaN") }
}

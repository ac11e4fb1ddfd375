//! Tests a store that an earlier version wrote. It opens, and shows the same figures as that version did.
//!
//! The binary of commit 11dc4b0 wrote the files in `older/`, which are unchanged. The project was
//! /tmp/project. The machine reported the name bench.example and kernel 6.18.0.
//!
//! `store.sqlite.gz` contains eight runs: JavaScript with a failure and declared metrics, `--once`, two
//! variants with a control, pruned raw data, Erlang, Haskell, a ladder, and an import. `n42c.gz` is the
//! journal of a ninth run, whose engine was killed. `shown.json.gz` contains what the same binary printed:
//! `show -f json` of each run, `compare` of the two variants, and `show` of `stream.ndjson.gz`. The latter
//! contains the events of another run.

#![cfg(unix)]

use crate::place::{self, Place};
use flate2::read::GzDecoder;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fs::{File, create_dir_all};
use std::io::{Read, copy};
use std::path::{Path, PathBuf};

fn file(name: &str) -> GzDecoder<File> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/older").join(name);
    GzDecoder::new(File::open(path).unwrap())
}

fn unpack(name: &str, target: PathBuf) {
    create_dir_all(target.parent().unwrap()).unwrap();
    copy(&mut file(name), &mut File::create(target).unwrap()).unwrap();
}

/// Returns a project with that store.
fn project() -> Place {
    let place = Place::new();
    unpack("store.sqlite.gz", place.root.join(".derny/derny.sqlite"));
    unpack("n42c.gz", place.root.join(".derny/running/n42c"));
    place
}

/// Returns the output of 11dc4b0 with its names replaced by today's.
fn shown() -> Map<String, Value> {
    let mut text = String::new();
    file("shown.json.gz").read_to_string(&mut text).unwrap();
    let Value::Object(documents) = serde_json::from_str(&text).unwrap() else { panic!("{text}") };
    documents.into_iter().map(|(name, document)| (name, today(document))).collect()
}

/// Replaces the names of fields, verdicts and quantities that have changed since.
fn today(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let is_time = fields.contains_key("amortised");
            let figures = fields.get("metrics").and(fields.get("time")).map(figures_of);
            let figures = figures.map(|figures| ("figures".to_owned(), figures));
            let kept = fields.into_iter().filter(|(name, _)| !is_time || !is_figure(name));
            let renamed = kept.flat_map(|(name, value)| match name.as_str() {
                "amortised" => vec![("mean".to_owned(), today(value))],
                "quantity" => quantity(&value),
                "verdict" => vec![(name, verdict(value))],
                "prepared" => Vec::new(), // it contained nothing that was shown
                _ => vec![(name, today(value))],
            });
            Value::Object(renamed.chain(figures).collect())
        }
        Value::Array(values) => Value::Array(values.into_iter().map(today).collect()),
        other => other,
    }
}

/// Statistics of time that were fields of a result's time and are figures now.
const FIGURES: [(&str, &str); 17] = [
    ("mean", "batch_mean"),
    ("standard_deviation", "standard_deviation"),
    ("mad", "mad"),
    ("minimum", "minimum"),
    ("maximum", "maximum"),
    ("q1", "q1"),
    ("q3", "q3"),
    ("p95", "p95"),
    ("p99", "p99"),
    ("within", "within"),
    ("between", "between"),
    ("ops_per_second", "ops_per_second"),
    ("bytes_per_second", "bytes_per_second"),
    ("items_per_second", "items_per_second"),
    ("outlier_variance", "outlier_variance"),
    ("detectable", "detectable"),
    ("collect_ns", "collect"),
];

fn is_figure(name: &str) -> bool {
    name == "ladder" || FIGURES.iter().any(|(old, _)| *old == name)
}

/// Returns the figures of an old result's time by name, or none if nothing was timed.
fn figures_of(time: &Value) -> Value {
    let plain = FIGURES.iter().map(|(old, new)| (*new, time[*old].clone()));
    let ladder = ["slope", "r_squared", "robust_slope"].into_iter().zip(0usize..);
    let ladder = ladder.map(|(new, at)| (new, time["ladder"][at].clone()));
    Value::Object(plain.chain(ladder).map(|(name, value)| (name.to_owned(), value)).collect())
}

/// Returns the values of figures by name, for those that are statistics of time.
fn by_name(figures: &Value) -> Value {
    let all = figures.as_array().into_iter().flatten().filter(|figure| figure["metric"] == false);
    let named = all.map(|figure| (figure["name"].as_str().unwrap_or("").to_owned(), figure["value"].clone()));
    Value::Object(named.collect())
}

fn quantity(value: &Value) -> Vec<(String, Value)> {
    let time = |statistic: &str| {
        vec![("metric".to_owned(), "time".into()), ("statistic".to_owned(), statistic.into())]
    };
    match (value.as_str(), &value["metric"]) {
        (Some("typical"), _) => time("typical"),
        (Some("amortised"), _) => time("mean"),
        (_, metric) => vec![("metric".to_owned(), metric.clone())],
    }
}

fn verdict(value: Value) -> Value {
    let Some(word) = value.as_str() else { return value };
    word.replace("faster", "better").replace("slower", "worse").into()
}

/// Fails unless `new` contains all of `old`, except for intended differences. Numbers may differ slightly,
/// because the order of summation has changed. Returns the number of values compared.
#[track_caller]
fn holds(old: &Value, new: &Value, place: &str) -> usize {
    match (old, new) {
        (Value::Object(fields), Value::Object(_)) => {
            let few = is_of_few(old, new);
            let all =
                fields.iter().filter(|(name, _)| !(is_exempt(old, name) || few && is_of_estimate(name)));
            let today = |name: &str| match name {
                "figures" => by_name(&new[name]),
                _ => new[name].clone(),
            };
            all.map(|(name, value)| holds(value, &today(name), &format!("{place}.{name}"))).sum()
        }
        (Value::Array(values), Value::Array(others)) => {
            assert_eq!(values.len(), others.len(), "{place}: {old} became {new}");
            let pairs = values.iter().zip(others).enumerate();
            pairs.map(|(at, (value, other))| holds(value, other, &format!("{place}[{at}]"))).sum()
        }
        (Value::Number(_), Value::Number(_)) => {
            let (value, other) = (place::number(old), place::number(new));
            assert!((value - other).abs() <= 1e-12 * value.abs(), "{place}: {old} became {new}");
            1
        }
        _ => {
            assert_eq!(old, new, "{place}");
            1
        }
    }
}

/// Returns true for an estimate that lost its interval because fewer than six processes now have a range, and
/// for results derived from one.
fn is_of_few(old: &Value, new: &Value) -> bool {
    let lost =
        |old: &Value, new: &Value| old["interval"].is_object() && new["interval"].is_null() && !new.is_null();
    let few = |result: &Value| result["processes"].as_u64().is_some_and(|processes| processes < 6);
    lost(old, new) || (few(old) && old["figures"].is_object()) || lost(&old["typical"], &new["typical"])
}

fn is_of_estimate(name: &str) -> bool {
    ["value", "interval", "figures"].contains(&name)
}

fn codes(document: &Value) -> BTreeSet<&str> {
    let warnings = document["warnings"].as_array().into_iter().flatten();
    warnings.filter_map(|warning| warning["code"].as_str()).collect()
}

/// Returns true for intended differences. The format has its own version. Warnings are not figures, and
/// each case has its own now. If one side of a metric was 0, the earlier version judged nothing. Now the
/// difference is judged, and counts in corrections for several comparisons.
fn is_exempt(parent: &Value, name: &str) -> bool {
    let why = parent["because"].as_str().unwrap_or("");
    let had_no_ratio = why == "not every value is positive" || why.contains("there is no ratio");
    let is_mean = parent["statistic"] == "mean" || parent["quantity"] == "amortised";
    match name {
        "format" | "warnings" => parent["suites"].is_array() || parent["sides"].is_array(),
        "q" | "holm" => true,
        // The axis now ends where the values do.
        "histogram" => true,
        // The rules for verdicts have changed: mean time is wall time, and looks and families count.
        "p" | "level" | "because" | "verdict" | "needed" | "split" | "family" => true,
        "pairs" => had_no_ratio || is_mean,
        // With few processes, the plain change is now that of the medians.
        "change" => parent["run"].is_string() || had_no_ratio || is_mean,
        // The two values of a change are medians too.
        "base" | "new" => is_mean || parent["replicates"].as_u64().is_some_and(|replicates| replicates < 6),
        // Mean time now excludes turns in which the thread was preempted.
        "mean" => parent["typical"].is_object(),
        // Processor time is now a metric and not a statistic of time.
        "cpu" => parent["typical"].is_object(),
        _ => false,
    }
}

#[test]
fn a_store_of_11dc4b0_shows_the_figures_that_it_showed() {
    let place = project();
    let mut documents = shown();
    let compared = documents.remove("compare").unwrap();
    documents.remove("stream").unwrap();
    assert_eq!(documents.len(), 9);
    for (run, old) in &documents {
        let new = place.derny(&["show", run, "-f", "json"]).expect(0).json();
        let figures = holds(old, &new, run);
        assert!(codes(&new).is_superset(&codes(old)), "{run}: {:?} became {:?}", codes(old), codes(&new));
        assert!(figures > 100, "{run}: only {figures} values");
    }
    let sides = ["mjyt:list", "mjyt:control", "mjyt:text"];
    let new = place.derny(&[&["compare"], &sides[..], &["-f", "json"]].concat()).expect(0).comparison();
    assert!(holds(&compared, &new, "compare") > 500);
}

#[test]
fn so_does_a_stream_of_events_that_it_wrote() {
    let place = Place::new();
    let stream = place.root.join("stream.ndjson");
    unpack("stream.ndjson.gz", stream.clone());
    let new = place.derny(&["show", stream.to_str().unwrap(), "-f", "json"]).expect(0).json();
    assert!(holds(&shown()["stream"], &new, "stream") > 100);
    let later = std::fs::read_to_string(&stream).unwrap().replacen("\"format\":1", "\"format\":99", 1);
    std::fs::write(&stream, later).unwrap();
    let refused = place.derny(&["show", stream.to_str().unwrap()]).expect(2);
    assert!(refused.err.contains("its format is 99"), "{}", refused.err);
}

#[test]
fn its_runs_keep_their_names_and_states() {
    let place = project();
    let runs = place.runs();
    let states = |name: &str| -> Vec<String> {
        runs.iter().map(|run| run["header"][name].as_str().unwrap_or("").to_owned()).collect()
    };
    assert_eq!(states("id"), ["n42c", "krcx", "rt9n", "w02t", "kg67", "8k34", "mjyt", "5hbd", "kvak"]);
    let complete = ["complete"; 6];
    assert_eq!(states("status"), [&["partial"], &complete[..], &["failed"; 2]].concat());
    assert_eq!(states("note"), ["", "imported", "ladder", "haskell", "erlang", "", "two ways", "", ""]);
    assert!(place.derny(&["runs", "baseline", "list"]).expect(0).out.contains("first"));
    assert_eq!(place.derny(&["show", "first", "-f", "json"]).expect(0).json()["run"]["id"], "kvak");
}

#[test]
fn it_takes_new_runs_and_lets_old_ones_go() {
    let place = project();
    place.tiny(&["steady", "work"]).expect(0);
    assert_eq!(place.runs().len(), 10);
    place.derny(&["runs", "delete", "mjyt"]).expect(0);
    place.derny(&["show", "mjyt"]).expect(4);
    place.derny(&["compare", "kvak", "8k34", "-f", "json"]).expect(0).comparison();
}

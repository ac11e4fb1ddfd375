//! Tests other modes of a harness: a short pass in each, with separate quantities.

#![cfg(unix)]

use crate::place::{self, Place, harness, number};
use serde_json::Value;

const MODES: &str = "--modes=time,time_cold,trace";

fn metric<'a>(document: &'a Value, name: &str) -> Option<&'a Value> {
    let metrics = document["suites"][0]["cases"][0]["variants"][0]["metrics"].as_array().unwrap();
    metrics.iter().find(|metric| metric["metric"]["name"] == name)
}

fn value(document: &Value, name: &str) -> f64 {
    number(&metric(document, name).unwrap_or_else(|| panic!("no {name}"))["estimate"]["value"])
}

#[test]
fn a_short_pass_in_every_other_mode_gives_quantities_of_their_own() {
    let place = Place::new();
    let done = place.tiny(&["fake/steady", "--", MODES]).expect(0);
    assert!(done.out.contains("time_cold/op"), "{}", done.out);
    let document = place.document();
    // Only the mode `trace` reads `allocated`, so this metric keeps its plain name. Metrics that the first
    // mode reads too get the name of the mode as a prefix.
    assert_eq!(value(&document, "allocated"), 16.0);
    assert_eq!(value(&document, "trace.calls"), 1.0);
    assert_eq!(value(&document, "calls"), 1.0);
    assert!(metric(&document, "trace").is_none(), "a traced time means nothing");
    let rows = place.phase("measured");
    // Undisturbed batches take twice as long in the mode `time_cold`.
    let fastest = |mode: Value| {
        let own = rows.iter().filter(|row| row["mode"] == mode);
        own.map(|row| number(&row["time_ns"]) / number(&row["operations"])).fold(f64::INFINITY, f64::min)
    };
    let ratio = fastest("time_cold".into()) / fastest(Value::Null);
    assert!((1.3..5.0).contains(&ratio), "{ratio}");
    let turns = |mode: Value| {
        let mut turns: Vec<(u64, u64)> = rows
            .iter()
            .filter(|row| row["mode"] == mode)
            .map(|row| (row["visit"].as_u64().unwrap(), row["round"].as_u64().unwrap()))
            .collect();
        turns.dedup();
        turns.len()
    };
    // Two processes had two rounds each. Each other mode had three short turns.
    assert_eq!((turns(Value::Null), turns("time_cold".into()), turns("trace".into())), (4, 6, 6));
    assert_eq!(document["suites"][0]["cases"][0]["variants"][0]["turns"], 4);
    let case = place.derny(&["show", "--case"]).expect(0).out;
    assert!(case.contains("time_cold") && case.contains("trace.calls"), "{case}");
}

#[test]
fn modes_are_asked_for_by_name_or_not_at_all() {
    let place = Place::new();
    place.tiny(&["fake/steady", "--set", "rounds=5", "--set", "modes=trace", "--", MODES]).expect(0);
    let document = place.document();
    assert!(metric(&document, "time_cold").is_none() && metric(&document, "allocated").is_some());
    let rounds = |row: &Value| row["mode"] == "trace" && row["round"] == 4;
    assert!(place.phase("measured").iter().any(rounds), "as many rounds as in the first");
    place.tiny(&["fake/steady", "--set", "modes=none", "--", MODES]).expect(0);
    assert!(place.rows().iter().all(|row| row["mode"] == Value::Null));
    let unknown =
        place.derny_with(&[("DERNY_MODES", "nosuch")], &["run", "fake/steady", "--once", "--", harness()]);
    assert!(unknown.expect(0).err.contains("no harness measured in a mode `nosuch`"));
}

#[test]
fn every_quantity_is_compared_by_itself() {
    let place = Place::new();
    let harness = harness();
    let base = format!("old={harness} {MODES}");
    let dear = format!("new={harness} {MODES} --offset=100");
    place.tiny(&["fake/steady", "--set", "processes=3", "-x", &base, "-x", &dear, "--", MODES]).expect(0);
    let compared = place.derny(&["compare", "last", "-f", "json"]).expect(0).comparison();
    let changes = compared["cases"][0]["sides"][0]["changes"].to_string();
    for name in ["time_cold", "allocated", "trace.calls"] {
        assert!(changes.contains(name), "{name}: {changes}");
    }
}

#[test]
fn a_mode_that_fails_costs_only_itself() {
    let place = Place::new();
    // The first turn of another mode follows the cold call, calibration and two rounds.
    let plain = place.tiny(&["fake/slow", "--set", "processes=1", "--", MODES]).expect(0);
    assert!(!plain.err.contains("mode time_cold"), "{}", plain.err);
    let mut command = place.command(&[
        "run",
        "fake/slow",
        "--budget",
        "300ms",
        "--set",
        "processes=1",
        "--set",
        "rounds=1",
    ]);
    command.args([
        "--set",
        "warmup=0",
        "--set",
        "modes=time_cold",
        "--",
        harness(),
        MODES,
        "--fault=throw@measure:4",
    ]);
    let done = place::done(command.output().unwrap()).expect(0);
    assert!(done.err.contains("mode time_cold: the benchmark threw during `measure`"), "{}", done.err);
    assert_eq!(place.document()["suites"][0]["cases"][0]["variants"][0]["turns"], 1);
}

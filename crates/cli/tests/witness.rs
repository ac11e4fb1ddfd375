//! Tests that the witness names programs that cheat by at least a third, and no honest ones.

#![cfg(target_os = "linux")]

use crate::place::{Place, harness};
use serde_json::Value;

const FEW: [&str; 4] = ["--set=processes=5", "--set=rounds=6", "--budget=60s", "--set=warmup=20ms"];

/// Compares two sides of the scripted harness, one with the arguments `base` and one with `new`, in this
/// benchmark. Returns the document.
fn compared(benchmark: &str, base: &str, new: &str) -> Value {
    let place = Place::new();
    let sides = [format!("base={} {base}", harness()), format!("new={} {new}", harness())];
    let words = ["run", "--set=witness=yes", "-x", &sides[0], "-x", &sides[1], "-f", "json", "--no-progress"];
    place.fake(&[&words[..], &FEW, &[benchmark]].concat()).expect(0).json()
}

fn side(document: &Value, at: usize) -> &Value {
    &document["suites"][0]["cases"][0]["variants"][at]
}

/// Returns the names of the failed tests of a side.
fn failed(document: &Value, at: usize) -> Vec<&str> {
    let suspicions = side(document, at)["suspicions"].as_array();
    suspicions.into_iter().flatten().map(|suspicion| suspicion["test"].as_str().unwrap()).collect()
}

/// Compares an honest harness with the arguments `base` with one that cheats by `trick`. Returns the only
/// test that the cheat failed, after checking that the base failed none and that there is a warning.
#[track_caller]
fn caught(benchmark: &str, base: &str, trick: &str) -> String {
    let document = compared(benchmark, base, trick);
    assert!(failed(&document, 0).is_empty(), "the base is honest: {}", side(&document, 0));
    let [test] = failed(&document, 1)[..] else { panic!("{trick}: {}", side(&document, 1)) };
    let suspicion = &side(&document, 1)["suspicions"][0];
    let ratio = suspicion["observed"].as_f64().unwrap() / suspicion["claimed"].as_f64().unwrap();
    assert!(!(0.8..1.25).contains(&ratio), "{suspicion}");
    let warnings = document["warnings"].as_array().unwrap();
    let warning = warnings.iter().find(|warning| warning["code"] == "DY234").expect("a warning");
    let message = warning["message"].as_str().unwrap();
    assert!(message.contains(suspicion["message"].as_str().unwrap()), "{message}");
    test.to_owned()
}

#[test]
fn a_clock_at_half_speed_is_named() {
    assert_eq!(caught("fake/work", "--work=500", "--work=500 --fault=lie-clock@measure"), "clock");
}

#[test]
fn times_in_which_nothing_has_passed_are_named() {
    let base = "--cost-ns=2000";
    assert_eq!(caught("fake/steady", base, "--cost-ns=2000 --made-up"), "clock");
}

#[test]
fn work_that_moves_to_where_nothing_is_timed_is_named() {
    assert_eq!(caught("fake/steady", "--cost-ns=3000", "--cost-ns=1000 --untimed=2000:0:1"), "clock");
}

#[test]
fn half_of_the_iterations_are_named() {
    assert_eq!(caught("fake/work", "--work=500", "--work=500 --fewer=50"), "count");
}

#[test]
fn work_that_is_done_once_in_a_batch_is_named() {
    assert_eq!(caught("fake/work", "--work=500", "--work=500 --memo=batch"), "count");
}

#[test]
fn calls_without_work_are_named() {
    for trick in ["--work=500 --memo=15", "--work=500 --memo=3"] {
        assert_eq!(caught("fake/work", "--work=500", trick), "calls", "{trick}");
    }
}

#[test]
fn honest_programs_are_not_named() {
    for (benchmark, base, new) in [
        ("fake/work", "--work=500", "--work=500"),
        ("fake/work", "--work=1000", "--work=100"),
        ("fake/work", "--work=100", "--work=1000"),
        ("fake/work", "--work=500 --untimed=3000:20000:1", "--work=250 --untimed=3000:20000:1"),
        ("fake/work", "--work=20000", "--work=10000"),
    ] {
        let document = compared(benchmark, base, new);
        assert_eq!([failed(&document, 0), failed(&document, 1)], [[""; 0]; 2], "{base} {new}");
    }
}

#[test]
fn impossible_tests_have_a_reason_and_without_the_setting_there_are_none() {
    let place = Place::new();
    let sides = ["base", "new"].map(|name| format!("{name}={} --cost-ns=10", harness()));
    let words = ["run", "-x", &sides[0], "-x", &sides[1], "-f", "json", "--no-progress"];
    let run =
        |more: &[&str]| place.fake(&[&words[..], &FEW, more, &["fake/steady"]].concat()).expect(0).json();
    let untested = run(&["--set=witness=yes"]);
    let untested = side(&untested, 1)["untested"].as_array().unwrap().clone();
    assert_eq!((untested.len(), &untested[0]["test"]), (1, &Value::from("calls")), "{untested:?}");
    let without = run(&[]);
    assert!(side(&without, 1).get("untested").is_none());
    let turns = place.derny(&["export", "--raw", "-f", "ndjson"]).expect(0).out;
    assert!(!turns.contains("outside"), "{turns}");
}

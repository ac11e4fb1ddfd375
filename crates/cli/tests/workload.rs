//! Tests bodies that time themselves and follow a parameter. They are measured with the configured value,
//! unless an operation takes as long with a smaller one.
#![cfg(unix)]

use crate::place::{self, Events, Place, number};
use serde_json::Value;

/// At n=100000, an operation takes 50 ns and a batch 5 ms. Batches are shortened if possible.
const SIZED: [&str; 4] = ["fake/sized", "-p", "n=100000", "--"];

fn events(place: &Place, flags: &[&str], harness: &[&str]) -> Events {
    let warm: &[&str] =
        if flags.iter().any(|flag| flag.starts_with("warmup=")) { &[] } else { &["--set", "warmup=300ms"] };
    place.events(&[warm, flags, &SIZED[..], &["--made-up", "--noise=1"], harness].concat())
}

/// Returns the measured values of `n`.
fn measured(events: &Events) -> Vec<u64> {
    let turns = events.turns("measured");
    let iterations = turns.iter().map(|turn| turn["iterations"].as_u64().unwrap());
    iterations.map(|iterations| if iterations == 1 { 100_000 } else { iterations }).collect()
}

fn facts(events: &Events) -> Vec<&Value> {
    let learned = events.of("learned");
    learned
        .into_iter()
        .filter(|fact| fact["key"].as_str().unwrap().starts_with("same-per-operation"))
        .collect()
}

/// Returns the result of the only case of the last run.
fn result(place: &Place) -> Value {
    place.document()["suites"][0]["cases"][0]["variants"][0].clone()
}

fn figure(result: &Value, name: &str) -> Option<f64> {
    result["figures"].as_array().unwrap().iter().find(|f| f["name"] == name).map(|f| number(&f["value"]))
}

#[test]
fn a_workload_whose_operations_depend_on_its_size_is_measured_as_configured() {
    let place = Place::new();
    for growth in ["--scale=1", "--scale=0.1", "--scale=-0.1"] {
        let events = events(&place, &[], &[growth]);
        assert!(!events.turns("calibration").iter().all(|turn| turn["iterations"] == 1), "it was tried");
        assert!(measured(&events).iter().all(|n| *n == 100_000), "{growth}: {:?}", measured(&events));
        assert!(facts(&events).is_empty(), "{growth}");
        let result = result(&place);
        let time = number(&result["time"]["typical"]["value"]);
        assert!((49.0..51.0).contains(&time), "{growth}: {time}");
        assert_eq!(figure(&result, "measured_at"), None);
        assert!(!place.derny(&["show"]).expect(0).out.contains("measured at"));
    }
}

#[test]
fn what_costs_the_same_at_a_smaller_size_may_be_measured_there_and_says_so() {
    let place = Place::new();
    let first = events(&place, &[], &["--scale=0"]);
    let lowered = measured(&first);
    assert!(lowered.iter().all(|n| (2..50_000).contains(n)), "{lowered:?}");
    // One warm process called both values of `n`: at least three calls as configured, each followed by a
    // turn at the smaller value.
    let visit = &first.of("visit-started")[0]["visit"];
    let tried = first.turns("calibration").into_iter().filter(|turn| turn["visit"] == *visit);
    let tried: Vec<bool> = tried.map(|turn| turn["iterations"] == 1).collect();
    assert_eq!(tried[tried.len() - 6..], [true, false, true, false, true, false], "{tried:?}");
    let facts = facts(&first);
    assert_eq!(facts.len(), 1, "of the first process");
    let known: u64 = facts[0]["value"].as_str().unwrap().parse().unwrap();
    assert!(lowered.iter().all(|n| *n >= known), "{lowered:?} from {known} on");
    // The row shows the value.
    let shown = place.derny(&["show"]).expect(0).out;
    assert!(shown.contains("measured at") && shown.contains(&format!("n={}", lowered[0])), "{shown}");
    assert_eq!(figure(&result(&place), "measured_at"), Some(lowered[0] as f64));
    // Later runs of the same program with the same flags use this fact.
    let again = events(&place, &[], &["--scale=0"]);
    assert!(self::facts(&again).is_empty(), "nothing new");
    assert!(
        measured(&again).iter().all(|n| (known..50_000).contains(n)),
        "{:?} from {known} on",
        measured(&again)
    );
    let other = events(&place, &[], &["--scale=1"]);
    assert!(measured(&other).iter().all(|n| *n == 100_000), "{:?}", measured(&other));
}

#[test]
fn without_warm_up_nothing_is_known_to_be_the_same() {
    let place = Place::new();
    let events = events(&place, &["--set", "warmup=0"], &["--scale=0"]);
    assert!(measured(&events).iter().all(|n| *n == 100_000), "{:?}", measured(&events));
}

#[test]
fn of_two_variants_both_must_agree() {
    let place = Place::new();
    let harness = place::harness();
    let same = format!("same={harness} --made-up --noise=1 --scale=0");
    let other = format!("other={harness} --made-up --noise=1 --scale=1");
    let events = events(&place, &["-x", &same, "-x", &other], &[]);
    assert!(measured(&events).iter().all(|n| *n == 100_000), "{:?}", measured(&events));
    assert!(facts(&events).is_empty());
}

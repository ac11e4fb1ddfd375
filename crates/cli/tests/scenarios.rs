//! Tests whole runs in real processes with known behaviour: the scripted harness makes up its times. Seeds
//! are fixed, and no assertion depends on noise.

#![cfg(unix)]

use crate::place::{Done, Place, harness, number};
use serde_json::Value;

/// The margin of mean time: `same` requires a change within it.
const MEAN_MARGIN: f64 = 0.02;
/// Flags for made-up times, with batches of 20 µs and turns of 2 ms.
const MADE_UP: &str = "--made-up --cost-ns=1000 --noise=0.3";

/// Compares the harness with itself: `both` are flags of both sides, `second` flags of the second side, and
/// `words` arguments of `run`.
fn compare(place: &Place, both: &str, second: &str, words: &[&str]) -> Done {
    let base = format!("base={} {MADE_UP} {both}", harness());
    let new = format!("new={} {MADE_UP} {both} {second}", harness());
    let sides = ["run", "--seed", "1", "-x", &base, "-x", &new, "--budget", "600s", "--no-progress"];
    let both: Vec<&str> = both.split(' ').collect();
    place.fake(&[&sides, words, &["--"], &both].concat())
}

/// Returns the cases of the last run's comparison, each as its name and its only side.
fn sides(place: &Place) -> Vec<(String, Value)> {
    let comparison = place.derny(&["compare", "-f", "json"]).expect(0).comparison();
    let cases = comparison["cases"].as_array().unwrap().iter();
    cases.map(|case| (text(&case["case"]["id"]["benchmark"]), case["sides"][0].clone())).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn of_time<'a>(side: &'a Value, statistic: &str) -> &'a Value {
    let changes = side["changes"].as_array().unwrap();
    changes.iter().find(|change| change["statistic"] == statistic).unwrap()
}

/// Returns the reasons why the cases of a run ended, in the order of the cases.
fn ended(events: &[Value]) -> Vec<String> {
    let mut ended: Vec<(u64, String)> = events
        .iter()
        .filter(|event| event["event"] == "case-ended")
        .map(|event| (event["case"].as_u64().unwrap(), text(&event["reason"])))
        .collect();
    ended.sort();
    ended.into_iter().map(|(_, reason)| reason).collect()
}

const CASES: &str = "--cases=3 --process-noise=0.2";
const PAUSES: &str = "--pauses=1:10";

#[test]
fn rare_pauses_that_are_collections_are_never_the_same() {
    let place = Place::new();
    // A runtime that compiles for 200,000 calls warms up long enough to show its collector. With the default
    // number of rounds, the first pairs contain enough collections on any machine.
    let rounds: [&str; 0] = [];
    compare(&place, &format!("{CASES} --collector=counted --pending=200000"), PAUSES, &rounds).expect(0);
    let sides = sides(&place);
    assert_eq!(sides.len(), 3);
    for (name, side) in sides {
        assert_ne!(side["verdict"], "same", "{name}: {side}");
        assert_ne!(of_time(&side, "mean")["verdict"], "same", "{name}: {side}");
    }
}

#[test]
fn rare_pauses_that_are_not_seen_are_named_as_what_cannot_be_excluded() {
    let place = Place::new();
    compare(&place, &format!("{CASES} --collector=none"), PAUSES, &[]).expect(0);
    for (name, side) in sides(&place) {
        let mean = of_time(&side, "mean");
        if side["verdict"] == "same" {
            let off = number(&mean["change"]["value"]).abs();
            assert!(off <= MEAN_MARGIN, "{name}: the totals differ by {off}: {side}");
            assert!(text(&mean["because"]).contains("pause"), "{name}: {side}");
        }
        if mean["verdict"] == "same" {
            let interval = &mean["change"]["interval"];
            let within = number(&interval["lo"]) > -MEAN_MARGIN && number(&interval["hi"]) < MEAN_MARGIN;
            assert!(within, "{name}: {side}");
        }
    }
}

#[test]
fn few_changes_among_many_cases_are_all_named_and_none_is_taken_back() {
    let place = Place::new();
    let changed = ["fake/copy-003", "fake/copy-007", "fake/copy-010"];
    let second = changed.map(|name| format!("--changed={name}:3")).join(" ");
    let both = "--cases=12 --process-noise=1.5 --collector=none";
    let events = compare(&place, both, &second, &["-f", "ndjson"]).expect(0).lines();
    let ended = ended(&events);
    assert_eq!(ended.len(), 12);
    for ((name, side), reason) in sides(&place).iter().zip(ended) {
        let verdict = text(&side["verdict"]);
        if changed.contains(&name.as_str()) {
            assert_eq!(verdict, "worse", "{name}: {side}");
        }
        assert!(number(&of_time(side, "typical")["replicates"]) <= 40.0, "{name}: {side}");
        assert!(reason != "verdict" || verdict != "unclear", "{name} was decided and is not: {side}");
    }
}

#[test]
fn a_gate_finds_the_one_case_of_ten_that_is_worse() {
    let place = Place::new();
    let of = |cases: &str, second: &str| {
        let both = format!("--cases={cases} --process-noise=0.7 --collector=none");
        compare(&place, &both, second, &["--fail-on", "worse"])
    };
    let worse = of("10", "--changed=fake/copy-007:2").expect(1);
    assert!((worse.out + &worse.err).contains("fake/copy-007"), "the case is named");
    of("4", "").expect(0);
}

#[test]
fn the_order_of_launches_makes_no_case_different() {
    let place = Place::new();
    let first = place.root.join("first");
    let both = format!("--cases=4 --process-noise=0.5 --collector=none --first=3:{}", first.display());
    compare(&place, &both, "", &["--set", "wave=1"]).expect(0);
    for (name, side) in sides(&place) {
        let verdict = text(&side["verdict"]);
        assert!(!["better", "worse"].contains(&verdict.as_str()), "{name}: {side}");
    }
}

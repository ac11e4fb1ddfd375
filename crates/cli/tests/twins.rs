//! Tests benchmarks with the same name, and bodies that report while running that they do not apply.

#![cfg(unix)]

use crate::place::Place;

const TWIN: &str = "conform/twin";

#[test]
fn benchmarks_of_one_name_are_two_cases_with_their_own_bodies() {
    let place = Place::new();
    let args = [
        "run",
        "twin",
        "--set",
        "rounds=2",
        "--set",
        "processes=1",
        "--set",
        "warmup=0",
        "-f",
        "json",
        "--",
        "--conform",
    ];
    let done = place.fake(&args).expect(0);
    assert_eq!(done.err.matches("the same name and parameters as another").count(), 1, "{}", done.err);
    let document = done.json();
    let cases = document["suites"][0]["cases"].as_array().unwrap();
    let names: Vec<&str> =
        cases.iter().map(|case| case["case"]["id"]["benchmark"].as_str().unwrap()).collect();
    assert_eq!(names, [TWIN, "conform/twin #2"]);
    // The bodies wait for 20 and 200 µs.
    let rows = place.phase("measured");
    let least = |name: &str| {
        let times = rows.iter().filter(|row| row["benchmark"] == name);
        times
            .map(|row| row["time_ns"].as_f64().unwrap() / row["operations"].as_f64().unwrap())
            .fold(f64::INFINITY, f64::min)
    };
    let (first, second) = (least(TWIN), least("conform/twin #2"));
    assert!(first < 100_000.0 && second >= 200_000.0 && second.is_finite(), "{first} and {second}");
}

#[test]
fn benchmarks_that_nothing_tells_apart_are_refused() {
    let place = Place::new();
    let done = place.fake(&["run", "--once", "conform", "--", "--conform", "--twins=alike"]).expect(3);
    assert!(done.err.contains("2 benchmarks have the same name and cannot be distinguished"), "{}", done.err);
    assert!(done.err.contains(TWIN) && !done.out.contains(TWIN), "{}\n{}", done.out, done.err);
    let listed = place.fake(&["list", "-f", "plain", "--", "--conform", "--twins=alike"]).expect(3);
    assert!(!listed.out.contains(TWIN) && listed.out.contains("conform/text"), "{}", listed.out);
}

#[test]
fn a_body_that_skips_is_skipped_and_fails_nothing() {
    let place = Place::new();
    let fault = |verb: &str| format!("--fault=skip@{verb}");
    let of = ["--fault-case=fake/work"];
    let once = place.fake(&["run", "--once", "--", &fault("check"), of[0]]).expect(0);
    assert!(
        once.out.contains("skipped on purpose") || once.err.contains("skipped on purpose"),
        "{}",
        once.out
    );
    let done = place.tiny(&["steady", "work", "--", &fault("measure"), of[0]]).expect(0);
    assert!(done.out.contains("fake/steady") && !done.err.contains("error"), "{}\n{}", done.out, done.err);
    assert!(format!("{}{}", done.out, done.err).contains("skipped"), "{}\n{}", done.out, done.err);
}

//! Tests the kinds of metrics, from a harness's declaration to table and verdict, and declarations that
//! contradict each other.

#![cfg(unix)]

use crate::place::{Place, harness, number};
use serde_json::Value;

/// Settings of a short paired run.
const SHORT: [&str; 8] =
    ["--set", "processes=3", "--set", "rounds=3", "--set", "warmup=0", "--budget", "20s"];

/// Returns the flag that declares a metric of the scripted harness, with its values in successive turns.
fn declared(item: &str, values: &str) -> String {
    format!("--metric={item}={values}")
}

/// Returns the metric with this name of the only case.
fn metric<'a>(document: &'a Value, name: &str) -> &'a Value {
    let metrics = document["suites"][0]["cases"][0]["variants"][0]["metrics"].as_array().unwrap();
    metrics.iter().find(|summary| summary["metric"]["name"] == name).unwrap()
}

#[test]
fn every_kind_has_its_own_value_of_a_process() {
    let place = Place::new();
    let kinds = ["total", "level", "peak", "rate"].map(|kind| declared(&format!("{kind}:B:{kind}"), "2/9/4"));
    let mut args = vec!["steady", "--set", "rounds=3", "--", "--cost-ns=1000"];
    args.extend(kinds.iter().map(String::as_str));
    let done = place.tiny(&args).expect(0);
    assert!(done.out.contains("total/op") && !done.out.contains("level/op"), "{}", done.out);
    let document = place.document();
    let value = |name: &str| number(&metric(&document, name)["estimate"]["value"]);
    // The number of turns before the measured ones varies, but three consecutive turns have three different
    // values.
    let mean = value("total");
    assert!((2.0..=9.0).contains(&mean), "{mean}");
    assert_eq!((value("level"), value("peak"), value("rate")), (4.0, 9.0, 4.0));
    assert_eq!(metric(&document, "level")["metric"]["kind"], "level");
}

#[test]
fn a_level_is_shown_and_compared_as_it_is() {
    let place = Place::new();
    let of = |name: &str, size: &str, score: &str| {
        let (size, score) = (declared("size:B:exact", size), declared("score:points:more:exact", score));
        format!("{name}={} {size} {score}", harness())
    };
    let (old, new) = (of("old", "131", "100"), of("new", "131", "50"));
    let mut args = vec!["run", "steady", "-x", &old, "-x", &new];
    args.extend(SHORT);
    let out = place.fake(&args).expect(0).out;
    let row = |of: &str| out.lines().find(|line| line.contains(of)).unwrap_or_else(|| panic!("{of}\n{out}"));
    assert!(row(" size ").contains("131 B") && row(" size ").contains("exact"), "{out}");
    let score = row(" score ");
    assert!(score.contains("50.0 %") && score.contains("exact") && score.contains("worse"), "{out}");
    place.derny(&["compare", "--metric", "score", "--fail-on", "worse"]).expect(1);
    place.derny(&["compare", "--metric", "size", "--fail-on", "worse"]).expect(0);
}

#[test]
fn allocation_that_doubles_is_worse_and_from_nothing_too() {
    for (before, after, told) in [("16384", "32768", "100.0 %"), ("0", "32", "+32 B"), ("32", "0", "32 B")] {
        let place = Place::new();
        let side = |name: &str, bytes: &str| {
            format!("{name}={} {}", harness(), declared("allocated:B:total:less:exact", bytes))
        };
        let (old, new) = (side("old", before), side("new", after));
        let mut args = vec!["run", "steady", "-x", &old, "-x", &new];
        args.extend(SHORT);
        let out = place.fake(&args).expect(0).out;
        let row = out.lines().find(|line| line.contains("alloc/op")).unwrap_or_else(|| panic!("{out}"));
        let verdict = if after == "0" { "better" } else { "worse" };
        assert!(row.contains(told) && row.contains("exact") && row.contains(verdict), "{row}");
        let code = i32::from(after != "0");
        place.derny(&["compare", "--metric", "allocated", "--fail-on", "worse"]).expect(code);
    }
}

#[test]
fn processor_time_of_the_process_is_recorded_and_not_judged() {
    let place = Place::new();
    let done = place.tiny(&["steady", "--set", "rounds=3", "--", "--cpu-process=1.5"]).expect(0);
    assert!(!done.out.contains("cpu_process"), "{}", done.out);
    let document = place.document();
    let value = |name: &str| number(&metric(&document, name)["estimate"]["value"]);
    assert!((value("cpu_process") / value("cpu") - 1.5).abs() < 0.01, "{document}");
    let of = |name: &str, factor: &str| format!("{name}={} --cpu-process={factor}", harness());
    let (old, new) = (of("old", "1.5"), of("new", "6"));
    let mut args = vec!["run", "steady", "-x", &old, "-x", &new];
    args.extend(SHORT);
    let out = place.fake(&args).expect(0).out;
    assert!(out.contains("old") && !out.contains("cpu_process"), "{out}");
}

#[test]
fn processor_time_is_a_metric_that_is_shown_where_it_is_asked_for() {
    let place = Place::new();
    let done = place.tiny(&["steady", "--set", "rounds=3", "--", "--cpu-process=1"]).expect(0);
    assert!(!done.out.contains("cpu/op"), "{}", done.out);
    let document = place.document();
    let variant = &document["suites"][0]["cases"][0]["variants"][0];
    let figures: Vec<&Value> =
        variant["figures"].as_array().unwrap().iter().filter(|f| f["name"] == "cpu").collect();
    assert_eq!(figures.len(), 1, "{figures:?}");
    assert!(
        figures[0]["metric"] == true && figures[0]["unit"] == "ns" && figures[0]["per_operation"] == true
    );
    assert_eq!(variant["time"].get("cpu"), None);
    let asked = ["steady", "--set", "rounds=3", "--set", "metrics=cpu", "--", "--cpu-process=1"];
    let table = place.tiny(&asked).expect(0).out;
    assert!(table.contains("cpu/op") && !table.contains("time/op"), "{table}");
    let of = |name: &str| format!("{name}={} --cpu-process=1", harness());
    let (old, new) = (of("old"), of("new"));
    let mut args = vec!["run", "steady", "--set", "metrics=cpu", "-x", &old, "-x", &new];
    args.extend(SHORT);
    let compared = place.fake(&args).expect(0).out;
    assert!(compared.contains("cpu/op"), "{compared}");
}

#[test]
fn words_that_contradict_one_another_make_a_line_malformed() {
    let hello = "derny 1 language=c runtime=c harness=1 pid=1 clock=c step_ns=1";
    for words in ["B:less:more", "B:total:level", "B:peak:peak", "B:exact:exact", ""] {
        for (line, point) in [("case benchmark=a", "list"), (hello, "hello")] {
            let fault = format!("--fault=say:{line} metrics=n:{words}@{point}");
            let done = Place::new().tiny(&["steady", "--", &fault]).expect(3);
            assert!(
                done.err.contains(&format!("n:{words}")) && done.err.contains("level"),
                "{fault}\n{}",
                done.err
            );
        }
    }
}

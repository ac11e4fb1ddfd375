//! Tests `--stats`: how a run spent its time, live and from the store, as text and as JSON.

#![cfg(unix)]

use crate::place::{Place, TINY, number};
use serde_json::Value;

/// Returns the sum of the parts in ns.
fn sum(stats: &Value) -> f64 {
    stats["parts"].as_object().unwrap().values().map(number).sum()
}

#[test]
fn parts_of_a_run_add_up_to_its_wall_time_and_its_counts_are_those_of_its_events() {
    let place = Place::new();
    let args = ["--stats", "steady", "-f", "json", "--", "--launch-ms=30", "--close-ms=20"];
    let stats = place.tiny(&args).expect(0).json()["stats"].clone();
    assert_eq!(sum(&stats), number(&stats["wall_ns"]));
    let parts = &stats["parts"];
    let at_least = |part: &str, ms: f64| {
        assert!(number(&parts[part]) >= ms * 1e6, "{part}: {stats:#}");
    };
    at_least("launch_ns", 30.0);
    at_least("end_ns", 20.0);
    for part in ["timed_ns", "exchange_ns", "warm_up_ns", "yardsticks_ns", "listing_ns"] {
        assert!(number(&parts[part]) > 0.0, "{part}: {stats:#}");
    }
    // Two processes of one side had two rounds each.
    let counts = &stats["counts"];
    assert_eq!((number(&counts["processes"]), number(&counts["visits"])), (2.0, 2.0));
    assert_eq!((number(&counts["rounds"]), number(&counts["measured_turns"])), (4.0, 4.0));
    assert!(number(&counts["exchanges"]) >= 4.0 + number(&counts["warm_up_turns"]) + 4.0, "{stats:#}");
    // The stored run has the same parts, except those after the run.
    let stored = place.derny(&["show", "--stats", "-f", "json"]).expect(0).json()["stats"].clone();
    assert_eq!(stored["counts"], stats["counts"]);
    assert_eq!(number(&stored["wall_ns"]) + number(&parts["analysis_ns"]), number(&stats["wall_ns"]));
    assert_eq!(sum(&stored), number(&stored["wall_ns"]));
    assert_eq!(stored["parts"]["launch_ns"], parts["launch_ns"]);
}

#[test]
fn stats_are_shown_in_lines_where_they_are_asked_for_and_only_there() {
    let place = Place::new();
    let run = place.tiny(&["--stats", "steady"]).expect(0);
    assert!(run.err.contains("wall time ") && run.err.contains("timed turns "), "{}", run.err);
    assert!(run.err.contains("2 processes in 1 wave · 4 rounds · 4 measured turns · "), "{}", run.err);
    let plain = place.tiny(&["steady"]).expect(0);
    assert!(!plain.err.contains("wall time"), "{}", plain.err);
    assert!(place.document()["stats"].is_null());
    let shown = place.derny(&["show", "--stats"]).expect(0);
    assert!(shown.out.starts_with("wall time ") && shown.out.contains(" in 1 wave"), "{}", shown.out);
    let csv = place.derny(&["show", "--stats", "-f", "csv"]).expect(2);
    assert!(csv.err.contains("--stats is only available"), "{}", csv.err);
}

/// The time of a build is a separate part, in the stored run too.
#[test]
fn a_build_has_its_time() {
    let place = Place::new();
    let config = "[suite.s]\nharness = { command = '{build}/bench' }\nbuild = 'sh build.sh {build}'\n";
    place.write("derny.toml", config);
    let harness = derny_testkit::program::fake_harness().display();
    place.write(
        "build.sh",
        &format!(
            "sleep 0.2\nprintf '#!/bin/sh\\nexec {harness} --cases=1\\n' >$1/bench\nchmod +x $1/bench\n"
        ),
    );
    let args: Vec<&str> = ["run", "--stats", "-f", "json"].into_iter().chain(TINY).collect();
    let stats = place.derny(&args).expect(0).json()["stats"].clone();
    assert!(number(&stats["parts"]["build_ns"]) >= 0.2e9, "{stats:#}");
    assert_eq!(sum(&stats), number(&stats["wall_ns"]));
}

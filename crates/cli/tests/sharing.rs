//! Tests that cases share processes in runs without variants. Each case also comes first in one process, and
//! a case that differs in that process is measured alone.

#![cfg(unix)]

use crate::place::{Events, Place, number};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Settings with which the first look is at eight processes.
const EIGHT: [&str; 8] =
    ["--budget", "60s", "--set", "precision=50%", "--set", "rounds=3", "--set", "warmup=0"];

fn run(place: &Place, flags: &[&str], harness: &[&str]) -> Events {
    let words = [&["run", "-f", "ndjson"], &EIGHT[..], flags, &["--", "--made-up"], harness].concat();
    Events(place.fake(&words).expect(0).lines())
}

/// Returns the positions of the visits by case.
fn positions(events: &Events) -> BTreeMap<u64, Vec<u64>> {
    let mut all: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for visit in events.of("visit-started") {
        let (case, position) = (visit["case"].as_u64().unwrap(), visit["position"].as_u64().unwrap());
        all.entry(case).or_default().push(position);
    }
    all
}

fn processes(events: &Events) -> usize {
    events.of("process-started").len()
}

fn aside(events: &Events) -> Vec<&Value> {
    events.of("looked").into_iter().filter(|look| look["reason"] == "neighbours").collect()
}

/// Returns typical time and number of processes of each case in a stored run.
fn figures(document: &Value) -> Vec<(f64, u64)> {
    let cases = document["suites"][0]["cases"].as_array().unwrap().iter();
    let figure = |case: &Value| {
        let own = &case["variants"][0];
        (number(&own["time"]["typical"]["value"]), own["processes"].as_u64().unwrap())
    };
    cases.map(figure).collect()
}

#[test]
fn cases_share_processes_and_each_comes_first_in_one() {
    for (cases, launched) in [(1, 8), (2, 8), (8, 8), (12, 12)] {
        let place = Place::new();
        let events = run(&place, &[], &[&format!("--cases={cases}")]);
        assert_eq!(events.0[0]["plan"]["isolation"], if cases > 1 { "shared" } else { "case" });
        assert_eq!((processes(&events), aside(&events).len()), (launched, 0), "{cases}");
        let positions = positions(&events);
        assert_eq!(positions.len(), cases);
        assert!(positions.values().all(|own| own.len() == 8 && own.contains(&0)), "{positions:?}");
        assert!(figures(&place.document()).iter().all(|(_, processes)| *processes == 8));
    }
}

#[test]
fn what_others_of_its_process_change_is_measured_alone() {
    let place = Place::new();
    let crowded = ["--cases=10", "--crowded=fake/copy-003:100"];
    let events = run(&place, &[], &crowded);
    let aside = aside(&events);
    assert_eq!(aside.len(), 1, "{aside:?}");
    assert_eq!(processes(&events), 8 + 2 + 7, "seven more of its own");
    let check = |document: &Value| {
        let figures = figures(document);
        assert!(figures.iter().all(|(_, processes)| *processes == 8), "{figures:?}");
        assert!(figures.iter().all(|(ns, _)| (ns / figures[0].0 - 1.0).abs() < 0.02), "{figures:?}");
    };
    check(&place.document());
    let shown = place.derny(&["show", "-v"]).expect(0);
    assert!(shown.out.contains("DY233") || shown.err.contains("DY233"), "{}{}", shown.out, shown.err);
    assert!(format!("{}{}", shown.out, shown.err).contains("measured alone"), "{}", shown.out);
    // With isolation by suite, no case is measured alone: the same eight processes measure all of them.
    let suite = run(&place, &["--set", "isolation=suite"], &crowded);
    assert_eq!((processes(&suite), suite.of("looked").len()), (8, 10));
    let slow = figures(&place.document())[2].0;
    assert!(slow > 1.3 * figures(&place.document())[0].0, "{slow}");
    let alone = run(&place, &["--set", "isolation=case"], &["--cases=2", "--crowded=fake/copy-002:100"]);
    assert_eq!((processes(&alone), positions(&alone).values().flatten().max()), (16, Some(&0)));
}

#[test]
fn sides_have_processes_of_their_own() {
    let place = Place::new();
    let events = place.events(&["-x", "a+A=1", "-x", "b+A=2", "--", "--cases=3"]);
    assert_eq!(events.0[0]["plan"]["isolation"], "case");
    assert_eq!(positions(&events).values().flatten().max(), Some(&0));
    let plan = place.fake(&["run", "--dry-run", "--", "--cases=10"]).expect(0).out;
    assert!(plan.contains("isolation shared: "), "{plan}");
    let blocks = plan.lines().filter(|line| line.contains("fake/copy-")).collect::<Vec<_>>();
    assert_eq!(blocks.len(), 10, "{plan}");
    assert_eq!(blocks.iter().filter(|line| !line.contains(" more")).count(), 2, "{plan}");
}

#[test]
fn what_fails_after_others_alone_is_measured_alone() {
    let place = Place::new();
    let events = run(&place, &[], &["--cases=3", "--fault=throw@open:2"]);
    assert_eq!((events.of("failed").len(), aside(&events).len()), (0, 3));
    assert!(figures(&place.document()).iter().all(|(_, processes)| *processes == 8));
    let logs = events.of("log");
    assert!(logs.iter().any(|log| log["message"].as_str().unwrap().contains("measured alone")), "{logs:?}");
}

#[test]
fn the_others_of_a_process_that_dies_lose_nothing() {
    let place = Place::new();
    let words = ["run", "-f", "ndjson"].iter().chain(&EIGHT).copied();
    let harness = ["--", "--made-up", "--cases=4", "--fault=exit:3@measure", "--fault-case=fake/copy-002"];
    let events = Events(place.fake(&words.chain(harness).collect::<Vec<_>>()).expect(3).lines());
    let ended: BTreeSet<u64> =
        events.of("visit-ended").iter().map(|visit| visit["visit"].as_u64().unwrap()).collect();
    let mut complete: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for visit in events.of("visit-started") {
        if ended.contains(&visit["visit"].as_u64().unwrap()) {
            let (case, position) = (visit["case"].as_u64().unwrap(), visit["position"].as_u64().unwrap());
            complete.entry(case).or_default().push(position);
        }
    }
    assert_eq!(complete.keys().collect::<Vec<_>>(), [&0, &2, &3]);
    assert!(complete.values().all(|own| own.len() >= 8 && own.contains(&0)), "{complete:?}");
}

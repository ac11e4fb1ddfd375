//! Tests that a run whose time is too short for all cases spends it on those that it can decide.

#![cfg(unix)]

use crate::place::{Events, Place, harness};
use serde_json::Value;
use std::collections::BTreeSet;

/// Cases with a difference of 40 % between the variants. The others differ only by chance.
const LARGE: [&str; 2] = ["fake/copy-003", "fake/copy-006"];
/// Number of pairs at the first look.
const FIRST: usize = 5;

/// Compares eight cases in a fraction of the time that would decide all of them.
fn hurried(place: &Place) -> Events {
    let made_up = "--made-up --cost-ns=100000 --noise=1 --process-noise=1.5 --launch-ms=20 --cases=8";
    let base = format!("base={} {made_up}", harness());
    let changed = LARGE.map(|name| format!("--changed={name}:40")).join(" ");
    let new = format!("new={} {made_up} {changed}", harness());
    let words = ["run", "-f", "ndjson", "--seed", "3", "--total", "6s", "--set", "isolation=case"];
    let done = place.fake(&[&words[..], &["-x", &base, "-x", &new, "--", "--cases=8"]].concat());
    Events(done.lines())
}

/// Returns the indices of the events at which the pairs of a case began.
fn pairs(events: &Events, case: u64) -> Vec<usize> {
    let mut seen: BTreeSet<u64> = BTreeSet::new();
    let begins = |event: &Value| {
        event["event"] == "visit-started"
            && event["case"] == case
            && seen.insert(block_of(events, event["process"].as_u64().unwrap()))
    };
    events.0.iter().map(begins).enumerate().filter(|(_, begins)| *begins).map(|(at, _)| at).collect()
}

fn block_of(events: &Events, process: u64) -> u64 {
    let started = events.of("process-started");
    started.iter().find(|start| start["process"] == process).unwrap()["block"].as_u64().unwrap()
}

#[test]
fn a_large_change_is_settled_before_a_case_that_needs_far_more_pairs_takes_its_eighth() {
    let place = Place::new();
    let events = hurried(&place);
    let names: Vec<&str> = events.0[0]["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| case["id"]["benchmark"].as_str().unwrap())
        .collect();
    let is_large = |case: &u64| LARGE.contains(&names[*case as usize]);
    let (large, small): (Vec<u64>, Vec<u64>) = (0..8).partition(is_large);
    let eighth = |case: &u64| pairs(&events, *case).get(7).copied();
    let earliest = small.iter().filter_map(eighth).min();
    let Some(earliest) = earliest else { return };
    for case in &large {
        let own =
            eighth(case).unwrap_or_else(|| panic!("{}: {:?}", names[*case as usize], pairs(&events, *case)));
        assert!(own < earliest, "{} at {own}, another at {earliest}", names[*case as usize]);
    }
}

/// A look of a case that then waits for others counts as a planned look, not as its last one.
#[test]
fn a_case_that_waits_keeps_the_level_of_its_planned_look() {
    let place = Place::new();
    let events = hurried(&place);
    let went_on = (0..8).any(|case| pairs(&events, case).len() > FIRST);
    for look in events.of("looked").iter().filter(|_| went_on) {
        let case = look["case"].as_u64().unwrap();
        let blocks = look["blocks"].as_array().unwrap().len();
        if blocks == FIRST && pairs(&events, case).len() == FIRST {
            assert_eq!(look["reason"], "planned", "{look}");
        }
    }
}

/// Fewer pairs than the first look needs could not decide any case.
#[test]
fn a_short_time_does_not_plan_pairs_without_a_look() {
    let place = Place::new();
    let twice = ["-x", "a+SIDE=a", "-x", "b+SIDE=b", "--total", "1s", "--dry-run", "--", "--cases=60"];
    let plan = place.fake(&[&["run"][..], &twice].concat()).expect(0).out;
    assert!(plan.contains("5 blocks per case"), "{plan}");
}

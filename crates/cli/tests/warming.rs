//! Tests the phases before the measured rounds. Processes warm up at the same time, one on each processor.
//! Reported phases run alone.
#![cfg(target_os = "linux")]

use crate::place::{Events, Place, harness, number};
use serde_json::Value;

/// Returns the events of a run with two sides and a warm-up.
fn events(place: &Place, more: &[&str]) -> Events {
    let (a, b) = (format!("a={}", harness()), format!("b={}", harness()));
    place.events(&[&["steady", "-x", &a, "-x", &b, "--set", "warmup=200ms"][..], more].concat())
}

/// Returns the start and end of a turn, in ns since the start of the run.
fn span(turn: &Value) -> (f64, f64) {
    let at = number(&turn["at_ns"]);
    (at, at + number(&turn["wall_ns"]))
}

/// Returns how many turns of these phases began during a turn of another process.
fn side_by_side(events: &Events, phases: &[&str]) -> usize {
    let turns: Vec<&Value> = phases.iter().flat_map(|phase| events.turns(phase)).collect();
    let beside = |turn: &&&Value| {
        let (at, _) = span(turn);
        turns.iter().any(|other| {
            let (from, to) = span(other);
            other["visit"] != turn["visit"] && from <= at && at < to
        })
    };
    turns.iter().filter(beside).count()
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the number of a processor that this program may use.
fn first_processor() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim();
    list.split([',', '-']).next().unwrap().to_owned()
}

#[test]
fn sides_warm_up_at_once_and_are_measured_in_turn() {
    let place = Place::new();
    let events = events(&place, &[]);
    assert!(events.turns("warm-up").len() >= 4 && events.turns("measured").len() >= 8);
    if processors() > 1 {
        assert!(side_by_side(&events, &["warm-up"]) * 2 >= events.turns("warm-up").len() - 2);
        assert!(side_by_side(&events, &["calibration"]) > 0);
    }
    // First calls and rounds are reported, so each has the machine to itself.
    assert_eq!(side_by_side(&events, &["cold", "measured"]), 0);
}

#[test]
fn two_at_once_are_on_two_processors() {
    let place = Place::new();
    let events = events(&place, &[]);
    let warm_up = events.turns("warm-up");
    for turn in &warm_up {
        let (at, _) = span(turn);
        let beside = warm_up.iter().filter(|other| {
            let (from, to) = span(other);
            other["visit"] != turn["visit"] && from <= at && at < to
        });
        beside.for_each(|other| assert_ne!(turn["cpu"], other["cpu"]));
    }
}

#[test]
fn one_processor_warms_up_one_after_the_other() {
    let place = Place::new();
    let events = events(&place, &["--set", &format!("pin={}", first_processor())]);
    assert_eq!(side_by_side(&events, &["cold", "calibration", "warm-up", "measured"]), 0);
}

#[test]
fn blocks_of_one_side_warm_up_at_once_after_the_first() {
    let place = Place::new();
    let args = ["steady", "--set", "processes=5", "--set", "wave=5", "--set", "warmup=100ms"];
    let events = place.events(&args);
    assert_eq!(side_by_side(&events, &["cold", "measured"]), 0);
    if processors() > 1 {
        assert!(side_by_side(&events, &["warm-up"]) > 0);
    }
    // The first block of a case calibrates and warms up alone, and the others use its results.
    let first = &events.of("visit-started")[0]["visit"];
    let (own, others): (Vec<&Value>, Vec<&Value>) =
        events.turns("warm-up").into_iter().partition(|turn| turn["visit"] == *first);
    let end = own.iter().map(|turn| span(turn).1).fold(0.0, f64::max);
    assert!(others.iter().all(|turn| span(turn).0 >= end));
}

#[test]
fn a_side_that_dies_while_it_warms_up_ends_the_case_in_words() {
    let place = Place::new();
    let (good, bad) = (format!("good={}", harness()), format!("bad={} --fault=exit:3@measure:4", harness()));
    let done = place.tiny(&["steady", "-x", &good, "-x", &bad, "--set", "warmup=1s"]);
    let done = done.expect(3);
    let text = [done.out, done.err].concat();
    assert!(text.contains("exit 3") && text.contains("fake/steady"), "{text}");
}

//! Tests that each warning about the machine appears with its cause, and not without it.

use crate::build::{RunBuilder, case, steady};
use derny_model::{Document, Observation, Turn};

fn codes(document: &Document) -> Vec<&str> {
    document.warnings.iter().map(|warning| warning.code.as_str()).collect()
}

const NONE: [&str; 0] = [];

/// Returns a quiet run with these facts. `spins` contains the times of the reference kernel on two
/// processors, for every wave.
fn run(facts: &[(&str, &str)], spins: &[[f64; 2]], busy: f64) -> RunBuilder {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.flat(&[100.0, 101.0, 99.0, 100.5, 99.5, 100.2, 99.8, 100.1]);
    for (name, value) in facts {
        run.records.header.machine.facts.insert((*name).to_owned(), (*value).to_owned());
    }
    let seen = |spin: &[f64; 2]| Observation {
        busy_others: Some(busy),
        spin_ns: vec![(0, spin[0]), (1, spin[1])],
        ..Observation::default()
    };
    run.records.observations = spins.iter().map(seen).collect();
    run
}

const CALM: [[f64; 2]; 4] = [[1.5, 1.501], [1.502, 1.5], [1.499, 1.5], [1.5, 1.503]];
const MOVING: [[f64; 2]; 4] = [[1.5, 1.501], [1.5, 1.502], [1.56, 1.561], [1.58, 1.579]];

#[test]
fn governor_and_turbo_are_named_where_the_speed_moved() {
    for (fact, bad, good, code) in [
        ("governor", "powersave", "performance", "DY104"),
        ("turbo-off", "0", "1", "DY105"),
        ("boost", "1", "0", "DY105"),
    ] {
        assert_eq!(codes(&run(&[(fact, bad)], &MOVING, 0.0).document()), [code]);
        assert_eq!(codes(&run(&[(fact, bad)], &CALM, 0.0).document()), NONE, "{fact}: it did no harm");
        // With a good setting, the cause is heat instead.
        assert_eq!(codes(&run(&[(fact, good)], &MOVING, 0.0).document()), ["DY111"]);
    }
}

#[test]
fn processors_that_cannot_be_chosen_are_one_line_for_the_run() {
    let unmoved = |pin: &[u32]| {
        let mut run = run(&[], &CALM, 0.0);
        run.records.header.settings.pin = pin.to_vec();
        run.records.observations.iter_mut().for_each(|seen| seen.spin_ns.clear());
        run.records.visits.iter_mut().flat_map(|visit| &mut visit.turns).for_each(|turn| turn.cpu = None);
        run
    };
    let document = unmoved(&[0, 1]).document();
    assert_eq!(codes(&document), ["DY114"]);
    assert_eq!(document.warnings[0].case, None);
    assert_eq!(codes(&unmoved(&[]).document()), NONE, "nobody wanted to");
    let mut seen = unmoved(&[0, 1]);
    seen.records.observations[0].spin_ns = vec![(0, 1.5), (1, 1.5)];
    assert_eq!(codes(&seen.document()), NONE);
}

#[test]
fn throttling_needs_three_waves_and_two_per_cent() {
    let hot = run(&[], &MOVING, 0.0).document();
    assert_eq!(codes(&hot), ["DY111"]);
    assert!(hot.warnings[0].message.contains("between waves"), "{:?}", hot.warnings);
    assert_eq!(codes(&run(&[], &MOVING[1..3], 0.0).document()), NONE);
    assert_eq!(codes(&run(&[], &CALM, 0.0).document()), NONE);
    // Other programs explain the change of speed.
    assert_eq!(codes(&run(&[], &MOVING, 0.9).document()), ["DY101"]);
}

#[test]
fn siblings_matter_where_others_run() {
    assert_eq!(codes(&run(&[("smt", "1")], &CALM, 0.2).document()), ["DY106"]);
    assert_eq!(codes(&run(&[("smt", "1")], &CALM, 0.01).document()), NONE);
    assert_eq!(codes(&run(&[("smt", "0")], &CALM, 0.2).document()), NONE);
}

#[test]
fn a_battery_is_always_said() {
    assert_eq!(codes(&run(&[("on-battery", "yes")], &CALM, 0.0).document()), ["DY107"]);
    assert_eq!(codes(&run(&[("on-battery", "no")], &CALM, 0.0).document()), NONE);
}

#[test]
fn unequal_processors_matter_more_where_threads_were_left_alone() {
    let spins = [[1.5, 1.54], [1.5, 1.55], [1.5, 1.54]];
    let mut one = run(&[], &spins, 0.0);
    let told = one.document();
    assert_eq!(codes(&told), ["DY109"]);
    assert!(
        told.warnings[0].message.contains("processor 1 is 2.7 % slower than processor 0"),
        "{:?}",
        told.warnings
    );
    for turn in one.records.visits.iter_mut().flat_map(|record| &mut record.turns) {
        turn.cpu = Some(0);
    }
    assert_eq!(codes(&one.document()), NONE, "both are visited, and each judged by itself");
    one.records.observations.iter_mut().for_each(|seen| seen.spin_ns[1].1 = 1.8);
    assert_eq!(codes(&one.document()), ["DY109"]);
    assert_eq!(codes(&run(&[], &CALM, 0.0).document()), NONE);
}

#[test]
fn reading_the_clock_may_cost_too_much() {
    let with = |cost: &str| run(&[("clock-cost-ns", cost)], &CALM, 0.0).document();
    assert_eq!(codes(&with("1500")), ["DY203"]);
    assert!(with("1500").warnings[0].message.contains("reading the clock may take 1.5 %"));
    assert_eq!(codes(&with("25")), NONE);
    let mut short = run(&[("clock-cost-ns", "25")], &CALM, 0.0);
    for record in &mut short.records.visits {
        record.turns = (0..12).map(|_| Turn { iterations: 10, ..steady(1.0) }).collect();
    }
    assert_eq!(codes(&short.document()), ["DY203"], "batches of a microsecond");
}

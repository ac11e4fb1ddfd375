//! Tests that each warning appears with its cause, and not without it.

use crate::build::{RunBuilder, case, metric, steady, turn, variant};
use derny_analysis::diagnose::DETECTORS;
use derny_model::{Document, Observation, Phase, ProcessEnd, Turn};

fn quiet() -> RunBuilder {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.flat(&[100.0, 101.0, 99.0, 100.5, 99.5, 100.2, 99.8, 100.1]);
    run
}

fn codes(document: &Document) -> Vec<&str> {
    document.warnings.iter().map(|warning| warning.code.as_str()).collect()
}

fn seen(busy: f64, pressure: f64, load: f64) -> Observation {
    Observation {
        load: Some(load),
        steal: Some(0.0),
        pressure: Some(pressure),
        busy_others: Some(busy),
        ..Observation::default()
    }
}

#[test]
fn a_quiet_run_raises_no_doubt() {
    let mut run = quiet();
    run.records.observations = vec![seen(0.05, 0.03, 1.1); 5];
    assert_eq!(codes(&run.document()), [""; 0]);
}

#[test]
fn six_busy_loops_on_two_cores_are_seen_from_outside() {
    for observation in [seen(0.7, 0.0, 0.4), seen(0.2, 0.9, 0.4), seen(0.2, 0.0, 6.5)] {
        let mut run = quiet();
        run.records.observations = vec![observation; 5];
        let document = run.document();
        assert_eq!(codes(&document), ["DY101"]);
        assert!(document.warnings[0].message.starts_with("this run was contended"));
        assert_eq!(document.warnings[0].case, None);
    }
    let mut stolen = quiet();
    stolen.records.observations = vec![Observation { steal: Some(0.03), ..seen(0.0, 0.0, 1.0) }; 5];
    assert_eq!(codes(&stolen.document()), ["DY101"]);
}

#[test]
fn pressure_of_our_own_making_is_not_contention() {
    let mut run = quiet();
    run.records.observations = vec![seen(0.02, 0.6, 4.0); 5];
    assert_eq!(codes(&run.document()), [""; 0]);
    // If the load of other programs is unknown, pressure alone is enough.
    run.records.observations = vec![Observation { pressure: Some(0.6), ..Observation::default() }];
    assert_eq!(codes(&run.document()), ["DY101"]);
}

#[test]
fn other_programs_on_free_processors_do_not_contend() {
    let mut run = quiet();
    run.records.header.machine.cores = 16;
    run.records.observations = vec![seen(0.3, 0.02, 5.0); 5];
    assert_eq!(codes(&run.document()), [""; 0]);
}

fn with_counter(name: &str, unit: &str, value: impl Fn(usize) -> f64) -> RunBuilder {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    for process in 0..8 {
        let id = run.process(0);
        let turns = (0..12)
            .map(|turn| Turn {
                counters: vec![Some(value(process * 12 + turn))],
                ..steady(100.0 + process as f64 / 10.0)
            })
            .collect();
        run.visit(id, 0, &[metric(name, unit)], turns);
    }
    run
}

fn scheduled(cpu: f64, wait: f64, preempted: impl Fn(usize) -> f64) -> RunBuilder {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    let metrics = [metric("cpu", "ns"), metric("wait", "ns"), metric("preempted", "count")];
    for process in 0..8 {
        let id = run.process(0);
        let turns = (0..12).map(|turn| Turn {
            counters: vec![Some(cpu), Some(wait), Some(preempted(process * 12 + turn))],
            ..steady(100.0)
        });
        run.visit(id, 0, &metrics, turns.collect());
    }
    run
}

#[test]
fn waiting_for_a_processor_is_a_share_of_the_wall_time() {
    let waiting = scheduled(880_000.0, 100_000.0, |_| 0.0).document();
    assert_eq!(codes(&waiting), ["DY102"]);
    let sentence = waiting.warnings[0].sentence();
    assert!(sentence.contains("waited for a processor 10 % of the time; without it"), "{sentence}");
    assert!(sentence.ends_with("its typical time is 10 % lower"), "{sentence}");
    assert_eq!(waiting.warnings[0].case, Some(0));
    assert_eq!(codes(&scheduled(980_000.0, 20_000.0, |_| 0.0).document()), [""; 0]);
}

#[test]
fn waiting_outside_the_timed_region_is_nothing() {
    // The thread waited when it woke up, for a tenth of the wall time. During the timed region, it was always
    // on the processor.
    assert_eq!(codes(&scheduled(1_000_000.0, 100_000.0, |_| 1.0).document()), [""; 0]);
    // Waiting alone is enough if processor time is unknown.
    assert_eq!(codes(&with_counter("wait", "ns", |_| 100_000.0).document()), ["DY102"]);
    let long = with_counter("wait", "ns", |turn| if turn % 4 == 0 { 9e9 } else { 0.0 }).document();
    assert!(long.warnings[0].message.contains("waited for a processor 25 %"), "{:?}", long.warnings[0]);
}

#[test]
fn preemption_is_a_share_of_turns_and_must_cost_something() {
    let every = |n: usize| move |turn: usize| f64::from(u8::from(turn.is_multiple_of(n)));
    assert_eq!(codes(&scheduled(980_000.0, 0.0, every(10)).document()), ["DY102"]);
    assert_eq!(codes(&scheduled(980_000.0, 0.0, every(50)).document()), [""; 0]);
    assert_eq!(codes(&scheduled(999_000.0, 0.0, every(10)).document()), [""; 0]);
}

#[test]
fn a_body_that_waits_for_something_else_blocks() {
    let sleeping = scheduled(300_000.0, 10_000.0, |_| 0.0).document();
    assert_eq!(codes(&sleeping), ["DY216"]);
    assert!(sleeping.warnings[0].message.contains("is blocked for 69 %"), "{:?}", sleeping.warnings[0]);
    let mut threads = scheduled(300_000.0, 10_000.0, |_| 0.0);
    threads.records.cases[0].threads = Some(4);
    assert_eq!(codes(&threads.document()), [""; 0], "several threads: one of them says nothing");
    // Waiting for a processor has another warning.
    assert_eq!(codes(&scheduled(300_000.0, 690_000.0, |_| 0.0).document()), ["DY102"]);
}

#[test]
fn too_few_processes_for_ranks() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.flat(&[100.0; 5]);
    assert_eq!(codes(&run.document()), ["DY201"]);
    run.flat(&[100.0]);
    assert_eq!(codes(&run.document()), [""; 0]);
    // Two samples of five processes have an exact interval.
    let mut sides = RunBuilder::new(vec![case("s", "a")]);
    sides.records.header.variants.push(variant("new"));
    for side in [0, 1].repeat(5) {
        let process = sides.process(side);
        sides.visit(process, 0, &[], vec![steady(100.0); 12]);
    }
    assert_eq!(codes(&sides.document()), ["DY201"], "five pairs");
    sides.records.header.settings.waves = true;
    assert_eq!(codes(&sides.document()), [""; 0]);
    let mut one = RunBuilder::new(vec![case("s", "a")]);
    one.flat(&[100.0]);
    assert!(one.document().warnings[0].message.contains("1 process: too few for an interval"));
}

#[test]
fn an_empty_body_is_told() {
    let with = |ns: f64| {
        let mut run = RunBuilder::new(vec![case("s", "a")]);
        for _ in 0..6 {
            let process = run.process(0);
            let overhead = turn(Phase::Overhead, 10_000, vec![3_000; 10]);
            let measured = turn(Phase::Measured, 100_000, vec![(ns * 1e5) as u64; 10]);
            run.visit(process, 0, &[], vec![overhead, measured.clone(), measured]);
        }
        run.document()
    };
    assert_eq!(codes(&with(0.4)), ["DY202"]);
    assert!(with(0.4).warnings[0].message.contains("0.40 ns per iteration against 0.30 ns"));
    assert_eq!(codes(&with(4.0)), [""; 0]);
}

#[test]
fn a_coarse_clock_is_told_per_batch() {
    let mut run = quiet();
    run.records.processes.iter_mut().for_each(|process| process.clock_step_ns = 1000);
    let document = run.document();
    assert_eq!(codes(&document), ["DY203"]);
    assert!(
        document.warnings[0].message.contains("steps of the 1000 ns clock"),
        "{}",
        document.warnings[0].message
    );
    run.records.processes.iter_mut().for_each(|process| process.clock_step_ns = 100);
    assert_eq!(codes(&run.document()), [""; 0]);
}

#[test]
fn a_growing_harness_is_told() {
    let with = |first: u64, last: u64| {
        let mut run = quiet();
        run.records.process_ends = (0..8)
            .map(|process| ProcessEnd {
                process,
                exit: "exit 0".to_owned(),
                cpu_ns: None,
                peak_bytes: None,
                resident_bytes: Some((first, last)),
                printed_bytes: None,
                ending_ns: None,
                at_ns: 0,
            })
            .collect();
        run.document()
    };
    assert_eq!(codes(&with(50_000_000, 90_000_000)), ["DY205"]);
    assert_eq!(codes(&with(50_000_000, 60_000_000)), [""; 0], "less than 16 MB");
    assert_eq!(codes(&with(500_000_000, 540_000_000)), [""; 0], "less than a quarter");
}

#[test]
fn codes_are_unique_and_in_order() {
    let codes: Vec<&str> = DETECTORS.iter().map(|detector| detector.code).collect();
    assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "{codes:?}");
    assert!(DETECTORS.iter().all(|detector| detector.text().split_whitespace().count() > 30));
    for detector in DETECTORS {
        assert!(detector.explain.starts_with("# "), "{}", detector.code);
        for cause in detector.after {
            let cause = DETECTORS.iter().find(|other| other.code == *cause).unwrap();
            assert!(!cause.after.contains(&detector.code), "{} and {}", cause.code, detector.code);
        }
    }
}

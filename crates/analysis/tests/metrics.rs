//! Tests counters, rates and processor time.

use crate::build::{RunBuilder, case, metric, steady, turn, variant};
use derny_model::{Kind, Metric, MetricSummary, Phase, Turn};

fn counted(iterations: u64, counters: Vec<Option<f64>>) -> Turn {
    Turn { counters, ..turn(Phase::Measured, iterations, vec![iterations * 10; 5]) }
}

fn find(run: &RunBuilder, name: &str) -> MetricSummary {
    run.first().metrics.iter().find(|summary| summary.metric.name == name).unwrap()
}

#[test]
fn counters_are_totals_over_the_operations_of_their_turn() {
    let mut with_ops = case("s", "a");
    with_ops.ops = 2.0;
    let mut run = RunBuilder::new(vec![with_ops]);
    for _ in 0..6 {
        let process = run.process(0);
        // Each of five batches has 2n operations of 48 bytes. The result is the same for every n.
        let turns = [100.0, 103.0, 97.0].map(|n| counted(n as u64, vec![Some(n * 5.0 * 2.0 * 48.0)]));
        run.visit(process, 0, &[metric("allocated", "bytes")], turns.to_vec());
    }
    let allocated = find(&run, "allocated");
    assert!((allocated.estimate.value - 48.0).abs() < 1e-9 && allocated.constant && allocated.per_operation);
    assert_eq!(allocated.estimate.interval, None);
    run.records.visits[5].turns[2].counters[0] = Some(0.0);
    let varied = find(&run, "allocated");
    assert!(!varied.constant && varied.estimate.interval.is_some());
    assert!((varied.estimate.value - 48.0).abs() < 1e-9, "one odd process of six does not move it");
}

#[test]
fn rare_events_count_in_full() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    for _ in 0..6 {
        let process = run.process(0);
        let turns = (0..10).map(|i| counted(100, vec![Some(if i == 0 { 1.0 } else { 0.0 })])).collect();
        run.visit(process, 0, &[metric("gc", "count")], turns);
    }
    let gc = find(&run, "gc");
    assert!((gc.estimate.value - 1.0 / 5000.0).abs() < 1e-12, "one in ten turns of 500 operations");
}

#[test]
fn unread_counters_are_left_out_not_taken_for_zero() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    for _ in 0..6 {
        let process = run.process(0);
        let turns = vec![counted(100, vec![Some(500.0), None]), counted(100, vec![None, None])];
        run.visit(process, 0, &[metric("reductions", "count"), metric("classes", "count")], turns);
    }
    assert!((find(&run, "reductions").estimate.value - 1.0).abs() < 1e-12);
    assert!(run.first().metrics.iter().all(|summary| summary.metric.name != "classes"));
}

#[test]
fn rates_of_a_tool_stand_as_they_are_and_there_is_no_time() {
    let mut run = RunBuilder::new(vec![case("s", "http")]);
    for base in [1000.0, 1010.0, 990.0, 1005.0, 995.0, 1002.0] {
        let process = run.process(0);
        let turns = [0.0, 1.0, 2.0]
            .map(|step| Turn { counters: vec![Some(base + step)], ..turn(Phase::Measured, 0, Vec::new()) });
        run.visit(process, 0, &[Metric { kind: Kind::Rate, ..metric("rate", "requests/s") }], turns.to_vec());
    }
    let result = run.first();
    assert!(result.time.is_none());
    assert_eq!((result.processes, result.turns, result.batches), (6, 18, 0));
    let rate = find(&run, "rate");
    assert!(!rate.per_operation && !rate.constant);
    let interval = rate.estimate.interval.unwrap();
    assert!(interval.lo < rate.estimate.value && rate.estimate.value < interval.hi);
    assert!((rate.estimate.value - 1001.25).abs() < 2.0, "{rate:?}");
}

#[test]
fn a_kind_says_how_the_turns_of_a_process_make_its_value() {
    let kinds = [Kind::Total, Kind::Level, Kind::Peak, Kind::Rate, Kind::Reported];
    // The counter does not depend on the number of operations, which is 500 or 1,000.
    let values = |metrics: &[Metric]| {
        let mut run = RunBuilder::new(vec![case("s", "a")]);
        for _ in 0..6 {
            let process = run.process(0);
            let turn =
                |(iterations, value): (u64, f64)| counted(iterations, vec![Some(value); metrics.len()]);
            run.visit(process, 0, metrics, [(100, 30.0), (200, 10.0), (100, 11.0)].map(turn).to_vec());
        }
        metrics.iter().map(|metric| find(&run, &metric.name)).collect::<Vec<_>>()
    };
    let named = kinds.map(|kind| Metric { kind, ..metric(&format!("{kind:?}"), "B") });
    let found = values(&named);
    let estimates: Vec<f64> = found.iter().map(|summary| summary.estimate.value).collect();
    // 15.5 is the median of the three values and their averages: (30 + 10) / 2, (30 + 11) / 2, (10 + 11) / 2.
    assert_eq!(estimates, [51.0 / 2000.0, 11.0, 30.0, 11.0, 15.5]);
    assert_eq!(found.iter().map(|s| s.per_operation).collect::<Vec<_>>(), [true, false, false, false, false]);
    // The unit does not affect the result.
    let quotient = values(&[metric("a", "B/process")]);
    assert!(quotient[0].per_operation && quotient[0].estimate.value == 51.0 / 2000.0);
}

#[test]
fn a_level_of_a_timed_body_is_not_divided() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    for _ in 0..6 {
        let process = run.process(0);
        let size = Metric { kind: Kind::Level, exact: true, ..metric("size", "B") };
        run.visit(
            process,
            0,
            &[size],
            vec![counted(100, vec![Some(131.0)]), counted(700, vec![Some(131.0)])],
        );
    }
    let size = find(&run, "size");
    assert_eq!((size.estimate.value, size.estimate.interval, size.constant), (131.0, None, true));
}

#[test]
fn a_name_declared_twice_is_read_once_from_the_harness() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    let process = run.process(0);
    let names = [metric("cpu", "ns"), metric("cpu", "ns")];
    run.visit(process, 0, &names, vec![counted(100, vec![Some(5000.0), Some(9000.0)]); 3]);
    assert_eq!(run.first().metrics.len(), 1);
    assert!((find(&run, "cpu").estimate.value - 10.0).abs() < 1e-12);
}

#[test]
fn metrics_of_processes_that_declare_differently_are_joined_by_name() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    let orders = [["x", "y"], ["y", "x"]];
    for index in 0..6 {
        let process = run.process(0);
        let names = orders[index % 2].map(|name| metric(name, "count"));
        let counters = names.iter().map(|m| Some(if m.name == "x" { 500.0 } else { 1000.0 })).collect();
        run.visit(process, 0, &names, vec![counted(100, counters); 3]);
    }
    assert_eq!((find(&run, "x").estimate.value, find(&run, "y").estimate.value), (1.0, 2.0));
}

#[test]
fn processor_time_is_per_operation_of_the_turns_that_have_it() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    for _ in 0..6 {
        let process = run.process(0);
        let mut turns = vec![counted(100, vec![Some(4000.0)]), counted(100, vec![Some(6000.0)])];
        turns.push(counted(100, vec![None]));
        run.visit(process, 0, &[metric("cpu", "ns")], turns);
    }
    let cpu = find(&run, "cpu");
    assert!((cpu.estimate.value - 10.0).abs() < 1e-9, "a total over operations: {:?}", cpu.estimate);
    let result = run.first();
    assert!(result.figure("cpu").is_none(), "it is a metric, and no statistic of time");
    assert_eq!((result.metric("cpu").unwrap().unit.as_str(), cpu.per_operation), ("ns", true));
}

#[test]
fn rejected_turns_are_counted_by_the_causes_asked_for() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.records.header.settings.reject = vec!["gc".to_owned(), "compile".to_owned()];
    let names = [metric("gc", "count"), metric("compiled", "count"), metric("preempted", "count")];
    for _ in 0..6 {
        let process = run.process(0);
        let mut turns = vec![Turn { counters: vec![Some(0.0); 3], ..steady(100.0) }; 4];
        let counters = vec![Some(1.0), Some(0.0), Some(1.0)];
        turns.push(Turn { phase: Phase::Rejected, counters, ..steady(700.0) });
        run.visit(process, 0, &names, turns);
    }
    let result = run.first();
    assert_eq!(result.rejected, [("gc".to_owned(), 6)]);
    let time = result.time.unwrap();
    assert_eq!((time.typical.value.round(), time.mean.value), (100.0, 220.0));
}

#[test]
fn metrics_are_kept_by_variant() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.records.header.variants = vec![variant("old"), variant("new")];
    for index in 0..4 {
        let process = run.process(index % 2);
        let turns = vec![counted(100, vec![Some(500.0 * f64::from(index % 2 + 1))]); 3];
        run.visit(process, 0, &[metric("x", "count")], turns);
    }
    let variants = run.document().suites[0].cases[0].variants.clone();
    let values: Vec<f64> = variants.iter().map(|v| v.metrics.iter().next().unwrap().estimate.value).collect();
    assert_eq!(values, [1.0, 2.0]);
}

#[test]
fn a_ladder_takes_what_a_turn_costs_out_of_a_counter() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.records.header.settings.ladder = true;
    for _ in 0..6 {
        let process = run.process(0);
        // Five batches of n operations allocate 48 bytes per operation. The turn itself allocates 1,000
        // bytes.
        let turns =
            (1..=12).map(|n| counted(n * 10, vec![Some(1000.0 + (n * 10 * 5 * 48) as f64)])).collect();
        run.visit(process, 0, &[metric("allocated", "B")], turns);
    }
    let allocated = find(&run, "allocated");
    let (slope, r_squared) = allocated.ladder.unwrap();
    assert!((slope - 48.0).abs() < 1e-9 && r_squared > 0.999_999);
    assert!(allocated.estimate.value > 50.0, "the plain quotient holds the turn's own bytes");
    run.records.header.settings.ladder = false;
    assert_eq!(find(&run, "allocated").ladder, None);
}

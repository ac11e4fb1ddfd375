//! Tests the figures of Haskell's criterion on records with known true values.

use crate::build::{RunBuilder, case, metric, turn};
use derny_analysis::criterion::{Regress, criterion};
use derny_model::*;

/// Returns processes whose iterations start at 1,000 and grow by 5 % per turn. A batch takes `overhead` ns,
/// plus `slope` ns per iteration. An iteration allocates 48 bytes.
fn growing(processes: u32, slope: impl Fn(u32) -> f64, overhead: f64) -> RunBuilder {
    let mut run = RunBuilder::new(vec![case("s", "fib")]);
    run.records.header.settings.ladder = true;
    for number in 0..processes {
        let process = run.process(0);
        let turns = (0..12).map(|step| {
            let iterations = (1000.0 * 1.05_f64.powi(step)).ceil() as u64;
            let time = (overhead + slope(number) * iterations as f64).round() as u64;
            let mut turn = turn(Phase::Measured, iterations, vec![time; 4]);
            turn.counters = vec![Some(4.0 * 48.0 * iterations as f64)];
            turn
        });
        run.visit(process, 0, &[metric("allocated", "bytes")], turns.collect());
    }
    run
}

fn near(value: f64, expected: f64, share: f64) {
    assert!((value / expected - 1.0).abs() < share, "{value} is not {expected}");
}

#[test]
fn the_line_has_the_slope_and_what_a_batch_costs_by_itself() {
    let cases = criterion(&growing(8, |_| 40.0, 500.0).records, &[]);
    let [fib] = &cases[..] else { panic!("{cases:?}") };
    assert_eq!((fib.name.as_str(), fib.rows.len(), fib.values.len()), ("fib", 96, 96));
    let [time, allocated] = &fib.regressions[..] else { panic!("{:?}", fib.regressions) };
    near(time.coefficients[0].1.value, 40e-9, 1e-4);
    near(time.intercept.value, 500e-9, 1e-2);
    near(time.r_squared.value, 1.0, 1e-6);
    near(allocated.coefficients[0].1.value, 48.0, 1e-9);
    assert_eq!((time.responder.as_str(), allocated.responder.as_str()), ("time", "allocated"));
}

#[test]
fn what_is_asked_for_is_regressed_on_several_quantities() {
    let mut run = growing(3, |_| 40.0, 500.0);
    let metrics = [
        metric("allocated", "bytes"),
        metric("gc", "count"),
        Metric { kind: Kind::Peak, ..metric("peak", "MB") },
    ];
    for record in &mut run.records.visits {
        record.visit.metrics = metrics.to_vec().into();
        for (step, turn) in record.turns.iter_mut().enumerate() {
            let collections = f64::from(step as u32 % 3);
            let time = 500.0 + 40.0 * turn.iterations as f64 + 900.0 * collections;
            turn.times_ns = vec![time.round() as u64; 4];
            turn.counters.extend([Some(4.0 * collections), Some(2.097152)]);
        }
    }
    let wanted = ["time:iters,numGcs", "bytesCopied:iters"].map(|text| Regress::parse(text).unwrap());
    let cases = criterion(&run.records, &wanted);
    near(cases[0].rows[0].peak_mb.unwrap(), 2.0, 1e-9);
    let [plain, both] = &cases[0].regressions[..] else { panic!("{:?}", cases[0].regressions) };
    assert!(plain.r_squared.value < 0.9999);
    let [(iters, each), (collections, every)] = &both.coefficients[..] else { panic!("{both:?}") };
    assert_eq!((iters.as_str(), collections.as_str()), ("iters", "numGcs"));
    near(each.value, 40e-9, 1e-3);
    near(every.value, 900e-9, 1e-2);
    near(both.intercept.value, 500e-9, 2e-2);
    near(both.r_squared.value, 1.0, 1e-6);
    for wrong in ["time", "time:", "nosuch:iters", "time:time", "iters:time,time"] {
        assert!(Regress::parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn intervals_are_those_of_processes() {
    // Turns of a process agree to the nanosecond, and processes differ by up to 7 %. Resampling turns would
    // give too narrow an interval.
    let cases = criterion(&growing(8, |process| 40.0 + 0.4 * f64::from(process), 0.0).records, &[]);
    let interval = cases[0].mean.interval.unwrap();
    let half = (interval.hi - interval.lo) / 2.0;
    assert!((0.4e-9..1.2e-9).contains(&half), "{half}");
    assert!(interval.lo < 41.4e-9 && 41.4e-9 < interval.hi, "{interval:?}");
    near(cases[0].mean.value, 41.4e-9, 1e-3);
    near(cases[0].deviation.value, 0.92e-9, 0.05);
}

#[test]
fn a_line_needs_iterations_that_grow() {
    let mut run = growing(2, |_| 40.0, 0.0);
    run.records.header.settings.ladder = false;
    let cases = criterion(&run.records, &[]);
    assert!(cases[0].regressions.is_empty());
    near(cases[0].mean.value, 40e-9, 1e-6);
}

#[test]
fn short_measurements_of_an_import_are_in_the_line_and_not_in_the_mean() {
    let mut run = RunBuilder::new(vec![case("criterion", "io")]);
    run.records.header.imported = Some(Imported {
        format: "criterion-json".to_owned(),
        file: "x.json".to_owned(),
        tool: "criterion 1.6".to_owned(),
        unknown: Vec::new(),
        hash: String::new(),
    });
    let process = run.process(0);
    let one = |phase, iterations: u64, each: u64| turn(phase, iterations, vec![iterations * each]);
    let mut turns: Vec<Turn> = (1..4).map(|n| one(Phase::WarmUp, n, 2_000_000)).collect();
    turns.extend((40..60).map(|n| one(Phase::Measured, n, 1_000_000)));
    run.visit(process, 0, &[], turns);
    let cases = criterion(&run.records, &[]);
    assert_eq!((cases[0].rows.len(), cases[0].values.len()), (23, 20));
    near(cases[0].mean.value, 1e-3, 1e-9);
    assert!(cases[0].regressions[0].intercept.value > 0.0, "{:?}", cases[0].regressions);
}

#[test]
fn why_there_is_no_line_is_said_of_the_run_that_there_was() {
    let of = |run: &RunBuilder| {
        let [only] = &criterion(&run.records, &[])[..] else { panic!("one case") };
        assert!(only.regressions.is_empty() != only.unfit.is_empty(), "{only:?}");
        only.unfit.clone()
    };
    assert_eq!(of(&growing(3, |_| 40.0, 500.0)), "");
    // The run was measured without a ladder.
    let mut plain = growing(3, |_| 40.0, 500.0);
    plain.records.header.settings.ladder = false;
    assert!(of(&plain).contains("measure with --set ladder=yes"), "{}", of(&plain));
    // With a ladder, the text says what else is missing.
    let cut = |rounds: usize| {
        let mut run = growing(3, |_| 40.0, 500.0);
        run.records.visits.iter_mut().for_each(|record| record.turns.to_mut().truncate(rounds));
        of(&run)
    };
    assert_eq!(cut(3), "iterations grew by 10 % only: use more rounds");
    assert!(cut(1).contains("needs 4 measurements"), "{}", cut(1));
    let mut once = growing(3, |_| 40.0, 500.0);
    once.records
        .visits
        .iter_mut()
        .flat_map(|record| record.turns.iter_mut())
        .for_each(|turn| turn.iterations = 1);
    assert!(of(&once).starts_with("every measurement has the same number of iterations"), "{}", of(&once));
    assert!(![cut(3), cut(1), of(&once)].concat().contains("ladder=yes"));
}

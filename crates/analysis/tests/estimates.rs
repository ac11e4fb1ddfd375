//! Tests times of batches, processes and cases.

use crate::build::{RunBuilder, case, metric, noisy, settings, steady, turn, variant};
use derny_analysis::{Input, Options};
use derny_model::{
    Case, CaseState, Document, Observation, Phase, StopReason, Timing, Turn, Verdict, Yardstick,
};

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs()
}

#[test]
fn the_case_is_the_hodges_lehmann_of_process_logarithms() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.flat(&[100.0, 100.0, 100.0, 400.0, 400.0, 400.0]);
    // Of the 21 Walsh averages of the logarithms, six are 100, six are 400, and nine are 200.
    let typical = run.time().typical;
    assert!(close(typical.value, 200.0), "{typical:?}");
    let mut few = RunBuilder::new(vec![case("s", "a")]);
    few.flat(&[90.0, 100.0, 400.0]);
    assert!(close(few.time().typical.value, 100.0), "the median of fewer than six");
}

#[test]
fn a_wild_batch_or_turn_does_not_move_the_typical_time_but_the_mean() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.flat(&[100.0; 8]);
    let before = run.time();
    for record in &mut run.records.visits {
        record.turns[3].times_ns[2] *= 1000;
        record.turns[5].times_ns.iter_mut().for_each(|time| *time *= 3);
    }
    let after = run.time();
    assert_eq!(before.typical.value, after.typical.value);
    // 109 batches take 100 ns, ten take three times as long, and one takes a thousand times as long.
    let expected = 100.0 * (109.0 + 10.0 * 3.0 + 1000.0) / 120.0;
    assert!(close(after.mean.value, expected), "{} {expected}", after.mean.value);
    assert!(run.figure("maximum") > 9e4 && after.median == 100.0);
}

#[test]
fn beside_busy_programs_the_typical_time_stays() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.flat(&[1000.0; 8]);
    for record in &mut run.records.visits {
        // Five of twelve turns slow down, as if another program used the same cores.
        for (turn, factor) in record.turns.iter_mut().step_by(2).zip([2, 3, 2, 2, 3]) {
            turn.times_ns.iter_mut().for_each(|time| *time *= factor);
        }
    }
    let time = run.time();
    assert!((time.typical.value - 1000.0).abs() < 1.0, "{:?}", time.typical);
    assert!(time.mean.value > 1500.0);
}

#[test]
fn operations_divide_iterations_and_own_counts() {
    let mut looped = case("s", "loop");
    looped.ops = 4.0;
    looped.bytes = Some(32.0);
    looped.items = Some(2.0);
    let mut own = case("s", "own");
    own.timing = Timing::SelfTimed;
    let mut run = RunBuilder::new(vec![looped, own]);
    for _ in 0..6 {
        let process = run.process(0);
        run.visit(process, 0, &[], vec![steady(100.0); 3]);
        let mut turn = turn(Phase::Measured, 0, vec![5_000]);
        turn.ops = Some(vec![0.5]);
        run.visit(process, 1, &[], vec![turn; 3]);
    }
    let document = run.document();
    let times: Vec<_> = document.cases().map(|case| case.variants[0].time.clone().unwrap()).collect();
    assert!(close(times[0].typical.value, 25.0));
    let rate = |name: &str| document.cases().next().unwrap().variants[0].figure(name).unwrap().estimate();
    assert!(close(rate("ops_per_second").value, 4e7));
    assert!(close(rate("bytes_per_second").value, 32.0 / 100.0 * 1e9));
    assert!(close(rate("items_per_second").value, 2.0 / 100.0 * 1e9));
    let (slow, fast) = (times[0].typical.interval.unwrap().hi, rate("ops_per_second").interval.unwrap().lo);
    assert!(close(slow * fast, 1e9), "the slow end of the time is the low end of the rate");
    assert!(close(times[1].typical.value, 10_000.0));
}

#[test]
fn the_interval_is_exact_from_six_processes_on_and_fewer_have_a_range() {
    let figure = |n: usize, name: &str| {
        let mut run = RunBuilder::new(vec![case("s", "a")]);
        run.records.header.settings.processes = 6;
        run.flat(&(0..n).map(|i| 100.0 + i as f64).collect::<Vec<_>>());
        run.first().figure(name).unwrap()
    };
    for name in ["time", "mean"] {
        let one = figure(1, name);
        assert_eq!((one.interval, one.range), (None, None));
        for few in 2..6 {
            let found = figure(few, name);
            let range = found.range.unwrap();
            assert!(found.interval.is_none(), "{name} of {few}");
            assert!(close(range.lo, 100.0) && close(range.hi, 99.0 + few as f64), "{range:?}");
        }
        assert_eq!(figure(6, name).range, None);
    }
    let range = figure(2, "ops_per_second").range.unwrap();
    assert!(close(range.lo, 1e9 / 101.0) && close(range.hi, 1e7), "{range:?}");
    let six = figure(6, "time").interval.unwrap();
    assert!(close(six.lo, 100.0) && close(six.hi, 105.0), "{six:?}");
    assert!(figure(6, "mean").interval.is_some());
}

#[test]
fn a_look_at_the_width_alone_is_paid_for_with_a_little() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.flat(&(0..8).map(|i| 100.0 + f64::from(i).powi(2)).collect::<Vec<_>>());
    // A comparison looks at 8 of 40 processes at level .0148, so its interval ends at the outermost Walsh
    // averages. Without variants, the level is .03, so the interval ends at the third Walsh average from
    // either end.
    let look = run.time().typical.interval.unwrap();
    assert!(close(look.lo, 101.0) && close(look.hi, (149.0_f64 * 125.0).sqrt()), "{look:?}");
    run.records.header.variants.push(variant("other"));
    let shared = run.time().typical.interval.unwrap();
    assert!(close(shared.lo, 100.0) && close(shared.hi, 149.0), "{shared:?}");
    run.records.header.settings.processes = 8;
    // With 8 planned processes and an earlier look at 6, the level is closer to the full 5 %.
    let last = run.time().typical.interval.unwrap();
    assert!(last.hi < shared.hi && last.lo >= shared.lo, "{last:?} {shared:?}");
}

#[test]
fn intervals_cover_the_truth_as_often_as_they_say() {
    // A look at 8 processes of 40, or at 10 after losses, has level .03. The range of fewer than six
    // processes contains the median with probability 1 - 2^(1 - n).
    let rows = [
        (8, 40, 0.96, 0.99),
        (10, 40, 0.95, 0.985),
        (3, 40, 0.71, 0.79),
        (4, 4, 0.84, 0.91),
        (5, 5, 0.91, 0.97),
    ];
    for (processes, planned, least, most) in rows {
        let mut run = noisy(1000, processes, 3, 1000.0);
        run.records.header.settings.processes = planned;
        let document = run.document();
        let covered = document
            .cases()
            .filter_map(|case| case.variants[0].figure("time")?.reach().interval)
            .filter(|interval| interval.lo <= 1000.0 && 1000.0 <= interval.hi)
            .count();
        let share = covered as f64 / 1000.0;
        assert!((least..=most).contains(&share), "{processes} processes: {share}");
    }
}

#[test]
fn a_lower_confidence_narrows() {
    let mut run = noisy(1, 12, 10, 100.0);
    let width = |run: &RunBuilder| run.time().typical.interval.map(|i| i.hi - i.lo).unwrap();
    let wide = width(&run);
    run.records.header.settings.confidence = 0.5;
    assert!(width(&run) < wide);
}

#[test]
fn doubling_all_times_doubles_all_estimates() {
    let single = noisy(3, 9, 40, 123.0);
    let mut double = noisy(3, 9, 40, 123.0);
    for turn in double.records.visits.iter_mut().flat_map(|record| &mut record.turns) {
        turn.times_ns.iter_mut().for_each(|time| *time *= 2);
    }
    let (single, double) = (single.document(), double.document());
    for (one, two) in single.cases().zip(double.cases()) {
        let (one, two) = (one.variants[0].time.clone().unwrap(), two.variants[0].time.clone().unwrap());
        let pairs = [
            (one.typical.value, two.typical.value),
            (one.typical.interval.unwrap().lo, two.typical.interval.unwrap().lo),
            (one.typical.interval.unwrap().hi, two.typical.interval.unwrap().hi),
            (one.mean.value, two.mean.value),
            (one.mean.interval.unwrap().hi, two.mean.interval.unwrap().hi),
            (one.median, two.median),
        ];
        for (index, (a, b)) in pairs.into_iter().enumerate() {
            assert!((2.0 * a - b).abs() < 1e-9 * b, "figure {index}: {a} {b}");
        }
        assert_eq!((one.outliers, &one.steady), (two.outliers, &two.steady));
    }
    let figures = |document: &Document| document.cases().next().unwrap().variants[0].figures.to_vec();
    let (one, two) = (figures(&single), figures(&double));
    assert!(one.len() > 15 && one.len() == two.len(), "{one:?}");
    // Times double, rates halve, and shares stay the same.
    for (one, two) in one.iter().zip(&two).filter(|(one, _)| !one.metric && one.name != "age") {
        let times = match one.unit.as_str() {
            "ns" => 2.0,
            "share" => 1.0,
            rate => {
                assert!(rate.ends_with("/s"), "{rate}");
                0.5
            }
        };
        let off = (times * one.value - two.value).abs();
        assert!(one.name == two.name && off < 1e-9 * two.value.abs().max(1e-3), "{one:?} {two:?}");
    }
}

#[test]
fn variation_is_split_within_and_between_processes() {
    let run = noisy(1, 200, 20, 1000.0);
    let (within, between) = (run.figure("within"), run.figure("between"));
    assert!((between - 0.02).abs() < 0.003, "{between}");
    assert!((within - 0.01).abs() < 0.001, "{within}");
    let expected = (0.02f64.powi(2) + 0.01f64.powi(2) / 12.0).sqrt() * (26.0f64 / 200.0).sqrt();
    let detectable = run.figure("detectable");
    assert!((detectable / expected - 1.0).abs() < 0.15, "{detectable}");
}

#[test]
fn order_statistics_are_those_of_all_batches() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    let process = run.process(0);
    let times: Vec<u64> = (1..=101).map(|i| i * 1000).collect();
    run.visit(process, 0, &[], vec![turn(Phase::Measured, 1000, times)]);
    let time = run.time();
    let names = ["minimum", "q1", "median", "q3", "p95", "p99", "maximum", "mad", "batch_mean"];
    let figures = names.map(|name| run.figure(name));
    assert_eq!(figures, [1.0, 26.0, 51.0, 76.0, 96.0, 100.0, 101.0, 25.0, 51.0]);
    let bins = time.histogram.unwrap();
    assert_eq!((bins.lo, bins.hi, bins.above), (1.0, 100.0, 1));
    assert_eq!(bins.counts.iter().sum::<u64>(), 100);
}

#[test]
fn only_measured_turns_of_complete_visits_count() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.flat(&[100.0; 6]);
    for record in &mut run.records.visits {
        for phase in [Phase::Calibration, Phase::WarmUp, Phase::Cold, Phase::Overhead] {
            record.turns.to_mut().insert(0, turn(phase, 1000, vec![900_000; 10]));
        }
    }
    let process = run.process(0);
    run.visit(process, 0, &[], vec![steady(500.0); 12]).complete = false;
    let result = run.first();
    assert_eq!((result.processes, result.turns, result.batches), (6, 72, 720));
    let time = result.time.unwrap();
    assert_eq!((time.typical.value.round(), run.figure("maximum"), time.mean.value), (100.0, 100.0, 100.0));
}

#[test]
fn processes_stand_by_themselves_in_order() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.flat(&[100.0, 110.0, 90.0]);
    let processes = run.time().processes;
    let seen: Vec<(u32, f64, u32)> =
        processes.iter().map(|p| (p.process, p.time_ns.round(), p.turns)).collect();
    assert_eq!(seen, [(0, 100.0, 12), (1, 110.0, 12), (2, 90.0, 12)]);
    assert!(processes.iter().all(|process| process.class == "flat"));
}

#[test]
fn a_process_that_visits_twice_counts_once() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    let process = run.process(0);
    run.visit(process, 0, &[], vec![steady(100.0); 4]);
    run.visit(process, 0, &[], vec![steady(100.0); 4]);
    assert_eq!((run.first().processes, run.first().turns), (1, 8));
}

#[test]
fn variants_are_kept_apart() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.records.header.variants = vec![variant("old"), variant("new")];
    for index in 0..12 {
        let process = run.process(index % 2);
        run.visit(process, 0, &[], vec![steady(if index % 2 == 0 { 100.0 } else { 50.0 }); 3]);
    }
    let document = run.document();
    let seen: Vec<(String, f64)> = document.suites[0].cases[0]
        .variants
        .iter()
        .map(|v| (v.variant.clone(), v.time.as_ref().unwrap().typical.value.round()))
        .collect();
    assert_eq!(seen, [("old".to_owned(), 100.0), ("new".to_owned(), 50.0)]);
}

#[test]
fn a_clock_that_saw_no_time_gives_no_infinite_figures() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    for _ in 0..6 {
        let process = run.process(0);
        run.visit(process, 0, &[], vec![turn(Phase::Measured, 10, vec![0; 5]); 3]);
    }
    let time = run.time();
    assert_eq!((time.typical.value, time.mean.value, time.histogram), (0.0, 0.0, None));
    assert_eq!(run.figure("between"), 0.0);
    assert_eq!(run.first().figure("ops_per_second"), None, "nothing takes no time");
}

#[test]
fn odd_records_give_finite_figures() {
    let odd: [&dyn Fn() -> Turn; 6] = [
        &|| turn(Phase::Measured, 10, vec![0; 5]),
        &|| turn(Phase::Measured, 0, vec![7]),
        &|| turn(Phase::Measured, 1, Vec::new()),
        &|| Turn { ops: Some(vec![0.0, 2.0]), ..turn(Phase::Measured, 0, vec![5, 5]) },
        &|| Turn { ops: Some(vec![0.0]), ..turn(Phase::Measured, 0, vec![5]) },
        &|| Turn { ops: Some(Vec::new()), ..turn(Phase::Measured, 0, vec![u64::MAX / 1000]) },
    ];
    for (index, odd) in odd.iter().enumerate() {
        for processes in [1, 2, 7] {
            let mut run = RunBuilder::new(vec![case("s", "a")]);
            run.records.header.settings.ladder = true;
            for _ in 0..processes {
                let process = run.process(0);
                let extra =
                    [Phase::Cold, Phase::Overhead, Phase::Collection].map(|phase| Turn { phase, ..odd() });
                run.visit(process, 0, &[], extra.into_iter().chain([odd(), odd()]).collect());
            }
            let document = run.document();
            let text = serde_json::to_string(&document).unwrap();
            assert_eq!(serde_json::from_str::<Document>(&text).ok(), Some(document), "turn {index}");
        }
    }
}

#[test]
fn the_floor_is_told_and_never_subtracted() {
    let with = |case_ns: f64| {
        let mut run = RunBuilder::new(vec![case("s", "a")]);
        for i in 0..6 {
            let process = run.process(0);
            let overhead = turn(Phase::Overhead, 10_000, vec![3_000 + i * 10; 10]);
            run.visit(process, 0, &[], vec![overhead, steady(case_ns), steady(case_ns), steady(case_ns)]);
        }
        run.time()
    };
    let empty = with(0.31);
    assert!(empty.floor.unwrap().indistinguishable && empty.typical.value > 0.3);
    assert!((empty.floor.unwrap().time_ns - 0.3025).abs() < 1e-9);
    assert!(with(0.75).floor.unwrap().indistinguishable, "less than a cycle above");
    let real = with(2.0);
    assert!(!real.floor.unwrap().indistinguishable);
    assert!((real.typical.value - 2.0).abs() < 1e-9);
}

/// Returns nine processes of a self-timed body with 1,000 calls per batch. The empty body takes 60 ns in
/// total, and a clock cycle takes 0.25 ns.
fn timing_itself(case_ns: f64, own: impl Fn(Case) -> Case) -> RunBuilder {
    let case = Case { timing: Timing::SelfTimed, ..case("s", "a") };
    let mut run = RunBuilder::new(vec![own(case)]);
    for _ in 0..9 {
        let process = run.process(0);
        let overhead = turn(Phase::Overhead, 1_000, vec![60; 10]);
        let overhead = Turn { ops: Some(vec![1_000.0; 10]), ..overhead };
        let measured = || Turn { iterations: 0, ops: Some(vec![1_000.0; 10]), ..steady(case_ns) };
        run.visit(process, 0, &[], vec![overhead, measured(), measured(), measured()]);
    }
    run.records.observations = vec![Observation { spin_ns: vec![(0, 1.5), (1, 1.8)], ..Default::default() }];
    run
}

#[test]
fn a_call_of_a_body_that_times_itself_takes_a_cycle_at_least() {
    let floor = |case_ns: f64, own: fn(Case) -> Case| timing_itself(case_ns, own).time().floor.unwrap();
    let eliminated = floor(0.31, |case| case);
    assert!(eliminated.indistinguishable);
    assert!((eliminated.time_ns - 0.25).abs() < 1e-9);
    let real = floor(1.0, |case| case);
    assert!(!real.indistinguishable, "{real:?}");
    // An operation on a single byte may take less than a cycle.
    let of_bytes = floor(0.32, |case| Case { unit: Some("byte".to_owned()), ..case });
    assert!(!of_bytes.indistinguishable);
    assert!((of_bytes.time_ns - 0.06).abs() < 1e-9);
}

#[test]
fn an_eliminated_body_that_times_itself_is_warned_of() {
    let warned = |case_ns: f64| {
        let document = timing_itself(case_ns, |case| case).document();
        document.warnings.iter().any(|warning| warning.code == "DY202")
    };
    assert!(warned(0.31) && !warned(5.0));
}

#[test]
fn a_noisy_floor_hides_more() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    for i in 0..7 {
        let process = run.process(0);
        let overhead = turn(Phase::Overhead, 1_000, vec![300 + i * 1000; 10]);
        run.visit(process, 0, &[], vec![overhead, steady(7.0), steady(7.0), steady(7.0)]);
    }
    assert!(run.time().floor.unwrap().indistinguishable);
}

#[test]
fn a_result_says_how_long_it_was_observed_and_how_old_its_processes_became() {
    let mut run = RunBuilder::new(vec![case("s", "a"), case("s", "b")]);
    for collects in [0.0, 2.0] {
        let process = run.process(0);
        let turn = |phase, at_ms: u64, counter| Turn {
            phase,
            at_ns: at_ms * 1_000_000,
            wall_ns: 3_000_000,
            counters: vec![counter],
            ..steady(10.0)
        };
        // The process measured another case first, which is part of its age.
        run.visit(process, 1, &[metric("gc", "count")], vec![turn(Phase::Measured, 5, Some(9.0))]);
        let turns = vec![
            turn(Phase::WarmUp, 50, Some(7.0)),
            turn(Phase::Measured, 60, Some(collects)),
            turn(Phase::Measured, 70 + collects as u64, None),
        ];
        run.visit(process, 0, &[metric("gc", "count")], turns);
    }
    let figures = ["observed", "collections", "age"].map(|name| run.figure(name));
    // Four turns have ten batches of 10 µs each.
    assert_eq!(figures, [400e3, 2.0, 70e6]);
    let mut uncounted = RunBuilder::new(vec![case("s", "a")]);
    uncounted.flat(&[10.0; 6]);
    assert!(uncounted.first().figure("collections").is_none());
}

#[test]
fn first_calls_are_reported_apart() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    for ns in [5_000, 7_000, 6_000] {
        let process = run.process(0);
        run.visit(process, 0, &[], vec![turn(Phase::Cold, 1, vec![ns, 100]), steady(100.0), steady(100.0)]);
    }
    let cold = run.time().cold.unwrap();
    assert_eq!(
        (cold.time_ns, cold.range_ns.lo, cold.range_ns.hi, cold.processes),
        (6000.0, 5000.0, 7000.0, 3)
    );
}

#[test]
fn the_collection_has_a_cost_of_its_own() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    for ns in [3_000_000, 1_000_000, 2_000_000] {
        let process = run.process(0);
        run.visit(process, 0, &[], vec![turn(Phase::Collection, 0, vec![ns]), steady(100.0), steady(100.0)]);
    }
    let time = run.time();
    assert_eq!((run.figure("collect"), time.mean.value), (2_000_000.0, 100.0));
}

#[test]
fn a_warm_up_is_seen_in_the_turns_before_the_measurement() {
    let mut run = noisy(1, 6, 20, 100.0);
    for record in &mut run.records.visits {
        // Two warm-up turns precede the measured turns and take twice as long.
        let slow: Vec<_> = record
            .turns
            .iter()
            .take(2)
            .map(|turn| {
                let times_ns = turn.times_ns.iter().map(|time| time * 2).collect();
                Turn { phase: Phase::WarmUp, times_ns, ..turn.clone() }
            })
            .collect();
        record.turns.to_mut().splice(0..0, slow);
    }
    let steady = run.time().steady;
    assert_eq!((steady.class.as_str(), steady.warm_up), ("warm-up", 6));
    assert_eq!(noisy(1, 6, 20, 100.0).time().steady.class, "flat");
}

#[test]
fn a_ladder_gives_slopes() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.records.header.settings.ladder = true;
    for _ in 0..6 {
        let process = run.process(0);
        // A batch takes 50 ns, plus 10 ns per iteration.
        let turns = (1..=12).map(|k| turn(Phase::Measured, k * 100, vec![50 + k * 1000; 5])).collect();
        run.visit(process, 0, &[], turns);
    }
    let [slope, r_squared, robust] = ["slope", "r_squared", "robust_slope"].map(|name| run.figure(name));
    assert!((slope - 10.0).abs() < 1e-9 && (robust - 10.0).abs() < 1e-9 && r_squared > 0.999_999);
    run.records.header.settings.ladder = false;
    assert_eq!(run.first().figure("slope"), None);
}

#[test]
fn states_say_where_a_case_stands() {
    let names = ["done", "skipped", "failed", "late", "open", "passed"];
    let mut run = RunBuilder::new(names.iter().map(|name| case("s", name)).collect());
    run.records.ended = vec![
        (0, StopReason::Budget),
        (1, StopReason::Skipped),
        (2, StopReason::Failed),
        (3, StopReason::Interrupted),
        (5, StopReason::Once),
    ];
    for index in [0, 2, 4] {
        let process = run.process(0);
        run.visit(process, index, &[], vec![steady(10.0); 3]);
    }
    let states: Vec<CaseState> = run.document().cases().map(|case| case.state.clone()).collect();
    let expected = [
        CaseState::Measured(StopReason::Budget),
        CaseState::Skipped,
        CaseState::Failed,
        CaseState::Missing,
        CaseState::Measured(StopReason::Interrupted),
        CaseState::Passed,
    ];
    assert_eq!(states, expected);
    assert_eq!(run.document().cases().nth(2).unwrap().variants.len(), 1, "what was measured is kept");
    assert_eq!(settings().processes, 40);
}

#[test]
fn cases_are_grouped_by_suite_and_warnings_follow_them() {
    let mut run = RunBuilder::new(vec![case("one", "a"), case("two", "b"), case("one", "c")]);
    run.flat(&[10.0; 6]);
    for _ in 0..2 {
        let process = run.process(0);
        run.visit(process, 1, &[], vec![steady(10.0); 3]);
    }
    let document = run.document();
    let names: Vec<String> = document.cases().map(|case| case.case.id.to_string()).collect();
    assert_eq!(names, ["one/a", "one/c", "two/b"]);
    let few = document.warnings.iter().find(|warning| warning.code == "DY201").unwrap();
    assert_eq!(few.case, Some(2));
    assert!(few.message.starts_with("b is based on 2 processes"), "{}", few.message);
}

#[test]
fn the_change_of_a_later_run_is_that_of_its_comparison() {
    let run_at = |id: &str, ns: f64| {
        let mut run = RunBuilder::new(vec![case("s", "a"), case("s", "b")]);
        run.records.header.id = id.to_owned();
        run.flat(&[ns; 6]);
        let yardsticks = vec![Yardstick { name: "integer".to_owned(), time_ns: 1.0, error_ns: 0.001 }];
        let (steal, busy_others) = (Some(0.0), Some(0.0));
        run.records.observations.push(Observation {
            steal,
            busy_others,
            yardsticks,
            ..Observation::default()
        });
        run.document()
    };
    let (new, old) = (run_at("k3fz", 85.0), run_at("h81q", 100.0));
    let input = |document| Input { name: String::new(), document, records: None, variant: 0 };
    let comparison = derny_analysis::compare(&[input(&old), input(&new)], &Options::default());
    let new = derny_analysis::change(new, &comparison, Some("main"));
    let change = new.suites[0].cases[0].change.clone().unwrap();
    assert_eq!((change.run.as_str(), change.verdict), ("h81q", Verdict::Better));
    assert_eq!(new.baseline.as_ref().map(|(name, _)| name.as_str()), Some("main"));
    assert!((change.change + 0.15).abs() < 1e-9);
    assert_eq!(change.because, "not measured together; the machine may explain −5 to +5 %");
    assert_eq!(new.suites[0].cases[1].change, None, "what was not measured has not changed");
}

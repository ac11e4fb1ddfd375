//! Tests that each warning about results appears with its cause, and not without it.

use crate::build::{self, RunBuilder, case, metric, steady, turn};
use derny_model::{
    CaseState, Document, Event, Isolation, Look, LookReason, Phase, ProcessEnd, StopReason, Turn,
};
use derny_stats::Rng;

fn codes(document: &Document) -> Vec<&str> {
    document.warnings.iter().map(|warning| warning.code.as_str()).collect()
}

const NONE: [&str; 0] = [];

/// Returns eight processes with twelve turns each. `ns` returns the time of a turn, given the process and the
/// turn.
fn timed(ns: impl Fn(usize, usize) -> f64) -> RunBuilder {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    for process in 0..8 {
        let id = run.process(0);
        let turns = (0..12).map(|place| Turn {
            at_ns: (place * 8 + process) as u64 * 2_000_000,
            ..steady(ns(process, place))
        });
        run.visit(id, 0, &[], turns.collect());
    }
    run
}

fn jitter(process: usize, place: usize) -> f64 {
    0.002 * Rng::new((process * 100 + place) as u64).normal()
}

#[test]
fn processes_that_never_settle_are_told() {
    let with = |unsteady: bool| {
        let mut run = RunBuilder::new(vec![case("s", "a")]);
        for process in 0..8 {
            let id = run.process(0);
            let ns = |place: usize| {
                let late = unsteady && place >= 100 - process;
                100.0 * (1.0 + jitter(process, place)) * if late { 1.1 } else { 1.0 }
            };
            run.visit(id, 0, &[], (0..112).map(|place| steady(ns(place))).collect());
        }
        run.document()
    };
    assert!(codes(&with(true)).contains(&"DY208"), "{:?}", with(true).warnings);
    assert_eq!(codes(&with(false)), NONE);
}

#[test]
fn processes_of_different_speed_want_more_launches() {
    let with = |spread: f64| {
        let offset = [0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 0.2];
        timed(|process, place| 100.0 * (1.0 + spread * offset[process]) * (1.0 + jitter(process, place)))
    };
    let wide = with(0.03).document();
    assert_eq!(codes(&wide), ["DY209"]);
    assert!(wide.warnings[0].message.contains("from process to process"), "{:?}", wide.warnings[0]);
    assert_eq!(codes(&with(0.004).document()), NONE);
    let mut given_up = with(0.03);
    given_up.records.ended = vec![(0, StopReason::PrecisionPredicted)];
    assert_eq!(codes(&given_up.document()), ["DY223"], "what the precision would need says more");
    let mut enough = with(0.03);
    enough.records.header.settings.precision = 0.2;
    assert_eq!(codes(&enough.document()), NONE, "the interval is as narrow as asked");
}

#[test]
fn turns_around_two_levels_are_told() {
    let with = |apart: f64| {
        timed(|process, place| {
            let upper = (process * 12 + place) * 7 % 5 < 2;
            100.0 * (1.0 + jitter(process, place)) * if upper { 1.0 + apart } else { 1.0 }
        })
    };
    let two = with(0.08).document();
    assert_eq!(codes(&two), ["DY210"]);
    assert!(two.warnings[0].message.contains("has 2 levels"), "{:?}", two.warnings);
    assert_eq!(codes(&with(0.003).document()), NONE);
}

#[test]
fn turns_that_follow_each_other_are_told() {
    let with = |memory: f64| {
        let mut run = RunBuilder::new(vec![case("s", "a")]);
        let mut rng = Rng::new(5);
        for _ in 0..8 {
            let id = run.process(0);
            let mut state = 0.0;
            let turns = (0..40).map(|_| {
                state = memory * state + 0.003 * rng.normal();
                steady(1000.0 * f64::exp(state))
            });
            run.visit(id, 0, &[], turns.collect());
        }
        run.document()
    };
    assert_eq!(codes(&with(0.7)), ["DY211"]);
    assert!(
        with(0.7).warnings[0].message.contains("320 carry as much information as"),
        "{:?}",
        with(0.7).warnings
    );
    assert_eq!(codes(&with(0.0)), NONE);
}

fn counted(metrics: &[(&str, &str)], values: impl Fn(usize) -> Vec<f64>) -> RunBuilder {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    let metrics: Vec<_> = metrics.iter().map(|(name, unit)| metric(name, unit)).collect();
    for process in 0..8 {
        let id = run.process(0);
        let turns = (0..12).map(|place| Turn {
            counters: values(process * 12 + place).into_iter().map(Some).collect(),
            ..steady(100.0 + process as f64 / 10.0)
        });
        run.visit(id, 0, &metrics, turns.collect());
    }
    run
}

#[test]
fn collections_are_a_share_of_turns_or_of_time() {
    let gc = |every: usize, time: f64| {
        let hit = move |turn: usize| f64::from(u8::from(turn.is_multiple_of(every)));
        counted(&[("gc", "count"), ("gc_time", "ns")], move |turn| vec![hit(turn), hit(turn) * time])
            .document()
    };
    assert_eq!(codes(&gc(5, 1000.0)), ["DY212"]);
    assert!(gc(5, 1000.0).warnings[0].message.contains("in 21 % of its turns"), "{:?}", gc(5, 0.0).warnings);
    assert_eq!(codes(&gc(12, 700_000.0)), ["DY212"], "few, but long");
    assert_eq!(codes(&gc(12, 1000.0)), NONE);
}

#[test]
fn compilation_and_class_loading_inside_turns() {
    for name in ["compiled", "classes"] {
        let hit = |every: usize| move |turn: usize| vec![f64::from(u8::from(turn.is_multiple_of(every)))];
        assert_eq!(codes(&counted(&[(name, "count")], hit(4)).document()), ["DY213"]);
        assert_eq!(codes(&counted(&[(name, "count")], hit(20)).document()), NONE);
    }
}

#[test]
fn an_evaluated_body_is_told() {
    let with = |share: f64| counted(&[("evaluated", "count")], move |_| vec![share]).document();
    assert_eq!(codes(&with(1.0)), ["DY220"]);
    assert_eq!(codes(&with(0.0)), NONE);
}

#[test]
fn an_average_above_the_typical_is_told_with_its_cause() {
    let with = |slow: u64, metrics: &[&str]| {
        let mut run = RunBuilder::new(vec![case("s", "a")]);
        let metrics: Vec<_> = metrics.iter().map(|name| metric(name, "count")).collect();
        for _ in 0..8 {
            let id = run.process(0);
            let mut times = vec![100_000; 10];
            times[3] = slow;
            let one = Turn { counters: vec![Some(1.0); metrics.len()], ..turn(Phase::Measured, 1000, times) };
            run.visit(id, 0, &metrics, vec![one; 12]);
        }
        run.document()
    };
    let dear = with(300_000, &[]);
    assert_eq!(codes(&dear), ["DY214"]);
    assert!(
        dear.warnings[0].message.contains("has a mean time 20 % above its typical time"),
        "{:?}",
        dear.warnings
    );
    assert_eq!(codes(&with(120_000, &[])), NONE);
    let collected = with(300_000, &["gc"]);
    assert_eq!(codes(&collected), ["DY212"], "the cause is known, and said with the gap");
    assert!(collected.warnings[0].message.contains("mean time is 20 % above"), "{:?}", collected.warnings);
}

#[test]
fn less_than_a_cycle_is_no_work() {
    let with = |ns: f64| {
        let mut run = RunBuilder::new(vec![case("s", "a")]);
        for _ in 0..8 {
            let id = run.process(0);
            let times = vec![(ns * 1e6).round() as u64; 10];
            run.visit(id, 0, &[], vec![turn(Phase::Measured, 1_000_000, times); 12]);
        }
        run
    };
    assert_eq!(codes(&with(0.05).document()), ["DY215"]);
    assert_eq!(codes(&with(0.3).document()), NONE);
    // A step of the reference kernel takes six cycles, so a cycle takes half a nanosecond.
    let mut slow = with(0.3);
    slow.records.observations =
        vec![derny_model::Observation { spin_ns: vec![(0, 3.0)], ..Default::default() }];
    assert_eq!(codes(&slow.document()), ["DY215"]);
}

fn hashed(hash: impl Fn(u32, usize) -> &'static str) -> Document {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.records.header.variants.push(build::variant("new"));
    for place in 0..8 {
        for variant in 0..2 {
            let id = run.process(variant);
            let cold =
                Turn { hash: Some(hash(variant, place).to_owned()), ..turn(Phase::Cold, 1, vec![900]) };
            let turns = std::iter::once(cold).chain((0..12).map(|_| steady(100.0)));
            run.visit(id, 0, &[], turns.collect());
        }
    }
    run.document()
}

#[test]
fn results_must_repeat_and_agree() {
    assert_eq!(codes(&hashed(|_, _| "a")), NONE);
    assert_eq!(codes(&hashed(|variant, _| ["a", "b"][variant as usize])), ["DY218"]);
    assert_eq!(codes(&hashed(|_, place| ["a", "b", "c"][place % 3])), ["DY217"]);
}

#[test]
fn a_body_that_prints_is_told() {
    let with = |bytes: u64| {
        let mut run = timed(|_, _| 100.0);
        let end = |process| ProcessEnd {
            process,
            exit: "exit 0".to_owned(),
            cpu_ns: None,
            peak_bytes: None,
            resident_bytes: None,
            printed_bytes: Some(bytes),
            ending_ns: None,
            at_ns: 0,
        };
        run.records.process_ends = (0..8).map(end).collect();
        run.document()
    };
    assert_eq!(codes(&with(40_000)), ["DY221"]);
    assert_eq!(codes(&with(200)), NONE, "a line of notice");
}

#[test]
fn outliers_that_make_the_variance_are_told() {
    // One turn in thirty takes twenty times as long, at irregular positions.
    let spiky = timed(|process, place| {
        let slow = (process * 12 + place) % 31 == 5;
        100.0 * (1.0 + jitter(process, place)) * if slow { 20.0 } else { 1.0 }
    });
    let document = spiky.document();
    assert!(codes(&document).iter().any(|code| ["DY219", "DY214"].contains(code)), "{:?}", document.warnings);
    // One turn in 47 takes almost twice as long. That is too rare for the warning about mean time, DY214.
    let seldom = timed(|process, place| {
        let slow = (process * 12 + place) % 47 == 5;
        100.0 * (1.0 + jitter(process, place)) * if slow { 1.9 } else { 1.0 }
    });
    assert_eq!(codes(&seldom.document()), ["DY219"]);
    assert_eq!(codes(&timed(|process, place| 100.0 * (1.0 + jitter(process, place))).document()), NONE);
}

#[test]
fn the_place_in_the_process_is_told() {
    let with = |slope: f64| {
        let mut run = RunBuilder::new((0..5).map(|i| case("s", &format!("case{i}"))).collect());
        run.records.header.settings.isolation = Some(Isolation::Suite);
        for process in 0..8 {
            let id = run.process(0);
            for position in 0..5 {
                let index = (position * 3 + process) % 5;
                let ns = 100.0 * (1.0 + slope * position as f64);
                let turns = (0..6).map(|place| steady(ns * (1.0 + jitter(process * 7 + index, place))));
                run.visit(id, index as u32, &[], turns.collect()).visit.position = position as u32;
            }
        }
        run.document()
    };
    let sloped = with(0.01);
    assert_eq!(codes(&sloped), ["DY222"]);
    assert!(sloped.warnings[0].message.starts_with("this run measures cases"), "{:?}", sloped.warnings);
    assert_eq!(codes(&with(0.0)), NONE);
}

/// Four of twelve processes measured other cases before this one.
#[test]
fn what_other_cases_change_is_told_and_does_not_count() {
    let with = |percent: f64| {
        let mut run = timed(|process, place| 100.0 * (1.0 + jitter(process, place)));
        for process in 8..12 {
            let id = run.process(0);
            let ns = 100.0 + percent;
            let turns = (0..12).map(|place| steady(ns * (1.0 + jitter(process, place))));
            run.visit(id, 0, &[], turns.collect()).visit.position = 1;
        }
        let blocks = (8..12).collect();
        run.records.take(Event::Looked(Look { case: 0, blocks, reason: LookReason::Neighbours }));
        run.document()
    };
    let slower = with(50.0);
    assert_eq!(codes(&slower), ["DY233"]);
    let message = &slower.warnings[0].message;
    assert!(message.contains("50 % slower") && message.contains("measured alone"), "{message}");
    let own = &slower.suites[0].cases[0].variants[0];
    assert_eq!(own.processes, 8);
    assert_eq!(codes(&with(0.0)), NONE);
}

#[test]
fn a_precision_that_was_not_reached_is_told() {
    let with = |reason: StopReason| {
        let mut run = timed(|process, place| 100.0 + 8.0 * Rng::new((process * 31 + place) as u64).normal());
        run.records.ended = vec![(0, reason)];
        run
    };
    let spent = with(StopReason::Budget).document();
    assert_eq!(spent.suites[0].cases[0].state, CaseState::Measured(StopReason::Budget));
    assert_eq!(codes(&spent), ["DY223"]);
    assert!(
        spent.warnings[0].message.contains("instead of ±1.0 %: the budget ran out"),
        "{:?}",
        spent.warnings
    );
    assert_eq!(codes(&with(StopReason::Maximum).document()), ["DY223"]);
    let given_up = with(StopReason::PrecisionPredicted).document();
    assert_eq!(codes(&given_up), ["DY223"]);
    let warning = &given_up.warnings[0];
    assert!(
        warning.message.contains("the budget would not have been enough; ±1.0 % would need "),
        "{warning:?}"
    );
    assert!(warning.message.contains(" processes, ") && warning.message.ends_with(" s"), "{warning:?}");
    assert!(warning.remedy.starts_with("use --precise"), "{warning:?}");
    // Processes differ so much that the precision would need too many of them.
    let mut noisy = timed(|process, place| 100.0 * (1.0 + process as f64 + jitter(process, place)));
    noisy.records.ended = vec![(0, StopReason::PrecisionPredicted)];
    let warnings = noisy.document().warnings;
    let warning = warnings.iter().find(|warning| warning.code == "DY223").unwrap();
    assert!(warning.message.ends_with("the budget would not have been enough"), "{warning:?}");
    assert!(warning.remedy.starts_with("stop other programs, or accept"), "{warning:?}");
    let mut bounded = with(StopReason::Budget);
    bounded.records.header.settings.total_ns = Some(1);
    let warning = &bounded.document().warnings[0];
    assert!(warning.remedy.contains(" and a longer --total"), "{warning:?}");
    let mut session = with(StopReason::PrecisionPredicted);
    session.records.header.settings.attached = true;
    let document = session.document();
    let warning = document.warnings.iter().find(|warning| warning.code == "DY223").unwrap();
    assert!(warning.message.contains(" visits, ") && warning.remedy.starts_with("raise"), "{warning:?}");
    let mut quick = with(StopReason::Budget);
    quick.records.header.settings.quick = true;
    assert_eq!(codes(&quick.document()), NONE);
    let mut narrow = timed(|process, place| 100.0 * (1.0 + jitter(process, place)));
    narrow.records.ended = vec![(0, StopReason::Budget)];
    assert_eq!(codes(&narrow.document()), NONE);
}

#[test]
fn thinned_data_are_told() {
    let mut run = timed(|_, _| 100.0);
    run.records.visits.iter_mut().for_each(|record| record.pruned = true);
    assert_eq!(codes(&run.document()), ["DY224"]);
}

#[test]
fn a_run_in_one_process_is_told() {
    let mut run = timed(|process, place| 100.0 * (1.0 + jitter(process, place)));
    assert_eq!(codes(&run.document()), NONE);
    run.records.header.settings.attached = true;
    let document = run.document();
    assert_eq!(codes(&document), ["DY225"]);
    assert_eq!(document.warnings[0].case, None);
}

/// Returns a run whose processes report these settings. With `collects`, one turn of each process has a
/// collection.
fn with_settings(settings: &[(&str, &str)], collects: bool, ns: f64) -> RunBuilder {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    for process in 0..8 {
        let id = run.process(0);
        let start = run.records.processes.last_mut().unwrap();
        start.settings = settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let turns = (0..12).map(|turn| Turn {
            counters: vec![Some(if collects && turn == 5 { 1.0 } else { 0.0 })],
            ..steady(ns + f64::from(process) / 100.0)
        });
        run.visit(id, 0, &[metric("gc", "count")], turns.collect());
    }
    run
}

#[test]
fn memory_that_is_touched_for_the_first_time_is_told() {
    // A turn takes about 1 ms, and the first touch of a page 2 µs.
    let with = |pages: f64, fact: bool| {
        let mut run = RunBuilder::new(vec![case("s", "a")]);
        if fact {
            run.records.header.machine.facts.insert("first-touch-ns".to_owned(), "2000".to_owned());
        }
        for process in 0..8 {
            let id = run.process(0);
            let turns = (0..12)
                .map(|_| Turn { counters: vec![Some(pages)], ..steady(100.0 + process as f64 * 0.01) });
            run.visit(id, 0, &[metric("touched", "count")], turns.collect());
        }
        run.document()
    };
    let ns: u64 = steady(100.0).times_ns.iter().sum();
    let tenth = ns as f64 / 20_000.0;
    let document = with(tenth, true);
    assert_eq!(codes(&document), ["DY229"]);
    assert!(document.warnings[0].message.contains("10 % of the time"), "{:?}", document.warnings[0]);
    assert_eq!(codes(&with(tenth / 10.0, true)), NONE);
    assert_eq!(codes(&with(tenth, false)), NONE, "a run that does not know the cost");
}

#[test]
fn a_heap_that_may_grow_is_named_where_garbage_is_collected() {
    let grows = [("heap_min", "268435456"), ("heap_max", "4294967296")];
    let document = with_settings(&grows, true, 100.0).document();
    assert_eq!(codes(&document), ["DY226"]);
    let message = &document.warnings[0].message;
    assert!(message.contains("from 256 MiB to 4096 MiB"), "{message}");
    assert_eq!(codes(&with_settings(&grows, false, 100.0).document()), [""; 0]);
    let fixed = [("heap_min", "1073741824"), ("heap_max", "1073741824")];
    assert_eq!(codes(&with_settings(&fixed, true, 100.0).document()), [""; 0]);
}

#[test]
fn a_sink_that_stores_is_named_where_it_is_a_part_of_the_time() {
    assert_eq!(codes(&with_settings(&[("sink", "store")], false, 5.0).document()), ["DY227"]);
    assert_eq!(codes(&with_settings(&[("sink", "store")], false, 100.0).document()), [""; 0]);
    assert_eq!(codes(&with_settings(&[("sink", "blackhole")], false, 5.0).document()), [""; 0]);
}

#[test]
fn a_compiler_that_is_held_back_is_named() {
    let document = with_settings(&[("compiler", "first tier only")], false, 100.0).document();
    assert_eq!(codes(&document), ["DY228"]);
    assert!(document.warnings[0].message.contains("first tier only"));
    assert_eq!(codes(&with_settings(&[("compiler", "full")], false, 100.0).document()), [""; 0]);
}

#[test]
fn a_count_that_matters_is_told_with_both_numbers() {
    let with = |count_ns: Option<u64>, measured: u64| {
        let mut run = RunBuilder::new(vec![derny_model::Case { count_ns, ..case("s", "a") }]);
        for process in 0..8 {
            let id = run.process(0);
            let mut turns = Vec::new();
            for _ in 0..3 {
                turns.push(turn(Phase::Calibration, 50_000, vec![50_000 * 180]));
                turns.push(turn(Phase::Calibration, 200, vec![200 * 100; 10]));
            }
            turns.extend((0..12).map(|place| {
                let ns = 180.0 * (1.0 + jitter(process, place));
                let iterations = measured + 10 * place as u64;
                turn(Phase::Measured, iterations, vec![(ns * iterations as f64) as u64; 3])
            }));
            run.visit(id, 0, &[], turns);
        }
        run.document()
    };
    let document = with(Some(100_000_000), 50_000);
    assert_eq!(codes(&document), ["DY230"]);
    let message = &document.warnings[0].message;
    assert!(
        message.contains("1.80 times") && message.contains("50000") && message.contains("200"),
        "{message}"
    );
    assert_eq!(
        codes(&with(Some(100_000_000), 200)),
        NONE,
        "measured with our own number: it does not matter"
    );
    assert_eq!(codes(&with(None, 50_000)), NONE, "nobody asked");
}

#[test]
fn a_program_built_with_checks_of_its_own_is_told() {
    let with = |built: Option<&str>| {
        let mut run = timed(|process, place| 100.0 * (1.0 + jitter(process, place)));
        for process in &mut run.records.processes {
            process.settings =
                built.iter().map(|what| ("instrumented".to_owned(), (*what).to_owned())).collect();
        }
        run.document()
    };
    let document = with(Some("race"));
    assert_eq!(codes(&document), ["DY231"]);
    assert!(document.warnings[0].message.contains("race"), "{:?}", document.warnings);
    assert_eq!(codes(&with(None)), NONE);
}

#[test]
fn untimed_work_that_leaves_few_iterations_is_told() {
    let with_wait = |iterations: u64, aside_ns: u64, waits_ns: f64| {
        let mut run = RunBuilder::new(vec![case("s", "a")]);
        for process in 0..8 {
            let id = run.process(0);
            let of = |place: usize| {
                let ns = 100.0 * iterations as f64 * (1.0 + jitter(process, place));
                let waited = if process == 3 && place == 5 { waits_ns } else { 0.0 };
                let turn = turn(Phase::Measured, iterations, vec![(ns + waited).round() as u64; 3]);
                Turn { wall_ns: turn.wall_ns + aside_ns, ..turn }
            };
            run.visit(id, 0, &[], (0..12).map(of).collect());
        }
        run.document()
    };
    let with = |iterations: u64, aside_ns: u64| with_wait(iterations, aside_ns, 0.0);
    let document = with(50, 150_000_000);
    assert_eq!(codes(&document), ["DY232"]);
    let message = &document.warnings[0].message;
    assert!(
        message.contains(",") && message.contains(" times as long") && message.contains("50 iterations"),
        "{message}"
    );
    assert_eq!(codes(&with(50, 150_000)), NONE, "ten times as long");
    assert_eq!(codes(&with(500, 1_500_000_000)), NONE, "its batches are as long as they should be");
    let waited = with_wait(50, 150_000_000, 20e6);
    assert!(codes(&waited).contains(&"DY232"), "one turn of 96 has waited within its batch");
}

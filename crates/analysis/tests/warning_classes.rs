//! Tests which warnings decide and which rows they mark, for each class of warning.

use crate::build::comparison::{of_run, options};
use crate::build::{RunBuilder, case, metric, steady, turn, variant};
use derny_analysis::diagnose::{Blamed, DETECTORS};
use derny_model::{Comparison, Document, Observation, Phase, Turn, Verdict, Warning, WarningClass};
use derny_stats::Rng;

fn of<'a>(document: &'a Document, code: &str) -> Vec<&'a Warning> {
    document.warnings.iter().filter(|warning| warning.code == code).collect()
}

/// Returns eight processes of one case, with twelve turns each. `ns` returns the time of a turn, and true if
/// the counter `name` increased.
fn hit(name: &str, ns: impl Fn(usize, usize) -> (f64, bool)) -> RunBuilder {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    for process in 0..8 {
        let id = run.process(0);
        let turns = (0..12).map(|place| {
            let (ns, hit) = ns(process, place);
            let noise = 1.0 + 0.002 * Rng::new((process * 100 + place) as u64).normal();
            Turn { counters: vec![Some(f64::from(u8::from(hit)))], ..steady(ns * noise) }
        });
        run.visit(id, 0, &[metric(name, "count")], turns.collect());
    }
    run
}

#[test]
fn turns_that_move_nothing_are_kept_for_the_details() {
    // The median ignores a quarter of the turns, and mean time excludes compilation.
    let document = hit("compiled", |_, place| if place % 4 == 0 { (150.0, true) } else { (100.0, false) });
    let document = document.document();
    let [warning] = of(&document, "DY213")[..] else { panic!("{:?}", document.warnings) };
    assert_eq!((warning.class, warning.decides, warning.marks), (WarningClass::Turns, false, false));
    assert!(warning.severity < 0.005, "{warning:?}");
}

#[test]
fn turns_without_which_the_estimate_is_another_are_told() {
    // Two thirds of the turns have the event, so they determine the median.
    for name in ["preempted", "gc"] {
        let slow = |_, place: usize| if place.is_multiple_of(3) { (100.0, false) } else { (150.0, true) };
        let mut run = hit(name, slow);
        let cpu = metric("cpu", "ns");
        for record in &mut run.records.visits {
            record.visit.metrics = record.visit.metrics.iter().chain([&cpu]).cloned().collect();
            record.turns.iter_mut().for_each(|turn| turn.counters.push(Some(turn.wall_ns as f64 / 1.1)));
        }
        let document = run.document();
        let code = if name == "gc" { "DY212" } else { "DY102" };
        let [warning] = of(&document, code)[..] else { panic!("{code}: {:?}", document.warnings) };
        assert!(warning.decides, "{warning:?}");
        assert_eq!(warning.effect, "without these turns, its typical time is 33 % lower", "{code}");
        assert!((warning.severity - f64::ln(1.5)).abs() < 0.01, "{warning:?}");
    }
}

#[test]
fn first_touches_are_blamed_for_what_they_cost_and_no_more() {
    // First touches take 60 µs of a turn of 1.5 ms. The turns are slow for another reason.
    let slow = |_, place: usize| if place.is_multiple_of(3) { (100.0, false) } else { (150.0, true) };
    let mut run = hit("touched", slow);
    run.records.header.machine.facts.insert("first-touch-ns".to_owned(), "60000".to_owned());
    let document = run.document();
    let [warning] = of(&document, "DY229")[..] else { panic!("{:?}", document.warnings) };
    assert!(warning.decides, "{warning:?}");
    assert_eq!(warning.effect, "without it, its typical time is 3.0 % lower");
}

#[test]
fn half_of_the_interval_is_the_measure() {
    // Typical time shifts by 2 %. If processes differ by 4 %, that is less than the half-width of the
    // interval.
    let with = |spread: f64| {
        let offset = [0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 0.2];
        let document = hit("preempted", |process, place| {
            let ns = 100.0 * (1.0 + spread * offset[process]);
            if place.is_multiple_of(3) { (ns, false) } else { (1.02 * ns, true) }
        });
        let mut run = document;
        run.records.visits.iter_mut().for_each(|record| {
            record.visit.metrics =
                record.visit.metrics.iter().cloned().chain([metric("cpu", "ns")]).collect();
            record.turns.iter_mut().for_each(|turn| turn.counters.push(Some(turn.wall_ns as f64 / 1.1)));
        });
        let document = run.document();
        let [warning] = of(&document, "DY102")[..] else { panic!("{:?}", document.warnings) };
        (warning.decides, warning.severity)
    };
    let (close, moved) = with(0.002);
    assert!(close && (moved - 0.02).abs() < 0.005, "{moved}");
    let (wide, moved) = with(0.04);
    assert!(!wide && (moved - 0.02).abs() < 0.005, "{moved}");
}

#[test]
fn where_no_turn_is_without_what_is_known_decides() {
    // If every turn has a collection, collections are part of the body's cost. Compilation is not.
    let every = |name: &str| hit(name, |_, _| (100.0, true)).document();
    let document = every("gc");
    let [collected] = of(&document, "DY212")[..] else { panic!("{:?}", document.warnings) };
    assert!(!collected.decides, "{collected:?}");
    let document = every("compiled");
    let [compiled] = of(&document, "DY213")[..] else { panic!("{:?}", document.warnings) };
    assert!(compiled.decides && compiled.severity == 1.0, "{compiled:?}");
    assert!(compiled.effect.contains("too few unaffected turns"), "{compiled:?}");
}

fn cases(processes: &[u32]) -> RunBuilder {
    let mut run = RunBuilder::new((0..processes.len()).map(|i| case("s", &format!("case{i}"))).collect());
    for (index, count) in (0..).zip(processes) {
        for _ in 0..*count {
            let process = run.process(0);
            run.visit(process, index, &[], vec![steady(10.0); 12]);
        }
    }
    run
}

fn marked(document: &Document, code: &str) -> Vec<u32> {
    of(document, code)
        .into_iter()
        .filter(|warning| warning.marks)
        .filter_map(|warning| warning.case)
        .collect()
}

#[test]
fn the_design_marks_the_fewer_rows() {
    // Fewer than half of the rows have the warning, so they are marked.
    let few = cases(&[8, 5, 8, 4, 8]).document();
    assert_eq!(marked(&few, "DY201"), [1, 3]);
    // If at least half of the rows have the warning, it is reported for the run, and only outliers are
    // marked.
    let half = cases(&[8, 5, 8, 5]).document();
    assert_eq!((marked(&half, "DY201"), of(&half, "DY201").len()), (vec![], 2));
    let one = cases(&[5, 5, 5, 2, 5]).document();
    assert_eq!(marked(&one, "DY201"), [3], "it lacks four processes and most lack one");
    assert!(of(&one, "DY201").iter().all(|warning| warning.decides));
}

#[test]
fn the_meaning_marks_every_row() {
    let mut run = RunBuilder::new((0..4).map(|i| case("s", &format!("case{i}"))).collect());
    for index in 0..4 {
        for _ in 0..6 {
            let process = run.process(0);
            let overhead = turn(Phase::Overhead, 10_000, vec![3_000; 10]);
            let measured = turn(Phase::Measured, 100_000, vec![40_000; 10]);
            run.visit(process, index, &[], vec![overhead, measured.clone(), measured.clone(), measured]);
        }
    }
    let document = run.document();
    assert_eq!(marked(&document, "DY202"), [0, 1, 2, 3]);
    assert!(of(&document, "DY202").iter().all(|warning| warning.class == WarningClass::Meaning));
}

#[test]
fn a_run_that_is_contended_hides_no_row_that_stands_out() {
    let with = |worst: f64| {
        let mut run = RunBuilder::new((0..6).map(|i| case("s", &format!("case{i}"))).collect());
        for index in 0..6 {
            for process in 0..8 {
                let id = run.process(0);
                let ns = |place: usize| {
                    let slow = (process * 12 + place) % 6 == 5;
                    if !slow {
                        100.0
                    } else if index == 2 {
                        100.0 * worst
                    } else {
                        150.0
                    }
                };
                let noise = |place: usize| {
                    1.0 + 0.002 * Rng::new(u64::from(index) * 999 + (process * 100 + place) as u64).normal()
                };
                run.visit(id, index, &[], (0..12).map(|place| steady(ns(place) * noise(place))).collect());
            }
        }
        run.records.observations = vec![Observation { steal: Some(0.03), ..Observation::default() }; 5];
        run.document()
    };
    let alike = with(1.5);
    assert_eq!(of(&alike, "DY101").len(), 1);
    assert!(of(&alike, "DY214").is_empty(), "all are as dear: {:?}", alike.warnings);
    let one = with(9.0);
    let [warning] = of(&one, "DY214")[..] else { panic!("{:?}", one.warnings) };
    assert_eq!((warning.case, warning.decides), (Some(2), true), "{warning:?}");
}

#[test]
fn speed_that_moved_within_the_intervals_decides_nothing() {
    let with = |spread: f64| {
        let mut run = RunBuilder::new(vec![case("s", "a")]);
        run.flat(&[0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 0.2].map(|offset| 100.0 * (1.0 + spread * offset)));
        let seen = |spin: f64| Observation { spin_ns: vec![(0, spin)], ..Observation::default() };
        run.records.observations = [1.5, 1.5, 1.55, 1.56].map(seen).to_vec();
        let document = run.document();
        let [warning] = of(&document, "DY111")[..] else { panic!("{:?}", document.warnings) };
        (warning.class, warning.decides)
    };
    assert_eq!(with(0.002), (WarningClass::Design, true));
    assert_eq!(with(0.06), (WarningClass::Design, false));
}

#[test]
fn collections_are_not_blamed_for_what_others_did() {
    // One turn in five has a collection of 10 µs. One in six of the others waits for 5 ms.
    let run = |told: bool| {
        let mut run = RunBuilder::new(vec![case("s", "a")]);
        let metrics = [metric("gc", "count"), metric("gc_time", "ns")];
        for _ in 0..8 {
            let id = run.process(0);
            let turns = (0..12).map(|place| {
                let (collects, waits) = (place % 5 == 0, place % 6 == 1);
                let mut turn = steady(100.0);
                turn.times_ns[3] += if waits { 5_000_000 } else { 0 };
                turn.times_ns[4] += if collects { 10_000 } else { 0 };
                let count = f64::from(u8::from(collects));
                turn.counters = vec![Some(count), Some(10_000.0 * count)];
                turn.counters.truncate(if told { 2 } else { 1 });
                turn
            });
            let metrics = if told { &metrics[..] } else { &metrics[..1] };
            run.visit(id, 0, metrics, turns.collect());
        }
        run.document()
    };
    for told in [true, false] {
        let document = run(told);
        let [collected] = of(&document, "DY212")[..] else { panic!("{:?}", document.warnings) };
        assert!(!collected.message.contains("above typical"), "{collected:?}");
        let [gap] = of(&document, "DY214")[..] else { panic!("not hidden: {:?}", document.warnings) };
        assert!(gap.decides && gap.effect.contains("mean time is"), "{gap:?}");
    }
}

#[test]
fn a_quick_run_advises_nothing_that_it_plans_itself() {
    for processes in [2, 5, 8] {
        let mut run = RunBuilder::new(vec![case("s", "a")]);
        let wide = [100.0, 110.0, 92.0, 105.0, 97.0, 120.0, 88.0, 103.0];
        run.flat(&wide[..processes]);
        run.records.header.settings.quick = true;
        let document = run.document();
        assert!(!document.warnings.is_empty());
        for warning in &document.warnings {
            let words = warning.sentence() + &warning.remedy;
            for option in ["processes=", "`processes`", "--budget", "precision="] {
                assert!(!words.contains(option), "{words}");
            }
        }
    }
}

#[test]
fn every_warning_has_a_class() {
    let count = |of: fn(&Blamed) -> bool| DETECTORS.iter().filter(|row| of(&row.blames)).count();
    assert!(count(|blamed| matches!(blamed, Blamed::Turns(_))) >= 8);
    assert!(count(|blamed| matches!(blamed, Blamed::Meaning)) >= 4);
    assert!(count(|blamed| matches!(blamed, Blamed::Design | Blamed::Speed)) >= 10);
}

/// Compares twelve pairs of 12 rounds. Two of three turns are preempted, and then take longer by the
/// variant's factor in `slow`. The second variant also takes `factor` times as long as the first.
fn pairs(slow: [f64; 2], factor: f64) -> Comparison {
    let mut rng = Rng::new(11);
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.records.header.variants.push(variant("new"));
    let metrics = [metric("preempted", "count"), metric("cpu", "ns")];
    for block in 0..12 {
        for (number, base) in [1.0, factor].into_iter().enumerate() {
            let process = run.process(number as u32);
            run.records.processes[process as usize].block = block;
            let turns = (0..12).map(|round| {
                let hit = round % 3 > 0;
                let ns = 100.0 * base * if hit { slow[number] } else { 1.0 } * (0.003 * rng.normal()).exp();
                let turn = Turn { round, ..steady(ns) };
                let cpu = turn.wall_ns as f64 / 1.2;
                Turn { counters: vec![Some(f64::from(u8::from(hit))), Some(cpu)], ..turn }
            });
            run.visit(process, 0, &metrics, turns.collect());
        }
    }
    let document = run.document();
    let [own] = of(&document, "DY102")[..] else { panic!("{:?}", document.warnings) };
    assert!(own.decides, "the times of the run are those of turns that were hit");
    of_run(&run, &options())
}

#[test]
fn in_a_comparison_it_is_the_change_that_must_move() {
    let warning = |comparison: &Comparison| {
        let own = comparison.warnings.iter().find(|warning| warning.code == "DY102").unwrap();
        (own.decides, own.effect.clone())
    };
    // A preemption that slows both sides equally cancels.
    let alike = pairs([1.5, 1.5], 1.0);
    assert_eq!(alike.cases[0].sides[0].changes[0].verdict, Verdict::Same);
    assert!(!warning(&alike).0, "{:?}", alike.warnings);
    // A preemption that slows one side more explains the change.
    let one = pairs([1.2, 1.5], 1.0);
    assert_eq!(one.cases[0].sides[0].changes[0].verdict, Verdict::Worse);
    let (decides, effect) = warning(&one);
    assert!(decides && effect.starts_with("without these turns, its typical time changes by"), "{effect}");
    assert!(effect.ends_with("(same, not worse)"), "{effect}");
    assert!(one.warnings.iter().any(|warning| warning.code == "DY102" && warning.case == Some(0)));
}

#[test]
fn pairs_share_the_speed_of_their_run() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.records.header.variants.push(variant("new"));
    for block in 0..8 {
        for number in 0..2 {
            let process = run.process(number);
            run.records.processes[process as usize].block = block;
            run.visit(process, 0, &[], (0..12).map(|round| Turn { round, ..steady(100.0) }).collect());
        }
    }
    let seen = |spin: f64| Observation { spin_ns: vec![(0, spin)], ..Observation::default() };
    run.records.observations = [1.5, 1.5, 1.6, 1.7].map(seen).to_vec();
    assert!(of(&run.document(), "DY111")[0].decides);
    let comparison = of_run(&run, &options());
    let own = comparison.warnings.iter().find(|warning| warning.code == "DY111").unwrap();
    assert!(!own.decides, "{own:?}");
}

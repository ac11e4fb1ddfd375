//! Tests the data of charts.

use crate::build::{RunBuilder, case, metric, steady, turn, variant};
use derny_analysis::picture::{Quantified, boxes, densities, intervals, scatter, traced, traces};
use derny_model::picture::{Picture, Shape};
use derny_model::{Kind, Metric, Phase};

fn time() -> Quantified {
    Quantified::new("time", false)
}

/// Returns two variants of one case. The first takes 100, 102, … ns per process, and the second takes twice
/// as long.
fn pair() -> RunBuilder {
    let mut run = RunBuilder::new(vec![case("s", "a"), case("s", "never")]);
    run.records.header.variants = vec![variant("old"), variant("new")];
    for step in 0..5 {
        for of in 0..2 {
            let process = run.process(of);
            let ns = (100.0 + 2.0 * f64::from(step)) * f64::from(of + 1);
            run.visit(process, 0, &[], (0..12).map(|_| steady(ns)).collect());
        }
    }
    run
}

#[test]
fn boxes_are_made_of_processes() {
    let picture = boxes(&pair().document(), &time());
    let Shape::Boxes(rows) = &picture.shape else { panic!("{picture:?}") };
    assert_eq!(
        (rows.len(), rows[0].name.as_str(), picture.series.as_slice()),
        (1, "a", ["old", "new"].map(String::from).as_slice())
    );
    let old = rows[0].marks[0].as_ref().unwrap();
    let rounded = [old.low, old.q1, old.median, old.q3, old.high].map(f64::round);
    assert_eq!(rounded, [100.0, 102.0, 104.0, 106.0, 108.0]);
    assert_eq!(old.values.len(), 5);
    assert!(!picture.log && picture.unit == "ns");
}

#[test]
fn a_process_apart_stands_beside_its_box() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.flat(&[100.0, 101.0, 102.0, 103.0, 400.0]);
    let picture = boxes(&run.document(), &time());
    let Shape::Boxes(rows) = &picture.shape else { panic!("{picture:?}") };
    let only = rows[0].marks[0].as_ref().unwrap();
    assert!(only.high < 104.0 && only.values.iter().any(|value| *value > 399.0), "{only:?}");
}

#[test]
fn changes_are_against_the_first_variant() {
    let picture = intervals(&pair().document(), &Quantified::new("time", true));
    let Shape::Intervals(rows) = &picture.shape else { panic!("{picture:?}") };
    let new = rows[0].marks[1].unwrap();
    assert!((new.value - 1.0).abs() < 1e-6 && picture.unit == "share", "{new:?}");
    let mut six = RunBuilder::new(vec![case("s", "a")]);
    six.flat(&[100.0, 102.0, 103.0, 105.0, 106.0, 108.0]);
    let rates = intervals(&six.document(), &Quantified::new("rate", false));
    let Shape::Intervals(rows) = &rates.shape else { panic!("{rates:?}") };
    let old = rows[0].marks[0].unwrap();
    let interval = old.interval.unwrap();
    assert!(
        (old.value - 1e9 / 104.0).abs() < 1e6 && interval.lo < old.value && old.value < interval.hi,
        "{old:?}"
    );
    let nothing = intervals(&pair().document(), &Quantified::new("nosuch", false));
    assert_eq!(nothing.shape, Shape::Intervals(Vec::new()));
}

fn sizes() -> RunBuilder {
    let mut cases = Vec::new();
    for n in ["100", "9", "10000"] {
        for kind in ["red", "green"] {
            let mut one = case("s", "a");
            one.id.params = vec![("kind".to_owned(), kind.to_owned()), ("n".to_owned(), n.to_owned())];
            cases.push(one);
        }
    }
    let mut run = RunBuilder::new(cases);
    for of in 0..6 {
        for _ in 0..4 {
            let process = run.process(0);
            run.visit(process, of, &[], (0..12).map(|_| steady(10.0 * f64::from(of + 1))).collect());
        }
    }
    run
}

fn scattered(over: Option<&str>, by: Option<&str>) -> Picture {
    scatter(&sizes().document(), over, by, &time()).unwrap()
}

#[test]
fn numbers_are_ordered_and_words_are_not() {
    let picture = scattered(None, Some("kind"));
    let Shape::Scatter(scatter) = &picture.shape else { panic!("{picture:?}") };
    assert_eq!((scatter.over.as_str(), scatter.ticks.join(" ").as_str()), ("n", "9 100 10000"));
    assert!(scatter.log && scatter.numbers.as_deref() == Some([9.0, 100.0, 10000.0].as_slice()));
    assert_eq!(picture.series, ["red", "green"]);
    let red: Vec<f64> = scatter.lines[0].iter().map(|(_, value)| value.round()).collect();
    assert_eq!(red, [30.0, 10.0, 50.0], "by the size of n, not by the order of cases");
    let words = scattered(Some("kind"), None);
    let Shape::Scatter(along) = &words.shape else { panic!("{words:?}") };
    assert_eq!((along.ticks.join(" ").as_str(), along.numbers.as_ref()), ("red green", None));
}

#[test]
fn what_is_put_together_is_named() {
    let picture = scattered(Some("n"), None);
    assert!(picture.facts.iter().any(|fact| fact.contains("all values of kind")), "{:?}", picture.facts);
    let Shape::Scatter(scatter) = &picture.shape else { panic!("{picture:?}") };
    assert_eq!(scatter.points.len(), 6, "every case keeps its point");
    let (_, first) = scatter.lines[0][0];
    assert!((first - (30.0f64 * 40.0).sqrt()).abs() < 0.1, "{first}");
    let wrong = derny_analysis::picture::scatter(&sizes().document(), Some("m"), None, &time());
    assert!(wrong.unwrap_err().contains("kind, n"));
}

#[test]
fn a_quantity_is_set_against_the_place_and_against_a_metric() {
    let mut run = RunBuilder::new(vec![case("s", "a"), case("s", "b"), case("s", "c")]);
    for of in 0..3 {
        let process = run.process(0);
        let mut turns: Vec<_> = (0..12).map(|_| steady(10.0 * f64::from(of + 1))).collect();
        turns.iter_mut().for_each(|turn| turn.counters = vec![Some(f64::from(7 - 2 * of) / 2.0)]);
        run.visit(process, of, &[Metric { kind: Kind::Level, ..metric("heap", "MB") }], turns);
    }
    let document = run.document();
    let heap = Quantified::new("heap", false);
    let along = |picture: Picture| {
        let Shape::Scatter(scatter) = picture.shape else { panic!() };
        let value = |point: &derny_model::picture::ScatterPoint| (point.tick, point.estimate.value);
        (scatter.ticks.join(" "), scatter.points.iter().map(value).collect::<Vec<_>>(), picture.series.len())
    };
    let place = along(scatter(&document, Some("place"), None, &heap).unwrap());
    assert_eq!(place, ("1 2 3".to_owned(), vec![(0, 3.5), (1, 2.5), (2, 1.5)], 1));
    let (ticks, points, _) = along(scatter(&document, Some("heap"), None, &time()).unwrap());
    assert_eq!(ticks, "1.50 2.50 3.50");
    let rounded: Vec<(usize, i32)> = points.iter().map(|(at, ns)| (*at, ns.round() as i32)).collect();
    assert_eq!(rounded, [(2, 10), (1, 20), (0, 30)]);
    let wrong = scatter(&document, Some("nosuch"), None, &time());
    assert!(wrong.unwrap_err().contains("`place`"));
}

#[test]
fn traces_keep_time_order_and_causes() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    let process = run.process(0);
    let mut turns = vec![turn(Phase::Cold, 1, vec![9000]), turn(Phase::WarmUp, 10, vec![2000, 2200, 2100])];
    turns.extend((0..3).map(|_| turn(Phase::Measured, 10, vec![1000, 1010, 1500])));
    for (at, turn) in turns.iter_mut().enumerate() {
        turn.at_ns = 1000 * at as u64;
        turn.counters = vec![Some(0.0), Some(if at == 3 { 2.0 } else { 0.0 })];
    }
    run.visit(process, 0, &[metric("gc", "count"), metric("preempted", "count")], turns);
    let traces = traces(&run.document(), &run.records);
    let turns = &traces[0].processes[0].turns;
    assert_eq!(turns.len(), 4, "the cold turn has an axis of its own");
    assert_eq!(turns.iter().map(|turn| turn.causes).collect::<Vec<_>>(), [0, 0, 8, 0]);
    assert_eq!(turns[1].range, (100.0, 150.0));
    assert!(turns[1].value > 100.0 && turns[1].value < 150.0);
    assert!(turns.windows(2).all(|pair| pair[0].at_ns < pair[1].at_ns));
    let Shape::Traces(panels) = traced(&run.document(), &run.records, &time()).shape else { panic!() };
    assert_eq!(panels.len(), 1);
    let preempted = Quantified::new("preempted", false);
    let Shape::Traces(panels) = traced(&run.document(), &run.records, &preempted).shape else { panic!() };
    let values: Vec<f64> = panels[0].content[0].turns.iter().map(|turn| turn.value).collect();
    // A turn of 30 operations has two collections.
    assert_eq!(values, [0.0, 0.0, 2.0 / 30.0, 0.0]);
}

#[test]
fn densities_hold_all_that_is_measured() {
    let run = pair();
    let Shape::Densities(panels) = densities(&run.document(), &run.records).shape else { panic!() };
    assert_eq!((panels.len(), panels[0].content.len()), (1, 2));
    for curve in &panels[0].content {
        let area: f64 = curve.points.windows(2).map(|p| (p[1].0 - p[0].0) * (p[0].1 + p[1].1) / 2.0).sum();
        assert!((area - 1.0).abs() < 0.05, "series {}: {area}", curve.series);
        assert_eq!(curve.processes.len(), 5);
    }
}

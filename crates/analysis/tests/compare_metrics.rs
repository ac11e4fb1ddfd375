//! Tests comparisons of metrics: exact ones, levels, rates, and metrics that are 0 on one side.

use crate::build::comparison::{of_run, options};
use crate::build::{RunBuilder, case, metric, turn, variant};
use derny_analysis::gate;
use derny_model::*;
use derny_stats::Rng;

#[test]
fn exact_metrics_are_compared_exactly_and_others_by_pairs() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.records.header.variants = vec![variant("old"), variant("new")];
    let exact = |name: &str| Metric { exact: true, ..metric(name, "bytes") };
    let metrics =
        [exact("allocated"), exact("wobbly"), metric("misses", "count"), exact("kept"), exact("born")];
    let mut rng = Rng::new(9);
    for block in 0..8 {
        for side in 0..2 {
            let process = run.process(side);
            run.records.processes[process as usize].block = block;
            let more = f64::from(side);
            let turns = (0..4).map(|round| {
                let misses = 3000.0 * (1.0 + 0.1 * more) * (0.01 * rng.normal()).exp();
                let counters = [64_000.0 + 8000.0 * more, 10.0 + misses, misses, 5000.0, 1000.0 * more];
                Turn {
                    round,
                    counters: counters.map(Some).to_vec(),
                    ..turn(Phase::Measured, 1000, vec![100_000; 2])
                }
            });
            run.visit(process, 0, &metrics, turns.collect());
        }
    }
    let comparison = of_run(&run, &options());
    let of = |name: &str| {
        let wanted = Quantity::Metric(name.into());
        comparison.cases[0].sides[0].changes.iter().find(|change| change.quantity == wanted).unwrap()
    };
    let allocated = of("allocated");
    assert!(allocated.exact && allocated.verdict == Verdict::Worse);
    assert!((allocated.change.unwrap().value - 0.125).abs() < 1e-12 && allocated.p.is_none());
    assert_eq!((of("kept").verdict, of("kept").exact), (Verdict::Same, true));
    assert_eq!((of("born").verdict, of("born").change), (Verdict::Worse, None), "from nothing to something");
    assert_eq!(of("born").difference.unwrap().value, 0.5);
    assert!(of("born").exact && of("born").worse_beyond(0.01, 0.05));
    assert!(!of("wobbly").exact, "declared exact, but not seen constant");
    assert_eq!(of("misses").verdict, Verdict::Worse);
    assert!(of("misses").change.unwrap().interval.is_some());
    let side = &comparison.cases[0].sides[0];
    assert_eq!((side.verdict, side.changes[0].quantity), (Verdict::Same, Quantity::Typical));
    let named = gate(&comparison, &["allocated".to_owned()]);
    assert!(
        gate(&comparison, &[]).worse.is_empty() && named.worse.len() == 1,
        "only metrics named are gated"
    );
}

/// Returns eight blocks of two sides, with counters but no times. `value(side, block, random)` returns the
/// counters of a process.
fn of_values(metrics: &[Metric], value: impl Fn(u32, u32, &mut Rng) -> Vec<f64>) -> RunBuilder {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.records.header.variants = vec![variant("old"), variant("new")];
    let mut rng = Rng::new(9);
    for block in 0..8 {
        for side in 0..2 {
            let process = run.process(side);
            run.records.processes[process as usize].block = block;
            let turn = |_| Turn {
                counters: value(side, block, &mut rng).into_iter().map(Some).collect(),
                ..turn(Phase::Measured, 1000, vec![100_000; 2])
            };
            run.visit(process, 0, metrics, (0..3).map(turn).collect());
        }
    }
    run
}

fn change_of<'a>(comparison: &'a Comparison, name: &str) -> &'a Change {
    let wanted = Quantity::Metric(name.into());
    comparison.cases[0].sides[0].changes.iter().find(|change| change.quantity == wanted).unwrap()
}

#[test]
fn a_level_is_compared_as_it_is() {
    let level = |name: &str, direction| Metric {
        kind: Kind::Level,
        exact: true,
        direction,
        ..metric(name, "points")
    };
    let metrics =
        [level("score", Direction::More), level("size", Direction::Less), level("told", Direction::None)];
    let run = of_values(&metrics, |side, _, _| {
        let half = if side == 0 { 1.0 } else { 0.5 };
        vec![100.0 * half, 131.0, 100.0 * half]
    });
    let comparison = of_run(&run, &options());
    let score = change_of(&comparison, "score");
    assert_eq!((score.base, score.new, score.exact), (100.0, 50.0, true));
    assert_eq!((score.change.unwrap().value, score.verdict), (-0.5, Verdict::Worse));
    assert!(!score.per_operation && score.worse_beyond(0.01, 0.05));
    assert_eq!(change_of(&comparison, "size").verdict, Verdict::Same);
    assert_eq!(change_of(&comparison, "told").verdict, Verdict::Unclear, "neither way is better");
    assert_eq!(gate(&comparison, &["score".to_owned()]).worse.len(), 1);
}

#[test]
fn where_one_side_is_0_the_difference_is_judged() {
    let level = |name: &str| Metric { kind: Kind::Level, ..metric(name, "B") };
    let metrics = ["born", "gone", "missing", "rare"].map(level);
    let run = of_values(&metrics, |side, block, rng| {
        let some = 1000.0 * (0.05 * rng.normal()).exp();
        let (old, new) = if side == 0 { (some, 0.0) } else { (0.0, some) };
        // On both sides, `missing` is 0 in one process of eight, and `rare` in all but one.
        vec![new, old, if block == 3 { 0.0 } else { some }, if block == 3 { some } else { 0.0 }]
    });
    let comparison = of_run(&run, &options());
    let (born, gone) = (change_of(&comparison, "born"), change_of(&comparison, "gone"));
    for (change, verdict, sign) in [(born, Verdict::Worse, 1.0), (gone, Verdict::Better, -1.0)] {
        let difference = change.difference.unwrap();
        let interval = difference.interval.unwrap();
        assert_eq!((change.change, change.verdict, change.exact), (None, verdict, false), "{change:?}");
        assert!((sign * difference.value - 1000.0).abs() < 50.0, "{change:?}");
        assert!(interval.lo * interval.hi > 0.0 && change.p.unwrap() < 0.05 && change.because.is_empty());
    }
    // The base is not 0, so the margin is a share of its value.
    let missing = change_of(&comparison, "missing");
    assert!(missing.change.is_none() && missing.difference.unwrap().value.abs() < 100.0, "{missing:?}");
    assert_eq!(missing.verdict, Verdict::Unclear, "{missing:?}");
    let rare = change_of(&comparison, "rare");
    assert_eq!((rare.verdict, rare.difference.unwrap().value), (Verdict::Unclear, 0.0), "{rare:?}");
    let named = |name: &str| gate(&comparison, &[name.to_owned()]).worse.len();
    assert_eq!(["born", "gone", "missing", "rare"].map(named), [1, 0, 0, 0]);
}

#[test]
fn a_rate_is_better_when_it_is_more() {
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.records.header.variants = vec![variant("old"), variant("new")];
    let rate = Metric { kind: Kind::Rate, direction: Direction::More, ..metric("rate", "requests/s") };
    let mut rng = Rng::new(9);
    for block in 0..8 {
        for side in 0..2 {
            let process = run.process(side);
            run.records.processes[process as usize].block = block;
            let value = 900.0 * (1.0 + 0.1 * f64::from(side)) * (0.005 * rng.normal()).exp();
            let turns = vec![Turn { counters: vec![Some(value)], ..turn(Phase::Measured, 0, Vec::new()) }];
            run.visit(process, 0, std::slice::from_ref(&rate), turns);
        }
    }
    let comparison = of_run(&run, &options());
    let side = &comparison.cases[0].sides[0];
    assert_eq!(side.changes[0].quantity, Quantity::Metric("rate".into()));
    assert_eq!((side.verdict, side.changes[0].verdict), (Verdict::Better, Verdict::Better));
    assert!(side.changes[0].change.unwrap().value > 0.05);
}

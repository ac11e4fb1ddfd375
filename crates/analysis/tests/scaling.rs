//! Tests growth along a parameter: known laws, outliers, steps, and averaged parameters.

use crate::build::{self, RunBuilder, steady};
use derny_analysis::scaling::{Over, scaling};
use derny_model::*;
use derny_stats::Rng;

const OVER: Over<'_> = Over { over: "n", by: &[], metric: None, log: None, margin: 0.01, confidence: 0.95 };

/// Returns a case of `of(size)` ns for each size, with eight processes that differ by `noise`.
fn sized(sizes: &[f64], noise: f64, seed: u64, of: impl Fn(f64) -> f64) -> RunBuilder {
    let mut rng = Rng::new(seed);
    let cases = sizes.iter().map(|size| {
        let mut case = build::case("sort", "radix");
        case.id.params = vec![("n".to_owned(), size.to_string())];
        case
    });
    let mut run = RunBuilder::new(cases.collect());
    for (index, size) in sizes.iter().enumerate() {
        for _ in 0..8 {
            let process = run.process(0);
            let time = of(*size) * (noise * rng.normal()).exp();
            run.visit(process, index as u32, &[], (0..4).map(|_| steady(time)).collect());
        }
    }
    run
}

fn powers(from: i32, to: i32, step: usize) -> Vec<f64> {
    (from..=to).step_by(step).map(|k| 2.0_f64.powi(k)).collect()
}

fn only(scaling: Scaling) -> Curve {
    assert_eq!(scaling.curves.len(), 1);
    scaling.curves.into_iter().next().unwrap()
}

/// Each law is found in a curve with realistic noise between processes.
#[test]
fn laws_are_found() {
    type Law = (&'static str, fn(f64) -> f64);
    let laws: [Law; 9] = [
        ("1", |_| 120.0),
        ("log n", |n| 40.0 * n.ln()),
        ("log n", |n| 300.0 + 60.0 * n.ln()),
        ("n", |n| 2.0 * n),
        ("n", |n| 2000.0 + 2.0 * n),
        ("n log n", |n| 1.5 * n * n.ln()),
        ("n²", |n| 0.8 * n * n),
        ("n³", |n| 0.1 * n * n * n),
        ("n^k", |n| 5.0 * n.powf(1.5)),
    ];
    for (law, of) in laws {
        let mut right = 0;
        for seed in 0..20 {
            let run = sized(&powers(6, 16, 2), 0.01, seed, of);
            let curve = only(scaling(&run.document(), &OVER));
            let growth = curve.growth.clone().unwrap();
            right += usize::from(growth.law == law);
            assert!(growth.law == law || growth.also.iter().any(|also| also == law), "{law}: {growth:?}");
            assert!(curve.points.iter().all(|point| !point.off), "{law}, seed {seed}: {curve:?}");
        }
        assert!(right >= 18, "{law} was chosen {right} times of 20");
    }
}

#[test]
fn a_free_exponent_has_an_interval() {
    let run = sized(&powers(6, 18, 2), 0.02, 3, |n| 5.0 * n.powf(1.5));
    let curve = only(scaling(&run.document(), &OVER));
    let exponent = curve.growth.unwrap().exponent.unwrap();
    let interval = exponent.interval.unwrap();
    assert!(interval.lo <= 1.5 && 1.5 <= interval.hi && interval.hi - interval.lo < 0.1, "{exponent:?}");
    assert_eq!(curve.exponent, Some(exponent));
    let step = curve.points[1].step.as_ref().unwrap();
    assert!((step.ratio.value - 8.0).abs() < 0.5 && step.verdict == Verdict::Worse, "{step:?}");
    let local = step.exponent.unwrap();
    assert!(local.interval.unwrap().lo < 1.5 && 1.5 < local.interval.unwrap().hi, "{local:?}");
}

/// Hashing a file takes time proportional to its size. One size takes longer for another reason.
#[test]
fn the_bump_is_flagged_and_bends_nothing() {
    let bump = 2.0_f64.powi(23);
    for seed in 0..10 {
        let run = sized(&powers(15, 27, 1), 0.01, seed, |n| {
            (4_000.0 + 0.9 * n) * if n == bump { 1.35 } else { 1.0 }
        });
        let curve = only(scaling(&run.document(), &OVER));
        let growth = curve.growth.as_ref().unwrap();
        assert_eq!(growth.law, "n", "{growth:?}");
        assert!((growth.factor - 0.9).abs() < 0.03, "{growth:?}");
        let off: Vec<f64> = curve.points.iter().filter(|point| point.off).map(|point| point.x).collect();
        assert_eq!(off, [bump], "seed {seed}");
        let point = curve.points.iter().find(|point| point.off).unwrap();
        let share = point.estimate.value / point.fitted.unwrap() - 1.0;
        assert!((share - 0.35).abs() < 0.05, "{share}");
        let exponent = curve.exponent.unwrap();
        assert!((exponent.value - 1.0).abs() < 0.1, "{exponent:?}");
    }
}

/// Searching a growing table slows down in two steps: when branch prediction fails, and when the cache is
/// full.
#[test]
fn what_no_law_foretells_has_an_exponent_only() {
    let times = [32.0, 39.0, 48.0, 158.0, 222.0, 385.0];
    let run = sized(&powers(8, 18, 2), 0.01, 1, |n| times[(n.log2() as usize - 8) / 2]);
    let growth = only(scaling(&run.document(), &OVER)).growth.unwrap();
    assert_eq!((growth.law.as_str(), &growth.also[..]), ("n^k", &[][..]));
    let exponent = growth.exponent.unwrap();
    assert!((0.2..0.6).contains(&exponent.value), "{exponent:?}");
}

#[test]
fn few_points_have_no_law() {
    let three = only(scaling(&sized(&[10.0, 100.0, 1000.0], 0.01, 1, |n| n).document(), &OVER));
    assert!(three.growth.is_none());
    assert!((three.exponent.unwrap().value - 1.0).abs() < 0.05);
    let two = only(scaling(&sized(&[10.0, 100.0], 0.01, 1, |n| n).document(), &OVER));
    assert!(two.exponent.is_none() && two.points[1].step.is_some());
    let negative = only(scaling(&sized(&[-1.0, 0.0, 1.0, 2.0, 3.0], 0.01, 1, |_| 5.0).document(), &OVER));
    assert!(negative.growth.is_none() && negative.points[0].x == -1.0, "{negative:?}");
    assert!(negative.points[2].step.as_ref().unwrap().exponent.is_none());
}

#[test]
fn steps_are_judged_together() {
    // Nothing changes here, so steps must rarely claim growth.
    let mut claims = 0;
    for seed in 0..40 {
        let curve = only(scaling(&sized(&powers(4, 12, 1), 0.02, seed, |_| 100.0).document(), &OVER));
        let claimed = |point: &&Point| {
            point.step.as_ref().is_some_and(|step| matches!(step.verdict, Verdict::Better | Verdict::Worse))
        };
        claims += usize::from(curve.points.iter().any(|point| claimed(&point)));
    }
    assert!(claims <= 6, "{claims} of 40 curves without a change have a step");
}

/// Two encodings and two kinds. `kind=b` is missing at the last size.
fn with_params() -> Document {
    let mut cases = Vec::new();
    let mut times = Vec::new();
    for n in [10.0_f64, 100.0, 1000.0, 10_000.0] {
        for (enc, factor) in [("ascii", 1.0), ("utf8", 4.0)] {
            for kind in ["a", "b"] {
                if kind == "b" && n == 10_000.0 {
                    continue;
                }
                let mut case = build::case("s", "decode");
                let params = [("n", n.to_string()), ("enc", enc.to_owned()), ("kind", kind.to_owned())];
                case.id.params = params.map(|(key, value)| (key.to_owned(), value)).to_vec();
                case.bytes = Some(n);
                cases.push(case);
                times.push(factor * n);
            }
        }
    }
    let mut run = RunBuilder::new(cases);
    for (index, time) in times.iter().enumerate() {
        for _ in 0..6 {
            let process = run.process(0);
            run.visit(process, index as u32, &[], vec![steady(*time); 3]);
        }
    }
    run.document()
}

/// Returns the 95 % interval of the step between two sizes, given the bytes per operation of each process.
/// `confidence` applies to the run's own intervals.
fn step_of_bytes(confidence: f64, ended: StopReason, bytes: &[Vec<f64>]) -> Interval {
    let mut run = sized(&[10.0, 20.0], 0.0, 1, |_| 100.0);
    run.records.header.settings.confidence = confidence;
    run.records.ended = vec![(0, ended), (1, ended)];
    run.records.processes.clear();
    run.records.visits.clear();
    for (case, bytes) in bytes.iter().enumerate() {
        for per_operation in bytes {
            let process = run.process(0);
            let mut turn = steady(100.0);
            let operations = turn.iterations as f64 * turn.times_ns.len() as f64;
            turn.counters = vec![Some(per_operation * operations)];
            run.visit(process, case as u32, &[build::metric("bytes", "B")], vec![turn]);
        }
    }
    let curve = only(scaling(&run.document(), &Over { metric: Some("bytes"), ..OVER }));
    curve.points[1].step.as_ref().and_then(|step| step.ratio.interval).unwrap()
}

/// The error of a metric comes from its processes, not from its interval.
#[test]
fn the_error_of_a_metric_does_not_depend_on_the_level_of_its_interval() {
    let mut rng = Rng::new(4);
    for (processes, tolerance) in [(5, 0.01), (14, 0.2)] {
        let mut draw =
            |location: f64| (0..processes).map(|_| location * (0.01 * rng.normal()).exp()).collect();
        let bytes: Vec<Vec<f64>> = vec![draw(1000.0), draw(1500.0)];
        let logs: Vec<Vec<f64>> = bytes.iter().map(|b| b.iter().map(|x| x.ln()).collect()).collect();
        let expected = derny_stats::t_test::welch(&logs[1], &logs[0]).unwrap().interval(0.05);
        for confidence in [0.8, 0.95, 0.99] {
            for ended in [StopReason::Precise, StopReason::Budget] {
                let step = step_of_bytes(confidence, ended, &bytes);
                let share = (step.hi / step.lo).ln() / (expected.hi - expected.lo);
                assert!((share - 1.0).abs() < tolerance, "{processes}, {confidence}, {ended:?}: {share}");
            }
        }
    }
}

#[test]
fn other_parameters_are_averaged_and_named() {
    let document = with_params();
    let curve = only(scaling(&document, &OVER));
    // `kind=b` is missing at one size, so it is excluded at every size.
    assert_eq!(curve.aggregated, [("enc".to_owned(), vec!["ascii".to_owned(), "utf8".to_owned()])]);
    let first = &curve.points[0];
    assert_eq!((first.cases, first.processes), (2, 12));
    assert!((first.estimate.value - 20.0).abs() < 0.01, "the geometric mean of 10 and 40: {first:?}");
    assert!((first.bytes_per_second.unwrap() / (10.0 * 1e9 / 20.0) - 1.0).abs() < 1e-3);
    let by = ["enc".to_owned()];
    let apart = scaling(&document, &Over { by: &by, ..OVER });
    assert_eq!(apart.curves.len(), 2);
    assert!(apart.curves.iter().all(|curve| curve.aggregated.is_empty()));
    assert_eq!(apart.curves[1].by, [("enc".to_owned(), "utf8".to_owned())]);
    let wrong = scaling(&document, &Over { over: "size", ..OVER });
    assert!(wrong.curves.is_empty() && wrong.left_out[0].1.contains("no parameter `size`"));
    let words = scaling(&document, &Over { over: "enc", ..OVER });
    assert!(words.left_out[0].1.contains("`ascii` is not a number"), "{:?}", words.left_out);
}

//! Tests serial correlation, change points and steady states.

use crate::data::{A, close, reference};
use derny_stats::changepoint::mean_variance;
use derny_stats::rng::Rng;
use derny_stats::steady::{Consistency, SteadyClass, checkpoints, classify, consistency, is_warm};
use derny_stats::{correlation, scale};

#[test]
fn serial_correlation() {
    close(correlation::durbin_watson(&A), 2.226867667, 1e-9);
    for (lags, q, p) in [(1, 0.342897698, 0.55816), (5, 1.611104653, 0.89990), (10, 6.910187279, 0.73390)] {
        let (actual_q, actual_p) = correlation::ljung_box(&A, lags);
        close(actual_q, q, 1e-8);
        close(actual_p, p, 1e-5);
    }
    assert!(correlation::durbin_watson(&[1.0; 9]).is_nan());
}

#[test]
fn change_points_equal_those_of_ruptures() {
    let series = &reference("levels")[0];
    assert_eq!(series.len(), 120);
    for line in reference("levels_changes") {
        let penalty = line[0] * libm::log(120.0);
        let expected: Vec<usize> = line[1..].iter().map(|&x| x as usize).collect();
        assert_eq!(mean_variance(series, penalty, 2, 1e-6), expected, "penalty {penalty}");
    }
}

/// Finds the optimal segmentation by exhaustive search.
fn exhaustive(x: &[f64], penalty: f64, least: usize, floor: f64) -> Vec<usize> {
    let cost = |s: usize, e: usize| {
        let part = &x[s..e];
        let m = derny_stats::mean(part);
        let v = part.iter().map(|x| (x - m) * (x - m)).sum::<f64>() / part.len() as f64;
        part.len() as f64 * libm::log(v + floor)
    };
    let mut best: Vec<(f64, Vec<usize>)> = vec![(-penalty, vec![])];
    for end in 1..=x.len() {
        let mut here = (f64::INFINITY, vec![]);
        for (start, before) in best.iter().enumerate().take((end + 1).saturating_sub(least)) {
            let total = before.0 + cost(start, end) + penalty;
            if total < here.0 {
                here = (total, before.1.iter().copied().chain((start > 0).then_some(start)).collect());
            }
        }
        best.push(here);
    }
    best.pop().unwrap().1
}

#[test]
fn pruning_loses_nothing() {
    let mut rng = Rng::new(42);
    let mut found = 0;
    for round in 0..60 {
        let least = 1 + round % 5;
        let mut x = Vec::new();
        for _ in 0..4 {
            let (level, sd) = (rng.below(4) as f64, 0.2 + rng.f64());
            (0..3 + rng.below(15)).for_each(|_| x.push(level + sd * rng.normal()));
        }
        let penalty = 1.0 + 6.0 * rng.f64();
        let changes = mean_variance(&x, penalty, least, 1e-2);
        assert_eq!(changes, exhaustive(&x, penalty, least, 1e-2));
        found += changes.len();
    }
    assert!(found > 60, "{found} changes are too few to have tested anything");
    assert_eq!(mean_variance(&[], 1.0, 2, 0.1), [0; 0]);
    assert_eq!(mean_variance(&[1.0, 9.0, 9.0], 0.1, 4, 0.1), [0; 0]);
}

#[test]
fn long_series_are_split_at_the_exact_place() {
    let mut rng = Rng::new(43);
    let mut x: Vec<f64> = (0..5000).map(|_| 100.0 + rng.normal()).collect();
    x[..3].iter_mut().for_each(|v| *v += 200.0);
    x[1234..].iter_mut().for_each(|v| *v += 20.0);
    assert_eq!(mean_variance(&x, 15.0 * libm::log(5000.0), 2, 1e-4), [3, 1234]);
}

/// Returns times around 100 with 1 % noise and occasional preemptions, multiplied by `factor` of the index.
/// The first values have no preemption, because it would look like a warm-up.
fn times(seed: u64, n: usize, factor: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut rng = Rng::new(seed);
    (0..n)
        .map(|i| {
            let spike = if rng.below(40) == 0 && i > 2 { 1.0 + 3.0 * rng.f64() } else { 1.0 };
            100.0 * factor(i) * (1.0 + 0.01 * rng.normal()) * spike
        })
        .collect()
}

#[test]
fn classes_of_processes() {
    for seed in 0..20 {
        for n in [40, 300, 2500] {
            assert_eq!(classify(&times(seed, n, |_| 1.0)), SteadyClass::Flat, "flat, {n}");
            let SteadyClass::WarmUp { steady_from } =
                classify(&times(seed, n, |i| if i < n / 4 { 2.0 } else { 1.0 }))
            else {
                panic!("a warm-up of a quarter of {n}, seed {seed}");
            };
            assert!(steady_from.abs_diff(n / 4) <= 2, "{steady_from} of {n}");
            let slower = classify(&times(seed, n, |i| if i < n / 2 { 1.0 } else { 1.3 }));
            assert!(
                matches!(slower, SteadyClass::Slowdown { steady_from } if steady_from.abs_diff(n / 2) <= 2)
            );
            let late = classify(&times(seed, n, |i| if i < n * 9 / 10 { 1.0 } else { 1.5 }));
            assert_eq!(late, SteadyClass::NoSteadyState, "late change of {n}");
        }
        let decay = classify(&times(seed, 1000, |i| 1.0 + libm::exp(-(i as f64) / 60.0)));
        assert!(
            matches!(decay, SteadyClass::WarmUp { steady_from } if (150..400).contains(&steady_from)),
            "{decay:?}"
        );
    }
}

#[test]
fn first_values_equal_values_and_coarse_clocks() {
    assert_eq!(classify(&[5.0; 3000]), SteadyClass::Flat);
    assert_eq!(classify(&[0.0; 300]), SteadyClass::Flat);
    assert_eq!(classify(&[]), SteadyClass::Flat);
    assert_eq!(classify(&[9.0, 1.0]), SteadyClass::Flat);
    let ticks: Vec<f64> = times(1, 2000, |_| 1.0).iter().map(|x| x.round()).collect();
    assert_eq!(classify(&ticks), SteadyClass::Flat);
    let cold = classify(&times(2, 2000, |i| if i == 0 { 50.0 } else { 1.0 }));
    assert!(matches!(cold, SteadyClass::WarmUp { steady_from: 1..=3 }), "{cold:?}");
    let mut broken = times(3, 100, |_| 1.0);
    broken[50] = f64::NAN;
    assert_eq!(classify(&broken), SteadyClass::Flat);
    assert!(!is_warm(&broken));
}

#[test]
fn classes_do_not_depend_on_the_unit() {
    for seed in 0..10 {
        let x = times(seed, 700, |i| if i < 200 { 1.4 } else { 1.0 });
        let nanoseconds: Vec<f64> = x.iter().map(|v| v * 1e9).collect();
        assert_eq!(classify(&x), classify(&nanoseconds));
        assert_eq!(is_warm(&x), is_warm(&nanoseconds));
    }
}

#[test]
fn processes_together() {
    let (flat, warm) = (SteadyClass::Flat, SteadyClass::WarmUp { steady_from: 5 });
    let slow = SteadyClass::Slowdown { steady_from: 5 };
    assert_eq!(consistency(&[]), Consistency::Consistent);
    assert_eq!(consistency(&[warm, SteadyClass::WarmUp { steady_from: 9 }]), Consistency::Consistent);
    assert_eq!(consistency(&[flat, warm, flat]), Consistency::Mixed);
    assert_eq!(consistency(&[slow, slow]), Consistency::Consistent);
    assert_eq!(consistency(&[flat, slow]), Consistency::Inconsistent);
    assert_eq!(consistency(&[SteadyClass::NoSteadyState, flat]), Consistency::Inconsistent);
}

#[test]
fn warming_stops_when_settled_and_not_before() {
    let curve = |i: usize| 1.0 + libm::exp(-(i as f64) / 40.0);
    let mut stops = Vec::new();
    for seed in 0..50 {
        let x = times(seed, 5000, curve);
        stops.push(checkpoints(20).find(|&n| is_warm(&x[..n])).expect("settles") as f64);
    }
    // At the earliest stop, half of the values may still change within the noise. From index 120 on, the
    // curve is within 5 % of its end.
    assert!(stops.iter().all(|&n| (100.0..1000.0).contains(&n)), "{stops:?}");
    let flat = (0..200).filter(|&seed| is_warm(&times(seed, 20, |_| 1.0))).count();
    assert!(flat > 140, "{flat} of 200 flat series pass the first checkpoint");
    assert!(!is_warm(&times(0, 20, |i| if i < 17 { 1.5 } else { 1.0 })), "it has just become faster");
    assert!(is_warm(&times(0, 20, |i| if i < 16 { 1.0 } else { 1.5 })), "slower is no reason to go on");
    assert!(!is_warm(&[1.0; 7]) && is_warm(&[1.0; 8]));
    assert!(scale::iqr(&stops) > 0.0);
}

#[test]
fn checkpoints_grow_by_half() {
    assert_eq!(checkpoints(20).take(6).collect::<Vec<_>>(), [20, 30, 45, 68, 102, 153]);
    assert_eq!(checkpoints(0).take(4).collect::<Vec<_>>(), [1, 2, 3, 5]);
}

//! Nested experiments, resampling, correlated errors and anytime-valid evidence against reference values.

mod data;

use data::{A, B, close, comparison, log_ratios};
use derny_stats::bootstrap::percentile_intervals;
use derny_stats::nested::Nested;
use derny_stats::{Interval, Rng, anytime, correlation, mean, multiple, plan};

/// Iterations, runs, executions.
const REPETITIONS: [usize; 3] = [4, 3, 3];
const RUNS: [f64; 36] = [
    10.1, 10.3, 10.2, 10.4, 10.6, 10.5, 10.9, 10.4, 10.0, 10.2, 10.1, 10.1, 11.0, 11.2, 10.9, 11.1, 10.7,
    10.8, 10.6, 10.9, 11.3, 11.1, 11.4, 11.2, 9.9, 10.0, 10.2, 9.8, 10.3, 10.1, 10.2, 10.0, 10.5, 10.4, 10.2,
    10.6,
];

#[test]
fn nested_experiment() {
    let nested = Nested::of(&RUNS, &REPETITIONS).unwrap();
    close(nested.mean, 10.50555556, 1e-9);
    let seen = [0.02166666667, 0.06020833333, 0.2003703704];
    let own = [0.02166666667, 0.05479166667, 0.1803009259];
    for level in 0..3 {
        close(nested.seen[level], seen[level], 1e-9);
        close(nested.own[level], own[level], 1e-9);
    }
    let repetitions = nested.optimal_repetitions(&[1.0, 10.0, 100.0]);
    close(repetitions[0], 1.98856044, 1e-8);
    close(repetitions[1], 1.743244393, 1e-8);
    close(nested.interval(0.05).width() / 2.0, 1.11196833, 1e-8);
    let same = nested.ratio_interval(&nested, 0.05).unwrap();
    assert!(same.contains(1.0) && same.lo > 0.8 && same.hi < 1.25);
    close(same.lo * same.hi, 1.0, 1e-12);
    assert_eq!(Nested::of(&RUNS, &[4, 3]), None);
    assert_eq!(Nested::of(&RUNS[..4], &[4, 1]), None);
    assert_eq!(Nested::of(&[1.0, 3.0, 3.0, 1.0], &[2, 2]).unwrap().own, [2.0, 0.0]);
}

fn mean_of(drawn: &[&f64]) -> Vec<f64> {
    vec![mean(&drawn.iter().map(|x| **x).collect::<Vec<f64>>())]
}

/// Against 200,000 resamples of SciPy; 20,000 here: both ends within 5 % of the width.
#[test]
fn bootstrap_intervals() {
    for (name, values) in [("bootstrap_a", A), ("bootstrap_b", B)] {
        let expected = &comparison(name)[0];
        let found = percentile_intervals(&values, mean_of, 20_000, 0.05, &mut Rng::new(7));
        let [(value, Some(interval))] = found[..] else { panic!("{found:?}") };
        assert_eq!(value, mean(&values));
        let tolerance = 0.05 * (expected[1] - expected[0]);
        for (actual, expected) in [interval.lo, interval.hi].iter().zip(expected) {
            assert!((actual - expected).abs() < tolerance, "{actual} should be near {expected}");
        }
    }
}

/// Units may be anything, here sums and counts; several statistics are made of the same draws.
#[test]
fn whole_units_are_drawn() {
    let units = [(10.0, 1.0), (60.0, 2.0)];
    let sums = |drawn: &[&(f64, f64)]| {
        let sum = drawn.iter().fold((0.0, 0.0), |sum, unit| (sum.0 + unit.0, sum.1 + unit.1));
        vec![sum.0 / sum.1, sum.1]
    };
    let found = percentile_intervals(&units, sums, 400, 0.02, &mut Rng::new(1));
    let ends = |lo: f64, hi: f64| Some(Interval { lo, hi });
    assert_eq!(found, [(70.0 / 3.0, ends(10.0, 30.0)), (3.0, ends(2.0, 4.0))]);
}

#[test]
fn what_most_draws_do_not_have_has_no_interval() {
    let rng = &mut Rng::new(1);
    assert_eq!(percentile_intervals(&[5.0], mean_of, 100, 0.05, rng), [(5.0, None)]);
    assert_eq!(percentile_intervals(&[2.0; 5], |_| Vec::new(), 100, 0.05, rng), []);
    // Of four draws out of four hardly one in ten has all four.
    let all = |drawn: &[&f64]| {
        let mut drawn: Vec<f64> = drawn.iter().map(|x| **x).collect();
        drawn.sort_by(f64::total_cmp);
        drawn.dedup();
        vec![if drawn.len() == 4 { 1.0 } else { f64::NAN }]
    };
    assert_eq!(percentile_intervals(&[1.0, 2.0, 3.0, 4.0], all, 100, 0.05, rng), [(1.0, None)]);
}

#[test]
fn errors_of_correlated_means() {
    for line in comparison("newey_west") {
        close(correlation::newey_west_error(&A, line[0] as usize), line[1], 1e-10);
    }
    assert_eq!([20, 100, 1000].map(correlation::newey_west_lags), [2, 4, 6]);
}

#[test]
fn anytime_evidence() {
    let ratios = log_ratios();
    for line in comparison("t_mixture") {
        close(anytime::t_mixture_log_e(&ratios, line[0]), line[1], 1e-9);
    }
    let msprt = &comparison("msprt")[0];
    close(anytime::msprt_log(&ratios, msprt[0], msprt[1]), msprt[2], 1e-9);
    let interval = anytime::t_mixture_interval(&ratios, 1.0, 0.05).unwrap();
    close(interval.width() / 2.0, 0.04336511587, 1e-9);
    // The sequence ends where the evidence against its ends is 1 / alpha.
    for end in [interval.lo, interval.hi] {
        let moved: Vec<f64> = ratios.iter().map(|x| x - end).collect();
        close(anytime::t_mixture_log_e(&moved, 1.0), libm::log(20.0), 1e-9);
    }
    let rho = anytime::asymptotic_rho(15, 0.05);
    close(rho, 0.7273767754, 1e-9);
    let interval = anytime::asymptotic_interval(&ratios, rho, 0.05).unwrap();
    close(interval.width() / 2.0, 0.03751215753, 1e-9);
    assert_eq!(anytime::t_mixture_interval(&ratios[..2], 1.0, 0.05), None);
    assert_eq!(anytime::asymptotic_interval(&ratios[..1], rho, 0.05), None);
    assert_eq!(anytime::t_mixture_log_e(&[], 1.0), 0.0);
    assert_eq!(anytime::t_mixture_log_e(&[0.0; 4], 1.0), 0.0);
}

/// Watching after every value for 200 values errs no more often than promised.
#[test]
fn watching_errs_no_more_than_promised() {
    let mut rng = Rng::new(12);
    let mut crossed = 0;
    for _ in 0..1000 {
        let x: Vec<f64> = (0..200).map(|_| rng.normal()).collect();
        crossed += u32::from((2..=200).any(|n| anytime::t_mixture_log_e(&x[..n], 1.0) >= libm::log(20.0)));
    }
    assert!((5..=70).contains(&crossed), "{crossed} of 1000, at most .05 may");
}

#[test]
fn power_and_adjustments() {
    for line in comparison("power") {
        close(plan::power(line[0] as usize, line[1], line[2], line[3]), line[4], 1e-10);
    }
    let delta = plan::smallest_detectable(26, 0.01, 0.05, 0.95);
    close(plan::power(26, 0.01, delta, 0.05), 0.95, 1e-6);
    let p = [0.0004, 0.011, 0.021, 0.03, 0.04, 0.2, 0.6, 0.8];
    for (actual, expected) in
        multiple::benjamini_yekutieli(&p).iter().zip(&comparison("benjamini_yekutieli")[0])
    {
        close(*actual, *expected, 1e-12);
    }
}

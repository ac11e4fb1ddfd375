//! Nested experiments, resampling, correlated errors and anytime-valid evidence against reference values.

mod data;

use data::{A, B, close, comparison, log_ratios};
use derny_stats::nested::Nested;
use derny_stats::{Rng, anytime, bootstrap, correlation, mean, multiple, plan};

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

/// Against 200,000 resamples of SciPy; 20,000 here: both ends within 5 % of the width.
#[test]
fn bootstrap_intervals() {
    for (name, values) in [("bootstrap_a", A), ("bootstrap_b", B)] {
        let expected = &comparison(name)[0];
        let resampled = bootstrap::resampled(&values, mean, 20_000, &mut Rng::new(7));
        let bca = bootstrap::bca(&values, mean, &resampled, 0.05);
        let percentile = bootstrap::percentile(&resampled, 0.05);
        let tolerance = 0.05 * (expected[1] - expected[0]);
        for (actual, expected) in [bca.lo, bca.hi, percentile.lo, percentile.hi].iter().zip(expected) {
            assert!((actual - expected).abs() < tolerance, "{actual} should be near {expected}");
        }
    }
    close(bootstrap::acceleration(&A, mean), 0.1156843225, 1e-9);
    close(bootstrap::acceleration(&B, mean), 0.1287519761, 1e-9);
    let constant = bootstrap::resampled(&[2.0; 5], mean, 50, &mut Rng::new(1));
    assert_eq!(bootstrap::bca(&[2.0; 5], mean, &constant, 0.05).width(), 0.0);
}

/// Blocks see the correlation that single values hide: the standard error of an AR(1) mean grows as it should.
#[test]
fn blocks_keep_the_correlation() {
    let mut rng = Rng::new(8);
    let mut last = 0.0;
    let draw = |_| {
        last = 0.6 * last + rng.normal();
        last
    };
    let series: Vec<f64> = (0..4000).map(draw).collect();
    let error = |block: usize| {
        let means = bootstrap::circular_blocks(&series, block, mean, 400, &mut Rng::new(9));
        derny_stats::standard_deviation(&means)
    };
    let (single, blocks) = (error(1), error(60));
    close(blocks / single, 2.0, 0.2); // sqrt((1 + .6) / (1 - .6))
    let newey_west = correlation::newey_west_error(&series, 60);
    close(blocks, newey_west, 0.15);
    assert_eq!([1, 8, 27, 100, 1000].map(bootstrap::block_length), [1, 2, 3, 5, 10]);
}

#[test]
fn ratio_of_nested_experiments() {
    let slower: Vec<f64> = RUNS.iter().map(|x| 1.1 * x).collect();
    let (new, base) = ((&slower[..], &REPETITIONS[..]), (&RUNS[..], &REPETITIONS[..]));
    let ratios = bootstrap::hierarchical_ratio(new, base, 4000, &mut Rng::new(10));
    let interval = bootstrap::percentile(&ratios, 0.05);
    assert!(interval.contains(1.1) && !interval.contains(1.0), "{interval:?}");
    // The variance of a resampled mean is the sum over levels of the mean squared deviation from their units' means,
    // each over how many are drawn: .1336/3 + .0401/9 + .0163/36.
    let error = derny_stats::standard_deviation(&ratios);
    close(error, 1.1 * (2.0 * 0.04945_f64).sqrt() / 10.5056, 0.06);
    let flat = ((&A[..], &[20][..]), (&[100.0][..], &[1][..]));
    let means = bootstrap::hierarchical_ratio(flat.0, flat.1, 4000, &mut Rng::new(11));
    close(derny_stats::standard_deviation(&means) * 100.0, 4.2827 * (0.95_f64 / 20.0).sqrt(), 0.05);
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

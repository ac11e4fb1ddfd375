//! Compares resampling and anytime-valid evidence with reference values.

use crate::data::{A, B, close, comparison, log_ratios};
use derny_stats::bootstrap::percentile_intervals;
use derny_stats::{Interval, Rng, anytime, mean};

fn mean_of(drawn: &[&f64]) -> Vec<f64> {
    vec![mean(&drawn.iter().map(|x| **x).collect::<Vec<f64>>())]
}

/// SciPy drew 200,000 resamples, and this test draws 20,000. Both ends agree within 5 % of the width.
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

/// Units may have any type, such as pairs of sums and counts. All statistics use the same draws.
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
    // Only about one in ten resamples of four units contains all four.
    let all = |drawn: &[&f64]| {
        let mut drawn: Vec<f64> = drawn.iter().map(|x| **x).collect();
        drawn.sort_by(f64::total_cmp);
        drawn.dedup();
        vec![if drawn.len() == 4 { 1.0 } else { f64::NAN }]
    };
    assert_eq!(percentile_intervals(&[1.0, 2.0, 3.0, 4.0], all, 100, 0.05, rng), [(1.0, None)]);
}

#[test]
fn anytime_evidence() {
    let ratios = log_ratios();
    for line in comparison("t_mixture") {
        close(anytime::t_mixture_log_e(&ratios, line[0]), line[1], 1e-9);
    }
    let interval = anytime::t_mixture_interval(&ratios, 1.0, 0.05).unwrap();
    close((interval.hi - interval.lo) / 2.0, 0.04336511587, 1e-9);
    // At both ends of the sequence, the evidence is 1 / alpha.
    for end in [interval.lo, interval.hi] {
        let moved: Vec<f64> = ratios.iter().map(|x| x - end).collect();
        close(anytime::t_mixture_log_e(&moved, 1.0), libm::log(20.0), 1e-9);
    }
    assert_eq!(anytime::t_mixture_interval(&ratios[..2], 1.0, 0.05), None);
    assert_eq!(anytime::t_mixture_log_e(&[], 1.0), 0.0);
    assert_eq!(anytime::t_mixture_log_e(&[0.0; 4], 1.0), 0.0);
}

/// A check after each of 200 values errs no more often than the level allows.
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

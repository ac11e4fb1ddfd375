//! Tests outliers, straight lines, plans and families of tests with reference values.

use crate::data::{A, B, close, reference};
use derny_stats::location::part_locations;
use derny_stats::outliers::{OutlierEffect, TukeyCounts, outlier_variance, tukey};
use derny_stats::plan::{self, Components};
use derny_stats::rng::Rng;
use derny_stats::{multiple, regression, scale, student};

#[test]
fn tukey_fences() {
    // The quartiles are 99.975 and 101.325. The fences are at 97.95 and 103.35, and at 95.925 and 105.375.
    let expected = TukeyCounts { low_severe: 0, low_mild: 0, high_mild: 1, high_severe: 2 };
    assert_eq!(tukey(&A), expected);
    let mirrored = A.map(|x| -x);
    let expected = TukeyCounts { low_severe: 2, low_mild: 1, high_mild: 0, high_severe: 0 };
    assert_eq!((tukey(&mirrored), tukey(&mirrored).total()), (expected, 3));
    assert_eq!(tukey(&[]), TukeyCounts::default());
    assert_eq!(tukey(&[1.0; 9]).total(), 0);
}

#[test]
fn outlier_variances() {
    close(outlier_variance(101.895, scale::standard_deviation(&A), 20), 0.140049562, 1e-8);
    close(outlier_variance(0.001, 0.0002, 1000), 0.9936140484, 1e-9);
    close(outlier_variance(1.0, 0.01, 100), 0.0099, 1e-10);
    assert_eq!(outlier_variance(5.0, 0.0, 10), 0.0);
    let words = [0.005, 0.05, 0.14, 0.99].map(|share| OutlierEffect::of(share).as_str());
    assert_eq!(words, ["unaffected", "slight", "moderate", "severe"]);
    assert!(OutlierEffect::Slight < OutlierEffect::Severe);
}

#[test]
fn least_squares_line() {
    let fit = regression::least_squares(&A, &B);
    let expected = &reference("least_squares")[0];
    close(fit.slope, expected[0], 1e-10);
    close(fit.intercept, expected[1], 1e-10);
    close(fit.r_squared, expected[2], 1e-10);
    let exact = regression::least_squares(&[1.0, 2.0, 3.0], &[5.0, 7.0, 9.0]);
    assert_eq!((exact.slope, exact.intercept, exact.r_squared), (2.0, 3.0, 1.0));
    assert!(regression::least_squares(&[1.0, 1.0], &[2.0, 3.0]).slope.is_nan());
}

#[test]
fn theil_sen_slope() {
    let expected = &reference("theil_sen")[0];
    close(regression::theil_sen(&A, &B), expected[0], 1e-10);
    let interval = regression::theil_sen_interval(&A, &B, 0.05).unwrap();
    close(interval.lo, expected[1], 1e-10);
    close(interval.hi, expected[2], 1e-10);
    assert!(regression::theil_sen(&[1.0, 1.0], &[2.0, 3.0]).is_nan());
    assert_eq!(regression::theil_sen_interval(&[1.0], &[2.0], 0.05), None);
}

#[test]
fn theil_sen_interval_covers() {
    let mut rng = Rng::new(51);
    let x: Vec<f64> = (0..30).map(f64::from).collect();
    let hits = (0..600).filter(|_| {
        let y: Vec<f64> = x.iter().map(|x| 0.3 * x + rng.normal() / (0.2 + rng.f64())).collect();
        regression::theil_sen_interval(&x, &y, 0.05).unwrap().contains(0.3)
    });
    let share = hits.count() as f64 / 600.0;
    assert!((0.92..0.98).contains(&share), "{share}");
}

const RUNS: [[[f64; 4]; 3]; 3] = [
    [[10.1, 10.3, 10.2, 10.4], [10.6, 10.5, 10.9, 10.4], [10.0, 10.2, 10.1, 10.1]],
    [[11.0, 11.2, 10.9, 11.1], [10.7, 10.8, 10.6, 10.9], [11.3, 11.1, 11.4, 11.2]],
    [[9.9, 10.0, 10.2, 9.8], [10.3, 10.1, 10.2, 10.0], [10.5, 10.4, 10.2, 10.6]],
];

#[test]
fn components_of_the_reference_experiment() {
    let singles: Vec<Vec<f64>> = RUNS.iter().flatten().map(|run| run.to_vec()).collect();
    close(plan::variance_components(&singles).within, 0.02166666667, 1e-9);
    let means: Vec<Vec<f64>> =
        RUNS.iter().map(|execution| execution.iter().map(|run| derny_stats::mean(run)).collect()).collect();
    let upper = plan::variance_components(&means);
    close(upper.within, 0.06020833333, 1e-9);
    close(upper.between, 0.1803009259, 1e-9);
    let executions: Vec<f64> = means.iter().map(|runs| derny_stats::mean(runs)).collect();
    let interval = student::interval(&executions, 0.05).unwrap();
    close(derny_stats::mean(&executions), 10.50555556, 1e-9);
    close((interval.hi - interval.lo) / 2.0, 1.11196833, 1e-8);
    let lower = Components { within: 0.02166666667, between: 0.05479166667 };
    close(plan::optimal_rounds(10.0, 1.0, lower), 1.98856044, 1e-8);
    let higher = Components { within: 0.05479166667, between: 0.1803009259 };
    close(plan::optimal_rounds(100.0, 10.0, higher), 1.743244393, 1e-8);
}

#[test]
fn components_of_unequal_groups_are_unbiased() {
    let mut rng = Rng::new(52);
    let (mut within, mut between) = (0.0, 0.0);
    for _ in 0..400 {
        let groups: Vec<Vec<f64>> = (0..12)
            .map(|i| {
                let offset = 2.0 * rng.normal();
                (0..3 + i % 5).map(|_| offset + rng.normal()).collect()
            })
            .collect();
        let components = plan::variance_components(&groups);
        within += components.within / 400.0;
        between += components.between / 400.0;
    }
    close(within, 1.0, 0.03);
    close(between, 4.0, 0.1);
    let none = Components { within: 0.0, between: 0.0 };
    assert_eq!(plan::variance_components(&[]), none);
    assert_eq!(plan::variance_components(&[vec![1.0], vec![]]), none);
    let equal = plan::variance_components(&[vec![1.0, 3.0], vec![3.0, 1.0]]);
    assert_eq!((equal.within, equal.between), (2.0, 0.0));
}

#[test]
fn rounds_of_a_process() {
    let of = |within, between| plan::rounds_per_process(10.0, 1.0, Components { within, between });
    assert_eq!(of(1.0, 0.0), 64);
    assert_eq!(of(0.0, 0.0), 64);
    assert_eq!(of(1.0, 1e-9), 64);
    assert_eq!(of(0.0, 1.0), 4);
    assert_eq!(of(9.0, 1.0), 10);
    // The robust standard deviation is 1.4826 %, so a margin of 1 % needs (2 · 1.4826)² = 8.8 rounds.
    let ratios = [-0.01, 0.0, 0.01, -0.02, 0.02, 0.0, 0.01, -0.01, 0.5];
    assert_eq!(plan::rounds_by_pilot(&ratios, 0.01, 20), 9);
    assert_eq!(plan::rounds_by_pilot(&ratios, 0.02, 20), 3);
    assert_eq!(plan::rounds_by_pilot(&ratios, 0.0001, 20), 20);
    assert_eq!(
        (plan::rounds_by_pilot(&[0.1; 12], 0.01, 20), plan::rounds_by_pilot(&[0.1; 12], 0.0, 20)),
        (0, 20)
    );
}

#[test]
fn parts_of_a_turn() {
    let values: Vec<f64> = (0..10).map(f64::from).collect();
    assert_eq!(part_locations(&values, 1e6, 1, 4), [0.5, 3.0, 5.5, 8.0]);
    assert_eq!(part_locations(&values[..3], 1e6, 1, 4), [0.0, 1.0, 2.0]);
    assert!(part_locations(&[], 1e6, 1, 4).is_empty());
}

#[test]
fn adjusted_p_values() {
    let p = [0.0004, 0.011, 0.021, 0.03, 0.04, 0.2, 0.6, 0.8];
    let holm = [0.0032, 0.077, 0.126, 0.15, 0.16, 0.6, 1.0, 1.0];
    let bh = [0.0032, 0.044, 0.056, 0.06, 0.064, 0.8 / 3.0, 4.8 / 7.0, 0.8];
    let mut order: Vec<usize> = (0..8).collect();
    Rng::new(53).shuffle(&mut order);
    let mixed: Vec<f64> = order.iter().map(|&i| p[i]).collect();
    for (place, &i) in order.iter().enumerate() {
        close(multiple::holm(&mixed, &[1.0].repeat(mixed.len()), 0.0)[place], holm[i], 1e-12);
        close(multiple::benjamini_hochberg(&mixed)[place], bh[i], 1e-12);
    }
    assert!(multiple::holm(&[], &[], 0.0).is_empty() && multiple::benjamini_hochberg(&[]).is_empty());
}

#[test]
fn a_heavier_test_has_more_of_the_error() {
    let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    // The adjusted values are 3 × .02 / 1.5, then 1.5 × .03 / .75, then .75 × .5 / .75.
    assert!(close(&multiple::holm(&[0.5, 0.02, 0.03], &[0.75, 1.5, 0.75], 0.0), &[0.5, 0.04, 0.06]));
    // Unlisted tests stay in the family at every step.
    assert!(close(&multiple::holm(&[0.02, 0.03], &[1.5, 0.75], 0.75), &[0.04, 0.06]));
    assert!(close(&multiple::holm(&[0.02, 0.03], &[1.0, 1.0], 0.0), &[0.04, 0.04]));
}

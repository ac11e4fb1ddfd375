//! Tests location, scale and quantiles with reference values, and with properties that hold for all data.

use crate::data::{A, B, close, log_ratios};
use derny_stats::rng::Rng;
use derny_stats::{location, quantile, scale};

#[test]
fn means_and_medians() {
    close(location::mean(&A), 101.895, 1e-12);
    close(location::mean(&B), 104.52, 1e-12);
    close(location::median(&A), 100.5, 1e-12);
    close(location::median(&B), 102.65, 1e-12);
    close(location::trimmed_mean(&A, 0.2), 100.6, 1e-12);
    close(location::trimmed_mean(&B, 0.2), 102.675, 1e-12);
    close(location::midmean(&[9.0, 1.0, 2.0, 4.0]), 3.0, 1e-15);
    close(location::midmean(&[7.0, 9.0, 1.0, 2.0, 4.0]), 13.0 / 3.0, 1e-15);
    close(location::geometric_mean(&[1.0, 4.0, 16.0]), 4.0, 1e-14);
}

#[test]
fn hodges_lehmann_estimates() {
    close(location::hodges_lehmann(&log_ratios()), 0.01926890487, 1e-9);
    close(libm::exp(location::hodges_lehmann(&log_ratios())), 1.019455748, 1e-9);
    close(location::hodges_lehmann_shift(&B, &A), 2.0, 1e-12);
    close(location::hodges_lehmann_shift(&A, &B), -2.0, 1e-12);
    assert_eq!(location::hodges_lehmann(&[3.0]), 3.0);
    assert_eq!(location::hodges_lehmann(&[3.0, 4.0]), 3.5);
}

#[test]
fn spreads() {
    close(scale::standard_deviation(&A), 4.282703893, 1e-9);
    close(scale::standard_deviation(&B), 6.543425789, 1e-9);
    close(scale::mad(&A), 0.65, 1e-12);
    close(scale::mad(&B), 0.7, 1e-12);
    close(scale::mad(&A) * scale::MAD_TO_SIGMA, 0.963691442, 1e-9);
    close(scale::iqr(&A), 101.325 - 99.975, 1e-12);
    close(scale::shamos(&A), 1.15, 1e-12);
}

#[test]
fn quantiles() {
    let a = quantile::sorted(&A);
    for (p, expected) in
        [(0.05, 99.595), (0.25, 99.975), (0.75, 101.325), (0.95, 108.04), (0.0, 99.5), (1.0, 118.3)]
    {
        close(quantile::quantile(&a, p), expected, 1e-12);
    }
    for (p, expected) in [(0.25, 99.9510614), (0.5, 100.5446207), (0.75, 101.9577077), (0.9, 108.1719125)] {
        close(quantile::hd_quantiles(&a, p)[0], expected, 1e-9);
        close(quantile::hd_quantiles(&a, 1.0 - p)[1], expected, 1e-9);
    }
}

type Statistic = fn(&[f64]) -> f64;

const LOCATIONS: [Statistic; 5] =
    [location::mean, location::median, location::midmean, location::hodges_lehmann, |x| {
        location::trimmed_mean(x, 0.1)
    }];
const SCALES: [Statistic; 4] = [scale::standard_deviation, scale::mad, scale::iqr, scale::shamos];

#[test]
fn locations_move_and_scales_stretch_with_the_data() {
    let mut rng = Rng::new(11);
    for n in 2..40 {
        let x: Vec<f64> = (0..n).map(|_| rng.normal()).collect();
        let moved: Vec<f64> = x.iter().map(|v| 3.0 * v + 7.0).collect();
        for of in LOCATIONS {
            assert!((of(&moved) - (3.0 * of(&x) + 7.0)).abs() < 1e-12);
        }
        for of in SCALES {
            assert!((of(&moved) - 3.0 * of(&x)).abs() < 1e-12 && of(&x) >= 0.0);
        }
    }
}

#[test]
fn order_does_not_matter_and_no_value_pulls_backwards() {
    let mut rng = Rng::new(12);
    for n in 2..40 {
        let x: Vec<f64> = (0..n).map(|_| rng.normal()).collect();
        let mut mixed = x.clone();
        rng.shuffle(&mut mixed);
        let mut raised = x.clone();
        raised[rng.below(n) as usize] += 2.0;
        for of in LOCATIONS {
            assert!((of(&mixed) - of(&x)).abs() < 1e-13);
            assert!(of(&raised) >= of(&x) - 1e-13);
        }
        for of in SCALES {
            assert!((of(&mixed) - of(&x)).abs() < 1e-13);
        }
        let ordered = quantile::sorted(&x);
        let steps: Vec<f64> = (0..=50).map(|i| quantile::quantile(&ordered, f64::from(i) / 50.0)).collect();
        assert!(steps.is_sorted());
    }
}

#[test]
fn nothing_is_made_of_nothing_or_of_nan() {
    for of in LOCATIONS.iter().chain(&SCALES) {
        assert!(of(&[]).is_nan());
        assert!(of(&[1.0, f64::NAN, 2.0]).is_nan());
    }
    assert!(scale::standard_deviation(&[1.0]).is_nan() && scale::shamos(&[1.0]).is_nan());
    assert!(location::hodges_lehmann_shift(&[1.0], &[]).is_nan());
    assert!(location::geometric_mean(&[]).is_nan() && location::geometric_mean(&[1.0, -1.0]).is_nan());
    assert_eq!(location::geometric_mean(&[0.0, 5.0]), 0.0);
}

/// The mean of the squares minus the square of the mean would lose all digits of this variance.
#[test]
fn values_far_from_nothing_keep_their_variance() {
    let close_together: Vec<f64> = (1..=10).map(|step| 1e9 + f64::from(step)).collect();
    close(scale::variance(&close_together), 55.0 / 6.0, 1e-9);
    assert!(scale::standard_deviation(&[1_234_567.891; 100]) < 1e-6);
}

//! Compares special functions and distributions with SciPy.

use crate::data::{self, A, B, close, reference};
use derny_stats::{Looks, Rng, gamma, location, quantile, signed_rank, special, student};

#[track_caller]
fn all_close(name: &str, tolerance: f64, of: impl Fn(&[f64]) -> f64) {
    let lines = reference(name);
    assert!(lines.len() >= 5, "{name} has too few reference values");
    for line in lines {
        let (expected, arguments) = line.split_last().unwrap();
        close(of(arguments), *expected, tolerance);
    }
}

#[test]
fn special_functions() {
    all_close("normal_cdf", 1e-13, |x| special::normal_cdf(x[0]));
    all_close("normal_quantile", 1e-13, |x| special::normal_quantile(x[0]));
    all_close("beta_cdf", 1e-12, |x| special::beta_cdf(x[0], x[1], x[2]));
    all_close("gamma_upper", 1e-12, |x| special::gamma_upper(x[0], x[1]));
}

#[test]
fn gamma_quantiles() {
    // Quantiles for shape 0.05 are as small as 1e-32.
    for line in reference("gamma_quantile") {
        let found = gamma::quantile(line[0], line[1]);
        assert!((found / line[2] - 1.0).abs() < 1e-9, "{found} for {line:?}");
    }
    for shape in [0.05, 0.4, 1.0, 3.7, 60.0, 1e5] {
        for p in [1e-9, 0.01, 0.2, 0.5, 0.8, 0.999] {
            let x = gamma::quantile(p, shape);
            close(1.0 - special::gamma_upper(shape, x), p, 1e-9);
        }
        assert_eq!((gamma::quantile(0.0, shape), gamma::quantile(1.0, shape)), (0.0, f64::INFINITY));
    }
    for (p, shape) in [(-0.1, 2.0), (1.1, 2.0), (f64::NAN, 2.0), (0.5, 0.0), (0.5, -1.0), (0.5, f64::NAN)] {
        assert!(gamma::quantile(p, shape).is_nan());
    }
}

#[test]
fn student_distribution() {
    all_close("student_cdf", 1e-12, |x| student::cdf(x[0], x[1]));
    all_close("student_quantile", 1e-12, |x| student::quantile(x[0], x[1]));
    for df in [1.0, 2.0, 3.5, 10.0, 400.0] {
        for p in [1e-6, 0.02, 0.3, 0.5, 0.77, 0.999] {
            close(student::cdf(student::quantile(p, df), df), p, 1e-10);
        }
    }
}

#[test]
fn student_interval() {
    let interval = student::interval(&A, 0.05).unwrap();
    let expected = &reference("student_interval")[0];
    close(interval.lo, expected[0], 1e-12);
    close(interval.hi, expected[1], 1e-12);
    assert_eq!(student::interval(&[1.0], 0.05), None);
    close(student::p_value(&data::log_ratios()), 0.06731149688, 1e-9);
}

#[test]
fn ends_and_nonsense() {
    assert_eq!(special::normal_quantile(0.0), f64::NEG_INFINITY);
    assert_eq!(special::normal_quantile(1.0), f64::INFINITY);
    assert!(special::normal_quantile(1.5).is_nan() && special::normal_quantile(f64::NAN).is_nan());
    assert_eq!((special::beta_cdf(0.0, 2.0, 3.0), special::beta_cdf(1.0, 2.0, 3.0)), (0.0, 1.0));
    assert_eq!(student::quantile(0.5, 7.0), 0.0);
    assert_eq!(student::quantile(1.0, 7.0), f64::INFINITY);
    assert!(student::quantile(-0.1, 7.0).is_nan() && student::quantile(f64::NAN, 7.0).is_nan());
}

/// Results must be bit-identical on every platform, because stored runs are analysed again elsewhere.
#[test]
fn bits_are_the_same_everywhere() {
    let results = [
        special::normal_quantile(0.975),
        special::beta_cdf(0.3, 2.5, 7.0),
        special::gamma_upper(2.5, 3.0),
        student::quantile(0.975, 19.0),
        quantile::hd_quantiles(&quantile::sorted(&A), 0.25)[0],
        location::geometric_mean(&B),
        location::hodges_lehmann(&data::log_ratios()),
        signed_rank::p_value(&data::log_ratios()),
        Looks::plan(40, 0.95).alphas[5],
        Rng::new(7).normal(),
    ];
    let bits = results.map(|x| format!("{:016x}", x.to_bits()));
    let expected = [
        "3fff5c0331eeff83",
        "3fe484e4f87d9257",
        "3fd399173c0018fe",
        "4000be83653b666f",
        "4058fcde309f7bbc",
        "405a16502804d040",
        "3f93bb3a50e8dfc2",
        "3f83530000000000",
        "3f933281b3757613",
        "3fc44e7230b9b51e",
    ];
    assert_eq!(bits, expected);
}

//! Tests and intervals for two samples against SciPy and statsmodels.

mod data;

use data::{A, B, close, comparison, log_ratios};
use derny_stats::brunner_munzel::brunner_munzel;
use derny_stats::{Contrast, Interval, Tail, kolmogorov_smirnov, mann_whitney, ratio, student, t_test, yuen};

const X: [f64; 8] = [5.1, 4.9, 5.3, 5.0, 5.2, 4.8, 5.6, 5.3];
const Y: [f64; 5] = [5.5, 5.0, 5.9, 6.1, 5.3];
const TAILS: [Tail; 3] = [Tail::Both, Tail::Less, Tail::Greater];

/// Statistic, degrees of freedom, p, 95 % interval, p of each side.
#[track_caller]
fn equals(found: Option<Contrast>, name: &str) {
    let found = found.unwrap();
    let interval = found.interval(0.05);
    let p = TAILS.map(|tail| found.p(0.0, tail));
    let actual = [found.t(0.0), found.df, p[0], interval.lo, interval.hi, p[1], p[2]];
    for (actual, expected) in actual.iter().zip(&comparison(name)[0]) {
        close(*actual, *expected, 1e-10);
    }
}

#[test]
fn t_tests() {
    equals(t_test::welch(&B, &A), "welch_ba");
    equals(t_test::welch(&Y, &X), "welch_yx");
    equals(t_test::pooled(&B, &A), "pooled_ba");
    equals(t_test::pooled(&Y, &X), "pooled_yx");
    equals(t_test::paired(&B, &A), "paired_ba");
    close(t_test::one_sample(&log_ratios()).unwrap().p(0.0, Tail::Both), 0.06731149688, 1e-9);
    assert_eq!(t_test::paired(&A, &X), None);
    assert_eq!(t_test::welch(&A, &[1.0]), None);
    assert_eq!(t_test::pooled(&A, &[1.0, f64::NAN]), None);
}

#[test]
fn critical_values_of_ministat() {
    let lines = comparison("critical");
    assert_eq!(lines.iter().map(|line| line[0]).collect::<Vec<f64>>(), student::MINISTAT_CONFIDENCES);
    for line in lines {
        for (df, expected) in [1.0, 2.0, 9.0, 38.0, 100.0].iter().zip(&line[1..]) {
            close(student::critical(line[0] / 100.0, *df), *expected, 1e-10);
        }
    }
}

#[test]
fn yuens_tests() {
    equals(yuen::two_samples(&B, &A, 0.2), "yuen_ba");
    equals(yuen::two_samples(&Y, &X, 0.2), "yuen_yx");
    let one = yuen::one_sample(&A, 0.2).unwrap();
    let actual = [one.estimate, one.standard_error, one.df, one.p(100.0, Tail::Both)];
    for (actual, expected) in actual.iter().zip(&comparison("yuen_one")[0]) {
        close(*actual, *expected, 1e-10);
    }
    let (untrimmed, plain) = (yuen::one_sample(&A, 0.0).unwrap(), t_test::one_sample(&A).unwrap());
    close(untrimmed.estimate, plain.estimate, 1e-14);
    close(untrimmed.standard_error, plain.standard_error, 1e-14);
    assert_eq!(yuen::one_sample(&[1.0, 2.0, 3.0], 0.4), None);
    assert_eq!(yuen::two_samples(&A, &[], 0.2), None);
}

#[test]
fn equivalence() {
    let expected = &comparison("tost")[0];
    let margin = Interval { lo: -libm::log(1.05), hi: libm::log(1.05) };
    let found = t_test::one_sample(&log_ratios()).unwrap();
    close(found.equivalence_p(margin), expected[0], 1e-10);
    close(found.p(margin.lo, Tail::Greater), expected[1], 1e-10);
    close(found.p(margin.hi, Tail::Less), expected[2], 1e-10);
}

#[test]
fn fieller() {
    let expected = &comparison("fieller")[0];
    for (found, expected) in
        [(ratio::fieller(&B, &A, 0.05), &expected[..2]), (ratio::fieller(&Y, &X, 0.05), &expected[2..])]
    {
        let found = found.unwrap();
        close(found.lo, expected[0], 1e-10);
        close(found.hi, expected[1], 1e-10);
    }
    assert_eq!(ratio::fieller(&A, &[-1.0, 1.0, 0.5], 0.05), None);
    assert_eq!(ratio::fieller(&A, &[1.0], 0.05), None);
}

#[test]
fn mann_whitney_test() {
    for (name, x, y) in
        [("ba", &B[..], &A[..]), ("a10", &A[..10], &B[..10]), ("unequal", &A[..5], &B[..9]), ("ties", &X, &Y)]
    {
        let expected = &comparison(&format!("mann_whitney_{name}"))[0];
        assert_eq!(mann_whitney::u(x, y), expected[0]);
        assert_eq!(mann_whitney::u(y, x), (x.len() * y.len()) as f64 - expected[0]);
        for (tail, i) in TAILS.into_iter().zip(1..) {
            close(mann_whitney::p_value(x, y, tail), expected[i], 1e-10);
            close(mann_whitney::asymptotic_p_value(x, y, tail), expected[i + 3], 1e-10);
        }
        close(mann_whitney::p_value(y, x, Tail::Less), expected[3], 1e-10);
    }
    assert!(mann_whitney::p_value(&A, &[], Tail::Both).is_nan());
    assert_eq!(mann_whitney::p_value(&[1.0; 4], &[1.0; 5], Tail::Both), 1.0);
    assert_eq!(mann_whitney::asymptotic_p_value(&[1.0; 4], &[1.0; 5], Tail::Both), 1.0);
}

#[test]
fn mann_whitney_interval() {
    assert_eq!(mann_whitney::margin(20, 20, 0.05), Some(128));
    close(1.0 - 2.0 * mann_whitney::cdf(127, 20, 20), 0.9509096748, 1e-9);
    let interval = mann_whitney::interval(&B, &A, 0.05).unwrap();
    close(interval.lo, 1.3, 1e-12);
    close(interval.hi, 2.8, 1e-12);
    close(derny_stats::hodges_lehmann_shift(&B, &A), 2.0, 1e-12);
    assert_eq!(mann_whitney::margin(3, 3, 0.05), None);
    assert_eq!(mann_whitney::margin(4, 4, 0.05), Some(1));
    let exact = mann_whitney::margin(40, 40, 0.05).unwrap() as f64;
    let approximate = mann_whitney::margin(40, 41, 0.05).unwrap() as f64;
    close(approximate / exact, 41.0 / 40.0, 0.01);
    for u in 0..=35 {
        let mirrored = if u == 35 { 0.0 } else { mann_whitney::cdf(34 - u, 7, 5) };
        close(mann_whitney::cdf(u, 5, 7) + mirrored, 1.0, 1e-12);
    }
}

#[test]
fn brunner_munzel_test() {
    for (name, x, y) in [("ab", &A[..], &B[..]), ("xy", &X, &Y)] {
        let expected = &comparison(&format!("brunner_munzel_{name}"))[0];
        let found = brunner_munzel(x, y).unwrap();
        close(found.t(0.0), expected[0], 1e-10);
        close(found.p(0.0, Tail::Both), expected[1], 1e-10);
        close(found.p(0.0, Tail::Greater), expected[2], 1e-10);
        close(found.p(0.0, Tail::Less), expected[3], 1e-10);
        close(found.estimate + 0.5, 1.0 - mann_whitney::u(x, y) / (x.len() * y.len()) as f64, 1e-12);
    }
    assert_eq!(brunner_munzel(&[1.0, 2.0], &[3.0, 4.0]), None);
    assert_eq!(brunner_munzel(&[1.0], &[3.0, 4.0]), None);
}

#[test]
fn kolmogorov_smirnov_test() {
    for (name, x, y) in
        [("ba", &B[..], &A[..]), ("a10", &A[..10], &B[..10]), ("unequal", &A[..5], &B[..9]), ("ties", &X, &Y)]
    {
        let expected = &comparison(&format!("kolmogorov_smirnov_{name}"))[0];
        close(kolmogorov_smirnov::distance(x, y), expected[0], 1e-12);
        close(kolmogorov_smirnov::p_value(x, y), expected[1], 1e-10);
        close(kolmogorov_smirnov::p_value(y, x), expected[1], 1e-10);
    }
    assert_eq!(kolmogorov_smirnov::p_value(&[1.0; 3], &[1.0; 4]), 1.0);
    assert!(kolmogorov_smirnov::p_value(&[], &[1.0]).is_nan());
}

/// The degrees of freedom lie between those of the least part and those of all; a part without an error counts for nothing.
#[test]
fn errors_of_independent_parts_add() {
    let alone = Contrast::of_independent(7.0, [(0.09, 5.0)]);
    close(alone.standard_error, 0.3, 1e-14);
    close(alone.df, 5.0, 1e-14);
    let two = Contrast::of_independent(0.0, [(1.0, 4.0), (3.0, 8.0)]);
    close(two.standard_error, 2.0, 1e-14);
    close(two.df, 16.0 / (1.0 / 4.0 + 9.0 / 8.0), 1e-14);
    let with_a_known_one = Contrast::of_independent(0.0, [(1.0, 4.0), (0.0, 1.0)]);
    assert_eq!((with_a_known_one.standard_error, with_a_known_one.df), (1.0, 4.0));
    let known = Contrast::of_independent(3.0, [(0.0, 4.0), (0.0, 2.0)]);
    assert_eq!((known.df, known.interval(0.05)), (6.0, Interval { lo: 3.0, hi: 3.0 }));
}

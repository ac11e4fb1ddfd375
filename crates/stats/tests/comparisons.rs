//! Compares Student's tests and intervals for two samples with SciPy.

use crate::data::{A, B, close, comparison};
use derny_stats::{Contrast, Interval, Tail, student, t_test};

const X: [f64; 8] = [5.1, 4.9, 5.3, 5.0, 5.2, 4.8, 5.6, 5.3];
const Y: [f64; 5] = [5.5, 5.0, 5.9, 6.1, 5.3];
const TAILS: [Tail; 3] = [Tail::Both, Tail::Less, Tail::Greater];

#[track_caller]
fn equals(found: Option<Contrast>, name: &str) {
    let found = found.unwrap();
    let interval = found.interval(0.05);
    let p = TAILS.map(|tail| found.p(0.0, tail));
    let t = found.estimate / found.standard_error;
    let actual = [t, found.df, p[0], interval.lo, interval.hi, p[1], p[2]];
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
    assert_eq!(t_test::welch(&A, &[1.0]), None);
    assert_eq!(t_test::pooled(&A, &[1.0, f64::NAN]), None);
}

#[test]
fn critical_values_of_ministat() {
    for line in comparison("critical") {
        for (df, expected) in [1.0, 2.0, 9.0, 38.0, 100.0].iter().zip(&line[1..]) {
            close(student::quantile(0.5 + line[0] / 200.0, *df), *expected, 1e-10);
        }
    }
}

/// The combined degrees of freedom lie between those of the smallest part and their sum. A part without error
/// adds none.
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
